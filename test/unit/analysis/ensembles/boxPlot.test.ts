import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boxPlot, imbalanceOf, type BoxPlot } from "../../../../src/analysis/ensembles/boxPlot";
import { casesOf } from "../../randomCases";
import cases from "./fixtures/boxPlot.json";
import { inTwoOrders, measured } from "./randomRuns";

function of(values: Iterable<number>): BoxPlot {
  const box = boxPlot(values);
  if (box === undefined) throw new Error("no value");
  return box;
}

function expectNear(found: number, expected: number | null, scale = 1) {
  if (expected === null) expect(found).toBeNaN();
  else expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-9 * Math.max(scale, Math.abs(expected)));
}

describe("a box plot", () => {
  it.each(cases)("has R's quantiles, whiskers, outliers and moments: $sample.0, …", (expected) => {
    const box = of(expected.sample);
    const quantiles = [box.min, box.q1, box.median, box.q3, box.max];
    quantiles.forEach((quantile, at) => expectNear(quantile, expected.quantiles[at], 0));
    expect(box.whiskers).toEqual(expected.whiskers);
    expect([...box.outliers]).toEqual(expected.outliers);
    expectNear(box.variance, expected.variance, 0);
    // Of a billion and a bit, R itself keeps eight digits of the deviations.
    expectNear(box.skewness, expected.skewness);
    expectNear(box.kurtosis, expected.kurtosis);
  });

  it("is the same bit for bit in any order, with or without runs that have no value", () => {
    fc.assert(
      fc.property(inTwoOrders, ([values, others]) => {
        expect(boxPlot(others)).toEqual(boxPlot(values));
        expect(boxPlot([NaN, ...others, Infinity, -Infinity])).toEqual(boxPlot(values));
      }),
    );
  });

  it("moves and grows with its values, its shape does not", () => {
    const whole = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(
        whole,
        fc.integer({ min: -1000, max: 1000 }),
        fc.integer({ min: 1, max: 64 }),
        (values, shift, factor) => {
          const [before, after] = [of(values), of(values.map((value) => value * factor + shift))];
          for (const key of ["min", "q1", "median", "q3", "max", "mean"] as const)
            expectNear(after[key], before[key] * factor + shift);
          expectNear(after.variance, before.variance * factor ** 2);
          expect(after.outliers).toHaveLength(before.outliers.length);
          for (const key of ["skewness", "kurtosis"] as const)
            expectNear(after[key], Number.isNaN(before[key]) ? null : before[key]);
          const mirrored = of(values.map((value) => -value));
          expectNear(mirrored.skewness, Number.isNaN(before.skewness) ? null : -before.skewness);
        },
      ),
    );
  });

  it("has the same outliers in any unit, also where a value is as far as whiskers reach", () => {
    expect([...of([1, 2, 0, 1]).whiskers]).toEqual([0, 2]);
    expect([...of([0.1, 0.2, 0, 0.1]).whiskers]).toEqual([0, 0.2]);
    const few = fc.array(fc.constantFrom(0, 1, 2, 3, 4, 6, 9), { minLength: 3, maxLength: 15 });
    fc.assert(
      fc.property(few, fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (values, unit) => {
        expect(of(values.map((value) => value * unit)).outliers).toHaveLength(of(values).outliers.length);
      }),
      { numRuns: casesOf(2000) },
    );
  });

  it("has all values within its whiskers or among its outliers", () => {
    fc.assert(
      fc.property(fc.array(measured, { minLength: 1 }), (values) => {
        const { min, q1, median, q3, max, whiskers, outliers } = of(values);
        const rising = [min, whiskers[0], q1, median, q3, whiskers[1], max];
        // Between two values a quartile may lie beyond the furthest value within reach.
        for (const [low, high] of [
          [min, q1],
          [q1, median],
          [median, q3],
          [q3, max],
          [whiskers[0], whiskers[1]],
        ])
          // prettier-ignore
          expect(low).toBeLessThanOrEqual(high);
        expect(rising.every(Number.isFinite)).toBe(true);
        const inside = values.filter((value) => value >= whiskers[0] && value <= whiskers[1]);
        expect(inside.length + outliers.length).toBe(values.length);
      }),
    );
  });

  it("has small values beyond its whiskers however large another one is", () => {
    expect([...of([1e-6, 1.1e-6, 1.2e-6, 1.3e-6, 3e-6, 1e9]).outliers]).toEqual([1e9]);
    expect([...of([1e-6, 1.1e-6, 1.1e-6, 1.1e-6, 1.2e-6, 1.2e-6, 1.3e-6, 3e-6, 1e9]).outliers]).toEqual([3e-6, 1e9]);
  });

  it("has the imbalance max / mean where the mean is positive and there is more than one value", () => {
    expect(of([1, 2, 3]).imbalance).toBe(1.5);
    expect(of([5]).imbalance).toBeNaN();
    expect(of([-1, 1]).imbalance).toBeNaN();
    expect(of([-3, 1]).imbalance).toBeNaN();
    for (const values of [[1, 2, 3], [NaN, 4, 1, NaN, 7], [5], [-1, 1], [-3, 1], [], [NaN]])
      expect(imbalanceOf(Float64Array.from(values))).toBe(boxPlot(values)?.imbalance ?? NaN);
  });

  it("has no shape where values differ by rounding only, and holds at the ends of what numbers can be", () => {
    expect(of([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1, 0.6])).toMatchObject({ skewness: NaN, kurtosis: NaN, variance: 0 });
    expect(of([1e300, 2e300, 4e300]).skewness).toBeCloseTo(of([1, 2, 4]).skewness, 12);
    expect(boxPlot([])).toBeUndefined();
    expect(boxPlot([NaN])).toBeUndefined();
  });
});
