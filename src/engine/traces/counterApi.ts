/** What may be asked of quantities over time: recorded counters, and what follows from events and messages. Times in seconds of the trace. */
import type { EventKind } from "../../model/eventKinds";
import type { Chosen } from "../../model/members";
import type { GroupMap } from "../../supergraph/query";

export interface CountersOf {
  readonly dataSet: number;
  /** Whose lanes and messages count; absent: all. */
  readonly chosen?: Chosen;
  /** The user's table of kinds. */
  readonly categories?: GroupMap;
  /** Recorded rows alone, which are the first ones: no event is looked at for the others. */
  readonly recordedOnly?: boolean;
}

/**
 * `level`: as recorded, from each point to the next. `rate`: of a counter that grows, per second between two points. `derived`: a step
 * function that follows from events, messages or transfers.
 */
export type CounterShows = "level" | "rate" | "derived";

export interface CounterFact {
  readonly name: string;
  readonly unit: string;
  readonly shows: CounterShows;
  /** How it is made, where it is derived: a clause. */
  readonly says?: string;
  /** What it is of, where it is derived. */
  readonly kind?: EventKind;
  /** Index into {@link CounterFacts.resources}; NONE (-1): of none. */
  readonly resource: number;
  /** That were recorded; of what is derived, steps. */
  readonly points: number;
  /** Of what is shown, over the whole run; NaN: it has no value. */
  readonly least: number;
  readonly most: number;
  /** Lanes of what it was recorded of, ascending; of what is derived, and of no resource, none. */
  readonly lanes: readonly number[];
  /** Whether the chosen members leave it. */
  readonly isLeft: boolean;
}

export interface CounterFacts {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Recorded ones in the trace's order, then derived ones: rows are named by their places. */
  readonly rows: readonly CounterFact[];
  readonly resources: readonly { readonly name: string; readonly type: string; readonly parent: number }[];
}

export interface CounterBandsQuery extends CountersOf {
  readonly rows: readonly number[];
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Of one pixel. */
  readonly pixelSeconds: number;
  /** 40,000 unless said, columns of all rows together: steps are doubled until there are no more. */
  readonly mostColumns?: number;
}

/** What is drawn of some rows, in columns of one width: bins that begin at multiples of it. */
export interface CounterBands {
  /** A power of two, at least a pixel. */
  readonly stepSeconds: number;
  /** What is here: whole columns. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly columns: number;
  /**
   * Row by row, of each column the least and the most that the row shows in it, and the mean, weighted by time. What it begins with is what the
   * one before ended with, unless a step lies on the edge. NaN: there is no value; of the mean, none that lasts.
   */
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly mean: Float64Array;
  /** The steps themselves of rows that have at most one in two columns: those of row r are stepsAt[r] … stepsAt[r + 1] - 1, none where there are more. */
  readonly stepsAt: Int32Array;
  /** The first one is what holds when the stretch begins. */
  readonly seconds: Float64Array;
  readonly value: Float64Array;
}

export interface CounterSumsQuery extends CountersOf {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** Of each row in a window. NaN where it has no value that lasts. */
export interface CounterSums {
  /** In which it has a value. */
  readonly seconds: Float64Array;
  /** Weighted by time. */
  readonly mean: Float64Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** Weighted by time, over mean²; 0 where the mean is 0 (semantics 9). */
  readonly variance: Float64Array;
}

export interface CounterStretchesQuery extends CountersOf {
  readonly row: number;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Stretches of one length. */
  readonly count: number;
}

/** Of one row in stretches one after the other; NaN where it has no value, of the mean none that lasts. */
export type CounterStretches = Pick<CounterSums, "seconds" | "mean" | "least" | "most">;
