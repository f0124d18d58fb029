import type { Shape } from "./snapshots";

const NEWLINE = 10;
const COMMA = 44;
const EQUALS = 61;
const BACKSLASH = 92;
const DATA_KEY_BYTES = 6;
const SEED = 0x811c9dc5;
const FACTOR = 0x01000193;

/** Shapes of records by the bytes of their head, so that a record that looks like an earlier one needs no string. */
export class ShapeTable {
  private slots: (Shape | undefined)[] = new Array<Shape | undefined>(256).fill(undefined);
  private count = 0;

  /** The shape of the record at `start`; undefined where none like it was added. */
  find(bytes: Uint8Array, view: DataView, start: number): Shape | undefined {
    let hash = SEED;
    let at = start;
    for (; !isHeadEnd(bytes, at); at++) {
      const byte = bytes[at];
      if (byte === NEWLINE || byte === BACKSLASH) return undefined;
      hash = Math.imul(hash ^ byte, FACTOR);
    }
    const length = at + DATA_KEY_BYTES - start;
    const mask = this.slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let shape = this.slots[slot]; shape !== undefined; shape = this.slots[(slot = (slot + 1) & mask)]) {
      if (shape.head.length === length && shape.head.standsAt(view, start)) return shape;
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
    let slot = hashOf(shape.head.bytes) & mask;
    while (this.slots[slot] !== undefined) slot = (slot + 1) & mask;
    this.slots[slot] = shape;
  }
}

/** One past `,data=` of the line at `start`; 0 where the line has no values or escapes before them. */
export function headEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; bytes[at] !== NEWLINE && bytes[at] !== BACKSLASH; at++)
    if (isHeadEnd(bytes, at)) return at + DATA_KEY_BYTES;
  return 0;
}

/** Whether `,data=` stands here. */
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

/**
 * A head as 32-bit words: comparing heads is most of the work of reading an event file, and words take a third of the
 * time that bytes take.
 */
export class Head {
  readonly length: number;
  private readonly words: Int32Array;
  private readonly rest: Uint8Array;

  constructor(readonly bytes: Uint8Array) {
    this.length = bytes.length;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.words = Int32Array.from({ length: bytes.length >> 2 }, (_, at) => view.getInt32(4 * at));
    this.rest = bytes.slice(4 * this.words.length);
  }

  /** Whether the bytes at `start` are these. */
  standsAt(view: DataView, start: number): boolean {
    const { words, rest } = this;
    if (start + this.length > view.byteLength) return false;
    let at = start;
    for (let word = 0; word < words.length; word++, at += 4) if (view.getInt32(at) !== words[word]) return false;
    for (let byte = 0; byte < rest.length; byte++, at++) if (view.getUint8(at) !== rest[byte]) return false;
    return true;
  }
}

export function startsWith(bytes: Uint8Array, start: number, head: Uint8Array): boolean {
  for (let at = 0; at < head.length; at++) if (bytes[start + at] !== head[at]) return false;
  return true;
}

/** FNV-1a over a head without its `,data=`. */
function hashOf(head: Uint8Array): number {
  let hash = SEED;
  for (let at = 0; at < head.length - DATA_KEY_BYTES; at++) hash = Math.imul(hash ^ head[at], FACTOR);
  return hash ^ (hash >>> 15);
}
