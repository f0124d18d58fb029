import { NONE } from "../../../model/ids";
import { hashOf } from "../../byteStrings";
import { POWERS_OF_TEN } from "../../numberScan";
import type { Simulation } from "../decode/simulation";
import {
  CONTAINER,
  EVENT_KINDS,
  type EventDefinition,
  NUMBER,
  REFERENCE,
  ROLE_BITS,
  TIME,
  TYPE,
  VALUE,
} from "./eventKinds";

const NEWLINE = 10;
const BLANK = 32;
const POINT = 46;
const ZERO = 48;
const QUOTE = 34;
/** Ten digits fit 32 bits without a sign up to here. */
const LAST_OF_TEN_DIGITS = 51;
/** Integers below are exact in a double. */
const EXACT = 2 ** 53;

/** What is done with lines of an event; every other line is carried out as always. */
const UNKNOWN = 0;
const ANY = 1;
const STATE = 2;
const SKIPPED = 3;

const STATES = ["PajeSetState", "PajePushState", "PajePopState", "PajeResetState"].map((kind) =>
  (EVENT_KINDS as readonly string[]).indexOf(kind),
);
const TIMED = ["PajeNewEvent", "PajeStartLink", "PajeEndLink"];
const LEVELS = ["PajeSetVariable", "PajeAddVariable", "PajeSubVariable"];
const SHAPE = [TIME | (NUMBER << ROLE_BITS), TYPE, CONTAINER, VALUE].map((plan, at) =>
  at === 0 ? plan : plan | (REFERENCE << ROLE_BITS),
);
/** Ids of events whose lines are known. */
const MOST_IDS = 1024;

/** Four digits, four line ends. */
const DIGITS = 0x30303030;
const NEWLINES = 0x0a0a0a0a;
/** Words are looked at where that many bytes follow. */
const AHEAD = 16;

/**
 * Reads lines of states as nearly all tools write them, `id time type container [value]` with names that are known, at a quarter of the cost:
 * for who wants to know nothing but states. Of links, marks and (unless wanted) variables only the time is read. Whatever is unusual about
 * a line is left to the {@link Simulation}.
 *
 * One loop over lines, with words of four bytes where they tell as much: a time that is the one of the line before (most are), digits, and
 * what is passed over. Line by line and byte by byte it took a fifth to a third longer.
 */
export class StateLines {
  /** How many lines were read. */
  lines = 0;
  /** By id: what is done with its lines, which event it is, and how many names follow the time. */
  private readonly how = new Uint8Array(MOST_IDS);
  private readonly codes = new Uint8Array(MOST_IDS);
  private readonly counts = new Uint8Array(MOST_IDS);
  /** Tokens of type, container and value of the line at hand. */
  private readonly names = new Int32Array(3);
  private bytes: Uint8Array = new Uint8Array(0);
  private view = new DataView(this.bytes.buffer);

  constructor(
    private readonly simulation: Simulation,
    private readonly withVariables: boolean,
  ) {}

  /**
   * @param start where a line starts; lines before `end` are whole
   * @param most how many lines are read at most
   * @param definitionOf an id's definition, where it can be used
   * @returns the start of the first line that was not read
   */
  scan(
    bytes: Uint8Array,
    start: number,
    end: number,
    most: number,
    definitionOf: (id: number) => EventDefinition | undefined,
  ): number {
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const { view, how, codes, counts, names, simulation } = this;
    const { tiny } = simulation.tokens;
    const { wholeSeconds } = simulation.time;
    const lastWord = bytes.length - AHEAD;
    // The time of the line before, and what ends it: where it is written, and what it is.
    let [timeAt, timeLength, seconds] = [0, 0, 0];
    let at = start;
    let line = start;
    this.lines = 0;
    for (; line < end && this.lines < most; line = at, this.lines++) {
      at = line;
      let byte = bytes[at];
      let id = 0;
      for (let digit = byte - ZERO; digit >>> 0 <= 9; digit = (byte = bytes[++at]) - ZERO) id = id * 10 + digit;
      if (byte !== BLANK || at === line || id >= MOST_IDS) return line;
      let what = how[id];
      if (what === UNKNOWN) what = this.know(id, definitionOf(id));
      if (what === ANY) return line;
      while (byte <= BLANK && byte !== NEWLINE) byte = bytes[++at];
      if (timeLength > 0 && at <= lastWord && isRepeated(view, timeAt, at, timeLength)) at += timeLength - 1;
      else {
        // Nine digits fit an int, on both sides of the point, and ten up to 3,999,999,999; both together fit a double.
        timeAt = at;
        timeLength = 0;
        let whole = 0;
        for (let digit = byte - ZERO; digit >>> 0 <= 9; digit = (byte = bytes[++at]) - ZERO)
          whole = (Math.imul(whole, 10) + digit) | 0;
        const digits = at - timeAt;
        let fraction = 0;
        let places = 0;
        if (byte === POINT) {
          const point = at++;
          if (at <= lastWord)
            for (let word = view.getInt32(at, true); areDigits(word); word = view.getInt32(at, true)) {
              fraction = (Math.imul(fraction, 10_000) + numberOfDigits(word)) | 0;
              at += 4;
              if (at - point > 8) break;
            }
          for (let digit = (byte = bytes[at]) - ZERO; digit >>> 0 <= 9; digit = (byte = bytes[++at]) - ZERO)
            fraction = (Math.imul(fraction, 10) + digit) | 0;
          places = at - point - 1;
        }
        if (byte > BLANK || digits === 0 || places > 9) return line;
        if (digits > 9 && (digits > 10 || bytes[timeAt] > LAST_OF_TEN_DIGITS)) return line;
        const scale = POWERS_OF_TEN[places];
        const scaled = ((whole >>> 0) - wholeSeconds) * scale + fraction;
        // False before the first time, too.
        if (!(Math.abs(scaled) < EXACT)) return line;
        seconds = scaled / scale;
        timeLength = at - timeAt + 1;
      }
      byte = bytes[at];
      if (what === SKIPPED) {
        while (at <= lastWord && !hasNewline(view.getInt32(at, true))) at += 4;
        while (bytes[at] !== NEWLINE) at++;
        at++;
        simulation.passed(seconds);
        continue;
      }
      const count = counts[id];
      for (let name = 0; name < count; name++) {
        while (byte <= BLANK && byte !== NEWLINE) byte = bytes[++at];
        if (byte === QUOTE || byte === NEWLINE) return line;
        const first = at;
        let packed = 0;
        for (; byte > BLANK; byte = bytes[++at]) packed = (packed << 8) | byte;
        const token = at - first <= 2 ? tiny[packed] : this.longer(bytes, first, at, packed);
        if (token === NONE) return line;
        names[name] = token;
      }
      while (byte <= BLANK && byte !== NEWLINE) byte = bytes[++at];
      if (byte !== NEWLINE || !simulation.stateAt(codes[id], seconds, names[0], names[1], names[2])) return line;
      at++;
    }
    return line;
  }

  /** Definitions may be changed by later ones. */
  forget(): void {
    this.how.fill(UNKNOWN);
  }

  private know(id: number, definition: EventDefinition | undefined): number {
    if (definition === undefined) return ANY;
    this.codes[id] = definition.code;
    this.counts[id] = Math.min(0xff, definition.plan.length - 1);
    return (this.how[id] = this.howOf(definition));
  }

  private howOf({ kind, code, plan }: EventDefinition): number {
    if (plan[0] !== SHAPE[0]) return ANY;
    if (TIMED.includes(kind) || (LEVELS.includes(kind) && !this.withVariables)) return SKIPPED;
    const fields = code === STATES[0] || code === STATES[1] ? 4 : 3;
    const isUsual = STATES.includes(code) && plan.length === fields && plan.every((one, at) => one === SHAPE[at]);
    return isUsual ? STATE : ANY;
  }

  /** The token of a longer name; NONE where it is new. @param packed its last four bytes */
  private longer(bytes: Uint8Array, start: number, end: number, packed: number): number {
    const { tokens } = this.simulation;
    return end - start <= 4 ? tokens.findShort(packed) : tokens.find(bytes, start, end, hashOf(bytes, start, end));
  }
}

/** Whether so many bytes, four at least, stand at both places; the last word reaches back. */
function isRepeated(view: DataView, one: number, other: number, length: number): boolean {
  if (length < 4) return false;
  for (let at = 0; at + 4 <= length; at += 4) if (view.getInt32(one + at) !== view.getInt32(other + at)) return false;
  return view.getInt32(one + length - 4) === view.getInt32(other + length - 4);
}

function areDigits(word: number): boolean {
  // A byte above 9 has another high half once 6 is added; sums of one byte do not reach the next where all are 0x30 to 0x3f.
  return ((word & 0xf0f0f0f0) ^ DIGITS) === 0 && (((word + 0x06060606) & 0xf0f0f0f0) ^ DIGITS) === 0;
}

/** Of four digits, the first of them in the lowest byte. */
function numberOfDigits(word: number): number {
  const digits = word & 0x0f0f0f0f;
  const pairs = (Math.imul(digits, 10) + (digits >>> 8)) & 0x00ff00ff;
  return Math.imul(pairs & 0xff, 100) + (pairs >>> 16);
}

/** A byte that is a line end becomes 0, the only one from which 1 is taken with a borrow. */
function hasNewline(word: number): boolean {
  const zero = word ^ NEWLINES;
  return ((zero - 0x01010101) & ~zero & 0x80808080) !== 0;
}
