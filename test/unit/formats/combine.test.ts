import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Combine, SparseBuilder } from "../../../src/model/values";
import { naiveSum } from "./caliper/naiveCali";

const identity = Int32Array.from({ length: 4 }, (_, at) => at);

function built(builder: SparseBuilder, divisor = 1, factor = 1): number[] {
  return [...builder.build(4, identity, identity, divisor, factor).value];
}

function oneCell(values: readonly number[], combine: Combine = "sum"): SparseBuilder {
  const builder = new SparseBuilder(combine);
  for (const value of values) builder.add(0, 0, value);
  return builder;
}

const any = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, min: -1e20, max: 1e20 }),
  fc.constantFrom(2 ** 53, -(2 ** 53), 2 ** 53 - 1, 1e16, Number.NaN, Infinity, -Infinity, 0.1),
);

describe("values of one cell", () => {
  it("sum up exactly as far as they are whole numbers, beyond 2^53 too", () => {
    const large = 2 ** 53 - 1;
    expect(built(oneCell([large, large, large, 1, 1, 1]))).toEqual([3 * 2 ** 53]);
    // Found by the next property: a sum of 2^53 + 1 looks like 2^53.
    expect(built(oneCell([1668403798, large, -1668403799, -large]))).toEqual([-1]);
    // Values from 2^53 on are not exact themselves: whatever the order, they are added after all others.
    expect(built(oneCell([1, 1e16, 0.1, -(2 ** 53)]))).toEqual(built(oneCell([-(2 ** 53), 0.1, 1e16, 1])));
    expect(built(oneCell([-large, -large, large, large, -5]))).toEqual([-5]);
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 40 }), (values) => {
        const exact = values.reduce((sum, value) => sum + BigInt(value), 0n);
        expect(built(oneCell(values))).toEqual([Number(exact)]);
      }),
    );
  });

  it("are the same bit for bit in any order, and in parts that are joined", () => {
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 20 }), fc.nat(20), (values, cut) => {
        const whole = built(oneCell(values));
        expect(built(oneCell([...values].reverse()))).toEqual(whole);
        for (const parts of [
          [values.slice(0, cut), values.slice(cut)],
          [values.slice(cut), values.slice(0, cut)],
        ]) {
          const joined = new SparseBuilder();
          const absorbed = new SparseBuilder();
          for (const part of parts.map((values) => oneCell(values))) {
            joined.addAll(part, identity, identity);
            absorbed.absorb(part, identity, identity);
            expect(part.size).toBe(0);
            // It can be filled again.
            part.add(1, 2, 3);
            expect(built(part)).toEqual([3]);
          }
          expect(built(joined)).toEqual(whole);
          expect(built(absorbed)).toEqual(whole);
        }
      }),
    );
  });

  it("that are not finite count only where there is nothing else", () => {
    expect(built(oneCell([Number.NaN, 2, Infinity, 0.5]))).toEqual([2.5]);
    expect(built(oneCell([0, Number.NaN]))).toEqual([0]);
    expect(built(oneCell([-Infinity]))).toEqual([-Infinity]);
    expect(built(oneCell([Infinity, -Infinity]))).toEqual([Number.NaN]);
    expect(naiveSum([Number.NaN, 2, Infinity, 0.5])).toBe(2.5);
  });

  it("give the least or the largest where they are extremes", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (values) => {
        const plain = values.map((value) => value + 0); // no negative zero
        expect(built(oneCell([...plain, Number.NaN], "minimum"))).toEqual([Math.min(...plain)]);
        expect(built(oneCell([...plain, Number.NaN], "maximum"))).toEqual([Math.max(...plain)]);
      }),
    );
  });

  it("are divided or multiplied once, after summing", () => {
    expect(built(oneCell([1, 2]), 1e9)).toEqual([3e-9]);
    expect(built(oneCell([1.5, 2]), 1, 1e6)).toEqual([3.5e6]);
    expect(oneCell([1.5, 2, Number.NaN]).total()).toBe(3.5);
  });
});
