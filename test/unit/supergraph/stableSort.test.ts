import { describe, expect, it } from "vitest";
import { sortByKey } from "../../../src/supergraph/stableSort";
import { seeded } from "./random";

describe("sorting by key", () => {
  it("gives what `sort` gives, with equal keys in the order in which they were", () => {
    const random = seeded(1);
    for (const length of [0, 1, 2, 11, 12, 13, 24, 25, 100, 1000, 1537]) {
      for (const values of [3, 1000]) {
        const key = Float64Array.from({ length }, () => Math.floor(random() * values) - 1);
        const items = Int32Array.from({ length }, (_, at) => (at * 7919) % Math.max(1, length));
        const expected = [...items].sort((a, b) => key[a] - key[b]);
        sortByKey(items, key);
        expect([...items]).toEqual(expected);
      }
    }
  });

  it("leaves alone what is in order, and sorts infinities", () => {
    const sorted = Int32Array.from([2, 0, 1]);
    sortByKey(sorted, Float64Array.from([5, 5, -1]));
    expect([...sorted]).toEqual([2, 0, 1]);
    sortByKey(sorted, Float64Array.from([Infinity, -Infinity, 0]));
    expect([...sorted]).toEqual([1, 2, 0]);
  });
});
