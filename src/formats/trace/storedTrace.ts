/** A trace whose columns lie in blocks, read back by range. */
import type {
  Category,
  Counter,
  CounterPoints,
  EventColumns,
  Lane,
  LaneDepths,
  LaneLevel,
  MessageColumns,
  SpanColumns,
  Trace,
  TraceStates,
  TransferColumns,
} from "../../model/trace";
import { quietTask, type Task } from "../../model/task";
import type { LevelBuilder } from "./levels";
import type { Rows } from "./rows";
import type { SpanBuilder } from "./spanBuilder";
import { StoredSpans } from "./storedSpans";
import type { StoredRows } from "./storedRows";

/** What finding an event by its time needs of each block. */
interface BlockBounds {
  /** Start of its first event. */
  readonly start: Float64Array;
  /** Last end among the events of the lane that it ends with, from that lane's first one to the block's end. */
  readonly lastEnd: Float64Array;
}

/** Filled by `finishTrace`, part by part; read-only afterwards. */
export class StoredTrace implements Trace {
  startSeconds = 0;
  endSeconds = 0;
  lanes: readonly Lane[] = [];
  categories: readonly Category[] = [];
  categoryUse: readonly { events: number; seconds: number }[] = [];
  counters: readonly Counter[] = [];
  transferDirections: readonly string[] = [];
  messages = { count: 0, bytes: 0 };
  arrows = 0;
  levels: LevelBuilder | undefined;
  private built: SpanBuilder | undefined;
  private spansOf: StoredSpans | undefined;

  eventRows: StoredRows | undefined;
  messageRows: StoredRows | undefined;
  transferRows: StoredRows | undefined;
  pointRows: StoredRows | undefined;
  private firstEvent: Float64Array = new Float64Array(0);
  private firstPoint: number[] = [];
  private blocks: BlockBounds = { start: new Float64Array(0), lastEnd: new Float64Array(0) };

  constructor(
    readonly zeroNanoseconds: bigint | undefined,
    readonly clocks?: "separate",
  ) {}

  setLanes(lanes: readonly Lane[], firstEvent: Float64Array, blocks: BlockBounds): void {
    this.lanes = lanes;
    this.firstEvent = firstEvent;
    this.blocks = blocks;
  }

  setSpans(built: SpanBuilder): void {
    this.built = built;
    this.spansOf = new StoredSpans(built, this);
  }

  setCounters(counters: readonly Counter[]): void {
    this.counters = counters;
    let next = 0;
    this.firstPoint = counters.map(({ points }) => (next += points) - points);
  }

  get events(): number {
    return this.eventRows?.count ?? 0;
  }

  get links(): number {
    return this.messageRows?.count ?? 0;
  }

  get transfers(): number {
    return this.transferRows?.count ?? 0;
  }

  get bytes(): number {
    const tables = [this.eventRows, this.messageRows, this.transferRows, this.pointRows];
    const columns = tables.reduce((sum, rows) => sum + (rows?.bytes ?? 0), 0);
    return (
      columns +
      (this.levels?.bytes ?? 0) +
      (this.built?.bytes ?? 0) +
      16 * this.blocks.start.length +
      8 * this.firstEvent.length
    );
  }

  async readEvents(lane: number, first: number, count: number): Promise<EventColumns> {
    const { events } = this.lanes[lane];
    const [from, length] = range(first, count, events);
    const rows = await there(this.eventRows).read(this.firstEvent[lane] + from, length);
    return {
      count: length,
      startSeconds: rows.f64[0].subarray(0, length),
      endSeconds: rows.f64[1].subarray(0, length),
      frame: rows.i32[0].subarray(0, length),
      context: rows.i32[1].subarray(0, length),
      depth: rows.u16[0].subarray(0, length),
      category: rows.u8[0].subarray(0, length),
    };
  }

  async eventAt(lane: number, seconds: number, covering = false): Promise<number> {
    const { events } = this.lanes[lane];
    if (events === 0) return 0;
    const rows = there(this.eventRows);
    const first = this.firstEvent[lane];
    const last = rows.blockOf(first + events - 1);
    // The first block that does not lie wholly before: what a block ends with counts for the lane where the lane goes on.
    let [low, high] = [rows.blockOf(first), last];
    while (low < high) {
      const middle = (low + high) >> 1;
      const reached = this.blocks.start[middle + 1] >= seconds || (covering && this.blocks.lastEnd[middle] > seconds);
      if (reached) high = middle;
      else low = middle + 1;
    }
    const block = await rows.block(low);
    const from = Math.max(first - rows.firstOf(low), 0);
    const to = Math.min(first + events - rows.firstOf(low), block.count);
    return rows.firstOf(low) + firstIn(block, from, to, seconds, covering) - first;
  }

  async readMessages(first: number, count: number): Promise<MessageColumns> {
    const [from, length] = range(first, count, this.links);
    const rows = await there(this.messageRows).read(from, length);
    return {
      count: length,
      from: rows.i32[0].subarray(0, length),
      to: rows.i32[1].subarray(0, length),
      sentSeconds: rows.f64[1].subarray(0, length),
      receivedSeconds: rows.f64[2].subarray(0, length),
      bytes: rows.f64[3].subarray(0, length),
      tag: rows.i32[2].subarray(0, length),
      kind: rows.u8[0].subarray(0, length),
    };
  }

  async readTransfers(first: number, count: number): Promise<TransferColumns> {
    const [from, length] = range(first, count, this.transfers);
    const rows = await there(this.transferRows).read(from, length);
    return {
      count: length,
      lane: rows.i32[0].subarray(0, length),
      startSeconds: rows.f64[0].subarray(0, length),
      endSeconds: rows.f64[1].subarray(0, length),
      bytes: rows.f64[2].subarray(0, length),
      direction: rows.u8[0].subarray(0, length),
      fromDevice: rows.i32[1].subarray(0, length),
      toDevice: rows.i32[2].subarray(0, length),
      bandwidth: rows.f64[3].subarray(0, length),
      frame: rows.i32[3].subarray(0, length),
      context: rows.i32[4].subarray(0, length),
    };
  }

  async readCounter(counter: number, first: number, count: number): Promise<CounterPoints> {
    const [from, length] = range(first, count, this.counters[counter].points);
    const rows = await there(this.pointRows).read(this.firstPoint[counter] + from, length);
    return { count: length, seconds: rows.f64[0].subarray(0, length), value: rows.f64[1].subarray(0, length) };
  }

  stateSeconds(lane: number): { readonly state: Int32Array; readonly seconds: Float64Array } {
    return there(this.levels).stateSeconds(lane);
  }

  level(lane: number, binSeconds: number): LaneLevel | undefined {
    return this.levels?.level(lane, binSeconds);
  }

  get states(): TraceStates {
    return there(this.built).states;
  }

  depths(lane: number): LaneDepths {
    return there(this.built).depthsOf(lane);
  }

  spans(
    lane: number,
    rows: readonly number[],
    fromSeconds: number,
    toSeconds: number,
    exponent: number,
    task: Pick<Task, "check"> = quietTask,
  ): Promise<readonly SpanColumns[]> {
    return there(this.spansOf).read(lane, rows, fromSeconds, toSeconds, exponent, task);
  }

  async close(): Promise<void> {
    const tables = [this.eventRows, this.messageRows, this.transferRows, this.pointRows];
    this.levels = undefined;
    this.built = undefined;
    this.spansOf = undefined;
    await Promise.all(tables.map((rows) => rows?.close()));
  }
}

/** What `finishTrace` fills in before anybody reads. */
function there<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("this trace was closed");
  return part;
}

/** @returns the part of `first … first + count - 1` that is there: where it begins, how long it is */
function range(first: number, count: number, size: number): [from: number, length: number] {
  const from = Math.min(Math.max(0, first), size);
  return [from, Math.min(Math.max(0, count), size - from)];
}

/** The first event of a block's part that starts at or after a time or, with `covering`, ends after it; `to` where there is none. */
function firstIn(block: Rows, from: number, to: number, seconds: number, covering: boolean): number {
  const [start, end] = block.f64;
  if (covering) {
    let at = from;
    while (at < to && start[at] < seconds && end[at] <= seconds) at++;
    return at;
  }
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[middle] >= seconds) high = middle;
    else low = middle + 1;
  }
  return low;
}
