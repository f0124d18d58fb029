/** Spans of every lane, depth by depth and of what is innermost, at resolutions that get coarser by steps of two. */
import { FloatColumn, IntColumn, widened } from "../../model/columns";
import type { LaneDepths, TraceStates } from "../../model/trace";
import { SpanPool } from "./spanPool";
import { SpanRow } from "./spanRow";

/** Deeper events have no row: they are part of what is innermost. */
export const MOST_DEPTHS = 512;
/** A row keeps as many spans as it has events by so many, or more where events are many; finer ones are made of the events themselves. */
const EVENTS_PER_SPAN = 32;
/** Spans that all finest rows together keep, at 60 to 100 bytes each, beside {@link LEAST_SPANS} of each row. */
const MOST_SPANS = 250_000;
const LEAST_SPANS = 16;
/** A coarser level is kept where it takes so much less than the last one that was: what has a name of its own gets no less. */
const COARSER = 0.6;
/** Edges closer together could not be told apart by doubles. */
const FINEST = 2 ** -44;
/** Of steps: so that as many steps in a second are a number. */
const LEAST_EXPONENT = -900;

/** What is kept of a lane. */
export interface LaneSpans {
  /** Number of its first row; the row of what is innermost comes first, then depth by depth. */
  readonly row: number;
  readonly depths: number;
  /** Some events lie deeper than there are rows. */
  readonly isDeeper: boolean;
  /** Same meaning as in {@link LaneDepths}. */
  readonly hasCrossed: boolean;
}

export class SpanBuilder {
  readonly pool = new SpanPool();
  readonly lanes: (LaneSpans | undefined)[];
  /** The first level of each row, finest first, and the number behind the last one. */
  readonly levelsAt = new IntColumn();
  private readonly innermostAt = new FloatColumn();
  private readonly eventsPerSpan: number;
  private readonly stateFrames = new IntColumn();
  private readonly stateCategories = new IntColumn();
  /** By category and frame: the number of their state + 1. */
  private readonly numberOf: Int32Array<ArrayBuffer>[] = [];

  // The lane at hand: its rows, of which those of depths are made when the first event is that deep.
  private readonly rows: SpanRow[] = [new SpanRow()];
  private readonly added: number[] = [];
  private readonly seconds: number[] = [];
  private lane = -1;
  private depths = 0;
  private isDeeper = false;
  private exponent = 0;
  /** The stretch in which one event is innermost, as far as it is known. */
  private stretch = { event: -1, state: -1, start: 0, end: 0 };

  constructor(
    lanes: number,
    events: number,
    private readonly spanSeconds: number,
  ) {
    this.lanes = Array.from({ length: lanes });
    this.eventsPerSpan = Math.max(EVENTS_PER_SPAN, events / MOST_SPANS);
    this.levelsAt.push(0);
  }

  get bytes(): number {
    return this.pool.bytes + 64 * this.lanes.length + 12 * this.levelsAt.length;
  }

  get states(): TraceStates {
    const { stateFrames: frames, stateCategories: categories } = this;
    return {
      frame: frames.values.subarray(0, frames.length),
      category: Uint8Array.from(categories.values.subarray(0, categories.length)),
    };
  }

  begin(lane: number, startSeconds: number, endSeconds: number): void {
    this.lane = lane;
    this.depths = 0;
    this.isDeeper = false;
    this.stretch.event = -1;
    const farthest = Math.max(Math.abs(startSeconds), Math.abs(endSeconds));
    this.exponent = farthest > 0 ? Math.max(LEAST_EXPONENT, Math.floor(Math.log2(farthest * FINEST))) : 0;
    this.beginRow(0);
  }

  /** @returns the number of what the event was */
  state(frame: number, category: number): number {
    let numbers = this.numberOf.at(category) ?? new Int32Array(0);
    if (frame + 1 >= numbers.length) {
      while (this.numberOf.length < category) this.numberOf.push(new Int32Array(0));
      numbers = this.numberOf[category] = widened(numbers, Math.max(64, 2 * numbers.length, frame + 2));
    }
    if (numbers[frame + 1] === 0) {
      this.stateFrames.push(frame);
      this.stateCategories.push(category);
      numbers[frame + 1] = this.stateFrames.length;
    }
    return numbers[frame + 1] - 1;
  }

  /** Takes an event by ascending start. @param event its number in the lane */
  event(startSeconds: number, endSeconds: number, depth: number, state: number, event: number): void {
    if (depth >= MOST_DEPTHS) {
      this.isDeeper = true;
      return;
    }
    while (this.depths <= depth) this.beginRow(++this.depths);
    this.put(depth + 1, startSeconds, endSeconds, state, event);
  }

  /** Takes time of the innermost event, in ascending order. */
  spend(fromSeconds: number, toSeconds: number, depth: number, state: number, event: number): void {
    if (depth < MOST_DEPTHS) this.seconds[depth + 1] += toSeconds - fromSeconds;
    const { stretch } = this;
    if (event === stretch.event && fromSeconds === stretch.end) {
      stretch.end = toSeconds;
      return;
    }
    this.endStretch();
    [stretch.event, stretch.state, stretch.start, stretch.end] = [event, state, fromSeconds, toSeconds];
  }

  /** Stores the lane's spans with all coarser levels. @param hasCrossed whether some event outlasted an event that it began in */
  end(hasCrossed: boolean): void {
    this.endStretch();
    const { depths, isDeeper } = this;
    this.lanes[this.lane] = { row: this.levelsAt.length - 1, depths, isDeeper, hasCrossed };
    for (let at = 0; at <= depths; at++) {
      this.innermostAt.push(this.seconds[at]);
      this.keep(this.rows[at]);
      this.levelsAt.push(this.pool.size);
    }
  }

  depthsOf(lane: number): LaneDepths {
    const { row, depths, hasCrossed } = this.lanes[lane] ?? { row: 0, depths: 0, hasCrossed: false };
    return { rows: depths, innermost: this.innermostAt.values.slice(row + 1, row + 1 + depths), hasCrossed };
  }

  private beginRow(at: number): void {
    if (at === this.rows.length) this.rows.push(new SpanRow());
    this.rows[at].begin(this.exponent);
    this.added[at] = 0;
    this.seconds[at] = 0;
  }

  private endStretch(): void {
    const { event, state, start, end } = this.stretch;
    if (event >= 0) this.put(0, start, end, state, event);
    this.stretch.event = -1;
  }

  private put(at: number, startSeconds: number, endSeconds: number, state: number, event: number): void {
    const row = this.rows[at];
    row.add(startSeconds, endSeconds, state, event);
    const most = LEAST_SPANS + ++this.added[at] / this.eventsPerSpan;
    if (row.count <= most) return;
    // Down to half, so that a row is not made coarser with every other event.
    while (row.count > most / 2) row.coarsen();
  }

  private keep(row: SpanRow): void {
    let kept = row.count + row.cells;
    this.pool.put(row);
    while (row.count > LEAST_SPANS && row.step < this.spanSeconds) {
      row.coarsen();
      const size = row.count + row.cells;
      if (size > COARSER * kept) continue;
      kept = size;
      this.pool.put(row);
    }
  }
}
