import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parameterWeight } from "../../../../src/analysis/ensembles/parameterWeight";
import type { RunColumn } from "../../../../src/model/runColumns";
import cases from "./fixtures/parameterWeight.json";
import { shuffled } from "./randomRuns";

function numbers(values: readonly (number | null)[]): RunColumn {
  return { name: "n", kind: "number", values: Float64Array.from(values, (value) => value ?? NaN) };
}

const texts = (values: readonly string[]): RunColumn => ({ name: "t", kind: "text", values });
const of = (column: RunColumn, totals: readonly number[]) => parameterWeight(column, Float64Array.from(totals));

describe("a parameter's weight", () => {
  it.each(cases)("is R's adjusted R squared: $weight", ({ value, total, weight }) => {
    expect(of(numbers(value), total)).toBeCloseTo(weight, 12);
    if (new Set(value).size <= 8)
      expect(of({ name: "t", kind: "text", values: value.map((v) => (v === null ? null : `v${v}`)) }, total)).toBeCloseTo(weight, 12); // prettier-ignore
  });

  it("is 1 where a parameter says it all, 0 where it says nothing", () => {
    expect(of(texts(["a", "a", "b", "b"]), [1, 1, 5, 5])).toBe(1);
    expect(of(texts(["a", "b", "a", "b"]), [1, 1, 5, 5])).toBe(0);
    expect(of(texts(["a", "a", "a"]), [1, 2, 3])).toBe(0);
  });

  it("is none with a value of its own for more than half of the runs, or equal totals", () => {
    expect(of(texts(["a", "b", "c", "c"]), [1, 2, 3, 4])).not.toBeNaN();
    expect(of(texts(["a", "b", "c", "d", "d"]), [1, 2, 3, 4, 5])).toBeNaN();
    expect(of(numbers([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toBeNaN();
    expect(of(texts(["a", "a", "b", "b"]), [0.6, 0.1 + 0.2 + 0.3, 0.6, 0.6])).toBeNaN();
    expect(of(texts(["a", "a"]), [NaN, NaN])).toBeNaN();
    expect(of(texts([]), [])).toBeNaN();
  });

  it("is known of totals whose squares are no numbers, or nothing", () => {
    const known = of(texts(["a", "a", "b", "b"]), [1, 2, 5, 4]);
    for (const factor of [1e-165, 2 ** -1070, 2 ** 1000])
      expect(of(texts(["a", "a", "b", "b"]), [1 * factor, 2 * factor, 5 * factor, 4 * factor])).toBeCloseTo(known, 12);
    expect(known).toBeCloseTo(1 - ((1 / 10) * 3) / 2, 12);
    const once = numbers([1, 1]);
    for (const factor of [1, 1024]) expect(of(once, [3.069780829497322e-165 * factor, 0])).toBe(0);
  });

  it("is the same bit for bit in any order of runs, and does not depend on units", () => {
    const runs = fc.array(fc.tuple(fc.constantFrom(1, 2, 4, 8, NaN), fc.double({ min: 0, max: 9, noNaN: true })), { maxLength: 30 }); // prettier-ignore
    fc.assert(
      fc.property(
        runs.chain((given) => fc.tuple(fc.constant(given), shuffled(given))),
        ([given, others]) => {
          const weight = (pairs: typeof given, factor = 1) =>
          of(numbers(pairs.map(([n]) => n)), pairs.map(([, total]) => total * factor)); // prettier-ignore
          expect(weight(others)).toBe(weight(given));
          expect(weight(given, 1024)).toBe(weight(given));
          if (!Number.isNaN(weight(given))) expect(weight(given)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
