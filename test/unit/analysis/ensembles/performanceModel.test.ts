import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { performanceModel, predicted } from "../../../../src/analysis/ensembles/performanceModel";
import cases from "./fixtures/performanceModel.json";
import { shuffled } from "./randomRuns";

function of(n: readonly number[], times: readonly number[]) {
  const model = performanceModel(Float64Array.from(n), Float64Array.from(times));
  if (model === undefined) throw new Error("too few points");
  return model;
}

describe("a performance model", () => {
  it.each(cases)("is that of numpy's least squares and cross-validation: n^$c log2(n)^$d", (expected) => {
    const model = of(expected.n, expected.times);
    for (const key of ["c", "d"] as const) expect(model[key]).toBeCloseTo(expected[key], 12);
    for (const key of ["a", "b", "error", "crossValidated"] as const) expect(model[key]).toBeCloseTo(expected[key], 8);
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
