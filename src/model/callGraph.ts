import type { LineValues } from "./lineValues";
import type { SparseValues } from "./values";

/**
 * A measured call graph: functions, lines and caller edges without contexts (callgrind). Heat, CodeLens, hover, hot
 * functions, callers and callees are these values; the calling context tree beside it is estimated from them (semantics 1,
 * Call-graph formats). All values by metric, then one row per line, call or function and one column per location.
 */
export interface CallGraph {
  /** Frame of each function: its name, file, load module. */
  readonly functions: Int32Array;
  /**
   * Cost of each line of a function, exclusive, by function, file, line: those of function f are the rows
   * `start[f] … start[f + 1] - 1`.
   */
  readonly lines: {
    readonly count: number;
    readonly start: Int32Array;
    /** Frame of kind `line`, for inlined code of another file than the function's; NONE where no line is known. */
    readonly frame: Int32Array;
  };
  /** Calls between functions at one line, by caller, callee, line. */
  readonly calls: {
    readonly count: number;
    readonly caller: Int32Array;
    readonly callee: Int32Array;
    /** Frame of kind `line`: where the call stands; NONE where no line is known. */
    readonly frame: Int32Array;
    /** Number of calls, over all locations. */
    readonly calls: Float64Array;
  };
  /** Rows are those of `lines`. */
  readonly exclusive: readonly LineValues[];
  /** Rows are those of `calls`: what the calls cost, callees included; of recursive calls the outermost ones. */
  readonly inclusive: readonly LineValues[];
  /** Rows are those of `functions`: what a function costs, callees included, each recursion counted once. */
  readonly functionInclusive: readonly SparseValues[];
  /** By function: 1 where its inclusive is only known not to be more, since recursion was not told apart. */
  readonly atMost: Uint8Array;
}

/** The function of a row of lines. */
export function functionOfLine({ start }: CallGraph["lines"], row: number): number {
  let from = 0;
  let to = start.length - 2;
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if (start[middle] <= row) from = middle;
    else to = middle - 1;
  }
  return from;
}
