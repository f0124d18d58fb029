import { damaged } from "./fileWindows";

const decoder = new TextDecoder();

/**
 * Texts of meta.db by position, each decoded once. All together may not be longer than a few times the file: pointers into
 * one long text at thousands of places would otherwise fill the memory.
 */
export class MetaStrings {
  private readonly known = new Map<number, string>();
  private left: number;

  constructor(
    private readonly file: string,
    private readonly bytes: Uint8Array,
  ) {
    this.left = 4 * bytes.length + 65536;
  }

  /** The text at a position, up to its NUL. @throws FormatError where the position is outside, or no NUL follows */
  at(position: number, what: string): string {
    const known = this.known.get(position);
    if (known !== undefined) return known;
    const end = position < this.bytes.length ? this.bytes.indexOf(0, position) : -1;
    if (end < 0) {
      const found = `${what} at byte ${position} without an end`;
      throw damaged(
        this.file,
        Math.min(position, this.bytes.length),
        found,
        "text that ends with a NUL inside the file",
      );
    }
    this.left -= end - position;
    if (this.left < 0) throw damaged(this.file, position, "texts that overlap one another", "separate texts");
    const text = decoder.decode(this.bytes.subarray(position, end));
    this.known.set(position, text);
    return text;
  }
}
