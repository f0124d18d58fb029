/** One run beside all in a document: against each run opened by itself. */
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { DocumentCosts, Engine, TargetSpread } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { miniheat } from "../../../recordings";
import { grammars } from "../miniheat";

const folder = path.join(miniheat, "profiles/ensemble");
const source = path.join(miniheat, "src");
const files = fs.readdirSync(folder).sort();
const names = files.map((file) => path.basename(file, ".cali"));
const TARGET = "np16-r2";

async function engineHere(): Promise<Engine> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [source], sourceMap: {} });
  return engine;
}

async function ensembleHere() {
  const engine = await engineHere();
  const [{ id, defaultMetric }] = await engine.open({ paths: [folder], ensemble: {} });
  return { engine, scope: { dataSet: id, metric: defaultMetric, over: "mean" } as const };
}

/** What each run says of the document when it is opened by itself. */
async function alone(document: string): Promise<DocumentCosts[]> {
  const costs: DocumentCosts[] = [];
  for (const file of files) {
    const engine = await engineHere();
    const [{ id, defaultMetric }] = await engine.open({ paths: [path.join(folder, file)] });
    const scope = { dataSet: id, metric: defaultMetric, over: "mean" } as const;
    costs.push(await engine.documentCosts({ scope, document: { file: document, text: undefined } }));
  }
  return costs;
}

/** By the words of semantics 10, from one number of each run; undefined where a run has none. */
function twin(values: readonly (number | undefined)[], own: number | undefined) {
  const having = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const middle = having.length >> 1;
  return {
    least: having[0],
    median: having.length % 2 === 1 ? having[middle] : (having[middle - 1] + having[middle]) / 2,
    most: having[having.length - 1],
    runs: having.length,
    target: own ?? null,
    percentile: own === undefined ? NaN : having.filter((value) => value <= own * (1 + 1e-12)).length / having.length,
  };
}

function expectSpread(found: TargetSpread, expected: ReturnType<typeof twin>, what: string): void {
  expect([found.runs, found.target === null], what).toEqual([expected.runs, expected.target === null]);
  for (const key of ["least", "median", "most", "percentile"] as const)
    if (Number.isNaN(expected[key])) expect(found[key], what).toBeNaN();
    else expect(Math.abs(found[key] - expected[key]), `${what} ${key}`).toBeLessThanOrEqual(1e-9 * expected.most);
}

describe.each(["solver.cpp", "halo.cpp"])("lines and functions of %s in one run, beside all", (name) => {
  const document = path.join(source, name);
  let runs: DocumentCosts[];
  let own: DocumentCosts;
  beforeAll(async () => {
    runs = await alone(document);
    own = runs[names.indexOf(TARGET)];
  }, 60_000);

  it("have what each run has when it is opened by itself", async () => {
    const { engine, scope } = await ensembleHere();
    const found = await engine.targetCosts({ scope, target: TARGET, document: { file: document, text: undefined } });
    if (!found) throw new Error("no target");
    expect(found.names).toEqual(names);
    expect(found.functions.length).toBeGreaterThan(0);
    expect(new Set(found.functions.map((one) => one.name))).toEqual(
      new Set(runs.flatMap(({ functions }) => functions.map((one) => one.name))),
    );
    for (const one of found.functions) {
      const of = (costs: DocumentCosts) =>
        costs.functions.find((other) => other.name === one.name && other.line === one.line);
      for (const value of ["inclusive", "exclusive"] as const)
        expectSpread(
          one[value],
          twin(
            runs.map((costs) => of(costs)?.[value]),
            of(own)?.[value],
          ),
          `${one.name} ${value}`,
        );
    }
    for (const cost of own.lines) {
      const line = found.lines.find((one) => one.line === cost.line && one.oneOf === cost.oneOf);
      expect(line?.exclusive.target, `line ${cost.line}`).toBeCloseTo(cost.exclusive, 12);
      expect(found.costs.lines.find((one) => one.line === cost.line)?.exclusive).toBeCloseTo(cost.exclusive, 12);
    }
    expect(found.costs.lines.length).toBe(own.lines.length);
  });

  it("are beside the runs that stay alone", async () => {
    const { engine, scope } = await ensembleHere();
    const staying = [0, 5, 7];
    const chosen = { by: "run", members: staying.map(String) } as const;
    const found = await engine.targetCosts({
      scope: { ...scope, chosen },
      target: TARGET,
      document: { file: document, text: undefined },
    });
    expect(found?.names).toEqual(staying.map((run) => names[run]));
    for (const one of found?.functions ?? []) {
      const of = (costs: DocumentCosts) =>
        costs.functions.find((other) => other.name === one.name && other.line === one.line);
      const values = staying.map((run) => of(runs[run])?.inclusive);
      if (values.every((value) => value === undefined)) expect(one.inclusive.runs).toBe(0);
      else expectSpread(one.inclusive, twin(values, of(own)?.inclusive), one.name);
    }
  });

  it("have the value of every run where one line is asked for", async () => {
    const { engine, scope } = await ensembleHere();
    const [{ line, name: called }] = own.functions;
    const found = await engine.targetCosts({
      scope,
      target: TARGET,
      document: { file: document, text: undefined },
      line,
    });
    const of = (costs: DocumentCosts) => costs.functions.find((other) => other.name === called && other.line === line);
    const one = found?.functions.find((other) => other.name === called);
    expect(found?.functions.every((other) => other.line === line)).toBe(true);
    runs.forEach((costs, run) => {
      const expected = of(costs)?.inclusive;
      const value = one?.inclusive.values?.[run] ?? NaN;
      if (expected === undefined) expect(value).toBeNaN();
      else expect(value).toBeCloseTo(expected, 12);
    });
  });
});

it("a run that is not there is no target", async () => {
  const { engine, scope } = await ensembleHere();
  const document = { file: path.join(source, "solver.cpp"), text: undefined };
  expect(await engine.targetCosts({ scope, target: "np16", document })).toBeUndefined();
});
