import { widened } from "../../model/columns";
import { cancellable, type Task } from "../../model/task";
import type { LaneBounds } from "./laneBounds";
import type { Table } from "./table";

/** So many are kept before they are brought into the file: 16 MB. */
const MOST_KEPT = 1 << 20;

/** Ends of events whose rows are in the file already: those that last longest. */
export class LateEnds {
  private count = 0;
  private events = new Float64Array(64);
  private ends = new Float64Array(64);

  constructor(
    private readonly table: Table,
    private readonly bounds: LaneBounds,
  ) {}

  get isFull(): boolean {
    return this.count >= MOST_KEPT;
  }

  end(event: number, endSeconds: number): void {
    const { block, at } = this.table.blockOf(event);
    const rows = this.table.store.inMemory(block);
    if (rows) {
      this.bounds.end(rows, at, endSeconds);
      return;
    }
    if (this.count === this.events.length) {
      this.events = widened(this.events);
      this.ends = widened(this.ends);
    }
    this.events[this.count] = event;
    this.ends[this.count++] = endSeconds;
  }

  /** Brings all of them into the file, block by block. */
  async apply(task: Pick<Task, "check">): Promise<void> {
    const { count, events, ends } = this;
    const order = Uint32Array.from({ length: count }, (_, at) => at);
    order.sort(cancellable((a, b) => events[a] - events[b] || a - b, task));
    this.clear();
    for (let at = 0; at < count;) {
      task.check();
      const { block } = this.table.blockOf(events[order[at]]);
      const rows = await this.table.store.get(block);
      for (; at < count; at++) {
        const place = this.table.blockOf(events[order[at]]);
        if (place.block !== block) break;
        this.bounds.end(rows, place.at, ends[order[at]]);
      }
      await this.table.store.replace(block, rows);
    }
  }

  clear(): void {
    this.count = 0;
    this.events = new Float64Array(64);
    this.ends = new Float64Array(64);
  }
}
