/** Moments and stretches of time in words, and round moments along an axis. Pure. */
import { scaleLinear } from "d3-scale";
import { formatAlong } from "../../../src/model/units";

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
  [1e-9, "ns"],
];
const MOST_DIGITS = 9;

function unitOf(seconds: number) {
  return UNITS.find(([unit]) => Math.abs(seconds) >= unit) ?? (seconds === 0 ? UNITS[0] : UNITS[3]);
}

function written(seconds: number, unit: number, digits: number): string {
  return (seconds / unit).toFixed(Math.max(0, Math.min(MOST_DIGITS, digits))).replace("-", "−");
}

/** A moment as exactly as what is beside it is apart. @param apart seconds */
export function momentText(seconds: number, apart: number): string {
  const [unit, name] = unitOf(seconds);
  return `${written(seconds, unit, Math.ceil(-Math.log10(apart / unit) - 1e-9))} ${name}`;
}

export interface Moment {
  readonly seconds: number;
  readonly text: string;
}

/** Round moments: the first one since the trace began, of the others how much later they are. @param about how many */
export function moments(from: number, to: number, about: number): Moment[] {
  const [first, ...others] = scaleLinear([from, to], [0, 1]).ticks(Math.max(1, about));
  if (first === undefined) return [];
  const apart = others.length > 0 ? others[0] - first : to - from;
  const largest = others.length > 0 ? others[others.length - 1] - first : 0;
  return [
    { seconds: first, text: first === 0 ? "0 s" : momentText(first, apart) },
    ...others.map((seconds) => ({ seconds, text: `+${formatAlong(seconds - first, "s", largest)}` })),
  ];
}
