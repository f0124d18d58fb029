/** Rows in the order of reporting, in blocks; a value may still change until the table is read. */
import type { Task } from "../../model/task";
import { BlockStore, type ColumnMemory, type Holder } from "./blocks";
import { Rows, type Schema } from "./rows";

const FIRST_ROWS = 64;
const BLOCK_ROWS = 1 << 14;

export class Table implements Holder {
  readonly store: BlockStore;
  /** Number of the first row of {@link rows}. */
  base = 0;
  /** The block that is being filled. */
  rows: Rows;
  /** Number of the first row of each block in the store. */
  private readonly bases: number[] = [];
  private closed = false;

  constructor(
    readonly schema: Schema,
    private readonly memory: ColumnMemory,
  ) {
    this.store = new BlockStore(schema, memory, memory.scratch);
    this.rows = this.opened(FIRST_ROWS);
    memory.join(this);
  }

  get count(): number {
    return this.base + this.rows.count;
  }

  /** The block that is being filled, with room for one more row at least. */
  room(): Rows {
    if (this.rows.count < this.rows.capacity) return this.rows;
    if (this.rows.capacity < BLOCK_ROWS) {
      const wider = this.rows.copy(2 * this.rows.capacity);
      this.memory.resident += wider.bytes.length - this.rows.bytes.length;
      this.rows = wider;
    } else this.closeBlock(BLOCK_ROWS);
    return this.rows;
  }

  /** The finished block that a row lies in. */
  blockOf(row: number): { block: number; at: number } {
    let [low, high] = [0, this.bases.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.bases[middle] <= row) low = middle;
      else high = middle;
    }
    return { block: low, at: row - this.bases[low] };
  }

  /** All rows, block by block; each is given back when the next one is asked for. */
  async *drain(): AsyncGenerator<Rows> {
    this.closeBlock(0);
    for (let block = 0; block < this.store.size; block++) {
      yield await this.store.get(block);
      this.store.free(block);
    }
  }

  /** Changes values of all rows, in place. @param change gets each block */
  async change(change: (rows: Rows) => void, task: Pick<Task, "check">): Promise<void> {
    for (let block = 0; block < this.store.size; block++) {
      task.check();
      const rows = await this.store.get(block);
      change(rows);
      await this.store.replace(block, rows);
    }
    change(this.rows);
  }

  async writeOut(bytes: number): Promise<void> {
    await this.store.writeOut(bytes);
    if (this.memory.resident <= bytes || this.rows.count === 0) return;
    this.closeBlock(FIRST_ROWS);
    await this.store.writeOut(bytes);
  }

  /** Once more does nothing: tables that were read are closed again with their builder. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.memory.leave(this);
    this.memory.resident -= this.rows.bytes.length;
    this.rows = new Rows(this.schema, 0);
    await this.store.close();
  }

  private closeBlock(nextCapacity: number): void {
    this.memory.resident -= this.rows.bytes.length;
    if (this.rows.count > 0) {
      this.bases.push(this.base);
      this.base += this.rows.count;
      this.store.put(this.rows.count < this.rows.capacity / 2 ? this.rows.copy(this.rows.count) : this.rows);
    }
    this.rows = this.opened(nextCapacity);
  }

  private opened(capacity: number): Rows {
    const rows = new Rows(this.schema, capacity);
    this.memory.resident += rows.bytes.length;
    return rows;
  }
}
