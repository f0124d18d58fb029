/** Round numbers along an axis, and how they are written. Pure. */
import { scaleLinear } from "d3-scale";
import { formatValue } from "../../src/model/units";

export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** Part of the distance of two ticks by which a text may be off. */
const TOLERANCE = 0.05;

/**
 * d3's round numbers. Where three digits do not tell them from each other, the first is written, and of the others how much more
 * they are: `1.23 s`, `+100 ns`.
 *
 * @param about how many
 */
export function axisTicks(from: number, to: number, about: number, unit: string): Tick[] {
  const values = scaleLinear([from, to], [0, 1]).ticks(Math.max(1, about));
  const step = values.length > 1 ? values[1] - values[0] : Infinity;
  const isExact = values.every((value) => Math.abs(Number(value.toPrecision(3)) - value) <= TOLERANCE * step);
  return values.map((value, at) => ({
    value,
    text: isExact || at === 0 ? formatValue(value, unit) : `+${formatValue(value - values[0], unit)}`,
  }));
}
