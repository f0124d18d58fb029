import { STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";

/** Rows of a table in their final order, those that become one row of the result together. */
export interface OrderedRows {
  readonly order: Int32Array;
  /** 1 where the first one of a final row stands in `order`. */
  readonly begins: Uint8Array;
  /** Number of final rows. */
  readonly groups: number;
  /** Recorded location of each row, where there are several; rows of one final row ascend by their final location. */
  readonly locations: RowKey | undefined;
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
  for (let at = 0, last = -1; at < order.length; at++) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    const row = order[at];
    let begun = at > 0 && frame[row] === frame[last];
    for (let key = 0; begun && key < keys.length; key++) begun = same(keys[key], row, last);
    if (!begun) begins[at] = 1;
    groups += begins[at];
    last = row;
  }
  return { order, begins, groups, locations };
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
 * Rows in an order that is made by sorting by one key after the other, the least first: rows with equal keys stay as they were.
 * Counts instead of comparing: linear, and a cancel is heard at any time. There are two arrays, which are used in turn.
 */
export class RowSorter {
  rows: Int32Array;
  private spare: Int32Array | undefined;

  constructor(size: number) {
    this.rows = identity(size);
  }

  /** @param of what the key is of a value in the column; without it the value itself */
  sortBy(column: Int32Array, of: Int32Array | undefined, task: Task): this {
    let most = 0;
    let ascending = true;
    for (let at = 0, last = 0; at < this.rows.length; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      const key = of ? of[column[this.rows[at]]] : column[this.rows[at]];
      if (key > most) most = key;
      if (key < last) ascending = false;
      last = key;
    }
    if (ascending) return this;
    for (let shift = 0; shift === 0 || (shift < 32 && most >>> shift > 0); shift += DIGIT)
      this.byDigit(column, of, shift, task);
    return this;
  }

  /** The rows in their order; nothing is left here. */
  take(): Int32Array {
    const { rows } = this;
    this.spare = undefined;
    this.rows = new Int32Array(0);
    return rows;
  }

  private byDigit(column: Int32Array, of: Int32Array | undefined, shift: number, task: Task): void {
    const order = this.rows;
    const next = new Int32Array(DIGITS + 1);
    for (let at = 0; at < order.length; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      const key = of ? of[column[order[at]]] : column[order[at]];
      next[((key >>> shift) & (DIGITS - 1)) + 1]++;
    }
    for (let digit = 0; digit < DIGITS; digit++) next[digit + 1] += next[digit];
    const sorted = this.spare ?? new Int32Array(order.length);
    for (let at = 0; at < order.length; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      const key = of ? of[column[order[at]]] : column[order[at]];
      sorted[next[(key >>> shift) & (DIGITS - 1)]++] = order[at];
    }
    this.rows = sorted;
    this.spare = order;
  }
}

/** Numbers that are sorted at once; more take a {@link RowSorter}, in which a cancel is heard. */
export const FEW = 1 << 16;

/** The places of integers from 0 in ascending order; equal ones stay as they are. For many short lists. */
export function orderOf(integers: Int32Array, task: Task): Int32Array {
  const { length } = integers;
  if (length > FEW) return new RowSorter(length).sortBy(integers, undefined, task).take();
  // Numbers that tell both: sorting these is several times as fast as comparing with a function.
  const keys = new Float64Array(length);
  for (let at = 0; at < length; at++) keys[at] = integers[at] * FEW + at;
  keys.sort();
  const order = new Int32Array(length);
  for (let at = 0; at < length; at++) order[at] = keys[at] % FEW;
  return order;
}

/** Numbers from 0. */
export function identity(size: number): Int32Array {
  const all = new Int32Array(size);
  for (let at = 0; at < size; at++) all[at] = at;
  return all;
}
