import { NONE } from "../../model/ids";
import type { Attribute } from "./attributes";
import type { NodeTable } from "./nodes";
import { type LocationPart, locationPriority } from "./quantities";
import { type Column, type LocationNumbers, type Recording, locationNumber } from "./recording";
import { Head } from "./shapeTable";
import { SampleFrames, type SampleNodes } from "./samples";

/** What a value of a record is for. */
export const SKIP = 0;
export const MEASURED = 1;
export const LOCATED = 2;

/** What all records with the same references and attributes have in common. */
export interface Shape {
  /** The record's bytes up to its values: `__rec=ctx,ref=44=166,attr=131=41,data=`. */
  readonly head: Head;
  readonly context: number;
  /** For each value: {@link SKIP}, {@link MEASURED} or {@link LOCATED}. */
  readonly use: Uint8Array;
  /** Which values are measured, and the column of each of them. */
  readonly measured: Int32Array;
  readonly columns: readonly Column[];
  /** Which values are parts of the location, and which part each of them is. */
  readonly located: Int32Array;
  readonly parts: Int32Array;
  /** The location as far as the branches give it. */
  readonly fixed: Float64Array;
  /** The located values of the last record of this shape, its location, and its cell in each column. */
  readonly last: Float64Array;
  location: number;
  readonly cells: Int32Array;
  /** The shapes that followed the last times: event records come in loops. */
  next: Shape | undefined;
  nextButOne: Shape | undefined;
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
    const columns: Column[] = [];
    const measured: number[] = [];
    const located = new Map<LocationPart, number>();
    for (const [at, { quantity, part }] of attributes.entries()) {
      if (part !== undefined) {
        const other = located.get(part);
        // Threads may have two names; that of the programming model says more than the system's.
        if (other === undefined || locationPriority(attributes[at].name) < locationPriority(attributes[other].name))
          located.set(part, at);
      } else if (quantity !== undefined) {
        use[at] = MEASURED;
        measured.push(at);
        columns.push(recording.columns[recording.column(quantity)]);
      }
    }
    for (const at of located.values()) use[at] = LOCATED;
    return {
      head: new Head(head),
      context:
        measured.length > 0
          ? contextOf(recording, this.samples, nodes.regionOf(references), nodes.samplesOf(references))
          : NONE,
      use,
      measured: Int32Array.from(measured),
      columns,
      located: Int32Array.from(located.values()),
      parts: Int32Array.from(located.keys(), (part) => PARTS.indexOf(part)),
      fixed: Float64Array.from(PARTS, (part) => fixed[part] ?? NONE),
      last: new Float64Array(located.size),
      location: NONE,
      cells: new Int32Array(measured.length),
      next: undefined,
      nextButOne: undefined,
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
  const { located, last, measured, columns, cells } = shape;
  let moved = shape.location === NONE;
  for (let at = 0; at < located.length; at++) if (values[located[at]] !== last[at]) moved = true;
  if (moved) moveTo(recording, shape, values);
  for (let at = 0; at < measured.length; at++) {
    const column = columns[at];
    const value = values[measured[at]];
    column.values.addTo(cells[at], value);
    if (!Number.isInteger(value)) {
      if (Number.isFinite(value)) column.whole = false;
      else column.notFinite++;
    }
  }
}

/** The record stands at another location than the last one of its shape: looks up the cells that its values go to. */
function moveTo(recording: Recording, shape: Shape, values: Float64Array): void {
  const numbers = shape.fixed.slice();
  for (const [at, index] of shape.located.entries()) {
    shape.last[at] = values[index];
    numbers[shape.parts[at]] = locationNumber(values[index]);
  }
  shape.location = recording.location(numbers[0], numbers[1], numbers[2]);
  for (const [at, column] of shape.columns.entries())
    shape.cells[at] = column.values.cell(shape.context, shape.location);
}
