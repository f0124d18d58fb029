import { NONE } from "../../model/ids";
import { location } from "../../model/locations";
import { entryOf } from "../../model/maps";
import type { ProfileBuilder } from "../profileBuilder";
import { processName } from "../trace/placeNames";
import type { TraceBuilder } from "../trace/traceBuilder";
import type { EventLine } from "./eventLine";

const SUMMED = { additive: true, reducedOverRanks: false } as const;
/** Events that count nanoseconds, with any modifiers. */
const CLOCK = /^(?:cpu|task)-clock(?::[a-zA-Z]{1,9})?$/;

/** An event that was sampled. */
interface SampledEvent {
  /** Metrics of the profile. */
  readonly value: number;
  readonly samples: number;
  /** Category of the trace. */
  readonly category: number;
}

/** A thread of any process. */
interface Thread {
  /** The operating system's. */
  readonly number: number;
  /** Of the profile. */
  readonly location: number;
  readonly lane: number;
  readonly resource: { name: string; readonly type: string; readonly parent: number; readonly location: number };
  readonly declared: { name: string };
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
  /** The latest time; seconds on the file's clock. */
  lastSeconds = -Infinity;
  private zero: number | undefined;
  private readonly events = new Map<string, SampledEvent>();
  private readonly threads = new Map<string, Thread>();
  /** Samples of one thread often follow one another. */
  private latest: Thread | undefined;
  private readonly processes = new Map<number, Process>();
  private hasTime = false;
  private rank: number = NONE;

  constructor(
    private readonly profile: ProfileBuilder,
    private readonly trace: TraceBuilder,
  ) {}

  /** What follows is of another file, with numbers of processes and a clock of its own. @param rank NONE where it is not known */
  beginFile(rank: number): void {
    this.rank = rank;
    this.threads.clear();
    this.processes.clear();
    this.latest = this.zero = undefined;
    this.lastSeconds = -Infinity;
  }

  add(line: EventLine, context: number): void {
    const { profile, trace } = this;
    this.count++;
    const event = this.events.get(line.event) ?? this.addEvent(line.event);
    const thread = this.thread(line);
    profile.add(event.samples, context, thread.location, 1);
    if (line.period !== undefined) profile.add(event.value, context, thread.location, line.period);
    const seconds = Number(line.seconds);
    if (seconds > this.lastSeconds) this.lastSeconds = seconds;
    const time = seconds - (this.zero ??= seconds);
    trace.event(thread.lane, time, time, profile.tree.frameOf(context), context, event.category);
  }

  /** Names threads and processes of a file, which is known at its end. */
  finish(): void {
    const rank = this.rank === NONE ? "" : `${processName(this.rank)}, `;
    for (const { id, resource, command } of this.processes.values()) resource.name = `${rank}${command} (${id})`;
    for (const { number, resource, declared, command, process } of this.threads.values()) {
      resource.name = `${command} (thread ${number})`;
      declared.name = process === undefined ? resource.name : `${process.resource.name}, thread ${number}`;
    }
  }

  /** The event's own value comes first: where samples stand for different amounts, it says more than their number. */
  private addEvent(name: string): SampledEvent {
    const isClock = CLOCK.test(name);
    // What the command line and comparisons with other tools ask for.
    const isTime = isClock && !this.hasTime;
    if (isClock) this.hasTime = true;
    const event = {
      value: this.profile.metric({
        ...SUMMED,
        name: isTime ? "time" : name,
        recordedName: name,
        ...(isClock ? { unit: "s", kind: "time", divisor: 1e9 } : { unit: "1", kind: "count" }),
      }),
      samples: this.profile.metric({
        ...SUMMED,
        name: `samples (${name})`,
        recordedName: name,
        unit: "1",
        kind: "count",
      }),
      category: this.trace.category(name, "other"),
    };
    this.events.set(name, event);
    return event;
  }

  private thread({ command, process, thread }: EventLine): Thread {
    let known = this.latest;
    if (known?.number !== thread || known.process?.id !== process)
      known = entryOf(this.threads, `${process} ${thread}`, () => this.addThread(command, process, thread));
    this.latest = known;
    known.command = command;
    if (known.process?.id === thread) known.process.command = command;
    return known;
  }

  private addThread(command: string, process: number | undefined, number: number): Thread {
    const { trace } = this;
    const of = process === undefined ? undefined : this.process(command, process);
    // Numbers of threads are the operating system's: no two threads of all processes have the same.
    const own = this.profile.location(location({ rank: this.rank, thread: number === -1 ? NONE : number }));
    const resource = { name: "thread", type: "thread", parent: of?.number ?? NONE, location: own };
    const declared = { name: "thread", resource: trace.resource(resource), location: own, kind: "instants" as const };
    return { number, location: own, lane: trace.lane(declared), resource, declared, command, process: of };
  }

  private process(command: string, id: number): Process {
    return entryOf(this.processes, id, () => {
      const resource = { name: "process", type: "process", parent: NONE as number, location: NONE as number };
      return { id, resource, number: this.trace.resource(resource), command };
    });
  }
}
