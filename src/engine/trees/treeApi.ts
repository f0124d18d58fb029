/** Rows of hot functions, calling contexts and callers. Plain data. */
import type { FrameKind, RegionOrigin } from "../../model/frames";
import type { Named } from "../../model/shortName";
import type { SourceLink } from "../../model/sourceLinks";
import type { UnrankedCosts } from "../dataSets/unranked";

/** A function or a calling context of one reading of a recording. */
export interface NumberedTarget {
  readonly kind: "function" | "context";
  readonly id: number;
}

/** One that was kept, which another reading may number otherwise. */
export interface NamedTarget extends NumberedTarget {
  readonly name: string;
  /** Of its full name, where that was asked for. */
  readonly digest?: string;
}

/** Its number and the digest of its full name now, where there is exactly one; `count` is 2 where there are several. */
export type FoundTarget =
  | { readonly count: 1; readonly id: number; readonly digest: string }
  | { readonly count: number; readonly id?: undefined };

/** Frames without a name that a row stands for: all of one load module. */
export interface NamelessRow {
  /** Hexadecimal address of the innermost frame that most samples have. */
  readonly address: string;
  /** Maximum number of such frames, one inside the other. */
  readonly frames: number;
}

/** A row of the hot function list. */
export interface FunctionRow extends Named {
  /** Id of the function in this data set (semantics 1, "Function of a context"). */
  readonly function: number;
  readonly detail: string;
  readonly exclusive: number;
  readonly inclusive: number;
  /** Its inclusive is only known not to be more ({@link CallGraph.atMost}). */
  readonly atMost?: boolean;
  readonly noRank?: UnrankedCosts;
  readonly contexts: number;
  /** Values of its context with the largest exclusive cost. */
  readonly nameless?: NamelessRow;
}

/** A row of the calling context tree, top-down. */
export interface ContextRow extends Named {
  readonly context: number;
  readonly kind: FrameKind;
  readonly origin: RegionOrigin;
  readonly detail: string;
  readonly exclusive: number;
  readonly inclusive: number;
  readonly noRank?: UnrankedCosts;
  readonly children: number;
  readonly nameless?: NamelessRow;
}

/** One context with the names along its path, as they are shown. */
export interface ContextDetails extends ContextRow {
  readonly path: readonly string[];
  readonly link: SourceLink;
  readonly function: number;
}

/** A row of the callers tree: `path` is the function asked for, then its callers, innermost first. */
export interface CallerRow extends Named {
  readonly path: readonly number[];
  /** Of the function at the path's start, along this chain of callers. */
  readonly exclusive: number;
  readonly inclusive: number;
  /** Of a function that no caller was asked of: as in {@link FunctionRow}. */
  readonly atMost?: boolean;
  readonly noRank?: UnrankedCosts;
  readonly callers: number;
}
