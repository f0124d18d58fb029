/** A target run that a restriction leaves out: its own numbers are what they are without the restriction, those of the runs are without it. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine, EnsembleScope } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { CaliWriter, rank, regions, time } from "../../formats/caliper/caliWriter";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-left-out-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Seconds by path on each of two ranks; `a` alone has `early`, and lacks `late`. */
const runs: Readonly<Record<string, readonly (readonly [path: readonly string[], first: number, second: number])[]>> = {
  a: [
    [["main"], 1, 1],
    [["main", "early"], 4, 6],
    [["main", "work"], 20, 40],
  ],
  b: [
    [["main"], 2, 2],
    [["main", "late"], 1, 3],
    [["main", "work"], 5, 7],
  ],
  c: [
    [["main"], 3, 1],
    [["main", "late"], 2, 2],
    [["main", "work"], 6, 8],
  ],
};
let engine: Engine;
let scope: EnsembleScope;
const [target, staying] = [0, [1, 2]];

beforeAll(async () => {
  for (const [name, costs] of Object.entries(runs)) {
    const out = new CaliWriter();
    for (const [names, ...seconds] of costs)
      seconds.forEach((own, of) => out.snapshot([regions(...names), [[rank, String(of)]]], [[time, own]]));
    fs.writeFileSync(path.join(folder, `${name}.cali`), out.text());
  }
  engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [folder], ensemble: {} });
  scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" };
});

const mean = ([, first, second]: readonly [unknown, number, number]) => (first + second) / 2;
const ownOf = (name: string) => runs.a.find(([names]) => names.at(-1) === name);

describe("a target run that is left out", () => {
  it("is inside of a bar what it is, and lacks only what it has not", async () => {
    const query = { bins: 10, most: 100, target };
    const all = await engine.ensembleHierarchy({ scope, ...query });
    const some = await engine.ensembleHierarchy({ scope: { ...scope, runs: staying }, ...query });
    const named = ({ functions, function: of, target: own, inclusive, runs: having, counts }: typeof all) =>
      new Map(
        Array.from(of, (id, cell) => [
          functions[id].name,
          {
            own: own?.[cell],
            most: inclusive[cell],
            having: having[cell],
            counted: counts.subarray(10 * cell, 10 * cell + 10).reduce((sum, one) => sum + one, 0),
          },
        ]),
      );
    const total = runs.a.reduce((sum, cost) => sum + mean(cost), 0);
    for (const found of [named(all), named(some)]) {
      expect(found.get("main")?.own).toBe(total);
      expect(found.get("work")?.own).toBe(30);
      expect(found.get("late")?.own).toBeNaN();
    }
    // What others spend and count is theirs alone.
    expect(named(some).get("work")).toMatchObject({ most: 7, having: 2, counted: 2 });
    expect(named(all).get("work")).toMatchObject({ most: 30, having: 3, counted: 3 });
  });

  it("has its own box beside call sites, of which none of its values is", async () => {
    for (const value of ["exclusive", "inclusive"] as const) {
      const sites = await engine.ensembleCallSites({ scope: { ...scope, runs: staying }, value, target });
      const work = sites.find(({ name }) => name === "work");
      expect(work?.target).toMatchObject({ mean: 30, min: 20, max: 40, values: 2 });
      expect(work?.plot).toMatchObject({ values: 4, min: 5, max: 8 });
      expect(work?.runs).toBe(2);
      expect(sites.find(({ name }) => name === "late")?.target).toBeUndefined();
      // What it alone has is no call site of the others.
      expect(sites.map(({ name }) => name).sort()).toEqual(["late", "main", "work"]);
    }
  });

  it("has its own call sites in their distribution", async () => {
    const query = { counted: "callSites", value: "exclusive", bins: 5, target } as const;
    const found = await engine.ensembleDistribution({ scope: { ...scope, runs: staying }, ...query });
    expect(found.values).toHaveLength(3);
    const place = (seconds: number) =>
      Math.min(
        4,
        Array.from(found.edges).findLastIndex((edge) => edge <= seconds),
      );
    const expected = new Array<number>(5).fill(0);
    for (const name of ["main", "early", "work"]) expected[place(mean(ownOf(name)!))]++;
    expect([...(found.ofTarget ?? [])]).toEqual(expected);
  });
});
