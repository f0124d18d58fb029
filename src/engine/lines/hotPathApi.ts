/** What may be asked of hot paths. Plain data. */
import type { SourceLink } from "../../model/sourceLinks";

export interface HotPathStep {
  readonly context: number;
  /** As it is shown. */
  readonly name: string;
  /** In the metric's unit. */
  readonly inclusive: number;
}

/** The way from a context down to where the cost no longer goes on in one piece. */
export interface HotPath {
  /**
   * Calls from where the path begins to where it ends. Lines and loops between are left out, and of a long path the middle:
   * {@link HotPath.leftOut} calls before the last ones.
   */
  readonly steps: readonly HotPathStep[];
  /** How many of `steps`, from its beginning, stand before the calls that were left out. */
  readonly leftOutAfter: number;
  readonly leftOut: number;
  /** How deep the last one lies in the tree; 1 for a root. */
  readonly depth: number;
  readonly stopped:
    | { readonly why: "leaf" }
    | { readonly why: "nothing" }
    /** Its heaviest callee keeps this share of it (0 to 1), which is less than was asked for. */
    | { readonly why: "share"; readonly name: string; readonly share: number };
  /** Of the last one. */
  readonly link: SourceLink;
  /** Where the last one has no line: the nearest context above it that has. */
  readonly nearest?: { readonly name: string; readonly link: SourceLink };
  /** Calling contexts stand for a call graph (semantics 1, Call-graph formats). */
  readonly estimated: boolean;
}
