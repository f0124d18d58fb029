import path from "node:path";
import { FormatError, damagedFile } from "../../../../model/errors";
import type { Task } from "../../../../model/task";
import type { ByteSource } from "../../../byteSource";
import { Cursor, startsWith } from "../../../cursor";

/** A part of a file that holds what one thread recorded: the whole file, or one of many in a merged one. */
export interface ThreadBlock {
  readonly file: string;
  readonly rank: number;
  readonly thread: number;
  readonly offset: number;
  readonly end: number;
}

export const VALUES_MAGIC = "HPCPROF-metricdb__";
export const TRACE_MAGIC = "HPCRUN-trace______";
/** Magic, version and order of bytes, which all files of threads begin with. */
export const LEAST_HEADER_BYTES = 24;
const VALUES_HEADER_BYTES = 32;
const ENTRY_BYTES = 16;
/** The last eight bytes of a merged file: without them it is not complete. */
const END_MARK = 0xffff_ffff_dead_f00dn;
const END_BYTES = 8;
/** More threads than any run has: a larger table is damage. */
const MOST_BLOCKS = 1 << 24;

/** `name-000003-001-a8c00271-152578-0.metric-db`: rank 3, thread 1. */
const THREAD_NAME = /-(\d{1,9})-(\d{1,9})-[0-9a-f]+-\d+-\d+\.[^.]+$/i;

/** Whether these bytes start a merged file: a table of ranks, threads and offsets, then the files themselves. */
export function isMerged(head: Uint8Array, magic: string): boolean {
  if (head.length < 8 + ENTRY_BYTES) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const count = view.getInt32(4);
  const first = 8 + count * ENTRY_BYTES;
  if (view.getInt32(0) < 0 || view.getInt32(0) > 3 || count < 1 || count > MOST_BLOCKS) return false;
  if (view.getBigInt64(16) !== BigInt(first)) return false;
  return first + magic.length > head.length || startsWith(head, magic, first);
}

/**
 * The parts of a file, by ascending offset.
 *
 * @param incomplete called for a merged file without its end
 * @throws FormatError where parts overlap or leave the file
 */
export async function blocksOf(source: ByteSource, magic: string, incomplete: () => void): Promise<ThreadBlock[]> {
  const file = source.name;
  if (!Number.isFinite(source.size))
    throw new FormatError({
      file,
      found: "a packed file",
      expected: "the file as the tool wrote it",
      advice: "Unpack it: its parts are not read from front to back.",
    });
  const start = await bytesAt(source, 0, 8);
  if (startsWith(start, magic.slice(0, start.length))) {
    const [, rank, thread] = THREAD_NAME.exec(path.basename(file)) ?? [];
    if (rank === undefined)
      throw new FormatError({
        file,
        found: "a name without rank and thread",
        expected: "a name like program-000000-000-hostid-pid-0.metric-db, as the tool gives it",
        advice: "Give the file its own name again: rank and thread stand nowhere else.",
      });
    return [{ file, rank: Number(rank), thread: Number(thread), offset: 0, end: source.size }];
  }
  const count = new Cursor(file, start, false, 0, 4).i32("the number of files");
  const table = await bytesAt(source, 0, 8 + Math.max(0, Math.min(count, MOST_BLOCKS)) * ENTRY_BYTES);
  const cursor = new Cursor(file, table, false, 0, 8);
  if (count < 0) throw cursor.problem(4, `${count} files`, "a number of files");
  cursor.array(count, ENTRY_BYTES, `the table of ${count} files`);
  const entries = Array.from({ length: count }, () => ({
    rank: cursor.i32("a rank"),
    thread: cursor.i32("a thread"),
    offset: cursor.size("an offset"),
    at: cursor.position,
  }));
  entries.sort((a, b) => a.offset - b.offset);
  const mark = await bytesAt(source, Math.max(0, source.size - END_BYTES), END_BYTES);
  const complete = new Cursor(file, mark, false).u64("the end mark") === END_MARK;
  if (!complete) incomplete();
  const allEnd = complete ? source.size - END_BYTES : source.size;
  return entries.map(({ rank, thread, offset, at }, index) => {
    const end = index + 1 < count ? entries[index + 1].offset : allEnd;
    if (offset < table.length || offset + LEAST_HEADER_BYTES > end || end > allEnd)
      throw cursor.problem(at - 8, `a file from byte ${offset} to ${end}`, "parts that follow one another in the file");
    return { file, rank, thread, offset, end };
  });
}

/** Size of a block of values. */
export interface ValuesShape {
  readonly rows: number;
  readonly columns: number;
}

/** The header of a block of values, checked against the bytes that are there. */
export async function valuesShape(source: ByteSource, block: ThreadBlock): Promise<ValuesShape> {
  const bytes = await bytesAt(source, block.offset, VALUES_HEADER_BYTES);
  const cursor = headerCursor(block, bytes, VALUES_MAGIC);
  cursor.skip(1, "the header");
  const rows = cursor.u32("the number of nodes");
  const columns = cursor.u32("the number of metrics");
  const need = VALUES_HEADER_BYTES + 8 * rows * columns;
  if (need > block.end - block.offset)
    throw cursor.problem(
      block.end,
      `the end of the values after ${block.end - block.offset} bytes`,
      `${need} bytes: ${rows} nodes with ${columns} values each`,
    );
  return { rows, columns };
}

/** Stands behind magic and version, before the byte that tells the order of bytes. */
export function headerCursor(block: ThreadBlock, bytes: Uint8Array, magic: string): Cursor {
  const cursor = new Cursor(block.file, bytes, false, block.offset);
  if (!startsWith(bytes, magic)) throw cursor.problem(block.offset, "other bytes", `"${magic}"`);
  cursor.skip(magic.length + 5, "the header");
  const order = bytes[cursor.at];
  if (order !== 0x62 && order !== undefined)
    throw cursor.problem(cursor.position, `byte order "${String.fromCharCode(order)}"`, '"b", big endian');
  return cursor;
}

/** Rows that are read at once. */
const READ_BYTES = 1 << 20;

/**
 * Reads some columns of a block of values.
 *
 * @param columns column in the block of each result
 * @param nodeOfRow where the value of a row belongs; NONE for nowhere. Rows beyond its end belong nowhere
 * @param into a column over nodes for each of `columns`
 * @returns how many values other than 0 belong nowhere
 */
export async function readColumns(
  source: ByteSource,
  block: ThreadBlock,
  shape: ValuesShape,
  columns: readonly number[],
  nodeOfRow: Int32Array,
  into: readonly Float64Array[],
  task: Task,
): Promise<number> {
  const rowBytes = 8 * shape.columns;
  const atOnce = Math.max(1, Math.floor(READ_BYTES / Math.max(1, rowBytes)));
  const buffer = new Uint8Array(Math.min(atOnce, shape.rows) * rowBytes);
  const view = new DataView(buffer.buffer);
  let astray = 0;
  for (let first = 0; first < shape.rows; first += atOnce) {
    task.progress(first / shape.rows);
    const rows = Math.min(atOnce, shape.rows - first);
    const part = buffer.subarray(0, rows * rowBytes);
    await readWhole(source, part, block.offset + VALUES_HEADER_BYTES + first * rowBytes);
    for (const [at, column] of columns.entries()) {
      const target = into[at];
      for (let row = 0, byte = 8 * column; row < rows; row++, byte += rowBytes) {
        const node = first + row < nodeOfRow.length ? nodeOfRow[first + row] : -1;
        const value = view.getFloat64(byte);
        if (node >= 0) target[node] = value;
        else if (value !== 0) astray++;
      }
    }
  }
  return astray;
}

export async function bytesAt(source: ByteSource, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.min(length, Math.max(0, source.size - position)));
  const got = await source.read(bytes, position);
  return bytes.subarray(0, got);
}

async function readWhole(source: ByteSource, target: Uint8Array, position: number): Promise<void> {
  const got = await source.read(target, position);
  if (got < target.length)
    throw damagedFile(
      source.name,
      { byte: position + got },
      "the end of the file",
      `${target.length - got} further bytes of values`,
    );
}
