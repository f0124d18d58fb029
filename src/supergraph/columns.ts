import { NONE } from "../model/ids";

/** Largest table of pairs that is held as a plain column (16 MB). */
const LARGEST_TABLE = 1 << 22;

/** A number for each pair (row, column), {@link NONE} where none was set. */
export interface PairIndex {
  get(row: number, column: number): number;
  set(row: number, column: number, value: number): void;
}

/** Finds numbers by pairs: in a table where that is small, else in a map. */
export function pairIndex(rows: number, columns: number): PairIndex {
  if (rows * columns <= LARGEST_TABLE) {
    const table = new Int32Array(rows * columns).fill(NONE);
    return {
      get: (row: number, column: number) => table[row * columns + column],
      set: (row: number, column: number, value: number) => void (table[row * columns + column] = value),
    };
  }
  const map = new Map<number, number>();
  return {
    get: (row: number, column: number) => map.get(row * columns + column) ?? NONE,
    set: (row: number, column: number, value: number) => void map.set(row * columns + column, value),
  };
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
