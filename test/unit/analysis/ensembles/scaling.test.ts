import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  byLostTime,
  chooseScaling,
  parameterValues,
  scalingCurve,
  scalingReason,
} from "../../../../src/analysis/ensembles/scaling";
import { shuffled } from "./randomRuns";

const ranks = Float64Array.of(8, 1, 2, 1, 8, NaN, 2);
const n = parameterValues(ranks);
const curve = (times: number[], kind: "strong" | "weak") => scalingCurve(ranks, Float64Array.from(times), n, kind);

describe("scaling of a function over a parameter", () => {
  it("has the parameter's values, ascending, each once", () => {
    expect([...n]).toEqual([1, 2, 8]);
  });

  it("compares mean times with n0 / n of the first (strong), or with the first (weak)", () => {
    const times = [3, 7, 5, 9, 1, 100, 3];
    expect(curve(times, "strong")).toEqual({
      time: Float64Array.of(8, 4, 2),
      ideal: Float64Array.of(8, 4, 1),
      efficiency: Float64Array.of(1, 1, 0.5),
      lost: Float64Array.of(0, 0, 1),
    });
    expect(curve(times, "weak")).toEqual({
      time: Float64Array.of(8, 4, 2),
      ideal: Float64Array.of(8, 8, 8),
      efficiency: Float64Array.of(1, 2, 4),
      lost: Float64Array.of(0, -4, -6),
    });
  });

  it("takes repeats that have the function, and has none where no run has it", () => {
    expect([...curve([NaN, 4, 2, NaN, NaN, 1, 6], "weak").time]).toEqual([4, 4, NaN]);
    expect([...curve([NaN, 4, 2, NaN, NaN, 1, 6], "weak").lost]).toEqual([0, 0, NaN]);
  });

  it("says no efficiency of a function that is new, whose whole time is lost", () => {
    for (const first of [NaN, 0]) {
      const { efficiency, lost } = curve([3, first, 1, first, 5, 0, 1], "strong");
      expect([...efficiency]).toEqual([NaN, NaN, NaN]);
      expect([...lost.subarray(1)]).toEqual([1, 4]);
    }
  });

  it("is ideal for ideal programs of either kind, in any order of runs", () => {
    const runs = fc.array(fc.tuple(fc.constantFrom(1, 2, 3, 4, 27), fc.double({ min: 0.5, max: 2, noNaN: true })), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(
        runs.chain((given) => fc.tuple(fc.constant(given), shuffled(given))),
        ([given, others]) => {
          const of = (
            pairs: typeof given,
            kind: "strong" | "weak",
            time = (pair: (typeof given)[number]) => pair[1],
          ) => {
            const parameter = Float64Array.from(pairs, ([ranks]) => ranks);
            return scalingCurve(parameter, Float64Array.from(pairs, time), parameterValues(parameter), kind);
          };
          expect(of(others, "strong")).toEqual(of(given, "strong"));
          expect(of(others, "weak")).toEqual(of(given, "weak"));
          of(given, "strong", ([ranks]) => 12 / ranks).efficiency.forEach((value) => expect(value).toBeCloseTo(1, 12));
          of(given, "weak", () => 12).lost.forEach((value) => expect(value).toBeCloseTo(0, 12));
        },
      ),
    );
  });

  it("sorts functions by lost time at the largest n; those that are not there come last", () => {
    const lost = [[0, 1], [0, 5], [9, NaN], [0, -3], [0, 5]].map((values) => ({ lost: Float64Array.from(values) })); // prettier-ignore
    expect([...byLostTime(lost)]).toEqual([1, 4, 0, 3, 2]);
  });
});

describe("whether scaling is strong or weak", () => {
  const chosen = (...computing: number[]) =>
    chooseScaling(Float64Array.of(1, 1, 8, 8), Float64Array.from(computing), Float64Array.of(1, 8));

  it("shows in computing per rank at the largest n: nearer to the same, or to its share", () => {
    expect(chosen(2, 4, 3, 3)).toEqual({ kind: "weak", from: 1, to: 8, ratio: 1 });
    expect(chosen(3, 3, 0.5, 0.25).kind).toBe("strong");
    // The border is the root of 8, as a ratio.
    expect(chosen(2.82, 2.82, 1, 1).kind).toBe("weak");
    expect(chosen(2.83, 2.83, 1, 1).kind).toBe("strong");
    expect(chosen(1, 1, 40, 40).kind).toBe("weak");
  });

  it("is strong where nothing says otherwise, and says why", () => {
    expect(chosen(NaN, NaN, 3, 3)).toEqual({ kind: "strong", from: 1, to: 8, ratio: NaN });
    expect(chosen(0, 0, 3, 3).kind).toBe("strong");
    expect(scalingReason(chosen(0, 0, 3, 3), "ranks")).toBe(
      "strong: computing per rank at ranks = 1 and 8 is not known",
    );
    expect(scalingReason(chosen(3, 3, 3.0611, 3.0611), "ranks")).toBe(
      "weak: at ranks = 8, computing per rank is 1.02 times that at ranks = 1, nearer to 1 than to 1/8",
    );
    expect(scalingReason(chosen(8, 8, 1, 1), "ranks")).toBe(
      "strong: at ranks = 8, computing per rank is 0.125 times that at ranks = 1, nearer to 1/8 than to 1",
    );
  });
});
