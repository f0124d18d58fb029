import { NONE } from "../../model/ids";
import type { Attribute } from "./attributes";
import { numberOf } from "./fields";
import type { NodeTable } from "./nodes";
import { type LocationPart, locationPriority } from "./quantities";
import { type Column, type LocationNumbers, type Recording, locationNumber } from "./recording";
import type { SampleFrames, SampleNodes } from "./samples";

/** What a value of a record is for. */
export const SKIP = 0;
export const MEASURED = 1;
export const LOCATED = 2;

/** What the values of all records with the same attributes are for. */
export interface Layout {
  /** For each value: {@link SKIP}, {@link MEASURED} or {@link LOCATED}. */
  readonly use: Uint8Array;
  /** Which values are measured, and the column of each of them. */
  readonly measured: Int32Array;
  readonly columns: readonly Column[];
  /** Which values are parts of the location, and which part each of them is. */
  readonly located: Int32Array;
  readonly parts: Int32Array;
}

export const PARTS: readonly LocationPart[] = ["rank", "thread", "stream"];

/** @param attributes of the values, in their order */
export function layoutOf(recording: Recording, attributes: readonly Attribute[]): Layout {
  const use = new Uint8Array(attributes.length);
  const columns: Column[] = [];
  const measured: number[] = [];
  const located = new Map<LocationPart, number>();
  for (const [at, { name, quantity, part }] of attributes.entries()) {
    if (part !== undefined) {
      const other = located.get(part);
      // Threads may have two names; that of the programming model says more than the system's.
      if (other === undefined || locationPriority(name) < locationPriority(attributes[other].name))
        located.set(part, at);
    } else if (quantity !== undefined) {
      use[at] = MEASURED;
      measured.push(at);
      columns.push(recording.columns[recording.column(quantity)]);
    }
  }
  for (const at of located.values()) use[at] = LOCATED;
  return {
    use,
    measured: Int32Array.from(measured),
    columns,
    located: Int32Array.from(located.values()),
    parts: Int32Array.from(located.keys(), (part) => PARTS.indexOf(part)),
  };
}

/** Parts of the location that a record's branches give; undefined where they give none. */
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

/** The context of a record with this innermost region and these sample nodes, in the recording's hierarchy. */
export function contextOf(recording: Recording, samples: SampleFrames, region: number, nodes: SampleNodes): number {
  let context: number;
  if (nodes.length > 0) {
    recording.hasSamples = true;
    context = samples.context(region, nodes);
  } else {
    context = region === NONE || recording.hierarchy === "callPaths" ? recording.outside() : region;
  }
  if (context === recording.outsideIfAny()) recording.outsideUsed = true;
  return context;
}
