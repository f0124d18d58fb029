import type { ColumnFiles } from "../../model/columnFile";
import { type MessageKind, messageKinds } from "../../model/trace";
import type { Task } from "../../model/task";
import { type ColumnMemory, columnMemory } from "./blocks";
import { messageRows, pointRows, reportedEvents, transferRows } from "./eventTables";
import { LaneBounds } from "./laneBounds";
import { LateEnds } from "./lateEnds";
import { renumber } from "./renumber";
import { RecordedTimes } from "./recordedTimes";
import { type MatchedKind, MISSING_END, RematchedKinds, rematchOrder } from "./rematchedEnds";
import type { Rows } from "./rows";
import { sortRows } from "./sorting";
import { Table } from "./table";
import type { TraceConsumer, TraceSink } from "./traceSink";

/** Keeps every event as a row of columns, which are moved to disk when they become too large. */
export class TraceColumns implements TraceConsumer {
  readonly bounds = new LaneBounds();
  readonly memory: ColumnMemory;
  events: Table;
  readonly messages: Table;
  readonly points: Table;
  readonly transfers: Table;
  lateEnds: LateEnds;
  /** Ends of {@link missingEnd} as rows of events, at the time at which these begin. */
  private missing?: Table;
  readonly times = new RecordedTimes();

  constructor(files: ColumnFiles) {
    this.memory = columnMemory(files);
    this.events = new Table(reportedEvents, this.memory);
    this.messages = new Table(messageRows, this.memory);
    this.points = new Table(pointRows, this.memory);
    this.transfers = new Table(transferRows, this.memory);
    this.lateEnds = new LateEnds(this.events, this.bounds);
  }

  lane(): void {
    this.bounds.add();
  }

  begin(lane: number, startSeconds: number, frame: number, context: number, category: number): void {
    this.bounds.started(lane, startSeconds);
    this.bounds.open[lane]++;
    addRow(this.events, lane, startSeconds, Number.NaN, frame, context, category);
  }

  end(event: number, endSeconds: number): void {
    const { events } = this;
    if (event >= events.base) this.bounds.end(events.rows, event - events.base, endSeconds);
    else this.lateEnds.end(event, endSeconds);
  }

  event(
    lane: number,
    startSeconds: number,
    endSeconds: number,
    frame: number,
    context: number,
    category: number,
  ): void {
    this.bounds.started(lane, startSeconds);
    this.bounds.ended(lane, endSeconds);
    addRow(this.events, lane, startSeconds, endSeconds, frame, context, category);
  }

  /** An end of some event of a kind that {@link rematch} will be told. */
  missingEnd(lane: number, endSeconds: number, frame: number, context: number): void {
    this.missing ??= new Table(reportedEvents, this.memory);
    addRow(this.missing, lane, endSeconds, MISSING_END, frame, context, 0);
  }

  message(
    kind: MessageKind,
    from: number,
    to: number,
    sentSeconds: number,
    receivedSeconds: number,
    bytes: number,
    tag: number,
  ): void {
    this.times.sent.add(from, sentSeconds);
    this.times.received.add(to, receivedSeconds);
    const rows = this.messages.room();
    const at = rows.count++;
    rows.f64[1][at] = sentSeconds;
    rows.f64[2][at] = receivedSeconds;
    rows.f64[3][at] = bytes;
    rows.i32[0][at] = from;
    rows.i32[1][at] = to;
    rows.i32[2][at] = tag;
    rows.u8[0][at] = messageKinds.indexOf(kind);
  }

  point(counter: number, seconds: number, value: number): void {
    this.times.points.add(counter, seconds);
    const rows = this.points.room();
    const at = rows.count++;
    rows.f64[0][at] = seconds;
    rows.f64[1][at] = value;
    rows.i32[0][at] = counter;
  }

  transfer(transfer: Parameters<TraceSink["transfer"]>[0]): void {
    this.times.transfers.add(transfer.lane, transfer.startSeconds);
    this.times.transfers.ended(transfer.lane, transfer.endSeconds);
    const rows = this.transfers.room();
    const at = rows.count++;
    rows.f64[0][at] = transfer.startSeconds;
    rows.f64[1][at] = transfer.endSeconds;
    rows.f64[2][at] = transfer.bytes;
    rows.f64[3][at] = transfer.bandwidth;
    rows.i32[0][at] = transfer.lane;
    rows.i32[1][at] = transfer.fromDevice;
    rows.i32[2][at] = transfer.toDevice;
    rows.i32[3][at] = transfer.frame;
    rows.i32[4][at] = transfer.context;
    rows.u8[0][at] = transfer.direction;
  }

  async settle(task: Pick<Task, "check">): Promise<void> {
    if (this.lateEnds.isFull) await this.lateEnds.apply(task);
    if (this.memory.resident > this.memory.mostBytes) await this.memory.settle(task);
  }

  /**
   * Joins begins and ends again, in the order of time, for kinds of events with missing ends. Called once, after all events were
   * reported.
   *
   * @param lanes number of lanes
   */
  async rematch(matched: readonly MatchedKind[], lanes: number, task: Task): Promise<void> {
    await this.lateEnds.apply(task);
    const { events: reported, missing, bounds, memory } = this;
    this.events = new Table(reportedEvents, memory);
    this.lateEnds = new LateEnds(this.events, bounds);
    const kinds = new RematchedKinds(matched);
    const end = (event: number, seconds: number) => this.end(event, seconds);
    try {
      await sortRows(
        drained([reported, missing]),
        reported.count + (missing?.count ?? 0),
        reportedEvents,
        rematchOrder(lanes),
        memory,
        task,
        (rows, from, to) => {
          const [start, ends] = rows.f64;
          const [lane, frame, context] = rows.i32;
          for (let at = from; at < to; at++) {
            const kind = kinds.of(lane[at], frame[at], context[at]);
            const reportedEnd = ends[at];
            if (reportedEnd === MISSING_END) kind?.end(start[at], end);
            else if (kind !== undefined) {
              const event = this.events.count;
              if (!Number.isNaN(reportedEnd)) bounds.open[lane[at]]++;
              ends[at] = Number.NaN;
              this.events.room().append(rows, at, at + 1);
              kind.begin(event, start[at], reportedEnd, end);
            } else this.events.room().append(rows, at, at + 1);
          }
        },
      );
      for (const kind of kinds.all()) kind.finish(end);
      await this.lateEnds.apply(task);
    } finally {
      await Promise.all([reported.close(), missing?.close()]);
    }
  }

  async join(laneOf: Int32Array, counterOf: Int32Array, task: Pick<Task, "check">): Promise<void> {
    this.bounds.join(laneOf);
    this.times.renumber(laneOf, counterOf);
    const ofLanes = (rows: Rows) => renumber(rows.i32[0], rows.count, laneOf);
    for (const table of [this.events, this.missing, this.transfers]) await table?.change(ofLanes, task);
    await this.points.change(({ i32, count }) => renumber(i32[0], count, counterOf), task);
  }

  async discard(): Promise<void> {
    const { events, messages, points, transfers, missing } = this;
    await Promise.all([events, messages, points, transfers, missing].map((table) => table?.close()));
    this.lateEnds.clear();
  }
}

function addRow(
  table: Table,
  lane: number,
  startSeconds: number,
  endSeconds: number,
  frame: number,
  context: number,
  category: number,
): void {
  const rows = table.room();
  const at = rows.count++;
  rows.f64[0][at] = startSeconds;
  rows.f64[1][at] = endSeconds;
  rows.i32[0][at] = lane;
  rows.i32[1][at] = frame;
  rows.i32[2][at] = context;
  rows.u16[0][at] = category;
}

/** The rows of all tables, one table after the other. */
async function* drained(tables: readonly (Table | undefined)[]): AsyncGenerator<Rows> {
  for (const table of tables) if (table !== undefined) yield* table.drain();
}
