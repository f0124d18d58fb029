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

/** Escapes that JSON does not have, such as in a path whose backslashes were not doubled: `C:\work`. */
export class InvalidEscapes {
  /** The first one; empty if there is none. */
  private first = "";

  note(escape: string): void {
    if (this.first === "") this.first = escape;
  }

  /** One warning for all of them. */
  warnings(file: string): Warning[] {
    return this.first === "" ? [] : [{ message: this.message, file }];
  }

  /** Undefined if there is no such escape. */
  get sentence(): string | undefined {
    return this.first === "" ? undefined : this.message;
  }

  private get message(): string {
    return `strings contain escapes that JSON does not have, first ${this.first}: they are kept as written. Double each backslash of a path`;
  }
}

/**
 * Decodes the text between two quotes. An escape that JSON does not have is kept with its backslash.
 *
 * @param invalid collects such escapes
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
