import type { MicroscopicModel } from "../../aggregation/microscopicModel";
import type { OverviewFirst, OverviewNode } from "./overviewApi";

/** A microscopic model with what its numbers stand for. */
export interface TraceModel extends MicroscopicModel {
  /** Sums behind `values`, at the same indices: seconds and events that begin. For a variable: value · seconds, and seconds. */
  readonly amounts: Float64Array;
  readonly counts: Float64Array;
  readonly nodes: readonly OverviewNode[];
  readonly names: readonly string[];
  /** Kind of each state: index into `eventKinds`. -1 for several states as one. */
  readonly kinds: readonly number[];
  readonly stateTypes: readonly string[];
  readonly stateType: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly uncoveredSeconds: number;
  /** Names of variables of the recording. */
  readonly variables: readonly string[];
  /** Number of leaves of the recording, also if the model has only some of them. */
  readonly allLeaves: number;
  /** Seconds that may be counted in a neighbouring slice. Absent if times are exact. */
  readonly withinSeconds?: number;
  /** The initial hierarchy, as far as it is known. Absent if the user chose one. */
  readonly first?: OverviewFirst;
}
