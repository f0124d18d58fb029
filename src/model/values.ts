import { widened } from "./columns";
import { NONE } from "./ids";
import { addTo } from "./maps";
import { quietTask, STEPS_BETWEEN_CHECKS, type Task } from "./task";

/**
 * Exclusive values of one metric: a sparse matrix, one row per context, one column per location.
 * The cells of context c are `rowStart[c] … rowStart[c + 1] - 1`, by ascending location.
 */
export interface SparseValues {
  readonly rowStart: Int32Array;
  /** Location of each cell. */
  readonly column: Int32Array;
  readonly value: Float64Array;
}

/** The values of some locations only. @param taken 1 for those */
export function withLocations({ rowStart, column, value }: SparseValues, taken: Uint8Array): SparseValues {
  const cells = column.reduce((sum, place) => sum + taken[place], 0);
  const kept = {
    rowStart: new Int32Array(rowStart.length),
    column: new Int32Array(cells),
    value: new Float64Array(cells),
  };
  let next = 0;
  for (let row = 0; row + 1 < rowStart.length; row++) {
    for (let at = rowStart[row]; at < rowStart[row + 1]; at++) {
      if (taken[column[at]] !== 1) continue;
      kept.column[next] = column[at];
      kept.value[next++] = value[at];
    }
    kept.rowStart[row + 1] = next;
  }
  return kept;
}

/** Rows of values laid out anew: those of each context at the union's context that it is. */
export function rowsAt(values: SparseValues, contextOf: Int32Array, size: number): SparseValues {
  const rowStart = new Int32Array(size + 1);
  contextOf.forEach((joined, context) => {
    rowStart[joined + 1] += values.rowStart[context + 1] - values.rowStart[context];
  });
  for (let row = 0; row < size; row++) rowStart[row + 1] += rowStart[row];
  const next = rowStart.slice(0, size);
  const column = values.column.slice();
  const value = values.value.slice();
  contextOf.forEach((joined, context) => {
    for (let at = values.rowStart[context]; at < values.rowStart[context + 1]; at++) {
      column[next[joined]] = values.column[at];
      value[next[joined]++] = values.value[at];
    }
  });
  return { rowStart, column, value };
}

/** Every integer up to here is exact in a double; a sum is certainly exact only where it stays below. */
const EXACT = 2 ** 53;

/** How several values of one cell become one. */
export type Combine = "sum" | "minimum" | "maximum";

/**
 * Combines values by (context, location), in a way that does not depend on the order they arrive in (semantics 1, Order):
 * integers are summed exactly; all others are kept and summed by ascending value at the end. `nan` and `inf` are left
 * out, and stand only in cells that have nothing else.
 */
export class SparseBuilder {
  private cells = 0;
  private context = new Int32Array(64);
  private place = new Int32Array(64);
  private exact = new Float64Array(64);
  /** 1 where a finite value arrived. */
  private finite = new Uint8Array(64);
  private slots = new Int32Array(128).fill(NONE);
  private lateCell = new Int32Array(64);
  private late = new Float64Array(64);
  private lateCount = 0;
  /** How many times {@link EXACT} was taken out of a cell's sum of integers. */
  private readonly carried = new Map<number, number>();
  private readonly notFinite = new Map<number, number>();

  constructor(readonly combine: Combine = "sum") {}

  get size(): number {
    return this.cells;
  }

  add(context: number, location: number, value: number): void {
    this.addTo(this.cell(context, location), value);
  }

  /** As {@link add}, for those who add to one cell many times: see {@link cell}. */
  addTo(cell: number, value: number): void {
    if (this.combine === "sum" && Number.isSafeInteger(value)) {
      const sum = this.exact[cell] + value;
      // Strictly inside: a sum one beyond is rounded to the bound itself.
      if (sum < EXACT && sum > -EXACT) {
        this.exact[cell] = sum;
        this.finite[cell] = 1;
        return;
      }
    }
    this.addSlowly(cell, value);
  }

  /** As {@link addAll}; `other` is empty then. */
  absorb(other: SparseBuilder, contextOf: Int32Array, locationOf: Int32Array): void {
    this.addAll(other, contextOf, locationOf);
    other.clear();
  }

  /** Adds everything that `other` holds, as if it had been added here one by one. */
  addAll(
    other: SparseBuilder,
    contextOf: Int32Array,
    locationOf: Int32Array,
    task: Pick<Task, "check"> = quietTask,
  ): void {
    const cellOf = new Int32Array(other.cells);
    for (let cell = 0; cell < other.cells; cell++) {
      if (cell % STEPS_BETWEEN_CHECKS === 0) task.check();
      const own = this.cell(contextOf[other.context[cell]], locationOf[other.place[cell]]);
      cellOf[cell] = own;
      if (other.finite[cell]) this.addTo(own, other.exact[cell]);
    }
    for (let at = 0; at < other.lateCount; at++) this.addTo(cellOf[other.lateCell[at]], other.late[at]);
    for (const [cell, steps] of other.carried) this.carry(cellOf[cell], steps);
    for (const [cell, value] of other.notFinite) this.addTo(cellOf[cell], value);
  }

  private clear(): void {
    [this.cells, this.lateCount] = [0, 0];
    [this.context, this.place, this.lateCell] = [new Int32Array(1), new Int32Array(1), new Int32Array(1)];
    [this.exact, this.late] = [new Float64Array(1), new Float64Array(1)];
    this.finite = new Uint8Array(1);
    this.slots = new Int32Array(2).fill(NONE);
    this.carried.clear();
    this.notFinite.clear();
  }

  private addSlowly(cell: number, value: number): void {
    if (!Number.isFinite(value)) {
      const known = this.notFinite.get(cell);
      this.notFinite.set(cell, known === undefined ? value : known + value);
      return;
    }
    const first = this.finite[cell] === 0;
    this.finite[cell] = 1;
    if (this.combine !== "sum") {
      const known = this.exact[cell];
      const better = this.combine === "minimum" ? value < known : value > known;
      if (first || better) this.exact[cell] = value;
      return;
    }
    if (Number.isSafeInteger(value)) {
      // The sum would leave the exact range. Both terms have the same sign, so taking one step out first is exact.
      const step = Math.sign(value);
      this.exact[cell] = this.exact[cell] - step * EXACT + value;
      this.carry(cell, step);
      return;
    }
    if (this.lateCount === this.late.length) {
      this.late = widened(this.late);
      this.lateCell = widened(this.lateCell);
    }
    this.lateCell[this.lateCount] = cell;
    this.late[this.lateCount++] = value;
  }

  private carry(cell: number, steps: number): void {
    addTo(this.carried, cell, steps);
  }

  /** Sum of all cells, as recorded; `nan` and `inf` left out. */
  total(task: Pick<Task, "check"> = quietTask): number {
    return this.sums(task).reduce((total, value) => (Number.isFinite(value) ? total + value : total), 0);
  }

  /**
   * @param contexts number of contexts of the final tree
   * @param finalContext final number of each context that was added (see ContextTreeBuilder.build)
   * @param finalLocation final number of each location that was added
   * @param divisor what recorded values are divided by to be in the metric's unit (1e9 for nanoseconds)
   * @param factor what they are multiplied with (1e6 for megabytes)
   * @param task checked now and then: millions of cells take a second
   */
  build(
    contexts: number,
    finalContext: Int32Array,
    finalLocation: Int32Array,
    divisor = 1,
    factor = 1,
    task: Pick<Task, "check"> = quietTask,
  ): SparseValues {
    const sums = this.sums(task);
    task.check();
    // Counting sort by context, then by location inside each row.
    const rowStart = new Int32Array(contexts + 1);
    for (let cell = 0; cell < this.cells; cell++) rowStart[finalContext[this.context[cell]] + 1]++;
    for (let row = 0; row < contexts; row++) rowStart[row + 1] += rowStart[row];
    task.check();
    const next = rowStart.slice(0, contexts);
    const order = new Int32Array(this.cells);
    for (let cell = 0; cell < this.cells; cell++) order[next[finalContext[this.context[cell]]]++] = cell;
    task.check();
    let unchecked = 0;
    for (let row = 0; row < contexts; row++) {
      unchecked += 1 + rowStart[row + 1] - rowStart[row];
      if (unchecked > STEPS_BETWEEN_CHECKS) {
        task.check();
        unchecked = 0;
      }
      // Where files come in the order of their ranks, so do the cells of each row.
      if (!this.isAscending(order, rowStart[row], rowStart[row + 1], finalLocation))
        order
          .subarray(rowStart[row], rowStart[row + 1])
          .sort((a, b) => finalLocation[this.place[a]] - finalLocation[this.place[b]]);
    }
    const column = new Int32Array(this.cells);
    const value = new Float64Array(this.cells);
    for (let at = 0; at < this.cells; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      column[at] = finalLocation[this.place[order[at]]];
      value[at] = (sums[order[at]] * factor) / divisor;
    }
    return { rowStart, column, value };
  }

  private isAscending(cells: Int32Array, from: number, to: number, finalLocation: Int32Array): boolean {
    for (let at = from + 1; at < to; at++)
      if (finalLocation[this.place[cells[at - 1]]] > finalLocation[this.place[cells[at]]]) return false;
    return true;
  }

  /** Context of the newest cell. */
  get lastContext(): number {
    return this.context[this.cells - 1];
  }

  /** The sum of each cell with the context that it was added for. */
  cellSums(): [context: number, sum: number][] {
    return Array.from(this.sums(), (sum, cell) => [this.context[cell], sum]);
  }

  /** The sum of each cell. */
  sums(task: Pick<Task, "check"> = quietTask): Float64Array {
    const sums = this.exact.slice(0, this.cells);
    for (const [cell, steps] of this.carried) sums[cell] += steps * EXACT;
    for (const [cell, value] of this.notFinite) if (!this.finite[cell]) sums[cell] = value;
    if (this.lateCount === 0) return sums;
    const start = new Int32Array(this.cells + 1);
    task.check();
    for (let at = 0; at < this.lateCount; at++) start[this.lateCell[at] + 1]++;
    task.check();
    for (let cell = 0; cell < this.cells; cell++) start[cell + 1] += start[cell];
    task.check();
    const next = start.slice(0, this.cells);
    const values = new Float64Array(this.lateCount);
    for (let at = 0; at < this.lateCount; at++) values[next[this.lateCell[at]]++] = this.late[at];
    task.check();
    for (let cell = 0; cell < this.cells; cell++) {
      if (cell % STEPS_BETWEEN_CHECKS === 0) task.check();
      const [from, to] = [start[cell], start[cell + 1]];
      if (to - from > 1) values.subarray(from, to).sort();
      for (let at = from; at < to; at++) sums[cell] += values[at];
    }
    return sums;
  }

  /** The cell of this context and location, made when it is new; it stays valid as long as the builder. */
  cell(context: number, location: number): number {
    let mask = this.slots.length - 1;
    let at = hash(context, location) & mask;
    for (let cell = this.slots[at]; cell !== NONE; cell = this.slots[(at = (at + 1) & mask)]) {
      if (this.context[cell] === context && this.place[cell] === location) return cell;
    }
    if (this.cells === this.context.length) {
      this.context = widened(this.context);
      this.place = widened(this.place);
      this.exact = widened(this.exact);
      this.finite = widened(this.finite);
      this.slots = new Int32Array(this.slots.length * 2).fill(NONE);
      mask = this.slots.length - 1;
      for (let cell = 0; cell < this.cells; cell++) {
        let slot = hash(this.context[cell], this.place[cell]) & mask;
        while (this.slots[slot] !== NONE) slot = (slot + 1) & mask;
        this.slots[slot] = cell;
      }
      at = hash(context, location) & mask;
      while (this.slots[at] !== NONE) at = (at + 1) & mask;
    }
    const cell = this.cells++;
    this.context[cell] = context;
    this.place[cell] = location;
    this.slots[at] = cell;
    return cell;
  }
}

function hash(context: number, location: number): number {
  let h = Math.imul(context, 0x9e3779b1) ^ Math.imul(location + 1, 0x85ebca6b);
  h ^= h >>> 15;
  return Math.imul(h, 0x2c1b3c6d) >>> 1;
}
