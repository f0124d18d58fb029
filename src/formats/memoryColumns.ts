import type { ColumnFile, ColumnFiles } from "../model/columnFile";
import { widened } from "../model/columns";

/** Columns that stay in memory: for tests, and where no folder is given. */
export const memoryColumnFiles: ColumnFiles = {
  async create() {
    return new MemoryFile();
  },
};

class MemoryFile implements ColumnFile {
  size = 0;
  private bytes = new Uint8Array(1 << 16);

  async append(bytes: Uint8Array): Promise<number> {
    const position = this.size;
    const end = position + bytes.length;
    if (end > this.bytes.length) this.bytes = widened(this.bytes, Math.max(2 * this.bytes.length, end));
    this.bytes.set(bytes, position);
    this.size += bytes.length;
    return position;
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    if (position + bytes.length > this.size) throw new RangeError("only bytes that are there can be replaced");
    this.bytes.set(bytes, position);
  }

  async read(target: Uint8Array, position: number): Promise<void> {
    if (position + target.length > this.size) throw new RangeError("these bytes are not there");
    target.set(this.bytes.subarray(position, position + target.length));
  }

  async close(): Promise<void> {
    this.bytes = new Uint8Array(0);
    this.size = 0;
  }
}
