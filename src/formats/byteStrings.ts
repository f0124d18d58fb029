import { NONE } from "../model/ids";

/** What {@link hashByte} starts from. */
export const HASH_START = 0x811c9dc5;

/** Adds one byte to a hash. */
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

/**
 * Distinct byte strings by number, in the order of their first appearance: a name that was seen before is known by its
 * bytes, and becomes no JavaScript string again.
 */
export class ByteStrings {
  size = 0;
  private bytes = new Uint8Array(1 << 12);
  /** String n lies at `start[n] … start[n + 1] - 1`. */
  private start = new Float64Array(64);
  private hashes = new Int32Array(64);
  /** Open addressing. */
  private slots = new Int32Array(256).fill(NONE);

  /** The number of `source[start] … source[end - 1]`, which is added when it is new. @param hash of its bytes */
  intern(source: Uint8Array, start: number, end: number, hash: number): number {
    const known = this.find(source, start, end, hash);
    return known === NONE ? this.add(source, start, end, hash) : known;
  }

  /** As {@link intern}, but NONE where it is not there. */
  find(source: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.slots.length - 1;
    const length = end - start;
    const { bytes } = this;
    for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
      const id = this.slots[slot];
      if (id === NONE) return NONE;
      if (this.hashes[id] !== (hash | 0)) continue;
      const from = this.start[id];
      if (this.start[id + 1] - from !== length) continue;
      let same = 0;
      while (same < length && bytes[from + same] === source[start + same]) same++;
      if (same === length) return id;
    }
  }

  /** Adds a text: for tables of known words. */
  internText(text: string): number {
    const bytes = Buffer.from(text, "utf8");
    return this.intern(bytes, 0, bytes.length, bytes.reduce(hashByte, HASH_START));
  }

  /** The bytes of a string; valid until the next one is added. */
  bytesOf(id: number): Uint8Array {
    return this.bytes.subarray(this.start[id], this.start[id + 1]);
  }

  private add(source: Uint8Array, start: number, end: number, hash: number): number {
    const from = this.start[this.size];
    const to = from + end - start;
    if (to > this.bytes.length) {
      const wider = new Uint8Array(Math.max(to, 2 * this.bytes.length));
      wider.set(this.bytes.subarray(0, from));
      this.bytes = wider;
    }
    this.bytes.set(source.subarray(start, end), from);
    const id = this.size++;
    if (id + 2 > this.start.length) {
      const starts = new Float64Array(2 * this.start.length);
      starts.set(this.start);
      this.start = starts;
      const hashes = new Int32Array(2 * this.hashes.length);
      hashes.set(this.hashes);
      this.hashes = hashes;
    }
    this.start[id + 1] = to;
    this.hashes[id] = hash;
    if (2 * this.size > this.slots.length) {
      this.slots = new Int32Array(2 * this.slots.length).fill(NONE);
      for (let own = 0; own < this.size; own++) this.place(own);
    } else this.place(id);
    return id;
  }

  private place(id: number): void {
    const mask = this.slots.length - 1;
    let slot = spread(this.hashes[id]) & mask;
    while (this.slots[slot] !== NONE) slot = (slot + 1) & mask;
    this.slots[slot] = id;
  }
}

/** The last bytes of a string alone would decide on the low bits. */
function spread(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}
