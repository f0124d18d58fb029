import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { significance, SIGNIFICANT } from "../../../../src/analysis/ensembles/significance";
import { significanceText } from "../../../../src/model/differences";
import cases from "./fixtures/significance.json";
import { casesOf } from "../../randomCases";
import { normalNumbers, shuffled } from "./randomRuns";

/** One column per run. @param functions each with one value per run */
function runsOf(functions: readonly (readonly number[])[]): Float64Array[] {
  return functions[0].map((_, run) => Float64Array.from(functions, (values) => values[run]));
}

function test(functions: readonly (readonly number[])[], baseline: number) {
  const runs = runsOf(functions);
  const found = significance(runs.slice(0, baseline), runs.slice(baseline));
  if (found === undefined) throw new Error("too few runs");
  return found;
}

/** Shares of all divisions in which some function's statistic is at least each one's own, in whole numbers. */
function countedP(functions: readonly (readonly number[])[], baseline: number): number[] {
  const runs = functions[0].length;
  /** Squared, but for a factor that all have: (difference of means)² by variance, as numerator and denominator. */
  const statistic = (values: readonly number[], isBaseline: (run: number) => boolean) => {
    const sum = (some: readonly number[]) => some.reduce((a, b) => a + b, 0);
    const apart = runs * sum(values.filter((_, run) => isBaseline(run))) - baseline * sum(values);
    const variance = runs * sum(values.map((value) => value ** 2)) - sum(values) ** 2;
    return variance === 0 ? ([0n, 1n] as const) : ([BigInt(apart) ** 2n, BigInt(variance)] as const);
  };
  type Fraction = ReturnType<typeof statistic>;
  const isAtLeast = ([a, b]: Fraction, [c, d]: Fraction) => a * d >= c * b;
  const bits = (side: number) => [...side.toString(2)].filter((bit) => bit === "1").length;
  const sides = [...Array(2 ** runs).keys()].filter((side) => bits(side) === baseline);
  const all = sides.map((side) => functions.map((values) => statistic(values, (run) => (side & (1 << run)) !== 0)));
  return functions.map((values) => {
    const own = statistic(values, (run) => run < baseline);
    return all.filter((some) => some.some((one) => isAtLeast(one, own))).length / all.length;
  });
}

/** Candidate runs above the median of the baseline's, in whole numbers. */
function countedAbove(values: readonly number[], baseline: number): number {
  const sorted = values.slice(0, baseline).sort((a, b) => a - b);
  const twice = sorted[Math.floor((baseline - 1) / 2)] + sorted[Math.floor(baseline / 2)];
  return values.slice(baseline).filter((value) => 2 * value > twice).length;
}

/** Three functions in five against five runs. */
const fiveByFive = fc.array(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 10, maxLength: 10 }), {
  minLength: 3,
  maxLength: 3,
});

describe("significance between two sets of runs", () => {
  it.each(cases)(
    "has the p values of a count in fractions: $baseline against $candidate, $functions.length",
    (given) => {
      const found = test(given.functions, given.baseline);
      // Of 8 against 8 there are 12,870 divisions, of which 9,999 are drawn: three standard deviations of a share are 0.015.
      const within = found.isExact ? 1e-15 : 0.015;
      expect(found.isExact).toBe(given.baseline < 8);
      found.p.forEach((p, at) => expect(Math.abs(p - given.p[at])).toBeLessThanOrEqual(within));
    },
  );

  it("has the p values of all divisions counted in whole numbers, which are often as large as each other", () => {
    const sizes = fc.tuple(fc.integer({ min: 4, max: 5 }), fc.integer({ min: 4, max: 5 }));
    const given = sizes.chain(([before, after]) => {
      const values = fc.array(fc.integer({ min: -2, max: 6 }), {
        minLength: before + after,
        maxLength: before + after,
      });
      return fc.tuple(fc.constant(before), fc.array(values, { minLength: 1, maxLength: 4 }));
    });
    fc.assert(
      fc.property(given, fc.double({ min: 1e-9, max: 1e9, noNaN: true }), ([before, functions], unit) => {
        const { p, slowerIn } = test(functions, before);
        expect([...p]).toEqual(countedP(functions, before));
        expect([...slowerIn]).toEqual(functions.map((values) => countedAbove(values, before)));
        expect(test(functions.map((values) => values.map((value) => value * unit)), before)).toMatchObject({ p, slowerIn }); // prettier-ignore
      }),
      { numRuns: casesOf(600) },
    );
  });

  it("says nothing with fewer than four runs on a side", () => {
    const runs = runsOf([[1, 2, 3, 10, 11, 12, 13]]);
    expect(significance(runs.slice(0, 3), runs.slice(3))).toBeUndefined();
    expect(significance(runs.slice(3), runs.slice(0, 3))).toBeUndefined();
  });

  it("does not depend on the order of runs and functions, on units, or on which side is which", () => {
    fc.assert(
      fc.property(
        fiveByFive.chain((functions) =>
          fc.tuple(fc.constant(functions), shuffled([0, 1, 2, 3, 4]), shuffled([0, 1, 2])),
        ),
        ([functions, runs, order]) => {
          const { p, slowerIn } = test(functions, 5);
          const moved = functions.map((values) => [...runs, 5, 6, 7, 8, 9].map((run) => values[run]));
          expect(test(moved, 5).p).toEqual(p);
          const reordered = test(order.map((at) => functions[at]), 5); // prettier-ignore
          expect([...reordered.p]).toEqual(order.map((at) => p[at]));
          expect([...reordered.slowerIn]).toEqual(order.map((at) => slowerIn[at]));
          expect(test(functions.map((values) => [...values.slice(5), ...values.slice(0, 5)]), 5).p).toEqual(p); // prettier-ignore
          expect(test(functions.map((values, at) => values.map((value) => value * (at + 1) * 0.7 + at)), 5).p).toEqual(p); // prettier-ignore
        },
      ),
      { numRuns: 30 },
    );
  });

  it("gets no smaller p where more functions are compared", () => {
    fc.assert(
      fc.property(fiveByFive, (functions) => {
        const all = test(functions, 5).p;
        functions.forEach((values, at) => expect(all[at]).toBeGreaterThanOrEqual(test([values], 5).p[0]));
      }),
      { numRuns: 30 },
    );
  });

  it("calls something significant in at most a twentieth of comparisons of one build with itself", () => {
    const trials = 400;
    let wrong = 0;
    for (let trial = 0; trial < trials; trial++) {
      const numbers = normalNumbers(10 * 10, trial);
      // Functions of one run go up and down together, as they do where a machine is busy.
      const functions = Array.from({ length: 10 }, (_, at) =>
        Array.from({ length: 10 }, (_, run) => 5 + numbers[run] + 0.5 * numbers[at * 10 + run]),
      );
      if (test(functions, 5).p.some((p) => p <= SIGNIFICANT)) wrong++;
    }
    expect(wrong / trials).toBeLessThanOrEqual(SIGNIFICANT);
    expect(wrong).toBeGreaterThan(0);
  });

  it("finds one function that got slower in every run among many that did not", () => {
    const functions = Array.from({ length: 50 }, (_, at) => normalNumbers(10, at + 100).map((value) => 100 + value));
    functions[7] = functions[7].map((value, run) => value + (run < 5 ? 0 : 50));
    const { p, slowerIn, of } = test(functions, 5);
    expect([...p].flatMap((value, at) => (value <= SIGNIFICANT ? [at] : []))).toEqual([7]);
    // The given division and its mirror image of 252.
    expect(p[7]).toBeCloseTo(2 / 252, 12);
    expect(significanceText(slowerIn[7], of, p[7])).toBe("slower in 5 of 5 runs, p = 0.008");
  });

  it("takes a function that a run lacks for 0, and equal values for no difference", () => {
    const lacking = test([[NaN, NaN, NaN, NaN, 1, 1.1, 0.9, 1]], 4);
    expect(lacking.p).toEqual(test([[0, 0, 0, 0, 1, 1.1, 0.9, 1]], 4).p);
    expect(lacking.slowerIn[0]).toBe(4);
    // 0.6 summed up in two orders.
    const rounded = test([[0.6, 0.6, 0.6, 0.6, 0.1 + 0.2 + 0.3, 0.6000000000000001, 0.6000000000000001, 0.6000000000000001]], 4); // prettier-ignore
    expect([...rounded.p]).toEqual([1]);
  });

  it("says the same of the smallest and the largest numbers, which change no other function's p", () => {
    const functions = [[1, 2, 1, 3, 7, 6, 7, 9], [4, 1, 3, 2, 4, 4, 2, 3], [5, 5, 5, 5, 5, 5, 5, 5]]; // prettier-ignore
    const { p } = test(functions, 4);
    for (const factor of [2 ** -600, 2 ** -1000, 2 ** 600, 2 ** 1000])
      for (const at of functions.keys())
        expect(test(functions.map((values, other) => values.map((value) => value * (other === at ? factor : 1))), 4).p).toEqual(p); // prettier-ignore
  });

  it("draws the same divisions each time, the given one among them", () => {
    const values = Array.from({ length: 24 }, (_, run) => (run < 12 ? run : 100 + run));
    const [first, second] = [test([values], 12), test([values], 12)];
    expect(first).toEqual(second);
    expect(first.isExact).toBe(false);
    expect(first.p[0]).toBe(1 / 10_000);
    expect(significanceText(12, 12, first.p[0])).toBe("slower in 12 of 12 runs, p < 0.001");
  });
});
