import { decimalOf } from "../caliper/numbers";
import { type EventDefinition, HEXADECIMAL, NUMBER, SKIPPED } from "./eventKinds";
import type { Fields } from "./fields";
import { hashed, SEED } from "./tokens";

const NEWLINE = 10;
const BLANK = 32;
const QUOTE = 34;
const HASH = 35;
const POINT = 46;
const POWERS = Float64Array.from({ length: 10 }, (_, power) => 10 ** power);

/** How a line ended before its fields did, or after them. */
export const COMPLETE = 0;
export const UNCLOSED_QUOTE = 1;
export const TOO_LONG = 2;

/**
 * Takes one line apart into the fields of its definition: bytes in place, names hashed and numbers read on the way. The line
 * must end with a newline.
 */
export class LineScanner {
  /** How many fields were there. */
  found = 0;
  /** {@link COMPLETE} or what was unusual. */
  unusual = COMPLETE;

  constructor(private readonly fields: Fields) {}

  /**
   * @param start behind the event's id
   * @returns where the next line starts
   */
  scan(bytes: Uint8Array, start: number, { roles, reading }: EventDefinition): number {
    const { fields } = this;
    const count = roles.length;
    let at = start;
    let field = 0;
    this.unusual = COMPLETE;
    for (; field < count; field++) {
      let byte = bytes[at];
      while (byte <= BLANK && byte !== NEWLINE) byte = bytes[++at];
      if (byte === NEWLINE) break;
      const role = roles[field];
      const how = reading[field];
      let from = at;
      if (byte === QUOTE) {
        from = ++at;
        let hash = SEED;
        for (byte = bytes[at]; byte !== QUOTE && byte !== NEWLINE; byte = bytes[++at]) hash = hashed(hash, byte);
        fields.hash[role] = hash;
        if (byte === NEWLINE) this.unusual = UNCLOSED_QUOTE;
        if (how === NUMBER || how === HEXADECIMAL) fields.number[role] = numberOf(bytes, from, at, how === HEXADECIMAL);
        fields.start[role] = from;
        fields.end[role] = at;
        if (byte === QUOTE) at++;
        continue;
      }
      if (how === NUMBER) {
        // Nine digits fit an int, on both sides of the point; both together in a double, exactly up to 15.
        let whole = 0;
        let digit = byte - 48;
        while (digit >= 0 && digit <= 9) {
          whole = (Math.imul(whole, 10) + digit) | 0;
          digit = (byte = bytes[++at]) - 48;
        }
        const digits = at - from;
        let fraction = 0;
        let places = 0;
        if (byte === POINT) {
          const point = at;
          digit = (byte = bytes[++at]) - 48;
          while (digit >= 0 && digit <= 9) {
            fraction = (Math.imul(fraction, 10) + digit) | 0;
            digit = (byte = bytes[++at]) - 48;
          }
          places = at - point - 1;
        }
        if (byte <= BLANK && digits > 0 && digits <= 9 && places <= 9 && digits + places <= 15)
          fields.number[role] = places === 0 ? whole : (whole * POWERS[places] + fraction) / POWERS[places];
        else {
          while (bytes[at] > BLANK) at++;
          fields.number[role] = numberOf(bytes, from, at, false);
        }
      } else if (how === SKIPPED) {
        while (byte > BLANK) byte = bytes[++at];
      } else {
        let hash = SEED;
        for (; byte > BLANK; byte = bytes[++at]) hash = hashed(hash, byte);
        fields.hash[role] = hash;
        if (how === HEXADECIMAL) fields.number[role] = numberOf(bytes, from, at, true);
      }
      fields.start[role] = from;
      fields.end[role] = at;
    }
    this.found = field;
    if (bytes[at] === NEWLINE) return at + 1;
    return this.restOfLine(bytes, at);
  }

  /** What follows the last field: nothing but blanks and a comment. */
  private restOfLine(bytes: Uint8Array, start: number): number {
    let at = start;
    while (bytes[at] <= BLANK && bytes[at] !== NEWLINE) at++;
    if (bytes[at] !== NEWLINE && bytes[at] !== HASH && this.unusual === COMPLETE) this.unusual = TOO_LONG;
    return bytes[at] === NEWLINE ? at + 1 : bytes.indexOf(NEWLINE, at) + 1;
  }
}

/** A number as tools write it; NaN for anything else. @param hexadecimal declared as `hex`: `ff` as well as `0xff` */
export function numberOf(bytes: Uint8Array, start: number, end: number, hexadecimal: boolean): number {
  if (!hexadecimal) {
    const decimal = decimalOf(bytes, start, end);
    if (decimal !== undefined) return decimal;
  }
  // Nothing longer is a number that a tool writes; a line may be.
  if (end - start > 400) return Number.NaN;
  const text = Buffer.from(bytes.subarray(start, end)).toString("latin1");
  const digits = /^([+-]?)(0[xX])?([0-9a-fA-F]+)$/.exec(text);
  if (digits && (hexadecimal || digits[2] !== undefined))
    return (digits[1] === "-" ? -1 : 1) * Number.parseInt(digits[3], 16);
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
