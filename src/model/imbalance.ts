/** Imbalance of computing as text (semantics 16, "imbalance"). Pure. */
import type { LocationUnit } from "./members";
import { unitName } from "./members";
import { formatRatio } from "./units";

/** Imbalance of one number over the members that numbers are combined over. */
export interface Imbalance {
  /** Largest value divided by the mean. */
  readonly ratio: number;
  /** Keys of the members with the largest values: see {@link mostLoaded}. */
  readonly most: readonly string[];
}

/** Headline of a recording whose functions have known categories. */
export interface ComputingImbalance {
  readonly by: LocationUnit;
  /** Imbalance of exclusive values without communication, runtime, I/O and idle. */
  readonly computing: Imbalance;
  /** Imbalance of all values. */
  readonly all: Imbalance;
  /** Imbalance of computing without the function that has over half of it on every member; undefined if there is no such function. */
  readonly without?: Imbalance & { readonly name: string };
}

/** Members that a headline names, and the smallest value that they have, divided by the mean. */
const MAX_NAMED = 3;
const MIN_LOAD = 1.25;

/**
 * The member with the largest value (the first of equal ones), and up to two others with at least 1.25 times the mean.
 *
 * @param values one per key
 * @returns undefined if there is one member, or if the mean is not positive
 */
export function imbalanceOf(values: Float64Array, keys: readonly string[]): Imbalance | undefined {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (keys.length < 2 || !(mean > 0)) return undefined;
  const order = [...keys.keys()].sort((a, b) => values[b] - values[a] || a - b);
  const most = order.filter((at, place) => place === 0 || values[at] >= MIN_LOAD * mean).slice(0, MAX_NAMED);
  return { ratio: values[order[0]] / mean, most: most.map((at) => keys[at]) };
}

/** `rank 0`; `ranks 0, 4`. */
export function mostText({ most }: Imbalance, by: LocationUnit): string {
  return `${unitName(by, most.length)} ${most.join(", ")}`;
}

/** `computing 1.19×, rank 0 · all 1.05×`, and `without main 2.23×, rank 0` if a function dominates. */
export function imbalanceText(imbalance: ComputingImbalance, shorten = (name: string) => name): string {
  const { by, computing } = imbalance;
  return [
    `computing ${formatRatio(computing.ratio)}, ${mostText(computing, by)}`,
    ...otherTexts(imbalance, shorten),
  ].join(" · ");
}

/** The same for less and less room: without the other figures, then without the members. */
export function imbalanceWordings(imbalance: ComputingImbalance): string[] {
  const { by, computing } = imbalance;
  const ratio = `computing ${formatRatio(computing.ratio)}`;
  return [...new Set([imbalanceText(imbalance), `${ratio}, ${mostText(computing, by)}`, ratio])];
}

/** The texts behind the imbalance of computing. */
export function otherTexts({ all, without, by }: ComputingImbalance, shorten = (name: string) => name): string[] {
  const texts = [`all ${formatRatio(all.ratio)}`];
  if (without) texts.push(`without ${shorten(without.name)} ${formatRatio(without.ratio)}, ${mostText(without, by)}`);
  return texts;
}
