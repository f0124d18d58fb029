import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupStatistics, pivot, runGroups } from "../../../../src/analysis/ensembles/runGroups";
import type { RunColumn } from "../../../../src/model/runColumns";
import { measured } from "./randomRuns";

const numbers = (...values: number[]): RunColumn => ({ name: "n", kind: "number", values: Float64Array.from(values) });
const texts = (...values: (string | null)[]): RunColumn => ({ name: "t", kind: "text", values });

describe("runs grouped by a parameter", () => {
  it("are in the order of its values, those without one last", () => {
    expect(runGroups(numbers(16, 2, NaN, 2, 9))).toEqual([
      { value: 2, runs: [1, 3] },
      { value: 9, runs: [4] },
      { value: 16, runs: [0] },
      { value: null, runs: [2] },
    ]);
    expect(runGroups(texts("b", null, "B", "b")).map(({ value }) => value)).toEqual(["B", "b", null]);
  });

  it("have mean, deviation and percentiles of the runs that have a value", () => {
    const group = { runs: [0, 2, 3, 4] };
    expect(groupStatistics(group, Float64Array.of(2, 100, 4, NaN, 9), [0, 0.5, 0.75, 1])).toEqual({
      values: 3,
      runs: 4,
      mean: 5,
      // (9 + 1 + 16) / 3.
      variance: expect.closeTo(26 / 3, 12) as number,
      deviation: expect.closeTo(Math.sqrt(26 / 3), 12) as number,
      percentiles: Float64Array.of(2, 4, 6.5, 9),
    });
    const none = groupStatistics({ runs: [1] }, Float64Array.of(1, NaN), [0.5]);
    expect(none).toEqual({ values: 0, runs: 1, mean: NaN, variance: NaN, deviation: NaN, percentiles: Float64Array.of(NaN) }); // prettier-ignore
  });

  it("make a pivot of two parameters, empty where no run has both", () => {
    const { rows, columns, cells } = pivot(
      numbers(1, 2, 1, 1),
      texts("x", "y", "x", null),
      Float64Array.of(1, 2, 3, 4),
    );
    expect([rows, columns]).toEqual([[1, 2], ["x", "y", null]]); // prettier-ignore
    expect(cells.map((row) => row.map((cell) => cell?.mean))).toEqual([[2, undefined, 4], [undefined, 2, undefined]]); // prettier-ignore
  });

  it("have every run in one cell, and means that make up the mean of all", () => {
    const run = fc.tuple(fc.constantFrom(1, 2, 3), fc.constantFrom("a", "b", null), measured);
    fc.assert(
      fc.property(fc.array(run, { minLength: 1 }), (given) => {
        const values = Float64Array.from(given, ([, , value]) => value);
        const { cells } = pivot(numbers(...given.map(([n]) => n)), texts(...given.map(([, text]) => text)), values);
        const all = cells.flat().filter((cell) => cell !== undefined);
        expect(all.reduce((sum, cell) => sum + cell.runs, 0)).toBe(given.length);
        const sum = all.reduce((total, cell) => total + cell.mean * cell.values, 0);
        expect(sum).toBeCloseTo(
          values.reduce((total, value) => total + value, 0),
          6,
        );
      }),
    );
  });
});
