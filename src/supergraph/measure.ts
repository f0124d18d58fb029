import type { FunctionTable } from "../model/functions";
import { NONE } from "../model/ids";
import type { SparseValues } from "../model/values";
import type { Bars } from "./bars";
import { pairIndex } from "./columns";
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

/** Measures a graph. Sums run over contexts in the tree's order, then over rows, so they are the same bit for bit. */
export function measure(tree: MeasuredTree, bars: Bars, what: Measurement, check: () => void): Measures {
  if ("exclusive" in what) {
    const sums = new RowSums(tree);
    for (let context = 0; context < what.exclusive.length; context++) sums.add(context, what.exclusive[context]);
    return sums.measures(bars);
  }
  return extremes(tree, bars, what, check);
}

function extremes(
  tree: MeasuredTree,
  bars: Bars,
  { extreme, values, rankOf, ranks }: Extract<Measurement, { extreme: string }>,
  check: () => void,
): Measures {
  const pick = extreme === "max" ? Math.max : Math.min;
  const byRank = cellsByRank(values, rankOf, ranks);
  let result: Measures | undefined;
  for (let rank = 0; rank < ranks; rank++) {
    check();
    const sums = new RowSums(tree);
    for (let at = byRank.start[rank]; at < byRank.start[rank + 1]; at++) sums.add(byRank.context[at], byRank.value[at]);
    const one = sums.measures(bars);
    result = result === undefined ? one : combine(result, one, pick);
  }
  return result ?? new RowSums(tree).measures(bars);
}

/** Cells sorted by rank, each rank's by context; values that are no number are left out (semantics 1, Order). */
function cellsByRank(values: SparseValues, rankOf: Int32Array, ranks: number) {
  const start = new Int32Array(ranks + 1);
  const rankAt = (cell: number) => (Number.isFinite(values.value[cell]) ? rankOf[values.column[cell]] : NONE);
  const cells = values.value.length;
  for (let cell = 0; cell < cells; cell++) if (rankAt(cell) !== NONE) start[rankAt(cell) + 1]++;
  for (let rank = 0; rank < ranks; rank++) start[rank + 1] += start[rank];
  const next = start.slice(0, ranks);
  const context = new Int32Array(start[ranks]);
  const value = new Float64Array(start[ranks]);
  for (let row = 0; row + 1 < values.rowStart.length; row++) {
    for (let cell = values.rowStart[row]; cell < values.rowStart[row + 1]; cell++) {
      const rank = rankAt(cell);
      if (rank === NONE) continue;
      context[next[rank]] = row;
      value[next[rank]++] = values.value[cell];
    }
  }
  return { start, context, value };
}

function combine(a: Measures, b: Measures, pick: (x: number, y: number) => number): Measures {
  const both = (x: Float64Array, y: Float64Array) => x.map((value, at) => pick(value, y[at]));
  return {
    total: pick(a.total, b.total),
    hidden: pick(a.hidden, b.hidden),
    filtered: pick(a.filtered, b.filtered),
    bars: {
      inclusive: both(a.bars.inclusive, b.bars.inclusive),
      exclusive: both(a.bars.exclusive, b.bars.exclusive),
      hidden: both(a.bars.hidden, b.bars.hidden),
    },
    edges: both(a.edges, b.edges),
    entries: {
      inclusive: both(a.entries.inclusive, b.entries.inclusive),
      exclusive: both(a.entries.exclusive, b.entries.exclusive),
    },
  };
}

/** Adds exclusive values up by row, and derives every number of the graph from the rows. */
class RowSums {
  private readonly exclusive: Float64Array;
  private readonly hidden: Float64Array;
  private outside = 0;

  constructor(private readonly tree: MeasuredTree) {
    this.exclusive = new Float64Array(tree.size);
    this.hidden = new Float64Array(tree.size);
  }

  add(context: number, value: number): void {
    const row = this.tree.rowOf[context];
    if (row === NONE) this.outside += value;
    else if (this.tree.isHidden[context] === 1) this.hidden[row] += value;
    else this.exclusive[row] += value;
  }

  measures(bars: Bars): Measures {
    const { tree, exclusive, hidden } = this;
    const inclusive = exclusive.map((own, row) => own + hidden[row]);
    const result = {
      inclusive: new Float64Array(bars.size),
      exclusive: new Float64Array(bars.size),
      hidden: new Float64Array(bars.size),
    };
    const edges = new Float64Array(bars.source.length);
    const entries = {
      inclusive: new Float64Array(tree.entries.length),
      exclusive: new Float64Array(tree.entries.length),
    };
    let total = this.outside;
    // Backwards, every row is complete before it is added to its parent.
    for (let row = tree.size - 1; row >= 0; row--) {
      const bar = tree.bar[row];
      const sum = inclusive[row];
      result.inclusive[bar] += sum;
      result.exclusive[bar] += exclusive[row];
      result.hidden[bar] += hidden[row];
      entries.inclusive[tree.entry[row]] += sum;
      entries.exclusive[tree.entry[row]] += exclusive[row];
      if (tree.parent[row] === NONE) total += sum;
      else inclusive[tree.parent[row]] += sum;
      if (tree.edge[row] !== NONE) edges[tree.edge[row]] += sum;
    }
    const filtered = result.hidden.reduce((sum, value) => sum + value, this.outside);
    return { total, hidden: this.outside, filtered, bars: result, edges, entries };
  }
}
