import { FormatError } from "../../../model/errors";
import { NONE } from "../../../model/ids";
import type { StringTable } from "../../../model/strings";

const OPEN = 40;
const CLOSE = 41;

/** Where a name is asked for, for messages. */
export interface NamePlace {
  readonly file: string;
  readonly line: number;
}

/** Names of one kind (files, functions, load modules) as a file abbreviates them: `(12) name` once, then `(12)`. */
export class Names {
  private readonly known = new Map<number, number>();

  constructor(private readonly strings: StringTable) {}

  /**
   * The name that stands in `bytes[from … to - 1]`.
   *
   * @returns its index among the strings, {@link NONE} for an empty one
   * @throws FormatError for an abbreviation that no line before explains
   */
  read(bytes: Uint8Array, from: number, to: number, place: NamePlace): number {
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
    throw new FormatError({
      file: place.file,
      at: { line: place.line },
      found: `the abbreviation (${id})`,
      expected: "an abbreviation that an earlier line of the same file explains",
      advice: "The beginning of the file may be missing: copy it again, or record again with --compress-strings=no.",
    });
  }

  private text(bytes: Uint8Array, from: number, to: number): number {
    if (from >= to) return NONE;
    return this.strings.intern(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8"));
  }
}
