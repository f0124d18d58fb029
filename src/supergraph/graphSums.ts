/** Sums over the rows of a measured tree: every number of a graph, for one column of values or rank after rank (semantics 2.4). */
import { NONE } from "../model/ids";
import type { MemberCells } from "../model/memberCells";
import { integersOf } from "../model/rowColumns";
import type { Bars } from "./bars";
import { placesOf } from "./columns";
import type { MeasuredTree, Measures } from "./measuredTree";

/**
 * Ranks that are summed side by side: each place is looked up once for both, and additions of the one do not wait for those of
 * the other. Four were not faster.
 */
export const LANES = 2;

/**
 * Adds exclusive values up by row, and derives every number of the graph from the rows; used again for all ranks.
 *
 * All sums lie in one column, {@link LANES} values per sum, and every place is an index into it. With a column for each kind of
 * sum there were more of them than registers, and the loops took two to three times as long.
 */
export class GraphSums {
  private readonly slots: Slots;
  private readonly sums: Float64Array;
  /** The part of it that values are added to: that of the contexts of each row, of hidden ones, of those outside of all rows. */
  private readonly own: Float64Array;
  /** The part for what each row has before other rows are added. */
  private readonly rowExclusive: Float64Array;
  private readonly contextPlaces: Int32Array;
  private readonly hiddenPlaces: Int32Array;
  private readonly rowPlaces: Int32Array;
  private readonly entryPlaces: Int32Array;

  constructor(tree: MeasuredTree, bars: Pick<Bars, "size" | "source">) {
    const { rowOf, isHidden, size } = tree;
    const hiding = placesOf(rowsThatHide(rowOf, isHidden, size));
    const slots = slotsOf(bars.size, bars.source.length, tree.entries.length, size, hiding.length);
    this.slots = slots;
    this.sums = new Float64Array(LANES * slots.end);
    this.own = this.sums.subarray(LANES * slots.own, LANES * slots.rowExclusive);
    this.rowExclusive = this.sums.subarray(LANES * slots.rowExclusive);
    this.contextPlaces = placesOfContexts(rowOf, isHidden, hiding, slots);
    this.hiddenPlaces = placesOfHidden(hiding, tree.bar, slots);
    this.rowPlaces = placesOfRows(tree, slots);
    this.entryPlaces = placesOfEntries(
      integersOf(tree.entries, ({ bar }) => bar),
      slots,
    );
  }

  /** How many numbers a graph has. */
  get count(): number {
    return this.slots.nowhere;
  }

  /** Adds one value per context, in the first lane. */
  addColumn(exclusive: Float64Array): void {
    addColumn(this.sums, this.contextPlaces, exclusive);
  }

  /** Adds the values of a rank in the first lane, and in the second one those of the next rank, where there is one. */
  addCells({ start, context, value }: MemberCells, rank: number): void {
    const end = start[rank + 1];
    const nextEnd = rank + 2 < start.length ? start[rank + 2] : end;
    addCells(this.sums, this.contextPlaces, context, value, start[rank], end, nextEnd);
  }

  /** Makes the numbers of what was added, {@link LANES} values a number, which hold until this is asked again. */
  finish(): Float64Array {
    const { sums, slots, own, rowExclusive } = this;
    sums.fill(0, 0, LANES * slots.own);
    rowExclusive.set(own.subarray(0, rowExclusive.length));
    addHidden(sums, this.hiddenPlaces);
    const outside = LANES * slots.outside;
    for (let lane = 0; lane < LANES; lane++) sums[LANES * OUTSIDE + lane] = sums[outside + lane];
    addRows(sums, this.rowPlaces, LANES * slots.own, LANES * slots.rowExclusive);
    addEntries(sums, this.entryPlaces);
    for (let lane = 0; lane < LANES; lane++) {
      sums[LANES * TOTAL + lane] = sums[outside + lane];
      let filtered = sums[LANES * OUTSIDE + lane];
      for (let slot = slots.hidden; slot < slots.edges; slot++) filtered += sums[LANES * slot + lane];
      sums[LANES * FILTERED + lane] = filtered;
    }
    own.fill(0);
    return sums;
  }

  /** @param numbers one value a number */
  measures(numbers: Float64Array): Measures {
    const { inclusive, exclusive, hidden, edges, entryInclusive, entryExclusive, nowhere } = this.slots;
    return {
      total: numbers[TOTAL],
      hidden: numbers[OUTSIDE],
      filtered: numbers[FILTERED],
      bars: {
        inclusive: numbers.subarray(inclusive, exclusive),
        exclusive: numbers.subarray(exclusive, hidden),
        hidden: numbers.subarray(hidden, edges),
      },
      edges: numbers.subarray(edges, entryInclusive),
      entries: {
        inclusive: numbers.subarray(entryInclusive, entryExclusive),
        exclusive: numbers.subarray(entryExclusive, nowhere),
      },
    };
  }
}

/** The first three numbers of a graph. */
const TOTAL = 0;
const OUTSIDE = 1;
const FILTERED = 2;

/** Where each kind of sum begins: numbers of bars, edges and entries, what leads nowhere, then what is added up by row. */
interface Slots {
  readonly inclusive: number;
  readonly exclusive: number;
  readonly hidden: number;
  readonly edges: number;
  readonly entryInclusive: number;
  readonly entryExclusive: number;
  /** Roots have no edge. */
  readonly nowhere: number;
  readonly own: number;
  /** Of the hidden contexts of each row that has some. */
  readonly ownHidden: number;
  /** Of contexts outside of all rows; then of all roots. */
  readonly outside: number;
  readonly rowExclusive: number;
  readonly end: number;
}

function slotsOf(bars: number, edgeCount: number, entries: number, rows: number, hiding: number): Slots {
  const inclusive = 3;
  const exclusive = inclusive + bars;
  const hidden = exclusive + bars;
  const edges = hidden + bars;
  const entryInclusive = edges + edgeCount;
  const entryExclusive = entryInclusive + entries;
  const nowhere = entryExclusive + entries;
  const own = nowhere + 1;
  const ownHidden = own + rows;
  const outside = ownHidden + hiding;
  const rowExclusive = outside + 1;
  return {
    inclusive,
    exclusive,
    hidden,
    edges,
    entryInclusive,
    entryExclusive,
    nowhere,
    own,
    ownHidden,
    outside,
    rowExclusive,
    end: rowExclusive + rows,
  };
}

/** 1 for each row that has hidden contexts. */
function rowsThatHide(rowOf: Int32Array, isHidden: Uint8Array, rows: number): Uint8Array {
  const hides = new Uint8Array(rows);
  for (let context = 0; context < rowOf.length; context++)
    if (rowOf[context] !== NONE) hides[rowOf[context]] |= isHidden[context];
  return hides;
}

/** Where the value of each context is added. */
function placesOfContexts(
  rowOf: Int32Array,
  isHidden: Uint8Array,
  hiding: Int32Array,
  { own, ownHidden, outside }: Slots,
): Int32Array {
  const hiddenPlace = new Int32Array(ownHidden - own);
  for (let at = 0; at < hiding.length; at++) hiddenPlace[hiding[at]] = LANES * (ownHidden + at);
  const places = new Int32Array(rowOf.length);
  for (let context = 0; context < rowOf.length; context++) {
    const row = rowOf[context];
    if (row === NONE) places[context] = LANES * outside;
    else places[context] = isHidden[context] === 1 ? hiddenPlace[row] : LANES * (own + row);
  }
  return places;
}

/** For the hidden contexts of each row that has some: their sum, the row, its bar's hidden. */
function placesOfHidden(hiding: Int32Array, bar: Int32Array, { own, ownHidden, hidden }: Slots): Int32Array {
  const places = new Int32Array(3 * hiding.length);
  for (let at = 0, next = 0; at < hiding.length; at++) {
    places[next++] = LANES * (ownHidden + at);
    places[next++] = LANES * (own + hiding[at]);
    places[next++] = LANES * (hidden + bar[hiding[at]]);
  }
  return places;
}

/** For each row its parent, or what is outside of all rows; its edge; its entry's inclusive and exclusive. */
function placesOfRows({ parent, edge, entry }: MeasuredTree, slots: Slots): Int32Array {
  const places = new Int32Array(4 * parent.length);
  for (let row = 0, next = 0; row < parent.length; row++) {
    places[next++] = LANES * (parent[row] === NONE ? slots.outside : slots.own + parent[row]);
    places[next++] = LANES * (edge[row] === NONE ? slots.nowhere : slots.edges + edge[row]);
    places[next++] = LANES * (slots.entryInclusive + entry[row]);
    places[next++] = LANES * (slots.entryExclusive + entry[row]);
  }
  return places;
}

/** For each entry its inclusive and that of its bar, its exclusive and that of its bar. */
function placesOfEntries(barOf: Int32Array, slots: Slots): Int32Array {
  const places = new Int32Array(4 * barOf.length);
  for (let entry = 0, next = 0; entry < barOf.length; entry++) {
    places[next++] = LANES * (slots.entryInclusive + entry);
    places[next++] = LANES * (slots.inclusive + barOf[entry]);
    places[next++] = LANES * (slots.entryExclusive + entry);
    places[next++] = LANES * (slots.exclusive + barOf[entry]);
  }
  return places;
}

function addColumn(sums: Float64Array, places: Int32Array, column: Float64Array): void {
  for (let context = 0; context < column.length; context++) sums[places[context]] += column[context];
}

/** Adds the cells from `from` to `end` in the first lane, and those from there to `nextEnd` in the second one. */
function addCells(
  sums: Float64Array,
  places: Int32Array,
  context: Int32Array,
  value: Float64Array,
  from: number,
  end: number,
  nextEnd: number,
): void {
  let [at, next] = [from, end];
  for (; at < end && next < nextEnd; at++, next++) {
    sums[places[context[at]]] += value[at];
    sums[places[context[next]] + 1] += value[next];
  }
  for (; at < end; at++) sums[places[context[at]]] += value[at];
  for (; next < nextEnd; next++) sums[places[context[next]] + 1] += value[next];
}

function addHidden(sums: Float64Array, places: Int32Array): void {
  for (let at = places.length - 3; at >= 0; at -= 3) {
    const [from, row, bar] = [places[at], places[at + 1], places[at + 2]];
    const first = sums[from];
    const second = sums[from + 1];
    sums[row] += first;
    sums[row + 1] += second;
    sums[bar] += first;
    sums[bar + 1] += second;
  }
}

/** Adds every row to its parent, its edge and its entry. */
function addRows(sums: Float64Array, places: Int32Array, own: number, rowExclusive: number): void {
  // Backwards, every row is complete before it is added to its parent.
  for (let at = places.length - 4; at >= 0; at -= 4) {
    const row = at >> 1;
    const first = sums[own + row];
    const second = sums[own + row + 1];
    const parent = places[at];
    sums[parent] += first;
    sums[parent + 1] += second;
    const edge = places[at + 1];
    sums[edge] += first;
    sums[edge + 1] += second;
    const inclusive = places[at + 2];
    sums[inclusive] += first;
    sums[inclusive + 1] += second;
    const exclusive = places[at + 3];
    sums[exclusive] += sums[rowExclusive + row];
    sums[exclusive + 1] += sums[rowExclusive + row + 1];
  }
}

/** Every row of a bar is one of its entries, so these make its numbers. */
function addEntries(sums: Float64Array, places: Int32Array): void {
  for (let at = 0; at < places.length; at += 2) {
    const [entry, bar] = [places[at], places[at + 1]];
    sums[bar] += sums[entry];
    sums[bar + 1] += sums[entry + 1];
  }
}
