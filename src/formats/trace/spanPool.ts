/** Rows of spans of all lanes, in a few large columns: typed arrays of their own would take more than most rows hold. */
import type { SpanColumns } from "../../model/trace";
import { Rows, type Schema } from "./rows";
import type { SpanRow } from "./spanRow";

/** f64: start, end; i32: events, first, cellsAt. A level takes one row more than it has spans, for the end of its cells. */
const spanRows: Schema = { f64: 2, i32: 3, u16: 0, u8: 0 };
/** f64: seconds; i32: state, events. */
const cellRows: Schema = { f64: 1, i32: 2, u16: 0, u8: 0 };
/** A slab grows with what is there already, so that few lanes take little, up to this many rows. */
const MOST_IN_SLAB = 1 << 16;

interface Level {
  readonly exponent: number;
  readonly count: number;
  readonly overlaps: boolean;
  readonly spans: Rows;
  readonly spansAt: number;
  readonly cells: Rows;
  readonly cellsAt: number;
}

export class SpanPool {
  bytes = 0;
  private readonly levels: Level[] = [];
  private spans = this.slab(spanRows, 256);
  private cells = this.slab(cellRows, 256);

  get size(): number {
    return this.levels.length;
  }

  put(row: SpanRow): void {
    const { exponent, count, overlaps } = row;
    this.spans = this.withRoom(this.spans, count + 1);
    this.cells = this.withRoom(this.cells, row.cells);
    const { spans, cells } = this;
    const [spansAt, cellsAt] = [spans.count, cells.count];
    this.levels.push({ exponent, count, overlaps, spans, spansAt, cells, cellsAt });
    this.bytes += 80;
    spans.f64[0].set(row.start.subarray(0, count), spansAt);
    spans.f64[1].set(row.end.subarray(0, count), spansAt);
    spans.i32[0].set(row.events.subarray(0, count), spansAt);
    spans.i32[1].set(row.first.subarray(0, count), spansAt);
    spans.i32[2].set(row.cellsAt.subarray(0, count + 1), spansAt);
    spans.count += count + 1;
    cells.f64[0].set(row.seconds.subarray(0, row.cells), cellsAt);
    cells.i32[0].set(row.state.subarray(0, row.cells), cellsAt);
    cells.i32[1].set(row.cellEvents.subarray(0, row.cells), cellsAt);
    cells.count += row.cells;
  }

  exponent(level: number): number {
    return this.levels[level].exponent;
  }

  get(level: number): SpanColumns & { readonly overlaps: boolean } {
    const { exponent, count, overlaps, spans, spansAt, cells, cellsAt } = this.levels[level];
    const until = spansAt + count + 1;
    return {
      exponent,
      count,
      overlaps,
      start: spans.f64[0].subarray(spansAt, until),
      end: spans.f64[1].subarray(spansAt, until),
      events: spans.i32[0].subarray(spansAt, until),
      first: spans.i32[1].subarray(spansAt, until),
      cellsAt: spans.i32[2].subarray(spansAt, until),
      state: cells.i32[0].subarray(cellsAt),
      seconds: cells.f64[0].subarray(cellsAt),
      cellEvents: cells.i32[1].subarray(cellsAt),
    };
  }

  /** A level is never split between two slabs. */
  private withRoom(slab: Rows, rows: number): Rows {
    if (slab.count + rows <= slab.capacity) return slab;
    return this.slab(slab.schema, Math.max(rows, Math.min(2 * slab.capacity, MOST_IN_SLAB)));
  }

  private slab(schema: Schema, rows: number): Rows {
    const slab = new Rows(schema, rows);
    this.bytes += slab.bytes.length;
    return slab;
  }
}
