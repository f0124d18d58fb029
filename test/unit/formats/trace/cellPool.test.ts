import fc from "fast-check";
import { expect, it } from "vitest";
import { casesOf } from "../../randomCases";
import { CellPool } from "../../../../src/formats/trace/cellPool";

it("gives back every level as it was put in, however many there are and however large each is", () => {
  // Bins and cells of each level; some alone are larger than what the pool begins with.
  const levels = fc.array(fc.record({ bins: fc.integer({ min: 1, max: 3000 }), cells: fc.nat(3000) }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(levels, (all) => {
      const pool = new CellPool();
      const put = all.map(({ bins, cells }, at) => {
        const rowStart = Int32Array.from({ length: bins + 1 }, (_, bin) => Math.floor((bin * cells) / bins));
        const state = Int32Array.from({ length: cells }, (_, cell) => at * 10_000 + cell);
        const seconds = Float64Array.from(state, (one) => one / 7);
        expect(pool.put(at, 0.5 * at, rowStart, state, seconds, cells)).toBe(at);
        return { startSeconds: at, binSeconds: 0.5 * at, bins, rowStart, state, seconds };
      });
      expect(put.map((_, at) => pool.get(at))).toEqual(put);
      const held = put.reduce((sum, { rowStart, state }) => sum + 4 * rowStart.length + 12 * state.length, 0);
      expect(pool.bytes).toBeGreaterThanOrEqual(held);
    }),
    { numRuns: casesOf(100) },
  );
});
