import { STEPS_BETWEEN_CHECKS, type Task } from "../../model/task";
import { SparseBuilder, type SparseValues } from "../../model/values";
import { identity, locationOfRow, type OrderedRows } from "./orderedRows";

/** Stands for a sum that is kept elsewhere. */
const LARGE = 0xffffffff;

/**
 * Sums of one event by row. Most are counts below 2^32, at four bytes each; what is larger, negative or a fraction goes to a
 * builder. The result does not depend on the order of what arrives.
 */
export class CostColumn {
  private small = new Uint32Array(0);
  private readonly large = new SparseBuilder();

  /** @param dense most rows have a cost: each takes four bytes, whether it has one or not */
  constructor(private readonly dense: boolean) {}

  /** @param location of the row: always the same one */
  add(row: number, location: number, value: number): void {
    if (!this.dense) return this.large.add(row, location, value);
    if (row >= this.small.length) this.widen(row);
    const sum = this.small[row];
    if (value >>> 0 === value && sum + value < LARGE) {
      this.small[row] = sum + value;
      return;
    }
    if (sum !== LARGE) {
      this.small[row] = LARGE;
      if (sum > 0) this.large.add(row, location, sum);
    }
    this.large.add(row, location, value);
  }

  /** Nothing more will be added: room for more is let go. */
  close(): void {
    let { length } = this.small;
    while (length > 0 && this.small[length - 1] === 0) length--;
    this.small = this.small.slice(0, length);
  }

  /**
   * The sums of final rows, once: the column is empty then.
   *
   * @param locationOf final number of each location
   * @param divisor what recorded costs are divided by
   * @param every rows that cost nothing have a cell as well
   */
  build(rows: OrderedRows, locationOf: Int32Array, divisor: number, every: boolean, task: Task): SparseValues {
    if (!this.dense || rows.repeated) return this.combined(rows, locationOf, divisor, every, task);
    const { small, large } = this;
    const { order, begins, locations } = rows;
    const sums = large.sums();
    let cells = 0;
    for (let at = 0; at < order.length; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      if (every || (order[at] < small.length && small[order[at]] !== 0)) cells++;
    }
    const rowStart = new Int32Array(rows.groups + 1);
    const column = new Int32Array(cells);
    const value = new Float64Array(cells);
    let group = -1;
    let cell = 0;
    for (let at = 0; at < order.length; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      const row = order[at];
      if (begins[at]) rowStart[++group] = cell;
      const sum = row < small.length ? small[row] : 0;
      if (sum === 0 && !every) continue;
      const location = locationOfRow(locations, row);
      // A column that is never written takes no memory: of one location, the first, there is nothing to say.
      if (locationOf[location] !== 0) column[cell] = locationOf[location];
      value[cell++] = (sum === LARGE ? sums[large.cell(row, location)] : sum) / divisor;
    }
    rowStart[rows.groups] = cell;
    this.small = new Uint32Array(0);
    return { rowStart, column, value };
  }

  /** Rows that stand for one cell together are added up; it takes the memory of a builder for all. */
  private combined(
    rows: OrderedRows,
    locationOf: Int32Array,
    divisor: number,
    every: boolean,
    task: Task,
  ): SparseValues {
    const { order, begins, locations } = rows;
    const groupOf = new Int32Array(order.length);
    const all = new SparseBuilder();
    let group = -1;
    for (let at = 0; at < order.length; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      const row = order[at];
      groupOf[row] = begins[at] ? ++group : group;
      const sum = row < this.small.length ? this.small[row] : 0;
      if (sum !== LARGE && (sum > 0 || every)) all.add(group, locationOfRow(locations, row), sum);
    }
    all.addAll(this.large, groupOf, identity(locationOf.length), task);
    this.small = new Uint32Array(0);
    return all.build(rows.groups, identity(rows.groups), locationOf, divisor, 1, task);
  }

  private widen(row: number): void {
    const next = new Uint32Array(Math.max(256, row + 1, Math.ceil(this.small.length * 1.5)));
    next.set(this.small);
    this.small = next;
  }
}
