/** What a run, or a stretch of it, is bound by (semantics 9, "Bound by"): figures, and the sentence that they make. Pure. */
import { formatShare } from "./units";

/** Lengths of unions of intervals, summed over GPUs, or over ranks where no GPU is recorded. Seconds. */
export interface BoundTimes {
  /** `GPU`, `rank`, `process` or `lane`: what they are summed over. */
  readonly unit: string;
  readonly count: number;
  /** The stretch's length times {@link count}. */
  readonly seconds: number;
  /** |C|, |M| and |M ∩ C|. */
  readonly computing: number;
  readonly movement: number;
  readonly hidden: number;
  /** The part of M \ C that is communication. */
  readonly communication: number;
}

export interface BoundShares {
  readonly computing: number;
  readonly exposed: number;
  /** Of the movement; undefined where there is none. */
  readonly hidden: number | undefined;
  readonly neither: number;
  /** Communication is the larger part of what is exposed. */
  readonly isCommunication: boolean;
}

export type BoundWord = "computation" | "movement" | "communication" | "neither";

/** Below this share of the time computing and movement bind nothing. */
const LEAST = 0.05;

/** @returns undefined where no time passed, or nobody was there to be bound */
export function boundShares(times: BoundTimes): BoundShares | undefined {
  const { seconds, computing, movement, hidden, communication } = times;
  if (!(seconds > 0)) return undefined;
  return {
    computing: computing / seconds,
    exposed: Math.max(0, movement - hidden) / seconds,
    hidden: movement > 0 ? hidden / movement : undefined,
    // What rounding leaves of nothing is nothing.
    neither: Math.max(0, 1 - (computing + movement - hidden) / seconds),
    isCommunication: communication > movement - hidden - communication,
  };
}

export function boundWord(times: BoundTimes): BoundWord | undefined {
  const shares = boundShares(times);
  if (!shares) return undefined;
  const { seconds, computing, movement } = times;
  if (computing < LEAST * seconds && movement < LEAST * seconds) return "neither";
  // |M \ C| > |C \ M|, from which the same |M ∩ C| is taken.
  if (!(movement > computing)) return "computation";
  return shares.isCommunication ? "communication" : "movement";
}

/** `Bound by movement`; `Neither computing nor moving data for 97 % of the time`. */
export function boundTitle(times: BoundTimes): string {
  const word = boundWord(times);
  const shares = boundShares(times);
  if (word === undefined || shares === undefined) return "Nothing that lasts was recorded";
  if (word !== "neither") return `Bound by ${word}`;
  return `Neither computing nor moving data for ${formatShare(shares.neither)} of the time`;
}

/** `bound by movement: computing 30 %, exposed movement 45 %, 12 % of the movement hidden, neither 25 %`. */
export function boundSentence(times: BoundTimes): string {
  const shares = boundShares(times);
  const title = boundTitle(times);
  const begins = `${title.charAt(0).toLowerCase()}${title.slice(1)}`;
  if (shares === undefined) return begins;
  const { computing, exposed, hidden, neither } = shares;
  const figures = [
    `computing ${formatShare(computing)}`,
    `exposed movement ${formatShare(exposed)}`,
    ...(hidden === undefined ? [] : [`${formatShare(hidden)} of the movement hidden`]),
    `neither ${formatShare(neither)}`,
  ];
  return `${begins}: ${figures.join(", ")}`;
}
