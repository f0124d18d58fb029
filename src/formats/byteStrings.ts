import { widened } from "../model/columns";
import { NONE } from "../model/ids";

const QUOTE = 34;
const BACKSLASH = 92;
/** Another one each time, so that no file can be written whose names all fall together. Numbers do not depend on it. */
const HASH_START = Math.floor(Math.random() * 2 ** 32) | 0;
const HASH_FACTOR = 0x01000193;

/** Bytes that mean something inside of a JSON string. */
const SPECIAL = new Uint8Array(256);
SPECIAL[QUOTE] = SPECIAL[BACKSLASH] = 1;

/** What {@link closingQuote} found beside the position. */
export const quoted = { hash: 0 };

/**
 * From inside of a JSON string to its closing quote; the hash of what is between in `quoted.hash`. Four bytes at once as long as
 * none of them is special, so that the hash depends on the string alone.
 *
 * @returns -1 where the bytes end before
 */
export function closingQuote(bytes: Uint8Array, at: number, end: number): number {
  let hash = HASH_START;
  for (; at + 4 <= end; at += 4) {
    const [a, b, c, d] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
    if ((SPECIAL[a] | SPECIAL[b] | SPECIAL[c] | SPECIAL[d]) !== 0) break;
    hash = Math.imul(hash ^ (a | (b << 8) | (c << 16) | (d << 24)), HASH_FACTOR);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      quoted.hash = hash;
      return at;
    }
    hash = Math.imul(hash ^ byte, HASH_FACTOR);
    if (byte === BACKSLASH && ++at < end) hash = Math.imul(hash ^ bytes[at], HASH_FACTOR);
  }
  return -1;
}

/** The same hash for bytes that stand in no quotes and hold none. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_START;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    hash = Math.imul(
      hash ^ (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)),
      HASH_FACTOR,
    );
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ bytes[at], HASH_FACTOR);
  return hash;
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

  /** How long all of them are together. */
  get byteLength(): number {
    return this.start[this.size];
  }

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

  /** How long a string is, where `source` has it from `at` on; else -1. @param id may be NONE */
  lengthIfAt(id: number, source: Uint8Array, at: number): number {
    if (id === NONE) return -1;
    const { bytes } = this;
    const from = this.start[id];
    const length = this.start[id + 1] - from;
    for (let same = 0; same < length; same++) if (bytes[from + same] !== source[at + same]) return -1;
    return length;
  }

  /** Adds a text: for tables of known words. */
  internText(text: string): number {
    const bytes = Buffer.from(text, "utf8");
    return this.intern(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
  }

  /** The bytes of a string; valid until the next one is added. */
  bytesOf(id: number): Uint8Array {
    return this.bytes.subarray(this.start[id], this.start[id + 1]);
  }

  protected add(source: Uint8Array, start: number, end: number, hash: number): number {
    const from = this.start[this.size];
    const to = from + end - start;
    if (to > this.bytes.length) this.bytes = widened(this.bytes, Math.max(to, 2 * this.bytes.length));
    this.bytes.set(source.subarray(start, end), from);
    const id = this.size++;
    if (id + 2 > this.start.length) {
      this.start = widened(this.start);
      this.hashes = widened(this.hashes);
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
