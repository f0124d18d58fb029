import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { performanceModel, predicted } from "../../../../src/analysis/ensembles/performanceModel";
import { casesOf } from "../../randomCases";
import cases from "./fixtures/performanceModel.json";
import { shuffled } from "./randomRuns";

function of(n: readonly number[], times: readonly number[]) {
  const model = performanceModel(Float64Array.from(n), Float64Array.from(times));
  if (model === undefined) throw new Error("too few points");
  return model;
}

/** Exponents of n and of log2(n) as Extra-P's source lists them (extrap/modelers/single_parameter/basic.py), and none: a constant. */
const EXTRA_P =
  `0,1,1 0,1,2 1,4,0 1,3,0 1,4,1 1,3,1 1,4,2 1,3,2 1,2,0 1,2,1 1,2,2 2,3,0 3,4,0 2,3,1 3,4,1 4,5,0 2,3,2 3,4,2 1,1,0 1,1,1 1,1,2
  5,4,0 5,4,1 4,3,0 4,3,1 3,2,0 3,2,1 3,2,2 5,3,0 7,4,0 2,1,0 2,1,1 2,1,2 9,4,0 7,3,0 5,2,0 5,2,1 5,2,2 8,3,0 11,4,0 3,1,0 3,1,1 0,1,0`
    .split(/\s+/)
    .map((one) => one.split(",").map(Number))
    .map(([over, under, d]) => ({ c: over / under, d }));

/** Mean SMAPE, in percent, of each time said by a line through the others (Cramer's rule). */
function crossValidatedByHand(
  n: readonly number[],
  times: readonly number[],
  { c, d }: { c: number; d: number },
): number {
  const terms = n.map((value) => value ** c * Math.log2(value) ** d);
  const errors = times.map((time, at) => {
    const others = [...n.keys()].filter((one) => one !== at);
    const sum = (of: (one: number) => number) => others.reduce((total, one) => total + of(one), 0);
    const [x, y, xx, xy] = [sum((one) => terms[one]), sum((one) => times[one]), sum((one) => terms[one] ** 2), sum((one) => terms[one] * times[one])]; // prettier-ignore
    const determinant = others.length * xx - x * x;
    const said =
      c === 0 && d === 0
        ? y / others.length
        : (xx * y - x * xy + (others.length * xy - x * y) * terms[at]) / determinant;
    return (200 * Math.abs(said - time)) / (Math.abs(said) + Math.abs(time));
  });
  return errors.reduce((a, b) => a + b) / errors.length;
}

describe("a performance model", () => {
  it.each(cases)("is that of numpy's least squares and cross-validation: n^$c log2(n)^$d", (expected) => {
    const model = of(expected.n, expected.times);
    for (const key of ["c", "d"] as const) expect(model[key]).toBeCloseTo(expected[key], 12);
    for (const key of ["a", "b", "error", "crossValidated"] as const) expect(model[key]).toBeCloseTo(expected[key], 8);
  });

  it("is the one of Extra-P's terms, or a constant, that says times best which it was not fitted to", () => {
    const n = fc.constantFrom([1, 2, 4, 8, 16], [2, 3, 5, 8, 13, 21], [1, 8, 27, 64, 125, 216], [10, 20, 30, 40, 50]);
    const given = n.chain(
      (values) =>
      fc.tuple(fc.constant(values), fc.constantFrom(...EXTRA_P), fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: values.length, maxLength: values.length })), // prettier-ignore
    );
    fc.assert(
      fc.property(given, ([values, { c, d }, noise]) => {
        const times = values.map((value, at) => noise[at] * (1 + value ** c * Math.log2(value) ** d));
        const all = EXTRA_P.map((one) => crossValidatedByHand(values, times, one));
        const least = Math.min(...all);
        const found = of(values, times);
        const chosen = EXTRA_P.findIndex((one) => one.c === found.c && one.d === found.d);
        expect(Math.abs(found.crossValidated - least)).toBeLessThan(1e-6);
        expect(Math.abs(all[chosen] - least)).toBeLessThan(1e-6);
      }),
      { numRuns: casesOf(1000) },
    );
  });

  it("finds the law of times without noise", () => {
    const terms = fc.constantFrom([1, 0], [0, 1], [2, 0], [0.5, 1], [1 / 3, 2], [1.5, 2], [2.75, 0], [3, 1], [0.8, 0]);
    const amount = fc.double({ min: 0.1, max: 10, noNaN: true });
    fc.assert(
      fc.property(terms, amount, amount, ([c, d], a, b) => {
        const n = [1, 2, 4, 8, 16, 32, 64];
        const model = of(n, n.map((value) => predicted({ a, b, c, d }, value))); // prettier-ignore
        expect(model).toMatchObject({ c, d });
        expect(model.a / a).toBeCloseTo(1, 6);
        expect(model.b / b).toBeCloseTo(1, 6);
        expect(model.error).toBeLessThan(1e-6);
      }),
      { numRuns: 40 },
    );
  });

  it("has no error where times are its own, one of them 0, in any unit", () => {
    // As of messages, of which one rank has none: s (n^c - 1).
    const powers = fc.constantFrom(1, 2, 0.5, 1 / 3, 1.5);
    const values = fc.constantFrom([1, 2, 4, 8, 16], [1, 8, 27, 64, 125], [1, 2, 4, 8, 16, 32, 64]);
    fc.assert(
      fc.property(powers, values, fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (c, n, unit) => {
        const model = of(n, n.map((value) => unit * (value ** c - 1))); // prettier-ignore
        expect(model).toMatchObject({ c, d: 0 });
        expect(model.error).toBeLessThan(1e-6);
        expect(model.crossValidated).toBeLessThan(1e-6);
      }),
      { numRuns: 40 },
    );
  });

  it("takes the mean over repeats, the same bit for bit in any order of runs, and times in any unit", () => {
    const runs = fc.array(fc.tuple(fc.constantFrom(1, 2, 4, 8, 16, 32), fc.double({ min: 1, max: 9, noNaN: true })), { maxLength: 25 }); // prettier-ignore
    fc.assert(
      fc.property(
        runs.chain((given) => fc.tuple(fc.constant(given), shuffled(given))),
        ([given, others]) => {
          const model = (pairs: typeof given, factor = 1) =>
          performanceModel(Float64Array.from(pairs, ([n]) => n), Float64Array.from(pairs, ([, time]) => factor * time)); // prettier-ignore
          expect(model(others)).toEqual(model(given));
          const [before, after] = [model(given), model(given, 1024)];
          expect(after).toEqual(before && { ...before, a: 1024 * before.a, b: 1024 * before.b });
        },
      ),
      { numRuns: 30 },
    );
  });

  it("is constant where times are, and none with fewer than five different n", () => {
    expect(of([1, 2, 4, 8, 16], [3, 3, 3, 3, 3])).toEqual({ a: 3, b: 0, c: 0, d: 0, error: 0, crossValidated: 0 });
    expect(of([1, 2, 4, 8, 16], [0, 0, 0, 0, 0])).toMatchObject({ a: 0, b: 0, error: 0 });
    expect(performanceModel(Float64Array.of(1, 2, 4, 8, 8, 8), Float64Array.of(1, 2, 3, 4, 5, 6))).toBeUndefined();
    expect(performanceModel(Float64Array.of(1, 2, 4, 8, 16), Float64Array.of(1, 2, NaN, 4, 5))).toBeUndefined();
    expect(performanceModel(Float64Array.of(0, 1, 2, 4, 8), Float64Array.of(1, 2, 3, 4, 5))).toBeUndefined();
  });
});
