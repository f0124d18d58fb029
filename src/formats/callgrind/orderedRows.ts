import { STEPS_BETWEEN_CHECKS, type Task } from "../../model/task";

/** Rows of a table in their final order, those that become one row of the result together. */
export interface OrderedRows {
  readonly order: Int32Array;
  /** 1 where the first one of a final row stands in `order`. */
  readonly begins: Uint8Array;
  /** Number of final rows. */
  readonly groups: number;
  /** Recorded location of each row, where there are several; rows of one final row ascend by their final location. */
  readonly locations: RowKey | undefined;
  /** Some rows have both final row and location in common. */
  readonly repeated: boolean;
}

/** A small number of each row, from 0: `of[column[row]]`. */
export interface RowKey {
  readonly column: Int32Array;
  readonly of: Int32Array;
}

/**
 * Finds the final rows of an order in which equal ones follow one another.
 *
 * @param keys what equal rows have in common, beside `frame`
 * @param locations as in {@link OrderedRows}
 */
export function finalRows(
  order: Int32Array,
  keys: readonly RowKey[],
  frame: Int32Array,
  locations: RowKey | undefined,
  task: Task,
): OrderedRows {
  const same = ({ column, of }: RowKey, a: number, b: number) => of[column[a]] === of[column[b]];
  const begins = new Uint8Array(order.length);
  let groups = 0;
  let repeated = false;
  for (let at = 0, last = -1; at < order.length; at++) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    const row = order[at];
    let begun = at > 0 && frame[row] === frame[last];
    for (let key = 0; begun && key < keys.length; key++) begun = same(keys[key], row, last);
    if (begun) repeated ||= locations === undefined || same(locations, row, last);
    else begins[at] = 1;
    groups += begins[at];
    last = row;
  }
  return { order, begins, groups, locations, repeated };
}

/** A column of the final rows: that of their first rows. */
export function finalColumn(
  { order, begins, groups }: Pick<OrderedRows, "order" | "begins" | "groups">,
  column: Int32Array,
  of: Int32Array | undefined,
  task: Task,
): Int32Array {
  const final = new Int32Array(groups);
  for (let at = 0, group = 0; at < order.length; at++) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    if (begins[at] === 1) final[group++] = of ? of[column[order[at]]] : column[order[at]];
  }
  return final;
}

export function locationOfRow(locations: RowKey | undefined, row: number): number {
  return locations === undefined ? 0 : locations.of[locations.column[row]];
}

const DIGIT = 16;
const DIGITS = 1 << DIGIT;

/**
 * Rows sorted by a key; those with equal keys stay as they were, so sorting by several keys begins with the least. Counts
 * instead of comparing: linear, and a cancel is heard at any time.
 *
 * @param of what the key is of a value in the column; without it the value itself
 */
export function sortedBy(order: Int32Array, column: Int32Array, of: Int32Array | undefined, task: Task): Int32Array {
  let most = 0;
  let ascending = true;
  for (let at = 0, last = 0; at < order.length; at++) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    const key = of ? of[column[order[at]]] : column[order[at]];
    if (key > most) most = key;
    if (key < last) ascending = false;
    last = key;
  }
  if (ascending) return order;
  let sorted = order;
  for (let shift = 0; shift === 0 || (shift < 32 && most >>> shift > 0); shift += DIGIT)
    sorted = byDigit(sorted, column, of, shift, task);
  return sorted;
}

function byDigit(
  order: Int32Array,
  column: Int32Array,
  of: Int32Array | undefined,
  shift: number,
  task: Task,
): Int32Array {
  const next = new Int32Array(DIGITS + 1);
  for (let at = 0; at < order.length; at++) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    const key = of ? of[column[order[at]]] : column[order[at]];
    next[((key >>> shift) & (DIGITS - 1)) + 1]++;
  }
  for (let digit = 0; digit < DIGITS; digit++) next[digit + 1] += next[digit];
  const sorted = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    const key = of ? of[column[order[at]]] : column[order[at]];
    sorted[next[(key >>> shift) & (DIGITS - 1)]++] = order[at];
  }
  return sorted;
}

/** Numbers from 0. */
export function identity(size: number): Int32Array {
  const all = new Int32Array(size);
  for (let at = 0; at < size; at++) all[at] = at;
  return all;
}
