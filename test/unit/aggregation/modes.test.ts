import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Modes, sumsOf } from "../../../src/aggregation/modes";

/** Few values, so that many are equal. */
const model = fc
  .record({ leaves: fc.integer({ min: 1, max: 4 }), slices: fc.integer({ min: 1, max: 4 }) })
  .chain(({ leaves, slices }) =>
    fc.record({
      leaves: fc.constant(leaves),
      slices: fc.constant(slices),
      names: fc.shuffledSubarray(["a", "b", "c"], { minLength: 3 }),
      values: fc.array(fc.integer({ min: 0, max: 2 }), {
        minLength: 3 * leaves * slices,
        maxLength: 3 * leaves * slices,
      }),
    }),
  );

describe("the mode of a part", () => {
  it("is the state with most in it, of equal ones that with more in the whole model, then the first by name", () => {
    fc.assert(
      fc.property(model, fc.nat(), fc.nat(), ({ leaves, slices, names, values }, someLeaf, someSlice) => {
        const one = {
          leaves,
          slices,
          states: 3,
          names,
          parents: new Int32Array(leaves).fill(-1),
          values: Float64Array.from(values),
        };
        const [leaf, slice] = [someLeaf % leaves, someSlice % slices];
        const valueOf = (at: number, state: number, in_: number) => values[(at * 3 + state) * slices + in_];
        const sums = [0, 1, 2].map((state) => valueOf(leaf, state, slice));
        const totals = [0, 1, 2].map((state) => {
          let sum = 0;
          for (let at = 0; at < leaves; at++) for (let in_ = 0; in_ < slices; in_++) sum += valueOf(at, state, in_);
          return sum;
        });
        const found = new Modes(one).of(sumsOf(one, [leaf], slice, slice));
        const most = Math.max(...sums);
        if (most === 0) {
          expect(found).toEqual({ state: -1, share: 0 });
          return;
        }
        const equal = [0, 1, 2].filter((state) => sums[state] === most);
        const total = Math.max(...equal.map((state) => totals[state]));
        const [first] = equal.flatMap((state) => (totals[state] === total ? [names[state]] : [])).sort();
        expect(names[found.state]).toBe(first);
        expect(found.share).toBe(most / sums.reduce((sum, own) => sum + own, 0));
      }),
    );
  });
});
