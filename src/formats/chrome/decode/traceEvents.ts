/** What the events of a file mean, one by one in the order of the file: lanes, arrows, counters, transfers, samples. */
import type { FrameTable } from "../../../model/frames";
import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import type { TraceSink } from "../../trace/traceSink";
import { AsyncEvents } from "./asyncEvents";
import type { CallStacks } from "./callStacks";
import { isGpuClass } from "./categories";
import { Counters } from "./counters";
import { DeviceActivities } from "./deviceActivities";
import { EventFrames } from "./eventFrames";
import type { EventScanner } from "../scan/eventScanner";
import { EventThreads } from "./eventThreads";
import { Flows, Launches } from "./links";
import { Places, PlaceNames } from "./places";
import { Samples } from "./samples";
import { parseArguments } from "../scan/jsonValues";
import { secondsOf } from "./clock";

/** µs beyond which times are not exact any more: 285 years. */
export const MAX_TIME_US = 2 ** 53;

/** What was not understood, and how often. */
export interface Oddities {
  withoutTime: number;
  /** Their times are larger than numbers that are exact. */
  tooLate: number;
  withoutPhase: number;
  negative: number;
  /** clang's sums over its other events. */
  summaries: number;
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
  readonly kinds: EventFrames;
  readonly places: Places;
  readonly names = new PlaceNames();
  readonly samples: Samples;
  readonly oddities: Oddities = {
    withoutTime: 0,
    tooLate: 0,
    withoutPhase: 0,
    negative: 0,
    summaries: 0,
    unfinished: 0,
    unmatched: 0,
    notShown: 0,
  };
  records = 0;
  readonly flows: Flows;
  private readonly launches: Launches;
  private readonly async: AsyncEvents;
  readonly counters: Counters;
  private readonly activities: DeviceActivities;
  private latest = Number.NEGATIVE_INFINITY;
  /** The earliest event's time, in µs since {@link zero}; Infinity without events. */
  earliest = Number.POSITIVE_INFINITY;
  private readonly threads: EventThreads;
  private readonly emptyName: number;

  /** @param zero what second 0 is, in whole µs of the file's clock; by default the first event's time */
  constructor(
    private readonly scanner: EventScanner,
    private readonly sink: TraceSink,
    frames: FrameTable,
    private readonly stacks: CallStacks,
    public zero: number | undefined,
  ) {
    this.kinds = new EventFrames(scanner, sink, frames, stacks);
    this.emptyName = scanner.labels.internText("");
    this.places = new Places(sink);
    this.threads = new EventThreads(scanner, this.places);
    this.flows = new Flows(sink);
    this.launches = new Launches(sink);
    this.async = new AsyncEvents(sink);
    this.counters = new Counters(sink);
    this.activities = new DeviceActivities(sink, this.launches);
    this.samples = new Samples(sink, frames, stacks);
  }

  /** Some event says on which device and stream it ran. */
  get hasDevices(): boolean {
    return this.threads.hasDevices;
  }

  /** Takes the event that the scanner read last. */
  take(): void {
    const { scanner, oddities } = this;
    this.records++;
    const { phase } = scanner;
    if (phase === M) {
      const { argumentsStart, argumentsEnd } = scanner;
      if (argumentsEnd > argumentsStart)
        this.names.add(this.kinds.name(), this.threads.pid(), this.threads.tid(), parseArguments(scanner));
      return;
    }
    if (phase === 0) {
      oddities.withoutPhase++;
      return;
    }
    // A sum over the run has a time, but did not happen then.
    if (phase === X && this.isSummary()) {
      oddities.summaries++;
      return;
    }
    const microseconds = this.microseconds();
    if (Number.isNaN(microseconds)) return;
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
          this.places.resourceOf(this.threads.process()),
          this.kinds.name(),
          parseArguments(scanner),
          secondsOf(microseconds),
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
    this.records++;
    const microseconds = this.microseconds();
    if (!Number.isNaN(microseconds)) this.sample(microseconds);
  }

  /** At the end of the file: what is still open lasts to the last time that any event names. */
  finish(task: Pick<Task, "check">): void {
    const { oddities, sink } = this;
    for (const [index, { open }] of this.places.all().entries()) {
      if (index % 1024 === 0) task.check();
      const rest = open?.finish(
        ({ event, lane }, microseconds) => sink.end(event, secondsOf(microseconds), lane),
        task,
      );
      if (rest === undefined) continue;
      for (const { event, lane } of rest.unfinished) sink.end(event, secondsOf(this.latest), lane);
      oddities.unfinished += rest.unfinished.length;
      oddities.unmatched += rest.unmatched;
    }
    const rest = this.async.finish(secondsOf(this.latest), task);
    oddities.unfinished += rest.unfinished;
    oddities.unmatched += rest.unmatched;
    this.flows.finish(task);
    this.launches.finish(task);
  }

  /** Since zero; NaN where the event has no time. */
  private microseconds(): number {
    const { wholeTime, partTime } = this.scanner;
    if (!(Math.abs(wholeTime) <= MAX_TIME_US)) {
      if (Number.isNaN(wholeTime)) this.oddities.withoutTime++;
      else this.oddities.tooLate++;
      return Number.NaN;
    }
    this.zero ??= wholeTime + Math.floor(partTime);
    const microseconds = wholeTime - this.zero + partTime;
    if (microseconds > this.latest) this.latest = microseconds;
    if (microseconds < this.earliest) this.earliest = microseconds;
    return microseconds;
  }

  private complete(microseconds: number): void {
    const { scanner, sink } = this;
    let duration = Number.isNaN(scanner.duration) ? scanner.threadDuration : scanner.duration;
    if (!(duration >= 0 && duration <= MAX_TIME_US)) {
      if (!Number.isNaN(duration)) this.oddities.negative++;
      duration = 0;
    }
    const ended = microseconds + duration;
    if (ended > this.latest) this.latest = ended;
    const { of, sink: category } = this.kinds.category();
    const thread = this.threads.of(of);
    const frame = this.kinds.frame(of);
    const [start, end] = [secondsOf(microseconds), secondsOf(ended)];
    if (scanner.hasArguments && thread.device !== NONE && isGpuClass(of))
      this.activities.add(of, scanner, thread, this.places.laneOf(thread, false), start, end, frame, () =>
        this.kinds.name(),
      );
    else if (of === "runtime") {
      const correlation = scanner.number("correlation");
      if (Number.isSafeInteger(correlation)) this.launches.call(correlation, thread.resource, start);
    }
    sink.event(this.places.laneOf(thread, of === "whole"), start, end, frame, this.kinds.stack(of, frame), category);
  }

  /**
   * `clang -ftime-trace` adds the durations of all events of a name up, each sum on a thread of its own: `Total Source`, with how
   * many there were and how long they took on average. Time that is there already, and no thread of the compiler.
   */
  private isSummary(): boolean {
    const { scanner } = this;
    return (
      !Number.isNaN(scanner.number("count")) &&
      !Number.isNaN(scanner.number("averageMilliseconds")) &&
      this.kinds.name().startsWith("Total ")
    );
  }

  private begin(microseconds: number): void {
    const { scanner, sink, places } = this;
    const { of, sink: category } = this.kinds.category();
    const thread = this.threads.of(of);
    const frame = this.kinds.frame(of);
    const lane = places.laneOf(thread, of === "whole");
    const event = sink.begin(lane, secondsOf(microseconds), frame, this.kinds.stack(of, frame), category);
    places.openOf(thread).begin(scanner.name, microseconds, event, lane);
  }

  private end(microseconds: number): void {
    const thread = this.threads.of("plain");
    // An empty name says as little as none.
    const name = this.scanner.name === this.emptyName ? NONE : this.scanner.name;
    const event = this.places.openOf(thread).end(name, microseconds);
    if (event !== undefined) this.sink.end(event.event, secondsOf(microseconds), event.lane);
  }

  private mark(microseconds: number): void {
    const { of, sink: category } = this.kinds.category();
    const { scope } = this.scanner;
    const thread = this.threads.of(scope === GLOBAL || scope === WHOLE_PROCESS ? "whole" : of);
    const seconds = secondsOf(microseconds);
    const frame = this.kinds.frame(of);
    this.sink.event(this.places.marksOf(thread), seconds, seconds, frame, this.kinds.stack(of, frame), category);
  }

  private flow(phase: number, microseconds: number): void {
    const { scanner, flows } = this;
    if (Number.isNaN(scanner.id) || this.kinds.category().isLaunchFlow) return;
    const { resource } = this.threads.of("plain");
    const seconds = secondsOf(microseconds);
    const point = phase === s ? "start" : phase === t ? "step" : "end";
    flows.take(point, scanner.category, scanner.id, resource, seconds);
  }

  private asynchronous(phase: number, microseconds: number): void {
    const { scanner } = this;
    const { of, sink: category } = this.kinds.category();
    const track = this.async.track(this.places.resourceOf(this.threads.process()), scanner.category, scanner.id, () => {
      const { pid } = this.threads.process();
      return scanner.category === NONE ? pid : `${pid}: ${scanner.labelText(scanner.category)}`;
    });
    const seconds = microseconds / 1e6;
    if (phase === b || phase === S) this.async.begin(track, scanner.name, microseconds, this.kinds.frame(of), category);
    else if (phase === e || phase === F) this.async.end(track, scanner.name, microseconds);
    else this.async.mark(track, seconds, this.kinds.frame(of), category);
  }

  private sample(microseconds: number): void {
    const { scanner } = this;
    const thread = this.threads.of("plain");
    const { sink: category } = this.kinds.category();
    if (scanner.stackFrame !== NONE || scanner.phase !== P) {
      const stack = scanner.stackFrame === NONE ? NONE : this.stacks.reference(scanner.placeText(scanner.stackFrame));
      this.samples.add(thread, this.places.marksOf(thread), microseconds, stack, this.kinds.frame("plain"), category);
      return;
    }
    const name = this.kinds.name();
    if (name !== "Profile" && name !== "ProfileChunk") return this.mark(microseconds);
    const id = `${thread.process.pid} ${scanner.id}`;
    this.samples.chunk(
      id,
      thread,
      () => this.places.marksOf(thread),
      parseArguments(scanner),
      this.zero ?? 0,
      category,
    );
  }
}
