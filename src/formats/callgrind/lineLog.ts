import { NONE } from "../../model/ids";
import { IntColumn } from "../intColumn";
import { chunkLength, chunkOf, firstRow } from "./chunks";

/**
 * Lines with costs as they arrive, a row each; whether a line was there before is found out when all have come
 * ({@link orderLines}). Looking it up at once would take as much memory as the lines themselves, and more time than all else.
 * Rows of one place that follow one another are a run.
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

  /** @returns the number of the new row */
  add(place: number, line: number): number {
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

  /** Lets the lines go; their number stays. */
  clear(): void {
    this.chunks = [];
  }
}
