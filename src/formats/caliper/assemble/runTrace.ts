import type { DataSet, Warning } from "../../../model/dataSet";
import { appendAll } from "../../../model/longLists";
import type { Resource } from "../../../model/resources";
import { compareNames } from "../../../model/strings";
import type { Task } from "../../../model/task";
import { counted } from "../../../model/texts";
import { type MessagePart, messagesBetween } from "../../trace/messages";
import type { Recording } from "../decode/recording";
import { finishParts } from "../../trace/finishTrace";
import type { TracePart } from "../../trace/parts";

/** One file with the final numbers of what it refers to. */
export interface FinalPart {
  readonly recording: Recording;
  readonly frameOf: Int32Array;
  readonly contextOf: Int32Array;
  readonly locationOf: Int32Array;
}

/** Device times that are nanoseconds since 1970 are later than this; those since a start of the system are not. */
const EPOCH_NANOSECONDS = 10n ** 18n;

/**
 * The trace of a run, where its files have events: each file has a clock of its own, whose zero the file tells
 * (`starttime`), and the earliest of these zeros is that of the trace.
 */
export async function traceOf(
  parts: readonly FinalPart[],
  warnings: Warning[],
  task: Task,
): Promise<Pick<DataSet, "outline" | "trace" | "topology"> | undefined> {
  const traced = parts.filter(({ recording }) => recording.trace !== undefined);
  if (traced.length === 0) return undefined;
  const begunBefore = traced.reduce((sum, { recording }) => sum + (recording.trace?.begunBefore ?? 0), 0);
  const leftOut = begunBefore === 1 ? "its end is left out" : "their ends are left out";
  if (begunBefore > 0)
    warnings.push({ message: `${counted(begunBefore, "region")} began before the trace: ${leftOut}` });
  const starts = traced.map(({ recording }) => startOf(recording));
  const known = starts.filter((start) => start !== undefined);
  const zero = known.length === 0 ? undefined : known.reduce((least, start) => (start < least ? start : least));
  const joined: TracePart[] = [];
  const ends: MessagePart[] = [];
  traced.forEach(({ recording, frameOf, contextOf, locationOf }, index) => {
    const { trace } = recording;
    if (trace === undefined) return;
    const start = starts[index];
    const shiftSeconds = zero === undefined || start === undefined ? 0 : secondsBetween(zero, start);
    for (const lane of trace.builder.lanes.keys()) trace.builder.shift(lane, shiftSeconds);
    trace.activities.shift(deviceShift(recording, zero) + (epochClock(recording, zero) ? 0 : shiftSeconds));
    joined.push({ builder: trace.builder, frameOf, contextOf, locationOf });
    ends.push({ ends: trace.messages, shiftSeconds });
  });
  const ranks = traced.flatMap(({ recording }) => recording.locations.map(({ rank }) => rank));
  const messages = await messagesBetween(ranks, ends, traced[0].recording.columnFiles, task);
  if (messages !== undefined) joined.push({ builder: messages });
  try {
    const { warnings: ofTrace, ...finished } = await finishParts(
      joined,
      { zeroNanoseconds: zero, clocks: separateClocks(starts), compareResources },
      task,
    );
    appendAll(warnings, ofTrace);
    return finished;
  } catch (problem) {
    await messages?.discard();
    throw problem;
  }
}

/** Ranks have no common zero where one of several files does not say when it was started. */
function separateClocks(starts: readonly (bigint | undefined)[]): "separate" | undefined {
  return starts.length > 1 && starts.includes(undefined) ? "separate" : undefined;
}

/** Processes and threads by their locations, devices behind them; a device without a name stands behind those with one. */
function compareResources(a: Resource, b: Resource): number {
  return (
    Number(a.type === "GPU") - Number(b.type === "GPU") ||
    a.location - b.location ||
    Number(b.name.startsWith(a.name)) - Number(a.name.startsWith(b.name)) ||
    compareNames(a.name, b.name)
  );
}

/** What must be said of the clocks of a run's files. */
export function clockWarnings(recordings: readonly Recording[]): Warning[] {
  const traced = recordings.filter(({ trace }) => trace !== undefined);
  const unclear = traced.filter((recording) => startOf(recording) === undefined);
  const joined = traced.filter(({ globals }) => startsOf(globals).length > 1);
  return [
    ...joined.map(({ file }) => ({
      message:
        "the file joins several processes and does not say which start belongs to which: their times count from each one's own start",
      file,
    })),
    ...(traced.length > 1 ? unclear.filter((recording) => !joined.includes(recording)) : []).map(({ file }) => ({
      message: "the file does not say when it was started: its times are not aligned with those of the others",
      file,
    })),
  ];
}

function startsOf(globals: Recording["globals"]): string[] {
  const [seconds, nanoseconds] = [globals.get("starttime.sec"), globals.get("starttime.nsec")];
  return [...((nanoseconds?.size ?? 0) > (seconds?.size ?? 0) ? (nanoseconds ?? []) : (seconds ?? []))].flatMap(
    (text) =>
      // Forms other than .cali join the values of several files.
      text.split("/"),
  );
}

/** Zero of a file's clock in nanoseconds since the epoch, to the last one; else of the device's, where that is all there is. */
function startOf({ globals, deviceStart }: Recording): bigint | undefined {
  if (startsOf(globals).length > 1) return undefined;
  const [seconds] = globals.get("starttime.sec") ?? [];
  const [nanoseconds] = globals.get("starttime.nsec") ?? ["0"];
  if (seconds === undefined || !/^\d{1,12}$/.test(seconds) || !/^\d{1,9}$/.test(nanoseconds))
    return deviceStart !== undefined && deviceStart > EPOCH_NANOSECONDS ? deviceStart : undefined;
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
}

function secondsBetween(zero: bigint, time: bigint): number {
  return Number(time - zero) / 1e9;
}

/** Whether a device's clock is the one that the files' zeros are on. */
function epochClock({ deviceClock: { base } }: Recording, zero: bigint | undefined): boolean {
  return base !== undefined && zero !== undefined && base > EPOCH_NANOSECONDS;
}

/** How far device times are moved, which are kept as distances from the first one. */
function deviceShift(recording: Recording, zero: bigint | undefined): number {
  const { base } = recording.deviceClock;
  if (base === undefined) return 0;
  if (zero !== undefined && epochClock(recording, zero)) return secondsBetween(zero, base);
  const start = recording.deviceStart;
  return start === undefined ? 0 : secondsBetween(start, base);
}
