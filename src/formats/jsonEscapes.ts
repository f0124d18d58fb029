import type { Warning } from "../model/dataSet";

const utf8 = new TextDecoder("utf-8");
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Escapes that JSON does not have, as a path has them whose backslashes were not doubled: `C:\work`. */
export class InvalidEscapes {
  /** The first one; empty where there is none. */
  private first = "";

  note(escape: string): void {
    if (this.first === "") this.first = escape;
  }

  /** One warning, however many there are. */
  warnings(file: string): Warning[] {
    return this.first === "" ? [] : [{ message: this.message, file }];
  }

  /** Undefined where there is none. */
  get sentence(): string | undefined {
    return this.first === "" ? undefined : this.message;
  }

  private get message(): string {
    return `strings hold escapes that JSON does not have, ${this.first} first: they are kept as written. A path needs two backslashes for each of its own`;
  }
}

/**
 * Text between two quotes. An escape that JSON does not have stays as it is written: nobody means it to lose its backslash.
 *
 * @param invalid is told of such escapes
 */
export function textOf(bytes: Uint8Array, start: number, end: number, invalid?: InvalidEscapes): string {
  const raw = utf8.decode(bytes.subarray(start, end));
  if (!raw.includes("\\")) return raw;
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (escape, hex: string | undefined, sign: string | undefined) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    const meant = ESCAPES.get(sign ?? "");
    if (meant === undefined) invalid?.note(escape);
    return meant ?? escape;
  });
}
