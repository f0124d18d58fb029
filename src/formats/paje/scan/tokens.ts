import { widened } from "../../../model/columns";
import { NONE } from "../../../model/ids";

/** Every process spreads names in another way: nobody can prepare names that all fall on one slot. */
export const SEED = (Math.random() * 0x7fffffff) | 0;
export const PRIME = 0x01000193;
const BLANK = 32;

/** Spreads a hash so that its low bits depend on all of it. */
export function spread(hash: number): number {
  const h = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 1;
}

export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], PRIME);
  return hash;
}

/** Distinct names by their bytes: a string is made only where somebody asks for one. */
export class TokenTable {
  private count = 0;
  private pool = new Uint8Array(1 << 14);
  private used = 0;
  private ends = new Int32Array(256);
  private hashes = new Int32Array(256);
  private slots = new Int32Array(512).fill(NONE);
  /** Names of one and two bytes, by these bytes as one number. */
  readonly tiny = new Int32Array(1 << 16).fill(NONE);
  /** Names of three and four bytes, by these bytes as one number: most names of a line are that short. */
  private shortKeys = new Int32Array(256);
  private shortTokens = new Int32Array(256).fill(NONE);
  private shorts = 0;

  /** @param mostBytes how long all names may be together @param overfull called where they are longer; throws */
  constructor(
    private readonly mostBytes: number,
    private readonly overfull: () => never,
  ) {}

  get size(): number {
    return this.count;
  }

  /** @returns the name's number, NONE where it was never added */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    return this.slots[this.slotOf(bytes, start, end, hash)];
  }

  /** As {@link find}, for names of three or four bytes, none of them a blank. @param packed the first byte highest */
  findShort(packed: number): number {
    const { shortKeys, shortTokens } = this;
    const mask = shortKeys.length - 1;
    let slot = spread(packed) & mask;
    while (shortTokens[slot] !== NONE && shortKeys[slot] !== packed) slot = (slot + 1) & mask;
    return shortTokens[slot];
  }

  /** The name's number; it is added where it is new. */
  intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slot = this.slotOf(bytes, start, end, hash);
    const known = this.slots[slot];
    return known !== NONE ? known : this.add(bytes, start, end, hash, slot);
  }

  internText(text: string): number {
    const bytes = Buffer.from(text);
    return this.intern(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
  }

  textOf(token: number): string {
    if (token === NONE) return "";
    return Buffer.from(this.pool.buffer, this.startOf(token), this.ends[token] - this.startOf(token)).toString();
  }

  private startOf(token: number): number {
    return token === 0 ? 0 : this.ends[token - 1];
  }

  /** Where this name is, or where it would be put. */
  private slotOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const { slots, hashes, ends, pool } = this;
    const mask = slots.length - 1;
    const length = end - start;
    let slot = spread(hash) & mask;
    for (let token = slots[slot]; token !== NONE; token = slots[slot]) {
      if (hashes[token] === hash) {
        const own = token === 0 ? 0 : ends[token - 1];
        if (ends[token] - own === length) {
          let at = 0;
          while (at < length && pool[own + at] === bytes[start + at]) at++;
          if (at === length) return slot;
        }
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const length = end - start;
    if (this.used + length > this.mostBytes) this.overfull();
    if (this.used + length > this.pool.length) {
      this.pool = widened(this.pool, Math.max(2 * this.pool.length, this.used + length));
    }
    this.pool.set(bytes.subarray(start, end), this.used);
    this.used += length;
    if (this.count === this.ends.length) {
      this.ends = widened(this.ends);
      this.hashes = widened(this.hashes);
    }
    const token = this.count++;
    this.ends[token] = this.used;
    this.hashes[token] = hash;
    this.slots[slot] = token;
    if (2 * this.count > this.slots.length) this.rehash();
    if (length > 0 && length <= 4) this.addShort(bytes, start, end, token);
    return token;
  }

  private addShort(bytes: Uint8Array, start: number, end: number, token: number): void {
    let packed = 0;
    for (let at = start; at < end; at++) {
      if (bytes[at] <= BLANK) return;
      packed = (packed << 8) | bytes[at];
    }
    if (end - start <= 2) {
      this.tiny[packed] = token;
      return;
    }
    if (2 * ++this.shorts > this.shortKeys.length) this.rehashShort();
    this.putShort(packed, token);
  }

  private putShort(packed: number, token: number): void {
    const mask = this.shortKeys.length - 1;
    let slot = spread(packed) & mask;
    while (this.shortTokens[slot] !== NONE) slot = (slot + 1) & mask;
    this.shortKeys[slot] = packed;
    this.shortTokens[slot] = token;
  }

  private rehashShort(): void {
    const { shortKeys, shortTokens } = this;
    this.shortKeys = new Int32Array(2 * shortKeys.length);
    this.shortTokens = new Int32Array(2 * shortKeys.length).fill(NONE);
    shortTokens.forEach((token, slot) => token !== NONE && this.putShort(shortKeys[slot], token));
  }

  private rehash(): void {
    const slots = new Int32Array(2 * this.slots.length).fill(NONE);
    const mask = slots.length - 1;
    for (let token = 0; token < this.count; token++) {
      let slot = spread(this.hashes[token]) & mask;
      while (slots[slot] !== NONE) slot = (slot + 1) & mask;
      slots[slot] = token;
    }
    this.slots = slots;
  }
}

/** Numbers of pairs of small numbers, in the order in which they first came. */
export class PairTable {
  private count = 0;
  first = new Int32Array(256);
  second = new Int32Array(256);
  private slots = new Int32Array(512).fill(NONE);

  get size(): number {
    return this.count;
  }

  /** @returns the pair's number, NONE where it was never added */
  find(first: number, second: number): number {
    return this.slots[this.slotOf(first, second)];
  }

  /** Adds a pair that is not there. */
  add(first: number, second: number): number {
    if (this.count === this.first.length) {
      this.first = widened(this.first);
      this.second = widened(this.second);
    }
    if (2 * this.count >= this.slots.length) this.rehash();
    const slot = this.slotOf(first, second);
    const pair = this.count++;
    this.first[pair] = first;
    this.second[pair] = second;
    this.slots[slot] = pair;
    return pair;
  }

  private rehash(): void {
    this.slots = new Int32Array(2 * this.slots.length).fill(NONE);
    for (let pair = 0; pair < this.count; pair++) this.slots[this.slotOf(this.first[pair], this.second[pair])] = pair;
  }

  private slotOf(first: number, second: number): number {
    const mask = this.slots.length - 1;
    let slot = spread(Math.imul(first + 1, 0x9e3779b1) ^ Math.imul(second + 1, 0x85ebca6b) ^ SEED) & mask;
    for (let pair = this.slots[slot]; pair !== NONE; pair = this.slots[slot]) {
      if (this.first[pair] === first && this.second[pair] === second) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
