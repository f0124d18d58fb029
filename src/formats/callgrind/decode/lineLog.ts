import { NONE } from "../../../model/ids";
import { IntColumn } from "../../../model/columns";
import { chunkLength, chunkOf, firstRow } from "./chunks";

/** Lines that are known to be there already, where no other has taken their slot since: under a megabyte. */
const RECENT = 1 << 16;

/**
 * Lines with costs as they arrive, one row each; whether a line was there before is found out when all have come
 * ({@link orderLines}). Looking it up at once would take as much memory as the lines themselves, and more time than all else.
 * Only for recent lines is this known: costs by instruction and one dump after another name the same lines again and
 * again, of which rows would be many times the file. Rows of one place that follow one another are a run.
 */
export class LineLog {
  size = 0;
  /** Place of each run. */
  readonly places = new IntColumn();
  /** First row of each run. */
  readonly starts = new IntColumn();
  private chunks: Int32Array[] = [];
  /** Rows before the last chunk. */
  private before = 0;
  private place: number = NONE;
  private readonly recentPlace = new Int32Array(RECENT).fill(NONE);
  private readonly recentLine = new Int32Array(RECENT);
  private readonly recentRow = new Int32Array(RECENT);

  /** @returns the number of the line's row, mostly a new one */
  add(place: number, line: number): number {
    // The lines of a place that follow one another have slots that do.
    const slot = (line + (Math.imul(place, 0x9e3779b1) >>> 16)) & (RECENT - 1);
    if (this.recentPlace[slot] === place && this.recentLine[slot] === line) return this.recentRow[slot];
    this.recentPlace[slot] = place;
    this.recentLine[slot] = line;
    return (this.recentRow[slot] = this.push(place, line));
  }

  private push(place: number, line: number): number {
    if (place !== this.place) {
      this.place = place;
      this.places.push(place);
      this.starts.push(this.size);
    }
    const next = this.chunks.length;
    if (this.size === firstRow(next)) {
      this.before = this.size;
      this.chunks.push(new Int32Array(chunkLength(next)));
    }
    this.chunks[this.chunks.length - 1][this.size - this.before] = line;
    return this.size++;
  }

  lineOf(row: number): number {
    const chunk = chunkOf(row);
    return this.chunks[chunk][row - firstRow(chunk)];
  }

  /** One past the last row of a run. */
  endOf(run: number): number {
    return run + 1 < this.starts.length ? this.starts.values[run + 1] : this.size;
  }

  /** Place of each row. */
  placesOfRows(): Int32Array {
    const all = new Int32Array(this.size);
    for (let run = 0; run < this.starts.length; run++)
      all.fill(this.places.values[run], this.starts.values[run], this.endOf(run));
    return all;
  }

  /** Frees the lines; their number stays. */
  clear(): void {
    this.chunks = [];
  }
}
