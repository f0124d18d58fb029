/** Rows of hot functions, calling contexts and callers. Plain data. */
import type { MemberStatistics } from "../../analysis/rankStatistics";
import type { FrameKind, RegionOrigin } from "../../model/frames";
import type { SourceLink } from "../../model/sourceLinks";

/** A row of the hot function list. */
export interface FunctionRow {
  /** Id of the function in this data set (semantics 1, "Function of a context"). */
  readonly function: number;
  readonly name: string;
  readonly detail: string;
  readonly exclusive: number;
  readonly inclusive: number;
  readonly contexts: number;
}

/** A row of the calling context tree, top-down. */
export interface ContextRow {
  readonly context: number;
  readonly name: string;
  readonly kind: FrameKind;
  readonly origin: RegionOrigin;
  readonly detail: string;
  readonly exclusive: number;
  readonly inclusive: number;
  readonly children: number;
}

/** One context with the names along its path. */
export interface ContextDetails extends ContextRow {
  readonly path: readonly string[];
  readonly overRanks?: MemberStatistics;
  readonly link: SourceLink;
  readonly function: number;
}

/** A row of the callers tree: `path` is the function asked for, then its callers, innermost first. */
export interface CallerRow {
  readonly path: readonly number[];
  readonly name: string;
  /** Of the function at the path's start, along this chain of callers. */
  readonly exclusive: number;
  readonly inclusive: number;
  readonly callers: number;
}
