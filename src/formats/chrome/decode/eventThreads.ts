import { NONE } from "../../../model/ids";
import { entryOf } from "../../../model/maps";
import { type EventClass, isGpuClass } from "./categories";
import type { EventScanner } from "../scan/eventScanner";
import type { Places, Process, Thread } from "./places";

/** Which process, and which thread or stream of it, the event that the scanner read last is of. */
export class EventThreads {
  /** Some event says on which device and stream it ran. */
  hasDevices = false;
  // Where the event before was: most follow one another on one thread.
  private thread: Thread | undefined;
  private threadProcess: number = NONE;
  private threadNumber: number = NONE;

  constructor(
    private readonly scanner: EventScanner,
    private readonly places: Places,
  ) {}

  of(kind: EventClass): Thread {
    const { scanner, places } = this;
    const { process, thread } = scanner;
    if (this.thread !== undefined && process === this.threadProcess && thread === this.threadNumber)
      return this.inContext(this.thread, kind);
    const owner = this.process();
    // Without a number an event is at index 0, all others one further.
    let found: Thread | undefined = owner.threads[thread + 1];
    if (found === undefined) {
      const isGpu = isGpuClass(kind);
      const device = isGpu ? deviceOf(scanner, this.pid()) : NONE;
      const stream = isGpu ? streamOf(scanner, this.tid()) : NONE;
      if (isGpu) this.hasDevices = true;
      const place = isGpu ? "stream" : kind === "whole" ? "heading" : "thread";
      found = owner.threads[thread + 1] = places.addThread(owner, this.tid(), place, device, stream);
    }
    this.thread = found;
    this.threadProcess = process;
    this.threadNumber = thread;
    return this.inContext(found, kind);
  }

  /** Streams are numbered in each context of a device anew. */
  private inContext(thread: Thread, kind: EventClass): Thread {
    if (thread.device === NONE || !isGpuClass(kind)) return thread;
    const context = this.scanner.hasArguments ? this.scanner.number("context") : Number.NaN;
    if (!Number.isSafeInteger(context) || context < 0 || context === thread.gpuContext) return thread;
    if (thread.gpuContext === NONE) {
      thread.gpuContext = context;
      return thread;
    }
    const { process, tid, device, stream } = thread;
    thread.inOtherContexts ??= new Map();
    return entryOf(thread.inOtherContexts, context, () => {
      const other = this.places.addThread(process, tid, "stream", device, stream);
      other.gpuContext = context;
      return other;
    });
  }

  process(): Process {
    return this.places.process(this.scanner.process + 1, () => this.pid());
  }

  pid(): string {
    return this.scanner.process === NONE ? "" : this.scanner.placeText(this.scanner.process);
  }

  tid(): string {
    return this.scanner.thread === NONE ? "" : this.scanner.placeText(this.scanner.thread);
  }
}

/** `args.device`; marks of a device do not have it, and its number is that of the process. */
function deviceOf(scanner: EventScanner, pid: string): number {
  const device = scanner.number("device");
  const number = Number.isSafeInteger(device) ? device : Number(pid);
  return number >= 0 && Number.isSafeInteger(number) ? number : 0;
}

/** `args.stream`, else the number in a thread's name such as `stream 7`. */
function streamOf(scanner: EventScanner, tid: string): number {
  const stream = scanner.number("stream");
  // Events of all streams of a device have stream -1.
  if (Number.isSafeInteger(stream)) return Math.max(0, stream);
  const digits = /(\d{1,9})$/.exec(tid);
  return digits ? Number(digits[1]) : 0;
}
