/**
 * Text of two bytes per character as UTF-8, which every reader of text reads: what a redirection writes in Windows. Byte order
 * marks go, of UTF-8 as well.
 */
import type { ByteSource } from "./byteSource";
import type { Head } from "./format";
import type { TextEncoding } from "./textEncoding";

/** The first bytes of a file as UTF-8. @param most maximum bytes of the result */
export function decodedHead({ bytes, whole }: Head, { name, mark }: TextEncoding, most: number): Head {
  const text = bytes.subarray(mark);
  if (name === "UTF-8") return { bytes: text, whole };
  const decoder = new Utf16Decoder(name);
  const parts = [decoder.decode(text).slice(), ...(whole ? [decoder.finish()] : [])];
  const all = Buffer.concat(parts);
  return { bytes: all.subarray(0, most), whole: whole && all.length <= most };
}

/** A file as UTF-8 without a mark. @param source is closed with the result */
export function decoded(source: ByteSource, encoding: TextEncoding): ByteSource {
  const { name } = encoding;
  return name === "UTF-8" ? new UnmarkedSource(source, encoding) : new Utf16Source(source, encoding, name);
}

class UnmarkedSource implements ByteSource {
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: number | undefined;

  constructor(
    private readonly source: ByteSource,
    readonly encoding: TextEncoding,
  ) {
    this.name = source.name;
    this.size = source.size - encoding.mark;
    this.modifiedAt = source.modifiedAt;
  }

  get fraction(): number | undefined {
    return this.source.fraction;
  }

  get isCut(): boolean | undefined {
    return this.source.isCut;
  }

  async read(target: Uint8Array, position: number): Promise<number> {
    const { mark } = this.encoding;
    // A packed file can only be read forwards, so the mark is read, too.
    if (position === 0 && !Number.isFinite(this.size)) await this.source.read(new Uint8Array(mark), 0);
    return this.source.read(target, position + mark);
  }

  close(): Promise<void> {
    return this.source.close();
  }
}

/** Bytes that are decoded at a time. */
const CHUNK_BYTES = 256 << 10;

/** It can be read forwards only, and its size is not known before its end (`size` is infinite). */
class Utf16Source implements ByteSource {
  readonly name: string;
  readonly size = Number.POSITIVE_INFINITY;
  readonly modifiedAt: number | undefined;
  private readonly decoder: Utf16Decoder;
  private readonly piece = new Uint8Array(CHUNK_BYTES);
  /** Decoded and not read. */
  private rest: Uint8Array = new Uint8Array(0);
  private position = 0;
  private sourcePosition = 0;
  private isAtEnd = false;

  constructor(
    private readonly source: ByteSource,
    readonly encoding: TextEncoding,
    name: "UTF-16LE" | "UTF-16BE",
  ) {
    this.name = source.name;
    this.modifiedAt = source.modifiedAt;
    this.decoder = new Utf16Decoder(name);
  }

  /** Bytes of the stored file that were read. */
  get fraction(): number {
    const { source } = this;
    return source.fraction ?? (source.size === 0 ? 1 : this.sourcePosition / source.size);
  }

  get isCut(): boolean | undefined {
    return this.source.isCut;
  }

  async read(target: Uint8Array, position: number): Promise<number> {
    if (position !== this.position)
      throw new Error(`${this.name} is ${this.encoding.name}: it can be read forwards only`);
    let got = 0;
    while (got < target.length && (this.rest.length > 0 || (await this.more()))) {
      const part = this.rest.subarray(0, target.length - got);
      target.set(part, got);
      this.rest = this.rest.subarray(part.length);
      got += part.length;
    }
    this.position += got;
    return got;
  }

  close(): Promise<void> {
    return this.source.close();
  }

  /** Decodes the next piece. @returns false at the end */
  private async more(): Promise<boolean> {
    if (this.isAtEnd) return false;
    const { mark } = this.encoding;
    const got = await this.source.read(this.piece, this.sourcePosition);
    const text = this.piece.subarray(this.sourcePosition === 0 ? mark : 0, got);
    this.sourcePosition += got;
    this.isAtEnd = got === 0;
    this.rest = this.isAtEnd ? this.decoder.finish() : this.decoder.decode(text);
    return true;
  }
}

/** Bytes of UTF-8 for a unit of UTF-16 at most: a pair of units becomes four. */
const MAX_BYTES_PER_UNIT = 3;

/** Makes UTF-8 of UTF-16 piece by piece; a piece may end inside of a character. */
export class Utf16Decoder {
  private readonly low: 0 | 1;
  /** First byte of a unit whose second byte has not arrived. -1 if there is no such unit. */
  private half = -1;
  /** First unit of a surrogate pair whose second unit has not arrived. -1 if there is no such pair. */
  private high = -1;
  private target: Uint8Array = new Uint8Array(0);
  private end = 0;

  constructor(name: "UTF-16LE" | "UTF-16BE") {
    this.low = name === "UTF-16LE" ? 0 : 1;
  }

  /** @returns UTF-8 of what is whole; valid until the next call */
  decode(bytes: Uint8Array): Uint8Array {
    this.reserve(MAX_BYTES_PER_UNIT * ((bytes.length >> 1) + 3));
    let at = 0;
    if (this.half >= 0 && bytes.length > 0)
      this.unit(this.low === 0 ? this.half | (bytes[at++] << 8) : (this.half << 8) | bytes[at++]);
    const { low } = this;
    for (; at + 1 < bytes.length; at += 2) this.unit(bytes[at + low] | (bytes[at + 1 - low] << 8));
    this.half = at < bytes.length ? bytes[at] : bytes.length === 0 ? this.half : -1;
    return this.target.subarray(0, this.end);
  }

  /** Half a character at the end of a cut file becomes U+FFFD. */
  finish(): Uint8Array {
    this.reserve(2 * MAX_BYTES_PER_UNIT);
    if (this.high >= 0) this.put(UNKNOWN_CHARACTER);
    if (this.half >= 0) this.put(UNKNOWN_CHARACTER);
    this.high = this.half = -1;
    return this.target.subarray(0, this.end);
  }

  private reserve(bytes: number): void {
    if (this.target.length < bytes) this.target = new Uint8Array(bytes);
    this.end = 0;
  }

  private unit(unit: number): void {
    const isLow = (unit & 0xfc00) === 0xdc00;
    const { high } = this;
    this.high = -1;
    if (high >= 0 && isLow) return this.put(0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
    if (high >= 0) this.put(UNKNOWN_CHARACTER);
    if ((unit & 0xfc00) === 0xd800) this.high = unit;
    else this.put(isLow ? UNKNOWN_CHARACTER : unit);
  }

  private put(code: number): void {
    const { target } = this;
    if (code < 0x80) target[this.end++] = code;
    else if (code < 0x800) {
      target[this.end++] = 0xc0 | (code >> 6);
      target[this.end++] = 0x80 | (code & 63);
    } else if (code < 0x10000) {
      target[this.end++] = 0xe0 | (code >> 12);
      target[this.end++] = 0x80 | ((code >> 6) & 63);
      target[this.end++] = 0x80 | (code & 63);
    } else {
      target[this.end++] = 0xf0 | (code >> 18);
      target[this.end++] = 0x80 | ((code >> 12) & 63);
      target[this.end++] = 0x80 | ((code >> 6) & 63);
      target[this.end++] = 0x80 | (code & 63);
    }
  }
}

/** Replacement character, for half a surrogate pair. */
const UNKNOWN_CHARACTER = 0xfffd;
