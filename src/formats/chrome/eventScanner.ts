/**
 * One event of the Trace Event Format after another, straight from bytes: keys are known by their bytes, names by number, and
 * numbers are read exactly. What an event has beside the fields here is skipped.
 */
import { FormatError } from "../../model/errors";
import { NONE } from "../../model/ids";
import { ByteStrings, closingQuote, hashOf, quoted } from "../byteStrings";
import type { PieceWindow } from "../byteSource";
import { textOf } from "../jsonTokens";
import { argumentKeys, argumentSlots, type NumberArgument, type TextArgument } from "./argumentKeys";

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN = 123;
const CLOSE = 125;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const EXACT = 2 ** 53;
const POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/** The window ends inside of what was to be read. */
export const INCOMPLETE = -1;

const word = (text: string) => [...text].reduce((key, letter) => (key << 8) | letter.charCodeAt(0), 0);
const S = word("s");
const PH = word("ph");
const TS = word("ts");
const ID = word("id");
const SF = word("sf");
const PID = word("pid");
const TID = word("tid");
const DUR = word("dur");
const CAT = word("cat");
const ID2 = word("id2");
const NAME = word("name");
const ARGS = word("args");
const TDUR = word("tdur");

/** The bytes and where they stand in the file. */
export type ScanWindow = Pick<PieceWindow, "bytes" | "end" | "positionOf">;

export class EventScanner {
  /** Names, categories, call stacks, file names; raw, as between the quotes. */
  readonly labels = new ByteStrings();
  /** Numbers of processes and threads, those in quotes and those without alike. */
  readonly places = new ByteStrings();

  /** First character of `ph`, and of a mark's scope `s`; 0 where there is none. */
  phase = 0;
  scope = 0;
  /** Numbers of {@link labels}, NONE where the event has none. */
  name: number = NONE;
  category: number = NONE;
  /** Numbers of {@link places}. */
  process: number = NONE;
  thread: number = NONE;
  /** Time stamp in µs: a whole number, NaN without one, and what follows the point. */
  wholeTime = Number.NaN;
  partTime = 0;
  /** µs, NaN where not recorded. */
  duration = Number.NaN;
  threadDuration = Number.NaN;
  /** A number for the event's id: itself where it is one, negative for other texts; NaN without one. */
  id = Number.NaN;
  /** The stack frame's id, a number of {@link places}. */
  stackFrame: number = NONE;
  /** The value of `args` with its brackets, in the window; equal without one. */
  argumentsStart = 0;
  argumentsEnd = 0;
  /** Some time has digits below the nanosecond. */
  isFine = false;

  // Of the event before: most events are of the same thread and category as that one.
  private lastProcess: number = NONE;
  private lastThread: number = NONE;
  private lastCategory: number = NONE;
  private readonly numbers = new Float64Array(argumentSlots.numbers);
  private readonly texts = new Int32Array(argumentSlots.texts);
  private seen = 0;
  private bytes: Uint8Array = new Uint8Array(0);
  private end = 0;
  // What the last value was.
  private whole = 0;
  private part = 0;
  private value = 0;
  private found: number = NONE;
  private decimals = 0;

  constructor(
    private readonly window: ScanWindow,
    private readonly file: string,
  ) {}

  /** An argument that is a number; NaN where the event has none. */
  number(argument: NumberArgument): number {
    const slot = argumentSlots.of[argument];
    return this.seen & (1 << slot) ? this.numbers[slot] : Number.NaN;
  }

  /** An argument that is a text, as a number of {@link labels}; NONE where the event has none. */
  text(argument: TextArgument): number {
    const slot = argumentSlots.of[argument];
    return this.seen & (1 << slot) ? this.texts[slot - argumentSlots.numbers] : NONE;
  }

  /** Whether the event has one of the arguments that are known. */
  get hasArguments(): boolean {
    return this.seen !== 0;
  }

  /** Bytes of the window, as {@link argumentsStart} and the end of arguments count them; valid until the window moves. */
  slice(start: number, end: number): Uint8Array {
    return this.bytes.subarray(start, end);
  }

  labelText(label: number): string {
    const bytes = this.labels.bytesOf(label);
    return textOf(bytes, 0, bytes.length);
  }

  placeText(place: number): string {
    const bytes = this.places.bytesOf(place);
    return textOf(bytes, 0, bytes.length);
  }

  /**
   * Reads the event whose opening bracket is at `at`.
   *
   * @returns where it ends, or {@link INCOMPLETE}
   * @throws FormatError where it is no JSON
   */
  scan(at: number): number {
    this.phase = this.scope = 0;
    this.name = this.category = this.process = this.thread = this.stackFrame = NONE;
    this.wholeTime = this.duration = this.threadDuration = this.id = Number.NaN;
    this.argumentsStart = this.argumentsEnd = 0;
    this.seen = 0;
    const bytes = (this.bytes = this.window.bytes);
    const end = (this.end = this.window.end);
    at++;
    for (;;) {
      while (at < end && bytes[at] <= 32) at++;
      if (at >= end) return INCOMPLETE;
      if (bytes[at] === CLOSE) return at + 1;
      if (bytes[at] !== QUOTE) throw this.damaged(at, "a key");
      const start = ++at;
      let key = 0;
      for (; at < end && bytes[at] !== QUOTE; at++) {
        if (bytes[at] === BACKSLASH) at++;
        key = (key << 8) | bytes[at];
      }
      const length = at - start;
      at = this.afterColon(at + 1);
      if (at === INCOMPLETE) return INCOMPLETE;
      at = length <= 4 ? this.field(key, at) : this.skip(at);
      if (at === INCOMPLETE) return INCOMPLETE;
      while (at < end && bytes[at] <= 32) at++;
      if (at >= end) return INCOMPLETE;
      if (bytes[at] === COMMA) at++;
      else if (bytes[at] !== CLOSE) throw this.damaged(at, "a comma or the end of the event");
    }
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
    return new FormatError({
      file: this.file,
      at: { byte: this.window.positionOf(at) },
      found: shown,
      expected,
      advice: "The file is damaged here: copy it again, or record again.",
    });
  }

  private field(key: number, at: number): number {
    const { bytes } = this;
    switch (key) {
      case PH:
        this.phase = this.letter(at);
        return bytes[at + 2] === QUOTE && this.phase !== 0 && at + 3 < this.end ? at + 3 : this.skip(at);
      case S:
        this.scope = this.letter(at);
        return this.skip(at);
      case TS:
        at = this.parse(at, false);
        this.wholeTime = this.whole;
        this.partTime = this.part;
        if (this.decimals > 3) this.isFine = true;
        return at;
      case DUR:
        at = this.parse(at);
        this.duration = this.value;
        if (this.decimals > 3) this.isFine = true;
        return at;
      case TDUR:
        at = this.parse(at);
        this.threadDuration = this.value;
        return at;
      case PID:
        at = this.placeAt(at, this.lastProcess);
        this.process = this.lastProcess = this.found;
        return at;
      case TID:
        at = this.placeAt(at, this.lastThread);
        this.thread = this.lastThread = this.found;
        return at;
      case SF:
        at = this.placeAt(at);
        this.stackFrame = this.found;
        return at;
      case CAT:
        at = this.label(at, this.lastCategory);
        this.category = this.lastCategory = this.found;
        return at;
      case NAME:
        at = this.label(at);
        this.name = this.found;
        return at;
      case ID:
        return this.idAt(at);
      case ID2:
        return this.id2(at);
      case ARGS:
        return bytes[at] === OPEN ? this.arguments(at) : this.skip(at);
      default:
        return this.skip(at);
    }
  }

  private arguments(at: number): number {
    const { bytes, end } = this;
    this.argumentsStart = at;
    at++;
    for (;;) {
      while (at < end && bytes[at] <= 32) at++;
      if (at >= end) return INCOMPLETE;
      if (bytes[at] === CLOSE) {
        this.argumentsEnd = at + 1;
        return at + 1;
      }
      if (bytes[at] !== QUOTE) throw this.damaged(at, "a key of args");
      const start = at + 1;
      const close = closingQuote(bytes, start, end);
      if (close === INCOMPLETE) return INCOMPLETE;
      const key = argumentKeys.find(bytes, start, close, quoted.hash);
      at = this.afterColon(close + 1);
      if (at === INCOMPLETE) return INCOMPLETE;
      at = key === NONE ? this.skip(at) : this.argument(argumentSlots.byKey[key], at);
      if (at === INCOMPLETE) return INCOMPLETE;
      while (at < end && bytes[at] <= 32) at++;
      if (at >= end) return INCOMPLETE;
      if (bytes[at] === COMMA) at++;
      else if (bytes[at] !== CLOSE) throw this.damaged(at, "a comma or the end of args");
    }
  }

  private argument(slot: number, at: number): number {
    if (slot >= argumentSlots.numbers) {
      const after = this.label(at);
      if (this.found === NONE) return after;
      this.texts[slot - argumentSlots.numbers] = this.found;
      this.seen |= 1 << slot;
      return after;
    }
    const after = this.parse(at);
    if (Number.isNaN(this.value)) return after;
    this.numbers[slot] = this.value;
    this.seen |= 1 << slot;
    return after;
  }

  /** First character of a string; 0 where it is empty or none. */
  private letter(at: number): number {
    const { bytes } = this;
    return bytes[at] === QUOTE && at + 1 < this.end && bytes[at + 1] !== QUOTE ? bytes[at + 1] : 0;
  }

  /** From behind a key to its value. */
  private afterColon(at: number): number {
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
  private afterString(at: number): number {
    const { bytes, end } = this;
    for (at++; at < end; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at++;
    }
    return INCOMPLETE;
  }

  /** A string's number among the labels in `found`; NONE for any other value. */
  private label(at: number, guess: number = NONE): number {
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
  private placeAt(at: number, guess: number = NONE): number {
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

  private idAt(at: number): number {
    const after = this.parse(at);
    if (after === INCOMPLETE) return INCOMPLETE;
    if (Number.isSafeInteger(this.value) && this.value >= 0) this.id = this.value;
    else {
      if (this.placeAt(at) === INCOMPLETE) return INCOMPLETE;
      this.id = -1 - this.found;
    }
    return after;
  }

  /** `{"local": "0x1"}` or `{"global": "0x1"}`. */
  private id2(at: number): number {
    const after = this.skip(at);
    if (after === INCOMPLETE) return INCOMPLETE;
    this.placeAt(at);
    this.id = -1 - this.found;
    return after;
  }

  /**
   * A number, in quotes or without. Its whole part and what follows the point are kept apart, since a time of day in µs and
   * fractions needs more digits than a double has; `value` is the nearest double, NaN for what is no number.
   *
   * @param wantsValue whether `value` is needed: of a long number it costs more than the parts
   */
  private parse(at: number, wantsValue = true): number {
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
    const part = decimals === 0 ? 0 : fraction / POWERS[decimals];
    let value = whole;
    if (decimals > 0 && wantsValue) {
      const mantissa = whole * POWERS[decimals] + fraction;
      value = mantissa < EXACT ? mantissa / POWERS[decimals] : Number(textOf(bytes, first, at));
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
    const value = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
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
