import fs from "node:fs";
import type { Warning } from "../model/dataSet";
import { FormatError } from "../model/errors";
import type { Task } from "../model/task";
import type { ByteSource } from "./byteSource";
import { decoded } from "./decoded";
import { changed, FileSource, type FileSystem } from "./fileSource";
import type { Folders } from "./folders";
import type { Head } from "./format";
import { headOf, PACKED_CUT, type StoredHead, unpacked } from "./unpacked";

/** How much of a file decides what it is. */
const HEAD_BYTES = 64 << 10;
/** Bytes that decide how a file is stored. */
const JUDGED_BYTES = 512;
/** Heads that wait for their file to be read: most small files are nothing but their head. */
const MOST_HEAD_BYTES = 64 << 20;

/** Files that are closed between two looks at whether the opening was cancelled. */
const CLOSED_AT_ONCE = 256;

/** A file of an opening. */
interface Entry {
  /** Undefined while it is not open. */
  source: Promise<FileSource> | undefined;
  /** What it was when it was opened first. */
  version: string | undefined;
  /** Bytes that it had when it was opened last. */
  size: number;
  head: StoredHead | undefined;
  /** Readers that have not closed it. */
  users: number;
}

/**
 * The files of one opening: each is opened once, to find out what it is and to read it, as long as the system lets so many be open.
 * Beyond that, files are closed in between.
 */
export class OpenedFiles {
  private readonly entries = new Map<string, Entry>();
  private readonly grown = new Map<string, number>();
  /** Packed files whose packed data ended early. */
  private readonly cut = new Set<string>();
  private open = 0;
  private headBytes = 0;

  constructor(
    private readonly system: FileSystem,
    private readonly folders: Folders,
    private readonly mostOpen = mostOpenFiles(),
  ) {}

  /** The first bytes of a file, unpacked where it is packed, as UTF-8 where it is text. @throws FormatError */
  async head(file: string): Promise<Head> {
    const known = this.entries.get(file)?.head;
    if (known) return known;
    return this.using(file, async (entry, source) => {
      const head = await headOf(source, HEAD_BYTES);
      if (this.headBytes + head.bytes.length <= MOST_HEAD_BYTES) {
        entry.head = head;
        this.headBytes += head.bytes.length;
      }
      return head;
    });
  }

  /** What tells a file from all others, whatever it is called. @throws FormatError */
  identityOf(file: string): Promise<string> {
    return this.using(file, async (_, { identity }) => identity);
  }

  /**
   * Opens a file for reading, unpacked where it is packed, as UTF-8 where it is text.
   *
   * @param mostRatio how many times larger than its file a packed one may become
   * @throws FormatError
   */
  async read(file: string, mostRatio: number): Promise<ByteSource> {
    const { entry, source } = await this.acquire(file);
    const stored =
      entry.head ?? (await headOf(source, JUDGED_BYTES).catch((problem: unknown) => this.failed(entry, problem)));
    const shared = new SharedSource(source, entry.head, async () => {
      this.headBytes -= entry.head?.bytes.length ?? 0;
      entry.head = undefined;
      await this.release(entry);
    });
    const content = stored.packed ? unpacked(shared, mostRatio, () => this.noteCut(file)) : shared;
    return stored.encoding === undefined ? content : decoded(content, stored.encoding);
  }

  /** Notes that the packed data of a file ended early: it has a warning then. */
  noteCut(file: string): void {
    this.cut.add(file);
  }

  /** What happened to the files while they were read. Those that are looked at are closed. @throws CancelledError */
  async warnings(task: Pick<Task, "check">): Promise<Warning[]> {
    const warnings: Warning[] = [];
    let closing: Promise<void>[] = [];
    for (const [file, entry] of this.entries) {
      const source = await entry.source;
      await source?.settle().catch((problem: unknown) => {
        if (!(problem instanceof FormatError)) throw problem;
        warnings.push({ message: `found ${problem.problem.found}. ${problem.problem.advice}`, file });
      });
      const bytes = source?.grownBytes ?? this.grown.get(file) ?? 0;
      if (bytes > 0)
        warnings.push({
          message: `a program still writes this file: ${bytes} bytes came while it was read. Open it again to see them`,
          file,
        });
      if (this.cut.has(file))
        warnings.push({
          message: PACKED_CUT,
          file,
          at: { byte: entry.size },
          isCut: true,
        });
      closing.push(this.shut(entry));
      if (closing.length < CLOSED_AT_ONCE) continue;
      // Thousands take a while.
      await Promise.all(closing);
      closing = [];
      task.check();
    }
    await Promise.all(closing);
    return warnings;
  }

  async close(): Promise<void> {
    await Promise.all([...this.entries.values()].map((entry) => this.shut(entry)));
  }

  private async using<Result>(
    file: string,
    use: (entry: Entry, source: FileSource) => Promise<Result>,
  ): Promise<Result> {
    const { entry, source } = await this.acquire(file);
    try {
      return await use(entry, source);
    } finally {
      await this.release(entry);
    }
  }

  private async failed(entry: Entry, problem: unknown): Promise<never> {
    await this.release(entry);
    throw problem;
  }

  private async acquire(file: string): Promise<{ entry: Entry; source: FileSource }> {
    const entry = this.entries.get(file) ?? {
      source: undefined,
      version: undefined,
      size: 0,
      head: undefined,
      users: 0,
    };
    this.entries.set(file, entry);
    entry.users++;
    try {
      entry.source ??= this.opened(file).catch((problem: unknown) => {
        entry.source = undefined;
        throw problem;
      });
      const source = await entry.source;
      entry.version ??= source.version;
      entry.size = source.size;
      if (entry.version !== source.version) throw changed(file, 0, source.size);
      return { entry, source };
    } catch (problem) {
      return this.failed(entry, problem);
    }
  }

  private async opened(file: string): Promise<FileSource> {
    const source = await FileSource.open(file, this.system, this.folders.isFile(file));
    this.open++;
    return source;
  }

  private async release(entry: Entry): Promise<void> {
    if (--entry.users === 0 && this.open > this.mostOpen) await this.shut(entry);
  }

  private async shut(entry: Entry): Promise<void> {
    const source = await entry.source?.catch(() => undefined);
    entry.source = undefined;
    if (!source) return;
    this.open--;
    if (source.grownBytes > 0) this.grown.set(source.name, source.grownBytes);
    await source.close();
  }
}

/** A file that others read as well; what was read of it to find out what it is, is not read again. */
class SharedSource implements ByteSource {
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: number;
  readonly version: string;
  private isClosed = false;

  constructor(
    private readonly source: FileSource,
    private readonly head: Entry["head"],
    private readonly onClose: () => Promise<void>,
  ) {
    this.name = source.name;
    this.size = source.size;
    this.modifiedAt = source.modifiedAt;
    this.version = source.version;
  }

  read(target: Uint8Array, position: number): Promise<number> {
    const { head } = this;
    if (!head?.whole || head.packed || head.encoding !== undefined) return this.source.read(target, position);
    const part = head.bytes.subarray(position, position + target.length);
    target.set(part);
    return Promise.resolve(part.length);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.onClose();
  }
}

/** How many files an opening may hold open: half of what the system gives the process. */
function mostOpenFiles(): number {
  try {
    const limit = /^Max open files +(\d{1,9})/m.exec(fs.readFileSync("/proc/self/limits", "latin1"));
    return Math.floor(Number(limit?.[1] ?? 256) / 2);
  } catch {
    return 128;
  }
}
