/**
 * One event of the Trace Event Format after another, straight from bytes: keys are known by their bytes, names by number, and
 * numbers are read exactly. What an event has beside the fields here is skipped.
 */
import { NONE } from "../../../model/ids";
import { closingQuote, quoted } from "../../byteStrings";
import { argumentKeys, argumentSlots, type NumberArgument, type TextArgument } from "./argumentKeys";
import { BACKSLASH, CLOSE, COMMA, INCOMPLETE, OPEN, QUOTE, ValueScanner } from "./valueScanner";

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

export class EventScanner extends ValueScanner {
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
}
