/** Makes one trace of what readers reported: final numbers, one clock, canonical order, levels of detail. */
import type { Warning } from "../../model/dataSet";
import type { Topology } from "../../model/resources";
import { cancellable, type Task } from "../../model/task";
import type { Counter, Trace, TraceOutline } from "../../model/trace";
import { memoryColumnFiles } from "../columnFiles";
import { columnMemory, SharedFile } from "./blocks";
import { finishEvents } from "./finishEvents";
import { finishMessages, finishPoints, finishTransfers, MOST_CATEGORIES, TimeSpan } from "./finishTables";
import { outlineOfCounts, outlineOfTrace } from "./outlines";
import { StoredTrace } from "./storedTrace";
import { compareNames, compareText, joinTopologies } from "./topology";
import type { TraceBuilder } from "./traceBuilder";
import type { TraceColumns } from "./traceColumns";

/** What one reader told, with the final numbers of what it used its own for (absent: they are final already). */
export interface TracePart {
  readonly builder: TraceBuilder;
  readonly frameOf?: Int32Array;
  readonly contextOf?: Int32Array;
  readonly locationOf?: Int32Array;
}

export interface FinishedTrace {
  /** What is known whether there are columns or not. */
  readonly outline: TraceOutline;
  /** Undefined where nobody wanted columns. */
  readonly trace?: Trace;
  readonly topology: Topology;
  /** How many events, points and transfers were left out since nothing can be computed with their times. */
  readonly warnings: readonly Warning[];
}

/** A lane of a part that has its place in the trace. */
export interface PlacedLane {
  readonly part: number;
  /** Number of the lane in its part. */
  readonly own: number;
  readonly name: string;
  readonly resource: number;
  readonly location: number;
  readonly kind: "intervals" | "instants";
  /** Seconds that are added to its times. */
  readonly shift: number;
}

/** A part with everything that its columns need to become the trace's. */
export interface PlacedPart extends TracePart {
  readonly columns: TraceColumns;
  readonly laneOf: Int32Array;
  readonly resourceOf: Int32Array;
  readonly categoryOf: Int32Array;
  readonly directionOf: Int32Array;
  readonly counterOf: Int32Array;
  /** Seconds that are added to times told of a resource. */
  readonly resourceShift: ReadonlyMap<number, number>;
}

export type PlacedCounter = Omit<Counter, "points" | "minimum" | "maximum">;

/** Lanes, resources and counters are placed by name: so many take a few milliseconds. */
const PLACES_BETWEEN_CHECKS = 1024;

/**
 * Makes one trace of the parts, with columns where they have them; the result does not depend on their order. Their builders are used
 * up, also where this fails.
 *
 * @param parts all with columns, or none
 * @param options.zeroNanoseconds what second 0 is, in nanoseconds since the epoch
 */
export async function finishParts(
  parts: readonly TracePart[],
  options: { readonly zeroNanoseconds?: bigint },
  task: Task,
): Promise<FinishedTrace> {
  if (parts.some(({ builder }) => builder.columns !== undefined)) return finishTrace(parts, options, task);
  const builders = parts.map(({ builder }) => builder);
  const shifts = builders.map((builder) => resourceShifts(builder, task));
  const { topology } = topologyOf(parts, task);
  return { outline: outlineOfCounts(builders, shifts), topology, warnings: unplacedWarnings(parts) };
}

/** As {@link finishParts}, for parts that have columns. */
export async function finishTrace(
  parts: readonly TracePart[],
  options: { readonly zeroNanoseconds?: bigint },
  task: Task,
): Promise<FinishedTrace & { readonly trace: Trace }> {
  const stored = new StoredTrace(options.zeroNanoseconds);
  try {
    const { topology, finalOf } = topologyOf(parts, task);
    await storeTrace(parts, finalOf, stored, task);
    const outline = await outlineOfTrace(stored, task);
    return { outline, trace: stored, topology, warnings: unplacedWarnings(parts) };
  } catch (problem) {
    await stored.close();
    throw problem;
  } finally {
    await Promise.all(parts.map(({ builder }) => builder.discard()));
  }
}

function topologyOf(parts: readonly TracePart[], task: Task): ReturnType<typeof joinTopologies> {
  return joinTopologies(
    parts.map(({ builder, locationOf }) => ({
      resources: builder.resources.map((one, own) => {
        if (own % PLACES_BETWEEN_CHECKS === 0) task.check();
        return { ...one, location: numberIn(locationOf, one.location) };
      }),
      links: builder.resourceLinks,
    })),
    task,
  );
}

function unplacedWarnings(parts: readonly TracePart[]): Warning[] {
  const unplaced = parts.reduce((sum, { builder }) => sum + builder.unplaced, 0);
  if (unplaced === 0) return [];
  return [
    {
      message: `${unplaced} events or values have times that are no numbers, or beyond all bounds: they were left out`,
    },
  ];
}

async function storeTrace(
  parts: readonly TracePart[],
  finalOf: readonly Int32Array[],
  stored: StoredTrace,
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
    span.add(bounds.first[lane.own] + lane.shift);
    span.add(bounds.last[lane.own] + lane.shift);
  }
  await finishMessages(placed, stored, span, { memory, file }, task);
  await finishTransfers(placed, stored, span, { memory, file }, task);
  await finishPoints(placed, counters, stored, span, { memory, file }, task);
  [stored.startSeconds, stored.endSeconds] = [span.start, span.end];
  await finishEvents(placed, lanes, stored, { memory, file }, task);
}

/** Lanes by resource, location and name; of equal ones, by what they hold. */
function placeLanes(
  parts: readonly TracePart[],
  columns: readonly TraceColumns[],
  resourceOf: readonly Int32Array[],
  task: Task,
): { lanes: PlacedLane[]; laneOf: Int32Array[] } {
  const lanes = parts.flatMap(({ builder, locationOf }, part) =>
    builder.lanes.map((lane, own): PlacedLane => {
      if (own % PLACES_BETWEEN_CHECKS === 0) task.check();
      return {
        part,
        own,
        name: lane.name,
        resource: numberIn(resourceOf[part], lane.resource),
        location: numberIn(locationOf, lane.location),
        kind: lane.kind,
        shift: builder.shifts[own],
      };
    }),
  );
  const held = (column: "events" | "first" | "last", { part, own }: PlacedLane) => columns[part].bounds[column][own];
  let compared = 0;
  lanes.sort((a, b) => {
    if (++compared % PLACES_BETWEEN_CHECKS === 0) task.check();
    return (
      a.resource - b.resource ||
      a.location - b.location ||
      compareNames(a.name, b.name) ||
      compareText(a.kind, b.kind) ||
      held("events", a) - held("events", b) ||
      held("first", a) + a.shift - (held("first", b) + b.shift) ||
      held("last", a) + a.shift - (held("last", b) + b.shift) ||
      0
    );
  });
  const laneOf = parts.map(({ builder }) => new Int32Array(builder.lanes.length));
  lanes.forEach(({ part, own }, index) => (laneOf[part][own] = index));
  return { lanes, laneOf };
}

function placeCounters(
  parts: readonly TracePart[],
  resourceOf: readonly Int32Array[],
  task: Task,
): { counters: PlacedCounter[]; counterOf: Int32Array[] } {
  const counters = parts.flatMap(({ builder }, part) =>
    builder.counters.values.map((counter, own) => ({
      ...counter,
      resource: numberIn(resourceOf[part], counter.resource),
      part,
      own,
    })),
  );
  counters.sort(
    cancellable((a, b) => a.resource - b.resource || compareNames(a.name, b.name) || compareText(a.unit, b.unit), task),
  );
  const counterOf = parts.map(({ builder }) => new Int32Array(builder.counters.values.length));
  counters.forEach(({ part, own }, index) => (counterOf[part][own] = index));
  return { counters: counters.map(({ name, unit, resource }) => ({ name, unit, resource })), counterOf };
}

/** How far the clock of each resource is moved: as the first lane at it, or inside it. */
function resourceShifts(builder: TraceBuilder, task: Task): Map<number, number> {
  const shifts = new Map<number, number>();
  builder.lanes.forEach(({ resource }, lane) => {
    if (lane % PLACES_BETWEEN_CHECKS === 0) task.check();
    for (let at = resource; at >= 0 && !shifts.has(at); at = builder.resources[at].parent)
      shifts.set(at, builder.shifts[lane]);
  });
  return shifts;
}

/** All distinct values in the order of their keys, and the numbers that those of each part have among them. */
function canonical<Value>(
  parts: readonly (readonly Value[])[],
  keyOf: (value: Value) => string,
): { values: Value[]; numbers: Int32Array[] } {
  const byKey = new Map<string, Value>();
  for (const part of parts) for (const value of part) byKey.set(keyOf(value), value);
  const keys = [...byKey.keys()].sort(compareText);
  const numberOf = new Map(keys.map((key, number) => [key, number]));
  const values = keys.flatMap((key) => {
    const value = byKey.get(key);
    return value === undefined ? [] : [value];
  });
  return {
    values,
    numbers: parts.map((part) => Int32Array.from(part, (value) => numberOf.get(keyOf(value)) ?? 0)),
  };
}

/** The final number of something; what is none stays none. */
function numberIn(finalOf: Int32Array | undefined, own: number): number {
  return own < 0 || finalOf === undefined ? own : finalOf[own];
}
