/** Cache of runs on disk, by the versions of their files. Opening an ensemble again reads only changed files. */
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { threadId } from "node:worker_threads";
import { fileVersion, systemFiles } from "../../formats/fileSource";
import { Folders } from "../../formats/folders";
import { type Frame, FrameTable } from "../../model/frames";
import type { FrameId } from "../../model/ids";
import { RUN_FILE } from "../../model/runFacts";
import { StringTable } from "../../model/strings";
import type { Task } from "../../model/task";
import type { KeptRun } from "./runCollector";
import { readFooter, readRecords, type RecordPlace, writeRecords } from "./runRecords";

export interface EnsembleCacheOptions {
  readonly folder: string;
  /** Of all that is kept; the oldest go. */
  readonly mostBytes: number;
  /** The program that reads: another version may read the same files otherwise. */
  readonly program: string;
}

/** What reading gives, before anything is named or joined. */
export interface CollectedRuns {
  readonly runs: readonly KeptRun[];
  readonly frames: FrameTable;
}

/** The files of an ensemble as they are now. */
export interface FileStates {
  /** Of the paths that are opened, and of what else their reading depends on. */
  readonly key: string;
  /** Of all files. */
  readonly all: string;
  /** Version of each (`fileVersion`); empty if it cannot be read. */
  readonly of: ReadonlyMap<string, string>;
}

/** What is known of an ensemble without reading recordings. */
export interface KnownRuns extends CollectedRuns {
  /** Nothing has changed: there is nothing else to read. */
  readonly areAll: boolean;
}

interface Footer {
  readonly version: number;
  readonly key: string;
  /** {@link FileStates.all} when it was written. */
  readonly all: string;
  readonly frames: readonly Frame[];
  readonly records: readonly (RecordPlace & { readonly file?: string; readonly state?: string })[];
}

/** Another one where what is kept of a run is another. */
const VERSION = 4;
const ENDING = ".runs";
/** Fewer bytes of recordings are read again as fast. */
const LEAST_BYTES = 16e6;
/** What was not finished by then never will be. */
const UNFINISHED_MS = 3_600_000;

/** Files of several writers in one process: windows of one host, threads. */
let written = 0;

export class EnsembleCache {
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly options: EnsembleCacheOptions) {}

  /**
   * The files in the folders of these paths; undefined where keeping what is read of them would not pay.
   *
   * @param more what else the reading depends on
   */
  async statesOf(paths: readonly string[], more: string, task: Pick<Task, "check">): Promise<FileStates | undefined> {
    const folders = new Folders(systemFiles);
    const of = new Map<string, string>();
    let bytes = 0;
    const named = new Set<string>();
    for (const given of paths) {
      const status = await systemFiles.stat(given).catch(() => undefined);
      // Readers also take what lies beside a file, as the other files of a database, and what a traced build has kept.
      named.add(status?.isDirectory() ? given : path.dirname(given));
    }
    for (const folder of [...named].sort()) {
      task.check();
      const names = [...(await folders.of(folder)).names].sort();
      const files = names.map((name) => path.join(folder, name));
      const found = await Promise.all(files.map((file) => systemFiles.stat(file).catch(() => undefined)));
      found.forEach((one, at) => {
        bytes += Number(one?.size ?? 0);
        of.set(files[at], one === undefined ? "" : fileVersion(one));
      });
    }
    if (bytes < LEAST_BYTES) return undefined;
    const { program } = this.options;
    return {
      key: digestOf([VERSION, program, process.versions.v8, more, [...paths].sort()]),
      all: digestOf([...of]),
      of,
    };
  }

  /** Undefined where nothing is kept of these paths, or it cannot be read; else at least the runs whose files are as they were. */
  async load(states: FileStates, task: Pick<Task, "check">): Promise<KnownRuns | undefined> {
    const file = this.fileOf(states.key);
    const handle = await fs.open(file, "r").catch(() => undefined);
    if (!handle) return undefined;
    try {
      const footer = (await readFooter(handle)) as Footer;
      if (footer.version !== VERSION || footer.key !== states.key) return undefined;
      const areAll = footer.all === states.all;
      const places = areAll ? footer.records : footer.records.filter((record) => isAsBefore(record, states));
      const frames = new FrameTable(new StringTable());
      for (const frame of footer.frames) frames.intern(frame);
      const runs: KeptRun[] = [];
      for await (const run of readRecords(handle, places)) {
        task.check();
        runs.push(run);
      }
      const now = new Date();
      await fs.utimes(file, now, now).catch(() => undefined);
      return { runs, frames, areAll };
    } catch (problem) {
      if ((problem as Error).name === "CancelledError") throw problem;
      // Cut or of another version: it is written anew.
      return undefined;
    } finally {
      await handle.close();
    }
  }

  /** Writes in the background; a disk that is full only means that the files are read again next time. */
  keep(states: FileStates, collected: CollectedRuns): void {
    this.writing = this.writing.then(() => this.write(states, collected)).catch(() => undefined);
  }

  /** Resolves when nothing is being written any more. */
  settled(): Promise<void> {
    return this.writing;
  }

  private fileOf(key: string): string {
    return path.join(this.options.folder, `${key}${ENDING}`);
  }

  private async write({ key, all, of }: FileStates, { runs, frames }: CollectedRuns): Promise<void> {
    await fs.mkdir(this.options.folder, { recursive: true, mode: 0o700 });
    const file = this.fileOf(key);
    const unfinished = `${file}.${process.pid}-${threadId}-${written++}`;
    const handle = await fs.open(unfinished, "w", 0o600);
    const allFrames = Array.from({ length: frames.size }, (_, id) => frames.get(id as FrameId));
    try {
      await writeRecords(handle, runs, (places): Footer => {
        const records = places.map((place, at) => {
          const { files, isAlone } = runs[at];
          return { ...place, ...(isAlone ? { file: files[0], state: of.get(files[0]) } : {}) };
        });
        return { version: VERSION, key, all, frames: allFrames, records };
      });
      await handle.close();
      await fs.rename(unfinished, file);
    } catch (problem) {
      await handle.close().catch(() => undefined);
      await fs.rm(unfinished, { force: true });
      throw problem;
    }
    await this.makeRoom();
  }

  private async makeRoom(): Promise<void> {
    const { folder, mostBytes } = this.options;
    const names = (await fs.readdir(folder)).filter((name) => name.includes(ENDING));
    const found = await Promise.all(
      names.map(async (name) => {
        const file = path.join(folder, name);
        // Another window may have taken it away.
        const status = await fs.stat(file).catch(() => undefined);
        return status ? [{ file, status }] : [];
      }),
    );
    const files = found.flat().sort((a, b) => b.status.mtimeMs - a.status.mtimeMs);
    let bytes = 0;
    for (const { file, status } of files) {
      if (!file.endsWith(ENDING)) {
        if (Date.now() - status.mtimeMs > UNFINISHED_MS) await fs.rm(file, { force: true });
        continue;
      }
      bytes += status.size;
      if (bytes > mostBytes) await fs.rm(file, { force: true });
    }
  }
}

function digestOf(what: unknown): string {
  return createHash("sha256").update(JSON.stringify(what)).digest("hex");
}

/** Whether a run is what its file would be read as now: no other file is of it, and none says more of it. */
function isAsBefore({ file, state }: Footer["records"][number], { of }: FileStates): boolean {
  return (
    file !== undefined &&
    state !== undefined &&
    of.get(file) === state &&
    !of.has(path.join(path.dirname(file), RUN_FILE))
  );
}
