import type { FormatError } from "../../../../model/errors";
import { damagedFile } from "../../../../model/errors";
import { type ByteSource, PIECE_BYTES } from "../../../byteSource";

interface Window {
  start: number;
  bytes: Uint8Array;
  length: number;
}

/**
 * Parts of a file by position, through two windows that are read ahead: two places of a file that are read forwards side by
 * side (values, and the table that says whose they are) cost few reads.
 */
export class FileWindows {
  private recent: Window = { start: 0, bytes: new Uint8Array(0), length: 0 };
  private other: Window = { start: 0, bytes: new Uint8Array(0), length: 0 };

  /** @param ahead how much is read at once; less where places are far apart */
  constructor(
    readonly source: ByteSource,
    private readonly ahead = 4 * PIECE_BYTES,
  ) {}

  get size(): number {
    return this.source.size;
  }

  /**
   * The bytes from `position` on; valid until the next but one call.
   *
   * @throws FormatError where the file has fewer
   */
  async bytes(position: number, length: number, what: string): Promise<Uint8Array> {
    this.check(position, length, what);
    if (!holds(this.recent, position, length)) {
      [this.recent, this.other] = [this.other, this.recent];
      if (!holds(this.recent, position, length)) await this.load(position, length);
    }
    const at = position - this.recent.start;
    return this.recent.bytes.subarray(at, at + length);
  }

  /** As {@link bytes}, for reading field by field. */
  async view(position: number, length: number, what: string): Promise<DataView> {
    const bytes = await this.bytes(position, length, what);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws FormatError where the file ends before */
  check(position: number, length: number, what: string): void {
    if (position >= 0 && length >= 0 && position + length <= this.size) return;
    throw this.problem(
      position,
      `${what} that would take ${length} bytes from byte ${position} on`,
      `it before byte ${this.size}, where the file ends`,
    );
  }

  /** The error for something at a place of the file. */
  problem(position: number, found: string, expected: string): FormatError {
    return damaged(this.source.name, position, found, expected);
  }

  private async load(position: number, length: number): Promise<void> {
    const wanted = Math.min(Math.max(length, this.source.pieceBytes ?? this.ahead), this.size - position);
    const window = this.recent;
    window.length = 0;
    if (window.bytes.length < wanted) window.bytes = new Uint8Array(wanted);
    const got = await this.source.read(window.bytes.subarray(0, wanted), position);
    window.start = position;
    window.length = got;
    if (got < length)
      throw this.problem(position + got, "the end of the file", `${this.size} bytes, as when it was opened`);
  }
}

function holds(window: Window, position: number, length: number): boolean {
  return position >= window.start && position + length <= window.start + window.length;
}

export function damaged(file: string, byte: number, found: string, expected: string): FormatError {
  return damagedFile(file, { byte }, found, expected, "copy the database again, or make it again with hpcprof");
}
