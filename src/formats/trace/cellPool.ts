import type { LaneLevel } from "../../model/trace";

/** Levels of all lanes in three columns: a typed array of its own for each would take more than most of them hold. */
export class CellPool {
  private readonly starts: number[] = [];
  private readonly steps: number[] = [];
  private readonly rowsAt: number[] = [];
  private readonly rowCounts: number[] = [];
  private readonly cellsAt: number[] = [];
  private rows = 0;
  private rowStart = new Int32Array(1024);
  private cells = 0;
  private frame = new Int32Array(1024);
  private seconds = new Float64Array(1024);

  get bytes(): number {
    return 4 * this.rowStart.length + 12 * this.frame.length + 40 * this.starts.length;
  }

  put(
    start: number,
    step: number,
    rowStart: Int32Array,
    frame: Int32Array,
    seconds: Float64Array,
    cells: number,
  ): number {
    this.rowStart = roomFor(this.rowStart, Int32Array, this.rows + rowStart.length);
    this.frame = roomFor(this.frame, Int32Array, this.cells + cells);
    this.seconds = roomFor(this.seconds, Float64Array, this.cells + cells);
    this.rowStart.set(rowStart, this.rows);
    this.frame.set(frame.subarray(0, cells), this.cells);
    this.seconds.set(seconds.subarray(0, cells), this.cells);
    this.rowsAt.push(this.rows);
    this.rowCounts.push(rowStart.length);
    this.cellsAt.push(this.cells);
    this.starts.push(start);
    this.rows += rowStart.length;
    this.cells += cells;
    return this.steps.push(step) - 1;
  }

  binSeconds(level: number): number {
    return this.steps[level];
  }

  get(level: number): LaneLevel {
    const rowStart = this.rowStart.subarray(this.rowsAt[level], this.rowsAt[level] + this.rowCounts[level]);
    const bins = rowStart.length - 1;
    const [from, to] = [this.cellsAt[level], this.cellsAt[level] + rowStart[bins]];
    return {
      startSeconds: this.starts[level],
      binSeconds: this.steps[level],
      bins,
      rowStart,
      frame: this.frame.subarray(from, to),
      seconds: this.seconds.subarray(from, to),
    };
  }
}

function roomFor<T extends Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  column: T,
  Type: new (length: number) => T,
  length: number,
): T {
  return length <= column.length ? column : widened(column, Type, Math.max(length, 2 * column.length));
}

export function widened<T extends Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  column: T,
  Type: new (length: number) => T,
  length: number,
): T {
  const wider = new Type(length);
  wider.set(column as never);
  return wider;
}
