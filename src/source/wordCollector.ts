import { widened } from "../model/columns";
import type { DefineTable } from "./defineTable";
import { HASH_START, addToHash, finishHash, quotedHash, wordByte } from "./words";

/** Slots of the table of words that one file has; files with more distinct words list some twice, which does no harm. */
const SLOTS = 1 << 15;
const MOST_WORDS = SLOTS - (SLOTS >> 2);
const HASH_SIGN = 35;

/** Takes the distinct words out of texts, one text after the other. */
export class WordCollector {
  private words = new Int32Array(1 << 16);
  private used = 0;
  /** Per text: its file, and where its words end. */
  readonly files: number[] = [];
  private readonly ends: number[] = [];
  private readonly table = new Int32Array(SLOTS);
  private readonly stamps = new Uint32Array(SLOTS);
  private stamp = 0;

  /** @param defines receives the `#define`s */
  constructor(private readonly defines: DefineTable) {}

  /** Number of words, all texts together. */
  get size(): number {
    return this.used;
  }

  /** Collects from the first `length` bytes of `bytes`. */
  add(file: number, bytes: Buffer, length = bytes.length): void {
    this.stamp++;
    const isWord = wordByte;
    const begin = this.used;
    let at = 0;
    while (at < length) {
      const first = bytes[at];
      if (isWord[first] === 0) {
        if (first === HASH_SIGN) this.defines.addFrom(file, bytes, at, length);
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
      this.put(hash, begin);
      if (start > 0 && isQuote(bytes[start - 1])) this.put(quotedHash(hash), begin);
    }
    this.files.push(file);
    this.ends.push(this.used);
  }

  /** Calls with the file and the hash of every collected word. */
  each(visit: (file: number, hash: number) => void): void {
    let at = 0;
    this.files.forEach((file, text) => {
      for (; at < this.ends[text]; at++) visit(file, this.words[at]);
    });
  }

  private put(hash: number, begin: number): void {
    if (this.used - begin < MOST_WORDS) {
      let slot = hash & (SLOTS - 1);
      while (this.stamps[slot] === this.stamp) {
        if (this.table[slot] === hash) return;
        slot = (slot + 1) & (SLOTS - 1);
      }
      this.stamps[slot] = this.stamp;
      this.table[slot] = hash;
    }
    if (this.used === this.words.length) this.words = widened(this.words);
    this.words[this.used++] = hash;
  }
}

function isQuote(byte: number): boolean {
  return byte === 34 || byte === 39;
}
