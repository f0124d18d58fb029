/** Functions over runs and ranks, as semantics 10 says them, with searches over all costs: against what views of an ensemble's runs have. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { EngineState } from "../../../../src/engine/engineState";
import { callSites } from "../../../../src/engine/ensembles/callSites";
import { metricPoints } from "../../../../src/engine/ensembles/metricPoints";
import { runDistribution } from "../../../../src/engine/ensembles/runDistribution";
import { runHierarchy } from "../../../../src/engine/ensembles/runHierarchy";
import { quietTask } from "../../../../src/model/task";
import { casesOf } from "../../randomCases";
import { grammars } from "../miniheat";
import { type Cost, recordingOf } from "../recordings";
import { ensembleOf } from "./openRuns";

const names = ["a", "b", "c", "d"];
const overs = ["sum", "mean", "max", "min"] as const;
// Multiples of twelve: means over up to four ranks are whole numbers, the same in any order.
const cost = fc.tuple(
  fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 }),
  fc.nat(3),
  fc.integer({ min: 0, max: 30 }).map((value) => 12 * value),
);
const costs = fc.array(cost, { minLength: 1, maxLength: 12 }).filter((all) => all.some(([, , seconds]) => seconds > 0));
const ensembles = fc.array(costs, { minLength: 1, maxLength: 5 }).chain((all) =>
  fc.record({
    all: fc.constant(all),
    stay: fc.subarray([...all.keys()], { minLength: 1 }),
    target: fc.nat(all.length - 1),
  }),
);

const ranksOf = (run: readonly Cost[]) => [...new Set(run.map(([, rank]) => rank))].sort((a, b) => a - b);
const has = (run: readonly Cost[], name: string) => run.some(([path]) => path.includes(name));
const own = (run: readonly Cost[], name: string, rank: number) =>
  run.reduce((sum, [path, of, seconds]) => (of === rank && path.at(-1) === name ? sum + seconds : sum), 0);
const below = (run: readonly Cost[], name: string, rank: number) =>
  run.reduce((sum, [path, of, seconds]) => (of === rank && path.includes(name) ? sum + seconds : sum), 0);
const combined = (values: readonly number[], over: (typeof overs)[number]) => {
  const sum = values.reduce((all, one) => all + one, 0);
  return { sum, mean: sum / values.length, max: Math.max(...values), min: Math.min(...values) }[over];
};

function stateOf(all: readonly (readonly Cost[])[]) {
  const of = ensembleOf(all.map((own, at) => ({ name: `run${at}`, dataSet: recordingOf(own) })));
  const state = new EngineState(grammars);
  state.get = () => ({ ...of }) as unknown as ReturnType<EngineState["get"]>;
  state.ensemble = () => of;
  return state;
}

it("box plots of functions are over every rank of every run that stays and has them", async () => {
  await fc.assert(
    fc.asyncProperty(ensembles, fc.constantFrom("inclusive", "exclusive"), async ({ all, stay, target }, value) => {
      const scope = { dataSet: 1, metric: 0, over: "mean", runs: stay } as const;
      const sites = await callSites(stateOf(all), { scope, value, target, linked: 0 }, quietTask);
      const of = value === "exclusive" ? own : below;
      const valuesIn = (runs: readonly number[], name: string) =>
        runs
          .filter((run) => has(all[run], name))
          .flatMap((run) => ranksOf(all[run]).map((rank) => of(all[run], name, rank)));
      expect(sites.map(({ name }) => name).sort()).toEqual(
        names.filter((name) => stay.some((run) => has(all[run], name))),
      );
      for (const { name, plot, runs, target: beside } of sites) {
        const values = valuesIn(stay, name).sort((a, b) => a - b);
        const at = (share: number) => {
          const place = (values.length - 1) * share;
          const low = Math.floor(place);
          return values[low] + (place - low) * ((values[low + 1] ?? values[low]) - values[low]);
        };
        expect(plot.values).toBe(values.length);
        expect([plot.min, plot.max]).toEqual([values[0], values.at(-1)]);
        [plot.q1, plot.median, plot.q3].forEach((found, index) => expect(found).toBeCloseTo(at((index + 1) / 4), 9));
        const [from, to] = [at(0.25) - 1.5 * (at(0.75) - at(0.25)), at(0.75) + 1.5 * (at(0.75) - at(0.25))];
        const within = values.filter((one) => one >= from - 1e-9 && one <= to + 1e-9);
        expect([...plot.whiskers]).toEqual([within[0], within.at(-1)]);
        expect([...plot.outliers]).toEqual(values.filter((one) => !within.includes(one)));
        expect(runs).toBe(stay.filter((run) => has(all[run], name)).length);
        const ofTarget = valuesIn([target], name);
        if (ofTarget.length === 0) expect(beside).toBeUndefined();
        else
          expect(beside).toMatchObject({
            values: ofTarget.length,
            min: Math.min(...ofTarget),
            max: Math.max(...ofTarget),
          });
      }
    }),
    { numRuns: casesOf(1000) },
  );
});

it("points of inclusive against exclusive are of each function in each run that stays and has it", async () => {
  await fc.assert(
    fc.asyncProperty(ensembles, fc.constantFrom(...overs), async ({ all, stay }, over) => {
      const scope = { dataSet: 1, metric: 0, over, runs: stay } as const;
      const points = await metricPoints(stateOf(all), { scope, most: 1000, mostFunctions: 1000 }, quietTask);
      const found = Array.from(points.runs, (run, at) => [
        points.functions[points.of[at]].name,
        run,
        points.inclusive[at],
        points.exclusive[at],
      ]);
      const expected = names.flatMap((name) =>
        stay
          .filter((run) => has(all[run], name))
          .map((run) => {
            const ranks = ranksOf(all[run]);
            return [
              name,
              run,
              combined(
                ranks.map((rank) => below(all[run], name, rank)),
                over,
              ),
              combined(
                ranks.map((rank) => own(all[run], name, rank)),
                over,
              ),
            ];
          }),
      );
      const key = (row: unknown[]) => row.join(" ");
      expect(found.map(key).sort()).toEqual(expected.map(key).sort());
    }),
    { numRuns: casesOf(1000) },
  );
});

it("distributions count functions by their means over runs, runs, and ranks of runs", async () => {
  await fc.assert(
    fc.asyncProperty(
      ensembles,
      fc.constantFrom(...overs),
      fc.constantFrom("inclusive", "exclusive"),
      async ({ all, stay, target }, over, value) => {
        const scope = { dataSet: 1, metric: 0, over, runs: stay } as const;
        const state = stateOf(all);
        const of = value === "exclusive" ? own : below;
        const ask = (counted: "callSites" | "runs" | "ranks") =>
          runDistribution(state, { scope, counted, value, bins: 6, target }, quietTask);
        const sites = await ask("callSites");
        const inRun = (run: number, name: string) =>
          combined(
            ranksOf(all[run]).map((rank) => of(all[run], name, rank)),
            over,
          );
        const means = names.flatMap((name) => {
          const values = stay.filter((run) => has(all[run], name)).map((run) => inRun(run, name));
          return values.length === 0
            ? []
            : [[name, values.reduce((sum, one) => sum + one, 0) / values.length] as const];
        });
        expect(sites.names?.map(({ name }) => name).sort()).toEqual(means.map(([name]) => name).sort());
        sites.names?.forEach(({ name }, at) =>
          expect(sites.values[at]).toBeCloseTo(means.find(([one]) => one === name)![1], 9),
        );
        expect(sites.ofTarget?.reduce((sum, one) => sum + one, 0)).toBe(
          names.filter((name) => has(all[target], name)).length,
        );
        // All of a run: its whole, whichever value; exclusive adds up to it.
        const wholeOf = (run: number, rank: number) =>
          all[run].reduce((sum, [, own, seconds]) => (own === rank ? sum + seconds : sum), 0);
        const runs = await ask("runs");
        expect(Array.from(runs.values)).toEqual(
          stay.map((run) =>
            combined(
              ranksOf(all[run]).map((rank) => wholeOf(run, rank)),
              over,
            ),
          ),
        );
        const ranks = await ask("ranks");
        const expected = stay.flatMap((run) => ranksOf(all[run]).map((rank) => [rank, run, wholeOf(run, rank)]));
        expected.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(Array.from(ranks.values, (own, at) => [ranks.ranks?.[at], ranks.runs?.[at], own])).toEqual(expected);
        for (const bars of [sites, runs, ranks])
          expect(bars.counts.reduce((sum, one) => sum + one, 0) + bars.leftOut).toBe(bars.values.length);
      },
    ),
    { numRuns: casesOf(1000) },
  );
});

it("cells inside of all are paths of functions, with what each run has there", async () => {
  await fc.assert(
    fc.asyncProperty(ensembles, fc.constantFrom(...overs), async ({ all, stay, target }, over) => {
      const scope = { dataSet: 1, metric: 0, over, runs: stay } as const;
      const found = await runHierarchy(stateOf(all), { scope, bins: 5, most: 10_000, target }, quietTask);
      const pathOf = (cell: number): string => {
        const name = found.functions[found.function[cell]].name;
        return found.parent[cell] < 0 ? name : `${pathOf(found.parent[cell])}/${name}`;
      };
      const starts = (path: readonly string[], cell: string) => `${path.join("/")}/`.startsWith(`${cell}/`);
      const cells = new Set(
        all.flatMap((run) => run.flatMap(([path]) => path.map((_, at) => path.slice(0, at + 1).join("/")))),
      );
      expect(Array.from(found.function, (_, cell) => pathOf(cell)).sort()).toEqual([...cells].sort());
      const inclusive = (run: number, cell: string) => {
        if (!all[run].some(([path]) => starts(path, cell))) return NaN;
        const at = (rank: number) =>
          all[run].reduce((sum, [path, own, seconds]) => (own === rank && starts(path, cell) ? sum + seconds : sum), 0);
        return combined(ranksOf(all[run]).map(at), over);
      };
      for (let cell = 0; cell < found.function.length; cell++) {
        const path = pathOf(cell);
        const values = stay.map((run) => inclusive(run, path)).filter((value) => !Number.isNaN(value));
        expect(found.inclusive[cell], path).toBe(Math.max(0, ...values));
        expect(found.runs[cell]).toBe(values.length);
        expect(found.target?.[cell]).toEqual(inclusive(target, path));
        const counted = found.counts.subarray(5 * cell, 5 * cell + 5).reduce((sum, one) => sum + one, 0);
        expect(counted).toBe(found.inclusive[cell] > 0 ? values.length : 0);
      }
    }),
    { numRuns: casesOf(1000) },
  );
});
