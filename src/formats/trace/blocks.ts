/** Blocks of rows, in memory as long as there is room, else in a file. */
import type { ColumnFile, ColumnFiles } from "../../model/columnFile";
import type { Task } from "../../model/task";
import { Rows, type Schema } from "./rows";

/** Rows of one opening that may stay in memory: with what sorting needs beside them, at most 256 MB (semantics 8). */
const RESIDENT_BYTES = 64 << 20;

/** So many bytes are written between two checks of a task: a busy disk takes long for all of it. */
const WRITTEN_BETWEEN_CHECKS = 2 << 20;

/** What all blocks of one opening hold in memory; where it is too much, it writes them out. */
export class ColumnMemory {
  resident = 0;
  readonly mostBytes: number;
  private readonly holders = new Set<Holder>();
  /** What is only needed until the trace is put together, whichever of many builders it belongs to. */
  readonly scratch: SharedFile;
  private writing: Promise<void> | undefined;

  constructor(readonly files: ColumnFiles) {
    this.mostBytes = files.memoryBytes ?? RESIDENT_BYTES;
    this.scratch = new SharedFile(files);
  }

  join(holder: Holder): void {
    this.holders.add(holder);
  }

  leave(holder: Holder): void {
    this.holders.delete(holder);
  }

  /**
   * Cheap when there is room. Else half of it is made free: writing a block at a time would go on with every further row.
   *
   * @throws CancelledError also half way: what is written by then stays where it is
   */
  async settle(task: Pick<Task, "check">): Promise<void> {
    if (this.resident <= this.mostBytes) return;
    while (this.resident > this.mostBytes / 2 && this.holders.size > 0) {
      task.check();
      const before = this.resident;
      const bytes = Math.max(this.mostBytes / 2, before - WRITTEN_BETWEEN_CHECKS);
      await (this.writing ??= this.writeOut(bytes).finally(() => (this.writing = undefined)));
      if (this.resident >= before) return;
    }
  }

  private async writeOut(bytes: number): Promise<void> {
    for (const holder of Array.from(this.holders)) {
      if (this.resident <= bytes) return;
      await holder.writeOut(bytes);
    }
  }
}

/** One file for many: hundreds of open files are more than some systems allow. Removed when the last one closes it. */
export class SharedFile implements Pick<ColumnFiles, "create"> {
  private file: Promise<ColumnFile> | undefined;
  private users = 0;

  constructor(private readonly files: ColumnFiles) {}

  async create(): Promise<ColumnFile> {
    this.file ??= this.files.create();
    this.users++;
    const { file } = this;
    const shared = await file.catch((problem: unknown) => {
      this.users--;
      if (this.file === file) this.file = undefined;
      throw problem;
    });
    return {
      get size() {
        return shared.size;
      },
      append: (bytes) => shared.append(bytes),
      write: (bytes, position) => shared.write(bytes, position),
      read: (target, position) => shared.read(target, position),
      close: async () => {
        if (--this.users > 0) return;
        if (this.file === file) this.file = undefined;
        await shared.close();
      },
    };
  }
}

export interface Holder {
  /** Writes blocks out until at most `bytes` of the opening are in memory, or none of this holder's are. */
  writeOut(bytes: number): Promise<void>;
}

const memories = new WeakMap<ColumnFiles, ColumnMemory>();

/** The one account of everything that is read with the same files. */
export function columnMemory(files: ColumnFiles): ColumnMemory {
  const known = memories.get(files);
  if (known) return known;
  const made = new ColumnMemory(files);
  memories.set(files, made);
  return made;
}

interface Block {
  readonly count: number;
  readonly capacity: number;
  /** In memory; undefined as soon as writing begins. */
  rows?: Rows;
  /** Where it lies in the file; undefined before writing begins. */
  position?: Promise<number>;
}

/** A list of blocks with the same columns. */
export class BlockStore implements Holder {
  private readonly blocks: Block[] = [];
  private file: Promise<ColumnFile> | undefined;
  private closed = false;

  /** @param files where blocks go that the memory has no room for */
  constructor(
    readonly schema: Schema,
    readonly memory: ColumnMemory,
    private readonly files: Pick<ColumnFiles, "create">,
  ) {}

  get size(): number {
    return this.blocks.length;
  }

  /** Bytes in memory. */
  get resident(): number {
    return this.blocks.reduce((sum, { rows }) => sum + (rows?.bytes.length ?? 0), 0);
  }

  /** Takes rows over: they must not be appended to any more. Their memory is counted from here on. */
  put(rows: Rows): void {
    this.memory.resident += rows.bytes.length;
    this.blocks.push({ count: rows.count, capacity: rows.capacity, rows });
  }

  /** The rows of a block where they are in memory: changes of values last. */
  inMemory(block: number): Rows | undefined {
    return this.blocks[block].rows;
  }

  async get(index: number): Promise<Rows> {
    const block = this.blocks[index];
    if (block.rows) return block.rows;
    const position = await block.position;
    const file = await this.file;
    if (this.closed || position === undefined || file === undefined) throw new Error("these columns were given back");
    const rows = new Rows(this.schema, block.capacity);
    await file.read(rows.bytes, position);
    rows.count = block.count;
    return rows;
  }

  /** Writes a block again whose values were changed; nothing to do for one in memory. */
  async replace(index: number, rows: Rows): Promise<void> {
    const { position } = this.blocks[index];
    if (position !== undefined) await (await this.file)?.write(rows.bytes, await position);
  }

  /** Gives back the memory of a block that is not needed any more. */
  free(index: number): void {
    const block = this.blocks[index];
    if (block.rows) this.memory.resident -= block.rows.bytes.length;
    block.rows = undefined;
  }

  async writeOut(bytes: number): Promise<void> {
    for (const block of this.blocks) {
      if (this.memory.resident <= bytes || this.closed) return;
      const { rows } = block;
      if (!rows) continue;
      // From now on changes go to the file, even while it is being written.
      block.rows = undefined;
      this.memory.resident -= rows.bytes.length;
      block.position = this.append(rows);
      await block.position;
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    for (let block = 0; block < this.blocks.length; block++) this.free(block);
    this.blocks.length = 0;
    const file = await this.file?.catch(() => undefined);
    await file?.close();
  }

  private async append(rows: Rows): Promise<number> {
    this.file ??= this.files.create();
    const file = await this.file;
    return file.append(rows.bytes);
  }
}
