/** Events: lane by lane in order of time, with depths, innermost times and levels of detail. */
import type { Task } from "../../model/task";
import { contextOrder, eventOrder, keptEvents, reportedEvents } from "./eventTables";
import { LaneSweep } from "./laneSweep";
import { LevelBuilder } from "./levels";
import { SpanBuilder } from "./spanBuilder";
import type { Rows } from "./rows";
import { sortRows } from "./sorting";
import { StoredRows } from "./storedRows";
import type { StoredTrace } from "./storedTrace";
import type { PlacedLane, PlacedPart, TraceStorage } from "./parts";
import { renumber } from "./renumber";

/** Depths are two bytes each. */
const MOST_DEPTH = 65535;
/** Each lane has levels of detail of its own: a thousand of them take as long as a million events. */
const LANES_BETWEEN_CHECKS = 128;

export async function finishEvents(
  parts: readonly PlacedPart[],
  lanes: readonly PlacedLane[],
  stored: StoredTrace,
  { memory, file }: TraceStorage,
  isReordered: boolean,
  task: Task,
): Promise<void> {
  const writer = new EventWriter(lanes, parts, stored, task);
  stored.eventRows = writer.rows = new StoredRows(keptEvents, memory, file, (rows) => writer.noteBlock(rows));
  for (const part of parts) {
    const { events } = part.columns;
    const order = (isReordered ? contextOrder : eventOrder)(part.builder.lanes.length);
    await sortRows(
      placed(part, stored.endSeconds),
      events.count,
      reportedEvents,
      order,
      memory,
      task,
      (rows, from, to) => writer.take(part, rows, from, to),
    );
    writer.endLane();
    await events.close();
  }
  writer.rows.finish();
  writer.finish();
}

/** A part's events on the trace's clock and with its numbers; lanes stay the part's own. */
async function* placed(part: PlacedPart, endSeconds: number): AsyncGenerator<Rows> {
  const { builder, clock, columns, frameOf, contextOf, categoryOf } = part;
  const shifts = Float64Array.from(builder.shifts);
  const instants = Uint8Array.from(builder.lanes, ({ kind }) => (kind === "instants" ? 1 : 0));
  for await (const rows of columns.events.drain()) {
    const [start, end] = rows.f64;
    const [lane, frame, context] = rows.i32;
    for (let at = 0; at < rows.count; at++) {
      start[at] = clock.at(start[at], shifts[lane[at]]);
      if (instants[lane[at]] === 1) end[at] = start[at];
      else if (Number.isNaN(end[at])) end[at] = Math.max(start[at], endSeconds);
      else end[at] = clock.at(end[at], shifts[lane[at]]);
    }
    renumber(frame, rows.count, frameOf);
    renumber(context, rows.count, contextOf);
    const category = rows.u16[0];
    for (let at = 0; at < rows.count; at++) category[at] = categoryOf[category[at]];
    yield rows;
  }
}

/** Takes the sorted events of one part after the other. */
class EventWriter {
  rows!: StoredRows;
  private lane = -1;
  private begun = 0;
  private readonly levels: LevelBuilder;
  private readonly spans: SpanBuilder;
  private readonly sweep: LaneSweep;
  private readonly firstRow: Float64Array;
  private readonly end: Float64Array;
  private readonly start: Float64Array;
  private readonly covered: Float64Array;
  private readonly use: { events: number; seconds: number }[];
  private readonly blockStart: number[] = [];
  private readonly blockLastEnd: number[] = [];

  constructor(
    private readonly lanes: readonly PlacedLane[],
    private readonly parts: readonly PlacedPart[],
    private readonly stored: StoredTrace,
    private readonly task: Pick<Task, "check">,
  ) {
    const levels = new LevelBuilder(lanes.length, stored.startSeconds, stored.endSeconds - stored.startSeconds);
    const use = stored.categories.map(() => ({ events: 0, seconds: 0 }));
    this.levels = levels;
    this.use = use;
    const events = parts.reduce((sum, { columns }) => sum + columns.events.count, 0);
    const spans = new SpanBuilder(lanes.length, events, stored.endSeconds - stored.startSeconds);
    this.spans = spans;
    this.sweep = new LaneSweep((frame, category, from, to, event, depth) => {
      use[category].seconds += to - from;
      const state = spans.state(frame, category);
      levels.add(state, from, to);
      spans.spend(from, to, depth, state, event);
    });
    this.firstRow = new Float64Array(lanes.length);
    this.start = new Float64Array(lanes.length).fill(Number.NaN);
    this.end = new Float64Array(lanes.length).fill(Number.NaN);
    this.covered = new Float64Array(lanes.length);
  }

  take(part: PlacedPart, rows: Rows, from: number, to: number): void {
    const own = rows.i32[0];
    for (let at = from; at < to;) {
      const lane = part.laneOf[own[at]];
      if (lane !== this.lane) this.beginLane(lane, rows.f64[0][at]);
      let until = at + 1;
      while (until < to && own[until] === own[at]) until++;
      while (at < until) at = this.write(rows, at, until);
    }
  }

  /** The block is full: what finding events in it needs. */
  noteBlock(rows: Rows): void {
    this.blockStart.push(rows.f64[0][0]);
    this.blockLastEnd.push(this.end[this.lane]);
  }

  endLane(): void {
    if (this.lane < 0) return;
    this.sweep.end();
    this.levels.end();
    this.spans.end(this.sweep.hasCrossed);
    this.covered[this.lane] = this.sweep.covered;
    this.lane = -1;
  }

  finish(): void {
    const { stored } = this;
    stored.levels = this.levels;
    stored.setSpans(this.spans);
    stored.categoryUse = this.use;
    stored.setLanes(
      this.lanes.map(({ part, own, name, resource, location, kind }, lane) => {
        if (lane % LANES_BETWEEN_CHECKS === 0) this.task.check();
        return {
          name,
          resource,
          location,
          kind,
          events: this.parts[part].columns.bounds.events[own],
          startSeconds: this.start[lane],
          endSeconds: this.end[lane],
          coveredSeconds: this.covered[lane],
        };
      }),
      this.firstRow,
      { start: Float64Array.from(this.blockStart), lastEnd: Float64Array.from(this.blockLastEnd) },
    );
  }

  private beginLane(lane: number, startSeconds: number): void {
    this.endLane();
    if (++this.begun % LANES_BETWEEN_CHECKS === 0) this.task.check();
    this.lane = lane;
    const { part, own, shift } = this.lanes[lane];
    const { clock, columns } = this.parts[part];
    const { bounds } = columns;
    const last = bounds.open[own] > 0 ? this.stored.endSeconds : clock.at(bounds.last[own], shift);
    this.levels.begin(lane, startSeconds, Math.max(startSeconds, last), bounds.events[own]);
    this.spans.begin(lane, startSeconds, Math.max(startSeconds, last));
    this.sweep.begin();
    this.firstRow[lane] = this.rows.count;
    this.start[lane] = startSeconds;
    this.end[lane] = startSeconds;
  }

  /** Writes events of one lane, as many as one block takes. @returns where to go on */
  private write(rows: Rows, from: number, to: number): number {
    const room = this.rows.room();
    const { sweep, spans, use } = this;
    const [start, end] = rows.f64;
    const [, frame, context] = rows.i32;
    const category = rows.u16[0];
    const [keptStart, keptEnd] = room.f64;
    const [keptFrame, keptContext] = room.i32;
    const depth = room.u16[0];
    const keptCategory = room.u8[0];
    const count = Math.min(to - from, room.capacity - room.count);
    let last = this.end[this.lane];
    let event = this.rows.count - this.firstRow[this.lane];
    for (let at = from, next = room.count; at < from + count; at++, next++) {
      const open = sweep.event(start[at], end[at], frame[at], category[at], event);
      spans.event(start[at], end[at], open, spans.state(frame[at], category[at]), event++);
      keptStart[next] = start[at];
      keptEnd[next] = end[at];
      keptFrame[next] = frame[at];
      keptContext[next] = context[at];
      depth[next] = open < MOST_DEPTH ? open : MOST_DEPTH;
      keptCategory[next] = category[at];
      use[category[at]].events++;
      if (end[at] > last) last = end[at];
    }
    this.end[this.lane] = last;
    room.count += count;
    this.rows.count += count;
    return from + count;
  }
}
