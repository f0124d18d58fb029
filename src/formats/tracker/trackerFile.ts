import type { Warning } from "../../model/dataSet";
import { largestIn } from "../../model/longLists";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import { type ByteSource, PieceWindow } from "../byteSource";
import { EventScanner } from "../chrome/scan/eventScanner";
import { isObject, type JsonValue } from "../chrome/scan/jsonValues";
import { OuterValues } from "../chrome/scan/outerValues";
import { TraceGlobals } from "../chrome/scan/traceGlobals";
import { TraceReader } from "../chrome/scan/traceReader";
import type { JsonTokens, Token } from "../jsonTokens";
import type { TraceBuilder } from "../trace/traceBuilder";
import { countedWarnings } from "../warnings";
import { shorten } from "../../model/texts";
import { formatShare, formatValue } from "../../model/units";
import { costShare, costText, type RecordingCost } from "../../model/recordingCost";
import { AttributeRows } from "./attributeRows";
import { ALWAYS, type ContextRow, ContextRows, SUMS } from "./contextRows";
import { FrameRows } from "./frameRows";
import { addParts, Machine } from "./machine";
import { type FileCost, fileCost } from "./recordingCost";
import type { Start } from "./start";
import { TrackerEvents } from "./trackerEvents";

const CHECK_EVERY = 512;
/** Share of the time from which on it is said what recording itself took. */
export const MUCH = 0.05;
/** Characters of a reason, and of a metric's name, that are kept. */
const MOST_WHY = 200;

/** One file after reading. */
export interface TrackerFile {
  readonly name: string;
  readonly start: Start;
  readonly events: TrackerEvents;
  readonly builder: TraceBuilder;
  /** From the sections at the end, or as far as events tell where the file was cut. */
  readonly contexts: ContextRows;
  readonly frames: FrameRows;
  /** Simple values beside the events, by key. */
  readonly globals: ReadonlyMap<string, string>;
  /** Metrics that were asked for and could not be had, by the reason. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
  /** Whether the sections at the end are whole. */
  readonly isWhole: boolean;
  /** Overhead of recording. Undefined for recordings of earlier trackers, and for cut ones. */
  readonly cost: FileCost | undefined;
  /** Of its form alone: {@link contentWarnings} says the rest. */
  readonly warnings: readonly Warning[];
}

/**
 * Reads one file.
 *
 * @param start what its head says
 * @param zeroNanoseconds what second 0 is, since the epoch
 * @param tellsOfMachine false: another rank on its host does, who has read the same counters of the machine
 * @throws FormatError, CancelledError
 */
export async function readTrackerFile(
  source: ByteSource,
  start: Start,
  { zeroNanoseconds, tellsOfMachine }: { readonly zeroNanoseconds: bigint; readonly tellsOfMachine: boolean },
  builder: TraceBuilder,
  task: Task,
): Promise<TrackerFile> {
  const window = new PieceWindow(source, task);
  const scanner = new EventScanner(window, source.name);
  const zeroMicroseconds = Number(zeroNanoseconds - start.baseNanoseconds) / 1e3;
  const machine = new Machine(builder, start.host);
  const machineCounters = start.host === "" ? "the process" : tellsOfMachine ? machine : "left out";
  const events = new TrackerEvents(scanner, builder, { start, machineCounters, zeroMicroseconds });
  const sections = new Sections(task);
  const parts = {
    lists: { traceEvents: () => events.take() },
    other: (key: string, first: Token, tokens: JsonTokens) => sections.read(key, first, tokens),
    settle: () => builder.settle(task),
  };
  const reader = new TraceReader(source.name, window, scanner, parts, task);
  try {
    await reader.read();
  } finally {
    await window.settle();
  }
  const { isWhole, globals, missing } = sections;
  events.finish(!isWhole, globals.devices, task);
  addParts(builder, machine, sections.topology);
  const contexts = isWhole ? sections.contexts : events.contexts;
  const frames = isWhole ? sections.frames : events.frames;
  return {
    name: source.name,
    start,
    events,
    builder,
    contexts,
    frames,
    missing,
    globals: new Map([...globals.texts, ...(isWhole ? sections : events).attributes.texts(frames)]),
    isWhole,
    cost: isWhole ? fileCost(globals.texts) : undefined,
    warnings: [...reader.warnings, ...scanner.escapes.warnings(source.name)],
  };
}

/** What stands beside the events. */
class Sections {
  readonly contexts = new ContextRows();
  readonly frames = new FrameRows();
  readonly attributes = new AttributeRows();
  readonly globals = new TraceGlobals();
  readonly missing = new Map<string, string[]>();
  /** Both sections were read to their ends. */
  isWhole = false;
  topology: JsonValue | undefined;
  private hasContexts = false;

  constructor(private readonly task: Pick<Task, "check">) {}

  /** @returns what is not whole, where the file ends inside */
  async read(key: string, first: Token, tokens: JsonTokens): Promise<string | undefined> {
    if (first === "[" && key === "contexts") {
      await this.rows(tokens, (row) => this.contexts.add(contextRow(row)));
      this.hasContexts = true;
    } else if (first === "[" && key === "lines") {
      await this.rows(tokens, (row) => this.frames.add(row));
      this.isWhole = this.hasContexts;
    } else if (first === "[" && key === "attributes") {
      await this.rows(tokens, (row) => this.attributes.add(row));
    } else {
      const value = await new OuterValues(tokens, this.task).read(first);
      if (value === undefined) return `the value of ${key.slice(0, 100)} is not whole`;
      if (key === "topology") this.topology = value;
      this.globals.add(key, value);
      if ((key === "heatflow" || key === "gpu") && isObject(value)) this.addMissing(value.get("missing"));
    }
    return undefined;
  }

  private addMissing(rows: JsonValue | undefined): void {
    if (!Array.isArray(rows)) return;
    for (const row of rows as readonly JsonValue[]) {
      const [metric, why] = isObject(row) ? [row.get("metric"), row.get("why")] : [];
      if (typeof metric !== "string" || typeof why !== "string") continue;
      // N stands for the core, or the part of the machine, that a metric is of.
      entryOf(this.missing, why.slice(0, MOST_WHY), () => []).push(metric.replace(/ N(?= |$)/, "").slice(0, MOST_WHY));
    }
  }

  /** Flat objects of a list. @throws FormatError where the file ends inside */
  private async rows(tokens: JsonTokens, take: (row: ReadonlyMap<string, unknown>) => void): Promise<void> {
    const next = async () => tokens.scan() ?? (await tokens.next());
    const row = new Map<string, unknown>();
    let count = 0;
    for (let token = await next(); token !== "]"; token = await next()) {
      if (token === ",") continue;
      if (token !== "{") throw tokens.unexpected(token, "a row");
      row.clear();
      await tokens.object(async (key) => {
        const value = await next();
        if (value === "number") row.set(key, tokens.number);
        else if (value === "string") row.set(key, tokens.text);
        else await tokens.skip(value);
      });
      take(row);
      if (++count % CHECK_EVERY === 0) this.task.check();
    }
  }
}

function contextRow(row: ReadonlyMap<string, unknown>): ContextRow {
  const number = (key: string) => {
    const value = row.get(key);
    return typeof value === "number" ? value : Number.NaN;
  };
  return {
    id: number("id"),
    parent: number("parent"),
    frame: number("frame"),
    call: number("call"),
    thread: number("thread"),
    sums: SUMS.filter((name, at) => at < ALWAYS || row.has(name)).map(number),
  };
}

/** Warnings about the content of a run's files, each once for all files. Called after their contexts were read. */
export function contentWarnings(files: readonly TrackerFile[], cost: RecordingCost | undefined): Warning[] {
  const sum = (of: (file: TrackerFile) => number) => files.reduce((total, file) => total + of(file), 0);
  const said = (key: string) =>
    sum(({ isWhole, globals }) => (isWhole ? Number(globals.get(`heatflowEnd.${key}`) ?? 0) : 0));
  const shortest = largestIn(files.map(({ globals }) => Number(globals.get("heatflow.shortestEventNanoseconds") ?? 0)));
  const sparse = new Map(files.flatMap(({ frames }) => [...frames.sparse]));
  const notShown =
    "they are in every sum; in the timeline and within a window of time, their time is that of the region around them";
  const file = files.length === 1 ? files[0].name : undefined;
  const ofRegions = [...sparse].map(([name, every]) => ({
    message: `of “${shorten(name, 60)}” one of ${every} calls was recorded: its calls are estimates, and the time of the others is that of the region around them`,
    file,
  }));
  const counted = countedWarnings(file, [
    [sum(({ contexts }) => contexts.damaged), "calling contexts are damaged: what they say was left out"],
    [sum(({ events }) => events.withoutTime), "events have no time: they were left out"],
    [said("eventsDropped"), `events found no room in the tracker's buffers: ${notShown}`],
    [said("eventsTooShort"), `events of less than ${shortest / 1000} µs: ${notShown}`],
    [said("recordsDropped"), "events of GPUs found no room, or had not ended with the program: they are in no sum"],
    [said("regionsTooDeep"), "regions were nested too deeply: their time is that of the region around them"],
    ...endingSentences(files, said),
  ]);
  return [
    // First, since a window shows the first warning: recording may change which functions are hot.
    ...(cost === undefined ? costOfMeasuring(files) : costWarning(files, cost)).map((message) => ({ message, file })),
    ...counted,
    ...lostStarts(files),
    ...ofRegions,
    ...missingMetrics(files).map((message) => ({ message, file, isMinor: true as const })),
  ];
}

/** Warning of the overhead that was measured in the program, in CPU time. */
function costWarning(files: readonly TrackerFile[], cost: RecordingCost): string[] {
  if (!(costShare(cost) > MUCH)) return [];
  const hasRow = files.some(({ contexts, frames }) => contexts.hasFunctions(frames));
  const row = hasRow ? "; the overhead in functions has a row of its own" : "";
  return [
    `${costText(cost)}; functions that call many short ones look hotter than they are${row}; sampling avoids this`,
  ];
}

/** Sentences about regions whose begin or end the recording does not have. */
function endingSentences(
  files: readonly TrackerFile[],
  count: (key: string) => number,
): (readonly [count: number, what: string, ofOne?: string])[] {
  const first = files
    .filter(({ isWhole }) => isWhole)
    .flatMap(({ globals }) => globals.get("heatflowEnd.firstEndWithoutBegin") ?? [])
    .at(0);
  const named = first === undefined ? "" : `, the first of “${shorten(first, 60)}”`;
  const brokenOff = "by a signal handler that left with siglongjmp: a region may count twice, or lose some of its time";
  return [
    [
      count("regionsWithoutEnd"),
      "regions have no end of their own (a jump, an exception, a coroutine, or a missing HEATFLOW_END): they end with the region around them, or with the next mark",
      "region has no end of its own (a jump, an exception, a coroutine, or a missing HEATFLOW_END): it ends with the region around it, or with the next mark",
    ],
    [
      count("regionsBrokenOff"),
      `begins and ends of regions were interrupted ${brokenOff}`,
      `begin or end of a region was interrupted ${brokenOff}`,
    ],
    [
      count("endsWithoutBegin"),
      `ends of regions had no begin${named}: a region of that name may have ended too soon`,
      `end of a region had no begin${named}: a region of that name may have ended too soon`,
    ],
    [
      count("regionsAfterEnd"),
      "regions began after the end of their thread or of the recording: they are in no sum",
      "region began after the end of its thread or of the recording: it is in no sum",
    ],
  ];
}

/** Warnings of files that end before their first regions. */
function lostStarts(files: readonly TrackerFile[]): Warning[] {
  return files
    .filter(({ isWhole, contexts, events }) => !isWhole && contexts.size === 0 && events.threads.size === 0)
    .map(({ name }) => ({
      message:
        "the program ended (by a signal, abort or _exit) before its first regions were written, 0.05 s after the first one began",
      file: name,
    }));
}

/**
 * Warning of the overhead of earlier trackers, if it is much of the time: callers of many short functions look hot then. It is a lower
 * bound, since an empty region finds its data in the processor's caches. It was measured before and after the program, and the two
 * differ if the machine was busy. It is not known if only one of several calls was recorded.
 */
function costOfMeasuring(files: readonly TrackerFile[]): string[] {
  const known = files.filter(({ isWhole, frames }) => isWhole && frames.sparse.size === 0);
  const sum = (of: (file: TrackerFile) => number) => known.reduce((total, file) => total + of(file), 0);
  const calls = sum(({ contexts }) => contexts.totalOf("calls"));
  const time = sum(({ contexts }) => contexts.totalOf("exclusive"));
  const measured = ["heatflow", "heatflowEnd"].map((when) =>
    sum(
      ({ contexts, globals }) => contexts.totalOf("calls") * Number(globals.get(`${when}.emptyRegionNanoseconds`) ?? 0),
    ),
  );
  // Recordings of earlier trackers have the first one alone.
  const bounds = measured.filter((nanoseconds) => nanoseconds > 0).sort((a, b) => a - b);
  if (!(largestIn(bounds) > time * MUCH)) return [];
  const texts = bounds.map((bound) => `${formatValue(bound / 1e9, "s")} (${formatShare(bound / time)} of the time)`);
  const took = [...new Set(texts)].join(", or ");
  const why =
    texts.length > 1 && texts[0] !== texts[1] ? ", by what an empty region took at the start and at the end" : "";
  return [
    `recording ${calls} calls took at least ${took}${why}: functions that call many short ones look hotter than they are; sampling avoids this`,
  ];
}

/** One sentence per reason, whichever ranks lack something: `energy: not readable by this user`. */
function missingMetrics(files: readonly TrackerFile[]): string[] {
  const byWhy = new Map<string, Set<string>>();
  for (const { missing } of files)
    for (const [why, metrics] of missing)
      for (const metric of metrics) entryOf(byWhy, why, () => new Set<string>()).add(metric);
  return [...byWhy].map(([why, metrics]) => `${[...metrics].join(", ")}: ${why}`);
}
