import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SparseBuilder } from "../../../src/model/values";

/** A record is (context, location, value); built with the identity numbering. */
type Item = readonly [context: number, location: number, value: number];

function build(items: readonly Item[], contexts = 6, locations = 4, divisor = 1) {
  const builder = new SparseBuilder();
  for (const [context, location, value] of items) builder.add(context, location, value);
  const identity = (count: number) => Int32Array.from({ length: count }, (_, at) => at);
  return builder.build(contexts, identity(contexts), identity(locations), divisor);
}

const item = fc.tuple(
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: 0, max: 3 }),
  fc.oneof(fc.integer({ min: -1000, max: 1e9 }), fc.double({ min: -1, max: 1e3, noNaN: true })),
);

describe("sums by context and location", () => {
  it("are the same bit for bit whatever the order of the records", () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), fc.infiniteStream(fc.nat()), (items, random) => {
        const shuffled = items
          .map((record) => ({ record, key: random.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ record }) => record);
        expect(build(shuffled)).toEqual(build(items));
      }),
    );
  });

  it("agree with a table of lists, in rows by context and ascending location", () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), (items) => {
        const { rowStart, column, value } = build(items);
        const found = new Map<string, number>();
        for (let context = 0; context < 6; context++) {
          for (let at = rowStart[context]; at < rowStart[context + 1]; at++) {
            if (at > rowStart[context]) expect(column[at]).toBeGreaterThan(column[at - 1]);
            found.set(`${context},${column[at]}`, value[at]);
          }
        }
        const expected = new Map<string, number[]>();
        for (const [context, location, amount] of items) {
          const key = `${context},${location}`;
          expected.set(key, [...(expected.get(key) ?? []), amount]);
        }
        expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [key, list] of expected) {
          const sum = list.reduce((a, b) => a + b, 0);
          expect(found.get(key)).toBeCloseTo(sum, 6);
        }
      }),
    );
  });

  it("let a cancel be noticed in each of their passes over many cells", () => {
    const [contexts, locations] = [5, 40_000];
    const builder = new SparseBuilder();
    for (let location = locations - 1; location >= 0; location--)
      for (let context = 0; context < contexts; context++) builder.add(context, location, 0.1);
    const identity = Int32Array.from({ length: locations }, (_, at) => at);
    let checks = 0;
    builder.build(contexts, identity, identity, 1, 1, { check: () => checks++ });
    // Two passes look every 16,384 cells: sums, and writing; sorting looks after each row of as many.
    expect(checks).toBeGreaterThanOrEqual(2 * Math.floor((contexts * locations) / 16_384) + contexts);
    checks = 0;
    builder.total({ check: () => checks++ });
    expect(checks).toBeGreaterThanOrEqual(Math.floor((contexts * locations) / 16_384));
  });

  it("of integers are exact before they are divided", () => {
    const nanoseconds = Array.from({ length: 1001 }, (_, at): Item => [0, 0, 1_000_000_007 + at]);
    const exact = nanoseconds.reduce((sum, [, , value]) => sum + BigInt(value), 0n);
    expect(build(nanoseconds, 1, 1, 1e9).value[0]).toBe(Number(exact) / 1e9);
  });

  it("keep what is not a number, for export", () => {
    expect(build([[0, 0, NaN]]).value[0]).toBeNaN();
    expect(build([[0, 0, Infinity]]).value[0]).toBe(Infinity);
  });
});
