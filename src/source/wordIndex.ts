import fs from "node:fs";
import type { Task } from "../model/task";
import { DefineTable } from "./defineTable";
import { languageOf } from "./languages";
import { Pace } from "./pace";
import type { Sources } from "./sources";
import { MOST_BYTES } from "./sources";
import { HASH_START, addToHash, finishHash, hashWord, quotedHash, wordByte } from "./words";

/** Files that are read between two looks at the clock, and read at once where the disk is slow. */
const BATCH = 64;
/**
 * Milliseconds for a batch above which the disk is taken for a network's and files are read at once, to hide its delay. On a
 * local disk one after the other is three times as fast (20,000 files: 0.14 s against 0.37 s).
 */
const SLOW_BATCH = 120;
/** No link is followed, so that nothing put in a file's place since the listing leads outside the folders. */
const READ = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0);
/** Slots of the table of words that one file has; files with more distinct words list some twice, which does no harm. */
const SLOTS = 1 << 15;
const MOST_WORDS = SLOTS - (SLOTS >> 2);

/**
 * Which source files hold which words: one pass over the folders' bytes keeps the hashes of each file's distinct words
 * (4 bytes each, about 1 MB a 1,000 files) and the words of every `#define`. Any name is then found without reading again, so that only
 * files that hold it are parsed.
 */
export class WordIndex {
  private hashes = new Int32Array(1 << 18);
  private used = 0;
  /** Per file, in the order of `sources.files`: its range of `hashes`; empty ranges for files that are no source. */
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  /** Ranges in the order they were written, to find a hash's file: file of each, and where it starts. */
  private readonly writtenFile: number[] = [];
  private readonly writtenFrom: number[] = [];
  private readonly answers = new Map<number, readonly number[]>();
  private readonly table = new Int32Array(SLOTS);
  private readonly stamps = new Uint32Array(SLOTS);
  private stamp = 0;
  readonly defines = new DefineTable();
  /** Bytes that were read. */
  bytes = 0;
  /** Files that were read. */
  read = 0;

  private constructor(readonly sources: Sources) {
    this.from = new Int32Array(sources.files.length);
    this.to = new Int32Array(sources.files.length);
  }

  /** Reads all source files of the folders once. Open texts are read from the editor. */
  static async build(sources: Sources, task: Task): Promise<WordIndex> {
    const index = new WordIndex(sources);
    const wanted = sources.files.flatMap((file, id) => (languageOf(file) === undefined ? [] : [id]));
    const pace = new Pace(task);
    let slow = false;
    for (let first = 0; first < wanted.length; first += BATCH) {
      const batch = wanted.slice(first, first + BATCH);
      const since = performance.now();
      const ahead = slow ? await Promise.all(batch.map((file) => index.bytesLater(file))) : undefined;
      for (const [at, file] of batch.entries()) {
        const bytes = ahead === undefined ? index.bytesNow(file) : ahead[at];
        if (bytes !== undefined) index.add(file, bytes);
        if (ahead === undefined) await pace.breathe();
      }
      slow ||= performance.now() - since > SLOW_BATCH;
      await pace.breathe();
      task.progress(first / wanted.length, "reading the names in the source folders");
    }
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

  /** Answers for many words by one pass: to be called before many {@link filesWith}. */
  prefetch(words: Iterable<string>): void {
    const hashes: number[] = [];
    for (const word of words) {
      const hash = hashWord(word);
      hashes.push(hash, quotedHash(hash));
    }
    this.answer(hashes.filter((hash) => !this.answers.has(hash)));
  }

  filesWithHash(hash: number): readonly number[] {
    if (!this.answers.has(hash)) this.answer([hash]);
    return this.answers.get(hash) ?? [];
  }

  /** Takes in the present text of these files anew. */
  refresh(files: Iterable<number>): void {
    for (const file of files) {
      const path = this.sources.files[file];
      const text = languageOf(path) === undefined ? undefined : this.sources.read(path)?.text;
      this.defines.drop(file);
      this.from[file] = this.to[file] = this.used;
      if (text !== undefined) this.add(file, Buffer.from(text));
    }
    this.answers.clear();
  }

  private bytesNow(id: number): Buffer | undefined {
    const path = this.sources.files[id];
    const open = this.sources.openText(path);
    if (open !== undefined) return Buffer.from(open);
    let file: number | undefined;
    try {
      file = fs.openSync(path, READ);
      return fs.fstatSync(file).size <= MOST_BYTES ? fs.readFileSync(file) : undefined;
    } catch {
      return undefined; // gone or not readable: it has no words
    } finally {
      if (file !== undefined) fs.closeSync(file);
    }
  }

  private async bytesLater(id: number): Promise<Buffer | undefined> {
    const path = this.sources.files[id];
    const open = this.sources.openText(path);
    if (open !== undefined) return Buffer.from(open);
    const file = await fs.promises.open(path, READ).catch(() => undefined);
    try {
      return file !== undefined && (await file.stat()).size <= MOST_BYTES ? await file.readFile() : undefined;
    } catch {
      return undefined;
    } finally {
      await file?.close();
    }
  }

  private add(file: number, bytes: Buffer): void {
    this.bytes += bytes.length;
    this.read++;
    this.from[file] = this.used;
    this.writtenFile.push(file);
    this.writtenFrom.push(this.used);
    this.stamp++;
    let words = 0;
    let at = 0;
    const { length } = bytes;
    const isWord = wordByte;
    while (at < length) {
      const first = bytes[at];
      if (isWord[first] === 0) {
        if (first === HASH_SIGN) this.defines.addFrom(file, bytes, at);
        at++;
        continue;
      }
      const start = at;
      let hash = HASH_START;
      while (at < length) {
        const byte = bytes[at];
        if (isWord[byte] === 0) break;
        hash = addToHash(hash, byte);
        at++;
      }
      hash = finishHash(hash);
      if (this.isNew(hash, words)) {
        words++;
        this.append(hash);
      }
      if (start > 0 && isQuote(bytes[start - 1]) && this.isNew(quotedHash(hash), words)) {
        words++;
        this.append(quotedHash(hash));
      }
    }
    this.to[file] = this.used;
  }

  private isNew(hash: number, words: number): boolean {
    if (words >= MOST_WORDS) return true;
    let slot = hash & (SLOTS - 1);
    while (this.stamps[slot] === this.stamp) {
      if (this.table[slot] === hash) return false;
      slot = (slot + 1) & (SLOTS - 1);
    }
    this.stamps[slot] = this.stamp;
    this.table[slot] = hash;
    return true;
  }

  private append(hash: number): void {
    if (this.used === this.hashes.length) {
      const wider = new Int32Array(this.used * 2);
      wider.set(this.hashes);
      this.hashes = wider;
    }
    this.hashes[this.used++] = hash;
  }

  private answer(wanted: readonly number[]): void {
    if (wanted.length === 0) return;
    const files = new Map<number, number[]>(wanted.map((hash) => [hash, []]));
    // A bit a hash's low half: nearly all words are turned away by one look.
    const maybe = new Uint8Array(1 << 16);
    for (const hash of wanted) maybe[hash & 0xffff] = 1;
    for (let range = 0; range < this.writtenFile.length; range++) {
      const file = this.writtenFile[range];
      // A range that was written anew by refresh() is no longer the file's.
      if (this.from[file] !== this.writtenFrom[range]) continue;
      for (let at = this.from[file]; at < this.to[file]; at++) {
        const hash = this.hashes[at];
        if (maybe[hash & 0xffff] === 0) continue;
        const list = files.get(hash);
        if (list !== undefined && list[list.length - 1] !== file) list.push(file);
      }
    }
    for (const [hash, list] of files)
      this.answers.set(
        hash,
        list.sort((a, b) => a - b),
      );
  }
}

const HASH_SIGN = 35;

function isQuote(byte: number): boolean {
  return byte === 34 || byte === 39;
}
