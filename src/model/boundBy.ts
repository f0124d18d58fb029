/** The limit of a run, or of a window of it (semantics 9 and 16, "bound by"): figures, and the sentence that they make. Pure. */
import type { EventKind } from "./eventKinds";
import { formatShare } from "./units";

/** State that CPU lanes spent most of the time without work in. */
export interface HostState {
  /** undefined if no CPU lane has an event for most of that time. */
  readonly kind: EventKind | undefined;
  /** Function; empty if its events have no name. */
  readonly name: string;
}

/** Lengths of unions of intervals, summed over GPUs, or over ranks if no GPU is recorded. Seconds. */
export interface BoundTimes {
  /** Unit of the summed lengths: `GPU`, `rank`, `process` or `lane`. */
  readonly unit: string;
  readonly count: number;
  /** The window's length times {@link count}. */
  readonly seconds: number;
  /** |C|, |M| and |M ∩ C|. */
  readonly computing: number;
  readonly movement: number;
  readonly hidden: number;
  /** The part of M \ C that is communication. */
  readonly communication: number;
  /** State of the CPU lanes in the time without work; undefined if that time is less than a third. */
  readonly host?: HostState;
}

export interface BoundShares {
  readonly computing: number;
  readonly exposed: number;
  /** Share of the movement; undefined if nothing is moved. */
  readonly hidden: number | undefined;
  readonly neither: number;
  /** Communication is the larger part of the exposed movement. */
  readonly isCommunication: boolean;
}

export type BoundWord = "without work" | "computation" | "movement" | "communication" | "no single cause";

/** Smallest shares of the time that are a cause. */
const MIN_WITHOUT_WORK = 1 / 3;
const MIN_BOUND = 1 / 2;
/** A sum that rounding left this far below a share has it. */
const ROUNDING = 1e-12;

/** @returns undefined if the window has no length, or no GPU and no rank */
export function boundShares(times: BoundTimes): BoundShares | undefined {
  const { seconds, computing, movement, hidden, communication } = times;
  if (!(seconds > 0)) return undefined;
  return {
    computing: computing / seconds,
    exposed: Math.max(0, movement - hidden) / seconds,
    hidden: movement > 0 ? hidden / movement : undefined,
    // Rounding of the sums makes no time without work.
    neither: Math.max(0, 1 - (computing + movement - hidden) / seconds),
    isCommunication: communication > movement - hidden - communication,
  };
}

/** The first rule that holds. @returns undefined if {@link boundShares} has no figures */
export function boundWord(times: BoundTimes): BoundWord | undefined {
  const shares = boundShares(times);
  if (!shares) return undefined;
  if (isAtLeast(shares.neither, MIN_WITHOUT_WORK)) return "without work";
  if (isAtLeast(shares.computing, MIN_BOUND)) return "computation";
  if (!isAtLeast(shares.exposed, MIN_BOUND)) return "no single cause";
  return shares.isCommunication ? "communication" : "movement";
}

function isAtLeast(share: number, least: number): boolean {
  return share >= least - ROUNDING;
}

/** `Bound by movement`; `Without work for 73.3 %, runtime: cudaStreamCreate`; `No single cause`. */
export function boundTitle(times: BoundTimes): string {
  const word = boundWord(times);
  const shares = boundShares(times);
  if (word === undefined || shares === undefined) return "Nothing that lasts was recorded";
  if (word === "no single cause") return "No single cause";
  if (word !== "without work") return `Bound by ${word}`;
  const cause = times.host ? `, ${hostText(times.host)}` : "";
  return `Without work for ${formatShare(shares.neither)}${cause}`;
}

/** `runtime: cudaStreamCreate` */
export function hostText({ kind, name }: HostState): string {
  if (kind === undefined) return "nothing recorded";
  return kind === "idle" || name === "" ? kind : `${kind}: ${name}`;
}

/** Word for |C|: GPUs run kernels, and computing is what CPUs do. */
export function computingWord(isOfGpus: boolean): string {
  return isOfGpus ? "kernels" : "computing";
}

/** `Bound by computation (75.4 %)`; `No single cause: kernels 40.0 %, exposed movement 30.0 %, neither 30.0 %`. */
export function boundSentence(times: BoundTimes): string {
  const shares = boundShares(times);
  const word = boundWord(times);
  const title = boundTitle(times);
  if (shares === undefined || word === "without work") return title;
  const { computing, exposed, neither } = shares;
  if (word !== "no single cause") return `${title} (${formatShare(word === "computation" ? computing : exposed)})`;
  const figures = [
    `${computingWord(times.unit === "GPU")} ${formatShare(computing)}`,
    `exposed movement ${formatShare(exposed)}`,
    `neither ${formatShare(neither)}`,
  ];
  return `${title}: ${figures.join(", ")}`;
}
