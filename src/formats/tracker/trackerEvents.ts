import { FloatColumn } from "../../model/columns";
import type { Frame } from "../../model/frames";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import type { CategoryKind } from "../../model/trace";
import { classOf } from "../chrome/decode/categories";
import { secondsOf } from "../chrome/decode/clock";
import type { EventScanner } from "../chrome/scan/eventScanner";
import { isObject, type JsonValue, numberOf, parseArguments } from "../chrome/scan/jsonValues";
import { type MessageSides, MessageSide } from "../trace/messages";
import { processName } from "../trace/placeNames";
import type { TraceBuilder } from "../trace/traceBuilder";
import type { LaneStart } from "../trace/traceSink";
import { AttributeRows } from "./attributeRows";
import { ContextRows } from "./contextRows";
import { DeviceEvents, UNIFIED_MEMORY } from "./deviceEvents";
import { FrameRows } from "./frameRows";
import type { Machine } from "./machine";
import type { Start } from "./start";

/** The tracker's words for what regions do. */
const CATEGORIES: ReadonlyMap<string, CategoryKind> = new Map([
  ["computing", "compute"],
  ["data movement", "transfer"],
  ["communication", "communication"],
  ["runtime", "runtime"],
  ["idle", "idle"],
  [UNIFIED_MEMORY, "transfer"],
]);

const DIRECTIONS: ReadonlyMap<string, string> = new Map([
  ["copy host to device", "HtoD"],
  ["copy device to host", "DtoH"],
  ["copy device to device", "DtoD"],
  ["copy host to host", "HtoH"],
]);

/** Counters of a GPU have its number before their names. */
/** Counters of the machine and its parts, which each process reads for itself. */
const OF_MACHINE = /^(?:machine|core|network|disk|energy) /;
const OF_GPU = /^GPU (\d{1,6}): (.*)$/;

const letter = (text: string) => text.charCodeAt(0);
const [X, B, E, I, C, M] = [..."XBEiCM"].map(letter);

/** A thread of the recorded process; its number among all is known at the end of the file. */
interface Thread {
  /** The operating system's number. */
  readonly id: number;
  readonly lane: number;
  readonly declared: { -readonly [Key in keyof LaneStart]: LaneStart[Key] };
  readonly resource: { name: string; readonly type: string; readonly parent: number; location: number };
  /** Regions that have begun and not ended: context as referred to, handle, start. */
  readonly open: { readonly of: number; readonly event: number; readonly seconds: number }[];
}

/** What is known of a file before its events are read. */
export interface EventsFile {
  readonly start: Pick<Start, "rank" | "host">;
  /** What second 0 is, on the file's clock. */
  readonly zeroMicroseconds: number;
  /** What counters of the machine are of. */
  readonly machineCounters: Pick<Machine, "resource"> | "the process" | "left out";
}

/** Events of one file. Frames and contexts of what goes to the sink are references, which {@link references} explain. */
export class TrackerEvents implements MessageSides {
  readonly sends = new MessageSide();
  readonly receives = new MessageSide();
  /** What the events themselves tell of frames and contexts, should the file be cut. */
  readonly frames = new FrameRows();
  readonly contexts = new ContextRows();
  readonly attributes = new AttributeRows();
  /** What is referred to: the number of a context (NONE where the event names none), and the event's name. */
  readonly references = { context: [] as number[], label: [] as number[] };
  /** Bytes that were copied, sent, received, given to collectives and moved by one-sided calls, by reference. */
  readonly bytes = {
    copied: new FloatColumn(),
    sent: new FloatColumn(),
    received: new FloatColumn(),
    collective: new FloatColumn(),
    oneSided: new FloatColumn(),
  };
  readonly names = new Map<number, string>();
  readonly devices: DeviceEvents;
  records = 0;
  withoutTime = 0;
  readonly threads = new Map<number, Thread>();
  private readonly referenceOf = new Map<number, number>();
  private readonly openRows = new Map<number, readonly JsonValue[]>();
  private readonly counters = new Map<number, number>();
  private readonly categories = new Map<number, number>();
  private process: number = NONE;
  private latest = 0;

  constructor(
    private readonly scanner: EventScanner,
    private readonly sink: TraceBuilder,
    private readonly file: EventsFile,
  ) {
    this.devices = new DeviceEvents(scanner, sink, file.start.rank, () => this.refer(NONE));
  }

  /** Takes the event that the scanner read last. */
  take(): void {
    const { scanner } = this;
    this.records++;
    if (scanner.phase === M) return this.describe();
    const microseconds = scanner.wholeTime - this.file.zeroMicroseconds + scanner.partTime;
    if (!Number.isFinite(microseconds)) {
      this.withoutTime++;
      return;
    }
    const seconds = secondsOf(microseconds);
    switch (scanner.phase) {
      case X:
        return this.region(microseconds);
      case B:
        return this.begin(seconds);
      case E:
        return this.end(seconds);
      case I:
        return this.message(seconds);
      case C:
        return this.count(seconds);
    }
  }

  /**
   * The regions that are open where a file ends early last to its last time, and have cost what was said of them last.
   *
   * @param properties of devices
   */
  finish(
    isCut: boolean,
    properties: ReadonlyMap<number, ReadonlyMap<string, string>>,
    task: Pick<Task, "check">,
  ): void {
    this.devices.finish(properties, task);
    for (const { open, lane } of this.threads.values())
      for (const { event } of open) this.sink.end(event, this.latest, lane);
    if (!isCut) return;
    for (const rows of this.openRows.values())
      for (const row of rows) if (Array.isArray(row)) this.contexts.addOpen(Number(row[0]), Number(row[2]));
  }

  /** The frame of events whose context the file does not know. */
  regionNamed(label: number): Frame {
    return { name: this.nameOf(label), kind: "region" };
  }

  private region(microseconds: number): void {
    const { scanner, sink } = this;
    const { duration } = scanner;
    const seconds = secondsOf(microseconds);
    const end = secondsOf(microseconds + (duration >= 0 ? duration : 0));
    if (end > this.latest) this.latest = end;
    if (this.devices.take(seconds, end, () => this.category())) return;
    const of = this.reference();
    const { lane, declared } = this.thread();
    this.devices.called(declared.resource, seconds);
    sink.event(lane, seconds, end, of, of, this.category());
    this.moved(of, lane, seconds, end);
  }

  private begin(seconds: number): void {
    const of = this.reference();
    const { lane, open } = this.thread();
    open.push({ of, event: this.sink.begin(lane, seconds, of, of, this.category()), seconds });
  }

  /** Of the innermost open region of its context; without one, of the innermost. */
  private end(seconds: number): void {
    if (seconds > this.latest) this.latest = seconds;
    const { lane, open, declared } = this.thread();
    const hasContext = !Number.isNaN(this.scanner.number("context"));
    const of = hasContext ? this.reference() : NONE;
    const at = hasContext ? open.findLastIndex((one) => one.of === of) : open.length - 1;
    if (at < 0) return;
    const [ended] = open.splice(at, 1);
    this.sink.end(ended.event, seconds, lane);
    this.devices.called(declared.resource, ended.seconds);
    this.moved(ended.of, lane, ended.seconds, seconds);
  }

  /** What a region copied, gave to a collective, or moved to or from the memory of a rank that took no part. */
  private moved(of: number, lane: number, startSeconds: number, endSeconds: number): void {
    const bytes = this.scanner.number("bytes");
    if (!(bytes >= 0)) return;
    if (this.nameOf(this.scanner.category) !== "data movement") {
      const isOneSided = this.scanner.number("peer") >= 0;
      return add(isOneSided ? this.bytes.oneSided : this.bytes.collective, of, bytes);
    }
    add(this.bytes.copied, of, bytes);
    const name = this.nameOf(this.scanner.name);
    this.sink.transfer({
      lane,
      startSeconds,
      endSeconds,
      bytes,
      direction: this.sink.transferDirection(DIRECTIONS.get(name) ?? name),
      fromDevice: NONE,
      toDevice: NONE,
      bandwidth: Number.NaN,
      frame: of,
      context: of,
    });
  }

  private message(seconds: number): void {
    const { scanner } = this;
    const [peer, bytes, tag] = [scanner.number("peer"), scanner.number("bytes"), scanner.number("tag")];
    const isSent = this.nameOf(scanner.name) === "message sent";
    if (this.file.start.rank === NONE || !(peer >= 0 && peer < 2 ** 31)) return;
    const side = isSent ? this.sends : this.receives;
    side.push(this.file.start.rank, peer, tag >= 0 && tag < 2 ** 31 ? tag : NONE, seconds, bytes);
    if (bytes >= 0) add(isSent ? this.bytes.sent : this.bytes.received, this.reference(), bytes);
  }

  /** A value at a time; its unit stands in its name, and its category says whether it grows: `network sent (bytes)`. */
  private count(seconds: number): void {
    const { scanner, sink } = this;
    const value = scanner.number("value");
    if (Number.isNaN(value)) return;
    let counter = this.counters.get(scanner.name);
    if (counter === undefined) {
      const recorded = this.nameOf(scanner.name);
      const [, device, ofDevice] = OF_GPU.exec(recorded) ?? [];
      const whole = ofDevice ?? recorded;
      const open = whole.endsWith(")") ? whole.lastIndexOf(" (") : -1;
      const [name, unit] = open < 0 ? [whole, "1"] : [whole.slice(0, open), whole.slice(open + 2, -1)];
      const grows = this.nameOf(scanner.category) === "growing" || undefined;
      const resource = device === undefined ? this.resourceOf(whole) : this.devices.resource(Number(device));
      counter = resource === NONE ? NONE : sink.counter(name, unit === "bytes" ? "B" : unit, resource, grows);
      this.counters.set(scanner.name, counter);
    }
    if (counter !== NONE) sink.point(counter, seconds, value);
  }

  /** Of what a counter of no GPU is; NONE: it is left out. */
  private resourceOf(counter: string): number {
    const { machineCounters } = this.file;
    if (machineCounters === "the process" || !OF_MACHINE.test(counter)) return this.processResource();
    return machineCounters === "left out" ? NONE : machineCounters.resource;
  }

  /** Names of threads, and pieces of what stands at the end of a whole file. */
  private describe(): void {
    const { scanner } = this;
    const args = parseArguments(scanner);
    if (!isObject(args)) return;
    const thread = this.threadNumber();
    const name = args.get("name");
    const kind = this.nameOf(scanner.name);
    if (kind === "thread_name" && typeof name === "string") this.names.set(thread, name);
    const rows = args.get("rows");
    if (!Array.isArray(rows)) return;
    const list = rows as readonly JsonValue[];
    if (kind === "heatflow_frames") for (const row of list) if (isObject(row)) this.frames.add(row);
    // Trackers before wrote all rows again each time.
    if (kind === "heatflow_attributes") {
      this.attributes.clear();
      for (const row of list) if (isObject(row)) this.attributes.add(row);
    }
    if (kind === "heatflow_attribute_rows") for (const row of list) if (isObject(row)) this.attributes.put(thread, row);
    if (kind === "heatflow_open") this.openRows.set(thread, list);
    if (kind === "heatflow_contexts")
      for (const row of list)
        if (Array.isArray(row)) {
          const [id, parent, frame, calls, , ...sums] = (row as readonly JsonValue[]).map(numberOf);
          this.contexts.add({ id, parent, frame, thread, sums: [calls, ...sums] });
        }
  }

  private reference(): number {
    const { scanner } = this;
    const recorded = scanner.number("context");
    const context = Number.isSafeInteger(recorded) && recorded >= 0 ? recorded : NONE;
    // What names no context is referred to by its name.
    const key = context === NONE ? -2 - scanner.name : context;
    let reference = this.referenceOf.get(key);
    if (reference === undefined) {
      reference = this.refer(context);
      this.referenceOf.set(key, reference);
    }
    return reference;
  }

  private refer(context: number): number {
    this.references.label.push(this.scanner.name);
    return this.references.context.push(context) - 1;
  }

  private category(): number {
    const { category } = this.scanner;
    let known = this.categories.get(category);
    if (known === undefined) {
      const name = category === NONE ? "computing" : this.nameOf(category);
      this.categories.set(category, (known = this.sink.category(name, CATEGORIES.get(name) ?? classOf(name)[1])));
    }
    return known;
  }

  private threadNumber(): number {
    const { thread } = this.scanner;
    const number = thread === NONE ? 0 : Number(this.scanner.placeText(thread));
    return Number.isSafeInteger(number) && number >= 0 ? number : 0;
  }

  private thread(): Thread {
    const place = this.scanner.thread;
    const known = this.threads.get(place);
    if (known !== undefined) return known;
    const resource = { name: "thread", type: "thread", parent: this.processResource(), location: NONE as number };
    const number = this.sink.resource(resource);
    const declared = { name: "thread", resource: number, location: NONE as number, kind: "intervals" as const };
    const lane = this.sink.lane(declared);
    const added: Thread = { id: this.threadNumber(), lane, declared, resource, open: [] };
    this.threads.set(place, added);
    return added;
  }

  private processResource(): number {
    if (this.process === NONE)
      this.process = this.sink.resource({
        name: processName(this.file.start.rank),
        type: "process",
        parent: NONE,
        location: NONE,
        ...(this.file.start.host === "" ? {} : { properties: new Map([["host", this.file.start.host]]) }),
      });
    return this.process;
  }

  private nameOf(label: number): string {
    return label === NONE ? "" : this.scanner.labelText(label);
  }
}

function add(column: FloatColumn, at: number, value: number): void {
  while (column.length <= at) column.push(0);
  column.values[at] += value;
}
