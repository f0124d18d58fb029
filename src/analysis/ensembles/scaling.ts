import { meanOf } from "./ascending";

/** What stays the same where a program runs on more: the work (strong), or the work of each rank (weak). */
export type ScalingKind = "strong" | "weak";

/** How one function's time goes with a parameter: one value for each value of the parameter, in their order. */
export interface ScalingCurve {
  /** Mean over repeats; NaN where no run has it. */
  readonly time: Float64Array;
  /** 1 is ideal, no unit; NaN where it says nothing: the function is new, or not there. */
  readonly efficiency: Float64Array;
  /** Time beyond the ideal, in the unit of times, negative where it is faster; a new function's is its whole time. */
  readonly lost: Float64Array;
  /** What the time would be. */
  readonly ideal: Float64Array;
}

/** The different values of a parameter, ascending. @param parameter one value per run; NaN: none */
export function parameterValues(parameter: Float64Array): Float64Array {
  return Float64Array.from(new Set(parameter.filter(Number.isFinite))).sort();
}

/**
 * How a function scales over a numeric parameter (semantics 10, Scaling), n0 being the parameter's smallest value. Efficiency: strong
 * T(n0) n0 / (T(n) n), weak T(n0) / T(n). Lost: strong T(n) − T(n0) n0 / n, weak T(n) − T(n0).
 *
 * @param parameter n of each run; NaN: none, the run does not count
 * @param time of the function in each run, combined over ranks, never their sum; NaN: not in this run
 * @param n {@link parameterValues} of the runs
 */
export function scalingCurve(
  parameter: Float64Array,
  time: Float64Array,
  n: Float64Array,
  kind: ScalingKind,
): ScalingCurve {
  const mean = n.map((value) => meanOf(time.filter((_, run) => parameter[run] === value)));
  const first = mean[0];
  const ideal = n.map((value) => idealShare(kind, n[0], value) * first);
  const hasFirst = Number.isFinite(first) && first !== 0;
  return {
    time: mean,
    ideal,
    efficiency: mean.map((value, at) => (hasFirst && value !== 0 ? ideal[at] / value : NaN)),
    lost: mean.map((value, at) => value - (hasFirst ? ideal[at] : 0)),
  };
}

/** Functions by lost time at the largest n, most first; those that are not there come last, of equals the first one. */
export function byLostTime(curves: readonly Pick<ScalingCurve, "lost">[]): Int32Array {
  const lost = Float64Array.from(curves, (curve) => curve.lost[curve.lost.length - 1] ?? NaN);
  const order = Int32Array.from(curves, (_, at) => at);
  const key = (at: number) => (Number.isFinite(lost[at]) ? lost[at] : -Infinity);
  return order.sort((a, b) => (key(a) === key(b) ? a - b : key(a) < key(b) ? 1 : -1));
}

/** Strong or weak, and what says so. */
export interface ScalingChoice {
  readonly kind: ScalingKind;
  /** n0 and the largest n. */
  readonly from: number;
  readonly to: number;
  /** Computing per rank at the largest n, as a multiple of that at n0; NaN where there is none. */
  readonly ratio: number;
}

/**
 * Weak where computing per rank at the largest n is, as a ratio, nearer to that at n0 than to n0 / n of it, else strong
 * (semantics 10, Scaling).
 *
 * @param computing exclusive computing per rank of each run; NaN: none
 */
export function chooseScaling(parameter: Float64Array, computing: Float64Array, n: Float64Array): ScalingChoice {
  const [from, to] = [n[0], n[n.length - 1]];
  const mean = (value: number) => meanOf(computing.filter((_, run) => parameter[run] === value));
  const ratio = mean(to) / mean(from);
  const distance = (ideal: number) => Math.abs(Math.log(ratio / ideal));
  const known = Number.isFinite(ratio) && ratio > 0;
  const isWeak = known && distance(1) < distance(idealShare("strong", from, to));
  return { kind: isWeak ? "weak" : "strong", from, to, ratio: known ? ratio : NaN };
}

/** `weak: at ranks = 27, computing per rank is 1.02 times that at ranks = 1, nearer to 1 than to 1/27`. */
export function scalingReason({ kind, from, to, ratio }: ScalingChoice, parameter: string): string {
  if (Number.isNaN(ratio)) return `${kind}: computing per rank at ${parameter} = ${from} and ${to} is not known`;
  const [weak, strong] = ["1", `${from}/${to}`];
  const [nearer, farther] = kind === "weak" ? [weak, strong] : [strong, weak];
  const times = Number(ratio.toPrecision(3));
  return `${kind}: at ${parameter} = ${to}, computing per rank is ${times} times that at ${parameter} = ${from}, nearer to ${nearer} than to ${farther}`;
}

/** What part of the time at n0 is ideal at n. */
function idealShare(kind: ScalingKind, from: number, n: number): number {
  return kind === "weak" ? 1 : from / n;
}
