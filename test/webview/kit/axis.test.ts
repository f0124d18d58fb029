import fc from "fast-check";
import { scaleLinear } from "d3-scale";
import { describe, expect, it } from "vitest";
import { axisTicks, withoutUnit } from "../../../webviews/kit/axis";

const end = fc.oneof(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.double({ min: 0, max: 1e-6, noNaN: true }));
const ends = fc.tuple(end, end).filter(([a, b]) => Math.abs(b - a) > 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1e-9));

describe("ticks", () => {
  it("are d3's, within the axis, and hardly more than asked for", () => {
    fc.assert(
      fc.property(ends, fc.integer({ min: 2, max: 20 }), ([a, b], about) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const values = axisTicks(from, to, about, "s").map(({ value }) => value);
        expect(values).toEqual(scaleLinear([from, to], [0, 1]).ticks(about));
        expect(values.length).toBeLessThanOrEqual(2 * about + 1);
      }),
    );
  });

  it("differ in their texts, however little they differ", () => {
    fc.assert(
      fc.property(ends, ([a, b]) => {
        const texts = axisTicks(Math.min(a, b), Math.max(a, b), 8, "B").map(({ text }) => text);
        expect(new Set(texts).size).toBe(texts.length);
      }),
    );
    const close = axisTicks(1e9, 1e9 + 3, 4, "B").map(({ text }) => text);
    expect(close).toEqual(["1.00 GB", "+1 B", "+2 B", "+3 B"]);
    expect(axisTicks(0, 2, 4, "s").map(({ text }) => text)).toEqual(["0 s", "0.5 s", "1 s", "1.5 s", "2 s"]);
    expect(axisTicks(-0.1, 0.1, 2, "s").map(({ text }) => text)).toEqual(["−100 ms", "0 ms", "100 ms"]);
    expect(axisTicks(0, 2e6, 2, "cycles").map(({ text }) => text)).toEqual(["0 cycles", "1 M cycles", "2 M cycles"]);
  });

  it("leave their unit to the title of the axis, if they have one unit", () => {
    const parts = (from: number, to: number, unit: string) => {
      const { ticks, unit: once } = withoutUnit(axisTicks(from, to, 4, unit));
      return [once, ...ticks.map(({ text }) => text)];
    };
    expect(parts(-0.1, 0.1, "s")).toEqual(["ms", "−100", "−50", "0", "50", "100"]);
    expect(parts(0, 2e6, "samples (cpu-clock)")).toEqual(["M samples (cpu-clock)", "0", "0.5", "1", "1.5", "2"]);
    expect(parts(0, 4, "1")).toEqual(["", "0", "1", "2", "3", "4"]);
    expect(parts(1e9, 1e9 + 3, "B")).toEqual(["", "1.00 GB", "+1 B", "+2 B", "+3 B"]);
  });
});
