/** What a pass over a trace tells of its states, where nothing is kept of its events. */
import type { Resource } from "./resources";
import type { CategoryKind } from "./trace";
import type { Task } from "./task";
import type { Warning } from "./warning";

/**
 * Gets what tracks are in: a track is one type of states, or one variable, of one resource. Times of a track ascend; they count from the
 * trace's zero, but for {@link InnermostTrace.leadSeconds}.
 */
export interface InnermostTaker {
  /** A track was in the innermost of its states. @param begins the state begins with it; such a piece may have no length */
  spend(track: number, value: number, fromSeconds: number, toSeconds: number, begins: boolean): void;
  /** A variable had a value. */
  level(track: number, fromSeconds: number, toSeconds: number, value: number): void;
}

/** What is known behind the last line. */
export interface InnermostTrace {
  readonly name: string;
  readonly resources: readonly Resource[];
  /** By number: index into the resources (NONE: of the whole), its name there, its type. */
  readonly tracks: readonly {
    readonly resource: number;
    readonly name: string;
    readonly type: string;
    readonly kind: "state" | "variable" | "other";
  }[];
  /** By value of a state; those without one are called as their type. */
  readonly values: readonly { readonly name: string; readonly kind: CategoryKind }[];
  /** Names of types of variables. */
  readonly variables: readonly string[];
  readonly endSeconds: number;
  /** Seconds to add to all times that were handed over: more than 0 if a line was earlier than the first one, and the zero was not known. */
  readonly leadSeconds: number;
  readonly warnings: readonly Warning[];
}

export interface InnermostOptions {
  /** Variables are handed over, too. */
  readonly withVariables: boolean;
  /** The trace's zero on the recording's own clock; undefined if nothing was read of it before. */
  readonly zeroSeconds?: number;
}

/** One more pass over a recording. @throws FormatError, CancelledError */
export type ReadInnermost = (taker: InnermostTaker, options: InnermostOptions, task: Task) => Promise<InnermostTrace>;
