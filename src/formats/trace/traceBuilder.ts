/** Collects what a reader tells of a trace, in columns that leave the memory where they become too many. */
import type { ColumnFiles } from "../../model/columnFile";
import type { Resource, ResourceLink } from "../../model/resources";
import { type CategoryKind, type MessageKind, messageKinds } from "../../model/trace";
import { quietTask, type Task } from "../../model/task";
import { type ColumnMemory, columnMemory } from "./blocks";
import { messageRows, pointRows, toldEvents, transferRows } from "./eventTables";
import { LateEnds } from "./lateEnds";
import { LaneBounds } from "./laneBounds";
import { Table } from "./table";
import type { LaneStart, TraceSink } from "./traceSink";

export { finishTrace, type TracePart } from "./finishTrace";

/** No trace lasts so long: such times come from damaged files, and nothing could be computed with them. */
const MOST_SECONDS = 1e24;
const MOST_CATEGORIES = 1 << 16;
const MOST_DIRECTIONS = 1 << 8;

export class TraceBuilder implements TraceSink {
  readonly resources: Resource[] = [];
  readonly resourceLinks: ResourceLink[] = [];
  readonly lanes: LaneStart[] = [];
  /** Seconds that are added to the times of each lane. */
  readonly shifts: number[] = [];
  readonly bounds = new LaneBounds();
  readonly categories = new Numbered<{ name: string; kind: CategoryKind }>(MOST_CATEGORIES);
  readonly counters = new Numbered<{ name: string; unit: string; resource: number }>();
  readonly directions = new Numbered<string>(MOST_DIRECTIONS);
  /** What was told without a time that can be used; it is in no table. */
  unplaced = 0;

  readonly memory: ColumnMemory;
  readonly events: Table;
  readonly messages: Table;
  readonly points: Table;
  readonly transfers: Table;
  readonly lateEnds: LateEnds;

  constructor(files: ColumnFiles) {
    this.memory = columnMemory(files);
    this.events = new Table(toldEvents, this.memory);
    this.messages = new Table(messageRows, this.memory);
    this.points = new Table(pointRows, this.memory);
    this.transfers = new Table(transferRows, this.memory);
    this.lateEnds = new LateEnds(this.events, this.bounds);
  }

  resource(resource: Resource): number {
    return this.resources.push(resource) - 1;
  }

  resourceLink(link: ResourceLink): void {
    this.resourceLinks.push(link);
  }

  lane(lane: LaneStart): number {
    this.shifts.push(0);
    this.bounds.add();
    return this.lanes.push(lane) - 1;
  }

  category(name: string, kind: CategoryKind): number {
    return this.categories.number(`${kind} ${name}`, { name, kind });
  }

  begin(lane: number, startSeconds: number, frame: number, context: number, category: number): number {
    if (!isTime(startSeconds)) {
      this.unplaced++;
      return -1;
    }
    this.bounds.started(lane, startSeconds);
    this.bounds.open[lane]++;
    return this.addEvent(lane, startSeconds, Number.NaN, frame, context, category);
  }

  end(event: number, endSeconds: number): void {
    if (event < 0 || !isTime(endSeconds)) return;
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
    if (!isTime(startSeconds) || !isTime(endSeconds)) {
      this.unplaced++;
      return;
    }
    const end = endSeconds < startSeconds ? startSeconds : endSeconds;
    this.bounds.started(lane, startSeconds);
    this.bounds.ended(lane, end);
    this.addEvent(lane, startSeconds, end, frame, context, category);
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
    const rows = this.messages.room();
    const at = rows.count++;
    rows.f64[1][at] = isTime(sentSeconds) ? sentSeconds : Number.NaN;
    rows.f64[2][at] = isTime(receivedSeconds) ? receivedSeconds : Number.NaN;
    rows.f64[3][at] = bytes;
    rows.i32[0][at] = from;
    rows.i32[1][at] = to;
    rows.i32[2][at] = tag;
    rows.u8[0][at] = messageKinds.indexOf(kind);
  }

  counter(name: string, unit: string, resource: number): number {
    return this.counters.number(JSON.stringify([resource, unit, name]), { name, unit, resource });
  }

  point(counter: number, seconds: number, value: number): void {
    if (!isTime(seconds)) {
      this.unplaced++;
      return;
    }
    const rows = this.points.room();
    const at = rows.count++;
    rows.f64[0][at] = seconds;
    rows.f64[1][at] = value;
    rows.i32[0][at] = counter;
  }

  transferDirection(name: string): number {
    return this.directions.number(name, name);
  }

  transfer(transfer: Parameters<TraceSink["transfer"]>[0]): void {
    const { startSeconds, endSeconds } = transfer;
    if (!isTime(startSeconds) || !isTime(endSeconds)) {
      this.unplaced++;
      return;
    }
    const rows = this.transfers.room();
    const at = rows.count++;
    rows.f64[0][at] = startSeconds;
    rows.f64[1][at] = endSeconds < startSeconds ? startSeconds : endSeconds;
    rows.f64[2][at] = transfer.bytes;
    rows.f64[3][at] = transfer.bandwidth;
    rows.i32[0][at] = transfer.lane;
    rows.i32[1][at] = transfer.fromDevice;
    rows.i32[2][at] = transfer.toDevice;
    rows.i32[3][at] = transfer.frame;
    rows.i32[4][at] = transfer.context;
    rows.u8[0][at] = transfer.direction;
  }

  shift(lane: number, seconds: number): void {
    this.shifts[lane] = seconds;
  }

  async settle(task: Pick<Task, "check"> = quietTask): Promise<void> {
    if (this.lateEnds.isFull) await this.lateEnds.apply(task);
    if (this.memory.resident > this.memory.mostBytes) await this.memory.settle(task);
  }

  async discard(): Promise<void> {
    await Promise.all([this.events, this.messages, this.points, this.transfers].map((table) => table.close()));
    this.lateEnds.clear();
  }

  private addEvent(
    lane: number,
    startSeconds: number,
    endSeconds: number,
    frame: number,
    context: number,
    category: number,
  ): number {
    const rows = this.events.room();
    const at = rows.count++;
    rows.f64[0][at] = startSeconds;
    rows.f64[1][at] = endSeconds;
    rows.i32[0][at] = lane;
    rows.i32[1][at] = frame;
    rows.i32[2][at] = context;
    rows.u16[0][at] = category;
    return this.events.base + at;
  }
}

/** Distinct things in the order they were named; what comes after `most` of them shares the last number. */
export class Numbered<Value> {
  readonly values: Value[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  number(key: string, value: Value): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.values.length === this.most) return this.most - 1;
    this.numbers.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}

/** False for NaN, too. */
function isTime(seconds: number): boolean {
  return seconds > -MOST_SECONDS && seconds < MOST_SECONDS;
}
