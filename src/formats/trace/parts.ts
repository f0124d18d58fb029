/** Parts of a trace, one per reader, and where their lanes, counters and resources stand among those of all parts. */
import { cancellable, type Task } from "../../model/task";
import type { Counter } from "../../model/trace";
import type { ColumnMemory, SharedFile } from "./blocks";
import type { TraceBuilder } from "./traceBuilder";
import type { TraceColumns } from "./traceColumns";
import { numberIn } from "./renumber";
import { compareNames, compareText } from "../../model/strings";

/** The numbers of categories fit into a byte; what comes after shares the last one. */
export const MOST_CATEGORIES = 256;

/** What one reader reported, and the final numbers for its own (absent: they are final already). */
export interface TracePart {
  readonly builder: TraceBuilder;
  readonly frameOf?: Int32Array;
  readonly contextOf?: Int32Array;
  readonly locationOf?: Int32Array;
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
  /** Seconds added to its times before its part's clock converts them. */
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
  /** Seconds added to times of a resource before {@link clock} converts them. */
  readonly resourceShift: ReadonlyMap<number, number>;
  /** Converts times of its builder to the trace's clock. */
  readonly clock: { at(seconds: number, shift: number): number };
}

export type PlacedCounter = Omit<Counter, "points" | "minimum" | "maximum">;

/** Where finished columns go. */
export interface TraceStorage {
  readonly memory: ColumnMemory;
  readonly file: SharedFile;
}

/** From the first to the last time of anything; 0 to 0 where there is nothing. */
export class TimeSpan {
  private first = Number.POSITIVE_INFINITY;
  private last = Number.NEGATIVE_INFINITY;

  /** Times that are not known (NaN, or the infinite ones of an empty lane) count as nothing. */
  add(seconds: number): void {
    if (!Number.isFinite(seconds)) return;
    if (seconds < this.first) this.first = seconds;
    if (seconds > this.last) this.last = seconds;
  }

  get isEmpty(): boolean {
    return !(this.first <= this.last);
  }

  get start(): number {
    return this.isEmpty ? 0 : this.first;
  }

  get end(): number {
    return this.isEmpty ? 0 : this.last;
  }
}

/** Lanes, resources and counters are placed by name: so many take a few milliseconds. */
export const PLACES_BETWEEN_CHECKS = 1024;

/**
 * Lanes by resource, location and name; of equal ones, by what they hold. What a process has beside its threads (asynchronous events)
 * stands behind these.
 */
export function placeLanes(
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
  const behind = behindThreads(parts, resourceOf, task);
  const placeOf = ({ resource, location }: PlacedLane) =>
    location < 0 ? (behind.get(resource) ?? resource) : resource;
  const held = (column: "events" | "first" | "last", { part, own }: PlacedLane) => columns[part].bounds[column][own];
  let compared = 0;
  lanes.sort((a, b) => {
    if (++compared % PLACES_BETWEEN_CHECKS === 0) task.check();
    return (
      placeOf(a) - placeOf(b) ||
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

/** By process with something inside of it: a place behind all of that, and before what comes next. Resources are in preorder. */
function behindThreads(
  parts: readonly TracePart[],
  resourceOf: readonly Int32Array[],
  task: Pick<Task, "check">,
): Map<number, number> {
  const behind = new Map<number, number>();
  for (const [part, { builder }] of parts.entries()) {
    const last = Int32Array.from(resourceOf[part]);
    // Parents stand before their children.
    for (let own = last.length - 1; own >= 0; own--) {
      if (own % PLACES_BETWEEN_CHECKS === 0) task.check();
      const { type, parent } = builder.resources[own];
      if (parent >= 0 && parent < own) last[parent] = Math.max(last[parent], last[own]);
      const process = resourceOf[part][own];
      if (type === "process" && last[own] > process)
        behind.set(process, Math.max(behind.get(process) ?? 0, last[own] + 0.5));
    }
  }
  return behind;
}

export function placeCounters(
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
  return { counters: counters.map(({ name, unit, resource, grows }) => ({ name, unit, resource, grows })), counterOf };
}

/** How far the clock of each resource is moved: as the first lane at it, or inside it. */
export function resourceShifts(builder: TraceBuilder, task: Task): Map<number, number> {
  const shifts = new Map<number, number>();
  builder.lanes.forEach(({ resource }, lane) => {
    if (lane % PLACES_BETWEEN_CHECKS === 0) task.check();
    for (let at = resource; at >= 0 && !shifts.has(at); at = builder.resources[at].parent)
      shifts.set(at, builder.shifts[lane]);
  });
  return shifts;
}

/** All distinct values in the order of their keys, and the numbers that those of each part have among them. */
export function canonical<Value>(
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
