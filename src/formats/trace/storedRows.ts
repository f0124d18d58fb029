/** Finished rows, numbered through over all blocks, read by range. */
import { BlockStore, type ColumnMemory, type SharedFile } from "./blocks";
import { Rows, type Schema } from "./rows";

const BLOCK_ROWS = 1 << 13;
/** Number of the latest blocks that are kept after reading: views ask for neighbours. */
const KEPT_BLOCKS = 16;

export class StoredRows {
  count = 0;
  private readonly store: BlockStore;
  private filling: Rows;
  private readonly kept = new Map<number, Promise<Rows>>();

  /** @param onBlock called with each finished block before it is stored */
  constructor(
    readonly schema: Schema,
    private readonly memory: ColumnMemory,
    file: SharedFile,
    private readonly onBlock: (rows: Rows) => void = () => undefined,
  ) {
    this.store = new BlockStore(schema, memory, file);
    memory.join(this.store);
    this.filling = new Rows(schema, 64);
  }

  /** The block that is being filled, with room for one more row at least; its count and ours are raised by {@link added}. */
  room(): Rows {
    if (this.filling.count < this.filling.capacity) return this.filling;
    if (this.filling.capacity < BLOCK_ROWS) this.filling = this.filling.copy(2 * this.filling.capacity);
    else {
      this.put(this.filling);
      this.filling = new Rows(this.schema, BLOCK_ROWS);
    }
    return this.filling;
  }

  append(rows: Rows, from: number, to: number): void {
    for (let at = from; at < to;) {
      const room = this.room();
      const until = Math.min(to, at + room.capacity - room.count);
      room.append(rows, at, until);
      this.count += until - at;
      at = until;
    }
  }

  /** No more rows come. */
  finish(): void {
    if (this.filling.count > 0) this.put(this.filling.copy(this.filling.count));
    this.filling = new Rows(this.schema, 0);
  }

  get bytes(): number {
    return this.store.resident;
  }

  blockOf(row: number): number {
    return Math.floor(row / BLOCK_ROWS);
  }

  firstOf(block: number): number {
    return block * BLOCK_ROWS;
  }

  /** One block, from memory or the file. */
  async block(index: number): Promise<Rows> {
    const there = this.store.inMemory(index) ?? this.kept.get(index);
    if (there !== undefined) return there;
    const read = this.store.get(index);
    this.kept.set(index, read);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= KEPT_BLOCKS) break;
      this.kept.delete(oldest);
    }
    read.catch(() => this.kept.delete(index));
    return read;
  }

  /** The rows `first … first + count - 1`, which must be there. */
  async read(first: number, count: number): Promise<Rows> {
    const rows = new Rows(this.schema, count);
    for (let row = first; row < first + count;) {
      const index = this.blockOf(row);
      const block = await this.block(index);
      const from = row - this.firstOf(index);
      const to = Math.min(block.count, first + count - this.firstOf(index));
      rows.append(block, from, to);
      row += to - from;
    }
    return rows;
  }

  async close(): Promise<void> {
    this.kept.clear();
    this.memory.leave(this.store);
    await this.store.close();
  }

  private put(rows: Rows): void {
    this.onBlock(rows);
    this.store.put(rows);
  }
}
