import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changePoints } from "../../../../src/analysis/ensembles/changePoints";
import { casesOf } from "../../randomCases";
import cases from "./fixtures/changePoints.json";
import { normalNumbers } from "./randomRuns";

/** Every value may begin a segment. */
const of = (values: readonly number[]) =>
  changePoints(Float64Array.from(values), new Uint8Array(values.length).fill(1));

/** Where Q̂ (the paper's equation 5) is largest over all τ and κ, every mean of distances summed up anew; all places but for rounding. */
function partedByHand(values: readonly number[]): number[] {
  const mean = (all: readonly number[]) => all.reduce((a, b) => a + b, 0) / all.length;
  const within = (some: readonly number[]) =>
    mean(some.flatMap((one, at) => some.slice(at + 1).map((other) => Math.abs(one - other))));
  const q = (left: readonly number[], right: readonly number[]) => {
    const between = mean(left.flatMap((one) => right.map((other) => Math.abs(one - other))));
    const pairs = (left.length * right.length) / (left.length + right.length);
    return pairs * (2 * between - within(left) - within(right));
  };
  const found: { at: number; q: number }[] = [];
  for (let at = 3; at + 3 <= values.length; at++)
    for (let end = at + 3; end <= values.length; end++)
      found.push({ at, q: q(values.slice(0, at), values.slice(at, end)) });
  const most = Math.max(...found.map((one) => one.q));
  return found.flatMap((one) => (one.q >= most - 1e-9 ? one.at : []));
}

describe("change points by E-Divisive", () => {
  it.each(cases)("are those of a program written after the paper: $found", ({ series, found }) => {
    const expected = [...found].sort((a, b) => a.at - b.at);
    const points = of(series);
    expect(points.map(({ at }) => at)).toEqual(expected.map(({ at }) => at));
    points.forEach(({ p }, index) => expect(Math.abs(p - expected[index].p)).toBeLessThanOrEqual(0.03));
  });

  it("part the whole series first where it differs most, and its parts where they do", () => {
    const series = fc
      .tuple(
        fc.array(fc.tuple(fc.integer({ min: 3, max: 7 }), fc.nat(3)), { minLength: 2, maxLength: 3 }),
        fc.nat(1000),
      )
      .map(([levels, seed]) => {
        const steps = levels.flatMap(([count, level]) => Array<number>(count).fill(2 * level));
        return normalNumbers(steps.length, seed).map((noise, at) => steps[at] + Math.round(noise));
      });
    fc.assert(
      fc.property(series, (values) => {
        const places = of(values).map(({ at }) => at);
        if (places.length === 0) return;
        const first = partedByHand(values).filter((at) => places.includes(at));
        expect(first).not.toEqual([]);
        if (places.length !== 2) return;
        // The other one is the first of the part that it lies in.
        const others = first.map((at) => ({ at, other: places[0] === at ? places[1] : places[0] }));
        const isFirst = ({ at, other }: { at: number; other: number }) =>
          other < at
            ? partedByHand(values.slice(0, at)).includes(other)
            : partedByHand(values.slice(at)).includes(other - at);
        expect(others.some(isFirst)).toBe(true);
      }),
      { numRuns: casesOf(400) },
    );
  });

  it("are none in at most a twentieth of series without a change", () => {
    const trials = 200;
    let wrong = 0;
    for (let trial = 0; trial < trials; trial++) if (of(normalNumbers(18, trial)).length > 0) wrong++;
    expect(wrong).toBeGreaterThan(0);
    // 5 % of 200 are 10, with a standard deviation of 3.
    expect(wrong).toBeLessThanOrEqual(16);
  });

  it("are none where values are equal, also but for rounding, or too few", () => {
    expect(of(Array<number>(20).fill(3))).toEqual([]);
    expect(of(Array.from({ length: 20 }, (_, at) => (at < 10 ? 0.1 + 0.2 + 0.3 : 0.6)))).toEqual([]);
    expect(of([1, 1, 1, 9, 9])).toEqual([]);
    expect(of([])).toEqual([]);
  });

  it("do not depend on units and zero, and leave three values a segment", () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 20 })), { minLength: 1, maxLength: 5 }); // prettier-ignore
    fc.assert(
      fc.property(steps, fc.nat(1000), (given, seed) => {
        const level = given.flatMap(([count, height]) => Array<number>(count).fill(10 * height));
        const series = normalNumbers(level.length, seed).map((value, at) => level[at] + Math.round(8 * value) / 8);
        const places = of(series).map(({ at }) => at);
        expect(of(series.map((value) => value * 256))).toEqual(of(series));
        expect(of(series.map((value) => value + 1024)).map(({ at }) => at)).toEqual(places);
        if (places.length > 0)
          [0, ...places].forEach((at, index) =>
            expect((places[index] ?? series.length) - at).toBeGreaterThanOrEqual(3),
          );
      }),
      { numRuns: 25 },
    );
  });

  it("are only where a segment may end", () => {
    const series = Float64Array.from([1, 1.1, 1.2, 1, 0.9, 1, 1.1, 5, 5.1, 5.2, 5, 4.9, 5, 5.1, 5.2, 5]);
    const isBorder = new Uint8Array(16);
    isBorder[6] = isBorder[12] = 1;
    expect(changePoints(series, new Uint8Array(16).fill(1)).map(({ at }) => at)).toEqual([7]);
    expect(changePoints(series, isBorder).map(({ at }) => at)).toEqual([6]);
    expect(changePoints(series, new Uint8Array(16))).toEqual([]);
  });
});
