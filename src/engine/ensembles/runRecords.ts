/**
 * The file that runs are kept in: a record for each run, then a footer that says where each is, then the footer's length and hash. What tells
 * whether a record is as it was written is in the footer, so that some can be read without the others.
 * A record: the length of what is no column, that, and the columns, each from a multiple of 8 on: they are used as they lie there.
 */
import { createHash } from "node:crypto";
import type fs from "node:fs/promises";
import v8 from "node:v8";
import type { ContextTree } from "../../model/contextTree";
import type { SparseValues } from "../../model/values";
import type { KeptRun } from "./runCollector";

/** Where a record is. */
export interface RecordPlace {
  readonly offset: number;
  readonly length: number;
  readonly hash: string;
}

/** A column where it lies, or a value that is none. */
type Part = { readonly name: string } & (
  | { readonly kind: ColumnKind; readonly offset: number; readonly length: number }
  | { readonly value: unknown }
);
type Rest = Omit<KeptRun, "tree" | "values">;
interface Plain {
  readonly rest: Rest;
  readonly tree: readonly Part[];
  readonly values: readonly (readonly Part[])[];
}

const COLUMNS = { Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array };
type ColumnKind = keyof typeof COLUMNS;

const ALIGNMENT = 8;
/** At the end of the file: the footer's length, and its hash. */
const [LENGTH_BYTES, HASH_BYTES] = [8, 20];
/** Records that are read while one is looked at. */
const AHEAD = 4;

/** @returns the pieces of a record, in their order */
function encoded({ tree, values, ...rest }: KeptRun): Uint8Array[] {
  const columns: Uint8Array[] = [];
  let bytes = 0;
  const add = (piece: Uint8Array) => {
    const padding = -piece.length & (ALIGNMENT - 1);
    columns.push(piece, ...(padding > 0 ? [new Uint8Array(padding)] : []));
    bytes += piece.length + padding;
  };
  const partsOf = (of: object): Part[] =>
    Object.entries(of).map(([name, value]: readonly [string, unknown]): Part => {
      const kind = kindOf(value);
      if (!kind) return { name, value };
      const column = value as InstanceType<(typeof COLUMNS)[ColumnKind]>;
      const part = { name, kind, offset: bytes, length: column.length };
      add(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
      return part;
    });
  const plain: Plain = { rest, tree: partsOf(tree), values: values.map(partsOf) };
  const text = v8.serialize(plain);
  const length = Buffer.alloc(ALIGNMENT);
  length.writeDoubleLE(text.length);
  return [length, text, new Uint8Array(-text.length & (ALIGNMENT - 1)), ...columns];
}

function kindOf(value: unknown): ColumnKind | undefined {
  const name = ArrayBuffer.isView(value) ? value.constructor.name : "";
  return Object.hasOwn(COLUMNS, name) ? (name as ColumnKind) : undefined;
}

/** @param bytes of a record, in memory of its own */
function decoded(bytes: Buffer<ArrayBuffer>): KeptRun {
  const length = bytes.readDoubleLE();
  const { rest, tree, values } = v8.deserialize(bytes.subarray(ALIGNMENT, ALIGNMENT + length)) as Plain;
  const from = bytes.byteOffset + ALIGNMENT + length + (-length & (ALIGNMENT - 1));
  const joined = (parts: readonly Part[]) =>
    Object.fromEntries(
      parts.map((part) => [
        part.name,
        "kind" in part ? new COLUMNS[part.kind](bytes.buffer, from + part.offset, part.length) : part.value,
      ]),
    );
  return {
    ...rest,
    tree: joined(tree) as unknown as ContextTree,
    values: values.map((parts) => joined(parts) as unknown as SparseValues),
  };
}

/** Writes a file of runs. @param footerOf gets where each record is, in the order of the runs */
export async function writeRecords(
  handle: fs.FileHandle,
  runs: readonly KeptRun[],
  footerOf: (places: readonly RecordPlace[]) => unknown,
): Promise<void> {
  const places: RecordPlace[] = [];
  let offset = 0;
  for (const run of runs) {
    const pieces = encoded(run);
    const hash = createHash("sha1");
    for (const piece of pieces) hash.update(piece);
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    await handle.writev(pieces);
    places.push({ offset, length, hash: hash.digest("hex") });
    offset += length;
  }
  const footer = v8.serialize(footerOf(places));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeDoubleLE(footer.length);
  await handle.writev([footer, length, createHash("sha1").update(footer).digest()]);
}

/** @throws Error where the file is not as it was written */
export async function readFooter(handle: fs.FileHandle): Promise<unknown> {
  const { size } = await handle.stat();
  const end = size - LENGTH_BYTES - HASH_BYTES;
  if (end < 0) throw damaged();
  const last = await bytesAt(handle, end, size - end);
  const length = last.readDoubleLE();
  if (!Number.isInteger(length) || length < 0 || length > end) throw damaged();
  const footer = await bytesAt(handle, end - length, length);
  if (!createHash("sha1").update(footer).digest().equals(last.subarray(LENGTH_BYTES))) throw damaged();
  return v8.deserialize(footer) as unknown;
}

/** Reads records, the next ones while one is looked at. @throws Error where one is not as it was written */
export async function* readRecords(handle: fs.FileHandle, places: readonly RecordPlace[]): AsyncGenerator<KeptRun> {
  const pending: Promise<Buffer<ArrayBuffer>>[] = [];
  try {
    for (let at = 0, next = 0; at < places.length; at++) {
      for (; next < places.length && pending.length < AHEAD; next++)
        pending.push(bytesAt(handle, places[next].offset, places[next].length));
      const bytes = await pending[0];
      void pending.shift();
      // A disk that loses a block gives zeros, which would be values of runs.
      if (createHash("sha1").update(bytes).digest("hex") !== places[at].hash) throw damaged();
      yield decoded(bytes);
    }
  } finally {
    // The file is closed next.
    await Promise.allSettled(pending);
  }
}

async function bytesAt(handle: fs.FileHandle, offset: number, length: number): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length;) {
    const { bytesRead } = await handle.read(bytes, at, length - at, offset + at);
    if (bytesRead === 0) throw damaged();
    at += bytesRead;
  }
  return bytes;
}

function damaged(): Error {
  return new Error("the file is damaged");
}
