import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { groupBy } from "../model/maps";
import type { Task } from "../model/task";
import { listFiles } from "./listing";

/** The files and folders that this room may open: nothing else on the disk is ever opened. */
export interface SourceWorld {
  /** Absolute paths of the folders of source. */
  readonly folders: readonly string[];
  /** Recorded path prefix → path, absolute or relative to a folder. */
  readonly sourceMap?: Readonly<Record<string, string>>;
  /** The rules come from the user, not from the workspace: only then may they lead outside the folders. */
  readonly sourceMapTrusted?: boolean;
  /** Bytes of source files that are read to find names; absent: all. */
  readonly mostBytes?: number;
}

export interface SourceText {
  readonly text: string;
  /** Of the content: equal hashes, equal text. */
  readonly hash: string;
}

/** Files above this size are not read as source text. */
export const MOST_BYTES = 8 << 20;

/**
 * The files that may be seen: those of the folders, a recording's own copies, and what trusted rules lead to. Open, unsaved
 * texts go before the disk.
 */
export class Sources {
  private openTexts = new Map<string, string>();
  private baseNames: ReadonlyMap<string, readonly string[]> | undefined;
  private smallNames: ReadonlyMap<string, readonly string[]> | undefined;
  private stems: ReadonlyMap<string, readonly string[]> | undefined;
  private readonly known: Set<string>;
  private readonly roots: readonly string[];
  /** Folders that hold a recording's copies of source. */
  private readonly copyRoots = new Set<string>();
  /** Grows when texts changed: what was derived from older ones is stale. */
  version = 0;

  private constructor(
    readonly world: SourceWorld,
    readonly files: readonly string[],
    /** The folders hold more files than are listed. */
    readonly cut: boolean,
  ) {
    this.known = new Set(files);
    this.roots = world.folders.flatMap((folder) => realPath(folder) ?? []);
  }

  /** Lists the folders. */
  static async open(world: SourceWorld, task: Task): Promise<Sources> {
    const folders = world.folders.map((folder) => path.resolve(folder));
    const { files, cut } = await listFiles(listedOnce(folders), task);
    return new Sources({ ...world, folders }, files, cut);
  }

  /** Files by base name. */
  get byBaseName(): ReadonlyMap<string, readonly string[]> {
    this.baseNames ??= groupBy(this.files, (file) => path.basename(file));
    return this.baseNames;
  }

  /** Files by base name in small letters: other systems ignore capitals. */
  get bySmallName(): ReadonlyMap<string, readonly string[]> {
    this.smallNames ??= groupBy(this.files, (file) => path.basename(file).toLowerCase());
    return this.smallNames;
  }

  /** Files by base name without its ending: `halo.h` and `halo.cpp` together. */
  get byStem(): ReadonlyMap<string, readonly string[]> {
    this.stems ??= groupBy(this.files, stemOf);
    return this.stems;
  }

  /** Whether this is a listed file of the folders. */
  has(file: string): boolean {
    return this.known.has(file);
  }

  /** Texts that differ from the disk, by absolute path; they replace those handed in before. @returns files whose text changed */
  setOpenTexts(texts: ReadonlyMap<string, string>): string[] {
    const changed = [...this.openTexts.keys()].filter((file) => !texts.has(file));
    for (const [file, text] of texts) if (this.openTexts.get(file) !== text) changed.push(file);
    this.openTexts = new Map(texts);
    if (changed.length > 0) this.version++;
    return changed;
  }

  /** Files were written on disk: what is known of them is to be read again. */
  noteChanged(): void {
    this.version++;
  }

  /** The text of a file that may be seen; undefined when it may not, is gone, is binary or larger than {@link MOST_BYTES}. */
  read(file: string): SourceText | undefined {
    const open = this.openTexts.get(file);
    if (open !== undefined && this.mayOpen(file)) return { text: open, hash: hashOf(open) };
    const bytes = this.readBytes(file);
    if (bytes === undefined || bytes.subarray(0, 4096).includes(0)) return undefined;
    const text = bytes.toString("utf8");
    return { text, hash: hashOf(text) };
  }

  /** The text as an open editor has it, where it differs from the disk. */
  openText(file: string): string | undefined {
    return this.openTexts.get(file);
  }

  /** A recording that the user opened holds copies of source in this folder: files below it may be opened, but are not searched. */
  allowBelow(folder: string): void {
    const [real, parent] = [realPath(folder), realPath(path.dirname(folder))];
    // A link to elsewhere is no folder of the recording.
    if (real !== undefined && parent !== undefined && isWithin(parent, real)) this.copyRoots.add(real);
  }

  /** Whether a path lies within the folders or a recording's copies once links are resolved, or a trusted rule leads to it. */
  mayOpen(file: string): boolean {
    const real = realPath(file);
    if (real === undefined) return false;
    if (this.roots.some((root) => isWithin(root, real)) || this.isTrustedTarget(real)) return true;
    for (const root of this.copyRoots) if (isWithin(root, real)) return true;
    return false;
  }

  /** Milliseconds since the epoch; undefined when the file may not be seen or is gone. */
  modifiedAt(file: string): number | undefined {
    if (!this.mayOpen(file)) return undefined;
    return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  }

  /** The places that the right side of a rule stands for. */
  targetsOf(to: string): string[] {
    return path.isAbsolute(to) ? [to] : this.world.folders.map((folder) => path.join(folder, to));
  }

  private readBytes(file: string): Buffer | undefined {
    if (!this.mayOpen(file)) return undefined;
    try {
      const stat = fs.statSync(file);
      if (!stat.isFile() || stat.size > MOST_BYTES) return undefined;
      return fs.readFileSync(file);
    } catch {
      return undefined; // gone or not readable: the same as not there
    }
  }

  private isTrustedTarget(real: string): boolean {
    if (!this.world.sourceMapTrusted) return false;
    return Object.values(this.world.sourceMap ?? {}).some((to) =>
      this.targetsOf(to).some((target) => isWithin(realPath(target) ?? target, real)),
    );
  }
}

/** Whether `file` is `folder` or lies below it; both absolute. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === "" || (!relative.startsWith(`..${path.sep}`) && relative !== ".." && !path.isAbsolute(relative));
}

/** Folders without those that lead, by a link, into another one: a file that is there twice would be two files. */
function listedOnce(folders: readonly string[]): string[] {
  const real = folders.map((folder) => realPath(folder) ?? folder);
  return folders.filter((folder, at) =>
    folders.every((other, rival) => {
      if (at === rival || isWithin(other, folder) || !isWithin(real[rival], real[at])) return true;
      return real[rival] === real[at] && at < rival;
    }),
  );
}

/** Base name without its ending. */
export function stemOf(file: string): string {
  return path.basename(file).replace(/\.[^.]*$/, "");
}

export function hashOf(text: string): string {
  return createHash("sha1").update(text).digest("base64url");
}

function realPath(file: string): string | undefined {
  try {
    return fs.realpathSync.native(file);
  } catch {
    return undefined;
  }
}
