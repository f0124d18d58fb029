import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import zlib from "node:zlib";
import { inElf } from "./elf";

/** Where a section lies in its file (elf(5)). */
export interface ElfSection {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
  readonly isCompressed: boolean;
}

/** Of ELF64: `sh_name` … `sh_entsize`. */
const SECTION_BYTES = 64;
const MOST_NAMES_BYTES = 1 << 20;
/** Nothing that is looked for is called by more; names may overlap, so that all of them together would be any number of bytes. */
const MOST_NAME_BYTES = 64;
/** `Elf64_Chdr`: how it is compressed, and its size before that. */
const COMPRESSION_BYTES = 24;
const BY_ZLIB = 1;
const NO_BYTES = 8;
const COMPRESSED = 0x800n;
const PIECE_BYTES = 256 << 10;

/** Sections of a program or library by name; none of what is no ELF file of 64 bits, lowest byte first. */
export async function readSections(file: string): Promise<ReadonlyMap<string, ElfSection>> {
  const sections = await inElf(file, async (header, read) => {
    const at = Number(header.readBigUInt64LE(40));
    const [size, count, namesAt] = [58, 60, 62].map((field) => header.readUInt16LE(field));
    if (size !== SECTION_BYTES || namesAt >= count || !Number.isSafeInteger(at)) return undefined;
    const table = await read(at, size * count);
    const part = (entry: number) => {
      const [offset, bytes] = [24, 32].map((field) => Number(table.readBigUInt64LE(entry * size + field)));
      return Number.isSafeInteger(offset + bytes) ? { offset, bytes } : undefined;
    };
    const readable = Math.floor(table.length / size);
    const namesPart = namesAt < readable ? part(namesAt) : undefined;
    if (namesPart === undefined) return undefined;
    const names = await read(namesPart.offset, Math.min(namesPart.bytes, MOST_NAMES_BYTES));
    const found = new Map<string, ElfSection>();
    for (let entry = 0; entry < readable; entry++) {
      const where = part(entry);
      const from = table.readUInt32LE(entry * size);
      const end = names.subarray(from, from + MOST_NAME_BYTES).indexOf(0);
      if (where === undefined || end < 0 || table.readUInt32LE(entry * size + 4) === NO_BYTES) continue;
      const isCompressed = (table.readBigUInt64LE(entry * size + 8) & COMPRESSED) !== 0n;
      found.set(names.toString("utf8", from, from + end), { file, ...where, isCompressed });
    }
    return found;
  });
  return sections ?? new Map<string, ElfSection>();
}

/**
 * A section's content, piece by piece, as it was before it was compressed. Only zlib is known (not zstd): of others there are no pieces.
 *
 * @throws what reading or unpacking of a damaged file throws
 */
export async function* piecesOf({ file, offset, bytes, isCompressed }: ElfSection): AsyncGenerator<Buffer> {
  const header = isCompressed ? COMPRESSION_BYTES : 0;
  if (bytes <= header) return;
  if (isCompressed) {
    const type = await inElf(file, (_, read) => read(offset, header));
    if (type?.length !== header || type.readUInt32LE(0) !== BY_ZLIB) return;
  }
  const stored = createReadStream(file, {
    start: offset + header,
    end: offset + bytes - 1,
    highWaterMark: PIECE_BYTES,
  });
  // Errors of the file end the stream that is read.
  const content: Readable = isCompressed
    ? pipeline(stored, zlib.createInflate({ chunkSize: PIECE_BYTES }), () => undefined)
    : stored;
  for await (const piece of content) yield piece as Buffer;
}

/** A section's content as a whole. @returns undefined where it is more than `mostBytes` */
export async function contentOf(section: ElfSection, mostBytes: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(section)) {
    bytes += piece.length;
    if (bytes > mostBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
