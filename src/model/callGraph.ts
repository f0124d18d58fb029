/**
 * A measured call graph: functions, lines and caller edges without contexts (callgrind). Heat, CodeLens, hover, hot
 * functions, callers and callees are these values; the calling context tree beside it is estimated from them (semantics 1,
 * Call-graph formats). All values by metric, then over locations: `values[metric]`, a column a location.
 */
export interface CallGraph {
  /** Frame of each function: its name, file, load module. */
  readonly functions: Int32Array;
  /** Cost of each line of a function, exclusive: several rows a function, by function, file, line. */
  readonly lines: {
    readonly count: number;
    readonly function: Int32Array;
    /** Frame of kind `line`, with file and line: for inlined code another file than the function's. */
    readonly frame: Int32Array;
  };
  /** Calls between functions at one line, by caller, callee, line. */
  readonly calls: {
    readonly count: number;
    readonly caller: Int32Array;
    readonly callee: Int32Array;
    /** Frame of kind `line`: where the call stands. */
    readonly frame: Int32Array;
    /** Number of calls. */
    readonly calls: Float64Array;
  };
  /** Rows are those of `lines`. */
  readonly exclusive: readonly CallGraphValues[];
  /** Rows are those of `calls`: what the calls cost, callees included. */
  readonly inclusive: readonly CallGraphValues[];
}

/** A row a line or call, a column a location. */
export interface CallGraphValues {
  readonly locations: number;
  /** `value[row * locations + location]`. */
  readonly value: Float64Array;
}
