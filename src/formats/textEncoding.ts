/** Encodings of text files: which one a file has, by its first bytes. */

/** Encoding of a text file that is not plain UTF-8. */
export interface TextEncoding {
  readonly name: "UTF-8" | "UTF-16LE" | "UTF-16BE";
  /** Bytes of the byte order mark. */
  readonly mark: number;
}

/** Bytes that are examined if there is no mark. Characters of UTF-16 have a zero byte each, always on the same side. */
const MAX_JUDGED_BYTES = 512;
const MIN_JUDGED_BYTES = 8;

/**
 * Encoding of a file.
 *
 * @param head its first bytes
 * @returns undefined for UTF-8 without a mark, and for binary files
 */
export function encodingOf(head: Uint8Array): TextEncoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { name: "UTF-8", mark: 3 };
  const judged = head.subarray(0, Math.min(head.length, MAX_JUDGED_BYTES) & ~1);
  // A binary file may begin with the same two bytes as a mark, so text has to follow.
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
    // Letters of other languages are beyond ASCII.
    if (bytes[at + 1 - low] !== 0 || bytes[at + low] >= 0x80) continue;
    if (!isPlainByte(bytes[at + low])) return false;
    plain++;
  }
  // At least three of four: binary data with a zero in every second byte rarely has a letter beside each zero.
  return 8 * plain >= 3 * bytes.length && isPlainByte(bytes[low]) && bytes[1 - low] === 0;
}

function isPlainByte(byte: number): boolean {
  return (byte >= 32 && byte < 127) || (byte >= 9 && byte <= 13);
}

/** Bytes of the stored file that became this UTF-8 text. */
export function encodedBytes({ name }: TextEncoding, bytes: Uint8Array): number {
  if (name === "UTF-8") return bytes.length;
  let units = 0;
  // The first byte of a character has its length, and the others count 0. Four bytes are two units.
  for (const byte of bytes) units += (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
  return 2 * units;
}
