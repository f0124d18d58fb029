/** What may be asked of flame graphs, sandwiches and the inside of a bar. Plain data; values in the metric's unit. */
import type { Renamed } from "../../model/jointFunctions";
import type { GraphQuery, Scope } from "../scope";
import type { NamelessRow } from "../trees/treeApi";
import type { Named } from "../../model/shortName";
import type { SourceLink } from "../../model/sourceLinks";

/** What is drawn. */
export type FlameOf =
  | { readonly kind: "recording" }
  /** What a function calls: its outermost calls laid together, so that each recursion counts once (semantics 1). */
  | { readonly kind: "callees"; readonly function: number }
  /** Who calls it: the same calls, divided by their callers, those by theirs, and so on. */
  | { readonly kind: "callers"; readonly function: number }
  /** The contexts of a bar of the super graph, its entries as roots. */
  | { readonly kind: "bar"; readonly query: GraphQuery; readonly bar: string };

/**
 * `left-heavy`: contexts of one function below one caller are one rectangle (lines and loops are part of their function),
 * heaviest first. `call-order`: every context by itself, lines and loops too, as the tree has them. Callers and callees
 * are always laid together by function: there, the second gives the order only.
 */
export type FlameOrder = "left-heavy" | "call-order";

/** What rectangles may be coloured by: the function, the file of its definition, or its load module. */
export type FlameGrouping = "function" | "file" | "module";

export interface FlameQuery {
  readonly scope: Scope;
  readonly of: FlameOf;
  readonly order: FlameOrder;
  /** The baseline that each rectangle's exclusive is set beside; widths stay those of `scope`. */
  readonly compared?: Scope;
  readonly renamed?: Renamed;
}

/** The part that is in sight. */
export interface FlameWindow {
  /** Horizontally, in the metric's unit: 0 is the left end of the first root. Or shares of the whole width, 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly asShares?: boolean;
  /** Pixels between `from` and `to`. */
  readonly width: number;
  /** Levels from `firstDepth` up to, not including, `endDepth`; roots are at 0. */
  readonly firstDepth: number;
  readonly endDepth: number;
  readonly search?: string;
  readonly groupBy?: FlameGrouping;
  /** At most 20,000, which it is unless said. */
  readonly mostRectangles?: number;
}

/** Bits of {@link FlameRectangles.flags}. */
export const flameFlags = {
  /** Holds the searched text; of several together: one of them does. */
  found: 1,
  /** Stands for what is called out of the bar. */
  outgoing: 2,
  /** Stands for what the filter of the super graph hides. */
  hidden: 4,
  /** Below a pixel: what it calls is not drawn. */
  narrow: 8,
  /** The baseline has none of it, which is not 0. */
  fresh: 16,
  /** The tool had no name of it. */
  nameless: 32,
  /** The kernel's. */
  kernel: 64,
} as const;

/** Rectangles as columns, parents before children, from left to right. */
export interface FlameRectangles {
  readonly count: number;
  readonly depth: Int32Array;
  /** Metric's unit. */
  readonly x: Float64Array;
  /** What is drawn: inclusive, negative exclusive values being 0; for minima and maxima the mean's. */
  readonly width: Float64Array;
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  /** Index of the rectangle above it; -1 where that is not among them. */
  readonly parent: Int32Array;
  /** Index into {@link Flames.names}. */
  readonly name: Int32Array;
  /** Names it in {@link Engine.flameDetails}; of several together: the first. */
  readonly node: Int32Array;
  /** How many neighbours, each below a pixel, are drawn together; 1 for a rectangle of its own. */
  readonly together: Int32Array;
  /** Number of consecutive frames without a name that it stands for; 1 for all others. */
  readonly frames: Int32Array;
  /** Index into {@link Flames.groups}; -1: of none. */
  readonly group: Int32Array;
  readonly flags: Uint8Array;
  /** Exclusive in the baseline, of the same path of functions; absent: nothing is compared. */
  readonly baseline?: Float64Array;
}

/** A box of the drawing. */
export interface FlamePlace {
  readonly node: number;
  readonly depth: number;
  readonly x: number;
  readonly width: number;
}

export interface Flames {
  readonly rectangles: FlameRectangles;
  /** What rectangles are called: of each function its own, though another one may be called the same. */
  readonly names: readonly string[];
  /** What is shown of each of `names`. */
  readonly shown: readonly string[];
  /** Heaviest exclusive first, over everything that is drawn, in sight or not. */
  readonly groups: readonly string[];
  /** Width of everything. */
  readonly width: number;
  /** What shares are shares of: the metric's total in this scope. */
  readonly total: number;
  /** Number of levels. */
  readonly levels: number;
  /** Number of rectangles, were they all wide enough. */
  readonly nodes: number;
  /** Largest exclusive: the end of the colour ramp. */
  readonly hottest: number;
  /** Largest |difference| of an exclusive from the baseline's. */
  readonly largestDifference?: number;
  /** Those that cover the whole window from left to right, outermost first; of many the innermost. */
  readonly covering: readonly (FlamePlace & Named)[];
  readonly found?: {
    /** How many hold the text. */
    readonly count: number;
    /** Their inclusive, each within another one counted once; drawn width. */
    readonly width: number;
    /** The widest, at most 200, outermost ones only; as they are drawn, from left to right. */
    readonly places: readonly FlamePlace[];
  };
  /** Sentences that the view must show. */
  readonly notes: readonly string[];
}

/** One rectangle explained. */
export interface FlameDetails {
  readonly name: string;
  /** Names from the root (of callers: from the function asked about) to it; of a deep one the innermost. */
  readonly path: readonly string[];
  /** Steps left out before `path`. */
  readonly pathBefore: number;
  /** The heaviest context that it stands for; of callers: of the caller. */
  readonly context: number;
  readonly function: number;
  /** Calling contexts that are drawn as this one rectangle; of callers: calls of the function asked about. */
  readonly contexts: number;
  readonly link: SourceLink;
  /** Frames without a name that `context` stands for. */
  readonly nameless?: NamelessRow;
}
