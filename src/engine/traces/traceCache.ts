/**
 * Columns of traces on disk: files of one folder a process, removed when their trace is closed. What a process that ended
 * without closing has left behind, the next one removes.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { ColumnFile, ColumnFiles } from "../../model/columnFile";
import { RequestError } from "../../model/errors";

export interface TraceCacheOptions {
  /** What {@link newCacheFolder} gave; made when there is something to write. */
  readonly folder: string;
  /** Most bytes of all folders beside it and of this one. */
  readonly mostBytes: number;
  /** Bytes of columns of one opening that stay in memory; absent: as many as usual. */
  readonly memoryBytes?: number;
}

/** Column files of one opening: what a reading that failed has made goes with it. */
export interface OpeningFiles extends ColumnFiles {
  close(): Promise<void>;
}

const PREFIX = "heatflow-traces-";
/** Name of a folder: the machine, the process and when it started, and which of its caches. */
const FOLDER = /^heatflow-traces-([A-Za-z0-9_]+)-(\d+)-(\d+)-[0-9a-f]+$/;
/** A folder is touched this often: nothing else shows whether a process of another machine still lives. */
const TOUCH_EVERY_MS = 3_600_000;
const LEFT_BEHIND_AFTER_MS = 7 * 24 * TOUCH_EVERY_MS;

/** A folder below `parent` that no other cache has, now or later. */
export function newCacheFolder(parent: string): string {
  const name = [thisMachine(), process.pid, startOf(process.pid) ?? 0, randomBytes(6).toString("hex")].join("-");
  return path.join(parent, PREFIX + name);
}

export class TraceCache {
  private bytes = 0;
  private lastFile = 0;
  private made: Promise<void> | undefined;
  private touching: NodeJS.Timeout | undefined;
  private readonly open = new Set<ColumnFile>();

  constructor(private readonly options: TraceCacheOptions) {}

  /** For everything that one opening reads. */
  opening(): OpeningFiles {
    const own = new Set<ColumnFile>();
    return {
      memoryBytes: this.options.memoryBytes,
      create: async () => {
        const file = await this.create();
        own.add(file);
        return file;
      },
      close: async () => {
        await Promise.allSettled([...own].map((file) => file.close()));
      },
    };
  }

  /** Removes everything. */
  async dispose(): Promise<void> {
    clearInterval(this.touching);
    await Promise.allSettled([...this.open].map((file) => file.close()));
    await fs.rm(this.options.folder, { recursive: true, force: true });
  }

  /** Makes room for bytes in the account, before they are written. @throws RequestError */
  take(bytes: number, others: number): void {
    const { mostBytes } = this.options;
    if (this.bytes + others + bytes > mostBytes)
      throw new RequestError(
        `This trace needs more disk space than Heatflow may take for traces: ${gigabytes(mostBytes)} GB. ` +
          "Close other data sets, or raise the setting heatflow.limits.cache.",
      );
    this.bytes += bytes;
  }

  giveBack(bytes: number): void {
    this.bytes -= bytes;
  }

  private async create(): Promise<ColumnFile> {
    this.made ??= this.makeFolder();
    await this.made.catch((problem: unknown) => {
      this.made = undefined;
      throw problem;
    });
    const name = path.join(this.options.folder, `${++this.lastFile}.columns`);
    const handle = await explained(name, () => fs.open(name, "wx+", 0o600));
    const others = await sizeBeside(this.options.folder);
    const file = new DiskFile(name, handle, this, others, () => this.open.delete(file));
    this.open.add(file);
    return file;
  }

  private async makeFolder(): Promise<void> {
    const { folder } = this.options;
    await explained(folder, async () => {
      await fs.mkdir(path.dirname(folder), { recursive: true });
      await fs.mkdir(folder, { mode: 0o700 });
    });
    this.touching = setInterval(() => {
      const now = new Date();
      fs.utimes(folder, now, now).catch(() => undefined);
    }, TOUCH_EVERY_MS);
    this.touching.unref();
  }
}

class DiskFile implements ColumnFile {
  size = 0;
  private closed: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    private readonly handle: fs.FileHandle,
    private readonly cache: TraceCache,
    private readonly others: number,
    private readonly onClose: () => void,
  ) {}

  async append(bytes: Uint8Array): Promise<number> {
    this.cache.take(bytes.length, this.others);
    const position = this.size;
    this.size += bytes.length;
    await this.put(bytes, position);
    return position;
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    if (position + bytes.length > this.size) throw new RangeError("only bytes that are there can be replaced");
    await this.put(bytes, position);
  }

  async read(target: Uint8Array, position: number): Promise<void> {
    for (let got = 0; got < target.length;) {
      const { bytesRead } = await this.handle.read(target, got, target.length - got, position + got);
      if (bytesRead === 0) throw new RangeError(`${this.name} was made shorter by another program`);
      got += bytesRead;
    }
  }

  close(): Promise<void> {
    this.closed ??= this.remove();
    return this.closed;
  }

  private async put(bytes: Uint8Array, position: number): Promise<void> {
    await explained(this.name, async () => {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await this.handle.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    });
  }

  private async remove(): Promise<void> {
    this.onClose();
    this.cache.giveBack(this.size);
    await this.handle.close();
    await fs.rm(this.name, { force: true });
  }
}

/** What went wrong on the disk, in words that say what to do. */
async function explained<Result>(place: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const folder = path.dirname(place);
    if (code === "ENOSPC" || code === "EDQUOT")
      throw new RequestError(
        `No space is left for the columns of this trace in ${folder}. Remove files there, or close other data sets.`,
      );
    if (code === "EACCES" || code === "EPERM" || code === "EROFS" || code === "ENOTDIR")
      throw new RequestError(
        `The columns of this trace cannot be written to ${folder} (${code}): check its permissions.`,
      );
    throw cause;
  }
}

/** Removes the folders of processes that ended without closing their traces; never those of others that live. */
export async function removeLeftOvers(parent: string): Promise<void> {
  for (const name of await fs.readdir(parent).catch(() => [])) {
    const folder = path.join(parent, name);
    if (FOLDER.test(name) && (await isLeftOver(name, folder)))
      await fs.rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isLeftOver(name: string, folder: string): Promise<boolean> {
  const [, machine, id, start] = FOLDER.exec(name) ?? [];
  const status = await fs.lstat(folder).catch(() => undefined);
  if (!status?.isDirectory() || (process.getuid && status.uid !== process.getuid())) return false;
  if (machine !== thisMachine()) return Date.now() - status.mtimeMs > LEFT_BEHIND_AFTER_MS;
  const pid = Number(id);
  if (!isAlive(pid)) return true;
  // The number of a process that ended may be another's by now.
  const startNow = startOf(pid);
  return startNow !== undefined && start !== "0" && startNow !== start;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** When a process started, in the system's own count; undefined where the system does not say. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // After the program's name, which may hold anything: state is field 3, the start is field 22.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function thisMachine(): string {
  return os.hostname().replace(/[^A-Za-z0-9_]/g, "_") || "_";
}

/** Bytes in the folders of other processes. */
async function sizeBeside(folder: string): Promise<number> {
  const parent = path.dirname(folder);
  let bytes = 0;
  for (const name of await fs.readdir(parent).catch(() => [])) {
    if (!FOLDER.test(name) || name === path.basename(folder)) continue;
    for (const file of await fs.readdir(path.join(parent, name)).catch(() => []))
      bytes += (await fs.lstat(path.join(parent, name, file)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}

function gigabytes(bytes: number): string {
  return `${Number((bytes / 1e9).toPrecision(3))}`;
}
