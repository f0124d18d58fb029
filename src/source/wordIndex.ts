import { createHash } from "node:crypto";
import fs from "node:fs";
import { entryOf } from "../model/maps";
import type { Task } from "../model/task";
import { DefineTable } from "./defineTable";
import { isCaseless, languageOf, servedLanguageOf } from "./languages";
import { Pace } from "./pace";
import { MOST_BYTES, type Sources } from "./sources";
import { WordCollector } from "./wordCollector";
import { hashWord, quotedHash } from "./words";

/** Files that are read between two looks at the clock, and read at once where the disk is slow. */
const BATCH = 64;
/**
 * Milliseconds that reading a batch may take. Two batches in a row that take longer are a network's disk: then files are read at
 * once, to hide its delay. On a local disk one after the other is three times as fast (20,000 files: 0.14 s against 0.37 s).
 */
const SLOW_BATCH = 60;
/** No link is followed, so that nothing put in a file's place since the listing leads outside the folders. */
const READ = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0);
/** Words are kept in this many groups by the first bits of their hash: a look-up goes through one group. */
const GROUP_BITS = 14;

/**
 * Which source files hold which words: one pass over the folders' bytes keeps the hashes of each file's distinct words
 * (8 bytes each, about 2 MB a 1,000 files) and the words of every `#define`. Any name is then found without reading again, so that only
 * files that hold it are parsed.
 */
export class WordIndex {
  private hashes = new Int32Array(0);
  private files = new Int32Array(0);
  private readonly groupStart = new Int32Array((1 << GROUP_BITS) + 1);
  /** Words of files that were read again; what the groups say of these files no longer counts. */
  private readonly again = new Map<number, ReadonlySet<number>>();
  private readonly answers = new Map<number, readonly number[]>();
  /** Source files beyond the limit (positions in `sources.files`), until {@link readAlso}. */
  readonly unread = new Set<number>();
  /** Of each file's content as it was read last. */
  private readonly contents: Int32Array;
  readonly defines = new DefineTable();
  /** Bytes and files that were read. */
  bytes = 0;
  read = 0;

  private constructor(readonly sources: Sources) {
    this.contents = new Int32Array(sources.files.length);
  }

  /** Reads all source files of the folders once, up to the limit. Open texts are read from the editor. @throws CancelledError */
  static async build(sources: Sources, task: Task): Promise<WordIndex> {
    const index = new WordIndex(sources);
    const collector = new WordCollector(index.defines);
    const wanted = sources.files.flatMap((file, id) => (isSource(file) ? [id] : []));
    const pace = new Pace(task);
    const buffer = Buffer.allocUnsafe(MOST_BYTES);
    const add = (file: number, bytes: Buffer | undefined, length = bytes?.length ?? 0) => {
      if (bytes === undefined) return;
      index.read++;
      index.bytes += length;
      index.contents[file] = contentHash(bytes, length);
      collector.add(file, isCaseless(sources.files[file]) ? small(bytes, length) : bytes, length);
    };
    const { mostBytes = Number.POSITIVE_INFINITY } = sources.world;
    let reached = 0;
    let slowBatches = 0;
    for (let first = 0; first < wanted.length; first += BATCH) {
      const batch = wanted.slice(first, first + BATCH);
      if (slowBatches >= 2) {
        const all = await Promise.all(batch.map((file) => index.bytesLater(file)));
        all.forEach((bytes, at) => add(batch[at], bytes));
        reached += batch.length;
      } else {
        let reading = 0;
        for (const file of batch) {
          await pace.breathe();
          if (index.bytes >= mostBytes) break;
          reached++;
          const since = performance.now();
          const open = index.openBytes(file);
          const length = open === undefined ? readInto(buffer, sources.files[file]) : open.length;
          reading += performance.now() - since;
          add(file, open ?? buffer, length);
        }
        slowBatches = reading > SLOW_BATCH ? slowBatches + 1 : 0;
      }
      await pace.breathe();
      task.progress(first / wanted.length, "reading the names in the source folders");
      if (index.bytes < mostBytes) continue;
      for (const file of wanted.slice(reached)) index.unread.add(file);
      break;
    }
    index.group(collector);
    return index;
  }

  /** Files (positions in `sources.files`, ascending) that hold the word. */
  filesWith(word: string): readonly number[] {
    return this.filesWithHash(hashWord(word));
  }

  /** Files that hold a string literal beginning with the word. */
  filesWithQuoted(word: string): readonly number[] {
    return this.filesWithHash(quotedHash(hashWord(word)));
  }

  filesWithHash(hash: number): readonly number[] {
    return entryOf(this.answers, hash, () => this.lookUp(hash));
  }

  /** Reads these files, too, where they are beyond the limit. @returns whether any was */
  readAlso(files: Iterable<number>): boolean {
    const unread = Array.from(files).filter((file) => this.unread.delete(file));
    return unread.length > 0 && this.refresh(unread);
  }

  /** Takes in the present text of these files anew. @returns whether it is another one in any of them */
  refresh(files: Iterable<number>): boolean {
    let changed = false;
    for (const file of files) {
      const path = this.sources.files[file];
      if (!isSource(path)) continue;
      const text = this.sources.read(path)?.text ?? "";
      const bytes = Buffer.from(text);
      const content = contentHash(bytes, bytes.length);
      if (content === this.contents[file]) continue;
      changed = true;
      this.contents[file] = content;
      this.defines.drop(file);
      const collector = new WordCollector(this.defines);
      collector.add(file, isCaseless(path) ? Buffer.from(text.toLowerCase()) : bytes);
      const words = new Set<number>();
      collector.each((_, hash) => words.add(hash));
      this.again.set(file, words);
    }
    if (changed) this.answers.clear();
    return changed;
  }

  private lookUp(hash: number): number[] {
    const group = hash >>> (32 - GROUP_BITS);
    const found: number[] = [];
    for (let at = this.groupStart[group]; at < this.groupStart[group + 1]; at++) {
      if (this.hashes[at] !== hash) continue;
      const file = this.files[at];
      if (found[found.length - 1] !== file && !this.again.has(file)) found.push(file);
    }
    for (const [file, words] of this.again) if (words.has(hash)) found.push(file);
    return found.sort((a, b) => a - b);
  }

  /** Lays the collected words out by group: a counting sort, which keeps the order of files. */
  private group(collector: WordCollector): void {
    const starts = this.groupStart;
    collector.each((_, hash) => starts[(hash >>> (32 - GROUP_BITS)) + 1]++);
    for (let group = 0; group < 1 << GROUP_BITS; group++) starts[group + 1] += starts[group];
    const next = starts.slice();
    this.hashes = new Int32Array(collector.size);
    this.files = new Int32Array(collector.size);
    collector.each((file, hash) => {
      const at = next[hash >>> (32 - GROUP_BITS)]++;
      this.hashes[at] = hash;
      this.files[at] = file;
    });
  }

  private openBytes(id: number): Buffer | undefined {
    const open = this.sources.openText(this.sources.files[id]);
    return open === undefined ? undefined : Buffer.from(open);
  }

  private async bytesLater(id: number): Promise<Buffer | undefined> {
    const open = this.openBytes(id);
    if (open !== undefined) return open;
    const file = await fs.promises.open(this.sources.files[id], READ).catch(() => undefined);
    try {
      return file !== undefined && (await file.stat()).size <= MOST_BYTES ? await file.readFile() : undefined;
    } catch {
      return undefined;
    } finally {
      await file?.close();
    }
  }
}

/** Whether the names in a file count. */
export function isSource(file: string): boolean {
  return languageOf(file) !== undefined || servedLanguageOf(file) !== undefined;
}

function contentHash(bytes: Buffer, length: number): number {
  return createHash("sha1").update(bytes.subarray(0, length)).digest().readInt32LE();
}

/** The words of a language that ignores capitals are kept in small letters. */
function small(bytes: Buffer, length: number): Buffer {
  const copy = Buffer.from(bytes.subarray(0, length));
  for (let at = 0; at < length; at++) if (copy[at] >= 65 && copy[at] <= 90) copy[at] += 32;
  return copy;
}

/** Reads a file into a buffer that is used again and again. @returns number of bytes; 0 where it is too large or not readable */
function readInto(buffer: Buffer, path: string): number {
  let file: number | undefined;
  try {
    file = fs.openSync(path, READ);
    const { size } = fs.fstatSync(file);
    if (size > buffer.length) return 0;
    let length = 0;
    for (let read = -1; read !== 0 && length < size; length += read)
      read = fs.readSync(file, buffer, length, size - length, null);
    return length;
  } catch {
    return 0; // gone or not readable: it has no words
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}
