/** What may be asked of a run's iterations and phases. Times in seconds of the trace. */
import type { TimelineOf } from "./timelineApi";

export interface PhasesQuery extends TimelineOf {
  readonly series: string;
  readonly lanes: readonly number[];
  readonly most: number;
}

/** By ascending start. */
export interface Phases {
  readonly name: readonly string[];
  /** From the first lane's begin to the last lane's end. */
  readonly fromSeconds: Float64Array;
  readonly toSeconds: Float64Array;
  /** In how many lanes it is. */
  readonly lanes: Int32Array;
  /** How long it took in a lane; 0 for a mark. */
  readonly meanSeconds: Float64Array;
  readonly longestSeconds: Float64Array;
  /** Where it took longest. */
  readonly lane: Int32Array;
  readonly event: Int32Array;
  /** Phases after these. */
  readonly more: number;
}
