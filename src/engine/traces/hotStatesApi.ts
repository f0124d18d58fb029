/** Answer with the states of a trace by time. Plain data. */
import type { EventKind } from "../../model/eventKinds";
import type { GroupMap } from "../../supergraph/query";
import type { FunctionPlace } from "../lines/lineApi";
import type { TransferRow } from "./traceApi";

export interface HotStatesQuery {
  readonly dataSet: number;
  /** The user's table of names and categories. */
  readonly categories?: GroupMap;
}

/** One place of a state. */
export interface HotStateLine extends FunctionPlace {
  /** Name of the state. */
  readonly name: string;
  /** Time in which the state was innermost at this place, summed over all lanes. */
  readonly seconds: number;
}

export interface HotState {
  readonly name: string;
  /** Category of most of its time. */
  readonly kind: EventKind;
  /** Time in which the state was innermost, summed over all lanes. */
  readonly seconds: number;
  /** Number of its events. */
  readonly count: number;
  /** Duration of its longest event. */
  readonly longestSeconds: number;
  /** Places of the state, most time first; empty if its events have no name. */
  readonly lines: readonly HotStateLine[];
}

export interface HotStates {
  /** Time of the run multiplied by the number of lanes. */
  readonly laneSeconds: number;
  /** Number of lanes, without those of instants. */
  readonly lanes: number;
  /** Most time first. */
  readonly states: readonly HotState[];
}

/** Work of a trace's GPUs, in short. */
export interface GpuWork {
  /** Kernels of all lanes, most time first. */
  readonly states: HotStates;
  readonly transfers: readonly TransferRow[];
  /** Result of "bound by" for all GPUs, or their share without work, with the figures behind it. Undefined without GPU events that last. */
  readonly bound?: { readonly label: string; readonly value: string; readonly over: string };
}
