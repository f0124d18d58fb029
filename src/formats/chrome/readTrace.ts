/**
 * Chrome's Trace Event Format: a list of events, or an object that has one under `traceEvents` (formats.md 6). The list is scanned
 * event by event; what stands beside it is read token by token. The end may be missing: some tools never write it.
 */
import type { Task } from "../../model/task";
import { type ByteSource, PieceWindow } from "../byteSource";
import type { JsonTokens, Token } from "../jsonTokens";
import type { TraceBuilder } from "../trace/traceBuilder";
import { EventScanner } from "./scan/eventScanner";
import { OuterValues } from "./scan/outerValues";
import { stackFrameOf } from "./decode/samples";
import { isObject } from "./scan/jsonValues";
import { TraceEvents } from "./decode/traceEvents";
import type { TraceFile } from "./traceFile";
import { TraceGlobals } from "./scan/traceGlobals";
import { CHECK_EVERY, TraceReader } from "./scan/traceReader";
import type { TraceProfile } from "./assemble/traceProfile";
import { eventWarnings } from "./eventWarnings";

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
  const globals = new TraceGlobals();
  const parts = {
    lists: { traceEvents: () => events.take(), samples: () => events.takeSample() },
    other: (key: string, first: Token, tokens: JsonTokens) => readOther(key, first, tokens, globals, profile, task),
    settle: () => sink.settle(task),
  };
  const reader = new TraceReader(source.name, window, scanner, parts, task);
  try {
    await reader.read();
  } finally {
    await window.settle();
  }
  events.finish(task);
  const rank = options.rank ?? globals.rank;
  events.places.finish(events.names, globals.devices, rank, task);
  const isKineto = globals.isKineto || events.hasDevices;
  profile.add(events, scanner.isFine, sink);
  profile.stacks.endOfFile(task);
  return {
    source,
    sink,
    zeroNanoseconds: globals.zeroNanoseconds(events.zero),
    baseNanoseconds: globals.zeroNanoseconds(0),
    globals: globals.texts,
    devices: globals.devices,
    rank,
    ranks: globals.ranks,
    records: events.records,
    isKineto,
    warnings: [
      ...reader.warnings,
      ...scanner.escapes.warnings(source.name),
      ...eventWarnings(events, source.name, isKineto),
    ],
    gpu: (device) => events.places.gpu(device),
  };
}

/** Any key but the events. @returns what is not whole, where the file ends inside */
async function readOther(
  key: string,
  first: Token,
  tokens: JsonTokens,
  globals: TraceGlobals,
  profile: TraceProfile,
  task: Task,
): Promise<string | undefined> {
  const values = new OuterValues(tokens, task);
  if (key === "stackFrames" && first === "{") return readStackFrames(tokens, values, profile, task);
  const value = await values.read(first);
  if (value === undefined) return `the value of ${key.slice(0, 100)} is not whole`;
  globals.add(key, value);
  return undefined;
}

async function readStackFrames(
  tokens: JsonTokens,
  values: OuterValues,
  profile: TraceProfile,
  task: Task,
): Promise<string | undefined> {
  const cut = "the table of stack frames is not whole";
  let count = 0;
  for (let token = await tokens.next(); token !== "}"; token = await tokens.next()) {
    if (token === ",") continue;
    if (++count % CHECK_EVERY === 0) task.check();
    if (token === "end") return cut;
    if (token !== "string") throw tokens.unexpected(token, "the id of a stack frame");
    const id = tokens.text;
    const colon = await tokens.next();
    const value = colon === ":" ? await values.read(await tokens.next()) : undefined;
    if (colon !== ":" && colon !== "end") throw tokens.unexpected(colon, "a colon after the key");
    if (value === undefined) return cut;
    if (!isObject(value)) continue;
    const parent = value.get("parent");
    const isId = typeof parent === "string" || typeof parent === "number";
    profile.stacks.define(id, stackFrameOf(value), isId ? String(parent) : undefined);
  }
  return undefined;
}
