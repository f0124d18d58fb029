import { type LineValues, valuesUpTo } from "../../../model/lineValues";
import { STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import { SparseBuilder, type SparseValues } from "../../../model/values";
import { IntColumn } from "../../../model/columns";
import { chunkLength, chunkOf, firstRow } from "./chunks";
import { identity, locationOfRow, type OrderedRows } from "../assemble/orderedRows";

/** Marks a sum that is kept elsewhere. */
const LARGE = 0xffffffff;
/** Marks a cell of which a part is kept elsewhere, or that adds up to more than a double counts exactly. */
const ELSEWHERE = -1;

/**
 * Sums of one event by row. Most are counts below 2^32, at four bytes each; what is larger, negative or a fraction goes to a
 * builder. The result does not depend on the order of what arrives.
 */
export class CostColumn {
  /** By row, in chunks; where there is none, rows cost nothing. */
  private small: (Uint32Array | undefined)[] = [];
  private readonly large = new SparseBuilder();

  /** @param dense most rows have a cost: each takes four bytes, whether it has one or not */
  constructor(private readonly dense: boolean) {}

  /** @param location of the row: always the same one */
  add(row: number, location: number, value: number): void {
    if (!this.dense) return this.large.add(row, location, value);
    const number = chunkOf(row);
    const chunk = (this.small[number] ??= new Uint32Array(chunkLength(number)));
    const at = row - firstRow(number);
    const sum = chunk[at];
    if (value >>> 0 === value && sum + value < LARGE) {
      chunk[at] = sum + value;
      return;
    }
    if (sum !== LARGE) {
      chunk[at] = LARGE;
      if (sum > 0) this.large.add(row, location, sum);
    }
    this.large.add(row, location, value);
  }

  /**
   * The sums of final rows, once: the column is empty then.
   *
   * @param locationOf final number of each location
   * @param divisor what recorded costs are divided by
   * @param every rows that cost nothing have a cell as well
   */
  build(rows: OrderedRows, locationOf: Int32Array, divisor: number, every: boolean, task: Task): LineValues {
    if (!this.dense) return this.combined(rows, locationOf, divisor, task);
    const { cells, most } = this.extent(rows, every, task);
    const one = locationOf.length === 1;
    const built = {
      rowStart: one && cells === rows.groups ? undefined : new Int32Array(rows.groups + 1),
      column: one ? undefined : new Int32Array(cells),
      value: valuesUpTo(divisor === 1 ? most : Infinity, cells),
    };
    this.fill(rows, built, locationOf, divisor, every, task);
    return built;
  }

  /** The number of cells and the largest of them; Infinity where that is not known yet, or some are no counts. */
  private extent(rows: OrderedRows, every: boolean, task: Task): { cells: number; most: number } {
    let cells = 0;
    let most = 0;
    this.eachCell(
      rows,
      (sum) => {
        if (sum !== 0 || every) cells++;
        if (sum === ELSEWHERE) most = Infinity;
        else if (sum > most) most = sum;
      },
      task,
    );
    return { cells, most };
  }

  private fill(
    rows: OrderedRows,
    { rowStart, column, value }: LineValues,
    locationOf: Int32Array,
    divisor: number,
    every: boolean,
    task: Task,
  ): void {
    const { order, begins, locations } = rows;
    const late = new IntColumn();
    const sums = new SparseBuilder();
    let cellOf = EMPTY;
    let cell = 0;
    let group = -1;
    this.eachCell(
      rows,
      (sum, from, to) => {
        if (begins[from] === 1) {
          group++;
          if (rowStart) rowStart[group] = cell;
        }
        if (sum === 0 && !every) return;
        if (column) column[cell] = locationOf[locationOfRow(locations, order[from])];
        if (sum !== ELSEWHERE) value[cell] = sum / divisor;
        else {
          if (cellOf.length === 0) cellOf = new Int32Array(order.length);
          late.push(cell);
          const own = sums.cell(cell, 0);
          for (let at = from; at < to; at++) {
            cellOf[order[at]] = cell;
            const small = this.smallOf(order[at]);
            if (small !== LARGE) sums.addTo(own, small);
          }
        }
        cell++;
      },
      task,
    );
    if (rowStart) rowStart[rows.groups] = cell;
    this.small = [];
    if (late.length === 0) return;
    sums.addAll(this.large, cellOf, new Int32Array(locationOf.length), task);
    const lateSums = sums.sums();
    for (let at = 0; at < late.length; at++) value[late.values[at]] = lateSums[at] / divisor;
  }

  /** Calls back with the sum of each cell, which may be {@link ELSEWHERE}, and where its rows stand in the order. */
  private eachCell(
    { order, begins, locations }: OrderedRows,
    visit: (sum: number, from: number, to: number) => void,
    task: Task,
  ): void {
    let steps = 0;
    for (let from = 0, at = 0; from < order.length; from = at) {
      const location = locationOfRow(locations, order[from]);
      let sum = 0;
      do {
        const small = this.smallOf(order[at++]);
        sum = small === LARGE || sum === ELSEWHERE ? ELSEWHERE : sum + small;
        if (++steps % STEPS_BETWEEN_CHECKS === 0) task.check();
      } while (at < order.length && begins[at] === 0 && locationOfRow(locations, order[at]) === location);
      visit(sum <= Number.MAX_SAFE_INTEGER ? sum : ELSEWHERE, from, at);
    }
  }

  private smallOf(row: number): number {
    const number = chunkOf(row);
    const chunk = this.small[number];
    return chunk === undefined ? 0 : chunk[row - firstRow(number)];
  }

  /** All of it is in the builder; rows that stand for one cell together are added up. */
  private combined(rows: OrderedRows, locationOf: Int32Array, divisor: number, task: Task): SparseValues {
    const { order, begins } = rows;
    const groupOf = new Int32Array(order.length);
    for (let at = 0, group = -1; at < order.length; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      groupOf[order[at]] = begins[at] ? ++group : group;
    }
    const all = new SparseBuilder();
    all.addAll(this.large, groupOf, identity(locationOf.length), task);
    return all.build(rows.groups, identity(rows.groups), locationOf, divisor, 1, task);
  }
}

const EMPTY = new Int32Array(0);
