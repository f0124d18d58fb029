import fc from "fast-check";
import { expect, it } from "vitest";
import { ensembleBeside, ensembleGraph } from "../../../../src/engine/ensembles/ensembleGraphs";
import { quietTask } from "../../../../src/model/task";
import { casesOf } from "../../randomCases";
import { type Cost, recordingOf } from "../recordings";
import { asTwin, ensembleOf } from "./openRuns";

const cost = fc.tuple(
  fc.array(fc.constantFrom("a", "bb", "c"), { minLength: 1, maxLength: 3 }),
  fc.constant(0),
  fc.nat(20),
);
const run = fc.array(cost, { minLength: 1, maxLength: 5 }).filter((all) => all.some(([, , seconds]) => seconds > 0));

const opened = (runs: readonly (readonly Cost[])[]) =>
  ensembleOf(runs.map((costs, at) => ({ name: `run${at}`, dataSet: recordingOf(costs) })));

/** All ways to choose so many of the first numbers. */
function choices(count: number, size: number): number[][] {
  if (size === 0) return [[]];
  if (count < size) return [];
  return [...choices(count - 1, size), ...choices(count - 1, size - 1).map((chosen) => [...chosen, count - 1])];
}

/** The square of |difference of means| / standard deviation, times what is the same for all rows and divisions, as a fraction. */
function statistic(values: readonly number[], side: readonly number[]): readonly [bigint, bigint] {
  const whole = BigInt(values.reduce((sum, value) => sum + value, 0));
  const squares = BigInt(values.reduce((sum, value) => sum + value * value, 0));
  const own = BigInt(side.reduce((sum, at) => sum + values[at], 0));
  const [all, chosen] = [BigInt(values.length), BigInt(side.length)];
  const spread = all * squares - whole * whole;
  return spread === 0n ? [0n, 1n] : [(all * own - chosen * whole) ** 2n, spread];
}

const isAtLeast = ([a, b]: readonly [bigint, bigint], [c, d]: readonly [bigint, bigint]) => a * d >= c * b;

it("bars of two sets of runs have the means, and the p of a count of all ways to divide these runs", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(run, { minLength: 9, maxLength: 9 }),
      fc.constantFrom([4, 4], [5, 4], [4, 5], [3, 5]),
      fc.constantFrom("inclusive", "exclusive"),
      async (runs, [before, after], value) => {
        const baseline = Array.from({ length: before }, (_, at) => at);
        const candidate = Array.from({ length: after }, (_, at) => 8 - at);
        const scope = { dataSet: 1, metric: 0, over: "sum" } as const;
        const query = { scope, filter: 0, groupBy: "function", withRuns: true, value } as const;
        const graph = await ensembleGraph(opened(runs), { ...query, difference: { baseline, candidate } }, quietTask);
        const beside = { ...query, difference: { baseline, candidate } };
        expect(await ensembleBeside(opened(runs), beside, quietTask)).toEqual({ difference: graph.difference });
        const rows = [...asTwin(graph).bars.values()].map((bar) => bar[value]);
        const meanOf = (row: readonly (number | null)[], set: readonly number[]) =>
          set.every((at) => row[at] === null) ? NaN : set.reduce((sum, at) => sum + (row[at] ?? 0), 0) / set.length;
        const { difference } = graph;
        expect([...(difference?.[value].baseline ?? [])]).toEqual(rows.map((row) => meanOf(row, baseline)));
        expect([...(difference?.[value].candidate ?? [])]).toEqual(rows.map((row) => meanOf(row, candidate)));
        const having = (set: readonly number[]) => rows.map((row) => set.filter((at) => row[at] !== null).length);
        expect([...(difference?.baselineRuns ?? [])]).toEqual(having(baseline));
        expect([...(difference?.candidateRuns ?? [])]).toEqual(having(candidate));

        const pooled = rows.map((row) => [...baseline, ...candidate].map((at) => row[at] ?? 0));
        const ways = choices(before + after, before);
        const own = pooled.map((values) =>
          statistic(
            values,
            Array.from({ length: before }, (_, at) => at),
          ),
        );
        const reached = own.map(() => 0);
        for (const side of ways) {
          const all = pooled.map((values) => statistic(values, side));
          const largest = all.reduce((most, one) => (isAtLeast(one, most) ? one : most));
          own.forEach((mine, at) => (reached[at] += Number(isAtLeast(largest, mine))));
        }
        const tooFew = Math.min(before, after) < 4;
        const { significance } = difference ?? {};
        expect([...(significance?.p ?? [])]).toEqual(reached.map((count) => (tooFew ? NaN : count / ways.length)));
        const slower = rows.map((row) => {
          const sorted = baseline.map((at) => row[at] ?? 0).sort((a, b) => a - b);
          const median = (sorted[(before - 1) >> 1] + sorted[before >> 1]) / 2;
          return candidate.filter((at) => (row[at] ?? 0) > median).length;
        });
        expect([...(significance?.slowerIn ?? [])]).toEqual(slower);
        expect(significance?.of).toBe(after);
      },
    ),
    { numRuns: casesOf(60) },
  );
});
