/** Time and events of states of a trace whose end is not known before it is there: what is read once, and kept only in part. */
import { SlicedCells } from "./slicedCells";

/** Pieces that are kept: 20 bytes each. */
const MOST_PIECES = 1 << 22;
/** Bytes of cells where pieces are too many. */
const MOST_BYTES = 64e6;
const BYTES_OF_CELL = 16;
const FEWEST_BINS = 1 << 10;
const MOST_BINS = 1 << 16;

/**
 * Pieces of time, as they come, are kept while they are few, and cut exactly in the end. Beyond that they are added up in bins, which get
 * twice as wide whenever time goes beyond them.
 */
export class UnendedCells {
  private count = 0;
  private row = new Int32Array(1 << 12);
  private from = new Float64Array(1 << 12);
  private to = new Float64Array(1 << 12);
  private bins: Bins | undefined;
  private first = Number.POSITIVE_INFINITY;
  private last = Number.NEGATIVE_INFINITY;

  constructor(private readonly mostPieces = MOST_PIECES) {}

  /** @param begins an event begins with it */
  spend(row: number, from: number, to: number, begins: boolean): void {
    if (from < this.first) this.first = from;
    if (to > this.last) this.last = to;
    if (this.bins) return this.bins.spend(row, from, to, begins);
    if (this.count === this.mostPieces) {
      this.toBins();
      return this.spend(row, from, to, begins);
    }
    if (this.count === this.row.length) this.grow();
    this.row[this.count] = 2 * row + (begins ? 1 : 0);
    this.from[this.count] = from;
    this.to[this.count++] = to;
  }

  /**
   * @param leadSeconds added to the times of all pieces
   * @returns the cells, and seconds that may be beside the slice that they are in: 0 where all is exact
   */
  cells(
    from: number,
    to: number,
    slices: number,
    leadSeconds = 0,
  ): { readonly cells: SlicedCells; readonly withinSeconds: number } {
    const cells = new SlicedCells(from, to, slices);
    if (this.bins) return { cells, withinSeconds: this.bins.into(cells, (to - from) / slices, leadSeconds) };
    for (let at = 0; at < this.count; at++) {
      const row = this.row[at] >> 1;
      cells.add(row, this.from[at] + leadSeconds, this.to[at] + leadSeconds, this.row[at] % 2 === 1);
    }
    return { cells, withinSeconds: 0 };
  }

  private grow(): void {
    const length = Math.min(this.mostPieces, 2 * this.count);
    const [row, from, to] = [new Int32Array(length), new Float64Array(length), new Float64Array(length)];
    row.set(this.row);
    from.set(this.from);
    to.set(this.to);
    [this.row, this.from, this.to] = [row, from, to];
  }

  private toBins(): void {
    const rows = this.row.reduce((most, one) => Math.max(most, one >> 1), 0) + 1;
    const bins = new Bins(rows, this.first, this.last);
    for (let at = 0; at < this.count; at++)
      bins.spend(this.row[at] >> 1, this.from[at], this.to[at], this.row[at] % 2 === 1);
    this.bins = bins;
    this.count = 0;
    this.row = new Int32Array(0);
    [this.from, this.to] = [new Float64Array(0), new Float64Array(0)];
  }
}

/** Bins of 2^n seconds, from a multiple of that on. */
class Bins {
  private cells: SlicedCells;
  private start: number;
  private width: number;
  private count: number;

  constructor(rows: number, first: number, last: number) {
    this.count = MOST_BINS;
    while (this.count > FEWEST_BINS && rows * this.count * BYTES_OF_CELL > MOST_BYTES) this.count /= 2;
    this.width = 2 ** Math.ceil(Math.log2(Math.max(last - first, 1e-9) / this.count));
    this.start = Math.floor(first / this.width) * this.width;
    this.cells = this.empty(rows);
    while (last > this.end) this.widen(false);
  }

  private get end(): number {
    return this.start + this.width * this.count;
  }

  spend(row: number, from: number, to: number, begins: boolean): void {
    while (to > this.end) this.widen(false);
    while (from < this.start) this.widen(true);
    this.cells.add(row, from, to, begins);
  }

  /** @returns how far time may be from where it belongs */
  into(cells: SlicedCells, length: number, leadSeconds: number): number {
    const { seconds, events, rows } = this.cells;
    const start = this.start + leadSeconds;
    for (let row = 0; row < rows; row++)
      for (let bin = 0, at = row * this.count; bin < this.count; bin++, at++) {
        const [from, to] = [start + bin * this.width, start + (bin + 1) * this.width];
        if (seconds[at] > 0) cells.spend(row, from, to, seconds[at] / this.width);
        if (events[at] > 0) cells.count(row, (from + to) / 2, events[at]);
      }
    return Math.min(this.width, length);
  }

  /** Twice the width, and twice the time: more of it before what there is, or behind it. */
  private widen(isBefore: boolean): void {
    const before = this.cells;
    const offset = isBefore ? this.count / 2 : 0;
    if (isBefore) this.start -= this.width * this.count;
    this.width *= 2;
    this.cells = this.empty(before.rows);
    const { seconds, events } = this.cells;
    for (let row = 0; row < before.rows; row++)
      for (let bin = 0; bin < this.count; bin++) {
        const to = row * this.count + offset + (bin >> 1);
        seconds[to] += before.seconds[row * this.count + bin];
        events[to] += before.events[row * this.count + bin];
      }
  }

  private empty(rows: number): SlicedCells {
    const cells = new SlicedCells(this.start, this.end, this.count, rows);
    cells.rows = rows;
    return cells;
  }
}
