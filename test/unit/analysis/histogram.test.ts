import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { histogram } from "../../../src/analysis/histogram";
import { NONE } from "../../../src/model/ids";

const bins = fc.integer({ min: 1, max: 200 });
/** Anything that a column may hold, with ties, and with neighbours that hardly differ. */
const value = fc.oneof(
  fc.double(),
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(NaN, Infinity, -Infinity, 0, -0, 1, 1 + Number.EPSILON, Number.MIN_VALUE, Number.MAX_VALUE),
);
const values = fc.array(value, { maxLength: 60 }).map((list) => Float64Array.from(list));

describe("a histogram", () => {
  it("counts every finite value once, in the bin that holds it", () => {
    fc.assert(
      fc.property(values, bins, (input, wanted) => {
        const { edges, counts, binOf, leftOut } = histogram(input, wanted);
        const finite = input.filter(Number.isFinite);
        expect(counts.reduce((sum, count) => sum + count, 0) + leftOut).toBe(input.length);
        expect(leftOut).toBe(input.length - finite.length);
        if (finite.length === 0) {
          expect([edges.length, counts.length]).toEqual([0, 0]);
          return;
        }
        // Edges ascend from the very minimum to the very maximum.
        expect(edges[0] === Math.min(...finite) && edges[counts.length] === Math.max(...finite)).toBe(true);
        for (let at = 1; at < edges.length; at++) expect(edges[at]).toBeGreaterThanOrEqual(edges[at - 1]);
        const last = counts.length - 1;
        const holds = (bin: number, one: number) =>
          one >= edges[bin] && (one < edges[bin + 1] || (bin === last && one === edges[bin + 1]));
        const twin = new Int32Array(counts.length);
        input.forEach((one, at) => {
          const found = [...counts.keys()].filter((bin) => holds(bin, one));
          expect(found).toEqual(Number.isFinite(one) ? [binOf[at]] : []);
          if (!Number.isFinite(one)) expect(binOf[at]).toBe(NONE);
          else twin[found[0]]++;
        });
        expect(counts).toEqual(twin);
      }),
    );
  });

  it("does not depend on the order of values", () => {
    const shuffled = values.chain((input) =>
      fc.shuffledSubarray([...input.keys()], { minLength: input.length }).map((order) => ({ input, order })),
    );
    fc.assert(
      fc.property(shuffled, bins, ({ input, order }, wanted) => {
        const straight = histogram(input, wanted);
        const other = histogram(
          Float64Array.from(order, (at) => input[at]),
          wanted,
        );
        expect({ ...other, binOf: undefined }).toEqual({ ...straight, binOf: undefined });
        expect([...other.binOf]).toEqual(order.map((at) => straight.binOf[at]));
      }),
    );
  });

  it("has bins of equal width, and a value on an edge in the upper one", () => {
    const { edges, counts, binOf } = histogram(Float64Array.of(0, 1, 2, 2.5, 4), 4);
    expect([...edges]).toEqual([0, 1, 2, 3, 4]);
    expect([...counts]).toEqual([1, 1, 2, 1]);
    expect([...binOf]).toEqual([0, 1, 2, 2, 3]);
  });

  it("is one bin where all values are equal, and none where there are none", () => {
    const equal = histogram(Float64Array.of(3, NaN, 3), 20);
    expect([...equal.edges]).toEqual([3, 3]);
    expect([...equal.counts]).toEqual([2]);
    expect([...equal.binOf]).toEqual([0, NONE, 0]);
    expect(equal.leftOut).toBe(1);
    expect(histogram(new Float64Array(), 20).counts).toHaveLength(0);
  });
});
