/** Time and events of states, slice by slice, while events come. */
import { RequestError } from "../../model/errors";

/** A row is a state of a leaf, or whatever is told apart; rows come as they are met. */
const FIRST_ROWS = 16;
/** Of all cells, and of each: two numbers. */
const MOST_BYTES = 256e6;
const BYTES_OF_CELL = 16;

/** Fewer slices may fit. */
class TooManyCells extends RequestError {
  readonly isOfCells = true;
}

export function areTooManyCells(error: unknown): boolean {
  return error instanceof RequestError && "isOfCells" in error;
}

/** @param rows states of resources @throws RequestError, which {@link areTooManyCells} knows */
export function checkCells(rows: number, slices: number): void {
  if (rows * slices * BYTES_OF_CELL <= MOST_BYTES) return;
  const most = (MOST_BYTES / BYTES_OF_CELL).toLocaleString("en");
  throw new TooManyCells(
    `States of all resources (${rows.toLocaleString("en")} and more) in ${slices} slices are more than the ${most} values that are kept: choose fewer slices, or fewer resources.`,
  );
}

/** Slices of one length, [begin, end); each event counts with its part in each. */
export class SlicedCells {
  rows = 0;
  /** Row · slices + slice: seconds in it, and events that begin in it. */
  seconds: Float64Array;
  events: Float64Array;
  /** Where slices begin, and where the last one ends. */
  private readonly edges: Float64Array;
  private readonly perSecond: number;

  constructor(
    from: number,
    to: number,
    readonly slices: number,
    rows = FIRST_ROWS,
  ) {
    this.edges = Float64Array.from({ length: slices + 1 }, (_, at) => from + (at * (to - from)) / slices);
    this.perSecond = slices / (to - from);
    checkCells(rows, slices);
    this.seconds = new Float64Array(rows * slices);
    this.events = new Float64Array(rows * slices);
  }

  /** @param weight of a second */
  spend(row: number, from: number, to: number, weight = 1): void {
    if (row >= this.rows) this.grow(row);
    this.spread(row, this.sliceOf(from), from, to, weight);
  }

  /** @param amount added to what counts in the slice of this moment */
  count(row: number, at: number, amount = 1): void {
    if (row >= this.rows) this.grow(row);
    this.countIn(row, this.sliceOf(at), amount);
  }

  /** What was spent, and whether an event began with it: the slice of its begin is looked for once. */
  add(row: number, from: number, to: number, begins: boolean): void {
    if (row >= this.rows) this.grow(row);
    const slice = this.sliceOf(from);
    this.spread(row, slice, from, to, 1);
    if (begins) this.countIn(row, slice, 1);
  }

  private spread(row: number, begin: number, from: number, to: number, weight: number): void {
    const { edges, slices, seconds } = this;
    const first = row * slices;
    for (let slice = Math.max(0, begin); slice < slices && edges[slice] < to; slice++) {
      const part = (to < edges[slice + 1] ? to : edges[slice + 1]) - (from > edges[slice] ? from : edges[slice]);
      if (part > 0) seconds[first + slice] += part * weight;
    }
  }

  private countIn(row: number, slice: number, amount: number): void {
    if (slice >= 0 && slice < this.slices) this.events[row * this.slices + slice] += amount;
  }

  /** -1 before the first slice, their number after the last one. */
  private sliceOf(seconds: number): number {
    const { edges, slices } = this;
    let slice = Math.min(slices, Math.max(-1, Math.floor((seconds - edges[0]) * this.perSecond)));
    while (slice < slices && slice >= 0 && edges[slice + 1] <= seconds) slice++;
    while (slice >= 0 && edges[slice] > seconds) slice--;
    return slice;
  }

  private grow(row: number): void {
    this.rows = row + 1;
    checkCells(this.rows, this.slices);
    const length = this.rows * this.slices;
    if (length <= this.seconds.length) return;
    const wider = (column: Float64Array) => {
      const more = new Float64Array(Math.max(length, 2 * column.length));
      more.set(column);
      return more;
    };
    this.seconds = wider(this.seconds);
    this.events = wider(this.events);
  }
}
