import fc from "fast-check";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ensembleArguments } from "../../../src/cli/ensembleCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { miniheat } from "../../recordings";
import { grammars } from "../engine/miniheat";
import { writeRun } from "./ensembleTable";

const written = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-pivot-"));
afterAll(() => fs.rmSync(written, { recursive: true }));

interface Cell {
  readonly mean: number | null;
  readonly values: number;
  readonly runs: number;
}
interface PrintedPivot {
  readonly function: string | null;
  readonly rows: readonly (string | number | null)[];
  readonly columns: readonly (string | number | null)[];
  readonly cells: readonly (readonly (Cell | null)[])[];
}

async function printed(...args: string[]): Promise<string> {
  const request = ensembleArguments(args, process.cwd());
  return request.text(await request.run(localEngine(grammars)));
}

async function pivots(...args: string[]): Promise<readonly PrintedPivot[]> {
  return (JSON.parse(await printed(...args, "--json")) as { pivots: PrintedPivot[] }).pivots;
}

/** A run's parameters, null where its file's name says none, and what it cost. */
const run = fc.record({
  said: fc.option(fc.tuple(fc.constantFrom(2, 16, 128), fc.constantFrom("gcc", "clang")), { nil: null, freq: 5 }),
  costs: fc.array(
    fc.tuple(fc.constantFrom<string[]>(["main"], ["main", "f"], ["main", "g", "f"], ["main", "f", "g"]), fc.nat(9)),
    { minLength: 1, maxLength: 4 },
  ),
});
/** A parameter that no run has is none. */
const runs = fc.array(run, { minLength: 2, maxLength: 9 }).filter((all) => all.some(({ said }) => said !== null));

describe("heatflow ensemble --pivot", () => {
  it.each(["exclusive", "inclusive", undefined] as const)(
    "has the mean and the number of the runs of each cell, counted by hand: %s",
    async (value) => {
      await fc.assert(
        fc.asyncProperty(runs, async (all) => {
          const folder = fs.mkdtempSync(path.join(written, "runs-"));
          for (const [at, { said, costs }] of all.entries())
            writeRun(folder, said ? `${said[0]}-${said[1]}-${at}.cali` : `other${at}.cali`, costs);
          const hasAny = all.some(({ costs }) => costs.some(([names]) => names.includes("f")));
          if (!hasAny && value !== undefined) return;
          const [found, ...others] = await pivots(
            folder,
            "--pattern",
            "{n}-{compiler}-{at}.cali",
            "--pivot",
            "n,compiler",
            ...(value === undefined ? [] : ["--function", "f", "--value", value]),
          );
          expect(others).toEqual([]);
          expect(found.function).toBe(value === undefined ? null : "f");
          const without = all.some(({ said }) => said === null) ? [null] : [];
          const [rows, columns] = [
            [...[2, 16, 128].filter((n) => all.some(({ said }) => said?.[0] === n)), ...without],
            [...["clang", "gcc"].filter((name) => all.some(({ said }) => said?.[1] === name)), ...without],
          ];
          expect([found.rows, found.columns]).toEqual([rows, columns]);
          for (const [row, n] of rows.entries())
            for (const [column, name] of columns.entries()) {
              const inCell = all.filter(({ said }) => (said?.[0] ?? null) === n && (said?.[1] ?? null) === name);
              const numbers = inCell.flatMap(({ costs }) => {
                const having = costs.filter(([names]) => value === undefined || names.includes("f"));
                const own = having.filter(([names]) => value !== "exclusive" || names[names.length - 1] === "f");
                return having.length === 0 ? [] : [own.reduce((sum, [, seconds]) => sum + seconds, 0)];
              });
              const cell = found.cells[row][column];
              if (inCell.length === 0) expect(cell).toBeNull();
              else {
                const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
                expect(cell).toEqual({
                  mean: numbers.length === 0 ? null : (expect.closeTo(mean, 12) as number),
                  values: numbers.length,
                  runs: inCell.length,
                });
              }
            }
        }),
        { numRuns: 8 },
      );
    },
  );

  it("tells exclusive from inclusive, and prints a table for people", async () => {
    const folder = fs.mkdtempSync(path.join(written, "table-"));
    writeRun(folder, "2-gcc-0.cali", [[["main"], 1], [["main", "f"], 4]]); // prettier-ignore
    writeRun(folder, "2-gcc-1.cali", [[["main"], 3], [["main", "f"], 4]]); // prettier-ignore
    writeRun(folder, "10-clang-0.cali", [[["main"], 1]]);
    const args = [folder, "--pattern", "{n}-{compiler}-{at}.cali", "--pivot", "n,compiler"];
    const [own] = await pivots(...args, "--function", "main");
    const [all] = await pivots(...args, "--function", "main", "--value", "inclusive");
    expect([own.cells[0][1]?.mean, all.cells[0][1]?.mean]).toEqual([2, 6]);
    const text = await printed(...args, "--function", "f");
    expect(text).toContain(
      [
        "f, exclusive: mean (runs) by n down, compiler along",
        "n   compiler clang  compiler gcc",
        "2                     4.00 s (2)",
        "10          0 of 1",
      ].join("\n"),
    );
  });

  it("finds what MPI_Allreduce of miniheat costs at 27 ranks", async () => {
    const args = [path.join(miniheat, "profiles/ensemble"), "--pattern", "np{np}-r{repeat}.cali"];
    const [{ rows, columns, cells }] = await pivots(...args, "--pivot", "np,repeat", "--function", "MPI_Allreduce");
    expect(columns).toEqual([1, 2, 3]);
    for (const cell of cells[rows.indexOf(27)]) {
      expect(cell).toMatchObject({ values: 1, runs: 1 });
      // The guide of these recordings says 0.616 to 0.650 s.
      expect(cell?.mean).toBeGreaterThanOrEqual(0.6155);
      expect(cell?.mean).toBeLessThan(0.6505);
    }
  });

  it("says what it does not find", async () => {
    const folder = path.join(miniheat, "profiles/ensemble");
    const wrong = (...args: string[]) => expect(() => ensembleArguments([folder, ...args], process.cwd()));
    wrong("--pivot", "ranks").toThrow("--pivot takes two parameters ROWS,COLUMNS");
    wrong("--function", "main").toThrow("--function is of --pivot");
    wrong("--value", "inclusive").toThrow("--value is of --csv and --pivot");
    wrong("--csv", "--pivot", "ranks,ranks").toThrow("leave --pivot out");
    await expect(printed(folder, "--pivot", "ranks,colour")).rejects.toThrow("--pivot: there is no parameter 'colour'");
    await expect(printed(folder, "--pivot", "ranks,ranks", "--function", "none")).rejects.toThrow(
      "--function: there is no function 'none'; there are main",
    );
  });
});
