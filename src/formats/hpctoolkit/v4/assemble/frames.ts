import path from "node:path";
import { addressOfBits, type Frame, type FrameTable } from "../../../../model/frames";
import { NONE } from "../../../../model/ids";
import type { MetaDb } from "../scan/metaDb";

const FUNCTION = 0;
const LOOP = 1;
const LINE = 2;
const INSTRUCTION = 3;
const INLINED_CALL = 2;
const HAS_FUNCTION = 1;
const HAS_PLACE = 2;
const HAS_POINT = 4;

/** Where HPCToolkit knows no name. */
const UNKNOWN_PROCEDURE = "<unknown procedure>";

/** Frames of contexts, each made once: lines and functions come many times in a tree. */
export class ContextFrames {
  private readonly known = new Map<number, number>();

  constructor(
    private readonly meta: MetaDb,
    private readonly table: FrameTable,
  ) {}

  /** The frame of a row of `meta.contexts`. */
  of(row: number): number {
    const { contexts } = this.meta;
    const flags = contexts.flags[row];
    const kind = contexts.lexicalType[row];
    let key = NONE;
    // What tells frames apart, as one number: three ranges that do not overlap.
    if ((flags & 7) === HAS_FUNCTION) key = 4 * contexts.function[row] + (this.isInlined(row) ? 1 : 0);
    else if ((flags & 7) === HAS_PLACE && kind === LINE && contexts.file[row] < 2 ** 19)
      key = (contexts.file[row] + 1) * 2 ** 33 + contexts.line[row];
    const known = key === NONE ? undefined : this.known.get(key);
    if (known !== undefined) return known;
    const frame = this.table.intern(this.describe(row));
    if (key !== NONE) this.known.set(key, frame);
    return frame;
  }

  private isInlined(row: number): boolean {
    return this.meta.contexts.relation[row] === INLINED_CALL;
  }

  private describe(row: number): Frame {
    const { contexts } = this.meta;
    if (row < contexts.entries.length) return { name: contexts.entries[row].name, kind: "function" };
    const flags = contexts.flags[row];
    const lexicalType = contexts.lexicalType[row];
    // Kinds that are not known yet are recognized by what they have.
    if (lexicalType === FUNCTION || (flags & HAS_FUNCTION) !== 0) return this.functionFrame(row);
    const place = this.placeOf(row);
    if (lexicalType === LOOP)
      return {
        ...place,
        name: place.file ? `loop at ${place.file}:${place.line ?? 0}` : `loop at ${this.pointText(row)}`,
        kind: "loop",
      };
    if (lexicalType === INSTRUCTION || ((flags & HAS_POINT) !== 0 && (flags & HAS_PLACE) === 0))
      return { ...place, name: this.pointText(row), kind: "instruction" };
    return { ...place, name: place.file ? `${place.file}:${place.line ?? 0}` : this.fileText(row), kind: "line" };
  }

  private functionFrame(row: number): Frame {
    const { contexts, functions, files, modules } = this.meta;
    const kind = this.isInlined(row) ? "inlined" : "function";
    const index = contexts.function[row];
    if (index === NONE) return { ...this.placeOf(row), name: UNKNOWN_PROCEDURE, kind };
    const { name, module, offset, file, line } = functions[index];
    const modulePath = module === NONE ? undefined : modules[module].path;
    return {
      name: withoutModule(name ?? UNKNOWN_PROCEDURE, modulePath),
      kind,
      file: file === NONE ? undefined : recordedPath(files[file]),
      line: shownLine(line),
      module: modulePath,
      address: module === NONE ? undefined : addressOfBits(offset),
    };
  }

  private placeOf(row: number): Pick<Frame, "file" | "line" | "module" | "address"> {
    const { contexts, files, modules } = this.meta;
    const [file, module] = [contexts.file[row], contexts.module[row]];
    const recorded = file === NONE ? undefined : recordedPath(files[file]);
    return {
      ...(recorded === undefined ? {} : { file: recorded, line: shownLine(contexts.line[row]) }),
      ...(module === NONE ? {} : { module: modules[module].path, address: addressOfBits(contexts.offset[row]) }),
    };
  }

  /** Load module and offset: all that is known of code without lines. */
  private pointText(row: number): string {
    const { contexts, modules } = this.meta;
    const module = contexts.module[row];
    if (module === NONE) return this.fileText(row);
    return `${path.posix.basename(modules[module].path)}+0x${contexts.offset[row].toString(16)}`;
  }

  private fileText(row: number): string {
    const file = this.meta.contexts.file[row];
    return file === NONE ? "line not known" : this.meta.files[file].path;
  }
}

/** A line that no file has is none. */
function shownLine(line: number): number {
  return line <= 0x7fffffff ? line : 0;
}

/**
 * The path that was recorded: of a file that was copied into the database what stands behind `src`. Undefined where it is no file
 * but a load module without lines: `[libc.so]`.
 */
export function recordedPath({ path: stored, copied }: MetaDb["files"][number]): string | undefined {
  if (/^\[.*\]$/s.test(stored) || stored === "" || stored === "<unknown file>") return undefined;
  return copied ? stored.replace(/^(\.\/)?src(?=\/)/, "") : stored;
}

/** hpcprof writes `name [library]` where it has no lines; the frame says the load module itself. */
function withoutModule(name: string, module: string | undefined): string {
  if (module === undefined || name.startsWith("<")) return name;
  const base = path.posix.basename(module);
  for (const ending of [` [${base}]`, ` [${base.replace(/^<([^.]*)\..*>$/, "$1")}]`])
    if (name.length > ending.length && name.endsWith(ending)) return name.slice(0, -ending.length);
  return name;
}
