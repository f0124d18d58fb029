import type { FunctionTable } from "../model/functions";
import { NONE } from "../model/ids";
import type { SparseValues } from "../model/values";
import type { Bars } from "./bars";
import { pairIndex } from "./columns";
import { extremes } from "./extremes";
import type { FilteredTree } from "./filter";

/**
 * What to measure: exclusive values as one number a context (a sum, a mean or one rank's), or the extreme over ranks of
 * every number. `rankOf` says for each location which of the `ranks` chosen ranks it belongs to, NONE for none of them.
 */
export type Measurement =
  | { readonly exclusive: Float64Array }
  | {
      readonly extreme: "max" | "min";
      readonly values: SparseValues;
      readonly rankOf: Int32Array;
      readonly ranks: number;
    };

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
  /** One value an entry function, in the order of {@link MeasuredTree.entries}. */
  readonly entries: { readonly inclusive: Float64Array; readonly exclusive: Float64Array };
}

/**
 * The entries of all bars as a tree: what numbers are summed over. A number a rank costs one pass over these rows and not
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

/** @param functions function of each context of the whole tree, and how many functions there are */
export function measuredTree(
  kept: FilteredTree,
  bars: Bars,
  functions: Pick<FunctionTable, "ofContext" | "size">,
): MeasuredTree {
  const row = new Int32Array(kept.size);
  const parent = new Int32Array(kept.size);
  const bar = new Int32Array(kept.size);
  const edge = new Int32Array(kept.size);
  const entry = new Int32Array(kept.size);
  const entries: Entry[] = [];
  const entryIndex = pairIndex(bars.size, functions.size);
  let size = 0;
  for (let context = 0; context < kept.size; context++) {
    const above = kept.parent[context];
    if (bars.entryOf[context] !== context) {
      row[context] = row[above];
      continue;
    }
    const original = kept.original[context];
    const callee = functions.ofContext[original];
    bar[size] = bars.ofContext[context];
    entry[size] = entryIndex.get(bar[size], callee);
    if (entry[size] === NONE) {
      entry[size] = entries.push({ bar: bar[size], function: callee, context: original }) - 1;
      entryIndex.set(bar[size], callee, entry[size]);
    }
    parent[size] = above === NONE ? NONE : row[above];
    edge[size] = bars.edgeOf[context];
    row[context] = size++;
  }
  const contexts = kept.home.length;
  const isHidden = new Uint8Array(contexts).fill(1);
  for (const original of kept.original) isHidden[original] = 0;
  return {
    size,
    parent: parent.slice(0, size),
    bar: bar.slice(0, size),
    edge: edge.slice(0, size),
    entry: entry.slice(0, size),
    rowOf: kept.home.map((home) => (home === NONE ? NONE : row[home])),
    isHidden,
    entries,
  };
}

/**
 * Measures a graph. Sums run over contexts in the tree's order, then over rows, so they are the same bit for bit.
 */
export function measure(tree: MeasuredTree, bars: Bars, what: Measurement, check: () => void): Measures {
  return "exclusive" in what ? sums(tree, bars, what.exclusive, check) : extremes(tree, bars, what, check);
}

/** Rows between two looks at whether anybody still waits. */
const ROWS_BETWEEN_CHECKS = 4096;

/** Adds exclusive values up by row, and derives every number of the graph from the rows. */
function sums(tree: MeasuredTree, { size, source }: Bars, exclusive: Float64Array, check: () => void): Measures {
  // Of the contexts of each row; made inclusive below.
  const own = new Float64Array(tree.size);
  const hiddenOf = new Float64Array(tree.size);
  let hidden = 0;
  for (let context = 0; context < exclusive.length; context++) {
    const row = tree.rowOf[context];
    if (row === NONE) hidden += exclusive[context];
    else if (tree.isHidden[context] === 1) hiddenOf[row] += exclusive[context];
    else own[row] += exclusive[context];
  }
  const column = (length: number) => new Float64Array(length);
  const bars = { inclusive: column(size), exclusive: column(size), hidden: column(size) };
  const edges = column(source.length);
  const entries = { inclusive: column(tree.entries.length), exclusive: column(tree.entries.length) };
  let total = hidden;
  for (let row = tree.size - 1; row >= 0; row--) {
    entries.exclusive[tree.entry[row]] += own[row];
    bars.hidden[tree.bar[row]] += hiddenOf[row];
    own[row] += hiddenOf[row];
  }
  // Backwards, every row is complete before it is added to its parent.
  for (let row = tree.size - 1; row >= 0; row--) {
    if (row % ROWS_BETWEEN_CHECKS === 0) check();
    entries.inclusive[tree.entry[row]] += own[row];
    if (tree.parent[row] === NONE) total += own[row];
    else own[tree.parent[row]] += own[row];
    if (tree.edge[row] !== NONE) edges[tree.edge[row]] += own[row];
  }
  // Every row of a bar is one of its entries.
  tree.entries.forEach(({ bar }, entry) => {
    bars.inclusive[bar] += entries.inclusive[entry];
    bars.exclusive[bar] += entries.exclusive[entry];
  });
  const filtered = bars.hidden.reduce((sum, one) => sum + one, hidden);
  return { total, hidden, filtered, bars, edges, entries };
}
