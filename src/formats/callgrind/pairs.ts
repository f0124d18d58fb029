import { NONE } from "../../model/ids";
import { quietTask, STEPS_BETWEEN_CHECKS, type Task } from "../../model/task";

/** Slots that neighbours share: a line of the processor's cache holds them all. */
const BLOCK = 16;

/**
 * Distinct pairs of small integers, numbered in the order of arrival. Second keys that follow one another, as lines of a
 * function do, lie beside one another, so that most look-ups find what they need in the cache.
 */
export class Pairs {
  size = 0;
  first = new Int32Array(256);
  second = new Int32Array(256);
  private slots = new Int32Array(512).fill(NONE);

  /** @param task looked at where the table grows: millions of rows take a while to be put in anew */
  constructor(private readonly task: Pick<Task, "check"> = quietTask) {}

  /** The number of this pair, which is added when it is new. */
  of(first: number, second: number): number {
    let mask = this.slots.length - 1;
    let slot = slotOf(first, second) & mask;
    for (let own = this.slots[slot]; own !== NONE; own = this.slots[(slot = (slot + 1) & mask)])
      if (this.second[own] === second && this.first[own] === first) return own;
    if (2 * this.size >= this.slots.length) {
      this.widenSlots();
      mask = this.slots.length - 1;
      slot = slotOf(first, second) & mask;
      while (this.slots[slot] !== NONE) slot = (slot + 1) & mask;
    }
    if (this.size === this.first.length) {
      this.first = wider(this.first);
      this.second = wider(this.second);
    }
    const own = this.size++;
    this.first[own] = first;
    this.second[own] = second;
    this.slots[slot] = own;
    return own;
  }

  /** Lets the pairs go as well; their number stays. */
  clear(): void {
    this.slots = new Int32Array(2).fill(NONE);
    this.first = this.second = new Int32Array(0);
  }

  /** No more pairs will come: what found them, and the room for more, is let go. */
  close(): void {
    this.slots = new Int32Array(2).fill(NONE);
    this.first = this.first.slice(0, this.size);
    this.second = this.second.slice(0, this.size);
  }

  private widenSlots(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(NONE);
    const mask = slots.length - 1;
    for (let own = 0; own < this.size; own++) {
      if (own % STEPS_BETWEEN_CHECKS === 0) this.task.check();
      let slot = slotOf(this.first[own], this.second[own]) & mask;
      while (slots[slot] !== NONE) slot = (slot + 1) & mask;
      slots[slot] = own;
    }
    this.slots = slots;
  }
}

function slotOf(first: number, second: number): number {
  let h = Math.imul(first + 1, 0x9e3779b1) ^ Math.imul((second >>> 4) + 1, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (((h ^ (h >>> 13)) << 4) | (second & (BLOCK - 1))) >>> 0;
}

function wider(column: Int32Array): Int32Array<ArrayBuffer> {
  const next = new Int32Array(Math.ceil(column.length * 1.5));
  next.set(column);
  return next;
}
