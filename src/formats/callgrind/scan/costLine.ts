import type { FormatError } from "../../../model/errors";
import { damagedFile } from "../../../model/errors";
import { EXACT_DIGITS } from "../../numberScan";

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const STAR = 42;
const PLUS = 43;
const MINUS = 45;
/** Far above what 64 bits count, far below where sums end in infinity. */
const MOST = 1e30;
const LAST_LINE = 0x7fffffff;

/**
 * Takes cost lines apart: positions, then costs. Both may be given relative to the line before: `+3`, `-3`, `*`.
 * Addresses are passed over; a line of 0 is none.
 */
export class CostLine {
  /** Line of the last cost line. */
  line = 0;
  /** Costs of the last cost line; what is missing at its end is 0. */
  costs = new Float64Array(0);
  /** Number of costs that the last cost line had. */
  count = 0;
  private columns = 1;
  private lineColumn = 0;
  /** A cost that begins with a minus is a negative number, not a difference. */
  private negative = false;
  private value = 0;

  constructor(private readonly file: string) {}

  /** The columns of the lines to come; positions begin at 0 again. */
  begin(positions: readonly string[], events: number, negative: boolean): void {
    this.columns = positions.length;
    this.lineColumn = positions.indexOf("line");
    this.costs = new Float64Array(events);
    this.negative = negative;
    this.line = 0;
    this.count = 0;
  }

  /**
   * Reads the line that begins at `at`.
   *
   * @param number of the line in the file, for messages
   * @returns where the next line begins
   */
  read(bytes: Uint8Array, at: number, number: number): number {
    const { columns, lineColumn, costs } = this;
    for (let column = 0; column < columns; column++) {
      while (bytes[at] === SPACE || bytes[at] === TAB) at++;
      if (bytes[at] < SPACE) throw this.problem(bytes, at, number, "a position that is missing");
      if (column !== lineColumn) {
        while (bytes[at] > SPACE) at++;
        continue;
      }
      at = this.token(bytes, at, number, this.line, false);
      if (!(this.value >= 0 && this.value <= LAST_LINE && Number.isInteger(this.value)))
        throw this.problem(bytes, at, number, `the source line ${this.value}`);
      this.line = this.value;
    }
    let count = 0;
    for (;;) {
      const byte = bytes[at];
      if (byte === NEWLINE) break;
      if (byte <= SPACE) {
        at++;
        continue;
      }
      if (count === costs.length) throw this.problem(bytes, at, number, `more than ${count} costs`);
      const digit = byte - 48;
      const next = bytes[at + 1];
      // Most costs have one digit.
      if (digit >= 0 && digit <= 9 && (next === SPACE || next === NEWLINE)) {
        costs[count++] = digit;
        at++;
        continue;
      }
      at = this.token(bytes, at, number, costs[count], this.negative);
      costs[count++] = this.value;
    }
    for (let at = count; at < this.count; at++) costs[at] = 0;
    this.count = count;
    return at + 1;
  }

  /** One number, absolute or relative to `before`. */
  private token(bytes: Uint8Array, start: number, number: number, before: number, negative: boolean): number {
    let at = start;
    const sign = bytes[at];
    if (sign === STAR) {
      at++;
      this.value = before;
      return this.end(bytes, at, start, number);
    }
    if (sign === PLUS || sign === MINUS) at++;
    const first = at;
    let value = 0;
    for (; bytes[at] >= 48 && bytes[at] <= 57; at++) value = value * 10 + bytes[at] - 48;
    if (at === first || at - first > EXACT_DIGITS || bytes[at] > SPACE) {
      while (bytes[at] > SPACE) at++;
      value = this.slowly(bytes, first, at, number);
    }
    const relative = sign === PLUS || (sign === MINUS && !negative);
    this.value = (relative ? before : 0) + (sign === MINUS ? -value : value);
    return this.end(bytes, at, start, number);
  }

  private slowly(bytes: Uint8Array, from: number, to: number, number: number): number {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(to - from, 100)).toString("latin1");
    if (!/^(?:0x[0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)$/.test(text))
      throw this.problem(bytes, from, number, "what is no number");
    const value = Number(text);
    if (!(value < MOST)) throw this.problem(bytes, from, number, "a number beyond all that can be counted");
    return value;
  }

  private end(bytes: Uint8Array, at: number, start: number, number: number): number {
    if (bytes[at] <= SPACE) return at;
    throw this.problem(bytes, start, number, "what is no number");
  }

  private problem(bytes: Uint8Array, at: number, number: number, found: string): FormatError {
    let from = at;
    while (from > 0 && bytes[from - 1] !== NEWLINE && at - from < 100) from--;
    let to = at;
    while (to < bytes.length && bytes[to] !== NEWLINE && bytes[to] !== RETURN && to - from < 200) to++;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1");
    const expected = `${this.columns} positions and at most ${this.costs.length} costs`;
    return damagedFile(this.file, { line: number }, `${found}, in "${text}"`, expected);
  }
}
