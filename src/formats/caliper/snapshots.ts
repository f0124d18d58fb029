import { NONE } from "../../model/ids";
import type { Attribute } from "./attributes";
import type { NodeTable } from "./nodes";
import type { LocationPart } from "./quantities";
import { type LocationNumbers, type Recording, locationNumber } from "./recording";
import { SampleFrames, type SampleNodes } from "./samples";

/** What a value of a record is for. */
export const SKIP = 0;
export const MEASURED = 1;
export const LOCATED = 2;

/** What all records with the same references and attributes have in common. */
export interface Shape {
  /** The record's bytes up to its values: `__rec=ctx,ref=44=166,attr=131=41,data=`. */
  readonly head: Uint8Array;
  readonly context: number;
  /** For each value: {@link SKIP}, {@link MEASURED} or {@link LOCATED}. */
  readonly use: Uint8Array;
  /** For each measured value its column, for each located one its place in the location. */
  readonly target: Int32Array;
  /** Parts of the location that its branches give; the rest comes with the values. */
  readonly fixed: Float64Array;
  /** Whether values give parts of the location. */
  readonly located: boolean;
  /** The location of the last record of this shape, and its cell in each column. */
  readonly last: Float64Array;
  location: number;
  readonly cells: Int32Array;
  /** The shape that followed last time: event records come in loops. */
  next: Shape | undefined;
}

const PARTS: readonly LocationPart[] = ["rank", "thread", "stream"];

/** Finds out what records of one shape mean, once a shape. */
export class Shapes {
  private readonly samples: SampleFrames;

  constructor(
    private readonly recording: Recording,
    private readonly nodes: NodeTable,
  ) {
    this.samples = new SampleFrames(recording);
  }

  /**
   * @param references node indices of the record's branches
   * @param attributes of its values, in their order
   */
  describe(head: Uint8Array, references: readonly number[], attributes: readonly Attribute[]): Shape {
    const { recording, nodes } = this;
    nodes.noteGlobals(references);
    const fixed: LocationNumbers = {};
    for (const reference of references) {
      for (const node of nodes.notedOf(reference)) {
        const part = nodes.describedBy(node)?.part;
        if (part !== undefined) fixed[part] ??= locationNumber(Number(nodes.textOf(node)));
      }
    }
    const use = new Uint8Array(attributes.length);
    const target = new Int32Array(attributes.length);
    for (const [at, { quantity, part }] of attributes.entries()) {
      if (part !== undefined) {
        use[at] = LOCATED;
        target[at] = PARTS.indexOf(part);
      } else if (quantity !== undefined) {
        use[at] = MEASURED;
        target[at] = recording.column(quantity);
      }
    }
    return {
      head,
      context: use.includes(MEASURED)
        ? contextOf(recording, this.samples, nodes.regionOf(references), nodes.samplesOf(references))
        : NONE,
      use,
      target,
      fixed: Float64Array.from(PARTS, (part) => fixed[part] ?? NONE),
      located: use.includes(LOCATED),
      last: new Float64Array(PARTS.length).fill(Number.NaN),
      location: NONE,
      cells: new Int32Array(attributes.length).fill(NONE),
      next: undefined,
    };
  }
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

/**
 * Adds the values of one record.
 *
 * @param values one a value of the record; those that are not used may be anything
 */
export function addRecord(recording: Recording, shape: Shape, values: Float64Array): void {
  const { use, target, cells } = shape;
  if (shape.location === NONE || shape.located) locate(recording, shape, values);
  for (let at = 0; at < use.length; at++) {
    if (use[at] !== MEASURED) continue;
    const column = recording.columns[target[at]];
    const value = values[at];
    if (cells[at] === NONE) cells[at] = column.values.cell(shape.context, shape.location);
    column.values.addTo(cells[at], value);
    if (!Number.isInteger(value)) {
      if (Number.isFinite(value)) column.whole = false;
      else column.notFinite++;
    }
  }
}

function locate(recording: Recording, shape: Shape, values: Float64Array): void {
  const { use, target, last, fixed } = shape;
  let same = shape.location !== NONE;
  for (let at = 0; same && at < use.length; at++) {
    if (use[at] === LOCATED && values[at] !== last[target[at]]) same = false;
  }
  if (same) return;
  const parts = fixed.slice();
  last.fill(Number.NaN);
  for (let at = 0; at < use.length; at++) {
    if (use[at] !== LOCATED) continue;
    last[target[at]] = values[at];
    parts[target[at]] = locationNumber(values[at]);
  }
  shape.location = recording.location(parts[0], parts[1], parts[2]);
  shape.cells.fill(NONE);
}
