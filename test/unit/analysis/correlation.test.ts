import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { correlation } from "../../../src/analysis/correlation";

type Pair = readonly [x: number, y: number];

function of(pairs: readonly Pair[]) {
  return correlation(
    Float64Array.from(pairs, ([x]) => x),
    Float64Array.from(pairs, ([, y]) => y),
  );
}

function lineOf(pairs: readonly Pair[]) {
  const result = of(pairs);
  if (result.kind !== "line") throw new Error(result.kind);
  return result;
}

/** A double as a whole number of 2^-1074, the smallest there is: what is computed of such numbers has no rounding. */
function exact(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const exponent = (raw >> 52n) & 0x7ffn;
  const fraction = raw & ((1n << 52n) - 1n);
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return raw >> 63n === 0n ? size : -size;
}

/** A quotient of whole numbers of any size as a double. */
function quotient(top: bigint, bottom: bigint): number {
  const size = (value: bigint) => (value < 0n ? -value : value).toString(2).length;
  const shift = BigInt(Math.max(0, 80 - (size(top) - size(bottom))));
  const scaled = (top << shift) / bottom;
  const cut = BigInt(Math.max(0, size(scaled) - 80));
  return Number(scaled >> cut) * 2 ** Number(cut - shift);
}

function root(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Pearson's correlation and the least squares as they are defined, in whole numbers. */
function twin(pairs: readonly Pair[]) {
  const n = BigInt(pairs.length);
  const [x, y] = [pairs.map((pair) => exact(pair[0])), pairs.map((pair) => exact(pair[1]))];
  const sum = (values: readonly bigint[]) => values.reduce((a, b) => a + b, 0n);
  const cross = (a: readonly bigint[], b: readonly bigint[]) =>
    n * sum(a.map((value, at) => value * b[at])) - sum(a) * sum(b);
  const [xx, yy, xy] = [cross(x, x), cross(y, y), cross(x, y)];
  return {
    r: quotient(xy, root(xx * yy)),
    slope: quotient(xy, xx),
    // (Σy − slope Σx) / n, in 2^-1074
    intercept: quotient(sum(y) * xx - xy * sum(x), (n * xx) << 1074n),
  };
}

const value = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.double({ min: 1e9, max: 1e9 + 1, noNaN: true }),
);
const pairs = fc.array(fc.tuple(value, value), { minLength: 3, maxLength: 40 });
/** Below it numbers lose digits: half of a spread may be zero. */
const SMALLEST = 1e-300;
/** With spreads that are no rounding. */
const spread = pairs.filter((points) => {
  const isSpread = (values: readonly number[]) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return most - least > Math.max(SMALLEST, 1e-6 * Math.max(Math.abs(least), Math.abs(most)));
  };
  return isSpread(points.map(([x]) => x)) && isSpread(points.map(([, y]) => y));
});

describe("the correlation of pairs", () => {
  it("is what its definition gives in numbers without rounding", () => {
    fc.assert(
      fc.property(spread, (points) => {
        const { r, slope, intercept } = lineOf(points);
        const expected = twin(points);
        expect(r).toBeCloseTo(expected.r, 7);
        const steepest = range(points, 1) / range(points, 0);
        expect(Math.abs(slope - expected.slope)).toBeLessThanOrEqual(1e-7 * steepest);
        const farthest = Math.max(...points.map(([x]) => Math.abs(x)));
        const largest = Math.max(...points.map(([, y]) => Math.abs(y)));
        expect(Math.abs(intercept - expected.intercept)).toBeLessThanOrEqual(1e-7 * (steepest * farthest + largest));
      }),
      { numRuns: 300 },
    );
  });

  it("takes values that differ by less than numbers can be halved for equal", () => {
    const points: Pair[] = [
      [1e9, 0],
      [1e9 + 1, 0],
      [0, -5e-324],
    ];
    expect(of(points)).toMatchObject({ kind: "constant", constant: "y" });
  });

  it("loses nothing where values are large and differ by little", () => {
    // 1,000,000,000 and its successors by quarters: sums of squares would lose all of it.
    const points: Pair[] = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => [1e9 + at / 4, 1e9 + ((at * 5) % 8) / 4]);
    const moved: Pair[] = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => [at, (at * 5) % 8]);
    expect(lineOf(points).r).toBeCloseTo(twin(moved).r, 12);
    expect(lineOf(points).slope).toBeCloseTo(twin(moved).slope, 12);
  });

  it("lies between -1 and 1, and has the sign of the slope", () => {
    fc.assert(
      fc.property(spread, (points) => {
        const { r, slope } = lineOf(points);
        expect(Math.abs(r)).toBeLessThanOrEqual(1);
        if (Math.abs(r) > 1e-9) expect(Math.sign(slope)).toBe(Math.sign(r));
      }),
    );
  });

  it("does not depend on the order of the points, on which value is which, on zero, or on units but for their sign", () => {
    const scale = fc.constantFrom(-1000, -2, -0.125, 0.5, 3, 1e6);
    fc.assert(
      fc.property(
        spread,
        fc.infiniteStream(fc.nat()),
        scale,
        scale,
        fc.integer({ min: -1e6, max: 1e6 }),
        (...drawn) => {
          const [points, keys, factorX, factorY, shift] = drawn;
          const { r } = lineOf(points);
          const keyed = points.map((point) => ({ point, key: keys.next().value as number }));
          keyed.sort((a, b) => a.key - b.key);
          expect(lineOf(keyed.map(({ point }) => point)).r).toBeCloseTo(r, 7);
          expect(lineOf(points.map(([x, y]): Pair => [y, x])).r).toBeCloseTo(r, 12);
          const scaled = points.map(([x, y]): Pair => [x * factorX, y * factorY]);
          expect(lineOf(scaled).r).toBeCloseTo(Math.sign(factorX * factorY) * r, 7);
          const whole = points.map(([x, y]): Pair => [Math.round(x), Math.round(y)]);
          const moved = whole.map(([x, y]): Pair => [x + shift, y - shift]);
          const [before, after] = [of(whole), of(moved)];
          expect(after.kind).toBe(before.kind);
          if (before.kind === "line" && after.kind === "line") expect(after.r).toBeCloseTo(before.r, 7);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("is 1 or -1 on a line, which it finds", () => {
    const whole = fc.integer({ min: -1000, max: 1000 });
    const slopes = fc.integer({ min: -50, max: 50 }).filter((slope) => slope !== 0);
    fc.assert(
      fc.property(fc.uniqueArray(whole, { minLength: 3, maxLength: 30 }), slopes, whole, (xs, slope, intercept) => {
        const line = lineOf(xs.map((x): Pair => [x, slope * x + intercept]));
        expect(line.r).toBeCloseTo(Math.sign(slope), 12);
        expect(line.slope).toBeCloseTo(slope, 9);
        expect(line.intercept).toBeCloseTo(intercept, 6);
      }),
    );
  });

  it("has no line through values that are all equal, and says which", () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 3, max: 20 }), (constant, count) => {
        const rising = Array.from({ length: count }, (_, at) => at);
        const kind = "constant";
        expect(of(rising.map((x) => [x, constant]))).toEqual({ kind, constant: "y", points: count, leftOut: 0 });
        expect(of(rising.map((y) => [constant, y]))).toEqual({ kind, constant: "x", points: count, leftOut: 0 });
        expect(of(rising.map(() => [constant, constant]))).toEqual({
          kind,
          constant: "both",
          points: count,
          leftOut: 0,
        });
      }),
    );
    // The same sum in another order: 0.6000000000000001 and 0.6.
    const [left, right] = [0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1];
    expect(left).not.toBe(right);
    const sums = [left, right, left, right].map((y, x): Pair => [x, y]);
    expect(of(sums)).toMatchObject({ kind: "constant", constant: "y" });
  });

  it("needs three points", () => {
    for (const count of [0, 1, 2])
      expect(of(Array.from({ length: count }, (_, at): Pair => [at, at]))).toEqual({
        kind: "too-few",
        points: count,
        leftOut: 0,
      });
  });

  it("leaves out what is not finite, and counts it", () => {
    const sound: Pair[] = [
      [1, 2],
      [2, 1],
      [3, 5],
    ];
    const broken: Pair[] = [[NaN, 1], ...sound, [1, Infinity], [-Infinity, NaN]];
    expect(of(broken)).toEqual({ ...of(sound), leftOut: 3 });
  });

  it("holds at the ends of what numbers can be", () => {
    const huge = Number.MAX_VALUE;
    const widest = lineOf([-1, 0, 1].map((part): Pair => [part * huge, part * huge]));
    expect(widest.r).toBeCloseTo(1, 12);
    expect(widest).toMatchObject({ slope: 1, intercept: 0 });
    expect(lineOf([4, 8, 12].map((x): Pair => [x * Number.MIN_VALUE, x])).r).toBeCloseTo(1, 12);
  });
});

function range(points: readonly Pair[], axis: 0 | 1): number {
  const values = points.map((point) => point[axis]);
  return Math.max(...values) - Math.min(...values);
}
