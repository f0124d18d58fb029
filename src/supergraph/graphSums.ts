/** Sums over the rows of a measured tree: every number of a graph, for one column of values or rank after rank (semantics 2.4). */
import { NONE } from "../model/ids";
import type { MemberCells } from "../model/memberCells";
import type { Bars } from "./bars";
import { placesOf } from "./columns";
import type { MeasuredTree, Measures } from "./measure";

/** Adds exclusive values up by row, and derives every number of the graph from the rows; used again for every rank. */
export class GraphSums {
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
  private readonly placeOf: Indices;
  /** Rows that have hidden contexts. */
  private readonly hiding: Int32Array;
  /** Where each row's numbers go, {@link PLACES} a row; see {@link addRows}. */
  private readonly places: Indices;

  constructor(
    private readonly tree: MeasuredTree,
    bars: Pick<Bars, "size" | "source">,
  ) {
    const sizes = [3, bars.size, bars.size, bars.size, bars.source.length, tree.entries.length, tree.entries.length];
    const count = sizes.reduce((sum, size) => sum + size, 0);
    // One more for what leads nowhere: roots have no edge.
    this.numbers = new Float64Array(count + 1);
    [, this.inclusive, this.exclusive, this.hidden, this.edges, this.entriesInclusive, this.entriesExclusive] = partsOf(
      this.numbers,
      sizes,
    );
    const { rowOf, isHidden, size } = tree;
    this.hiding = placesOf(rowsThatHide(rowOf, isHidden, size));
    const outside = size + this.hiding.length;
    this.placeOf = placesOfContexts(rowOf, isHidden, size, this.hiding);
    this.own = new Float64Array(outside + 1);
    this.rowExclusive = new Float64Array(size);
    this.entryBar = Int32Array.from(tree.entries, ({ bar }) => bar);
    const edges = 3 + 3 * bars.size;
    const entries = edges + bars.source.length;
    this.places = indices(PLACES * size, Math.max(count, outside));
    for (let row = 0, at = 0; row < size; row++) {
      this.places[at++] = tree.parent[row] === NONE ? outside : tree.parent[row];
      this.places[at++] = tree.edge[row] === NONE ? count : edges + tree.edge[row];
      this.places[at++] = entries + tree.entry[row];
      this.places[at++] = entries + tree.entries.length + tree.entry[row];
    }
  }

  /** Adds one value a context. */
  addColumn(exclusive: Float64Array): void {
    const { own, placeOf } = this;
    for (let context = 0; context < exclusive.length; context++) own[placeOf[context]] += exclusive[context];
  }

  /** Adds the values of one rank. */
  addCells({ start, context, value }: MemberCells, rank: number): void {
    addAt(this.own, this.placeOf, context, value, start[rank], start[rank + 1]);
  }

  /** Makes the numbers of what was added, and begins anew. */
  finish(): void {
    const { numbers, own, hiding, inclusive, exclusive, hidden, entriesInclusive, entriesExclusive } = this;
    const { size, bar } = this.tree;
    const { rowExclusive, entryBar } = this;
    numbers.fill(0);
    rowExclusive.set(own.subarray(0, size));
    for (let at = hiding.length - 1; at >= 0; at--) {
      const row = hiding[at];
      hidden[bar[row]] += own[size + at];
      own[row] += own[size + at];
    }
    const outside = own[own.length - 1];
    addRows(this.places, own, rowExclusive, numbers);
    const total = own[own.length - 1];
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

/** 1 for each row that has hidden contexts. */
function rowsThatHide(rowOf: Int32Array, isHidden: Uint8Array, rows: number): Uint8Array {
  const hides = new Uint8Array(rows);
  for (let context = 0; context < rowOf.length; context++)
    if (rowOf[context] !== NONE) hides[rowOf[context]] |= isHidden[context];
  return hides;
}

/** The place in `own` of each context's values. */
function placesOfContexts(rowOf: Int32Array, isHidden: Uint8Array, rows: number, hiding: Int32Array): Indices {
  const hiddenPlace = new Int32Array(rows);
  for (let at = 0; at < hiding.length; at++) hiddenPlace[hiding[at]] = rows + at;
  const placeOf = indices(rowOf.length, rows + hiding.length);
  for (let context = 0; context < rowOf.length; context++) {
    const row = rowOf[context];
    placeOf[context] = row === NONE ? rows + hiding.length : isHidden[context] === 1 ? hiddenPlace[row] : row;
  }
  return placeOf;
}

/** Adds cells up where their contexts are. */
function addAt(
  own: Float64Array,
  placeOf: Indices,
  context: Int32Array,
  value: Float64Array,
  from: number,
  to: number,
): void {
  for (let cell = from; cell < to; cell++) own[placeOf[context[cell]]] += value[cell];
}

/** Of a row: in `own` its parent, or what is outside of all rows; in `numbers` its edge, its entry's inclusive and exclusive. */
const PLACES = 4;

/**
 * Adds every row to its parent, its edge and its entry. One column of places and one of numbers, no question about either:
 * this is gone through for every rank, and most of its time was spent on more columns than there are registers, and on
 * which rows have any value on a rank, which is mere chance.
 */
function addRows(places: Indices, own: Float64Array, rowExclusive: Float64Array, numbers: Float64Array): void {
  // Backwards, every row is complete before it is added to its parent.
  for (let row = rowExclusive.length - 1, at = PLACES * row; row >= 0; row--, at -= PLACES) {
    const sum = own[row];
    own[places[at]] += sum;
    numbers[places[at + 1]] += sum;
    numbers[places[at + 2]] += sum;
    numbers[places[at + 3]] += rowExclusive[row];
  }
}

/** Indices in half the room where they are small: what is gone through for every rank then stays in the processor's cache. */
type Indices = Int32Array | Uint16Array;

function indices(length: number, largest: number): Indices {
  return largest < 2 ** 16 ? new Uint16Array(length) : new Int32Array(length);
}

function partsOf(numbers: Float64Array, sizes: readonly number[]): Float64Array[] {
  let end = 0;
  return sizes.map((size) => numbers.subarray(end, (end += size)));
}
