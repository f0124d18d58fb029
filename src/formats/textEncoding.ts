/** Encodings of text files: which one a file has, by its first bytes. */

/** How the text of a file is written, where it is not UTF-8 alone. */
export interface TextEncoding {
  readonly name: "UTF-8" | "UTF-16LE" | "UTF-16BE";
  /** Bytes of the byte order mark. */
  readonly mark: number;
}

/** Without a mark, so many characters tell: they have a zero byte each, always on the same side. */
const MAX_JUDGED_BYTES = 512;
const MIN_JUDGED_BYTES = 8;

/**
 * The encoding of a file that is not UTF-8 without a mark; undefined for that, and for what is no text.
 *
 * @param head its first bytes
 */
export function encodingOf(head: Uint8Array): TextEncoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { name: "UTF-8", mark: 3 };
  const judged = head.subarray(0, Math.min(head.length, MAX_JUDGED_BYTES) & ~1);
  // A mark alone may be any binary file's begin: text is what follows.
  if (head[0] === 0xff && head[1] === 0xfe)
    return isText(judged.subarray(2), 0) ? { name: "UTF-16LE", mark: 2 } : undefined;
  if (head[0] === 0xfe && head[1] === 0xff)
    return isText(judged.subarray(2), 1) ? { name: "UTF-16BE", mark: 2 } : undefined;
  if (judged.length < MIN_JUDGED_BYTES) return undefined;
  if (isPlain(judged, 0)) return { name: "UTF-16LE", mark: 0 };
  return isPlain(judged, 1) ? { name: "UTF-16BE", mark: 0 } : undefined;
}

/** Whether there are no control characters but white space among units of two bytes. @param low where their low bytes are */
function isText(bytes: Uint8Array, low: 0 | 1): boolean {
  for (let at = 0; at + 1 < bytes.length; at += 2)
    if (bytes[at + 1 - low] === 0 && !isPlainByte(bytes[at + low]) && bytes[at + low] < 0x80) return false;
  return true;
}

/** Whether most units of two bytes are printed characters of ASCII, as formats begin, and none is a control character. */
function isPlain(bytes: Uint8Array, low: 0 | 1): boolean {
  let plain = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    // Beyond ASCII are letters of other languages.
    if (bytes[at + 1 - low] !== 0 || bytes[at + low] >= 0x80) continue;
    if (!isPlainByte(bytes[at + low])) return false;
    plain++;
  }
  // Three of four: binary data with a zero in every second byte has no letter beside each of them.
  return 8 * plain >= 3 * bytes.length && isPlainByte(bytes[low]) && bytes[1 - low] === 0;
}

function isPlainByte(byte: number): boolean {
  return (byte >= 32 && byte < 127) || (byte >= 9 && byte <= 13);
}

/** Bytes that a file has for a text that was made UTF-8 of it. */
export function encodedBytes({ name }: TextEncoding, bytes: Uint8Array): number {
  if (name === "UTF-8") return bytes.length;
  let units = 0;
  // A character's first byte tells how long it is; the others are none. Four bytes are a pair of units.
  for (const byte of bytes) units += (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
  return 2 * units;
}
