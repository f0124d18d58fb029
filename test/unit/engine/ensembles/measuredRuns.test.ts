import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";
import { writeCallgrind } from "../../formats/callgrind/callgrindWriter";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-measured-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** `even` and `odd` call each other: calling contexts, which are estimated, end where a function comes again. */
function recursive(even: number, odd: number): string {
  return writeCallgrind([
    {
      functions: [
        {
          name: "main",
          file: "a.c",
          rows: [
            { line: 1, costs: [5] },
            { line: 2, costs: [even + odd], callee: "even", calls: 1 },
          ],
        },
        {
          name: "even",
          file: "a.c",
          rows: [
            { line: 5, costs: [even] },
            { line: 6, costs: [odd], callee: "odd", calls: 3 },
          ],
        },
        {
          name: "odd",
          file: "a.c",
          rows: [
            { line: 9, costs: [odd] },
            { line: 10, costs: [even >> 1], callee: "even", calls: 2 },
          ],
        },
      ],
    },
  ]);
}

it("functions of measured call graphs cost what was measured of them, whatever their contexts are estimated to", async () => {
  for (const [at, [even, odd]] of [
    [100, 40],
    [100, 60],
    [120, 60],
  ].entries())
    fs.writeFileSync(path.join(folder, `run${at}.callgrind`), recursive(even, odd));
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [folder], ensemble: {} });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" } as const;
  const { names, exclusive, runs } = await engine.ensembleFunctions(scope);
  const of = (name: string) => [
    ...exclusive.subarray(names.indexOf(name) * runs.length, (names.indexOf(name) + 1) * runs.length),
  ];
  expect(of("main")).toEqual([5, 5, 5]);
  expect(of("even")).toEqual([100, 100, 120]);
  expect(of("odd")).toEqual([40, 60, 60]);
  const { inclusive } = await engine.ensembleFunctions(scope);
  // Its own 5, and its one call of even.
  expect([...inclusive.subarray(names.indexOf("main") * 3, names.indexOf("main") * 3 + 3)]).toEqual([145, 165, 185]);
  for (const value of ["inclusive", "exclusive"] as const) {
    const rows = value === "inclusive" ? inclusive : exclusive;
    const sites = await engine.ensembleCallSites({ scope, value });
    for (const [at, name] of names.entries()) {
      const mean = rows.subarray(at * runs.length, (at + 1) * runs.length).reduce((sum, own) => sum + own, 0) / 3;
      expect(sites.find((site) => site.name === name)?.plot.mean, `${value} of ${name}`).toBeCloseTo(mean, 9);
    }
  }
});
