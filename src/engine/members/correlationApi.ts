/** What may be asked of how two values of the same things go together. Plain data. */
import type { Correlation } from "../../analysis/correlation";
import type { Density } from "../../analysis/density";
import type { LocationUnit } from "../../model/members";
import type { Scope } from "../scope";
import type { SpreadTarget } from "./spreadApi";

export type { Correlation } from "../../analysis/correlation";
export type { Density } from "../../analysis/density";

/** What a point stands for: a rank or another member, or a calling context or function. */
export type PointKind = LocationUnit | "context" | "function";

/** What is laid off along one axis. */
export interface CorrelationAxis {
  /** Both axes are of one data set; of contexts and functions each number is combined over ranks as the scope says. */
  readonly scope: Scope;
  readonly value: "exclusive" | "inclusive";
  /** For points that are members: whose value; undefined: that of the whole recording. */
  readonly target?: SpreadTarget;
  /** It is of nothing in particular yet: what varies over members is to stand there. */
  readonly isOpen?: boolean;
}

/** What is laid off where an axis is open, or of MPI where that does not vary. */
export interface StandIn {
  readonly metric: number;
  readonly value: "exclusive" | "inclusive";
  readonly is: "mpi" | "hottest" | "whole" | "metric";
  /** Of the hottest function. */
  readonly name?: string;
}

export interface CorrelationQuery {
  readonly x: CorrelationAxis;
  readonly y: CorrelationAxis;
  readonly points: PointKind;
  /** Above this many points they are counted by cell instead. */
  readonly mostPoints: number;
  /** Where there is no MPI to be laid off, another metric may be. */
  readonly anyMetric?: boolean;
}

/**
 * Members are all there, whatever the restriction is: what is chosen is shown among the others. Of contexts and functions,
 * those that have neither value are left out.
 */
export interface CorrelationAnswer {
  readonly fit: Correlation;
  readonly standIns?: { readonly x?: StandIn; readonly y?: StandIn };
  /** Points are members: whether the recording has calls of MPI. */
  readonly hasMpi?: boolean;
  /** How many points there are, whether they are listed or counted. */
  readonly count: number;
  /** Contexts or functions without either value. */
  readonly without: number;
  /** Whether each point, listed or counted, has the same value along x and y. */
  readonly same: boolean;
  /** Values, each in its metric's unit; where points are counted, those of the ones that stand for a cell. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** How each is called: key of a member, name of a context or function. */
  readonly names: readonly string[];
  /** The same with the load modules of functions whose names the tool did not know; absent where it knew all. */
  readonly placed?: readonly string[];
  /** Members: the functions that axes are of, called in that way. */
  readonly functions?: { readonly x?: string; readonly y?: string };
  /** Number of each context or function; of members their place among all members. */
  readonly ids: Int32Array;
  /** Members that the restriction of x's scope leaves something of; absent without one. */
  readonly chosen?: Uint8Array;
  /** Set where there are more points than asked for: cell by cell in the order of {@link names}. */
  readonly density?: Omit<Density, "points">;
}
