import { widened } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import { quietTask, STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";

/** Distinct triples of small integers, numbered in the order of arrival: rows of a table that is found by three keys. */
export class Triples {
  size = 0;
  first = new Int32Array(128);
  second = new Int32Array(128);
  third = new Int32Array(128);
  private slots = new Int32Array(256).fill(NONE);

  /** @param task checked where the table grows: millions of rows take a while to be put in anew */
  constructor(private readonly task: Pick<Task, "check"> = quietTask) {}

  /** The number of this triple, which is added when it is new. */
  of(first: number, second: number, third: number): number {
    let mask = this.slots.length - 1;
    let slot = hash(first, second, third) & mask;
    for (let own = this.slots[slot]; own !== NONE; own = this.slots[(slot = (slot + 1) & mask)])
      if (this.first[own] === first && this.second[own] === second && this.third[own] === third) return own;
    if (2 * this.size >= this.slots.length) {
      this.widen();
      mask = this.slots.length - 1;
      slot = hash(first, second, third) & mask;
      while (this.slots[slot] !== NONE) slot = (slot + 1) & mask;
    }
    const own = this.size++;
    this.first[own] = first;
    this.second[own] = second;
    this.third[own] = third;
    this.slots[slot] = own;
    return own;
  }

  /** No more triples will come: the hash table and the room for more are freed. */
  close(): void {
    this.slots = new Int32Array(2).fill(NONE);
    for (const column of ["first", "second", "third"] as const) this[column] = this[column].slice(0, this.size);
  }

  /** Frees the triples as well; their number stays. */
  clear(): void {
    this.slots = new Int32Array(2).fill(NONE);
    this.first = this.second = this.third = new Int32Array(0);
  }

  private widen(): void {
    const { length } = this.slots;
    for (const column of ["first", "second", "third"] as const) this[column] = widened(this[column], length);
    this.slots = new Int32Array(this.slots.length * 2).fill(NONE);
    const mask = this.slots.length - 1;
    for (let own = 0; own < this.size; own++) {
      if (own % STEPS_BETWEEN_CHECKS === 0) this.task.check();
      let slot = hash(this.first[own], this.second[own], this.third[own]) & mask;
      while (this.slots[slot] !== NONE) slot = (slot + 1) & mask;
      this.slots[slot] = own;
    }
  }
}

function hash(first: number, second: number, third: number): number {
  let h = Math.imul(first, 0x9e3779b1) ^ Math.imul(second + 1, 0x85ebca6b) ^ Math.imul(third + 1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 1;
}
