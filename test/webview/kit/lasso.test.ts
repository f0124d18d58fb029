import fc from "fast-check";
import { expect, it } from "vitest";
import { extend, isAround, lassoPath } from "../../../webviews/kit/stage/lasso";
import type { Point } from "../../../webviews/kit/stage/scene";

const point = fc.record({ x: fc.integer({ min: 0, max: 40 }), y: fc.integer({ min: 0, max: 40 }) });

/** How often a closed line goes around a point: the sum of the angles that it is seen under. */
function turns(line: readonly Point[], { x, y }: Point): number {
  let angle = 0;
  line.forEach((from, at) => {
    const to = line[(at + 1) % line.length];
    let step = Math.atan2(to.y - y, to.x - x) - Math.atan2(from.y - y, from.x - x);
    while (step > Math.PI) step -= 2 * Math.PI;
    while (step < -Math.PI) step += 2 * Math.PI;
    angle += step;
  });
  return Math.round(angle / (2 * Math.PI));
}

it("a line is around the points that it goes around, whatever it crosses", () => {
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 12 }), point, (line, { x, y }) => {
      // Between whole numbers, and off every line through two of them.
      const at = { x: x + 0.4142, y: y + 0.2361 };
      expect(isAround(line, at)).toBe(turns(line, at) !== 0);
    }),
    { numRuns: 2000 },
  );
});

it("a line that a hand draws has a point every few pixels", () => {
  const line: Point[] = [];
  for (let x = 0; x <= 100; x++) extend(line, { x, y: 0 });
  expect(line.map(({ x }) => x)).toEqual(Array.from({ length: 34 }, (_, at) => 3 * at));
  expect(lassoPath(line.slice(0, 2))).toBe("M0,0L3,0Z");
});
