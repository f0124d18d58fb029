/**
 * Chrome's Trace Event Format: a list of events, or an object that has one under `traceEvents` (formats.md 6). The list is scanned
 * event by event; what stands beside it is read token by token. The end may be missing: some tools never write it.
 */
import type { Warning } from "../../model/dataSet";
import { FormatError, damagedFile } from "../../model/errors";
import type { Task } from "../../model/task";
import { type ByteSource, PieceWindow } from "../byteSource";
import { JsonTokens, type Token } from "../jsonTokens";
import type { TraceBuilder } from "../trace/traceBuilder";
import { EventScanner } from "./scan/eventScanner";
import { OuterValues } from "./scan/outerValues";
import { stackFrameOf } from "./decode/samples";
import { isObject } from "./scan/jsonValues";
import { TraceEvents } from "./decode/traceEvents";
import type { TraceFile } from "./traceFile";
import { TraceGlobals } from "./scan/traceGlobals";
import type { TraceProfile } from "./assemble/traceProfile";
import { INCOMPLETE } from "./scan/valueScanner";
import { eventWarnings } from "./eventWarnings";

/** A single event larger than this is no event; memory must not grow with it. */
const MOST_EVENT_BYTES = 128 << 20;
/** Events that may each bring a thread of their own, or entries of a table: so many take some milliseconds. */
const CHECK_EVERY = 512;

export interface ReadOptions {
  /** What second 0 is to be, in whole µs of the file's clock; by default the time of the first event. */
  readonly zeroMicroseconds?: number;
  /** The file's rank, where the file itself need not say it. */
  readonly rank?: number;
}

/**
 * Reads one file.
 *
 * @param sink where lanes, counters, messages and transfers go
 * @param profile where calling contexts go: one for all files of a run
 * @throws FormatError, CancelledError
 */
export async function readTrace(
  source: ByteSource,
  sink: TraceBuilder,
  profile: TraceProfile,
  task: Task,
  options: ReadOptions = {},
): Promise<TraceFile> {
  const window = new PieceWindow(source, task);
  const scanner = new EventScanner(window, source.name);
  const events = new TraceEvents(scanner, sink, profile.frames, profile.stacks, options.zeroMicroseconds);
  const reader = new TraceReader(source.name, window, scanner, events, sink, profile, task);
  try {
    await reader.read();
  } finally {
    await window.settle();
  }
  events.finish(task);
  const { globals } = reader;
  const rank = options.rank ?? globals.rank;
  events.places.finish(events.names, globals.devices, rank, task);
  const isKineto = globals.isKineto || events.hasDevices;
  profile.add(events, isKineto, scanner.isFine, sink);
  profile.stacks.endOfFile(task);
  return {
    source,
    sink,
    zeroNanoseconds: globals.zeroNanoseconds(events.zero),
    globals: globals.texts,
    devices: globals.devices,
    rank,
    ranks: globals.ranks,
    records: events.records,
    isKineto,
    warnings: [...reader.warnings, ...eventWarnings(events, source.name, isKineto)],
    gpu: (device) => events.places.gpu(device),
  };
}

class TraceReader {
  readonly warnings: Warning[] = [];
  readonly globals = new TraceGlobals();
  private readonly tokens: JsonTokens;
  private readonly values: OuterValues;
  private notObjects = 0;

  constructor(
    private readonly file: string,
    private readonly window: PieceWindow,
    private readonly scanner: EventScanner,
    private readonly events: TraceEvents,
    private readonly sink: TraceBuilder,
    private readonly profile: TraceProfile,
    private readonly task: Task,
  ) {
    this.tokens = new JsonTokens(window, file);
    this.values = new OuterValues(this.tokens, task);
  }

  async read(): Promise<void> {
    const first = await this.tokens.next();
    if (first === "[") {
      const closed = await this.list(() => this.events.take());
      if (closed) await this.rest();
    } else if (first === "{") await this.object();
    else throw this.tokens.unexpected(first, "a list of events, or an object with one");
    if (this.notObjects > 0)
      this.warnings.push({
        message: `${this.notObjects} entries of the list are no events: they were left out`,
        file: this.file,
      });
  }

  private async object(): Promise<void> {
    const { tokens } = this;
    let hasEvents = false;
    for (;;) {
      const token = await tokens.next();
      if (token === "}") break;
      if (token === ",") continue;
      if (token === "end") return this.truncated("the object that holds the events is not closed");
      if (token !== "string") throw tokens.unexpected(token, "a key");
      const key = tokens.text;
      const colon = await tokens.next();
      if (colon === "end") return this.truncated(`nothing follows the key ${key.slice(0, 100)}`);
      if (colon !== ":") throw tokens.unexpected(colon, "a colon after the key");
      const value = await tokens.next();
      if (value === "end") return this.truncated(`nothing follows the key ${key.slice(0, 100)}`);
      if (value === "[" && (key === "traceEvents" || key === "samples")) {
        hasEvents ||= key === "traceEvents";
        const isEvents = key === "traceEvents";
        if (!(await this.list(() => (isEvents ? this.events.take() : this.events.takeSample())))) return;
      } else if (!(await this.other(key, value))) return;
    }
    if (!hasEvents)
      throw new FormatError({
        file: this.file,
        found: "an object without events",
        expected: "a list under the key traceEvents",
        advice: "Open the file that the tracing tool wrote itself.",
      });
    await this.rest();
  }

  /** @returns false where the file ends inside */
  private async list(take: () => void): Promise<boolean> {
    const { window, scanner } = this;
    let count = 0;
    for (;;) {
      const { bytes, end } = window;
      let at = window.start;
      // Where an event begins that is not whole yet.
      for (;;) {
        while (at < end && (bytes[at] <= 32 || bytes[at] === 44)) at++;
        if (at >= end) break;
        if (bytes[at] === 123) {
          const after = scanner.scan(at);
          if (after === INCOMPLETE) break;
          take();
          at = after;
          if (++count % CHECK_EVERY === 0) this.task.check();
        } else if (bytes[at] === 93) {
          window.start = at + 1;
          await this.sink.settle(this.task);
          return true;
        } else {
          const after = scanner.skipValue(at);
          if (after === INCOMPLETE) break;
          if (++this.notObjects % CHECK_EVERY === 0) this.task.check();
          at = after;
        }
      }
      window.start = at;
      await this.sink.settle(this.task);
      if (!(await this.further(end - at))) {
        this.truncated(
          window.end > window.start ? "the last event is not whole: it was left out" : "the list is not closed",
        );
        return false;
      }
    }
  }

  /** Reads on until there is twice as much as there was: an event of many pieces is not scanned again with each of them. */
  private async further(had: number): Promise<boolean> {
    const { window } = this;
    if (had > MOST_EVENT_BYTES)
      throw damagedFile(
        this.file,
        { byte: window.positionOf(window.start) },
        `more than ${MOST_EVENT_BYTES} bytes without the end of an event`,
        "an event",
      );
    let isMore = false;
    while (window.end - window.start < 2 * had || !isMore) {
      if (!(await window.more())) return isMore;
      isMore = true;
    }
    return true;
  }

  /** Any key but the events. @returns false where the file ends inside */
  private async other(key: string, first: Token): Promise<boolean> {
    if (key === "stackFrames" && first === "{") return this.stackFrames();
    const value = await this.values.read(first);
    if (value === undefined) {
      this.truncated(`the value of ${key.slice(0, 100)} is not whole`);
      return false;
    }
    this.globals.add(key, value);
    return true;
  }

  private async stackFrames(): Promise<boolean> {
    const { tokens } = this;
    let count = 0;
    for (let token = await tokens.next(); token !== "}"; token = await tokens.next()) {
      if (token === ",") continue;
      if (++count % CHECK_EVERY === 0) this.task.check();
      if (token === "end") {
        this.truncated("the table of stack frames is not whole");
        return false;
      }
      if (token !== "string") throw tokens.unexpected(token, "the id of a stack frame");
      const id = tokens.text;
      const colon = await tokens.next();
      const value = colon === ":" ? await this.values.read(await tokens.next()) : undefined;
      if (colon !== ":" && colon !== "end") throw tokens.unexpected(colon, "a colon after the key");
      if (value === undefined) {
        this.truncated("the table of stack frames is not whole");
        return false;
      }
      if (!isObject(value)) continue;
      const parent = value.get("parent");
      const isId = typeof parent === "string" || typeof parent === "number";
      this.profile.stacks.define(id, stackFrameOf(value), isId ? String(parent) : undefined);
    }
    return true;
  }

  private async rest(): Promise<void> {
    const byte = this.tokens.position;
    const token = await this.tokens.next();
    if (token === "end") return;
    this.warnings.push({
      message: "something follows the end of the trace: it was not read",
      file: this.file,
      at: { byte },
    });
  }

  private truncated(what: string): void {
    this.warnings.push({
      message: `the file ends early: ${what}. It may have been cut short, or the tool that wrote it was ended`,
      file: this.file,
      at: { byte: this.window.positionOf(this.window.end) },
      isCut: true,
    });
  }
}
