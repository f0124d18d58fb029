import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outlyingRuns } from "../../../../src/analysis/ensembles/outlyingRuns";
import { inTwoOrders, normalNumbers } from "./randomRuns";

const of = (...values: number[]) => outlyingRuns(Float64Array.from(values));

describe("outlying runs", () => {
  it("are further than 3 median absolute deviations, each 1.4826 times as long, from the median", () => {
    // Distances from 10: 0, 1, 1, 2, 5; their median is 1.
    const found = of(10, 11, 9, 12, 15, NaN);
    expect(found.median).toBe(11);
    // Distances from 11: 1, 0, 2, 1, 4.
    expect(found.deviation).toBeCloseTo(1.4826, 12);
    expect([...found.deviations].map((value) => Math.round(value * 1e4) / 1e4)).toEqual([-0.6745, 0, -1.349, 0.6745, 2.698, NaN]); // prettier-ignore
    expect([...of(10, 11, 9, 12, 15.5, NaN).isOutlying]).toEqual([0, 0, 0, 0, 1, 0]);
    expect([...of(10, 11, 9, 12, 15.4, NaN).isOutlying]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("are all others where more than half have one value, unless they differ by rounding", () => {
    expect(of(7, 7, 7, 8, 6)).toEqual({
      median: 7,
      deviation: 0,
      deviations: Float64Array.of(0, 0, 0, Infinity, -Infinity),
      isOutlying: Uint8Array.of(0, 0, 0, 1, 1),
    });
    expect([...of(0.6, 0.6, 0.6, 0.1 + 0.2 + 0.3).isOutlying]).toEqual([0, 0, 0, 0]);
    expect(of(NaN)).toEqual({ median: NaN, deviation: NaN, deviations: Float64Array.of(NaN), isOutlying: Uint8Array.of(0) }); // prettier-ignore
  });

  it("are few among runs of one kind, and do not depend on order and unit", () => {
    const found = outlyingRuns(Float64Array.from(normalNumbers(10_000, 4)));
    expect(found.deviation).toBeCloseTo(1, 1);
    const count = found.isOutlying.reduce((sum, value) => sum + value, 0);
    // 27 of 10,000 lie beyond three standard deviations.
    expect(count).toBeLessThanOrEqual(45);
    fc.assert(
      fc.property(inTwoOrders, ([values, others]) => {
        const [before, after] = [of(...values), of(...others)];
        expect([after.median, after.deviation]).toEqual([before.median, before.deviation]);
        expect(of(...values.map((value) => value * -4)).isOutlying).toEqual(before.isOutlying);
      }),
    );
  });
});
