import { NONE } from "../../../model/ids";
import type { SparseBuilder } from "../../../model/values";
import type { Attribute } from "../names/attributes";
import type { Detail, EventPhase, NumberField } from "../names/details";
import { numberOf } from "../scan/fields";
import type { IterationRows } from "./iterations";
import type { DetailNodes, NodeTable } from "./nodes";
import { type LocationPart, locationPriority, type Column } from "../names/quantities";
import { type LocationNumbers, type Recording, locationNumber } from "./recording";
import type { SampleFrames, SampleNodes } from "./samples";

/** Purpose of a value of a record. */
export const SKIP = 0;
export const MEASURED = 1;
export const LOCATED = 2;
/** A number that is neither measured nor a part of the location: a point in time, an iteration, the size of a message. */
export const READ = 3;
/** A point in time on a device's clock: nanoseconds that a double may not hold. */
export const DEVICE_TIME = 4;

/** Purposes of the values of all records with the same attributes. */
export interface Layout {
  /** For each value: {@link SKIP}, {@link MEASURED}, {@link LOCATED}, {@link READ} or {@link DEVICE_TIME}. */
  readonly use: Uint8Array;
  /** Indices of measured values, and the column of each of them. */
  readonly measured: Int32Array;
  readonly columns: readonly Column<SparseBuilder>[];
  /** Indices of values that are parts of the location, and the part of each of them. */
  readonly located: Int32Array;
  readonly parts: Int32Array;
  /** Values that are also kept by iteration. Those of events are not, since events have times. */
  readonly iterations: readonly IterationTarget[];
  /** The value with the time of the record, {@link NONE} if there is none. */
  readonly clock: number;
  readonly clockPerSecond: number;
  /** The event that a value marks. Events of regions are nodes. */
  readonly event?: { readonly phase: EventPhase; readonly of: string; readonly at: number };
  /** Indices of the numbers of messages and transfers. */
  readonly fields: ReadonlyMap<NumberField | "start" | "end", number>;
}

/** A measured value, the value with its iteration, and the series of both. */
export interface IterationTarget {
  readonly measured: number;
  readonly numbered: number;
  readonly rows: IterationRows;
}

export const PARTS: readonly LocationPart[] = ["rank", "thread", "gpuContext", "stream"];

/** @param attributes of the values, in their order */
export function layoutOf(recording: Recording, attributes: readonly Attribute[]): Layout {
  const use = new Uint8Array(attributes.length);
  const columns: Column<SparseBuilder>[] = [];
  const measured: number[] = [];
  const located = new Map<LocationPart, number>();
  for (const [at, { name, quantity, part, detail }] of attributes.entries()) {
    if (detail?.kind === "iteration" && name.startsWith("iteration#")) recording.loops.add(detail.loop);
    if (part !== undefined) {
      const other = located.get(part);
      // Threads may have two numbers. That of the programming model is more useful than the system's.
      if (other === undefined || locationPriority(name) < locationPriority(attributes[other].name))
        located.set(part, at);
    } else if (quantity !== undefined) {
      use[at] = MEASURED;
      measured.push(at);
      columns.push(recording.summed(quantity));
    }
  }
  for (const at of located.values()) use[at] = LOCATED;
  const details = detailsOf(attributes, use);
  const loops = details.clock === NONE ? iterationsOf(attributes) : [];
  const iterations = loops.flatMap(({ at: numbered, loop }) =>
    measured.flatMap((one, index) => {
      const rows = recording.iterations.rows(loop, columns[index]);
      return rows === undefined ? [] : [{ measured: one, numbered, rows }];
    }),
  );
  for (const { numbered } of iterations) use[numbered] = READ;
  return {
    use,
    measured: Int32Array.from(measured),
    columns,
    located: Int32Array.from(located.values()),
    parts: Int32Array.from(located.keys(), (part) => PARTS.indexOf(part)),
    iterations,
    ...details,
  };
}

/** Events, messages and devices in values. Marks these values as read in `use`. */
function detailsOf(
  attributes: readonly Attribute[],
  use: Uint8Array,
): Pick<Layout, "clock" | "clockPerSecond" | "event" | "fields"> {
  const fields = new Map<NumberField | "start" | "end", number>();
  let clock: number = NONE;
  let clockPerSecond = 1;
  let event: Layout["event"];
  for (const [at, { detail, numeric }] of attributes.entries()) {
    if (detail?.kind === "event") event ??= { phase: detail.phase, of: detail.of, at };
    if (!numeric || detail === undefined || detail.kind === "iteration" || detail.kind === "text") continue;
    if (detail.kind === "clock") {
      clock = at;
      clockPerSecond = detail.perSecond;
    } else if (detail.kind !== "event") fields.set(detail.field, at);
    if (use[at] === SKIP) use[at] = detail.kind === "deviceTime" ? DEVICE_TIME : READ;
  }
  return { clock, clockPerSecond, event, fields };
}

/** The values with numbers of iterations, and their loops. */
function iterationsOf(attributes: readonly Attribute[]): { at: number; loop: string }[] {
  const found: { at: number; detail: Detail & { kind: "iteration" } }[] = [];
  for (const [at, { detail, numeric }] of attributes.entries())
    if (numeric && detail?.kind === "iteration") found.push({ at, detail });
  const lowest = found.reduce((rank, { detail }) => Math.min(rank, detail.rank), Infinity);
  const loops = new Map<string, number>();
  for (const { at, detail } of found) if (detail.rank === lowest && !loops.has(detail.loop)) loops.set(detail.loop, at);
  return Array.from(loops, ([loop, at]) => ({ loop, at }));
}

/** Parts of the location in a record's branches. @returns undefined if there are none */
export function locationOf(nodes: NodeTable, references: readonly number[]): LocationNumbers | undefined {
  let found: LocationNumbers | undefined;
  for (const reference of references) {
    for (const node of nodes.notedOf(reference)) {
      const part = nodes.describedBy(node)?.part;
      if (part !== undefined) (found ??= {})[part] ??= locationNumber(numberOf(nodes.textOf(node)) ?? NONE);
    }
  }
  return found;
}

/**
 * The context of a record with this innermost region and these sample nodes, in the recording's hierarchy. An activity of a device (a kernel, a
 * copy) is below the region that launched it.
 */
export function contextOf(
  recording: Recording,
  samples: SampleFrames,
  region: number,
  nodes: SampleNodes,
  details: DetailNodes,
): number {
  const activity = activityOf(details);
  let context: number;
  if (nodes.length > 0) {
    recording.hasSamples = true;
    context = samples.context(region, nodes);
  } else {
    context = region === NONE || recording.hierarchy === "callPaths" ? recording.outside() : region;
  }
  if (activity !== undefined)
    return recording.tree.child(context, recording.frames.intern({ name: activity, kind: "kernel" }));
  if (context === recording.outsideIfAny()) recording.outsideUsed = true;
  return context;
}

/** Name of a device's activity. @returns undefined if the record is not of a device */
export function activityOf(details: DetailNodes): string | undefined {
  if (details.length === 0) return undefined;
  const text = (field: string) =>
    details.find(({ detail }) => detail.kind === "text" && detail.field === field)?.text || undefined;
  const kernel = text("kernel");
  const [memcpy, uvm] = [text("memcpy"), text("uvm")];
  return (
    kernel ??
    (memcpy && `memcpy ${memcpy}`) ??
    (uvm && `unified memory ${uvm}`) ??
    text("operation") ??
    text("activity")
  );
}
