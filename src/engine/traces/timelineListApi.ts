/** What may be asked about many events of a trace at once: of one function, of waits, along chains. Times in seconds of the trace. */
import type { TimelineOf } from "./timelineApi";

/** Lengths of events by bins: a length on an edge belongs to the upper bin, the largest one to the last. */
export interface DurationBins {
  /** Seconds; one more than there are bins. */
  readonly edges: Float64Array;
  readonly counts: Int32Array;
  /** Edges grow by a factor, in place of a sum. */
  readonly isLog: boolean;
  /** Events without a length, which are in no bin of a scale by factors. */
  readonly instants: number;
}

/** Where events are, by column. */
export interface EventPlaces {
  readonly lane: Int32Array;
  readonly event: Int32Array;
  readonly startSeconds: Float64Array;
  readonly endSeconds: Float64Array;
}

export interface OccurrencesQuery extends TimelineOf {
  /** Index into the states. */
  readonly state: number;
  readonly lanes: readonly number[];
  /** Places that are listed. */
  readonly most: number;
}

/** All events of a function. */
export interface Occurrences {
  readonly count: number;
  /** Sum of the lengths of all. */
  readonly totalSeconds: number;
  readonly bins: DurationBins;
  /** The longest ones first, of equal ones the earliest. */
  readonly longest: EventPlaces;
}

export interface EventPlace {
  readonly lane: number;
  readonly event: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface NextOccurrenceQuery extends TimelineOf {
  readonly state: number;
  readonly lanes: readonly number[];
  /** The event from which on. */
  readonly lane: number;
  readonly event: number;
  readonly isBackwards: boolean;
}

/** Where a chain of messages or launches goes on; or why it does not, a sentence without its full stop. */
export type ChainStep =
  | (EventPlace & { readonly kind: "message" | "flow" | "launch" | "lane" })
  | { readonly kind: "none"; readonly why: string };

export interface WindowQuery extends TimelineOf {
  readonly lanes: readonly number[];
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** What a lane waited for others in a window, by who kept it waiting. */
export interface LaneWaits {
  readonly lane: number;
  /** Seconds. */
  readonly lateSender: number;
  readonly lateReceiver: number;
  readonly collective: number;
  readonly count: number;
  /** The event of the longest wait; from its start until its cause. */
  readonly longest: EventPlace;
  readonly longestSeconds: number;
}

/** When ranks began: the first record of each. What others had of them before that is in no wait, since `MPI_Init` waits for nobody by rule. */
export interface RankStarts {
  readonly firstSeconds: number;
  readonly lastSeconds: number;
  /** A lane of the rank that began last. */
  readonly lastLane: number;
}

export interface WaitTotals {
  readonly rows: readonly LaneWaits[];
  /** Of the ranks of these lanes; absent where fewer than two have events. */
  readonly starts?: RankStarts;
  /** What is not recorded, parts of a sentence. */
  readonly missing: readonly string[];
}

/** A function on the critical path, or, with the state NONE, what no event covers there. */
export interface PathFunction {
  readonly state: number;
  readonly seconds: number;
  /** The event that is on it for longest. */
  readonly lane: number;
  readonly event: number;
}

/** The critical path of the run, as far as it lies in a window. */
export interface CriticalPath {
  /** By ascending time, without gaps. */
  readonly lane: Int32Array;
  readonly startSeconds: Float64Array;
  readonly endSeconds: Float64Array;
  /** Most time first; empty where only the path was asked for. */
  readonly functions: readonly PathFunction[];
  readonly missing: readonly string[];
}
