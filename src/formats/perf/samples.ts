import { NONE } from "../../model/ids";
import { location } from "../../model/locations";
import { entryOf } from "../../model/maps";
import type { ProfileBuilder } from "../profileBuilder";
import { processName } from "../trace/placeNames";
import type { TraceBuilder } from "../trace/traceBuilder";
import type { EventLine } from "./eventLine";
import type { RecordHeader, Sampling } from "./recordHeader";
import { SampleClock } from "./sampleClock";

const SUMMED = { additive: true, reducedOverRanks: false } as const;
/** Events that count nanoseconds, with any modifiers. */
const CLOCK = /^(?:cpu|task)-clock(?::[a-zA-Z]{1,9})?$/;
const NANOSECONDS = 1e9;

/** An event that was sampled. */
interface SampledEvent {
  /** Metrics of the profile. */
  readonly value: number;
  readonly samples: number;
  /** Samples of a second, where their number is what their time is known by. */
  readonly perSecond: number | undefined;
  /** Weight of a sample of the file without its own period. Undefined if not known. */
  amount: number | undefined;
  /** Category of the trace. */
  readonly category: number;
}

/** A thread of any process. */
interface Thread {
  /** The operating system's; undefined where it is not printed. */
  readonly number: number | undefined;
  /** Of the profile. */
  readonly location: number;
  /** NONE before its first sample with a time. */
  lane: number;
  readonly resource: { name: string; readonly type: string; readonly parent: number; readonly location: number };
  readonly declared: { name: string; readonly resource: number; readonly location: number; readonly kind: "instants" };
  /** As it is called last: a process has another name before it becomes the program. */
  command: string;
  readonly process: Process | undefined;
}

interface Process {
  readonly id: number;
  readonly resource: { name: string; readonly type: string; readonly parent: number; readonly location: number };
  readonly number: number;
  command: string;
}

/** Adds up the samples of one run's files, by event and thread, and reports each of them to its thread's lane. */
export class Samples {
  count = 0;
  /** Whether any sample has a time. */
  hasTimes = false;
  /** The latest time; seconds on the file's clock. */
  lastSeconds = -Infinity;
  private clock = new SampleClock();
  private readonly events = new Map<string, SampledEvent>();
  /** Events of which the file has had a sample. */
  private readonly ofFile = new Set<SampledEvent>();
  private readonly threads = new Map<string, Thread>();
  /** Samples of one thread often follow one another. */
  private latest: Thread | undefined;
  private readonly processes = new Map<number, Process>();
  private hasTime = false;
  private rank: number = NONE;
  private header: RecordHeader | undefined;

  constructor(
    private readonly profile: ProfileBuilder,
    private readonly trace: TraceBuilder,
  ) {}

  /**
   * Begins another file, with its own process numbers and clock.
   *
   * @param rank NONE where it is not known
   * @param header of the file, which stands above its first sample
   */
  beginFile(rank: number, header: RecordHeader): void {
    this.rank = rank;
    this.header = header;
    this.ofFile.clear();
    this.threads.clear();
    this.processes.clear();
    this.latest = undefined;
    this.clock = new SampleClock();
    this.lastSeconds = -Infinity;
  }

  add(line: EventLine, context: number): void {
    const { profile, trace } = this;
    this.count++;
    const event = this.event(line);
    const thread = this.thread(line);
    profile.add(event.samples, context, thread.location, 1);
    // Periods of samples whose time is their number are none of that time.
    const amount = event.perSecond === undefined ? (line.period ?? event.amount) : event.amount;
    if (amount !== undefined) profile.add(event.value, context, thread.location, amount);
    if (line.seconds === undefined) return;
    this.hasTimes = true;
    const seconds = Number(line.seconds);
    if (seconds > this.lastSeconds) this.lastSeconds = seconds;
    const time = this.clock.read(line.seconds);
    if (thread.lane === NONE) thread.lane = trace.lane(thread.declared);
    trace.event(thread.lane, time, time, profile.tree.frameOf(context), context, event.category);
  }

  /** Names threads and processes of a file, which is known at its end. */
  finish(): void {
    const rank = this.rank === NONE ? "" : `${processName(this.rank)}, `;
    for (const { id, resource, command } of this.processes.values())
      resource.name = rank + (command === "" ? `process ${id}` : `${command} (${id})`);
    for (const { number, resource, declared, command, process } of this.threads.values()) {
      const thread = number === undefined ? "" : `thread ${number}`;
      resource.name = command === "" || thread === "" ? command + thread : `${command} (${thread})`;
      declared.name = process === undefined ? resource.name : `${process.resource.name}, ${thread}`;
    }
  }

  private event(line: EventLine): SampledEvent {
    const known = this.events.get(line.event);
    if (known !== undefined && this.ofFile.has(known)) return known;
    const sampling = this.header?.samplingOf(line.event) ?? {};
    const event = known ?? this.addEvent(line, sampling);
    this.ofFile.add(event);
    const { perSecond, period } = sampling;
    // Files of one run may have been recorded at several frequencies.
    if (event.perSecond === undefined) event.amount = period;
    else event.amount = perSecond === undefined ? undefined : event.perSecond / perSecond;
    return event;
  }

  /** The event's own value comes first: where samples stand for different amounts, it says more than their number. */
  private addEvent({ event: name, period }: EventLine, sampling: Sampling): SampledEvent {
    const perSecond = period === undefined ? sampling.perSecond : undefined;
    const isClock = CLOCK.test(name);
    const isOfTime = isClock || perSecond !== undefined;
    // What the command line and comparisons with other tools ask for.
    const isTime = isOfTime && !this.hasTime;
    if (isOfTime) this.hasTime = true;
    const own = name === "" ? "periods" : name;
    const time = { unit: "s", kind: "time", divisor: perSecond ?? NANOSECONDS } as const;
    const note = perSecond === undefined ? undefined : `Samples divided by their frequency of ${perSecond} Hz.`;
    const event = {
      value: this.profile.metric({
        ...SUMMED,
        name: isTime ? "time" : own,
        recordedName: name,
        ...(note === undefined ? {} : { note }),
        ...(isOfTime ? time : { unit: "1", kind: "count" }),
      }),
      samples: this.profile.metric({
        ...SUMMED,
        name: name === "" ? "samples" : `samples (${name})`,
        recordedName: name,
        unit: "1",
        kind: "count",
      }),
      category: this.trace.category(name === "" ? "samples" : name, "other"),
      perSecond,
      amount: undefined,
    };
    this.events.set(name, event);
    return event;
  }

  private thread({ command, process, thread }: EventLine): Thread {
    let known = this.latest;
    if (thread === undefined || known?.number !== thread || known.process?.id !== process) {
      const key = `${process} ${thread ?? `of ${command}`}`;
      known = entryOf(this.threads, key, () => this.addThread(command, process, thread));
    }
    this.latest = known;
    known.command = command;
    if (known.process !== undefined && known.process.id === thread) known.process.command = command;
    return known;
  }

  private addThread(command: string, process: number | undefined, number: number | undefined): Thread {
    const { trace } = this;
    const of = process === undefined ? undefined : this.process(command, process);
    // Numbers of threads are the operating system's: no two threads of all processes have the same.
    const thread = number === undefined || number === -1 ? NONE : number;
    const own = this.profile.location(location({ rank: this.rank, thread }));
    const resource = { name: "thread", type: "thread", parent: of?.number ?? NONE, location: own };
    const declared = { name: "thread", resource: trace.resource(resource), location: own, kind: "instants" as const };
    return { number, location: own, lane: NONE, resource, declared, command, process: of };
  }

  private process(command: string, id: number): Process {
    return entryOf(this.processes, id, () => {
      const resource = { name: "process", type: "process", parent: NONE as number, location: NONE as number };
      return { id, resource, number: this.trace.resource(resource), command };
    });
  }
}
