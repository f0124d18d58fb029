import { DECIMAL, EXACT_DIGITS } from "../../numberScan";
import type { StreamId } from "../decode/nodes";

const NEWLINE = 10;
const RETURN = 13;
const COMMA = 44;
const EQUALS = 61;
const BACKSLASH = 92;

/** Keys of one record with their values, unescaped. */
export type Fields = Map<string, string[]>;

const utf8 = new TextDecoder("utf-8");

/**
 * Takes a line apart: `key=value[=value…]` separated by commas, `\` before `\`, `,` and `=`, and `\n` for a newline.
 * Bytes that are no UTF-8 (Caliper may cut names inside a character) become replacement characters.
 *
 * @param isKey a key that is not one ends the reading: the rest of such a line is ignored, as Caliper's own reader does
 * @returns the fields, and the first unknown key
 */
export function splitLine(
  bytes: Uint8Array,
  start: number,
  end: number,
  isKey: (key: string) => boolean,
): { fields: Fields; unknownKey?: string } {
  const fields: Fields = new Map();
  let at = start;
  while (at < end) {
    let separator = at;
    while (separator < end && bytes[separator] !== EQUALS && bytes[separator] !== COMMA)
      separator += bytes[separator] === BACKSLASH ? 2 : 1;
    const key = textOf(bytes, at, Math.min(separator, end));
    if (!isKey(key)) return { fields, unknownKey: key };
    const values: string[] = [];
    at = separator;
    while (at < end && bytes[at] === EQUALS) {
      const from = at + 1;
      at = from;
      while (at < end && bytes[at] !== EQUALS && bytes[at] !== COMMA) at += bytes[at] === BACKSLASH ? 2 : 1;
      at = Math.min(at, end);
      values.push(textOf(bytes, from, at));
    }
    if (!fields.has(key)) fields.set(key, values);
    at++; // the comma
  }
  return { fields };
}

/** Text of a field, unescaped. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  let escaped = false;
  let ascii = true;
  for (let at = start; at < end; at++) {
    if (bytes[at] === BACKSLASH) escaped = true;
    else if (bytes[at] >= 128) ascii = false;
  }
  if (!escaped && ascii && end - start < 64) {
    // Short names are most of what is decoded, and the decoder's own cost is several times theirs.
    let text = "";
    for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]);
    return text;
  }
  if (!escaped) return utf8.decode(bytes.subarray(start, end));
  const plain = new Uint8Array(end - start);
  let length = 0;
  for (let at = start; at < end; at++) {
    let byte = bytes[at];
    if (byte === BACKSLASH && at + 1 < end) {
      byte = bytes[++at];
      if (byte === 110) byte = NEWLINE;
    }
    plain[length++] = byte;
  }
  return utf8.decode(plain.subarray(0, length));
}

/** An id: a number while it is exact, its digits beyond 2^53; undefined for anything else. */
export function streamId(text: string): StreamId | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  if (text.length <= EXACT_DIGITS) return Number(text);
  const digits = text.replace(/^0+(?=\d)/, "");
  return digits.length <= EXACT_DIGITS ? Number(digits) : digits;
}

/** A number as Caliper writes it: decimal, C's `%g`, `nan`, `-nan`, `inf`, `-inf`; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text);
  const word = /^([+-]?)(nan|inf(?:inity)?)(?:\(\w*\))?$/i.exec(text);
  if (!word) return undefined;
  if (word[2].toLowerCase() === "nan") return Number.NaN;
  return word[1] === "-" ? -Infinity : Infinity;
}

/** End of a line without the carriage return that some copies have. */
export function lineEnd(bytes: Uint8Array, start: number, newline: number): number {
  return newline > start && bytes[newline - 1] === RETURN ? newline - 1 : newline;
}
