/** What a reader reports of a trace: declarations are kept and numbered here, events are handed to consumers. */
import type { ColumnFiles } from "../../model/columnFile";
import type { Resource, ResourceLink } from "../../model/resources";
import { quietTask, type Task } from "../../model/task";
import type { CategoryKind, MessageKind } from "../../model/trace";
import { TraceColumns } from "./traceColumns";
import { TraceCounts } from "./traceCounts";
import type { LaneStart, TraceConsumer, TraceSink } from "./traceSink";

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
  readonly categories = new Numbered<{ name: string; kind: CategoryKind }>(MOST_CATEGORIES);
  readonly counters = new Numbered<{ name: string; unit: string; resource: number; grows?: true }>();
  readonly directions = new Numbered<string>(MOST_DIRECTIONS);
  /** Events and values without a time that can be used; no consumer gets them. */
  unplaced = 0;
  /** What becomes a trace that can be read by range, where that is wanted. */
  readonly columns?: TraceColumns;
  /** What is counted where no columns are needed yet. */
  readonly counts?: TraceCounts;
  private readonly consumers: readonly TraceConsumer[];
  private events = 0;

  /**
   * @param columnFiles where columns go; undefined where they are not needed yet: events are counted then
   * @param others further consumers
   */
  constructor(columnFiles: ColumnFiles | undefined, others: readonly TraceConsumer[] = []) {
    const own = columnFiles ? (this.columns = new TraceColumns(columnFiles)) : (this.counts = new TraceCounts());
    this.consumers = [own, ...others];
  }

  resource(resource: Resource): number {
    return this.resources.push(resource) - 1;
  }

  resourceLink(link: ResourceLink): void {
    this.resourceLinks.push(link);
  }

  lane(lane: LaneStart): number {
    this.shifts.push(0);
    for (const consumer of this.consumers) consumer.lane();
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
    const { consumers } = this;
    for (let at = 0; at < consumers.length; at++) consumers[at].begin(lane, startSeconds, frame, context, category);
    return this.events++;
  }

  end(event: number, endSeconds: number, lane: number): void {
    if (event < 0 || !isTime(endSeconds)) return;
    const { consumers } = this;
    for (let at = 0; at < consumers.length; at++) consumers[at].end(event, endSeconds, lane);
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
    const { consumers } = this;
    for (let at = 0; at < consumers.length; at++)
      consumers[at].event(lane, startSeconds, end, frame, context, category);
    this.events++;
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
    const sent = isTime(sentSeconds) ? sentSeconds : Number.NaN;
    const received = isTime(receivedSeconds) ? receivedSeconds : Number.NaN;
    for (const consumer of this.consumers) consumer.message(kind, from, to, sent, received, bytes, tag);
  }

  counter(name: string, unit: string, resource: number, grows?: true): number {
    return this.counters.number(JSON.stringify([resource, unit, name]), { name, unit, resource, grows });
  }

  point(counter: number, seconds: number, value: number): void {
    if (!isTime(seconds)) {
      this.unplaced++;
      return;
    }
    const { consumers } = this;
    for (let at = 0; at < consumers.length; at++) consumers[at].point(counter, seconds, value);
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
    const whole = endSeconds < startSeconds ? { ...transfer, endSeconds: startSeconds } : transfer;
    for (const consumer of this.consumers) consumer.transfer(whole);
  }

  shift(lane: number, seconds: number): void {
    this.shifts[lane] = seconds;
  }

  /**
   * Joins lanes, and counters, once all is reported. All lanes and counters get new numbers.
   *
   * @param laneOf new number of each lane, in the order of lanes. Lanes with one number are joined: the first one's declaration stays
   * @param counterOf as `laneOf`, for counters
   */
  async join(laneOf: Int32Array, counterOf: Int32Array, task: Pick<Task, "check">): Promise<void> {
    joinItems(this.lanes, laneOf);
    joinItems(this.shifts, laneOf);
    joinItems(this.counters.values, counterOf);
    for (const consumer of this.consumers) await consumer.join?.(laneOf, counterOf, task);
  }

  async settle(task: Pick<Task, "check"> = quietTask): Promise<void> {
    for (const consumer of this.consumers) await consumer.settle?.(task);
  }

  async discard(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.discard?.()));
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

/** Keeps the first item of each number. First items have ascending numbers. */
function joinItems<Item>(items: Item[], numberOf: Int32Array): void {
  const joined: Item[] = [];
  items.forEach((item, at) => {
    if (numberOf[at] === joined.length) joined.push(item);
  });
  items.length = 0;
  for (const item of joined) items.push(item);
}

/** False for NaN, too. */
function isTime(seconds: number): boolean {
  return seconds > -MOST_SECONDS && seconds < MOST_SECONDS;
}
