import { widened } from "../model/columns";
import { entryOf } from "../model/maps";
import { HASH_START, addToHash, finishHash, wordByte } from "./words";

/** Words of a macro that are kept; longer ones are not annotation macros. */
const MOST_WORDS = 96;
const DEFINE = Buffer.from("define");

/**
 * The `#define`s of all files as hashes: name, and the words of the body. Enough to find, without reading again, which macros lead to
 * given words by any chain and in any branch.
 */
export class DefineTable {
  /** Records: file, number of words, hash of the name, hashes of the body's words. */
  private columns = new Int32Array(1 << 14);
  private used = 0;
  private readonly dropped = new Map<number, number>();
  /** Files by the first word of a macro's body; made when it is first asked for. */
  private byFirstWord: ReadonlyMap<number, readonly number[]> | undefined;

  /** Reads the `#define` that stands at `at` (a `#`), if one does. */
  addFrom(file: number, bytes: Buffer, at: number, length: number): void {
    let next = skipBlanks(bytes, at + 1, length);
    if (next + 6 > length || bytes.compare(DEFINE, 0, 6, next, next + 6) !== 0) return;
    next = skipBlanks(bytes, next + 6, length);
    const record = this.used;
    let words = 0; // the name is the first
    let hash = HASH_START;
    let inWord = false;
    for (; ; next++) {
      const byte = next < length ? bytes[next] : LINE_END;
      if (wordByte[byte] === 1) {
        hash = addToHash(hash, byte);
        inWord = true;
        continue;
      }
      if (inWord && words < MOST_WORDS) this.put(record + 2 + words++, finishHash(hash));
      hash = HASH_START;
      inWord = false;
      if (byte === LINE_END && !isContinued(bytes, next, length)) break;
    }
    if (words < 2) return; // no name, or an empty body that leads nowhere
    this.put(record, file);
    this.put(record + 1, words);
    this.used = record + 2 + words;
    this.byFirstWord = undefined;
  }

  /** What was read of this file so far no longer counts. */
  drop(file: number): void {
    this.dropped.set(file, this.used);
    this.byFirstWord = undefined;
  }

  /** Files with a macro whose body begins with this word (a hash), and may be it alone: `#define solve lib_solve`. */
  filesRenamingTo(word: number): readonly number[] {
    this.byFirstWord ??= this.firstWords();
    return this.byFirstWord.get(word) ?? [];
  }

  private firstWords(): ReadonlyMap<number, readonly number[]> {
    const files = new Map<number, number[]>();
    this.each((file, _, from) => entryOf(files, this.columns[from], () => []).push(file));
    return files;
  }

  /** Hashes of all macros whose body holds one of these words, or a macro that does, by any chain; with the files that define them. */
  leadingTo(words: Iterable<number>): Map<number, number[]> {
    const reached = new Set(words);
    const macros = new Map<number, number[]>();
    // Chains are short (two or three): a pass a link is cheap.
    for (let grown = true; grown;) {
      grown = false;
      this.each((file, name, from, to) => {
        if (macros.get(name)?.includes(file)) return;
        for (let at = from; at < to; at++) {
          if (!reached.has(this.columns[at])) continue;
          entryOf(macros, name, () => []).push(file);
          if (!reached.has(name)) {
            reached.add(name);
            grown = true;
          }
          return;
        }
      });
    }
    return macros;
  }

  private each(visit: (file: number, name: number, bodyFrom: number, bodyTo: number) => void): void {
    for (let at = 0; at < this.used;) {
      const file = this.columns[at];
      const next = at + 2 + this.columns[at + 1];
      if (at >= (this.dropped.get(file) ?? 0)) visit(file, this.columns[at + 2], at + 3, next);
      at = next;
    }
  }

  private put(at: number, value: number): void {
    if (at >= this.columns.length) this.columns = widened(this.columns);
    this.columns[at] = value;
  }
}

const LINE_END = 10;

function skipBlanks(bytes: Buffer, at: number, length: number): number {
  while (at < length && (bytes[at] === 32 || bytes[at] === 9)) at++;
  return at;
}

function isContinued(bytes: Buffer, lineEnd: number, length: number): boolean {
  if (lineEnd >= length) return false;
  const last = bytes[lineEnd - 1] === 13 ? bytes[lineEnd - 2] : bytes[lineEnd - 1];
  return last === 92;
}
