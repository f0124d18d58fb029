import { describe, expect, it } from "vitest";
import type { HotPath } from "../../../src/engine/api";
import { hotPathText, nearestText } from "../../../src/editor/hotPathTexts";

const link = {
  places: [{ file: "/src/solver.cpp", line: 23 }],
  rule: "definition",
  reason: "",
  considered: [],
} as const;

function path(names: readonly string[], parts: Partial<HotPath> = {}): HotPath {
  const steps = names.map((name, context) => ({ context, name, inclusive: 10 / (1 + context) }));
  const stopped = { why: "leaf" } as const;
  return { steps, leftOut: 0, leftOutAfter: names.length, depth: 1, stopped, link, estimated: false, ...parts };
}

describe("what is said of a hot path", () => {
  it("is the way, the share of where it began, the value, and why it ends", () => {
    const stopped = { why: "share", name: "globalSum", share: 0.34 } as const;
    expect(hotPathText(path(["main", "solve", "dot"], { stopped }), "s", "mean over 8 ranks", 0.5)).toBe(
      "main → solve → dot: 33.3 % of main, 3.33 s (mean over 8 ranks). It ends there: globalSum, the heaviest below it, keeps 34.0 %, less than 50.0 %.",
    );
    expect(hotPathText(path(["main", "dot"]), "s", "", 0.5)).toBe(
      "main → dot: 50.0 % of main, 5.00 s. It ends there: nothing below it was recorded.",
    );
  });

  it("says that it goes no further than where it began, and that there is no cost", () => {
    expect(hotPathText(path(["dot"]), "s", "", 0.5)).toBe(
      "dot: 10.0 s. It goes no further: nothing below it was recorded.",
    );
    const nothing = path(["dot"], { stopped: { why: "nothing" } });
    expect(hotPathText(nothing, "s", "", 0.5)).toContain("It goes no further: it has no cost.");
  });

  it("is short however deep the path is", () => {
    const names = Array.from({ length: 80 }, (_, at) => `f${at}`);
    const long = path(names, { leftOut: 20, leftOutAfter: 40 });
    expect(hotPathText(long, "s", "", 0.5)).toMatch(/^f0 → f1 → 92 more → f74 → f75 → f76 → f77 → f78 → f79: /);
    const middle = path(names.slice(0, 10));
    expect(hotPathText(middle, "s", "", 0.5)).toMatch(/^f0 → f1 → 2 more → f4 → f5 → f6 → f7 → f8 → f9: /);
    expect(hotPathText(path(["x".repeat(100_000)]), "s", "", 0.5).length).toBeLessThan(600);
  });

  it("says that it is estimated, and that no line is known", () => {
    const unknown = path(["a"], { estimated: true, link: { ...link, places: [], reason: "It has no file." } });
    expect(hotPathText(unknown, "Ir", "", 0.5)).toMatch(
      /Estimated from a call graph\. No line is known for a\. It has no file\.$/,
    );
    expect(nearestText({ name: "solve", link })).toBe("Go to solve (solver.cpp:23)");
  });
});
