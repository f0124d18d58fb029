import type { MicroscopicModel } from "../../aggregation/microscopicModel";
import type { OverviewFirst, OverviewNode } from "./overviewApi";

/** A microscopic model with what its numbers stand for. */
export interface TraceModel extends MicroscopicModel {
  /** What values are made of, at the same places: seconds and events that begin; of a variable value · seconds, and seconds. */
  readonly amounts: Float64Array;
  readonly counts: Float64Array;
  readonly nodes: readonly OverviewNode[];
  readonly names: readonly string[];
  /** Of each state: index into `eventKinds`, -1 of several as one. */
  readonly kinds: readonly number[];
  readonly stateTypes: readonly string[];
  readonly stateType: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly uncoveredSeconds: number;
  /** Names of variables of the recording. */
  readonly variables: readonly string[];
  /** Leaves of the recording, where only some are looked at. */
  readonly allLeaves: number;
  /** Seconds that may be counted in the slice beside theirs; absent: none. */
  readonly withinSeconds?: number;
  /** Where the hierarchy is the first one: which that is, as far as it is known. */
  readonly first?: OverviewFirst;
}
