import fs from "node:fs/promises";

/** What is read of a program or library of Linux (elf(5)): where its segments are loaded, and which build it is. */
export interface ElfFacts {
  /** Hexadecimal; undefined where the linker wrote none. */
  readonly buildId: string | undefined;
  /** It asks for a loader of libraries: what is linked statically does not, and no library can be put in front of it. */
  readonly isDynamic: boolean;
  /** The address that debug information has for a place of the file; undefined where that is not loaded. */
  addressOf(offset: bigint): bigint | undefined;
}

const HEADER_BYTES = 64;
/** Of ELF64: `p_type` … `p_align`. */
const SEGMENT_BYTES = 56;
const MOST_SEGMENTS = 256;
const MOST_NOTE_BYTES = 1 << 20;
const [LOADED, LOADER, NOTES] = [1, 3, 4];
const BUILD_ID = 3;

/** Bytes of a file from a place on, fewer where it ends before. */
type ReadPart = (at: number, bytes: number) => Promise<Buffer>;

/**
 * What is read of a file, from its header on, while it is open.
 *
 * @returns undefined for what is no ELF file of 64 bits, lowest byte first
 */
export async function inElf<Facts>(
  file: string,
  readFacts: (header: Buffer, read: ReadPart) => Promise<Facts | undefined>,
): Promise<Facts | undefined> {
  const status = await fs.stat(file).catch(() => undefined);
  const opened = status?.isFile() ? await fs.open(file, "r").catch(() => undefined) : undefined;
  if (opened === undefined) return undefined;
  const read: ReadPart = async (at, bytes) => {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(bytes), 0, bytes, at);
    return buffer.subarray(0, bytesRead);
  };
  try {
    const header = await read(0, HEADER_BYTES);
    // Magic number, 64 bits, little-endian.
    if (header.length < HEADER_BYTES || header.toString("latin1", 0, 6) !== "\x7fELF\x02\x01") return undefined;
    return await readFacts(header, read);
  } finally {
    await opened.close();
  }
}

/** @returns undefined for what is no ELF file of 64 bits, lowest byte first */
export function readElf(file: string): Promise<ElfFacts | undefined> {
  return inElf<ElfFacts>(file, async (header, read) => {
    const [at, size, count] = [Number(header.readBigUInt64LE(32)), header.readUInt16LE(54), header.readUInt16LE(56)];
    if (size !== SEGMENT_BYTES || count > MOST_SEGMENTS || !Number.isSafeInteger(at)) return undefined;
    const table = await read(at, size * count);
    const loaded: { offset: bigint; address: bigint; bytes: bigint }[] = [];
    let buildId: string | undefined;
    let isDynamic = false;
    for (let entry = 0; entry + size <= table.length; entry += size) {
      const offset = table.readBigUInt64LE(entry + 8);
      const bytes = table.readBigUInt64LE(entry + 32);
      const type = table.readUInt32LE(entry);
      if (type === LOADER) isDynamic = true;
      if (type === LOADED) loaded.push({ offset, bytes, address: table.readBigUInt64LE(entry + 16) });
      if (type === NOTES && offset <= Number.MAX_SAFE_INTEGER)
        buildId ??= buildIdIn(await read(Number(offset), Math.min(Number(bytes), MOST_NOTE_BYTES)));
    }
    return {
      buildId,
      isDynamic,
      addressOf(place) {
        const segment = loaded.find(({ offset, bytes }) => place >= offset && place < offset + bytes);
        return segment && segment.address + place - segment.offset;
      },
    };
  });
}

/** Notes: sizes of name and content, type, name and content, each up to a multiple of four bytes. */
function buildIdIn(notes: Buffer): string | undefined {
  const whole = (bytes: number) => (bytes + 3) & ~3;
  for (let at = 0; at + 12 <= notes.length;) {
    const [nameBytes, bytes, type] = [0, 4, 8].map((field) => notes.readUInt32LE(at + field));
    const content = at + 12 + whole(nameBytes);
    const isGnu = notes.toString("latin1", at + 12, at + 15) === "GNU";
    if (type === BUILD_ID && isGnu && bytes > 0) return notes.toString("hex", content, content + bytes);
    at = content + whole(bytes);
  }
  return undefined;
}
