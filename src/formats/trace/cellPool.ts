import type { LaneLevel } from "../../model/trace";

/** A slab grows with what is there already, so that few lanes take little, up to this many entries. */
const MOST_IN_SLAB = 1 << 18;

/**
 * Levels of all lanes in columns: a typed array of its own for each would take more than most of them hold. A column is a list
 * of slabs, since widening one of a hundred megabytes would take a fifth of a second without a check for a cancel.
 */
export class CellPool {
  private readonly starts: number[] = [];
  private readonly steps: number[] = [];
  private readonly rowsAt: number[] = [];
  private readonly rowCounts: number[] = [];
  private readonly cellsAt: number[] = [];
  /** Which slabs a level's rows and cells are in. */
  private readonly rowSlab: number[] = [];
  private readonly cellSlab: number[] = [];
  private rows = 0;
  private readonly rowStart = [new Int32Array(1024)];
  private cells = 0;
  private readonly state = [new Int32Array(1024)];
  private readonly seconds = [new Float64Array(1024)];
  private slabBytes = 16 * 1024;

  get bytes(): number {
    return this.slabBytes + 56 * this.starts.length;
  }

  put(
    start: number,
    step: number,
    rowStart: Int32Array,
    state: Int32Array,
    seconds: Float64Array,
    cells: number,
  ): number {
    this.makeRoom(rowStart.length, cells);
    const [rowSlab, cellSlab] = [this.rowStart.length - 1, this.state.length - 1];
    this.rowStart[rowSlab].set(rowStart, this.rows);
    this.state[cellSlab].set(state.subarray(0, cells), this.cells);
    this.seconds[cellSlab].set(seconds.subarray(0, cells), this.cells);
    this.rowSlab.push(rowSlab);
    this.cellSlab.push(cellSlab);
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
    const rowStart = this.rowStart[this.rowSlab[level]].subarray(
      this.rowsAt[level],
      this.rowsAt[level] + this.rowCounts[level],
    );
    const bins = rowStart.length - 1;
    const [from, to] = [this.cellsAt[level], this.cellsAt[level] + rowStart[bins]];
    return {
      startSeconds: this.starts[level],
      binSeconds: this.steps[level],
      bins,
      rowStart,
      state: this.state[this.cellSlab[level]].subarray(from, to),
      seconds: this.seconds[this.cellSlab[level]].subarray(from, to),
    };
  }

  /** A level is never split between two slabs. */
  private makeRoom(rows: number, cells: number): void {
    const rowSlab = this.rowStart[this.rowStart.length - 1].length;
    if (this.rows + rows > rowSlab) {
      const length = Math.max(rows, Math.min(2 * rowSlab, MOST_IN_SLAB));
      this.rowStart.push(new Int32Array(length));
      this.slabBytes += 4 * length;
      this.rows = 0;
    }
    const cellSlab = this.state[this.state.length - 1].length;
    if (this.cells + cells > cellSlab) {
      const length = Math.max(cells, Math.min(2 * cellSlab, MOST_IN_SLAB));
      this.state.push(new Int32Array(length));
      this.seconds.push(new Float64Array(length));
      this.slabBytes += 12 * length;
      this.cells = 0;
    }
  }
}
