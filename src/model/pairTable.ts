import { widened } from "./columns";
import { NONE } from "./ids";

/** Distinct pairs of small integers by number, in the order of arrival: a Map of a million pairs would take ten times the memory. */
export class PairTable {
  size = 0;
  first = new Int32Array(256);
  second = new Int32Array(256);
  /** Open addressing; empty while nothing is added. */
  private slots = new Int32Array(1024).fill(NONE);

  /** @param seed spreads pairs in another way, so that no file can be written whose pairs all fall on one slot */
  constructor(private readonly seed = 0) {}

  /** The number of this pair, {@link NONE} where it was never added. */
  find(first: number, second: number): number {
    return this.slots[this.slotOf(first, second)];
  }

  /** The number of this pair, which is added when it is new. */
  numberOf(first: number, second: number): number {
    let slot = this.slotOf(first, second);
    const known = this.slots[slot];
    if (known !== NONE) return known;
    if (this.size === this.first.length) {
      this.first = widened(this.first);
      this.second = widened(this.second);
    }
    if (2 * this.size >= this.slots.length) {
      this.fillSlots(this.slots.length * 2);
      slot = this.slotOf(first, second);
    }
    const pair = this.size++;
    this.first[pair] = first;
    this.second[pair] = second;
    this.slots[slot] = pair;
    return pair;
  }

  /** Nothing more is added for now: takes no more room than the pairs need. */
  settle(): void {
    this.first = this.first.slice(0, Math.max(1, this.size));
    this.second = this.second.slice(0, Math.max(1, this.size));
    this.slots = new Int32Array(0);
  }

  private fillSlots(length: number): void {
    this.slots = new Int32Array(length).fill(NONE);
    for (let pair = 0; pair < this.size; pair++) this.slots[this.slotOf(this.first[pair], this.second[pair])] = pair;
  }

  /** Where this pair is, or where it would be put. */
  private slotOf(first: number, second: number): number {
    if (this.slots.length === 0) this.fillSlots(2 ** Math.ceil(Math.log2(4 * this.first.length)));
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = hash(first, second, this.seed) & mask;
    for (let pair = slots[slot]; pair !== NONE; pair = slots[slot]) {
      if (this.first[pair] === first && this.second[pair] === second) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}

/** Spreads pairs of small integers over 31 bits. */
function hash(first: number, second: number, seed: number): number {
  let h = Math.imul(first + 1, 0x9e3779b1) ^ Math.imul(second + 1, 0x85ebca6b) ^ seed;
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 1;
}
