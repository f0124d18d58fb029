import { FormatError } from "../../../../model/errors";
import type { ByteSource } from "../../../byteSource";
import { startsWith } from "../../../cursor";
import { damaged, FileWindows } from "./fileWindows";

/** The files of a database, by the four letters in their header. */
export type DbKind = "meta" | "prof" | "ctxt" | "trce";

const MAGIC = "HPCTOOLKIT";
const HEADER_BYTES = 16;
const SECTION_BYTES = 16;
const FOOTER_BYTES = 8;
const EXACT = 2 ** 53;

const files: Readonly<Record<DbKind, { name: string; footer: string; sections: number }>> = {
  meta: { name: "meta.db", footer: "_meta.db", sections: 8 },
  prof: { name: "profile.db", footer: "_prof.db", sections: 2 },
  ctxt: { name: "cct.db", footer: "__ctx.db", sections: 1 },
  trce: { name: "trace.db", footer: "trace.db", sections: 1 },
};

/** What the files of a database are called. */
export function fileNameOf(kind: DbKind): string {
  return files[kind].name;
}

/** Which file of a database starts with these bytes; undefined for any other file. */
export function kindOf(bytes: Uint8Array): DbKind | undefined {
  if (bytes.length < HEADER_BYTES || !startsWith(bytes, MAGIC)) return undefined;
  return (Object.keys(files) as DbKind[]).find((kind) => startsWith(bytes, kind, MAGIC.length));
}

/** A part of a file; both in bytes. */
export interface Section {
  readonly position: number;
  readonly size: number;
}

/** One file of a database with its header read and its end seen: all later positions are checked against its size. */
export interface DbFile {
  readonly windows: FileWindows;
  /** Minor version of the format; the major one is 4. */
  readonly minor: number;
  readonly sections: readonly Section[];
}

/**
 * @param ahead how much is read at once, see {@link FileWindows}
 * @throws FormatError where the file is no whole file of this kind
 */
export async function openDbFile(source: ByteSource, kind: DbKind, ahead?: number): Promise<DbFile> {
  const { name, footer, sections: count } = files[kind];
  if (!Number.isFinite(source.size))
    throw new FormatError({
      file: source.name,
      found: "a packed file",
      expected: `${name} as hpcprof wrote it`,
      advice: "Unpack it with gunzip.",
    });
  const windows = new FileWindows(source, ahead);
  const headBytes = HEADER_BYTES + count * SECTION_BYTES;
  const head = await windows.bytes(0, Math.min(windows.size, headBytes), "header");
  if (kindOf(head) !== kind) throw damaged(source.name, 0, "another header", `the header of ${name}`);
  const [major, minor] = [head[14], head[15]];
  if (major !== 4)
    throw new FormatError({
      file: source.name,
      at: { byte: 14 },
      found: `version ${major} of the format`,
      expected: "version 4",
      advice: "Make the database with an hpcprof that writes version 4 (HPCToolkit 2022.10 or later).",
    });
  const view = await windows.view(0, headBytes, "header");
  const sections = Array.from({ length: count }, (_, index): Section => {
    const at = HEADER_BYTES + index * SECTION_BYTES;
    const size = u64(view, at);
    const position = u64(view, at + 8);
    windows.check(position, size, `section ${index + 1} of ${name}`);
    return { position, size };
  });
  const end = windows.size - FOOTER_BYTES;
  const last = await windows.bytes(end, FOOTER_BYTES, "footer");
  if (!startsWith(last, footer)) throw damaged(source.name, end, "no footer", `"${footer}" at the end of ${name}`);
  return { windows, minor, sections };
}

/**
 * An unsigned size, count or offset. What is beyond 2^53 is rounded: no file is that large, so every check against the file
 * refuses it.
 */
export function u64(view: DataView, at: number): number {
  const value = view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
  return value > EXACT ? Number.POSITIVE_INFINITY : value;
}
