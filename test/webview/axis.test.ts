import fc from "fast-check";
import { scaleLinear } from "d3-scale";
import { describe, expect, it } from "vitest";
import { axisTicks } from "../../webviews/shared/axis";

const end = fc.oneof(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.double({ min: 0, max: 1e-6, noNaN: true }));
const ends = fc.tuple(end, end).filter(([a, b]) => Math.abs(b - a) > 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1e-9));

describe("ticks", () => {
  it("lie within the axis, 1, 2 or 5 times a power of ten apart, and are no more than asked for", () => {
    fc.assert(
      fc.property(ends, fc.integer({ min: 2, max: 20 }), ([a, b], most) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const values = axisTicks(from, to, most, "s").map(({ value }) => value);
        expect(values.length).toBeLessThanOrEqual(most + 1);
        const slack = (to - from) * 1e-6;
        for (const value of values) expect(value >= from - slack && value <= to + slack).toBe(true);
        for (let at = 1; at < values.length; at++) {
          const step = values[at] - values[at - 1];
          const leading = step / 10 ** Math.floor(Math.log10(step * (1 + 1e-6)));
          expect([1, 2, 5, 10].some((times) => Math.abs(leading - times) < 1e-3)).toBe(true);
        }
      }),
    );
  });

  it("are those of d3 where both have the same step", () => {
    for (const [from, to] of [
      [0, 1],
      [-3, 17],
      [0.2, 0.93],
      [1e6, 7.7e6],
    ]) {
      const values = axisTicks(from, to, 10, "s").map(({ value }) => value);
      const expected = scaleLinear().domain([from, to]).ticks(values.length);
      values.forEach((value, at) => expect(value).toBeCloseTo(expected[at], 9));
    }
  });

  it("are told from each other by their texts, however little they differ", () => {
    fc.assert(
      fc.property(ends, ([a, b]) => {
        const texts = axisTicks(Math.min(a, b), Math.max(a, b), 8, "B").map(({ text }) => text);
        expect(new Set(texts).size).toBe(texts.length);
      }),
    );
    const close = axisTicks(1e9, 1e9 + 3, 4, "B").map(({ text }) => text);
    expect(close).toEqual(["1.00 GB", "+1 B", "+2 B", "+3 B"]);
    expect(axisTicks(0, 2, 4, "s").map(({ text }) => text)).toEqual(["0 s", "500 ms", "1.00 s", "1.50 s", "2.00 s"]);
  });
});
