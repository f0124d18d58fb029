/** Values of JSON straight from bytes, of which the window may end anywhere. What was found stands in fields, not in an object per value. */
import type { FormatError } from "../../../model/errors";
import { damagedFile } from "../../../model/errors";
import { NONE } from "../../../model/ids";
import { ByteStrings, closingQuote, hashOf, quoted } from "../../byteStrings";
import type { PieceWindow } from "../../byteSource";
import { InvalidEscapes, textOf } from "../../jsonEscapes";
import { DECIMAL, POWERS_OF_TEN } from "../../numberScan";

export const QUOTE = 34;
export const BACKSLASH = 92;
export const COMMA = 44;
export const COLON = 58;
export const OPEN = 123;
export const CLOSE = 125;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const EXACT = 2 ** 53;

/** The window ends inside of what was to be read. */
export const INCOMPLETE = -1;

/** The bytes and where they stand in the file. */
export type ScanWindow = Pick<PieceWindow, "bytes" | "end" | "positionOf">;

export class ValueScanner {
  /** Names, categories, call stacks, file names; raw, as between the quotes. */
  readonly labels = new ByteStrings();
  /** Numbers of processes and threads, those in quotes and those without alike. */
  readonly places = new ByteStrings();
  /** Gets what strings hold that is no escape of JSON. */
  readonly escapes = new InvalidEscapes();

  protected bytes: Uint8Array = new Uint8Array(0);
  protected end = 0;
  // What the last value was.
  protected whole = 0;
  protected part = 0;
  protected value = 0;
  protected found: number = NONE;
  protected decimals = 0;

  constructor(
    protected readonly window: ScanWindow,
    private readonly file: string,
  ) {}

  /** Bytes of the window by their indices; valid until the window moves. */
  slice(start: number, end: number): Uint8Array {
    return this.bytes.subarray(start, end);
  }

  labelText(label: number): string {
    const bytes = this.labels.bytesOf(label);
    return textOf(bytes, 0, bytes.length, this.escapes);
  }

  placeText(place: number): string {
    const bytes = this.places.bytesOf(place);
    return textOf(bytes, 0, bytes.length, this.escapes);
  }

  /** Leaves out the value at `at`, however deep. @returns where it ends, or INCOMPLETE */
  skip(at: number): number {
    const { bytes, end } = this;
    const first = bytes[at];
    if (first === QUOTE) return this.afterString(at);
    let depth = 0;
    if (first !== OPEN && first !== OPEN_LIST) {
      const start = at;
      while (at < end && !endsWord(bytes[at])) at++;
      if (at >= end) return INCOMPLETE;
      if (at === start) throw this.damaged(at, "a value");
      return at;
    }
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        at = this.afterString(at);
        if (at === INCOMPLETE) return INCOMPLETE;
        at--;
      } else if (byte === OPEN || byte === OPEN_LIST) depth++;
      else if ((byte === CLOSE || byte === CLOSE_LIST) && --depth === 0) return at + 1;
    }
    return INCOMPLETE;
  }

  /** As {@link skip}, for a value outside of events. */
  skipValue(at: number): number {
    this.bytes = this.window.bytes;
    this.end = this.window.end;
    return this.skip(at);
  }

  /** The error for what is at `at`. */
  damaged(at: number, expected: string): FormatError {
    const byte = this.bytes[at];
    const letter = byte > 32 && byte < 127 ? `"${String.fromCharCode(byte)}"` : `the byte ${byte}`;
    const shown = byte === QUOTE ? "a quotation mark" : letter;
    return damagedFile(this.file, { byte: this.window.positionOf(at) }, shown, expected);
  }

  /** First character of a string; 0 where it is empty or none. */
  protected letter(at: number): number {
    const { bytes } = this;
    return bytes[at] === QUOTE && at + 1 < this.end && bytes[at + 1] !== QUOTE ? bytes[at + 1] : 0;
  }

  /** From behind a key to its value. */
  protected afterColon(at: number): number {
    const { bytes, end } = this;
    if (at + 1 < end && bytes[at] === COLON && bytes[at + 1] > 32) return at + 1;
    while (at < end && bytes[at] <= 32) at++;
    if (at >= end) return INCOMPLETE;
    if (bytes[at] !== COLON) throw this.damaged(at, "a colon after a key");
    at++;
    while (at < end && bytes[at] <= 32) at++;
    return at < end ? at : INCOMPLETE;
  }

  /** From a string's opening quote to what follows it. */
  protected afterString(at: number): number {
    const { bytes, end } = this;
    for (at++; at < end; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at++;
    }
    return INCOMPLETE;
  }

  /** A string's number among the labels in `found`; NONE for any other value. */
  protected label(at: number, guess: number = NONE): number {
    if (this.bytes[at] !== QUOTE) {
      this.found = NONE;
      return this.skip(at);
    }
    const length = this.labels.lengthIfAt(guess, this.bytes, at + 1);
    if (length >= 0 && at + length + 2 < this.end && this.bytes[at + 1 + length] === QUOTE) {
      this.found = guess;
      return at + length + 2;
    }
    const close = closingQuote(this.bytes, at + 1, this.end);
    if (close === INCOMPLETE) return INCOMPLETE;
    this.found = this.labels.intern(this.bytes, at + 1, close, quoted.hash);
    return close + 1;
  }

  /** What is between the quotes, or a word without: its number among the places in `found`. */
  protected placeAt(at: number, guess: number = NONE): number {
    const { bytes } = this;
    const isQuoted = bytes[at] === QUOTE ? 1 : 0;
    const length = this.places.lengthIfAt(guess, bytes, at + isQuoted);
    if (length > 0 && at + length + 2 * isQuoted < this.end) {
      const follow = bytes[at + isQuoted + length];
      if (isQuoted ? follow === QUOTE : endsWord(follow)) {
        this.found = guess;
        return at + length + 2 * isQuoted;
      }
    }
    if (bytes[at] === QUOTE) {
      const close = closingQuote(bytes, at + 1, this.end);
      if (close === INCOMPLETE) return INCOMPLETE;
      this.found = this.places.intern(bytes, at + 1, close, quoted.hash);
      return close + 1;
    }
    const after = this.skip(at);
    if (after === INCOMPLETE) return INCOMPLETE;
    this.found = this.places.intern(bytes, at, after, hashOf(bytes, at, after));
    return after;
  }

  /**
   * A number, in quotes or without. Its whole part and what follows the point are kept apart, since a time of day in µs and
   * fractions needs more digits than a double has; `value` is the nearest double, NaN for what is no number.
   *
   * @param wantsValue whether `value` is needed: of a long number it costs more than the parts
   */
  protected parse(at: number, wantsValue = true): number {
    const { bytes, end } = this;
    const from = at;
    const quoted = bytes[at] === QUOTE;
    if (quoted) at++;
    const negative = bytes[at] === 45;
    if (negative) at++;
    const first = at;
    let whole = 0;
    let digit = bytes[at] - 48;
    while (digit >= 0 && digit <= 9 && at < end) {
      whole = whole * 10 + digit;
      digit = bytes[++at] - 48;
    }
    const digits = at - first;
    let fraction = 0;
    let decimals = 0;
    if (at < end && bytes[at] === 46) {
      const point = ++at;
      digit = bytes[at] - 48;
      while (digit >= 0 && digit <= 9 && at < end) {
        fraction = fraction * 10 + digit;
        digit = bytes[++at] - 48;
      }
      decimals = at - point;
    }
    if (at >= end) return INCOMPLETE;
    const simple = digits > 0 && whole < EXACT && fraction < EXACT && decimals <= 22;
    if (!simple || (quoted ? bytes[at] !== QUOTE : !endsWord(bytes[at]))) return this.parseSlowly(from);
    const part = decimals === 0 ? 0 : fraction / POWERS_OF_TEN[decimals];
    let value = whole;
    if (decimals > 0 && wantsValue) {
      const mantissa = whole * POWERS_OF_TEN[decimals] + fraction;
      value = mantissa < EXACT ? mantissa / POWERS_OF_TEN[decimals] : Number(textOf(bytes, first, at));
    }
    this.decimals = decimals;
    this.whole = negative ? -whole : whole;
    this.part = negative ? -part : part;
    this.value = negative ? -value : value;
    return quoted ? at + 1 : at;
  }

  /** Exponents, more digits than usual, and what is no number. */
  private parseSlowly(at: number): number {
    const { bytes } = this;
    const after = this.skip(at);
    if (after === INCOMPLETE) return INCOMPLETE;
    const quoted = bytes[at] === QUOTE;
    // Nothing longer is a number; what is in brackets is none either.
    const text = after - at > 400 ? "" : textOf(bytes, quoted ? at + 1 : at, quoted ? after - 1 : after);
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    this.value = Number.isFinite(value) ? value : Number.NaN;
    this.whole = Math.trunc(this.value);
    this.part = this.value - this.whole;
    this.decimals = this.part === 0 || Number.isNaN(this.part) ? 0 : 22;
    return after;
  }
}

/** White space, comma, closing brackets: what may stand behind a bare word. */
function endsWord(byte: number): boolean {
  return byte === COMMA || byte === CLOSE || byte === CLOSE_LIST || byte <= 32;
}
