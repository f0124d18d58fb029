/** What may be asked of a run as a whole, and of stretches of it. Times in seconds of the trace, sizes in bytes. */
import type { BoundTimes } from "../../model/boundBy";
import type { Chosen } from "../../model/members";
import type { TimeWindow } from "../scope";
import type { TimelineOf } from "./timelineApi";

export interface BoundQuery extends TimelineOf {
  readonly chosen?: Chosen;
  /** The part of it that lies in the run; all of the run unless said. */
  readonly window?: TimeWindow;
}

export interface ClockQuery extends BoundQuery {
  /** How long the clock goes, from the window's beginning, where that is longer than the window: what is behind it is empty. */
  readonly lengthSeconds?: number;
}

/** Stretches of equal length, one after the other; what they have adds up to what all of it has. */
export interface ClockStretches {
  readonly count: number;
  /** Stretch by stretch and kind by kind ({@link eventKinds}): seconds of innermost events, summed over CPU lanes, and over GPU lanes. */
  readonly cpu: Float64Array;
  readonly gpu: Float64Array;
  /** As in {@link BoundTimes}. */
  readonly computing: Float64Array;
  readonly movement: Float64Array;
  readonly hidden: Float64Array;
  readonly communication: Float64Array;
  /** Of copies and migrations, spread evenly over their time. */
  readonly bytes: Float64Array;
}

/** A run as a clock. */
export interface Clock {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  /** Where the window ends: behind it nothing is known. */
  readonly endSeconds: number;
  readonly cpuLanes: number;
  readonly gpuLanes: number;
  /** Twelve. */
  readonly sectors: ClockStretches;
  /** Each sector in ten. */
  readonly fine: ClockStretches;
  /** Of the window. */
  readonly bound: BoundTimes;
  /** Transfers were recorded with some size. */
  readonly hasBytes: boolean;
  /** Communication is MPI and nothing else. */
  readonly isMpi: boolean;
  /** GPUs that name no rank: a restriction leaves them out. */
  readonly leftOutGpus: number;
}

export type { BoundTimes };
