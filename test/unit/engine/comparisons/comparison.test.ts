import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ComparisonQuery, Scope } from "../../../../src/engine/api";
import { compareRuns } from "../../../../src/engine/comparisons/comparison";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { EngineState } from "../../../../src/engine/engineState";
import type { Frame } from "../../../../src/model/frames";
import { CancelledError } from "../../../../src/model/errors";
import { quietTask, taskOf } from "../../../../src/model/task";
import type { PathOfFrames } from "../../model/trees";
import { casesOf } from "../../randomCases";
import { grammars } from "../miniheat";
import { type Cost, recordingOf, timeMetric } from "../recordings";

/** Runs that are open as 1, 2, … */
function stateOf(runs: readonly (readonly Cost[])[]): EngineState {
  const open = runs.map((costs, at) => new OpenDataSet(at + 1, recordingOf(costs), 0));
  const state = new EngineState(grammars);
  state.get = (dataSet) => ({ open: open[dataSet - 1] }) as ReturnType<EngineState["get"]>;
  return state;
}

const scopes = (ids: readonly number[], over: Scope["over"] = "sum") =>
  ids.map((dataSet): Scope => ({ dataSet, metric: 0, over }));

function compare(
  runs: readonly (readonly Cost[])[],
  baseline: readonly number[],
  candidate: readonly number[],
  more: Partial<ComparisonQuery> = {},
) {
  const query = { baseline: scopes(baseline), candidate: scopes(candidate), limit: 1000, linked: 0 };
  return compareRuns(stateOf(runs), { ...query, value: "exclusive", ...more }, quietTask);
}

/** A function's value in one run, by looking at every cost: undefined where no context is its own. */
function naive(costs: readonly Cost[], name: string, value: "exclusive" | "inclusive"): number | undefined {
  if (!costs.some(([path]) => path.includes(name))) return undefined;
  return costs.reduce((sum, [path, , seconds]) => {
    const counts = value === "exclusive" ? path.at(-1) === name : path.includes(name);
    return counts ? sum + seconds : sum;
  }, 0);
}

const cost = fc.tuple(
  fc.array(fc.constantFrom("main", "solve", "dot", "io"), { minLength: 1, maxLength: 4 }),
  fc.nat(2),
  fc.integer({ min: 0, max: 9 }),
);
const run = fc.array(cost, { minLength: 1, maxLength: 12 });
const total = (costs: readonly Cost[]) => costs.reduce((sum, [, , seconds]) => sum + seconds, 0);
const mean = (values: readonly (number | undefined)[]) =>
  values.every((value) => value === undefined)
    ? null
    : values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length;

describe("what differs between two sets of runs", () => {
  it("has the values that every cost adds up to, on both sides", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { minLength: 2, maxLength: 5 }),
        fc.constantFrom("exclusive", "inclusive"),
        async (runs, value) => {
          const sides = [[1], runs.map((_, at) => at + 1).slice(1)];
          const { rows, more, ...totals } = await compare(runs, sides[0], sides[1], { value });
          expect(more).toBe(0);
          const names = [...new Set(runs.flat().flatMap(([path]) => path))];
          expect(rows.map(({ name }) => name).sort()).toEqual(names.sort());
          for (const row of rows) {
            const [before, after] = sides.map((ids) => ids.map((id) => naive(runs[id - 1], row.name, value)));
            expect(row).toMatchObject({
              baseline: mean(before) === null ? null : expect.closeTo(mean(before) ?? 0, 9),
              candidate: mean(after) === null ? null : expect.closeTo(mean(after) ?? 0, 9),
              baselineRuns: before.filter((one) => one !== undefined).length,
              candidateRuns: after.filter((one) => one !== undefined).length,
            });
          }
          expect(totals.baselineTotal).toBeCloseTo(total(runs[0]), 9);
          expect(totals.candidateTotal).toBeCloseTo(mean(runs.slice(1).map(total)) ?? NaN, 9);
          // Σ differences = difference of the totals.
          if (value === "exclusive")
            expect(rows.reduce((sum, { difference }) => sum + difference, 0)).toBeCloseTo(
              totals.candidateTotal - totals.baselineTotal,
              9,
            );
          expect(
            rows.every(({ difference }, at) => at === 0 || Math.abs(rows[at - 1].difference) >= Math.abs(difference)),
          ).toBe(true);
        },
      ),
      { numRuns: casesOf(500) },
    );
  });

  it("is negated by swapping the sides, and 0 against itself", async () => {
    await fc.assert(
      fc.asyncProperty(run, run, async (a, b) => {
        const there = await compare([a, b], [1], [2]);
        const back = await compare([a, b], [2], [1]);
        expect(
          back.rows.map(({ name, difference, baseline, candidate }) => [name, -difference, candidate, baseline]),
        ).toEqual(
          there.rows.map(({ name, difference, baseline, candidate }) => [name, difference || -0, baseline, candidate]),
        );
        const same = await compare([a, b], [1], [1]);
        expect(same.rows.every(({ difference }) => difference === 0)).toBe(true);
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("needs a run on each side", async () => {
    await expect(compare([[[["main"], 0, 1]]], [1], [])).rejects.toThrow("a run on each side");
  });

  it("is not said of what measured something else", async () => {
    const state = stateOf([[[["main"], 0, 1]], [[["main"], 0, 1]]]);
    const { dataSet } = state.get(2).open;
    const query = { baseline: scopes([1]), candidate: scopes([2]), limit: 9, linked: 0, value: "exclusive" } as const;
    for (const other of [
      { name: "bytes", unit: "B" },
      { name: "time", unit: "ticks" },
    ]) {
      Object.assign(dataSet, { metrics: [{ ...timeMetric, ...other }] });
      await expect(compareRuns(state, query, quietTask)).rejects.toThrow(
        `time in s is not compared with ${other.name} in ${other.unit}.`,
      );
    }
  });

  it("counts what changed by more than was asked for, of all rows", async () => {
    const runs = [costs([at("a")], [at("b")], [at("c")]), costs([at("a")], [at("x")], [at("c")])];
    const { rows, more, changed } = await compare(runs, [1], [2], { limit: 1, changedFrom: 0 });
    expect([rows.length, more, changed]).toEqual([1, 3, 2]);
    expect((await compare(runs, [1], [2], { changedFrom: 0.4 })).changed).toBe(0);
  });
});

const at = (name: string, file?: string, module?: string): Frame => ({ name, kind: "function", file, module });
const costs = (...paths: readonly PathOfFrames[]): Cost[] => paths.map((path, index) => [path, 0, index + 1]);
const named = async (before: readonly Cost[], after: readonly Cost[], renamed: ComparisonQuery["renamed"] = []) => {
  const { rows } = await compare([before, after], [1], [2], { renamed });
  return rows.map(({ name, baseline, candidate }) => [name, baseline, candidate]).sort();
};

describe("functions of two runs", () => {
  it("are the same in builds that lie in folders of their own, and in modules of other names", async () => {
    expect(
      await named(costs([at("sort", "/O1/sort.c", "/O1/prog")]), costs([at("sort", "/O3/sort.c", "/O3/prog3")])),
    ).toEqual([["sort", 1, 1]]);
  });

  it("are others in files of other names, unless one run knows no file", async () => {
    expect(await named(costs([at("init", "a.c")]), costs([at("init", "b.c")]))).toEqual([
      ["init", null, 1],
      ["init", 1, null],
    ]);
    expect(await named(costs([at("init", "a.c")]), costs([at("init")]))).toEqual([["init", 1, 1]]);
  });

  it("are the same where one run's regions have their class in their names, unless two could be meant", async () => {
    const region = (name: string): Frame => ({ name, kind: "region", origin: "mark" });
    const before = costs([region("dot")], [region("norm")]);
    expect(await named(before, costs([region("mini::Kernel::dot")], [region("mini::norm")]))).toEqual([
      ["dot", 1, 1],
      ["norm", 2, 2],
    ]);
    expect(await named(before, costs([region("A::dot")], [region("B::dot")]))).toHaveLength(4);
    expect(await named(costs([region("A::dot")]), costs([region("B::dot")]))).toHaveLength(2);
  });

  it("are not guessed where two could be meant", async () => {
    const before = costs([at("init", "/x/a.c")], [at("init", "/y/a.c")]);
    expect(await named(before, costs([at("init", "/z/a.c")]))).toEqual([
      ["init", null, 1],
      ["init", 1, null],
      ["init", 2, null],
    ]);
    // Equal in everything goes before what is only alike.
    expect(await named(before, costs([at("init", "/y/a.c")]))).toEqual([
      ["init", 1, null],
      ["init", 2, 1],
    ]);
  });

  it("are the same where a compiler appended to the name of its copy, but for pieces", async () => {
    expect(await named(costs([at("f", "a.c")]), costs([at("f.isra.0", "a.c")]))).toEqual([["f", 1, 1]]);
    expect(await named(costs([at("f", "a.c")]), costs([at("f.part.0", "a.c")]))).toHaveLength(2);
  });

  it("are the same by a C++ name with its parameters, whatever file their first line was inlined from; C functions are not", async () => {
    const name = "Vsids<Score>::undoUntil(Solver const&, unsigned int)";
    expect(await named(costs([at(name, "queue.h")]), costs([at(name, "heuristics.cpp")]))).toEqual([[name, 1, 1]]);
    expect(await named(costs([at("init", "a.c")]), costs([at("init", "b.c")]))).toHaveLength(2);
    const unnamed = "(anonymous namespace)::init(int)";
    expect(await named(costs([at(unnamed, "a.cpp")]), costs([at(unnamed, "b.cpp")]))).toHaveLength(2);
    // Which of two it is nobody can tell.
    const two = costs([at(name, "a.h")], [at(name, "b.h")]);
    expect(await named(two, costs([at(name, "c.h")]))).toHaveLength(3);
  });

  it("are the same where somebody said that one was renamed, in either order", async () => {
    const [before, after] = [costs([at("old", "a.c")]), costs([at("new", "b.c")])];
    for (const pair of [["old", "new"] as const, ["new", "old"] as const])
      expect(await named(before, after, [pair])).toEqual([["old", 1, 1]]);
  });

  it("are not the same by a pair whose names one run has both", async () => {
    const both = costs([at("old", "a.c")], [at("new", "b.c")]);
    for (const pair of [["old", "new"] as const, ["new", "old"] as const]) {
      expect(await named(both, both, [pair])).toEqual([
        ["new", 2, 2],
        ["old", 1, 1],
      ]);
      // Also where the other run has one of them.
      for (const one of ["old", "new"])
        expect(
          await named(both, costs([at(one, one === "old" ? "a.c" : "b.c")]), [pair]),
          `${pair.join("=")} ${one}`,
        ).toEqual([
          ["new", 2, one === "new" ? 1 : null],
          ["old", 1, one === "old" ? 1 : null],
        ]);
    }
  });

  it("are told apart by their files where a pair has a name that both runs have", async () => {
    expect(await named(costs([at("old", "a.c")]), costs([at("old", "b.c")]), [["old", "new"]])).toHaveLength(2);
  });

  it("are the same by pairs of several renamings, whichever of them the two runs lie between", async () => {
    const pairs = [["f1", "f2"] as const, ["f2", "f3"] as const];
    for (const [before, after] of [
      ["f1", "f2"],
      ["f2", "f3"],
      ["f3", "f1"],
    ])
      expect(await named(costs([at(before)]), costs([at(after)]), pairs)).toEqual([[before, 1, 1]]);
  });

  it("are paired by hand in the same way whatever the order of runs and pairs is, and what pairs nothing is said", async () => {
    const names = ["a", "b", "c", "d"];
    const some = fc.subarray(names, { minLength: 1 });
    const pairsOf = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(some, some, pairsOf, async (before, after, pairs) => {
        const runs = [costs(...before.map((name) => [at(name)])), costs(...after.map((name) => [at(name)]))];
        const valuesOf = async (order: readonly number[], renamed: typeof pairs) => {
          const [one, other] = order.map((run) => runs[run]);
          const { rows, unpaired } = await compare([one, other], [1], [2], { renamed });
          const sides = rows.map(({ baseline, candidate }) =>
            order[0] === 0 ? [baseline, candidate] : [candidate, baseline],
          );
          return { values: sides.map((values) => values.join()).sort(), unpaired: unpaired.length };
        };
        const found = await valuesOf([0, 1], pairs);
        expect(await valuesOf([1, 0], pairs)).toEqual(found);
        const turned = pairs.map(([left, right]): [string, string] => [right, left]).reverse();
        expect(await valuesOf([0, 1], turned)).toEqual(found);
        // A name that both runs have is one function, whatever was said.
        const shared = before.filter((name) => after.includes(name));
        for (const name of shared)
          expect(found.values).toContain([before.indexOf(name) + 1, after.indexOf(name) + 1].join());
        if (pairs.length === 1 && pairs[0][0] !== pairs[0][1]) {
          const has = (side: readonly string[]) => pairs[0].filter((name) => side.includes(name)).length;
          const isPaired = has(before) === 1 && has(after) === 1 && !shared.some((name) => pairs[0].includes(name));
          expect(found.unpaired).toBe(isPaired ? 0 : 1);
          expect(found.values).toHaveLength(new Set([...before, ...after]).size - (isPaired ? 1 : 0));
        }
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("are found once for the same runs, and a cancelled question finds none", async () => {
    const state = stateOf([costs([at("old")]), costs([at("new")])]);
    const query = { baseline: scopes([1]), candidate: scopes([2]), limit: 9, linked: 0, value: "exclusive" } as const;
    const cancelled = taskOf(
      () => true,
      () => undefined,
    );
    await expect(compareRuns(state, query, cancelled)).rejects.toThrow(CancelledError);
    const joined = () =>
      state.join(
        [1, 2].map((id) => state.get(id).open),
        [],
        cancelled,
      );
    await compareRuns(state, query, quietTask);
    expect(joined()).toBe(joined());
    await compareRuns(state, { ...query, baseline: scopes([2]), candidate: scopes([1]) }, cancelled);
    expect(() => state.join([state.get(1).open], [], cancelled)).toThrow(CancelledError);
  });
});
