import type { Shape } from "./snapshots";

const NEWLINE = 10;
const COMMA = 44;
const EQUALS = 61;
const BACKSLASH = 92;

/** Shapes of records by the bytes of their head, so that a record that looks like an earlier one needs no string. */
export class ShapeTable {
  private slots: (Shape | undefined)[] = new Array<Shape | undefined>(256).fill(undefined);
  private count = 0;

  /** The shape of the record at `start`; undefined where none like it was added. */
  find(bytes: Uint8Array, start: number): Shape | undefined {
    const end = headEnd(bytes, start);
    if (end === 0) return undefined;
    const mask = this.slots.length - 1;
    let slot = hashOf(bytes, start, end) & mask;
    for (let shape = this.slots[slot]; shape !== undefined; shape = this.slots[(slot = (slot + 1) & mask)]) {
      if (shape.head.length === end - start && startsWith(bytes, start, shape.head)) return shape;
    }
    return undefined;
  }

  add(shape: Shape): void {
    if (this.count * 2 >= this.slots.length) {
      const old = this.slots;
      this.slots = new Array<Shape | undefined>(old.length * 2).fill(undefined);
      for (const one of old) if (one !== undefined) this.put(one);
    }
    this.put(shape);
    this.count++;
  }

  private put(shape: Shape): void {
    const mask = this.slots.length - 1;
    let slot = hashOf(shape.head, 0, shape.head.length) & mask;
    while (this.slots[slot] !== undefined) slot = (slot + 1) & mask;
    this.slots[slot] = shape;
  }
}

/** One past `,data=` of the line at `start`; 0 where the line has no values or escapes before them. */
export function headEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; ; at++) {
    const byte = bytes[at];
    if (byte === COMMA) {
      if (
        bytes[at + 1] === 100 &&
        bytes[at + 2] === 97 &&
        bytes[at + 3] === 116 &&
        bytes[at + 4] === 97 &&
        bytes[at + 5] === EQUALS
      )
        return at + 6;
    } else if (byte === NEWLINE || byte === BACKSLASH || byte === undefined) return 0;
  }
}

export function startsWith(bytes: Uint8Array, start: number, head: Uint8Array): boolean {
  // From the end: heads of one file begin alike and differ in their last ids.
  for (let at = head.length - 1; at >= 0; at--) if (bytes[start + at] !== head[at]) return false;
  return true;
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
  return hash ^ (hash >>> 15);
}
