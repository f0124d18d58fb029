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

/**
 * Measures a graph. Sums run over contexts in the tree's order, then over rows, so they are the same bit for bit.
 */
export function measure(tree: MeasuredTree, bars: Bars, what: Measurement, check: () => void): Measures {
  if ("exclusive" in what) {
    const sums = new RowSums(tree, 1);
    sums.addColumn(what.exclusive);
    return extremesOf(sums.measures(bars, check), 1, "max");
  }
  return extremes(tree, bars, what, check);
}

/** Numbers of all rows that are held at once, for as many ranks as that is: 32 MB. */
const MOST_SUMS = 1 << 22;

function extremes(
  tree: MeasuredTree,
  bars: Bars,
  { extreme, values, rankOf, ranks }: Extract<Measurement, { extreme: string }>,
  check: () => void,
): Measures {
  const together = Math.max(1, Math.floor(MOST_SUMS / Math.max(1, tree.size)));
  let result: Measures | undefined;
  for (let first = 0; first < ranks; first += together) {
    const count = Math.min(together, ranks - first);
    const sums = new RowSums(tree, count);
    sums.addCells(values, rankOf, first, check);
    const some = extremesOf(sums.measures(bars, check), count, extreme);
    result = result === undefined ? some : combine(result, some, extreme === "max" ? Math.max : Math.min);
  }
  return result ?? extremesOf(new RowSums(tree, 1).measures(bars, check), 1, extreme);
}

/** The measures of several ranks: each number of a graph `count` times, one a rank. */
interface RankMeasures extends Omit<Measures, "total" | "hidden" | "filtered"> {
  readonly total: Float64Array;
  readonly hidden: Float64Array;
  readonly filtered: Float64Array;
}

/** The extreme over its ranks of each number. */
function extremesOf(measures: RankMeasures, count: number, extreme: "max" | "min"): Measures {
  const sign = extreme === "max" ? 1 : -1;
  const over = (column: Float64Array) => {
    const result = new Float64Array(column.length / count);
    for (let at = 0, cell = 0; at < result.length; at++) {
      let most = column[cell++];
      for (let rank = 1; rank < count; rank++, cell++) if (sign * column[cell] > sign * most) most = column[cell];
      result[at] = most;
    }
    return result;
  };
  const { total, hidden, filtered, bars, edges, entries } = measures;
  return {
    total: over(total)[0],
    hidden: over(hidden)[0],
    filtered: over(filtered)[0],
    bars: { inclusive: over(bars.inclusive), exclusive: over(bars.exclusive), hidden: over(bars.hidden) },
    edges: over(edges),
    entries: { inclusive: over(entries.inclusive), exclusive: over(entries.exclusive) },
  };
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

/** Rows between two looks at whether anybody still waits. */
const ROWS_BETWEEN_CHECKS = 4096;

/**
 * Adds exclusive values up by row, for several ranks side by side, and derives every number of the graph from the rows. The
 * values of row r are `[r * count … (r + 1) * count - 1]`: one pass over the tree goes for all of them.
 */
class RowSums {
  /** Of the contexts of each row; {@link measures} makes them inclusive. */
  private readonly own: Float64Array;
  /** Of hidden contexts; only rows that have some are there. */
  private readonly hidden: Float64Array;
  private readonly hiddenRow: Int32Array;
  private readonly outside: Float64Array;

  constructor(
    private readonly tree: MeasuredTree,
    private readonly count: number,
  ) {
    this.hiddenRow = new Int32Array(tree.size).fill(NONE);
    let hiding = 0;
    for (let context = 0; context < tree.rowOf.length; context++) {
      const row = tree.rowOf[context];
      if (tree.isHidden[context] === 1 && row !== NONE && this.hiddenRow[row] === NONE) this.hiddenRow[row] = hiding++;
    }
    this.own = new Float64Array(tree.size * count);
    this.hidden = new Float64Array(hiding * count);
    this.outside = new Float64Array(count);
  }

  /** Adds one value a context, where there is one rank. */
  addColumn(exclusive: Float64Array): void {
    const { rowOf, isHidden } = this.tree;
    for (let context = 0; context < exclusive.length; context++) {
      const row = rowOf[context];
      if (row === NONE) this.outside[0] += exclusive[context];
      else if (isHidden[context] === 1) this.hidden[this.hiddenRow[row]] += exclusive[context];
      else this.own[row] += exclusive[context];
    }
  }

  /** Adds the values of the ranks from `first` on; those that are no number are left out (semantics 1, Order). */
  addCells({ rowStart, column, value }: SparseValues, rankOf: Int32Array, first: number, check: () => void): void {
    const { count } = this;
    const { rowOf, isHidden } = this.tree;
    for (let context = 0; context + 1 < rowStart.length; context++) {
      if (context % ROWS_BETWEEN_CHECKS === 0) check();
      const row = rowOf[context];
      const hides = row !== NONE && isHidden[context] === 1;
      const into = row === NONE ? this.outside : hides ? this.hidden : this.own;
      const offset = (row === NONE ? 0 : hides ? this.hiddenRow[row] : row) * count;
      for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++) {
        const rank = rankOf[column[cell]];
        if (rank === NONE || rank < first || rank >= first + count || !Number.isFinite(value[cell])) continue;
        into[offset + rank - first] += value[cell];
      }
    }
  }

  /** To be asked for once. */
  measures({ size, source }: Bars, check: () => void): RankMeasures {
    const { tree, own, hidden, hiddenRow, count } = this;
    const column = (length: number) => new Float64Array(length * count);
    const bars = { inclusive: column(size), exclusive: column(size), hidden: column(size) };
    const edges = column(source.length);
    const entries = { inclusive: column(tree.entries.length), exclusive: column(tree.entries.length) };
    const total = this.outside.slice();
    const add = (into: Float64Array, at: number, from: Float64Array, row: number) => {
      for (let rank = 0, a = at * count, b = row * count; rank < count; rank++) into[a++] += from[b++];
    };
    for (let row = tree.size - 1; row >= 0; row--) {
      if (row % ROWS_BETWEEN_CHECKS === 0) check();
      add(entries.exclusive, tree.entry[row], own, row);
      if (hiddenRow[row] === NONE) continue;
      add(bars.hidden, tree.bar[row], hidden, hiddenRow[row]);
      add(own, row, hidden, hiddenRow[row]);
    }
    // Backwards, every row is complete before it is added to its parent.
    for (let row = tree.size - 1; row >= 0; row--) {
      if (row % ROWS_BETWEEN_CHECKS === 0) check();
      add(entries.inclusive, tree.entry[row], own, row);
      if (tree.parent[row] === NONE) add(total, 0, own, row);
      else add(own, tree.parent[row], own, row);
      if (tree.edge[row] !== NONE) add(edges, tree.edge[row], own, row);
    }
    // Every row of a bar is one of its entries.
    tree.entries.forEach(({ bar }, entry) => {
      add(bars.inclusive, bar, entries.inclusive, entry);
      add(bars.exclusive, bar, entries.exclusive, entry);
    });
    const filtered = this.outside.slice();
    for (let bar = 0; bar < size; bar++) add(filtered, 0, bars.hidden, bar);
    return { total, hidden: this.outside, filtered, bars, edges, entries };
  }
}
