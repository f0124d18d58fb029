import { NONE } from "../model/ids";

/** Largest table of pairs that is held as a plain column (16 MB). */
const LARGEST_TABLE = 1 << 22;

/** A number for each pair (row, column), {@link NONE} where none was set: in a table where that is small, else in a map. */
export class PairIndex {
  private readonly table: Int32Array | undefined;
  private readonly map = new Map<number, number>();

  constructor(
    rows: number,
    private readonly columns: number,
  ) {
    if (rows * columns <= LARGEST_TABLE) this.table = new Int32Array(rows * columns).fill(NONE);
  }

  get(row: number, column: number): number {
    const key = row * this.columns + column;
    return this.table ? this.table[key] : (this.map.get(key) ?? NONE);
  }

  set(row: number, column: number, value: number): void {
    const key = row * this.columns + column;
    if (this.table) this.table[key] = value;
    else this.map.set(key, value);
  }
}

/** Largest table of bits (4 MB). */
const LARGEST_BITS = 1 << 25;

/** Which pairs (row, column) were there already: a bit each where that is small, else a set. */
export class PairSet {
  private readonly bits: Uint32Array | undefined;
  private readonly keys = new Set<number>();

  constructor(
    rows: number,
    private readonly columns: number,
  ) {
    if (rows * columns <= LARGEST_BITS) this.bits = new Uint32Array((rows * columns + 31) >>> 5);
  }

  /** @returns whether the pair is new */
  add(row: number, column: number): boolean {
    const key = row * this.columns + column;
    if (this.bits === undefined) return this.keys.size < this.keys.add(key).size;
    const word = this.bits[key >>> 5];
    this.bits[key >>> 5] = word | (1 << (key & 31));
    return ((word >>> (key & 31)) & 1) === 0;
  }
}

/*
 * Loops over all contexts stand in functions of their own that get columns and nothing else. Their machine code stays as it
 * is; that of a loop between objects and functions that every query makes anew is thrown away when one of these looks
 * different, and the loop then takes ten times as long until it is made again: 20 of the 100 ms of an operation.
 */

/** What a column has at some places. */
export function picked(column: Int32Array, places: Int32Array): Int32Array {
  const values = new Int32Array(places.length);
  for (let at = 0; at < places.length; at++) values[at] = column[places[at]];
  return values;
}

export function pickedBytes(column: Uint8Array, places: Int32Array): Uint8Array {
  const values = new Uint8Array(places.length);
  for (let at = 0; at < places.length; at++) values[at] = column[places[at]];
  return values;
}

export function pickedFloats(column: Float64Array, places: Int32Array): Float64Array {
  const values = new Float64Array(places.length);
  for (let at = 0; at < places.length; at++) values[at] = column[places[at]];
  return values;
}

/** {@link picked}, and {@link NONE} where there is no place. */
export function pickedOrNone(column: Int32Array, places: Int32Array): Int32Array {
  const values = new Int32Array(places.length);
  for (let at = 0; at < places.length; at++) values[at] = places[at] === NONE ? NONE : column[places[at]];
  return values;
}

/** 0, 1, 2, …: in a tenth of the time of `Int32Array.from(column.keys())`. */
export function upTo(size: number): Int32Array {
  const places = new Int32Array(size);
  for (let at = 0; at < size; at++) places[at] = at;
  return places;
}

/** The keys that a column has, in the order in which they are first met. */
export function distinct(keyOf: Int32Array, keys: number): Int32Array {
  const isKnown = new Uint8Array(keys);
  const found = new Int32Array(Math.min(keys, keyOf.length));
  let count = 0;
  for (let at = 0; at < keyOf.length; at++) {
    if (isKnown[keyOf[at]] === 1) continue;
    isKnown[keyOf[at]] = 1;
    found[count++] = keyOf[at];
  }
  return found.slice(0, count);
}

/** Where there is a 1. */
export function placesOf(marks: Uint8Array): Int32Array {
  const places = new Int32Array(marks.length);
  let count = 0;
  for (let at = 0; at < marks.length; at++) if (marks[at] === 1) places[count++] = at;
  return places.slice(0, count);
}

/** A list of numbers for each of many: those of `at` are `items[start[at] … start[at + 1] - 1]`. */
export interface Lists {
  readonly start: Int32Array;
  readonly items: Int32Array;
}

/** Counting sort: items of key k are `sorted[start[k] … start[k + 1] - 1]`, in ascending order. */
export function sortByKey(keys: number, keyOf: Int32Array): { start: Int32Array; sorted: Int32Array } {
  const start = new Int32Array(keys + 1);
  for (let item = 0; item < keyOf.length; item++) start[keyOf[item] + 1]++;
  for (let key = 0; key < keys; key++) start[key + 1] += start[key];
  const next = start.slice();
  const sorted = new Int32Array(keyOf.length);
  for (let item = 0; item < keyOf.length; item++) sorted[next[keyOf[item]]++] = item;
  return { start, sorted };
}
