/** The numbers of a graph as extremes over ranks: each number rank by rank, then the largest or smallest (semantics 2.4). */
import { NONE } from "../model/ids";
import type { SparseValues } from "../model/values";
import type { Bars } from "./bars";
import { sortByKey } from "./columns";
import type { MeasuredTree, Measurement, Measures } from "./measure";

export type ExtremeMeasurement = Extract<Measurement, { extreme: string }>;

/** Numbers of rows with others below them that are held at once, for as many ranks as that is: 32 MB. */
const MOST_SUMS = 1 << 22;
/** Rows between two looks at whether anybody still waits. */
const ROWS_BETWEEN_CHECKS = 1024;

/** Each number of the graph as its extreme over the ranks; bit for bit that of the ranks measured one by one. */
export function extremes(tree: MeasuredTree, bars: Bars, what: ExtremeMeasurement, check: () => void): Measures {
  const rows = rowContexts(tree);
  const together = Math.max(1, Math.floor(MOST_SUMS / Math.max(1, rows.withRowsBelow)));
  let result: Measures | undefined;
  let first = 0;
  do {
    const count = Math.max(1, Math.min(together, what.ranks - first));
    const some = extremesOf(
      rankMeasures(tree, bars, rows, new RankCells(what, rows, first, count), check),
      count,
      what,
    );
    result = result === undefined ? some : combine(result, some, what.extreme === "max" ? Math.max : Math.min);
    first += count;
  } while (first < what.ranks);
  return result;
}

/** The contexts of each row, ascending, and which rows have others below them. */
interface RowContexts {
  /** Those of row r: `context[start[r] … start[r + 1] - 1]`; the last list is of those outside all rows. */
  readonly start: Int32Array;
  readonly context: Int32Array;
  readonly isHidden: Uint8Array;
  /** Number of each row among those that others have as their parent; NONE: none has. */
  readonly place: Int32Array;
  readonly withRowsBelow: number;
}

function rowContexts({ size, parent, rowOf, isHidden }: MeasuredTree): RowContexts {
  const place = new Int32Array(size).fill(NONE);
  let withRowsBelow = 0;
  for (let row = 0; row < size; row++)
    if (parent[row] !== NONE && place[parent[row]] === NONE) place[parent[row]] = withRowsBelow++;
  const key = new Int32Array(rowOf.length);
  for (let context = 0; context < key.length; context++) key[context] = rowOf[context] === NONE ? size : rowOf[context];
  const { start, sorted } = sortByKey(size + 1, key);
  return { start, context: sorted, isHidden, place, withRowsBelow };
}

/** The sums of a row's contexts on some ranks: only ranks that have values are touched, one of ten in a large recording. */
class RankCells {
  /** Ranks that have a value, less the first one; the first `size` count. */
  readonly rank: Int32Array;
  size = 0;
  /** By rank; what an earlier row has left counts for nothing. */
  readonly value: Float64Array;
  private readonly seen: Int32Array;
  private round = 0;
  private readonly values: SparseValues;
  private readonly rankOf: Int32Array;

  constructor(
    { values, rankOf }: ExtremeMeasurement,
    private readonly rows: RowContexts,
    private readonly first: number,
    readonly count: number,
  ) {
    this.values = values;
    this.rankOf = rankOf;
    this.rank = new Int32Array(count);
    this.value = new Float64Array(count);
    this.seen = new Int32Array(count);
  }

  /** Takes the values of a row's contexts that are hidden, or of the others; those that are no number are left out (semantics 1, Order). */
  take(row: number, hidden: 0 | 1): this {
    const { rowStart, column, value: cells } = this.values;
    const { start, context, isHidden } = this.rows;
    const { rank, value, seen, rankOf, first, count } = this;
    const round = ++this.round;
    let size = 0;
    for (let at = start[row]; at < start[row + 1]; at++) {
      const own = context[at];
      if (isHidden[own] !== hidden) continue;
      for (let cell = rowStart[own]; cell < rowStart[own + 1]; cell++) {
        const member = rankOf[column[cell]];
        if (member < first || member >= first + count || !Number.isFinite(cells[cell])) continue;
        const place = member - first;
        if (seen[place] === round) value[place] += cells[cell];
        else {
          seen[place] = round;
          rank[size++] = place;
          value[place] = cells[cell];
        }
      }
    }
    this.size = size;
    return this;
  }

  /** Adds them to the numbers of all ranks that begin at `start`. */
  addTo(numbers: Float64Array, start: number): void {
    const { rank, value, size } = this;
    for (let at = 0; at < size; at++) numbers[start + rank[at]] += value[rank[at]];
  }
}

/** The measures of several ranks: each number of a graph `count` times, one a rank. */
interface RankMeasures extends Omit<Measures, "total" | "hidden" | "filtered"> {
  readonly total: Float64Array;
  readonly hidden: Float64Array;
  readonly filtered: Float64Array;
}

/**
 * Every number is summed in the order in which one rank's is (see `measure.ts`): an absent value is 0, and adding that
 * changes nothing. Rows without others below them, which most are, are never spread out over all ranks.
 */
function rankMeasures(
  tree: MeasuredTree,
  { size, source }: Bars,
  rows: RowContexts,
  cells: RankCells,
  check: () => void,
): RankMeasures {
  const { count } = cells;
  const { place } = rows;
  const column = (length: number) => new Float64Array(length * count);
  const bars = { inclusive: column(size), exclusive: column(size), hidden: column(size) };
  const edges = column(source.length);
  const entries = { inclusive: column(tree.entries.length), exclusive: column(tree.entries.length) };
  const hidden = column(1);
  // What is outside of all rows is hidden without a kept ancestor.
  cells.take(tree.size, 1).addTo(hidden, 0);
  const total = hidden.slice();
  // Of rows that have others below them: first their own contexts, then those below.
  const sums = column(rows.withRowsBelow);
  for (let row = tree.size - 1; row >= 0; row--) {
    if (row % ROWS_BETWEEN_CHECKS === 0) check();
    cells.take(row, 0).addTo(entries.exclusive, tree.entry[row] * count);
    if (place[row] !== NONE) cells.addTo(sums, place[row] * count);
    if (cells.take(row, 1).size === 0) continue;
    cells.addTo(bars.hidden, tree.bar[row] * count);
    if (place[row] !== NONE) cells.addTo(sums, place[row] * count);
  }
  const single = column(1);
  // Backwards, every row is complete before it is added to its parent.
  for (let row = tree.size - 1; row >= 0; row--) {
    if (row % ROWS_BETWEEN_CHECKS === 0) check();
    const [entry, above, edge] = [tree.entry[row] * count, tree.parent[row], tree.edge[row]];
    let from = sums;
    let start = place[row] * count;
    if (place[row] === NONE) {
      if (cells.take(row, 1).size === 0) {
        cells.take(row, 0).addTo(entries.inclusive, entry);
        if (above === NONE) cells.addTo(total, 0);
        else cells.addTo(sums, place[above] * count);
        if (edge !== NONE) cells.addTo(edges, edge * count);
        continue;
      }
      single.fill(0);
      cells.addTo(single, 0);
      // Two numbers have one sum, whichever is first.
      cells.take(row, 0).addTo(single, 0);
      [from, start] = [single, 0];
    }
    add(entries.inclusive, entry, from, start, count);
    if (above === NONE) add(total, 0, from, start, count);
    else add(sums, place[above] * count, from, start, count);
    if (edge !== NONE) add(edges, edge * count, from, start, count);
  }
  // Every row of a bar is one of its entries.
  tree.entries.forEach(({ bar }, entry) => {
    add(bars.inclusive, bar * count, entries.inclusive, entry * count, count);
    add(bars.exclusive, bar * count, entries.exclusive, entry * count, count);
  });
  const filtered = hidden.slice();
  for (let bar = 0; bar < size; bar++) add(filtered, 0, bars.hidden, bar * count, count);
  return { total, hidden, filtered, bars, edges, entries };
}

function add(into: Float64Array, at: number, from: Float64Array, start: number, count: number): void {
  for (let rank = 0; rank < count; rank++) into[at + rank] += from[start + rank];
}

/** The extreme over its ranks of each number. */
function extremesOf(measures: RankMeasures, count: number, { extreme }: ExtremeMeasurement): Measures {
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
