import { FormatError } from "../model/errors";
import type { PieceWindow } from "./byteSource";
import { InvalidEscapes, textOf } from "./jsonEscapes";

/** One token. `bare` is a word that JSON does not know and tools write all the same: an address in hex. */
export type Token = "{" | "}" | "[" | "]" | ":" | "," | "string" | "number" | "null" | "boolean" | "bare" | "end";

const END_OF_FILE = "the end of the file";
const QUOTE = 34;
const BACKSLASH = 92;
const utf8 = new TextDecoder("utf-8");
/**
 * Tokens of JSON straight from bytes, so that a file never becomes one string. Takes what real tools write beside the
 * standard: bare `nan`, `inf`, `-inf`, and bare words.
 */
export class JsonTokens {
  /** Of the last string, boolean, bare word, or number as it is written: it may have more digits than a double. */
  text = "";
  /** Of the last number. */
  number = 0;
  private ended = false;
  /** How far an unfinished token was looked at, from its start: a long one is not scanned anew with each piece. */
  private scanned = 0;
  /** Whether strings are decoded. */
  private textWanted = true;

  constructor(
    private readonly window: Pick<PieceWindow, "bytes" | "start" | "end" | "positionOf" | "more">,
    private readonly file: string,
    /** Gets what strings hold that is no escape of JSON. */
    readonly escapes = new InvalidEscapes(),
  ) {}

  /** Over the first bytes of a file: a token that may go on behind them is none. */
  static ofHead(bytes: Uint8Array, escapes?: InvalidEscapes): JsonTokens {
    return new JsonTokens(windowOver(bytes), "", escapes);
  }

  /** Over bytes that are all there: a number or a word may stand at their end. */
  static over(bytes: Uint8Array, escapes?: InvalidEscapes): JsonTokens {
    const tokens = JsonTokens.ofHead(bytes, escapes);
    tokens.ended = true;
    return tokens;
  }

  /** The next token. */
  async next(): Promise<Token> {
    for (;;) {
      const token = this.scan();
      if (token !== undefined) return token;
      if (!(await this.window.more())) this.ended = true;
    }
  }

  /** As {@link next}, without waiting: undefined where the window has no whole token. */
  scan(): Token | undefined {
    const { window } = this;
    const { bytes, end } = window;
    let at = window.start;
    while (at < end && (bytes[at] === 32 || (bytes[at] >= 9 && bytes[at] <= 13))) at++;
    window.start = at;
    if (at === end) return this.ended ? "end" : undefined;
    const byte = bytes[at];
    const sign = SIGNS.get(byte);
    if (sign !== undefined) {
      window.start = at + 1;
      return sign;
    }
    return byte === QUOTE ? this.scanString(at) : this.scanWord(at);
  }

  /** Reads the next token, which must be this one. */
  async expect(wanted: Token, what: string): Promise<void> {
    const found = await this.next();
    if (found !== wanted) throw this.unexpected(found, what);
  }

  /**
   * Reads an object whose opening bracket was read.
   *
   * @param take reads the value of each key
   */
  async object(take: (key: string) => Promise<void> | void, what = "a key"): Promise<void> {
    for (let token = this.scan() ?? (await this.next()); token !== "}"; token = this.scan() ?? (await this.next())) {
      if (token === ",") continue;
      if (token !== "string") throw this.unexpected(token, what);
      const key = this.text;
      await this.expect(":", "a colon after the key");
      await take(key);
    }
  }

  /** Reads a list. @param take gets the first token of each of its values */
  async list(what: string, take: (first: Token) => Promise<void> | void): Promise<void> {
    await this.expect("[", what);
    for (let token = this.scan() ?? (await this.next()); token !== "]"; token = this.scan() ?? (await this.next()))
      if (token !== ",") await take(token);
  }

  /** Reads a value; what is simple as text, undefined for anything else. */
  async simpleText(): Promise<string | undefined> {
    const token = await this.next();
    if (token === "string" || token === "bare" || token === "boolean") return this.text;
    if (token === "number") return String(this.number);
    await this.skip(token);
    return undefined;
  }

  /** Leaves out a whole value, however deep, whose first token was read already. */
  async skip(first: Token): Promise<void> {
    let depth = 0;
    this.textWanted = false;
    for (let token: Token | undefined = first; ; token = this.scan() ?? (await this.next())) {
      if (token === "{" || token === "[") depth++;
      else if (token === "}" || token === "]") depth--;
      else if (token === "end") throw this.unexpected(token, "the end of a value");
      if (depth <= 0) break;
    }
    this.textWanted = true;
  }

  /** The error for a token that should have been something else. */
  unexpected(found: Token, expected: string): FormatError {
    const truncated = found === "end";
    return new FormatError({
      file: this.file,
      at: { byte: this.position },
      found: truncated ? END_OF_FILE : found === "string" ? "a string" : `"${found}"`,
      expected,
      advice: truncated
        ? "The file is not complete: copy it again, or record again."
        : "The file may be damaged, or of another format.",
    });
  }

  /** Where in the file the next token is looked for. */
  get position(): number {
    return this.window.positionOf(this.window.start);
  }

  private scanString(start: number): Token | undefined {
    const { bytes, end } = this.window;
    let at = start + Math.max(1, this.scanned);
    while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    if (at >= end) {
      if (this.ended) throw this.unexpected("end", "the end of a string");
      this.scanned = at - start;
      return undefined;
    }
    this.scanned = 0;
    this.text = this.textWanted ? textOf(bytes, start + 1, at, this.escapes) : "";
    this.window.start = at + 1;
    return "string";
  }

  private scanWord(start: number): Token | undefined {
    const { bytes, end } = this.window;
    let at = start + this.scanned;
    while (at < end && isWordByte(bytes[at])) at++;
    if (at === end && !this.ended) {
      this.scanned = at - start;
      return undefined;
    }
    this.scanned = 0;
    if (at === start) throw this.unexpected("bare", "a value");
    const word = utf8.decode(bytes.subarray(start, at));
    this.window.start = at;
    if (word === "null") return "null";
    this.text = word;
    if (word === "true" || word === "false") return "boolean";
    if (/^-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(word)) this.number = Number(word);
    else if (/^[+-]?nan$/i.test(word)) this.number = Number.NaN;
    else if (/^[+-]?inf(?:inity)?$/i.test(word)) this.number = word.startsWith("-") ? -Infinity : Infinity;
    else return "bare";
    return "number";
  }
}

/** Whether reading failed only since the file ends inside of what was to be read. */
export function endsEarly(problem: unknown): boolean {
  return problem instanceof FormatError && problem.problem.found === END_OF_FILE;
}

/** A window over bytes that are all there. */
export function windowOver(bytes: Uint8Array) {
  return { bytes, start: 0, end: bytes.length, positionOf: (at: number) => at, more: async () => false };
}

const SIGNS: ReadonlyMap<number, Token> = new Map(
  (["{", "}", "[", "]", ":", ","] as const).map((sign) => [sign.charCodeAt(0), sign]),
);

function isWordByte(byte: number): boolean {
  return (
    (byte >= 48 && byte <= 57) ||
    (byte >= 65 && byte <= 90) ||
    (byte >= 97 && byte <= 122) ||
    byte === 43 ||
    byte === 45 ||
    byte === 46 ||
    byte === 95
  );
}
