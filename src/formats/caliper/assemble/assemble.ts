import { ContextTreeBuilder } from "../../../model/contextTree";
import type { DataSet, Hierarchy, Warning } from "../../../model/dataSet";
import { EntryLog } from "../../../model/entryLog";
import { FrameTable } from "../../../model/frames";
import { type FrameId, NONE } from "../../../model/ids";
import { compareLocations, type Location, withNeededContexts } from "../../../model/locations";
import { appendAll, smallestIn } from "../../../model/longLists";
import type { TraceOutline } from "../../../model/trace";
import { StringTable } from "../../../model/strings";
import { SparseBuilder, type SparseValues } from "../../../model/values";
import type { Metric } from "../../../model/metrics";
import type { Task } from "../../../model/task";
import { type Candidate, chooseMetrics } from "./families";
import { missingRanks } from "../../missingRanks";
import { exclusiveOf, negativeExclusive, sumWarnings } from "../../exclusive";
import { isAggregated } from "../names/metricNames";
import { keyOf, type Column } from "../names/quantities";
import type { Recording } from "../decode/recording";
import { allSeries } from "./runSeries";
import { globalsOf, worldSizeOf } from "./runGlobals";
import { clockWarnings, type FinalPart, traceOf } from "./runTrace";

interface MergedColumn extends Omit<Candidate, "total"> {
  readonly values: SparseBuilder | EntryLog;
  readonly notFinite: number;
}

/**
 * Makes one data set of the recordings of one run. The result is canonical: the same whatever the order of records
 * and files (semantics 1, Order).
 *
 * @param recordings by file, in canonical order
 */
export async function assemble(name: string, recordings: readonly Recording[], task: Task): Promise<DataSet> {
  try {
    return await assembled(name, recordings, task);
  } catch (problem) {
    for (const recording of recordings) await recording.discard();
    throw problem;
  }
}

async function assembled(name: string, recordings: readonly Recording[], task: Task): Promise<DataSet> {
  const frames = new FrameTable(new StringTable());
  const builder = new ContextTreeBuilder();
  const locations = distinctLocations(recordings);
  const merged = new Map<string, MergedColumn>();
  const warnings: Warning[] = [];
  const parts: FinalPart[] = [];
  const hasRegions = recordings.some((recording) => recording.hasRegions);
  for (const recording of recordings) {
    task.check();
    fillModules(recording);
    const { frameOf, contextOf } = mergeContexts(recording, frames, builder, hasRegions);
    const locationOf = Int32Array.from(recording.locations, (place) => locations.of(place));
    for (const column of measurements(recording)) mergeColumn(merged, column, contextOf, locationOf, recording);
    appendAll(warnings, recording.warnings());
    parts.push({ recording, frameOf, contextOf, locationOf });
  }
  task.check();
  const { tree, finalOf } = builder.build(frames.canonicalRanks(task), task);
  for (const { contextOf } of parts)
    for (let own = 0; own < contextOf.length; own++)
      if (contextOf[own] !== NONE) contextOf[own] = finalOf[contextOf[own]];
  // Totals once all files are merged: after each of 512 they would cost more than all the rest.
  const columns = [...merged.values()].map((column) => ({ ...column, total: column.values.total(task) }));
  const chosen = chooseMetrics(columns, processesOf(recordings), samplingOf(recordings));
  const identity = Int32Array.from(locations.list, (_, index) => index);
  const values: SparseValues[] = chosen.map(({ column, measure, fromInclusive, metric }) => {
    task.check();
    const { divisor, factor } = measure;
    const recorded = columns[column].values.build(tree.size, finalOf, identity, divisor, factor, task);
    appendAll(warnings, sumWarnings(metric.name, columns[column].notFinite, recorded, metric.additive));
    if (!fromInclusive) return recorded;
    const exclusive = exclusiveOf(tree, recorded, locations.list.length, task);
    appendAll(warnings, negativeExclusive(metric.name, exclusive));
    return exclusive;
  });
  const quantities = columns.map(({ quantity }) => keyOf(quantity));
  const series = allSeries(parts, quantities, chosen, tree.size, locations.list.length, task);
  appendAll(warnings, clockWarnings(recordings));
  appendAll(warnings, missingFiles(recordings));
  const traced = await traceOf(parts, warnings, task);
  const [first] = recordings;
  return {
    name,
    files: recordings.map(({ file }) => file),
    format: { ...first.format, version: [...globalsOf(recordings, "cali.caliper.version")].join(", ") || undefined },
    frames,
    tree,
    locations: locations.list,
    metrics: chosen.map(({ metric }) => (traced && isEventTime(metric) ? { ...metric, ofEvents: true } : metric)),
    values,
    globals: mergedGlobals(recordings),
    warnings,
    hierarchies: hierarchiesOf(recordings),
    recordedAt: recordedAt(recordings),
    startedAt: earliest(recordings.flatMap(startsOf)),
    records: recordings.reduce((sum, { records }) => sum + records, 0),
    ...traced,
    ...(series.length === 0 ? {} : { series }),
    notRecorded: notRecorded(frames, traced?.outline),
  };
}

/** What each record of an event trace adds: the time since the one before, which is the innermost region's. */
function isEventTime({ recordedName }: Metric): boolean {
  return /^time\.duration(?:\.ns)?$/.test(recordedName);
}

/** What a view must say is not there. */
function notRecorded(frames: FrameTable, trace: TraceOutline | undefined): string[] {
  const lines = frames.line.subarray(0, frames.size).some((line) => line !== 0);
  return [
    ...(lines ? [] : ["no source lines in this recording: regions are found in the source by their names"]),
    ...(trace === undefined ? ["no events in this recording"] : []),
    ...(trace !== undefined && trace.links === 0 ? ["no messages in this recording"] : []),
  ];
}

function distinctLocations(recordings: readonly Recording[]) {
  const key = (place: Location) => Object.values(place).join();
  const recorded = new Map<string, Location>();
  for (const { locations } of recordings) for (const place of locations) recorded.set(key(place), place);
  const needed = withNeededContexts([...recorded.values()]);
  const distinct = new Map(needed.map((place) => [key(place), place]));
  const list = [...distinct.values()].sort(compareLocations);
  const index = new Map(list.map((place, at) => [key(place), at]));
  const finalOf = new Map([...recorded.keys()].map((own, at) => [own, index.get(key(needed[at]))]));
  return { list, of: (place: Location) => finalOf.get(key(place)) ?? NONE };
}

/** A function that the samples find in one load module only lies in it, in call paths without modules too. */
function fillModules({ frames, modulesOf }: Recording): void {
  for (let frame = 0; frame < frames.size; frame++) {
    if (frames.moduleIndex(frame) !== NONE || frames.kindOf(frame) !== "function") continue;
    const modules = modulesOf.get(frames.nameOf(frame));
    if (modules?.size === 1) for (const module of modules) frames.setModule(frame, module);
  }
}

/** @param regions whether the run has regions at all: where it has none, call paths are roots of their own */
function mergeContexts(
  recording: Recording,
  frames: FrameTable,
  builder: ContextTreeBuilder,
  regions: boolean,
): { frameOf: Int32Array; contextOf: Int32Array } {
  // Events may have frames that no context has.
  const frameOf = new Int32Array(recording.frames.size);
  for (const own of frameOrder(recording)) frameOf[own] = frames.intern(recording.frames.get(own as FrameId));
  const contextOf = new Int32Array(recording.tree.size);
  for (let context = 0; context < recording.tree.size; context++) {
    const own = recording.tree.frameOf(context);
    const parent = recording.tree.parentOf(context);
    const outside = parent !== NONE && recording.frames.originOf(recording.tree.frameOf(parent)) === "outside";
    if (!regions && !recording.outsideUsed && recording.outsideIfAny() === context) {
      contextOf[context] = NONE;
      continue;
    }
    const above = parent === NONE || (outside && !regions) ? NONE : contextOf[parent];
    contextOf[context] = builder.child(above, frameOf[own]);
  }
  return { frameOf, contextOf };
}

/** Frames of a recording. Blocks of a trace come in any order, and so do the frames of their events. */
function frameOrder({ frames, trace }: Recording): Int32Array {
  const order = Int32Array.from({ length: frames.size }, (_, own) => own);
  if (trace === undefined) return order;
  const ranks = frames.canonicalRanks();
  return order.sort((a, b) => ranks[a] - ranks[b]);
}

/** Without the mark of what adds up (versions before 2.10), every number that may be a measurement is one. */
function measurements({ columns }: Recording): readonly Column[] {
  if (!columns.some(({ quantity }) => quantity.aggregatable)) return columns;
  return columns.filter(({ quantity }) => quantity.aggregatable || isAggregated(quantity.name));
}

function mergeColumn(
  merged: Map<string, MergedColumn>,
  { quantity, values, notFinite, whole }: Column,
  contextOf: Int32Array,
  locationOf: Int32Array,
  recording: Recording,
): void {
  const key = keyOf(quantity);
  const known = merged.get(key);
  const target = mergedValues(known?.values, values, contextOf, locationOf);
  merged.set(key, {
    quantity,
    values: target,
    notFinite: notFinite + (known?.notFinite ?? 0),
    whole: whole && (known?.whole ?? true),
    ranked: (known?.ranked ?? false) || recording.locations.some(({ rank }) => rank !== NONE),
  });
}

function mergedValues(
  known: SparseBuilder | EntryLog | undefined,
  values: SparseBuilder | EntryLog,
  contextOf: Int32Array,
  locationOf: Int32Array,
): SparseBuilder | EntryLog {
  if (values instanceof EntryLog) {
    const target = known instanceof EntryLog ? known : new EntryLog(values.combine);
    target.absorb(values, contextOf, locationOf);
    return target;
  }
  const target = known instanceof SparseBuilder ? known : new SparseBuilder(values.combine);
  target.absorb(values, contextOf, locationOf);
  return target;
}

/** Ranks of the world of which there is no file, where each file is of one rank. */
function missingFiles(recordings: readonly Recording[]): Warning[] {
  const ranks = recordings.map(
    ({ locations }) => new Set(locations.map(({ rank }) => rank).filter((one) => one !== NONE)),
  );
  return ranks.every(({ size }) => size === 1)
    ? missingRanks(
        ranks.flatMap((own) => [...own]),
        worldSizeOf(recordings),
      )
    : [];
}

function processesOf(recordings: readonly Recording[]): number | undefined {
  const [size] = globalsOf(recordings, "mpi.world.size");
  return size !== undefined && /^\d{1,9}$/.test(size) ? Number(size) : undefined;
}

function samplingOf(recordings: readonly Recording[]): number | undefined {
  const [frequency, other] = globalsOf(recordings, "sample.frequency");
  if (frequency === undefined || other !== undefined || !recordings.some(({ hasSamples }) => hasSamples))
    return undefined;
  return Number(frequency) > 0 ? Number(frequency) : undefined;
}

function mergedGlobals(recordings: readonly Recording[]): Map<string, string[]> {
  const names = new Set(recordings.flatMap(({ globals }) => [...globals.keys()]));
  return new Map([...names].map((name) => [name, [...globalsOf(recordings, name)]]));
}

function hierarchiesOf(recordings: readonly Recording[]): Hierarchy[] {
  const regions = recordings.some(({ hasRegions }) => hasRegions);
  const samples = recordings.some(({ hasSamples }) => hasSamples);
  if (!samples) return ["regions"];
  if (!regions) return ["callPaths"];
  const now = recordings[0].hierarchy;
  const all: Hierarchy[] = ["combined", "regions", "callPaths"];
  return [now, ...all.filter((one) => one !== now)];
}

/** Start of the recording where it says so, else when its file was written; the earliest of several. */
function recordedAt(recordings: readonly Recording[]): number | undefined {
  const times = recordings.flatMap((recording) => {
    const starts = startsOf(recording);
    return starts.length > 0 ? starts : (recording.modifiedAt ?? []);
  });
  return earliest(times);
}

/** When it began, as it says itself: milliseconds since the epoch. */
function startsOf({ globals }: Recording): number[] {
  const seconds = Array.from(globals.get("starttime.sec") ?? [], Number).filter((time) => time > 0);
  return seconds.map((time) => time * 1000);
}

function earliest(times: readonly number[]): number | undefined {
  return times.length > 0 ? smallestIn(times) : undefined;
}
