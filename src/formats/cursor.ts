import type { FormatError } from "../model/errors";
import { damagedFile } from "../model/errors";

/** Integers up to here are exact in a double; file offsets beyond are no offsets. */
const EXACT = 2n ** 53n;

/**
 * Reads binary data field by field, forwards; every read is checked against the bytes that are there, so that a damaged
 * offset or count ends in a {@link FormatError} that says where, never beyond the buffer.
 */
export class Cursor {
  private readonly view: DataView;

  /**
   * @param bytes a part of the file, or all of it
   * @param offset where in the file `bytes[0]` stands, for messages
   * @param at index into `bytes` of the next field
   */
  constructor(
    readonly file: string,
    readonly bytes: Uint8Array,
    private readonly littleEndian: boolean,
    readonly offset = 0,
    public at = 0,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Position in the file of the next field. */
  get position(): number {
    return this.offset + this.at;
  }

  /** A further cursor over the same bytes, at this position in the file. @throws FormatError when it is not among them */
  to(position: number, what: string): Cursor {
    const at = position - this.offset;
    if (!(at >= 0 && at <= this.bytes.length)) throw this.outside(position, 0, what);
    return new Cursor(this.file, this.bytes, this.littleEndian, this.offset, at);
  }

  u8(what: string): number {
    return this.view.getUint8(this.take(1, what));
  }

  u16(what: string): number {
    return this.view.getUint16(this.take(2, what), this.littleEndian);
  }

  u32(what: string): number {
    return this.view.getUint32(this.take(4, what), this.littleEndian);
  }

  i32(what: string): number {
    return this.view.getInt32(this.take(4, what), this.littleEndian);
  }

  f64(what: string): number {
    return this.view.getFloat64(this.take(8, what), this.littleEndian);
  }

  u64(what: string): bigint {
    return this.view.getBigUint64(this.take(8, what), this.littleEndian);
  }

  i64(what: string): bigint {
    return this.view.getBigInt64(this.take(8, what), this.littleEndian);
  }

  /** An unsigned 64-bit size, count or offset. @throws FormatError beyond 2^53: no file is that large */
  size(what: string): number {
    const position = this.position;
    const value = this.u64(what);
    if (value <= EXACT) return Number(value);
    throw this.problem(position, `${what} ${value}`, `${what} within the file`);
  }

  skip(bytes: number, what: string): void {
    this.take(bytes, what);
  }

  /** Checks that `count` items of `stride` bytes lie in the bytes from here on, before anything is made room for. */
  array(count: number, stride: number, what: string): void {
    if (!Number.isSafeInteger(count * stride) || this.at + count * stride > this.bytes.length)
      throw this.outside(this.position, count * stride, what);
  }

  /** The error for something at a place of the file. */
  problem(position: number, found: string, expected: string): FormatError {
    return damagedFile(this.file, { byte: position }, found, expected);
  }

  private take(length: number, what: string): number {
    const at = this.at;
    if (!(length >= 0 && at + length <= this.bytes.length)) throw this.outside(this.position, length, what);
    this.at = at + length;
    return at;
  }

  private outside(position: number, length: number, what: string): FormatError {
    const end = this.offset + this.bytes.length;
    return this.problem(
      this.position,
      `${what} that would take ${length} bytes from byte ${position} on`,
      `it before byte ${end}, where the data ends`,
    );
  }
}

/** The first bytes of a file as text, one character per byte. */
export function headText(head: Uint8Array, most = head.length): string {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(most, head.length)).toString("latin1");
}

/** Whether a file with this {@link headText} may be XML. */
export function isXml(text: string): boolean {
  return /^\s*</.test(text);
}

/** Whether a file starts with this text. */
export function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  if (bytes.length < at + text.length) return false;
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}
