/**
 * Words of source text as 32-bit hashes: what the word index stores and what it is asked for. A word is a run of letters, digits,
 * `_` and bytes of multi-byte characters. Two words with one hash only cost a file that is parsed in vain.
 */

/** 1 for bytes that belong to words. */
export const wordByte = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = byte >= 48 && byte <= 57;
  const letter = (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
  return digit || letter || byte === 95 || byte >= 128 ? 1 : 0;
});

export const HASH_START = 0x811c9dc5;
const QUOTED = 0x5bd1e995;

/** One step of the hash over the bytes of a word (FNV-1a; start with {@link HASH_START}, end with {@link finishHash}). */
export function addToHash(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

export function finishHash(hash: number): number {
  return (hash ^ (hash >>> 15)) | 0;
}

/** The hash under which a word is filed a second time where a quote stands before it: the start of a string literal. */
export function quotedHash(hash: number): number {
  return (hash ^ QUOTED) | 0;
}

export function hashWord(word: string): number {
  let hash = HASH_START;
  for (const byte of Buffer.from(word, "utf8")) hash = addToHash(hash, byte);
  return finishHash(hash);
}

/** The words of a text, in order. */
export function wordsIn(text: string): string[] {
  return text.match(/[\w\u0080-\uffff]+/g) ?? [];
}

/** The rarest word of a name, as far as its length says: the longest, of equally long ones the last; undefined where there is none. */
export function tellingWord(name: string): string | undefined {
  let best: string | undefined;
  for (const word of wordsIn(name)) if (best === undefined || word.length >= best.length) best = word;
  return best;
}
