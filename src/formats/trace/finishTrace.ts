/** Makes one trace of what readers reported: final numbers, one clock, canonical order, levels of detail. */
import type { Warning } from "../../model/dataSet";
import type { Resource, Topology } from "../../model/resources";
import { type Task } from "../../model/task";
import type { Trace, TraceOutline } from "../../model/trace";
import { memoryColumnFiles } from "../memoryColumns";
import { countedWarnings } from "../warnings";
import { columnMemory, SharedFile } from "./blocks";
import { finishEvents } from "./finishEvents";
import { finishMessages, finishPoints, finishTransfers } from "./finishTables";
import { outlineOfCounts, outlineOfTrace } from "./outlines";
import { StoredTrace } from "./storedTrace";
import { joinTopologies } from "./topology";
import { type ReaderClock, TraceClock } from "./traceClock";
import {
  MOST_CATEGORIES,
  TimeSpan,
  type TracePart,
  resourceShifts,
  PLACES_BETWEEN_CHECKS,
  canonical,
  placeLanes,
  placeCounters,
  type PlacedPart,
} from "./parts";
import { numberIn } from "./renumber";

export interface FinishOptions extends ReaderClock {
  /** Order of resources. Only for readers whose order of events and resources has no meaning. */
  readonly compareResources?: (a: Resource, b: Resource) => number;
}

export interface FinishedTrace {
  /** What is known whether there are columns or not. */
  readonly outline: TraceOutline;
  /** Undefined where no columns are needed. */
  readonly trace?: Trace;
  readonly topology: Topology;
  /** How many events, points and transfers were left out since nothing can be computed with their times. */
  readonly warnings: readonly Warning[];
}

/**
 * Makes one trace of the parts, with columns where they have them; the result does not depend on their order. Their builders are used
 * up, also where this fails.
 *
 * @param parts all with columns, or none
 */
export async function finishParts(
  parts: readonly TracePart[],
  start: FinishOptions,
  task: Task,
): Promise<FinishedTrace> {
  if (parts.some(({ builder }) => builder.columns !== undefined)) return finishTrace(parts, start, task);
  const builders = parts.map(({ builder }) => builder);
  const clock = TraceClock.of(builders, start, task);
  const { topology } = topologyOf(parts, clock, start, task);
  return { outline: outlineOfCounts(builders, clock, task), topology, warnings: unplacedWarnings(parts) };
}

/** As {@link finishParts}, for parts that have columns. */
export async function finishTrace(
  parts: readonly TracePart[],
  start: FinishOptions,
  task: Task,
): Promise<FinishedTrace & { readonly trace: Trace }> {
  let stored: StoredTrace | undefined;
  try {
    const builders = parts.map(({ builder }) => builder);
    const clock = TraceClock.of(builders, start, task);
    const { topology, finalOf } = topologyOf(parts, clock, start, task);
    stored = new StoredTrace(clock.zeroNanoseconds, start.clocks);
    await storeTrace(parts, finalOf, stored, clock, start.compareResources !== undefined, task);
    const outline = await outlineOfTrace(stored, clock.zeroSeconds, task);
    return { outline, trace: stored, topology, warnings: unplacedWarnings(parts) };
  } catch (problem) {
    await stored?.close();
    throw problem;
  } finally {
    await Promise.all(parts.map(({ builder }) => builder.discard()));
  }
}

function topologyOf(
  parts: readonly TracePart[],
  clock: TraceClock,
  { compareResources }: FinishOptions,
  task: Task,
): ReturnType<typeof joinTopologies> {
  const moved = (seconds: number | undefined) => (seconds === undefined ? undefined : clock.at(seconds, 0));
  return joinTopologies(
    parts.map(({ builder, locationOf }) => ({
      resources: builder.resources.map((one, own) => {
        if (own % PLACES_BETWEEN_CHECKS === 0) task.check();
        const location = numberIn(locationOf, one.location);
        if (one.startSeconds === undefined && one.endSeconds === undefined) return { ...one, location };
        return { ...one, location, startSeconds: moved(one.startSeconds), endSeconds: moved(one.endSeconds) };
      }),
      links: builder.resourceLinks,
    })),
    task,
    compareResources,
  );
}

function unplacedWarnings(parts: readonly TracePart[]): Warning[] {
  const unplaced = parts.reduce((sum, { builder }) => sum + builder.unplaced, 0);
  const what = "events or values have times that are no numbers, or beyond all bounds: they were left out";
  return countedWarnings(undefined, [[unplaced, what]]);
}

async function storeTrace(
  parts: readonly TracePart[],
  finalOf: readonly Int32Array[],
  stored: StoredTrace,
  clock: TraceClock,
  isReordered: boolean,
  task: Task,
): Promise<void> {
  const columns = parts.flatMap(({ builder }) => builder.columns ?? []);
  for (const { lateEnds } of columns) await lateEnds.apply(task);
  const categories = canonical(
    parts.map(({ builder }) => builder.categories.values),
    ({ kind, name }) => `${kind} ${name}`,
  );
  if (categories.values.length > MOST_CATEGORIES) {
    categories.values.splice(MOST_CATEGORIES - 1, Infinity, { name: "other categories", kind: "other" });
    for (const numbers of categories.numbers)
      numbers.forEach((number, own) => (numbers[own] = Math.min(number, MOST_CATEGORIES - 1)));
  }
  const directions = canonical(
    parts.map(({ builder }) => builder.directions.values),
    (name) => name,
  );
  const { lanes, laneOf } = placeLanes(parts, columns, finalOf, task);
  const { counters, counterOf } = placeCounters(parts, finalOf, task);
  const placed = parts.map((part, index): PlacedPart => ({
    ...part,
    columns: columns[index],
    laneOf: laneOf[index],
    resourceOf: finalOf[index],
    categoryOf: categories.numbers[index],
    directionOf: directions.numbers[index],
    counterOf: counterOf[index],
    resourceShift: resourceShifts(part.builder, task),
    clock,
  }));
  stored.categories = categories.values;
  stored.transferDirections = directions.values;
  const memory = columns[0]?.memory ?? columnMemory(memoryColumnFiles);
  const file = new SharedFile(memory.files);
  // Events come last: those that never ended last to the end of the trace, which is known only now.
  const span = new TimeSpan();
  for (const [index, lane] of lanes.entries()) {
    if (index % PLACES_BETWEEN_CHECKS === 0) task.check();
    const { bounds } = columns[lane.part];
    span.add(clock.at(bounds.first[lane.own], lane.shift));
    span.add(clock.at(bounds.last[lane.own], lane.shift));
  }
  await finishMessages(placed, stored, span, { memory, file }, task);
  await finishTransfers(placed, stored, span, { memory, file }, task);
  await finishPoints(placed, counters, stored, span, { memory, file }, task);
  [stored.startSeconds, stored.endSeconds] = [span.start, span.end];
  await finishEvents(placed, lanes, stored, { memory, file }, isReordered, task);
}
