import { widened } from "../../model/columns";

/** A binary heap of the ends of open events, earliest end first. */
export class EarliestEnds {
  private size = 0;
  private ends = new Float64Array(64);
  private entries = new Int32Array(64);

  /** The earliest end; Infinity if the heap is empty. */
  get seconds(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.ends[0];
  }

  clear(): void {
    this.size = 0;
  }

  add(endSeconds: number, entry: number): void {
    if (this.size === this.ends.length) {
      this.ends = widened(this.ends);
      this.entries = widened(this.entries);
    }
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.ends[parent] <= endSeconds) break;
      this.put(at, this.ends[parent], this.entries[parent]);
      at = parent;
    }
    this.put(at, endSeconds, entry);
  }

  /** Removes the earliest end, of which there must be one. @returns its entry */
  take(): number {
    const entry = this.entries[0];
    const last = --this.size;
    const end = this.ends[last];
    let at = 0;
    for (let child = 1; child < last; child = 2 * at + 1) {
      if (child + 1 < last && this.ends[child + 1] < this.ends[child]) child++;
      if (this.ends[child] >= end) break;
      this.put(at, this.ends[child], this.entries[child]);
      at = child;
    }
    this.put(at, end, this.entries[last]);
    return entry;
  }

  private put(at: number, endSeconds: number, entry: number): void {
    this.ends[at] = endSeconds;
    this.entries[at] = entry;
  }
}
