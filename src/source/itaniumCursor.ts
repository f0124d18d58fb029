import { lengthOf, type Piece } from "./itaniumPieces";

/** Names longer than this, nested deeper, or growing beyond it when written out, are not what compilers make of source. */
export const MOST_TEXT = 20_000;
const DEEPEST = 200;

/** The name cannot be read: it is damaged, or says what this reader does not know. */
export class Unreadable extends Error {}

/** A mangled name, read letter by letter: what stands at one place of it, and how far parts may hold parts. */
export abstract class ItaniumCursor {
  protected depth = 0;

  constructor(
    protected readonly text: string,
    protected at: number,
  ) {}

  protected take(letter: string): boolean {
    if (this.text[this.at] !== letter) return false;
    this.at++;
    return true;
  }

  protected expect(letter: string): void {
    if (!this.take(letter)) throw new Unreadable();
  }

  protected pattern(sticky: RegExp): Record<string, string> {
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.text);
    if (match === null) throw new Unreadable();
    this.at = sticky.lastIndex;
    return match.groups ?? {};
  }

  /** Parts hold parts, and substitutions may double a text at each step: both have a bound. */
  protected deeper<T extends Piece | { readonly piece: Piece }>(read: () => T): T {
    if (this.depth >= DEEPEST || this.at >= this.text.length) throw new Unreadable();
    this.depth++;
    const result = read();
    this.depth--;
    const piece: Piece = "piece" in result ? result.piece : result;
    if (lengthOf(piece) > MOST_TEXT) throw new Unreadable();
    return result;
  }

  protected sourceName(): string {
    const { number } = this.pattern(/(?<number>\d{1,5})/y);
    const from = this.at;
    this.at += Number(number);
    if (this.at > this.text.length || number === "0") throw new Unreadable();
    const name = this.text.slice(from, this.at);
    return /^_GLOBAL_[._$]N/.test(name) || name.startsWith("_INTERNAL_") ? "(anonymous namespace)" : name;
  }

  /** `_` is the first, `0_` the second. */
  protected ordinal(): number {
    const { number } = this.pattern(/(?<number>\d*)_/y);
    return number === "" ? 1 : Number(number) + 2;
  }

  protected discriminator(): void {
    this.pattern(/(?:__\d+_|_\d)?/y);
  }
}
