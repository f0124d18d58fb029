/** What was read of the runs of ensembles, kept on disk by the sizes and times of their files: opening them again reads no recording. */
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import v8 from "node:v8";
import { threadId } from "node:worker_threads";
import { systemFiles } from "../../formats/fileSource";
import { Folders } from "../../formats/folders";
import type { Warning } from "../../model/dataSet";
import { type Frame, FrameTable } from "../../model/frames";
import type { FrameId } from "../../model/ids";
import { StringTable } from "../../model/strings";
import type { Task } from "../../model/task";
import type { KeptRun } from "./runCollector";

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
  readonly warnings: readonly Warning[];
}

interface Header {
  readonly version: number;
  readonly key: string;
  readonly runs: number;
  readonly frames: readonly Frame[];
  readonly warnings: readonly Warning[];
}

/** Another one where what is kept of a run is another. */
const VERSION = 2;
const ENDING = ".runs";
/** Fewer bytes of recordings are read again as fast. */
const LEAST_BYTES = 16e6;
/** Before each record: its length, and what tells whether it is as it was written. */
const [LENGTH_BYTES, HASH_BYTES] = [8, 20];
/** What was not finished by then never will be. */
const UNFINISHED_MS = 3_600_000;

/** Files of several writers in one process: windows of one host, threads. */
let written = 0;

export class EnsembleCache {
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly options: EnsembleCacheOptions) {}

  /**
   * What tells these files, in this state, from all others; undefined where keeping them would not pay.
   *
   * @param more what else the reading depends on
   */
  async keyOf(paths: readonly string[], more: string, task: Pick<Task, "check">): Promise<string | undefined> {
    const folders = new Folders(systemFiles);
    const states: string[] = [];
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
        states.push(`${files[at]}\n${one?.size}\n${one?.mtimeNs}`);
      });
    }
    if (bytes < LEAST_BYTES) return undefined;
    return createHash("sha256")
      .update(JSON.stringify([VERSION, this.options.program, process.versions.v8, more, [...paths].sort(), states]))
      .digest("hex");
  }

  /** Undefined where nothing is kept under this key, or it cannot be read. */
  async load(key: string, task: Pick<Task, "check">): Promise<CollectedRuns | undefined> {
    const file = this.fileOf(key);
    const handle = await fs.open(file, "r").catch(() => undefined);
    if (!handle) return undefined;
    try {
      const header = (await nextRecord(handle)) as Header;
      if (header.version !== VERSION || header.key !== key) return undefined;
      const frames = new FrameTable(new StringTable());
      for (const frame of header.frames) frames.intern(frame);
      const runs: KeptRun[] = [];
      while (runs.length < header.runs) {
        task.check();
        runs.push((await nextRecord(handle)) as KeptRun);
      }
      const now = new Date();
      await fs.utimes(file, now, now).catch(() => undefined);
      return { runs, frames, warnings: header.warnings };
    } catch (problem) {
      if ((problem as Error).name === "CancelledError") throw problem;
      // Cut or of another version: it is written anew.
      return undefined;
    } finally {
      await handle.close();
    }
  }

  /** Writes in the background; a disk that is full only means that the files are read again next time. */
  keep(key: string, collected: CollectedRuns): void {
    this.writing = this.writing.then(() => this.write(key, collected)).catch(() => undefined);
  }

  /** Resolves when nothing is being written any more. */
  settled(): Promise<void> {
    return this.writing;
  }

  private fileOf(key: string): string {
    return path.join(this.options.folder, `${key}${ENDING}`);
  }

  private async write(key: string, { runs, frames, warnings }: CollectedRuns): Promise<void> {
    await fs.mkdir(this.options.folder, { recursive: true, mode: 0o700 });
    const file = this.fileOf(key);
    const unfinished = `${file}.${process.pid}-${threadId}-${written++}`;
    const handle = await fs.open(unfinished, "w", 0o600);
    try {
      const all = Array.from({ length: frames.size }, (_, id) => frames.get(id as FrameId));
      const header: Header = { version: VERSION, key, runs: runs.length, frames: all, warnings };
      for (const record of [header, ...runs]) {
        const bytes = v8.serialize(record);
        const length = Buffer.alloc(LENGTH_BYTES);
        length.writeDoubleLE(bytes.length);
        await handle.writev([length, hashOf(bytes), bytes]);
      }
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

function hashOf(bytes: Uint8Array): Buffer {
  return createHash("sha1").update(bytes).digest();
}

/** @throws Error where the file ends before, or holds anything else than was written */
async function nextRecord(handle: fs.FileHandle): Promise<unknown> {
  const length = Buffer.alloc(LENGTH_BYTES);
  await readAll(handle, length);
  const size = length.readDoubleLE();
  const { size: most } = await handle.stat();
  if (!Number.isInteger(size) || size < 0 || size > most) throw new Error("the file is damaged");
  const hash = Buffer.alloc(HASH_BYTES);
  await readAll(handle, hash);
  const bytes = Buffer.allocUnsafeSlow(size);
  await readAll(handle, bytes);
  // A disk that loses a block gives zeros, which would be values of runs.
  if (!hashOf(bytes).equals(hash)) throw new Error("the file is damaged");
  return v8.deserialize(bytes) as unknown;
}

async function readAll(handle: fs.FileHandle, target: Buffer): Promise<void> {
  for (let at = 0; at < target.length;) {
    const { bytesRead } = await handle.read(target, at, target.length - at);
    if (bytesRead === 0) throw new Error("the file ends early");
    at += bytesRead;
  }
}
