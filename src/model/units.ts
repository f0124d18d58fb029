/**
 * The one formatter of numbers that a person sees: a unit, and at most three significant digits.
 */
const TIME_STEPS: readonly [number, string][] = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
  [1e-9, "ns"],
];
const DECIMAL_STEPS: readonly [number, string][] = [
  [1e15, "P"],
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

/** Units that take a prefix: `kB`, not `k B`. */
const SCALED_UNITS: ReadonlySet<string> = new Set(["B", "B/s", "Hz", "W", "flop", "flop/s"]);

/** Behind the point, of a stretch's ends. */
const MOST_STRETCH_DIGITS = 9;

/** Three significant digits without exponent, less than zero with a minus: 1.24, 31.5, 264, 0.00400, −0.998. */
export function threeDigits(value: number): string {
  if (value === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(3)))));
  return withMinus(value.toFixed(Math.max(0, Math.min(20, 2 - magnitude))));
}

function withMinus(number: string): string {
  return number.replace("-", "−");
}

/**
 * A value with its unit: `1.24 s`, `264 ms`, `2.10 GB`, `35.3 GB/s`, `1.20 M`.
 *
 * @param unit "s", "B", "1" (a count), "B/s", "Hz" or any other unit, which is put behind the number as it is
 */
export function formatValue(value: number, unit: string): string {
  if (Number.isNaN(value)) return "not known";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (unit === "s") return scaledTime(value);
  if (unit === "1")
    return Number.isInteger(value) && Math.abs(value) < 10_000 ? withMinus(`${value}`) : scaled(value, "");
  if (SCALED_UNITS.has(unit)) return scaled(value, unit);
  const number = scaled(value, "");
  return `${number} ${number === "1" ? singular(unit) : unit}`.trim();
}

/** The same as its largest neighbour is written, and no digit that says nothing: `0.5 s` beside `1 s`. @param largest of all */
export function formatAlong(value: number, unit: string, largest: number): string {
  const steps = unit === "s" ? TIME_STEPS : DECIMAL_STEPS;
  const name = unit === "1" || unit === "s" ? "" : SCALED_UNITS.has(unit) ? unit : ` ${unit}`;
  const known = steps.find(([step]) => Number(Math.abs(largest / step).toPrecision(3)) >= 1);
  const [step, prefix] = known ?? (unit === "s" ? TIME_STEPS[0] : [1, ""]);
  const number = trimZeros(threeDigits(value / step));
  return `${number} ${value === 0 && unit !== "s" ? "" : prefix}${name}`.replace(/ +/g, " ").trim();
}

/** A stretch of time, in digits that tell its ends apart: `61.7 – 70.0 ms`. Both in seconds. */
export function formatStretch(from: number, to: number): string {
  const largest = Math.max(Math.abs(from), Math.abs(to));
  const [step, name] = TIME_STEPS.find(([one]) => largest >= one) ?? TIME_STEPS[largest === 0 ? 0 : 3];
  const digits = Math.ceil(1 - Math.log10(Math.max(to - from, Number.MIN_VALUE) / step));
  const written = (seconds: number) =>
    seconds === 0 ? "0" : withMinus((seconds / step).toFixed(Math.max(0, Math.min(MOST_STRETCH_DIGITS, digits))));
  return `${written(from)} – ${written(to)} ${name}`;
}

/** What recordings count, as a metric without a unit is named for it. */
const COUNTED = new RegExp(
  "\\b(access|branch|miss|switch)es$|" +
    "\\b(allocation|byte|call|cycle|event|fault|hit|instruction|iteration|load|message|migration|operation|packet|" +
    "reference|request|sample|store|transfer|visit)s$",
);

/** A unit behind a lone 1: `cycles` is `cycle` there. Words that are not known stay: not every final s is a plural. */
function singular(unit: string): string {
  return unit.replace(COUNTED, "$1$2");
}

/** What stands for a number over ranks that is 0 since all of it has no rank: `276 ms, of no rank`. @param value the sum */
export function noRankText(value: number, unit: string): string {
  return `${formatValue(value, unit)}, of no rank`;
}

/** The unit of what grows by a unit, per second. */
export function rateUnit(unit: string): string {
  if (unit === "J") return "W";
  return unit === "1" || unit === "" ? "/s" : `${unit}/s`;
}

/** A share of a total as percent: `31.5 %`, `79.0 %`, `100 %`, `<0.01 %`. `share` is 0 to 1. */
export function formatShare(share: number): string {
  if (Number.isNaN(share)) return "not known";
  const percent = share * 100;
  if (percent !== 0 && Math.abs(percent) < 0.01) return percent > 0 ? "<0.01 %" : ">−0.01 %";
  return `${threeDigits(percent)} %`;
}

/** A larger efficiency is no success of a program: something else differs between the runs (semantics 16, section 10, scaling). */
export const MAX_EFFICIENCY = 2;

/**
 * An efficiency as percent: `87.0 %`.
 *
 * @param isExplained whether the inputs that also differ stand beside it; without them larger ones than 200 % are `> 200 %`
 */
export function formatEfficiency(efficiency: number, isExplained: boolean): string {
  return efficiency > MAX_EFFICIENCY && !isExplained ? `> ${formatShare(MAX_EFFICIENCY)}` : formatShare(efficiency);
}

/** A ratio such as an imbalance: `3.84×`. */
export function formatRatio(ratio: number): string {
  return Number.isFinite(ratio) ? `${threeDigits(ratio)}×` : "not known";
}

function scaledTime(seconds: number): string {
  if (seconds === 0) return "0 s";
  for (const [step, name] of TIME_STEPS) {
    if (Number(Math.abs(seconds / step).toPrecision(3)) >= 1 || step === 1e-9)
      return `${threeDigits(seconds / step)} ${name}`;
  }
  return `${seconds} s`;
}

function scaled(value: number, unit: string): string {
  for (const [step, prefix] of DECIMAL_STEPS) {
    if (Number(Math.abs(value / step).toPrecision(3)) >= 1) return `${threeDigits(value / step)} ${prefix}${unit}`;
  }
  return `${trimZeros(threeDigits(value))} ${unit}`.trim();
}

function trimZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?(?<!0)0+$/, "") : text;
}

/** `91st percentile`, of a share. Of hundreds of runs only the largest is the 100th, and the least one not the 0th. */
export function formatPercentile(share: number): string {
  const percent = share === 0 || share === 1 ? 100 * share : Math.min(99, Math.max(1, Math.round(100 * share)));
  const isTeen = Math.floor(percent / 10) % 10 === 1;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"].at(percent % 10) ?? "th");
  return `${percent}${ending} percentile`;
}
