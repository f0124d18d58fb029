/** Levels of detail: how the time of each lane is shared out over bins and states, at resolutions that halve. */
import { widened } from "../../model/columns";
import { NONE } from "../../model/ids";
import type { LaneLevel } from "../../model/trace";
import { CellPool } from "./cellPool";

/** Bins of the finest level of a lane at most. */
const MOST_BINS = 4096;
/** Cells of the finest levels of all lanes together: 12 MB, and one to five times as much for the coarser ones. */
const MOST_CELLS = 1 << 20;
const LEAST_CELLS = 16;
/** So many bins stay, however many states each of them has. */
const LEAST_BINS = 16;

/**
 * Shares out the time of one lane after the other. Bins of all lanes lie on one grid, whose step is the trace's length halved
 * or doubled some times: bins of two lanes either are the same, or one holds the other.
 */
export class LevelBuilder {
  private readonly mostCells: number;
  private readonly pool = new CellPool();
  /** Levels of each lane in the pool: the finest one, and how many; NONE without events. */
  private readonly finest: Int32Array;
  private readonly levels: Int32Array;
  /** Whole lanes in the pool: time by state, heaviest first. */
  private readonly totals: Int32Array;
  private lane = -1;

  // The lane at hand: its finest level so far. Bin b is number `first + b` of the grid.
  private step = 1;
  private first = 0;
  private bin = 0;
  private binEnd = 0;
  private readonly rowStart = new Int32Array(MOST_BINS + 2);
  private cells = 0;
  private state = new Int32Array(1024);
  private seconds = new Float64Array(1024);
  /** Where a state's cell of the present bin is, if it has one. */
  private cellOf = new Int32Array(1024);
  private total = new Float64Array(1024);
  private touched: number[] = [];

  constructor(
    lanes: number,
    private readonly traceStart: number,
    private readonly traceSpan: number,
  ) {
    // A power of two, as every number of bins is: only so do all lanes share one grid.
    const share = 2 ** Math.floor(Math.log2(MOST_CELLS / Math.max(1, lanes)));
    this.mostCells = Math.max(LEAST_CELLS, Math.min(1 << 16, share));
    this.finest = new Int32Array(lanes).fill(NONE);
    this.levels = new Int32Array(lanes);
    this.totals = new Int32Array(lanes).fill(NONE);
  }

  get bytes(): number {
    return this.pool.bytes + 12 * this.finest.length;
  }

  /** @param events of the lane: few of them need no thousand bins */
  begin(lane: number, startSeconds: number, endSeconds: number, events: number): void {
    this.lane = lane;
    const most = Math.min(MOST_BINS, this.mostCells, 2 ** Math.ceil(Math.log2(4 * events)));
    const span = this.traceSpan > 0 ? this.traceSpan : 1;
    const share = Math.max((endSeconds - startSeconds) / span, 2 ** -40);
    // Edges closer together than doubles could not be told apart.
    const leastStep = Math.max(Math.abs(startSeconds), Math.abs(endSeconds)) * 2 ** -44;
    this.step = (span / most) * 2 ** Math.ceil(Math.log2(share));
    while (this.step < leastStep || this.binAt(endSeconds) - this.binAt(startSeconds) > most) this.step *= 2;
    this.first = this.binAt(startSeconds);
    this.bin = 0;
    this.binEnd = this.edge(this.first + 1);
    this.rowStart[0] = 0;
    this.cells = 0;
  }

  /** Time of a state; by ascending time within a lane. */
  add(state: number, fromSeconds: number, toSeconds: number): void {
    if (state >= this.total.length) this.widenStates(state);
    if (this.total[state] === 0) this.touched.push(state);
    this.total[state] += toSeconds - fromSeconds;
    let from = fromSeconds;
    if (from >= this.binEnd) this.moveTo(this.binAt(from) - this.first);
    while (toSeconds > this.binEnd) {
      this.addCell(state, this.binEnd - from);
      from = this.binEnd;
      this.moveTo(this.bin + 1);
    }
    this.addCell(state, toSeconds - from);
  }

  /** Keeps what was shared out of the lane, with all coarser levels. */
  end(): void {
    const { lane } = this;
    this.rowStart[this.bin + 1] = this.cells;
    const state = Int32Array.from(this.touched);
    state.sort((a, b) => this.total[b] - this.total[a] || a - b);
    const seconds = Float64Array.from(state, (one) => this.total[one]);
    this.totals[lane] = this.pool.put(0, 0, Int32Array.of(0, state.length), state, seconds, state.length);
    this.finest[lane] = this.totals[lane] + 1;
    for (const one of state) this.total[one] = 0;
    this.touched = [];
    for (;;) {
      const { step, first, cells } = this;
      const bins = this.bin + 1;
      this.pool.put(this.edge(first), step, this.rowStart.subarray(0, bins + 1), this.state, this.seconds, cells);
      this.levels[lane]++;
      if (bins === 1) return;
      this.coarsen();
    }
  }

  stateSeconds(lane: number): { readonly state: Int32Array; readonly seconds: Float64Array } {
    const { state, seconds } = this.totals[lane] === NONE ? NO_TOTALS : this.pool.get(this.totals[lane]);
    return { state, seconds };
  }

  level(lane: number, binSeconds: number): LaneLevel | undefined {
    if (this.finest[lane] === NONE) return undefined;
    const coarsest = this.finest[lane] + this.levels[lane] - 1;
    let level = this.finest[lane];
    while (level < coarsest && this.pool.binSeconds(level) < binSeconds) level++;
    return this.pool.get(level);
  }

  private edge(bin: number): number {
    return this.traceStart + bin * this.step;
  }

  private binAt(seconds: number): number {
    let bin = Math.floor((seconds - this.traceStart) / this.step);
    // A quotient is rounded: what counts is the edge as it is computed.
    while (this.edge(bin) > seconds) bin--;
    while (this.edge(bin + 1) <= seconds) bin++;
    return bin;
  }

  private moveTo(bin: number): void {
    if (this.cells > this.mostCells && this.bin >= 2 * LEAST_BINS) {
      const at = this.first + bin;
      this.rowStart[this.bin + 1] = this.cells;
      this.coarsen();
      const coarse = Math.floor(at / 2) - this.first;
      if (coarse > this.bin) this.fillTo(coarse);
    } else this.fillTo(bin);
    this.binEnd = this.edge(this.first + this.bin + 1);
  }

  private fillTo(bin: number): void {
    while (this.bin < bin) this.rowStart[++this.bin] = this.cells;
  }

  private addCell(state: number, seconds: number): void {
    const known = this.cellOf[state];
    if (known >= this.rowStart[this.bin] && known < this.cells && this.state[known] === state) {
      this.seconds[known] += seconds;
      return;
    }
    if (this.cells === this.state.length) {
      this.state = widened(this.state);
      this.seconds = widened(this.seconds);
    }
    this.cellOf[state] = this.cells;
    this.state[this.cells] = state;
    this.seconds[this.cells++] = seconds;
  }

  /** Makes one bin of two, in place: what is written lies before what is still to be read. */
  private coarsen(): void {
    const { state, seconds, rowStart, first } = this;
    const bins = this.bin + 1;
    const coarseFirst = Math.floor(first / 2);
    this.cells = 0;
    this.bin = 0;
    let from = 0;
    for (let bin = 0; bin < bins; bin++) {
      const to = rowStart[bin + 1];
      const coarse = Math.floor((first + bin) / 2) - coarseFirst;
      if (coarse > this.bin) rowStart[++this.bin] = this.cells;
      for (let cell = from; cell < to; cell++) this.addCell(state[cell], seconds[cell]);
      from = to;
    }
    rowStart[this.bin + 1] = this.cells;
    this.first = coarseFirst;
    this.step *= 2;
  }

  private widenStates(state: number): void {
    const length = Math.max(2 * this.total.length, state + 1);
    this.total = widened(this.total, length);
    this.cellOf = widened(this.cellOf, length);
  }
}

const NO_TOTALS = { state: new Int32Array(0), seconds: new Float64Array(0) };
