import { describe, expect, it } from "vitest";
import { targetHover, targetLenses, targetLensTitle } from "../../../src/editor/targetTexts";
import type { TargetCosts, TargetFunction, TargetSpread } from "../../../src/engine/api";

/** Of values written by hand, in ascending order; the target is one of them, or none. */
function spread(values: readonly number[], target: number | null): TargetSpread {
  const having = values.filter((value) => !Number.isNaN(value));
  return {
    target,
    least: having[0],
    median: having[having.length >> 1],
    most: having[having.length - 1],
    percentile: target === null ? NaN : having.filter((value) => value <= target).length / having.length,
    runs: having.length,
    values: Float64Array.from(values),
  };
}

const values = [1.31, 1.32, 1.33, 1.34, 1.35, 1.36, 1.37, 1.38, 1.385, 1.39, 1.42];

function costs(one: Partial<TargetFunction> = {}, target = "64c"): TargetCosts {
  const own = spread(values, 1.39);
  const f: TargetFunction = {
    line: 3,
    name: "solve",
    function: 0,
    share: 0.5,
    inclusive: own,
    exclusive: own,
    ...one,
  };
  const names = values.map((_, run) => (run === 9 ? target : `run${run}`));
  const none = {
    lines: [],
    calls: [],
    functions: [],
    drift: { newerThanRecording: false, lostLines: 0, movedLines: 0 },
  };
  return { target, names, costs: none, lines: [{ line: 3, exclusive: f.exclusive }], functions: [f] };
}

const lens = (one: TargetCosts, alone = true) => targetLensTitle(one.functions[0], one, "s", alone);

describe("a lens of an ensemble's target", () => {
  it("has its value, what all have, and where it stands among them", () => {
    expect(lens(costs())).toBe(
      "1.39 s inclusive, ensemble 1.31–1.42 s, 91st percentile · run 64c · 1.39 s exclusive, ensemble 1.31–1.42 s, 91st percentile",
    );
    expect(lens(costs(), false)).toMatch(/^1\.39 s inclusive, .* percentile · solve · run 64c · 1\.39 s exclusive/);
  });

  it("says which value it is behind the whole of a unit with a comma", () => {
    const { functions, ...others } = costs();
    expect(targetLensTitle(functions[0], { ...others, functions }, "hits, L2", true)).toMatch(
      /^1\.39 hits, L2 inclusive, ensemble 1\.31–1\.42 hits, L2, 91st percentile · run 64c · 1\.39 hits, L2 exclusive, /,
    );
  });

  it("says where the target lacks the function, and how many runs have it", () => {
    const few = spread([0.5, NaN, 1.5], null);
    expect(lens({ ...costs({ inclusive: few, exclusive: few }), names: ["a", "b", "c"] })).toBe(
      "not in this run, ensemble 500 ms – 1.50 s in 2 of 3 runs · run 64c",
    );
  });

  it("shows no picture that a name asks for, and no end of a name that is too long", () => {
    expect(lens(costs({}, "$(error)"))).toContain(" · run \\$(error) · ");
    expect(lens(costs({}, "x".repeat(5000))).length).toBeLessThan(150);
  });

  it("stands above functions with at least the least share", () => {
    expect(targetLenses(costs(), 0.5)).toHaveLength(1);
    expect(targetLenses(costs(), 0.51)).toHaveLength(0);
    expect(targetLenses(costs({ share: NaN }), 0)).toHaveLength(0);
  });
});

describe("a hover of an ensemble's target", () => {
  it("has the function's values, a strip of all runs with the target beneath, and runs from the largest on", () => {
    const lines = targetHover(costs(), "s")?.split("\n") ?? [];
    expect(lines[0]).toBe("**Heatflow** · run 64c beside 11 runs");
    const fence = lines.indexOf("```text");
    // 24 bins of 4.58 ms: 1.31 s in the first, 1.42 s in the last, 1.385 and 1.39 s in the 17th and 18th.
    expect(lines[fence + 1]).toHaveLength(24);
    expect([...lines[fence + 1]].filter((one) => one !== " ")).toHaveLength(11);
    expect(lines[fence + 2]).toBe(`${" ".repeat(17)}▲`);
    const rows = lines.filter((line) => line.startsWith("| 1"));
    expect(rows).toHaveLength(10);
    expect(rows[0]).toContain("run10");
    expect(rows[1]).toContain("**64c**");
    expect(lines.at(-1)).toBe("1 more");
  });

  it("has the target among the runs that it lists, wherever it stands", () => {
    const low = spread(values, 1.31);
    const named = costs({ inclusive: low, exclusive: low }, "run9");
    const first = { ...named, target: "first", names: ["first", ...named.names.slice(1)] };
    expect(targetHover(first, "s")).toContain("**first**");
  });

  it("has nothing of a file as Markdown", () => {
    const hostile = "<b>[x](command:y)</b>`|";
    const text = targetHover(costs({ name: hostile }, hostile), "s") ?? "";
    expect(text).not.toMatch(/(?<!\\)[<[`|](?!(?:``|text| ))[b(x]/);
    expect(text).toContain("\\<b\\>");
  });

  it("is not there where no run has anything", () => {
    expect(targetHover({ ...costs(), lines: [], functions: [] }, "s")).toBeUndefined();
  });
});
