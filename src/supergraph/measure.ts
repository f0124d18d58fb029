import type { FunctionTable } from "../model/functions";
import { NONE } from "../model/ids";
import type { MemberCells } from "../model/memberCells";
import type { Bars } from "./bars";
import { PairIndex, picked, pickedOrNone } from "./columns";
import type { FilteredTree } from "./filter";

/**
 * What to measure: exclusive values as one number a context (a sum, a mean or one rank's), or the extreme over ranks of
 * every number.
 */
export type Measurement =
  { readonly exclusive: Float64Array } | { readonly extreme: "max" | "min"; readonly cells: MemberCells };

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
  const rowOf = picked(rowsAt(bars.entries, kept.size), bars.entryOf);
  const bar = picked(bars.ofContext, bars.entries);
  const original = picked(kept.original, bars.entries);
  const callee = picked(functions.ofContext, original);
  const entry = new Int32Array(bar.length);
  const entries: Entry[] = [];
  const entryIndex = new PairIndex(bars.size, functions.size);
  for (let row = 0; row < entry.length; row++) {
    entry[row] = entryIndex.get(bar[row], callee[row]);
    if (entry[row] !== NONE) continue;
    entry[row] = entries.push({ bar: bar[row], function: callee[row], context: original[row] }) - 1;
    entryIndex.set(bar[row], callee[row], entry[row]);
  }
  return {
    size: bar.length,
    parent: pickedOrNone(rowOf, picked(kept.parent, bars.entries)),
    bar,
    edge: picked(bars.edgeOf, bars.entries),
    entry,
    rowOf: pickedOrNone(rowOf, kept.home),
    isHidden: marksElsewhere(kept.original, kept.home.length),
    entries,
  };
}

/** The row that each entry is; of other contexts nothing. */
function rowsAt(entries: Int32Array, contexts: number): Int32Array {
  const rows = new Int32Array(contexts);
  for (let row = 0; row < entries.length; row++) rows[entries[row]] = row;
  return rows;
}

/** 1 everywhere but at these places. */
function marksElsewhere(places: Int32Array, size: number): Uint8Array {
  const marks = new Uint8Array(size).fill(1);
  for (let at = 0; at < places.length; at++) marks[places[at]] = 0;
  return marks;
}

/**
 * Measures a graph. Sums run over contexts in the tree's order, then over rows, so they are the same bit for bit.
 */
export function measure(tree: MeasuredTree, bars: Bars, what: Measurement, check: () => void): Measures {
  const sums = new GraphSums(tree, bars);
  if ("exclusive" in what) {
    check();
    sums.addColumn(what.exclusive);
    sums.finish();
    return sums.measures();
  }
  const { cells, extreme } = what;
  const { numbers } = sums;
  let extremes: Float64Array | undefined;
  // One rank after the other: what is added up for one stays in the cache. Four side by side were not faster.
  for (let rank = 0; rank + 1 < cells.start.length; rank++) {
    check();
    sums.addCells(cells, rank);
    sums.finish();
    if (extremes === undefined) extremes = numbers.slice();
    else if (extreme === "max") {
      for (let at = 0; at < numbers.length; at++) if (numbers[at] > extremes[at]) extremes[at] = numbers[at];
    } else {
      for (let at = 0; at < numbers.length; at++) if (numbers[at] < extremes[at]) extremes[at] = numbers[at];
    }
  }
  return sums.measures(extremes);
}

/** Adds exclusive values up by row, and derives every number of the graph from the rows; used again for every rank. */
class GraphSums {
  /** All numbers of the graph, one after the other; the columns below are parts of it. */
  readonly numbers: Float64Array;
  private readonly inclusive: Float64Array;
  private readonly exclusive: Float64Array;
  private readonly hidden: Float64Array;
  private readonly edges: Float64Array;
  private readonly entriesInclusive: Float64Array;
  private readonly entriesExclusive: Float64Array;
  /** Of the contexts of each row, then of the hidden contexts of each row that has some, then of those outside of all rows. */
  private readonly own: Float64Array;
  /** Of the contexts of each row, before those of other rows are added. */
  private readonly rowExclusive: Float64Array;
  private readonly entryBar: Int32Array;
  /** Where the values of each context are added up. */
  private readonly placeOf: Int32Array;
  /** Rows that have hidden contexts. */
  private readonly hiding: Int32Array;

  constructor(
    private readonly tree: MeasuredTree,
    bars: Bars,
  ) {
    const sizes = [3, bars.size, bars.size, bars.size, bars.source.length, tree.entries.length, tree.entries.length];
    this.numbers = new Float64Array(sizes.reduce((sum, size) => sum + size, 0));
    [, this.inclusive, this.exclusive, this.hidden, this.edges, this.entriesInclusive, this.entriesExclusive] = partsOf(
      this.numbers,
      sizes,
    );
    const { rowOf, isHidden, size } = tree;
    const hides = new Uint8Array(size);
    for (let context = 0; context < rowOf.length; context++)
      if (rowOf[context] !== NONE) hides[rowOf[context]] |= isHidden[context];
    const hiding: number[] = [];
    const hiddenPlace = new Int32Array(size);
    for (let row = 0; row < size; row++) if (hides[row] === 1) hiddenPlace[row] = size + hiding.push(row) - 1;
    this.hiding = Int32Array.from(hiding);
    const outside = size + hiding.length;
    this.placeOf = new Int32Array(rowOf.length);
    for (let context = 0; context < rowOf.length; context++) {
      const row = rowOf[context];
      this.placeOf[context] = row === NONE ? outside : isHidden[context] === 1 ? hiddenPlace[row] : row;
    }
    this.own = new Float64Array(outside + 1);
    this.rowExclusive = new Float64Array(size);
    this.entryBar = Int32Array.from(tree.entries, ({ bar }) => bar);
  }

  /** Adds one value a context. */
  addColumn(exclusive: Float64Array): void {
    const { own, placeOf } = this;
    for (let context = 0; context < exclusive.length; context++) own[placeOf[context]] += exclusive[context];
  }

  /** Adds the values of one rank. */
  addCells({ start, context, value }: MemberCells, rank: number): void {
    const { own, placeOf } = this;
    for (let cell = start[rank]; cell < start[rank + 1]; cell++) own[placeOf[context[cell]]] += value[cell];
  }

  /** Makes the numbers of what was added, and begins anew. */
  finish(): void {
    const { numbers, own, hiding, inclusive, exclusive, hidden, edges, entriesInclusive, entriesExclusive } = this;
    const { size, parent, bar, edge, entry } = this.tree;
    const { rowExclusive, entryBar } = this;
    numbers.fill(0);
    rowExclusive.set(own.subarray(0, size));
    for (let at = hiding.length - 1; at >= 0; at--) {
      const row = hiding[at];
      hidden[bar[row]] += own[size + at];
      own[row] += own[size + at];
    }
    const outside = own[own.length - 1];
    let total = outside;
    // Backwards, every row is complete before it is added to its parent. Most rows are 0 on a rank, which changes nothing.
    for (let row = size - 1; row >= 0; row--) {
      const sum = own[row];
      const alone = rowExclusive[row];
      if (alone !== 0) entriesExclusive[entry[row]] += alone;
      if (sum === 0) continue;
      entriesInclusive[entry[row]] += sum;
      if (parent[row] === NONE) total += sum;
      else own[parent[row]] += sum;
      if (edge[row] !== NONE) edges[edge[row]] += sum;
    }
    // Every row of a bar is one of its entries.
    for (let at = 0; at < entryBar.length; at++) {
      inclusive[entryBar[at]] += entriesInclusive[at];
      exclusive[entryBar[at]] += entriesExclusive[at];
    }
    let filtered = outside;
    for (let at = 0; at < hidden.length; at++) filtered += hidden[at];
    [numbers[0], numbers[1], numbers[2]] = [total, outside, filtered];
    own.fill(0);
  }

  /** @param numbers those of {@link numbers} or others in their order */
  measures(numbers = this.numbers): Measures {
    const sizes = [
      this.inclusive,
      this.exclusive,
      this.hidden,
      this.edges,
      this.entriesInclusive,
      this.entriesExclusive,
    ];
    const [[total, hidden, filtered], ...columns] = partsOf(numbers, [3, ...sizes.map(({ length }) => length)]);
    return {
      total,
      hidden,
      filtered,
      bars: { inclusive: columns[0], exclusive: columns[1], hidden: columns[2] },
      edges: columns[3],
      entries: { inclusive: columns[4], exclusive: columns[5] },
    };
  }
}

function partsOf(numbers: Float64Array, sizes: readonly number[]): Float64Array[] {
  let end = 0;
  return sizes.map((size) => numbers.subarray(end, (end += size)));
}
