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

/** Counting sort: items of key k are `sorted[start[k] … start[k + 1] - 1]`, in ascending order. */
export function sortByKey(keys: number, items: number, keyOf: (item: number) => number) {
  const start = new Int32Array(keys + 1);
  for (let item = 0; item < items; item++) start[keyOf(item) + 1]++;
  for (let key = 0; key < keys; key++) start[key + 1] += start[key];
  const next = start.slice();
  const sorted = new Int32Array(items);
  for (let item = 0; item < items; item++) sorted[next[keyOf(item)]++] = item;
  return { start, sorted };
}
