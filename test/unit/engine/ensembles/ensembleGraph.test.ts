import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EnsembleGraphQuery } from "../../../../src/engine/ensembles/ensembleApi";
import { ensembleBeside, ensembleGraph } from "../../../../src/engine/ensembles/ensembleGraphs";
import { quietTask } from "../../../../src/model/task";
import { casesOf } from "../../randomCases";
import { type Cost, recordingOf } from "../recordings";
import { ensembleTwin } from "./ensembleTwin";
import { asTwin, ensembleOf } from "./openRuns";

const overs = ["sum", "mean", "max", "min"] as const;
const groupOf = (name: string) => `lib${name.length}`;

// Multiples of six: sums of them, and their means over up to three ranks, are whole numbers, which are the same in any order.
const cost = fc.tuple(
  fc.array(fc.constantFrom("a", "bb", "c", "dd", "e"), { minLength: 1, maxLength: 6 }),
  fc.nat(2),
  fc.integer({ min: 0, max: 40 }).map((value) => 6 * value),
);
const costs = fc.array(cost, { minLength: 1, maxLength: 14 }).filter((all) => all.some(([, , seconds]) => seconds > 0));
const runs = fc
  .array(costs, { minLength: 1, maxLength: 5 })
  .map((all) => all.map((own, at) => ({ name: `run${at}`, costs: own })));

type Runs = readonly { readonly name: string; readonly costs: readonly Cost[] }[];

const opened = (all: Runs) => ensembleOf(all.map(({ name, costs }) => ({ name, dataSet: recordingOf(costs) })));

function query(
  more: Partial<EnsembleGraphQuery> & { over?: (typeof overs)[number]; runs?: readonly number[] },
): EnsembleGraphQuery {
  const { over = "sum", runs, ...rest } = more;
  const scope = { dataSet: 1, metric: 0, over, ...(runs ? { runs } : {}) };
  return { scope, filter: 0, groupBy: "function", bins: 7, withRuns: true, ...rest };
}

describe("the super graph of an ensemble", () => {
  it("has every bar, flow end and histogram that the rules give, run by run", async () => {
    await fc.assert(
      fc.asyncProperty(
        runs,
        fc.constantFrom(...overs),
        fc.constantFrom(0, 5, 20, 60),
        fc.constantFrom("function", "none", "map"),
        async (all, over, filter, groupBy) => {
          const names = ["a", "bb", "c", "dd", "e"];
          const map = {
            lib1: names.filter((name) => name.length === 1),
            lib2: names.filter((name) => name.length === 2),
          };
          const graph = await ensembleGraph(opened(all), query({ over, filter, groupBy, map }), quietTask);
          const by = { function: (name: string) => name, none: undefined, map: groupOf }[groupBy];
          const twin = ensembleTwin(all, { percent: filter, over, bins: 7, ...(by ? { groupOf: by } : {}) });
          const { bars, edges } = asTwin(graph);
          expect(sorted(bars)).toEqual(sorted(twin.bars));
          expect(sorted(edges)).toEqual(sorted(twin.edges));
          expect([...graph.totals]).toEqual(twin.totals);
          expect([...graph.hidden]).toEqual(twin.hidden);
        },
      ),
      { numRuns: casesOf(1000) },
    );
  });

  it("keeps bars and their order whichever runs stay, with the numbers of these", async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.infiniteStream(fc.boolean()), async (all, choice) => {
        const stay = [...all.keys()].filter(() => choice.next().value);
        const open = opened(all);
        const whole = await ensembleGraph(open, query({}), quietTask);
        const part = await ensembleGraph(open, query({ runs: stay }), quietTask);
        expect(part.bars.id).toEqual(whole.bars.id);
        expect(part.bars.level).toEqual(whole.bars.level);
        const twin = ensembleTwin(all, { percent: 0, over: "sum", bins: 7, groupOf: (name) => name, stay });
        const own = asTwin(part);
        for (const [id, { height, histogram }] of twin.bars)
          expect(own.bars.get(id)).toMatchObject({ height, histogram });
        for (const [id, { sourceEnd, targetEnd }] of twin.edges)
          expect(own.edges.get(id)).toMatchObject({ sourceEnd, targetEnd });
      }),
      { numRuns: casesOf(400) },
    );
  });

  it("chooses its first picture on all runs, whichever stay, and has it again from its choice", async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.nat(), async (all, one) => {
        const of = opened(all);
        const graph = await ensembleGraph(of, query({ groupBy: "first" }), quietTask);
        const { chosen, bars, values, totals } = graph;
        if (!chosen || !values) return expect.fail("it is no first picture");
        expect(chosen.choice.filter).toBe(graph.filter);
        bars.id.forEach((id, bar) => {
          const shares = Array.from(totals, (total, run) => values.inclusive[bar * totals.length + run] / total);
          const largest = Math.max(...shares.filter((share) => !Number.isNaN(share)));
          expect(largest, id).toBeGreaterThanOrEqual(graph.filter / 100 - 1e-9);
        });
        const some = await ensembleGraph(of, query({ groupBy: "first", runs: [one % all.length] }), quietTask);
        expect([some.bars.id, some.chosen]).toEqual([bars.id, chosen]);
        const again = await ensembleGraph(opened(all), query({ groupBy: "first", first: chosen.choice }), quietTask);
        expect([again.bars, again.edges]).toEqual([bars, graph.edges]);
        // The order of runs does not matter.
        const back = await ensembleGraph(opened(all.toReversed()), query({ groupBy: "first" }), quietTask);
        expect([back.bars.id, back.chosen?.choice]).toEqual([bars.id, chosen.choice]);
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("changes no number of the ensemble where a run is the target, which has its own share of each flow", async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.nat(4), async (all, at) => {
        const target = at % all.length;
        const open = opened(all);
        const { target: own, ...with_ } = await ensembleGraph(open, query({ target }), quietTask);
        const without = await ensembleGraph(open, query({}), quietTask);
        expect(with_).toEqual(without);
        expect(await ensembleBeside(open, query({ target }), quietTask)).toEqual({ target: own });
        const twin = ensembleTwin(all, { percent: 0, over: "sum", bins: 7, groupOf: (name) => name });
        const ids = without.bars.group.map((group, bar) => `${group}#${without.bars.visit[bar]}`);
        ids.forEach((id, bar) => {
          const values = twin.bars.get(id)?.inclusive ?? [];
          const mine = values[target];
          const others = values.filter((value) => value !== null);
          expect(own?.percentile[bar]).toEqual(
            mine === null ? NaN : others.filter((value) => value <= mine).length / others.length,
          );
        });
      }),
      { numRuns: casesOf(1000) },
    );
  });

  it("is the graph of one run where all runs are equal", async () => {
    await fc.assert(
      fc.asyncProperty(costs, async (own) => {
        const equal = ["a", "b", "c"].map((name) => ({ name, costs: own }));
        const graph = await ensembleGraph(opened(equal), query({}), quietTask);
        const one = await opened([equal[0]]).graphs.superGraph(
          { scope: { dataSet: 1, metric: 0, over: "sum" }, filter: 0, groupBy: "function" },
          quietTask,
        );
        const ranks = new Set(own.map(([, rank]) => rank)).size;
        expect(graph.bars.id).toEqual(one.bars.map(({ id }) => id));
        // As one recording the union shows means over ranks.
        one.bars.forEach(({ inclusive }, bar) => expect(graph.bars.height[bar]).toBeCloseTo(inclusive * ranks, 9));
        for (let edge = 0; edge < graph.edges.size; edge++) {
          const height = graph.bars.height[graph.edges.source[edge]];
          expect(graph.edges.sourceEnd[edge] * height).toBeCloseTo(graph.edges.most[edge], 9);
        }
      }),
      { numRuns: casesOf(200) },
    );
  });

  it("changes no height and no flow end without a run that has no maximum", async () => {
    await fc.assert(
      fc.asyncProperty(runs, async (all) => {
        // A run whose every value is below another's.
        const [first] = all;
        const least = { name: "z", costs: first.costs.map(([path, rank, seconds]): Cost => [path, rank, seconds / 2]) };
        const before = await ensembleGraph(opened(all), query({}), quietTask);
        const after = await ensembleGraph(opened([...all, least]), query({}), quietTask);
        expect(after.bars.id).toEqual(before.bars.id);
        expect(after.bars.height).toEqual(before.bars.height);
        expect(after.edges).toEqual(before.edges);
      }),
      { numRuns: casesOf(1000) },
    );
  });
});

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
