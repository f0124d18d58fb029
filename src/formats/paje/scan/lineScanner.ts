import { NONE } from "../../../model/ids";
import { hashOf } from "../../byteStrings";
import { POWERS_OF_TEN } from "../../numberScan";
import { type EventDefinition, HEXADECIMAL, NUMBER, REFERENCE, ROLE_BITS, TIME } from "./eventKinds";
import type { Fields } from "./fields";
import { numberOf } from "./numbers";
import type { TokenTable } from "./tokens";
import type { TraceTime } from "./traceTime";

const NEWLINE = 10;
const BLANK = 32;
const QUOTE = 34;
const HASH = 35;
const POINT = 46;
const ZERO = 48;
/** Ten digits fit 32 bits without a sign up to here. */
const LAST_OF_TEN_DIGITS = 51;
/** Integers below are exact in a double. */
const EXACT = 2 ** 53;
const ROLE_MASK = (1 << ROLE_BITS) - 1;

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

  constructor(
    private readonly fields: Fields,
    private readonly tokens: TokenTable,
    private readonly time: TraceTime,
  ) {}

  /**
   * @param start behind the event's id
   * @returns where the next line starts
   */
  scan(bytes: Uint8Array, start: number, { plan }: EventDefinition): number {
    const { start: starts, end: ends, hash: hashes, number: numbers, token: references } = this.fields;
    const { tiny } = this.tokens;
    const { wholeSeconds } = this.time;
    const count = plan.length;
    let at = start;
    // What ended the field before: a blank, or a closing quote.
    let byte = bytes[at];
    let field = 0;
    this.unusual = COMPLETE;
    for (; field < count; field++) {
      if (byte !== NEWLINE) byte = bytes[++at];
      while (byte <= BLANK && byte !== NEWLINE) byte = bytes[++at];
      if (byte === NEWLINE) break;
      const role = plan[field] & ROLE_MASK;
      const how = plan[field] >> ROLE_BITS;
      const from = at;
      if (byte === QUOTE) {
        at = this.quoted(bytes, at + 1, role, how);
        byte = bytes[at];
      } else if (how === REFERENCE) {
        let packed = 0;
        for (; byte > BLANK; byte = bytes[++at]) packed = (packed << 8) | byte;
        let token = at - from <= 2 ? tiny[packed] : NONE;
        if (token === NONE) token = this.refer(bytes, from, at, role, packed);
        references[role] = token;
        starts[role] = from;
        ends[role] = at;
      } else if (how === NUMBER) {
        // Nine digits fit an int, on both sides of the point, and ten up to 3,999,999,999; both together fit a double.
        let whole = 0;
        for (let digit = byte - ZERO; digit >>> 0 <= 9; digit = (byte = bytes[++at]) - ZERO)
          whole = (Math.imul(whole, 10) + digit) | 0;
        const digits = at - from;
        let fraction = 0;
        let places = 0;
        if (byte === POINT) {
          const point = at;
          for (let digit = (byte = bytes[++at]) - ZERO; digit >>> 0 <= 9; digit = (byte = bytes[++at]) - ZERO)
            fraction = (Math.imul(fraction, 10) + digit) | 0;
          places = at - point - 1;
        }
        const fits = digits <= 9 || (digits === 10 && bytes[from] <= LAST_OF_TEN_DIGITS);
        let scaled = Number.NaN;
        if (fits && digits > 0 && places <= 9 && byte <= BLANK)
          scaled = ((whole >>> 0) - (role === TIME ? wholeSeconds : 0)) * POWERS_OF_TEN[places] + fraction;
        // False before the first time, too.
        if (Math.abs(scaled) < EXACT) numbers[role] = scaled / POWERS_OF_TEN[places];
        else {
          at = endOf(bytes, at);
          numbers[role] = this.numberOf(bytes, from, at, role, how);
          byte = bytes[at];
        }
      } else {
        while (byte > BLANK) byte = bytes[++at];
        hashes[role] = hashOf(bytes, from, at);
        if (how === HEXADECIMAL) numbers[role] = this.numberOf(bytes, from, at, role, how);
        starts[role] = from;
        ends[role] = at;
      }
    }
    this.found = field;
    if (byte === NEWLINE) return at + 1;
    return this.restOfLine(bytes, at + 1);
  }

  /** The name of these bytes, NONE where it is new. @param packed the last four of them */
  private refer(bytes: Uint8Array, start: number, end: number, role: number, packed: number): number {
    if (end - start <= 4) {
      const token = end - start <= 2 ? NONE : this.tokens.findShort(packed);
      if (token !== NONE) return token;
    }
    const hash = (this.fields.hash[role] = hashOf(bytes, start, end));
    return this.tokens.find(bytes, start, end, hash);
  }

  /** A field in quotes: it may hold blanks, or nothing. @returns its closing quote, or the end of the line */
  private quoted(bytes: Uint8Array, start: number, role: number, how: number): number {
    const { fields } = this;
    let at = start;
    while (bytes[at] !== QUOTE && bytes[at] !== NEWLINE) at++;
    if (bytes[at] === NEWLINE) this.unusual = UNCLOSED_QUOTE;
    const hash = (fields.hash[role] = hashOf(bytes, start, at));
    if (how === REFERENCE) fields.token[role] = this.tokens.find(bytes, start, at, hash);
    if (how === NUMBER || how === HEXADECIMAL) fields.number[role] = this.numberOf(bytes, start, at, role, how);
    fields.start[role] = start;
    fields.end[role] = at;
    return at;
  }

  private numberOf(bytes: Uint8Array, start: number, end: number, role: number, how: number): number {
    const hexadecimal = how === HEXADECIMAL;
    return role === TIME ? this.time.read(bytes, start, end, hexadecimal) : numberOf(bytes, start, end, hexadecimal);
  }

  /** What follows the last field: nothing but blanks and a comment. */
  private restOfLine(bytes: Uint8Array, start: number): number {
    let at = start;
    while (bytes[at] <= BLANK && bytes[at] !== NEWLINE) at++;
    if (bytes[at] !== NEWLINE && bytes[at] !== HASH && this.unusual === COMPLETE) this.unusual = TOO_LONG;
    return bytes[at] === NEWLINE ? at + 1 : bytes.indexOf(NEWLINE, at) + 1;
  }
}

function endOf(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] > BLANK) at++;
  return at;
}
