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

/**
 * Reads lines of states as nearly all tools write them, `id time type container [value]` with names that are known, at a third of the cost:
 * for who wants to know nothing but states. Of links, marks and (unless wanted) variables only the time is read. Whatever is unusual about
 * a line is left to the {@link Simulation}.
 */
export class StateLines {
  private readonly how = new Uint8Array(MOST_IDS);
  /** Tokens of type, container and value of the line at hand. */
  private readonly names = new Int32Array(3);

  constructor(
    private readonly simulation: Simulation,
    private readonly withVariables: boolean,
  ) {}

  /**
   * @param start behind the event's id
   * @returns where the next line starts, -1 where the line was not read
   */
  scan(bytes: Uint8Array, start: number, definition: EventDefinition): number {
    const { id } = definition;
    if (id >= MOST_IDS) return -1;
    let how = this.how[id];
    if (how === UNKNOWN) this.how[id] = how = this.howOf(definition);
    if (how === ANY) return -1;
    let at = start;
    let byte = bytes[at];
    while (byte <= BLANK && byte !== NEWLINE) byte = bytes[++at];
    // Nine digits fit an int, on both sides of the point; both together in a double, exactly up to 15.
    const from = at;
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
    if (byte > BLANK || digits === 0 || digits > 9 || places > 9 || digits + places > 15) return -1;
    const seconds = (whole * POWERS_OF_TEN[places] + fraction) / POWERS_OF_TEN[places];
    if (how === SKIPPED) {
      while (bytes[at] !== NEWLINE) at++;
      this.simulation.passed(seconds);
      return at + 1;
    }
    const { names } = this;
    const { tiny } = this.simulation.tokens;
    const count = definition.plan.length - 1;
    for (let name = 0; name < count; name++) {
      while (byte <= BLANK && byte !== NEWLINE) byte = bytes[++at];
      if (byte === QUOTE || byte === NEWLINE) return -1;
      const first = at;
      let packed = 0;
      for (; byte > BLANK; byte = bytes[++at]) packed = (packed << 8) | byte;
      const token = at - first <= 2 ? tiny[packed] : this.longer(bytes, first, at, packed);
      if (token === NONE) return -1;
      names[name] = token;
    }
    while (byte <= BLANK && byte !== NEWLINE) byte = bytes[++at];
    if (byte !== NEWLINE) return -1;
    return this.simulation.stateAt(definition.code, seconds, names[0], names[1], names[2]) ? at + 1 : -1;
  }

  /** Definitions may be changed by later ones. */
  forget(): void {
    this.how.fill(UNKNOWN);
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
