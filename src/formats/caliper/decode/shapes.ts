import { NONE } from "../../../model/ids";
import { IntColumn, widened } from "../../../model/columns";
import type { LocationNumbers, Recording } from "./recording";
import { locationNumber } from "./recording";
import { addIteration } from "./iterations";
import { type IterationTarget, type Layout, PARTS } from "./snapshots";
import type { ShapeEvents } from "./shapeEvents";

const NEWLINE = 10;
const COMMA = 44;
const EQUALS = 61;
const BACKSLASH = 92;
const DATA_KEY_BYTES = 6;
const SEED = 0x811c9dc5;
const FACTOR = 0x01000193;

/**
 * Shapes of snapshot records, by the bytes of their head, which is the text before the values: `__rec=ctx,ref=44=166,attr=131=41,data=`. Records
 * of one shape have the same context, and their values the same meaning. A record of a known shape needs no string and only this lookup.
 *
 * Columns instead of one object per shape: a profile of a million contexts has a million of them.
 */
export class Shapes {
  private heads = new Uint8Array(4096);
  private headView = new DataView(this.heads.buffer);
  private headBytes = 0;
  private readonly headStart = new IntColumn();
  private readonly headLength = new IntColumn();
  private readonly context = new IntColumn();
  private readonly layout = new IntColumn();
  private readonly layouts: Layout[] = [];
  private readonly layoutIndex = new Map<Layout, number>();
  /** Locations that depend on a single value, by part. */
  private readonly ofOnePart = PARTS.map(() => new Map<number, number>());
  /** Parts of the location in branches, for the few shapes that have them. */
  private readonly fixed = new Map<number, LocationNumbers>();
  /** Events, messages and devices of the shapes whose records have them. */
  private readonly events = new IntColumn();
  private readonly shapeEvents: ShapeEvents[] = [];
  /** Location of the last record of each shape, and the start of its cells. */
  private readonly location = new IntColumn();
  private readonly cellStart = new IntColumn();
  private readonly cells = new IntColumn();
  /** The located values of the last record of each shape: one per cell start and part. */
  private readonly lastStart = new IntColumn();
  private last = new Float64Array(256);
  private lastLength = 0;
  /** The shapes that followed each shape recently: event records come in loops. */
  private readonly next = new IntColumn();
  private readonly nextButOne = new IntColumn();
  private slots = new Int32Array(512).fill(NONE);

  constructor(private readonly recording: Recording) {}

  layoutOf(shape: number): Layout {
    return this.layouts[this.layout.values[shape]];
  }

  headLengthOf(shape: number): number {
    return this.headLength.values[shape];
  }

  /**
   * The shape of the record at `start`. {@link NONE} if it is new.
   *
   * @param view over `bytes`
   * @param previous shape of the record before
   */
  find(bytes: Uint8Array, view: DataView, start: number, previous: number): number {
    if (previous === NONE) return this.lookUp(bytes, view, start);
    const next = this.next.values[previous];
    if (next !== NONE && this.standsAt(view, start, next)) return next;
    const other = this.nextButOne.values[previous];
    const found = other !== NONE && this.standsAt(view, start, other) ? other : this.lookUp(bytes, view, start);
    if (found !== NONE) {
      this.nextButOne.values[previous] = next;
      this.next.values[previous] = found;
    }
    return found;
  }

  /**
   * @param head bytes of a head; empty if the order of the record's keys allows none
   * @param events events and details of the records
   */
  add(
    head: Uint8Array,
    layout: Layout,
    context: number,
    fixed: LocationNumbers | undefined,
    events: ShapeEvents | undefined,
  ): number {
    const shape = this.context.length;
    this.events.push(events === undefined ? NONE : this.shapeEvents.push(events) - 1);
    let index = this.layoutIndex.get(layout);
    if (index === undefined) this.layoutIndex.set(layout, (index = this.layouts.push(layout) - 1));
    this.layout.push(index);
    this.context.push(context);
    this.location.push(NONE);
    this.cellStart.push(this.cells.length);
    for (let at = 0; at < layout.measured.length; at++) this.cells.push(NONE);
    this.lastStart.push(this.lastLength);
    this.lastLength += layout.located.length;
    if (this.lastLength > this.last.length) this.last = widened(this.last, 2 * this.lastLength);
    this.next.push(NONE);
    this.nextButOne.push(NONE);
    if (fixed !== undefined) this.fixed.set(shape, fixed);
    this.headStart.push(this.headBytes);
    this.headLength.push(head.length);
    if (head.length > 0) {
      this.keepHead(head);
      this.put(shape);
    }
    return shape;
  }

  /**
   * Adds the values of one record.
   *
   * @param values one per value of the record. Unused ones are ignored
   */
  record(shape: number, values: Float64Array): void {
    const { located, measured, columns, iterations } = this.layoutOf(shape);
    let moved = this.location.values[shape] === NONE;
    const lastStart = this.lastStart.values[shape];
    for (let at = 0; at < located.length; at++) if (values[located[at]] !== this.last[lastStart + at]) moved = true;
    if (moved) this.moveTo(shape, values);
    const cellStart = this.cellStart.values[shape];
    for (let at = 0; at < measured.length; at++) {
      const column = columns[at];
      const value = values[measured[at]];
      column.values.addTo(this.cells.values[cellStart + at], value);
      if (!Number.isInteger(value)) {
        if (Number.isFinite(value)) column.whole = false;
        else column.notFinite++;
      }
    }
    const events = this.events.values[shape];
    if (events !== NONE) this.shapeEvents[events].take(this.location.values[shape], values);
    if (iterations.length > 0) this.iterate(shape, iterations, values);
  }

  /** Also keeps the values of the record by iteration. */
  private iterate(shape: number, iterations: readonly IterationTarget[], values: Float64Array): void {
    const context = this.context.values[shape];
    const location = this.location.values[shape];
    for (const { measured, numbered, rows } of iterations)
      addIteration(rows, context, location, values[numbered], values[measured]);
  }

  /** Looks up the cells of a record at another location than the last one of its shape. */
  private moveTo(shape: number, values: Float64Array): void {
    const { located, parts, columns } = this.layoutOf(shape);
    for (let at = 0; at < located.length; at++) this.last[this.lastStart.values[shape] + at] = values[located[at]];
    // In most profiles the location is the rank alone, and each record has another rank than the one before.
    const isOne = located.length === 1 && !this.fixed.has(shape);
    const known = isOne ? this.ofOnePart[parts[0]].get(values[located[0]]) : undefined;
    const location = known ?? this.locationOf(shape, values);
    if (isOne && known === undefined) this.ofOnePart[parts[0]].set(values[located[0]], location);
    this.location.values[shape] = location;
    for (let at = 0; at < columns.length; at++) {
      const cell = columns[at].values.cell(this.context.values[shape], location);
      this.cells.values[this.cellStart.values[shape] + at] = cell;
    }
  }

  private locationOf(shape: number, values: Float64Array): number {
    const { located, parts } = this.layoutOf(shape);
    const numbers: LocationNumbers = { ...this.fixed.get(shape) };
    for (let at = 0; at < located.length; at++) numbers[PARTS[parts[at]]] = locationNumber(values[located[at]]);
    const { rank = NONE, thread = NONE, stream = NONE, gpuContext } = numbers;
    return this.recording.location(rank, thread, stream, gpuContext);
  }

  private lookUp(bytes: Uint8Array, view: DataView, start: number): number {
    let hash = SEED;
    let at = start;
    for (; !isHeadEnd(bytes, at); at++) {
      const byte = bytes[at];
      if (byte === NEWLINE || byte === BACKSLASH) return NONE;
      hash = Math.imul(hash ^ byte, FACTOR);
    }
    const length = at + DATA_KEY_BYTES - start;
    const mask = this.slots.length - 1;
    let slot = spread(hash) & mask;
    for (let shape = this.slots[slot]; shape !== NONE; shape = this.slots[(slot = (slot + 1) & mask)]) {
      if (this.headLength.values[shape] === length && this.standsAt(view, start, shape)) return shape;
    }
    return NONE;
  }

  /**
   * Whether the head of this shape is at `start`. Comparing heads is most of the work of reading an event file. Comparing words takes a third of
   * the time of comparing bytes.
   */
  private standsAt(view: DataView, start: number, shape: number): boolean {
    const length = this.headLength.values[shape];
    if (start + length > view.byteLength) return false;
    const { headView } = this;
    let head = this.headStart.values[shape];
    let at = start;
    const words = start + (length & ~3);
    for (; at < words; at += 4, head += 4) if (view.getInt32(at) !== headView.getInt32(head)) return false;
    for (; at < start + length; at++, head++) if (view.getUint8(at) !== headView.getUint8(head)) return false;
    return true;
  }

  private keepHead(head: Uint8Array): void {
    if (this.headBytes + head.length > this.heads.length) {
      this.heads = widened(this.heads, 2 * (this.headBytes + head.length));
      this.headView = new DataView(this.heads.buffer);
    }
    this.heads.set(head, this.headBytes);
    this.headBytes += head.length;
  }

  private put(shape: number): void {
    if (this.context.length * 2 >= this.slots.length) {
      this.slots = new Int32Array(this.slots.length * 2).fill(NONE);
      for (let other = 0; other < shape; other++) if (this.headLength.values[other] > 0) this.place(other);
    }
    this.place(shape);
  }

  private place(shape: number): void {
    const mask = this.slots.length - 1;
    let slot = spread(this.hashOf(shape)) & mask;
    while (this.slots[slot] !== NONE) slot = (slot + 1) & mask;
    this.slots[slot] = shape;
  }

  /** FNV-1a over a head without its `,data=`. */
  private hashOf(shape: number): number {
    const start = this.headStart.values[shape];
    const end = start + this.headLength.values[shape] - DATA_KEY_BYTES;
    let hash = SEED;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ this.heads[at], FACTOR);
    return hash;
  }
}

/** Index after `,data=` of the line at `start`. 0 if the line has no values, or escapes before them. */
export function headEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; bytes[at] !== NEWLINE && bytes[at] !== BACKSLASH; at++)
    if (isHeadEnd(bytes, at)) return at + DATA_KEY_BYTES;
  return 0;
}

/** Whether `,data=` is at this index. */
function isHeadEnd(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === COMMA &&
    bytes[at + 1] === 100 &&
    bytes[at + 2] === 97 &&
    bytes[at + 3] === 116 &&
    bytes[at + 4] === 97 &&
    bytes[at + 5] === EQUALS
  );
}

function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}
