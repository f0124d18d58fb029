/** What the events of a file mean, one by one in the order of the file: lanes, arrows, counters, transfers, samples. */
import type { Frame, FrameTable } from "../../model/frames";
import { NONE } from "../../model/ids";
import type { TraceSink } from "../trace/traceSink";
import { AsyncEvents } from "./asyncEvents";
import { functionFrame, type CallStacks, withPlace } from "./callStacks";
import { classOf, type EventClass, isGpuClass, isLaunchFlow } from "./categories";
import { Counters } from "./counters";
import { DeviceActivities } from "./deviceActivities";
import type { EventScanner } from "./eventScanner";
import { Flows, Launches } from "./links";
import { Metadata } from "./metadata";
import { Places, type Thread } from "./places";
import { Samples } from "./samples";
import { parseArguments } from "./slowJson";

/** Categories that have a number of their own; a trace has at most 256. */
const MOST_CATEGORIES = 250;
/** µs beyond which times are not exact any more: 285 years. */
const MOST_TIME = 2 ** 53;
const NO_CATEGORY = "no category";

interface Category {
  readonly of: EventClass;
  readonly sink: number;
  readonly isLaunchFlow: boolean;
}

/** What was not understood, and how often. */
export interface Oddities {
  withoutTime: number;
  withoutPhase: number;
  negative: number;
  unfinished: number;
  unmatched: number;
  notShown: number;
}

const letter = (text: string) => text.charCodeAt(0);
const [X, B, E, I, i, R, M, C, P] = [..."XBEIiRMCP"].map(letter);
const [b, n, e, S, T, p, F] = [..."bneSTpF"].map(letter);
const [GLOBAL, WHOLE_PROCESS] = [..."gp"].map(letter);
const [s, t, f] = [..."stf"].map(letter);

export class TraceEvents {
  readonly places: Places;
  readonly metadata = new Metadata();
  readonly samples: Samples;
  readonly oddities: Oddities = {
    withoutTime: 0,
    withoutPhase: 0,
    negative: 0,
    unfinished: 0,
    unmatched: 0,
    notShown: 0,
  };
  records = 0;
  /** Some event says on which device and stream it ran. */
  hasDevices = false;
  /** Some event has a call stack, or is a function of one. */
  hasStacks = false;
  readonly flows: Flows;
  private readonly launches: Launches;
  private readonly async: AsyncEvents;
  private readonly counters: Counters;
  private readonly activities: DeviceActivities;
  private readonly categories = new Map<number, Category>();
  private categoryCount = 0;
  private lastCategory: number = -2;
  private lastClass: Category | undefined;
  /** Frames of names without a place, by name and class of the event. */
  private readonly frameOf = new Map<EventClass, Int32Array>();
  private readonly placedFrames = new Map<string, number>();
  private readonly stackOfText = new Map<number, number>();
  private readonly pythonStacks = new Map<number, number>();
  private latest = Number.NEGATIVE_INFINITY;
  private thread: Thread | undefined;
  private threadProcess: number = NONE;
  private threadNumber: number = NONE;

  /** @param zero what second 0 is, in whole µs of the file's clock; by default the first event's time */
  constructor(
    private readonly scanner: EventScanner,
    private readonly sink: TraceSink,
    private readonly frames: FrameTable,
    private readonly stacks: CallStacks,
    public zero: number | undefined,
  ) {
    this.places = new Places(sink);
    this.flows = new Flows(sink);
    this.launches = new Launches(sink);
    this.async = new AsyncEvents(sink);
    this.counters = new Counters(sink);
    this.activities = new DeviceActivities(sink, this.launches);
    this.samples = new Samples(sink, frames, stacks);
  }

  /** Takes the event that the scanner read last. */
  take(): void {
    const { scanner, oddities } = this;
    this.records++;
    const { phase } = scanner;
    if (phase === M) {
      const { argumentsStart, argumentsEnd } = scanner;
      if (argumentsEnd > argumentsStart)
        this.metadata.add(this.nameText(), this.pid(), this.tid(), parseArguments(scanner));
      return;
    }
    if (phase === 0) {
      oddities.withoutPhase++;
      return;
    }
    if (!(Math.abs(scanner.wholeTime) <= MOST_TIME)) {
      oddities.withoutTime++;
      return;
    }
    this.zero ??= scanner.wholeTime + Math.floor(scanner.partTime);
    const microseconds = scanner.wholeTime - this.zero + scanner.partTime;
    if (microseconds > this.latest) this.latest = microseconds;
    switch (phase) {
      case X:
        return this.complete(microseconds);
      case B:
        return this.begin(microseconds);
      case E:
        return this.end(microseconds);
      case I:
      case i:
      case R:
        return this.mark(microseconds);
      case C:
        return this.counters.add(
          this.places.resourceOf(this.process()),
          this.nameText(),
          parseArguments(scanner),
          microseconds / 1e6,
        );
      case s:
      case t:
      case f:
        return this.flow(phase, microseconds);
      case b:
      case n:
      case e:
      case S:
      case T:
      case p:
      case F:
        return this.asynchronous(phase, microseconds);
      case P:
        return this.sample(microseconds);
      default:
        oddities.notShown++;
    }
  }

  /** The sample that the scanner read last, of the list beside the events. */
  takeSample(): void {
    const { scanner } = this;
    this.records++;
    if (!(Math.abs(scanner.wholeTime) <= MOST_TIME)) {
      this.oddities.withoutTime++;
      return;
    }
    this.zero ??= scanner.wholeTime + Math.floor(scanner.partTime);
    const microseconds = scanner.wholeTime - this.zero + scanner.partTime;
    if (microseconds > this.latest) this.latest = microseconds;
    this.sample(microseconds);
  }

  /** At the end of the file: what is still open lasts to the last time that any event names. */
  finish(): void {
    const { oddities, sink } = this;
    for (const { open } of this.places.all()) {
      const rest = open?.finish((event, microseconds) => sink.end(event, microseconds / 1e6));
      if (rest === undefined) continue;
      for (const event of rest.unfinished) sink.end(event, this.latest / 1e6);
      oddities.unfinished += rest.unfinished.length;
      oddities.unmatched += rest.unmatched;
    }
    const rest = this.async.finish(this.latest / 1e6);
    oddities.unfinished += rest.unfinished;
    oddities.unmatched += rest.unmatched;
    this.launches.finish();
  }

  private complete(microseconds: number): void {
    const { scanner, sink } = this;
    let duration = Number.isNaN(scanner.duration) ? scanner.threadDuration : scanner.duration;
    if (!(duration >= 0 && duration <= MOST_TIME)) {
      if (!Number.isNaN(duration)) this.oddities.negative++;
      duration = 0;
    }
    const ended = microseconds + duration;
    if (ended > this.latest) this.latest = ended;
    const { of, sink: category } = this.category();
    const thread = this.threadFor(of);
    const frame = this.frame(of);
    const [start, end] = [microseconds / 1e6, ended / 1e6];
    if (scanner.hasArguments && thread.device !== NONE && isGpuClass(of))
      this.activities.add(of, scanner, thread, this.places.laneOf(thread, false), start, end, frame, () =>
        this.nameText(),
      );
    else if (of === "runtime") {
      const correlation = scanner.number("correlation");
      if (Number.isSafeInteger(correlation)) this.launches.call(correlation, thread.resource, start);
    }
    sink.event(this.places.laneOf(thread, of === "whole"), start, end, frame, this.stack(of, frame), category);
  }

  private begin(microseconds: number): void {
    const { scanner, sink, places } = this;
    const { of, sink: category } = this.category();
    const thread = this.threadFor(of);
    const frame = this.frame(of);
    const lane = places.laneOf(thread, of === "whole");
    const event = sink.begin(lane, microseconds / 1e6, frame, this.stack(of, frame), category);
    places.openOf(thread).begin(scanner.name, microseconds, event);
  }

  private end(microseconds: number): void {
    const thread = this.threadFor("plain");
    const event = this.places.openOf(thread).end(this.scanner.name, microseconds);
    if (event !== NONE) this.sink.end(event, microseconds / 1e6);
  }

  private mark(microseconds: number): void {
    const { of, sink: category } = this.category();
    const { scope } = this.scanner;
    const thread = this.threadFor(scope === GLOBAL || scope === WHOLE_PROCESS ? "whole" : of);
    const seconds = microseconds / 1e6;
    const frame = this.frame(of);
    this.sink.event(this.places.marksOf(thread), seconds, seconds, frame, this.stack(of, frame), category);
  }

  private flow(phase: number, microseconds: number): void {
    const { scanner, flows } = this;
    if (Number.isNaN(scanner.id) || this.category().isLaunchFlow) return;
    const { resource } = this.threadFor("plain");
    const seconds = microseconds / 1e6;
    if (phase === s) flows.start(scanner.category, scanner.id, resource, seconds);
    else if (phase === t) flows.step(scanner.category, scanner.id, resource, seconds);
    else flows.end(scanner.category, scanner.id, resource, seconds);
  }

  private asynchronous(phase: number, microseconds: number): void {
    const { scanner } = this;
    const { of, sink: category } = this.category();
    const track = this.async.track(
      this.places.resourceOf(this.process()),
      scanner.category,
      scanner.id,
      () => `${this.process().pid}: ${scanner.category === NONE ? "" : scanner.labelText(scanner.category)}`,
      () => (scanner.id < 0 ? scanner.placeText(-1 - scanner.id) : String(scanner.id)),
    );
    const seconds = microseconds / 1e6;
    if (phase === b || phase === S) this.async.begin(track, scanner.name, microseconds, this.frame(of), category);
    else if (phase === e || phase === F) this.async.end(track, scanner.name, microseconds);
    else this.async.mark(track, seconds, this.frame(of), category);
  }

  private sample(microseconds: number): void {
    const { scanner } = this;
    const thread = this.threadFor("plain");
    const { sink: category } = this.category();
    if (scanner.stackFrame !== NONE || scanner.phase !== P) {
      const stack = scanner.stackFrame === NONE ? NONE : this.stacks.reference(scanner.placeText(scanner.stackFrame));
      this.hasStacks = true;
      this.samples.add(thread, this.places.marksOf(thread), microseconds, stack, this.frame("plain"), category);
      return;
    }
    const name = this.nameText();
    if (name !== "Profile" && name !== "ProfileChunk") return this.mark(microseconds);
    const id = `${thread.process.pid} ${scanner.id}`;
    this.hasStacks = true;
    this.samples.chunk(
      id,
      thread,
      () => this.places.marksOf(thread),
      parseArguments(scanner),
      this.zero ?? 0,
      category,
    );
  }

  /** The stack that an event was recorded with. */
  private stack(of: EventClass, frame: number): number {
    const { scanner, stacks } = this;
    if (scanner.stackFrame !== NONE) {
      this.hasStacks = true;
      return stacks.reference(scanner.placeText(scanner.stackFrame));
    }
    if (!scanner.hasArguments) return NONE;
    if (of === "python") return this.pythonStack(frame);
    const text = scanner.text("callStack");
    if (text === NONE) return NONE;
    this.hasStacks = true;
    let stack = this.stackOfText.get(text);
    if (stack === undefined) this.stackOfText.set(text, (stack = stacks.fromText(scanner.labelText(text))));
    return stack;
  }

  /** Python's functions name their callers by id; where the caller is not known yet, nesting tells. */
  private pythonStack(frame: number): number {
    this.hasStacks = true;
    const id = this.scanner.number("pythonId");
    if (Number.isNaN(id)) return NONE;
    const parent = this.scanner.number("pythonParent");
    const caller = Number.isNaN(parent) ? NONE : this.pythonStacks.get(parent);
    if (caller === undefined) return NONE;
    const stack = this.stacks.child(caller, frame);
    this.pythonStacks.set(id, stack);
    return stack;
  }

  private category(): Category {
    const { category } = this.scanner;
    if (category === this.lastCategory && this.lastClass !== undefined) return this.lastClass;
    let known = this.categories.get(category);
    if (known === undefined) {
      const name = category === NONE ? NO_CATEGORY : this.scanner.labelText(category);
      const [of, kind] = classOf(name);
      const isRoom = this.categoryCount++ < MOST_CATEGORIES;
      const sink = isRoom ? this.sink.category(name, kind) : this.sink.category("further categories", "other");
      this.categories.set(category, (known = { of, sink, isLaunchFlow: isLaunchFlow(name) }));
    }
    this.lastCategory = category;
    return (this.lastClass = known);
  }

  private frame(of: EventClass): number {
    const { scanner } = this;
    const file = scanner.hasArguments ? scanner.text("file") : NONE;
    const line = scanner.number("line");
    if (file === NONE) {
      let frames = this.frameOf.get(of);
      const at = scanner.name + 1;
      if (frames === undefined || at >= frames.length) {
        const wider = new Int32Array(Math.max(256, 2 * at)).fill(NONE);
        if (frames) wider.set(frames);
        this.frameOf.set(of, (frames = wider));
      }
      if (frames[at] === NONE) frames[at] = this.frames.intern(this.frameFor(of, this.nameText()));
      return frames[at];
    }
    const key = `${of} ${scanner.name} ${file} ${line}`;
    let frame = this.placedFrames.get(key);
    if (frame === undefined) {
      const placed = withPlace(this.frameFor(of, this.nameText()), scanner.labelText(file), line);
      this.placedFrames.set(key, (frame = this.frames.intern(placed)));
    }
    return frame;
  }

  private frameFor(of: EventClass, name: string): Frame {
    if (of === "python") return functionFrame(name);
    if (of === "kernel") return { name, kind: "kernel" };
    if (of === "runtime") return { name, kind: "region", origin: "runtime" };
    return /^P?MPI_/.test(name) ? { name, kind: "region", origin: "mpi" } : { name, kind: "region" };
  }

  private threadFor(of: EventClass): Thread {
    const { scanner, places } = this;
    const { process, thread } = scanner;
    if (this.thread !== undefined && process === this.threadProcess && thread === this.threadNumber) return this.thread;
    const owner = this.process();
    // Without a number an event is at index 0, all others one further.
    let found: Thread | undefined = owner.threads[thread + 1];
    if (found === undefined) {
      const isGpu = isGpuClass(of) && Number.isSafeInteger(scanner.number("device"));
      const device = isGpu ? scanner.number("device") : NONE;
      const stream = isGpu ? streamOf(scanner, this.tid()) : NONE;
      if (isGpu) this.hasDevices = true;
      const kind = isGpu ? "stream" : of === "whole" ? "heading" : "thread";
      found = owner.threads[thread + 1] = places.addThread(owner, this.tid(), kind, device, stream);
    }
    this.thread = found;
    this.threadProcess = process;
    this.threadNumber = thread;
    return found;
  }

  private process() {
    return this.places.process(this.scanner.process + 1, () => this.pid());
  }

  private pid(): string {
    return this.scanner.process === NONE ? "" : this.scanner.placeText(this.scanner.process);
  }

  private tid(): string {
    return this.scanner.thread === NONE ? "" : this.scanner.placeText(this.scanner.thread);
  }

  private nameText(): string {
    return this.scanner.name === NONE ? "(unnamed)" : this.scanner.labelText(this.scanner.name);
  }
}

/** `args.stream`, else the number in a thread's name such as `stream 7`. */
function streamOf(scanner: EventScanner, tid: string): number {
  const stream = scanner.number("stream");
  if (Number.isSafeInteger(stream)) return stream;
  const digits = /(\d{1,9})$/.exec(tid);
  return digits ? Number(digits[1]) : 0;
}
