import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import type { Engine, EnsembleScope } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { CaliWriter, rank, regions, time } from "../../formats/caliper/caliWriter";
import { casesOf } from "../../randomCases";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-restricted-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** What a run has: two parameters, and seconds by context (a path of functions below `main`) and rank. */
interface WrittenRun {
  readonly n: number;
  readonly size: string | undefined;
  readonly costs: readonly { readonly path: readonly string[]; readonly rank: number; readonly seconds: number }[];
  readonly stays: boolean;
}

const runs = fc.array(
  fc.record<WrittenRun>({
    n: fc.constantFrom(1, 2, 4, 8),
    size: fc.constantFrom("small", "large", undefined),
    costs: fc.array(
      fc.record({
        path: fc.array(fc.constantFrom("f", "g", "h"), { maxLength: 3 }),
        rank: fc.nat(2),
        seconds: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ min: 0, max: 1, noNaN: true })),
      }),
      { maxLength: 8 },
    ),
    stays: fc.boolean(),
  }),
  { minLength: 2, maxLength: 12 },
);

/** Opens runs whose names and order are the same whichever others there are. */
async function opened(given: readonly (readonly [name: string, run: WrittenRun])[]) {
  for (const [name, { costs }] of given) {
    const out = new CaliWriter();
    out.snapshot([regions("main")], [[rank, 0], [time, 1]]); // prettier-ignore
    for (const cost of costs) out.snapshot([regions("main", ...cost.path)], [[rank, cost.rank], [time, cost.seconds]]); // prettier-ignore
    fs.writeFileSync(path.join(folder, `${name}.cali`), out.text());
  }
  const manifest = path.join(folder, "some.heatflow-runs.json");
  const entries = given.map(([name, { n, size }]) => ({ files: `${name}.cali`, name, parameters: { n, size } }));
  fs.writeFileSync(manifest, JSON.stringify({ runs: entries }));
  const engine = localEngine(grammars);
  const [{ id, defaultMetric: metric }] = await engine.open({ paths: [manifest], ensemble: {} });
  return { engine, scope: { dataSet: id, metric, over: "mean" } as const };
}

/** All that is said of the runs that stay, functions by their names. @param has of these runs */
async function answers(engine: Engine, scope: EnsembleScope, has: (name: string) => boolean, stay: readonly number[]) {
  const byName = <Row extends { readonly name: string }, Said>(rows: readonly Row[], said: (row: Row) => Said) =>
    new Map(rows.filter(({ name }) => has(name)).map((row) => [row.name, said(row)]));
  const { runs: placed, ...plane } = await engine.ensembleProjection({ scope });
  const [baseline, candidate] = [0, 1].map((side) => stay.filter((_, at) => at % 2 === side));
  const { rows } = await engine.ensembleDifferences({ scope, value: "exclusive", linked: 0, baseline, candidate });
  const { functions, leaveOut, ...scaling } = await engine
    .ensembleScaling({ scope, parameter: "n" })
    .catch((error: Error) => ({ functions: [], error: error.message, runs: placed, leaveOut: undefined }));
  return {
    plane: { ...plane, runs: Array.from(placed, (run) => stay.indexOf(run)) },
    weights: byName(await engine.ensembleParameters(scope), ({ weight }) => weight),
    sites: byName(await engine.ensembleCallSites({ scope, presence: {} }), ({ plot, imbalance }) => [plot, imbalance]),
    differences: byName(rows, ({ baseline: b, candidate: c, p, slowerIn, of }) => [b, c, p, slowerIn, of]),
    functions: byName(functions, ({ time: t, efficiency, lost, model }) => [t, efficiency, lost, model]),
    scaling: { ...scaling, runs: Array.from(scaling.runs, (run) => stay.indexOf(run)) },
    leaveOut: leaveOut && { ...leaveOut, runs: leaveOut.runs.map((run) => stay.indexOf(run)) },
  };
}

it("runs that others are restricted to have the numbers of an ensemble of their own", async () => {
  await fc.assert(
    fc.asyncProperty(runs, async (all) => {
      const named = all.map((run, at) => [`run${String(at).padStart(2, "0")}`, run] as const);
      const some = named.filter(([, { stays }]) => stays);
      fc.pre(some.length >= 2);
      const ofSome = some.flatMap(([, { size, costs }]) => [
        ...(size === undefined ? [] : ["size"]),
        ...costs.flatMap((cost) => cost.path),
      ]);
      const known = new Set(["main", "n", ...ofSome]);
      const has = (name: string) => known.has(name);
      const [restricted, own] = [await opened(named), await opened(some)];
      const stay = named.flatMap(([, { stays }], run) => (stays ? [run] : []));
      expect(await answers(restricted.engine, { ...restricted.scope, runs: stay }, has, stay)).toEqual(
        await answers(own.engine, own.scope, has, [...some.keys()]),
      );
      await Promise.all([restricted.engine.dispose(), own.engine.dispose()]);
    }),
    { numRuns: casesOf(200) },
  );
});
