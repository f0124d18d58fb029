import { NONE } from "../../../model/ids";
import type { StringTable } from "../../../model/strings";

const OPEN = 40;
const CLOSE = 41;

/** What callgrind itself writes for a name that it does not know. */
export const UNKNOWN_NAME = "???";

/** Names of one kind (files, functions, load modules) as a file abbreviates them: `(12) name` once, then `(12)`. */
export class Names {
  /** Abbreviations that no line before their first use explains, with that line: the file's beginning may be missing. */
  readonly unnamed = new Map<number, number>();
  private readonly known = new Map<number, number>();

  /** @param apart whether names that are not known are different ones: they are then told apart by their abbreviations */
  constructor(
    private readonly strings: StringTable,
    private readonly apart = false,
  ) {}

  /**
   * The name that stands in `bytes[from … to - 1]`.
   *
   * @param line number of the line
   * @returns its index among the strings, {@link NONE} for an empty one
   */
  read(bytes: Uint8Array, from: number, to: number, line: number): number {
    let end = to;
    while (end > from && bytes[end - 1] <= 32) end--;
    let at = from;
    while (at < end && bytes[at] <= 32) at++;
    if (bytes[at] !== OPEN || at === end) return this.text(bytes, at, end);
    let id = 0;
    let digit = at + 1;
    for (; digit < end && bytes[digit] >= 48 && bytes[digit] <= 57; digit++) id = id * 10 + bytes[digit] - 48;
    // A name may begin with a bracket itself: `(anonymous namespace)::f`.
    if (digit === at + 1 || bytes[digit] !== CLOSE || digit >= end) return this.text(bytes, at, end);
    at = digit + 1;
    while (at < end && bytes[at] <= 32) at++;
    if (at < end) {
      const name = this.text(bytes, at, end);
      this.known.set(id, name);
      return name;
    }
    const known = this.known.get(id);
    if (known !== undefined) return known;
    this.unnamed.set(id, line);
    const unknown = this.strings.intern(this.apart ? `${UNKNOWN_NAME} (${id})` : UNKNOWN_NAME);
    this.known.set(id, unknown);
    return unknown;
  }

  private text(bytes: Uint8Array, from: number, to: number): number {
    if (from >= to) return NONE;
    return this.strings.intern(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8"));
  }
}
