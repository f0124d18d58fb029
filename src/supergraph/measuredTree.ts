/** What is measured of a graph, and what over. */

/** A function through which a bar is entered. */
export interface Entry {
  readonly bar: number;
  readonly function: number;
  /** First context of the whole tree that is such an entry. */
  readonly context: number;
}

/** Measured numbers of a graph (semantics 2.4), in the metric's unit. */
export interface Measures {
  readonly total: number;
  /** Hidden values without a kept ancestor. */
  readonly hidden: number;
  /** All hidden values. */
  readonly filtered: number;
  /** One value a bar. */
  readonly bars: { readonly inclusive: Float64Array; readonly exclusive: Float64Array; readonly hidden: Float64Array };
  /** One value an edge. */
  readonly edges: Float64Array;
  /** One value per entry function, in the order of {@link MeasuredTree.entries}. */
  readonly entries: { readonly inclusive: Float64Array; readonly exclusive: Float64Array };
}

/**
 * The entries of all bars as a tree: what numbers are summed over. A number per rank costs one pass over these rows and not
 * over the contexts.
 */
export interface MeasuredTree {
  readonly size: number;
  readonly parent: Int32Array;
  readonly bar: Int32Array;
  readonly edge: Int32Array;
  readonly entry: Int32Array;
  /** Row of each context of the whole tree; NONE: hidden without a kept ancestor. */
  readonly rowOf: Int32Array;
  /** 1 where a context of the whole tree is hidden. */
  readonly isHidden: Uint8Array;
  /** Distinct (bar, function) of entries. */
  readonly entries: readonly Entry[];
}
