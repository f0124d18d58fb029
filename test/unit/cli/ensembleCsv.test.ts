import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ensembleArguments } from "../../../src/cli/ensembleCommand";
import { miniheat } from "../../recordings";
import { exported, type Line, linesOf } from "./commands";
import { table, writeRun } from "./ensembleTable";

const written = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-ensemble-csv-"));
afterAll(() => fs.rmSync(written, { recursive: true }));

const ensemble = path.join(miniheat, "profiles/ensemble");
/** Runs of one, eight and 27 ranks. */
const some = ["np1-r1", "np8-r2", "np27-r3"].map((name) => path.join(ensemble, `${name}.cali`));

/** What an export has of one metric, by path: a number per rank that has one. */
async function pathsOf(file: string, metric: string, value: "exclusive" | "inclusive") {
  const { text } = await exported([file, "--metric", metric]);
  const lines = linesOf<Line>(text);
  const ranks = new Set(lines.map(({ location }) => location.rank));
  const paths = new Map<string, Map<number, number>>();
  for (const { path: names, location, ...line } of lines) {
    const byRank = paths.get(names.join(";")) ?? new Map<number, number>();
    byRank.set(location.rank, (byRank.get(location.rank) ?? 0) + Number(line[value]));
    paths.set(names.join(";"), byRank);
  }
  return { ranks: ranks.size, paths };
}

describe("heatflow ensemble --csv", () => {
  it.each([
    ["exclusive", "mean"],
    ["inclusive", "mean"],
    ["exclusive", "sum"],
    ["inclusive", "max"],
    ["exclusive", "min"],
  ] as const)("has what the export of each run has, a column per run: %s, %s over ranks", async (value, over) => {
    const { rows, warnings } = await table(...some, "--value", value, "--over", over);
    expect(warnings).toEqual([]);
    const files = await Promise.all(some.map(async (file) => pathsOf(file, "time", value)));
    const all = new Set(files.flatMap(({ paths }) => [...paths.keys()]));
    // The export has a line where a rank has a value: a context without any is in the table alone, with 0.
    expect(rows.length).toBeGreaterThanOrEqual(all.size);
    expect(new Set(rows.map((row) => row.path)).size).toBe(rows.length);
    let missing = 0;
    for (const [at, name] of ["np1-r1", "np8-r2", "np27-r3"].entries()) {
      const { ranks, paths } = files[at];
      expect(ranks).toBe([1, 8, 27][at]);
      for (const row of rows) {
        const label = `${name}: ${row.path}`;
        expect([row.metric, row.unit, row.value], label).toEqual(["time", "s", value]);
        const known = paths.get(row.path);
        if (row[name] === "") missing++;
        if (known === undefined) expect(["", "0"], label).toContain(row[name]);
        else {
          const numbers = Array.from({ length: ranks }, (_, rank) => known.get(rank) ?? 0);
          const sum = numbers.reduce((total, own) => total + own, 0);
          const combined = { sum, mean: sum / ranks, max: Math.max(...numbers), min: Math.min(...numbers) }[over];
          expect(row[name], label).not.toBe("");
          expect(Math.abs(Number(row[name]) - combined), label).toBeLessThanOrEqual(1e-12 * Math.abs(combined));
        }
      }
    }
    // One rank has no neighbour to wait for.
    expect(missing).toBeGreaterThan(0);
  });

  it("sums the contexts of a function, with its place", async () => {
    const contexts = await table(...some);
    const functions = await table(...some, "--rows", "functions");
    const wanted = contexts.rows.filter((row) => row.path.endsWith(";MPI_Allreduce"));
    const [found, ...others] = functions.rows.filter((row) => row.function === "MPI_Allreduce");
    expect(others).toEqual([]);
    expect(wanted.length).toBeGreaterThan(0);
    for (const name of ["np8-r2", "np27-r3"])
      expect(Number(found[name])).toBeCloseTo(
        wanted.reduce((sum, row) => sum + Number(row[name]), 0),
        12,
      );
  });

  it("leaves a cell empty where a run lacks the context, and has 0 where it spent nothing there", async () => {
    writeRun(written, "=a,b.cali", [[["main"], 1], [["main", "=SUM(1;2)"], 0.1 + 0.2]]); // prettier-ignore
    writeRun(written, "c.cali", [[["main", "-x"], 0], [["main"], -0.5]]); // prettier-ignore
    const { rows } = await table(written);
    expect(rows.map(({ path: names, ...row }) => [names, row["'=a,b"], row.c])).toEqual([
      ["main", "1", "-0.5"],
      ["main;-x", "", "0"],
      ["main;=SUM(1\\x3b2)", "0.30000000000000004", ""],
    ]);
    const functions = await table(written, "--rows", "functions", "--value", "inclusive");
    expect(functions.rows.map((row) => [row.function, row["'=a,b"], row.c]).sort()).toEqual([
      ["'-x", "", "0"],
      ["'=SUM(1;2)", "0.30000000000000004", ""],
      ["main", "1.3", "-0.5"],
    ]);
  });

  it("says what does not go with it", () => {
    const wrong = (...args: string[]) => expect(() => ensembleArguments([ensemble, ...args], process.cwd()));
    wrong("--csv", "--json").toThrow("leave --json out");
    wrong("--csv", "--filter", "5").toThrow("leave --filter out");
    wrong("--csv", "--diff", "a,b").toThrow("leave --diff out");
    wrong("--rows", "functions").toThrow("--rows is of --csv");
    wrong("--csv", "--rows", "lines").toThrow("--rows takes one of contexts, functions, not 'lines'");
    wrong("--csv", "--value", "mean").toThrow("--value takes one of exclusive, inclusive, not 'mean'");
  });
});
