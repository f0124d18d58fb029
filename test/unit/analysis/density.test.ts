import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { density } from "../../../src/analysis/density";

// The sign of a zero is nothing that is drawn; adding zero takes it away.
const value = fc
  .oneof(fc.double(), fc.integer({ min: -5, max: 5 }), fc.constantFrom(NaN, Infinity, -Infinity))
  .map((any) => any + 0);
const points = fc.array(fc.tuple(value, value), { maxLength: 60 });
const parts = fc.integer({ min: 1, max: 7 });

describe("a density", () => {
  it("has cells of points whose distance is the smallest or the largest that a number holds", () => {
    const tiny = density(Float64Array.of(-5e-324, 0), Float64Array.of(0, 0), 2, 1);
    expect([...tiny.cells]).toEqual([0, 1]);
    const huge = density(Float64Array.of(-Number.MAX_VALUE, Number.MAX_VALUE), Float64Array.of(0, 0), 2, 1);
    expect([...huge.cells]).toEqual([0, 1]);
  });

  it("counts every point once, in the cell whose edges hold it, and names the largest of each cell", () => {
    fc.assert(
      fc.property(points, parts, parts, (pairs, columns, rows) => {
        const x = Float64Array.from(pairs, ([a]) => a);
        const y = Float64Array.from(pairs, ([, b]) => b);
        const found = density(x, y, columns, rows);
        const sound = pairs.filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
        expect([...found.counts].reduce((sum, count) => sum + count, 0)).toBe(sound.length);
        expect([...found.cells]).toEqual([...new Set(found.cells)].sort((a, b) => a - b));
        found.points.forEach((point, at) => {
          const [column, row] = [found.cells[at] % columns, Math.floor(found.cells[at] / columns)];
          expect(isIn(x[point], found.x, column, columns)).toBe(true);
          expect(isIn(y[point], found.y, row, rows)).toBe(true);
        });
        // The largest y of all stands for its cell.
        if (sound.length > 0) {
          const highest = Math.max(...sound.map(([, b]) => b));
          expect([...found.points].some((point) => y[point] === highest)).toBe(true);
        }
      }),
    );
  });

  it("does not depend on the order of points, but for which of equal ones stands for a cell", () => {
    fc.assert(
      fc.property(points, parts, parts, (pairs, columns, rows) => {
        const counted = (all: typeof pairs) => {
          const x = Float64Array.from(all, ([a]) => a);
          const y = Float64Array.from(all, ([, b]) => b);
          const { points: standing, ...rest } = density(x, y, columns, rows);
          return { ...rest, values: [...standing].map((at) => [x[at], y[at]]) };
        };
        expect(counted(pairs.slice().reverse())).toEqual(counted(pairs));
      }),
    );
  });
});

/** With room for the rounding of an edge. */
function isIn(value: number, [least, most]: readonly [number, number], part: number, parts: number): boolean {
  // Exact: as whole numbers of the smallest distance that a number holds.
  const share =
    most > least ? Number(((exact(value) - exact(least)) << 60n) / (exact(most) - exact(least))) / 2 ** 60 : 0;
  return share * parts >= part - 1e-9 && share * parts <= part + 1 + 1e-9;
}

/** A number in units of the smallest one, 2^-1074, read from its sign, exponent and fraction. */
function exact(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0];
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & ((1n << 52n) - 1n);
  const size = exponent === 0n ? fraction : ((1n << 52n) + fraction) << (exponent - 1n);
  return bits >> 63n === 1n ? -size : size;
}
