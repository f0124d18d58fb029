/** Round numbers along an axis, and how they are written. Pure. */
import { formatValue } from "../../src/model/units";

export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** Part of the distance of two ticks by which a text may be off. */
const TOLERANCE = 0.05;

/**
 * Ticks 1, 2 or 5 times a power of ten apart. Where three digits do not tell them from each other, the first is written, and
 * of the others how much more they are: `1.23 s`, `+100 ns`.
 *
 * @param most how many at most, about
 */
export function axisTicks(from: number, to: number, most: number, unit: string): Tick[] {
  const values = roundNumbers(from, to, most);
  const step = values.length > 1 ? values[1] - values[0] : Infinity;
  const isExact = values.every((value) => Math.abs(Number(value.toPrecision(3)) - value) <= TOLERANCE * step);
  return values.map((value, at) => ({
    value,
    text: isExact || at === 0 ? formatValue(value, unit) : `+${formatValue(value - values[0], unit)}`,
  }));
}

function roundNumbers(from: number, to: number, most: number): number[] {
  const span = to - from;
  if (!(span > 0) || !Number.isFinite(span)) return [from];
  const power = 10 ** Math.floor(Math.log10(span / Math.max(1, most)));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => span / size <= most) ?? 10 * power;
  // Counted in steps: adding steps up would add up their rounding.
  const first = Math.ceil(from / step);
  const count = Math.min(100, Math.floor(to / step) - first + 1);
  return Array.from({ length: Math.max(0, count) }, (_, at) => (first + at) * step);
}
