import fc from "fast-check";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ensembleArguments } from "../../../src/cli/ensembleCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { miniheat } from "../../recordings";
import { grammars } from "../engine/miniheat";
import { table, type WrittenCost, writeRun } from "./ensembleTable";

const written = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-presence-"));
afterAll(() => fs.rmSync(written, { recursive: true }));

const cost = fc.tuple(
  fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 3 }),
  fc.nat(3),
) satisfies fc.Arbitrary<WrittenCost>;
const names = ["x1", "x2", "y1", "y2"];
const runs = fc.tuple(...names.map(() => fc.array(cost, { minLength: 1, maxLength: 5 })));
const sets = fc.constantFrom<[string, string[]] | undefined>(
  ["x*", ["x1", "x2"]],
  ["y2", ["y2"]],
  ["?1,y2", ["x1", "y1", "y2"]],
  ["*", names],
  undefined,
);

async function callSites(...args: string[]): Promise<string[]> {
  const request = ensembleArguments([...args, "--json"], process.cwd());
  const text = request.text(await request.run(localEngine(grammars)));
  const { callSites: sites } = JSON.parse(text) as { callSites: { function: string }[] };
  return sites.map((site) => site.function).sort();
}

describe("what only some runs have, or lack", () => {
  it("is what a search through all paths of all runs finds", async () => {
    const sizes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(runs, sets, sets, async (all, only, missing) => {
        const folder = fs.mkdtempSync(path.join(written, "runs-"));
        for (const [at, costs] of all.entries()) writeRun(folder, `${names[at]}.cali`, costs);
        const args = [
          ...(only ? ["--only-in", only[0]] : []),
          ...(missing ? ["--missing-in", missing[0]] : []),
          folder,
        ];
        const wanted = (has: (costs: readonly WrittenCost[]) => boolean) => {
          const having = names.filter((_, run) => has(all[run]));
          const isOnly = !only || having.every((name) => only[1].includes(name));
          const isMissing = !missing || !having.some((name) => missing[1].includes(name));
          return having.length > 0 && isOnly && isMissing;
        };
        const paths = new Set(all.flat().flatMap(([own]) => own.map((_, at) => own.slice(0, at + 1).join(";"))));
        const expected = [...paths].filter((one) =>
          wanted((costs) => costs.some(([own]) => own.join(";") === one || own.join(";").startsWith(`${one};`))),
        );
        sizes.add(expected.length);
        expect((await table(...args)).rows.map((row) => row.path).sort()).toEqual(expected.sort());
        const functions = ["a", "b", "c", "d"].filter((name) =>
          wanted((costs) => costs.some(([own]) => own.includes(name))),
        );
        expect((await table(...args, "--rows", "functions")).rows.map((row) => row.function).sort()).toEqual(functions);
        expect(await callSites(...args)).toEqual(functions);
      }),
      { numRuns: 12 },
    );
    expect(sizes.size).toBeGreaterThan(1);
  });

  it("of miniheat is what talks to neighbours, where one rank has none", async () => {
    const ensemble = path.join(miniheat, "profiles/ensemble");
    const found = await callSites(ensemble, "--missing-in", "np1-*");
    const all = await callSites(ensemble);
    const exists = new Set(await callSites(path.join(ensemble, "np1-r1.cali"), path.join(ensemble, "np1-r2.cali"), path.join(ensemble, "np1-r3.cali"))); // prettier-ignore
    expect(found).toEqual(all.filter((name) => !exists.has(name)));
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(all.length);
  });

  it("is asked of runs that there are, with the metric", async () => {
    const folder = fs.mkdtempSync(path.join(written, "wrong-"));
    writeRun(folder, "one.cali", [[["a"], 1]]);
    writeRun(folder, "two.cali", [[["a"], 1]]);
    await expect(table(folder, "--only-in", "three")).rejects.toThrow(
      "--only-in: there is no run 'three'; there are one, two",
    );
    await expect(callSites(folder, "--missing-in", "t?")).rejects.toThrow("--missing-in: there is no run 't?'");
    expect(() => ensembleArguments([folder, "--missing-in", "one,"], process.cwd())).toThrow(
      "--missing-in takes names of runs or globs",
    );
  });
});
