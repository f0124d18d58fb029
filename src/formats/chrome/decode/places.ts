import { NONE } from "../../../model/ids";
import { type Location, location, withNeededContexts } from "../../../model/locations";
import type { Task } from "../../../model/task";
import type { LaneStart, TraceSink } from "../../trace/traceSink";
import { threadName } from "../../trace/placeNames";
import { isObject } from "../scan/jsonValues";
import { OpenEvents } from "./openEvents";

/** What is known of something only after it was declared: names stand at the end of many files. */
type Late<Declared> = { -readonly [Key in keyof Declared]: Declared[Key] };

interface LateResource {
  name: string;
  readonly type: string;
  readonly parent: number;
  location: number;
  properties?: ReadonlyMap<string, string>;
}

/** A process of the recording (`pid`), which may be a device or a mere heading. */
export interface Process {
  readonly pid: string;
  /** By number of the scanner's places. */
  readonly threads: Thread[];
  /** Resource, NONE until something needs it. */
  resource: number;
  readonly declared: LateResource;
}

/** A thread (`tid`) of a process, or a stream of a device. */
export interface Thread {
  readonly process: Process;
  readonly tid: string;
  readonly resource: number;
  readonly declared: LateResource;
  /** Device of a stream; NONE for threads. */
  readonly device: number;
  readonly stream: number;
  /** Of a stream; NONE until an event names it. */
  gpuContext: number;
  /** Streams of the same number in other contexts. */
  inOtherContexts: Map<number, Thread> | undefined;
  /** Index into the file's locations; NONE for headings, and until there is an event. */
  location: number;
  kind: PlaceKind;
  /** Lanes, NONE until there is an event. */
  lane: number;
  marks: number;
  readonly lanes: Late<LaneStart>[];
  open: OpenEvents | undefined;
}

/** Names that the recording gives to processes and threads in metadata events (`M`), by `pid` and `tid` as texts. */
export class PlaceNames {
  readonly processes = new Map<string, string>();
  readonly threads = new Map<string, Map<string, string>>();
  private counts: Map<string, number> | undefined;

  /** Whether a process has a name, and none other has it. */
  isOneProcess(pid: string): boolean {
    if (this.counts === undefined) {
      this.counts = new Map<string, number>();
      for (const name of this.processes.values()) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
    return this.counts.get(this.processes.get(pid) ?? "") === 1;
  }

  add(kind: string, pid: string, tid: string, values: unknown): void {
    if (!isObject(values)) return;
    const name = values.get("name");
    if (typeof name !== "string") return;
    if (kind === "process_name") {
      this.processes.set(pid, name);
      this.counts = undefined;
    } else if (kind === "thread_name") {
      let threads = this.threads.get(pid);
      if (threads === undefined) this.threads.set(pid, (threads = new Map()));
      threads.set(tid, name);
    }
  }
}

/** A heading groups marks and events that are of the whole recording: nothing runs there. */
export type PlaceKind = "thread" | "stream" | "heading";

const BEYOND = 0x7fffffff;

/** Processes, threads, devices and streams of one file, as resources, lanes and locations. */
export class Places {
  readonly processes: Process[] = [];
  /** Locations of this file; their threads and ranks are numbered by {@link finish}. */
  readonly locations: Late<Location>[] = [];
  private readonly gpus = new Map<number, { readonly resource: number; readonly declared: LateResource }>();
  private readonly threads: Thread[] = [];

  constructor(private readonly sink: TraceSink) {}

  process(place: number, pid: () => string): Process {
    const known = this.processes[place];
    if (known) return known;
    const text = pid();
    const declared = { name: text, type: "process", parent: NONE, location: NONE };
    return (this.processes[place] = { pid: text, threads: [], resource: NONE, declared });
  }

  resourceOf(process: Process): number {
    if (process.resource === NONE) process.resource = this.sink.resource(process.declared);
    return process.resource;
  }

  /** A thread that is new. */
  addThread(process: Process, tid: string, kind: PlaceKind, device: number, stream: number): Thread {
    const isStream = kind === "stream";
    const parent = isStream ? this.gpu(device) : this.resourceOf(process);
    const declared = { name: tid, type: isStream ? "stream" : "thread", parent, location: NONE };
    const thread: Thread = {
      process,
      tid,
      resource: this.sink.resource(declared),
      declared,
      device,
      stream,
      gpuContext: NONE,
      inOtherContexts: undefined,
      location: NONE,
      kind,
      lane: NONE,
      marks: NONE,
      lanes: [],
      open: undefined,
    };
    this.threads.push(thread);
    return thread;
  }

  /** @param isHeading the event is of the whole recording, and nothing that ran there */
  laneOf(thread: Thread, isHeading: boolean): number {
    if (thread.kind === "heading" && !isHeading) {
      thread.kind = "thread";
      if (thread.lanes.length > 0) this.locate(thread);
    }
    return thread.lane === NONE ? (thread.lane = this.addLane(thread, "intervals")) : thread.lane;
  }

  marksOf(thread: Thread): number {
    return thread.marks === NONE ? (thread.marks = this.addLane(thread, "instants")) : thread.marks;
  }

  openOf(thread: Thread): OpenEvents {
    return (thread.open ??= new OpenEvents());
  }

  /** The resource of a device. */
  gpu(device: number): number {
    let gpu = this.gpus.get(device);
    if (gpu === undefined) {
      const declared = { name: `GPU ${device}`, type: "GPU", parent: NONE, location: NONE };
      this.gpus.set(device, (gpu = { resource: this.sink.resource(declared), declared }));
    }
    return gpu.resource;
  }

  /** Every thread that has events, files' order. */
  all(): readonly Thread[] {
    return this.threads;
  }

  /** Gives everything its name and number, now that the whole file was read. */
  finish(
    names: PlaceNames,
    devices: ReadonlyMap<number, ReadonlyMap<string, string>>,
    rank: number | undefined,
    task: Pick<Task, "check">,
  ): void {
    const inRank = (name: string) => (rank === undefined ? name : threadName(`rank ${rank}`, name));
    for (const [device, { declared }] of this.gpus) {
      declared.name = inRank(`GPU ${device}`);
      if (devices.has(device)) declared.properties = devices.get(device);
    }
    const processes = this.processes.filter((one) => one !== undefined);
    for (const process of processes) process.declared.name = inRank(nameOf("process", process.pid, names.processes));
    const cpu = this.threads.filter(({ location: own, kind }) => own !== NONE && kind === "thread");
    const many = new Set(cpu.map(({ process }) => process)).size > 1;
    task.check();
    const asRecorded = haveNumbers(cpu, task);
    cpu.forEach((thread, index) => (this.locations[thread.location].thread = asRecorded ? Number(thread.tid) : index));
    const contexts = this.threads.filter(({ location: own, gpuContext }) => own !== NONE && gpuContext !== NONE);
    for (const { location: own, gpuContext } of contexts) this.locations[own].gpuContext = gpuContext;
    const needed = withNeededContexts(this.locations);
    this.locations.forEach((own, at) => {
      own.rank = rank ?? NONE;
      if (needed[at].gpuContext === undefined) delete own.gpuContext;
    });
    for (const [index, thread] of this.threads.entries()) {
      if (index % 1024 === 0) task.check();
      this.nameThread(thread, names, many, inRank);
    }
  }

  private nameThread(thread: Thread, names: PlaceNames, many: boolean, inRank: (name: string) => string): void {
    const { process, declared, device, stream, tid } = thread;
    let lane: string;
    if (thread.kind === "stream") {
      const context = thread.location === NONE ? NONE : (this.locations[thread.location].gpuContext ?? NONE);
      declared.name = `${context === NONE ? "" : `context ${context}, `}stream ${stream}`;
      lane = inRank(`GPU ${device}, ${declared.name}`);
    } else {
      declared.name = nameOf("thread", tid, names.threads.get(process.pid));
      const called = names.isOneProcess(process.pid) ? names.processes.get(process.pid) : undefined;
      lane =
        many || thread.kind === "heading"
          ? threadName(process.declared.name, declared.name, called ?? "")
          : inRank(declared.name);
    }
    for (const start of thread.lanes) start.name = start.kind === "instants" ? `${lane}: marks` : lane;
  }

  private locate(thread: Thread): void {
    const { device, stream, declared, lanes } = thread;
    const place = thread.kind === "stream" ? { device, stream } : { thread: 0 };
    thread.location = declared.location = this.locations.push(location(place)) - 1;
    for (const lane of lanes) lane.location = thread.location;
  }

  private addLane(thread: Thread, kind: LaneStart["kind"]): number {
    if (thread.location === NONE && thread.kind !== "heading") this.locate(thread);
    const declared = { name: thread.tid, resource: thread.resource, location: thread.location, kind };
    thread.lanes.push(declared);
    return this.sink.lane(declared);
  }
}

/** `python (4711)`, `thread 4711 (python)` as the tool wrote it, `thread 4711` where it has no name. */
function nameOf(type: string, id: string, names: ReadonlyMap<string, string> | undefined): string {
  const name = names?.get(id);
  if (name !== undefined && name !== "") return name.includes(id) ? name : `${name} (${id})`;
  if (id === "") return `no ${type}`;
  return /^-?\d+$/.test(id) ? `${type} ${id}` : id;
}

/** Whether the recording's own numbers of threads can be kept: all are numbers, and no two processes share one. */
function haveNumbers(threads: readonly Thread[], task: Pick<Task, "check">): boolean {
  const numbers = new Set<string>();
  for (const { tid } of threads) {
    if (numbers.has(tid) || !/^\d+$/.test(tid) || Number(tid) > BEYOND) return false;
    if (numbers.add(tid).size % 1024 === 0) task.check();
  }
  return true;
}
