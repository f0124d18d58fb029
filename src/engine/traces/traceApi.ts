/** What may be asked of a trace: counts and totals; rows are plain data, `more` says how many were left out. */
import type { CategoryKind } from "../../model/trace";

/** Events of one kind. */
export interface CategoryRow {
  readonly name: string;
  readonly kind: CategoryKind;
  readonly events: number;
  /** In which the innermost event was one of the category, over all lanes. */
  readonly seconds: number;
}

/** A quantity by iteration or time step. */
export interface SeriesInfo {
  readonly name: string;
  /** Index into the data set's metrics. */
  readonly metric: number;
  readonly iterations: number;
  /** Values: by iteration, context and location. */
  readonly rows: number;
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly more: number;
}

/** A row of the lanes, in the trace's order. */
export interface LaneRow {
  readonly lane: number;
  readonly name: string;
  readonly kind: "intervals" | "instants";
  readonly events: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly coveredSeconds: number;
  /** From the lane's first start to its last end, time that no event covers. */
  readonly uncoveredSeconds: number;
  /** What the lane was in, innermost, heaviest first. */
  readonly frames: readonly { readonly name: string; readonly seconds: number }[];
  readonly moreFrames: number;
}

/** One counter; of one that grows, its rates. */
export interface CounterRow {
  readonly counter: number;
  readonly name: string;
  readonly unit: string;
  /** Names from the root of the resources down; "" where the counter belongs to none. */
  readonly resource: string;
  readonly points: number;
  readonly minimum: number;
  readonly maximum: number;
  /** By time, from the first point to the last one; of points that are all at one time, their plain mean. */
  readonly mean: number;
}

/** Messages between two resources; "" for a side that was not recorded. */
export interface MessagePairRow {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly bytes: number;
}

/** Transfers of one direction between two devices, NONE (-1) for the host. */
export interface TransferRow {
  readonly direction: string;
  readonly fromDevice: number;
  readonly toDevice: number;
  readonly count: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** One iteration: the sum over all contexts and locations, in the metric's unit. */
export interface SeriesRow {
  readonly iteration: number;
  readonly value: number;
}

/** A resource below another one. */
export interface ResourceRow {
  readonly resource: number;
  readonly name: string;
  readonly type: string;
  readonly children: number;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}
