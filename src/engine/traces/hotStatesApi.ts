/** States of a trace, by time. Plain data. */
import type { FunctionPlace } from "../lines/lineApi";

/** One place that lanes were in a state at. */
export interface HotStateLine extends FunctionPlace {
  /** The state's. */
  readonly name: string;
  /** In which it was innermost, over all lanes. */
  readonly seconds: number;
}

export interface HotState {
  readonly name: string;
  /** In which it was innermost, over all lanes. */
  readonly seconds: number;
  /** Events. */
  readonly count: number;
  /** The longest of its events. */
  readonly longestSeconds: number;
  /** Where it was recorded, most time first; empty if the events have no name. */
  readonly lines: readonly HotStateLine[];
}

export interface HotStates {
  /** Time of the run, once for each lane of events. */
  readonly laneSeconds: number;
  /** Lanes of events that last. */
  readonly lanes: number;
  /** Most time first. */
  readonly states: readonly HotState[];
}
