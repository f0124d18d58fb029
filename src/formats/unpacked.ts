import { FormatError } from "../model/errors";
import type { ByteSource } from "./byteSource";
import { decodedHead } from "./decoded";
import { Gunzip } from "./gunzip";
import { encodingOf, type TextEncoding } from "./textEncoding";
import type { Head } from "./format";

/** How much a packed file may become: `ratio` times its own size, and in any case this much. */
const ALWAYS_ALLOWED_BYTES = 64 << 20;

/** The two bytes that every gzip file starts with, and the method that all of them use. */
export function isGzip(head: Uint8Array): boolean {
  return head.length >= 3 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/** Warning about packed data that ends early, if the content itself does not show it. */
export const PACKED_CUT = "the file ends early: its packed data is not whole. Copy it again, or pack it again";

/** Bytes of a packed file that are read at a time. */
const PACKED_PIECE_BYTES = 256 << 10;

/**
 * Content of a gzip file. It can only be read forwards, and its size is not known before its end (`size` is infinite). A file that was
 * cut ends where its packed data does, as the same text would: its reader then finds what is missing.
 *
 * @param packed is closed with the result
 * @param mostRatio how many times larger than the file its content may be, so that a small file cannot fill the memory
 * @param onCut called when the packed data ends early
 */
export function unpacked(packed: ByteSource, mostRatio: number, onCut: () => void): ByteSource {
  const mostBytes = Math.max(ALWAYS_ALLOWED_BYTES, mostRatio * packed.size);
  return new UnpackedSource(packed, mostBytes, () => packed.close(), onCut);
}

class UnpackedSource implements ByteSource {
  readonly name: string;
  readonly size = Number.POSITIVE_INFINITY;
  readonly modifiedAt?: number;
  readonly version?: string;
  private readonly unpacked = new Gunzip(() => this.packedPiece());
  private rest: Buffer = Buffer.alloc(0);
  private position = 0;
  private packedPosition = 0;
  /** What is wrong behind the bytes that were unpacked, which come first. */
  private ended: FormatError | undefined;

  constructor(
    private readonly packed: ByteSource,
    private readonly mostBytes: number,
    private readonly closePacked: () => Promise<void>,
    private readonly onCut: () => void = () => undefined,
  ) {
    this.name = packed.name;
    this.modifiedAt = packed.modifiedAt;
    this.version = packed.version;
  }

  /** The packed data ended early. Known once everything was read. */
  get isCut(): boolean {
    return this.unpacked.isCut;
  }

  /** How much of the packed file was read. */
  get fraction(): number {
    return this.packed.size === 0 ? 1 : this.packedPosition / this.packed.size;
  }

  async read(target: Uint8Array, position: number): Promise<number> {
    if (position !== this.position) throw new Error(`${this.name} is packed: it can be read forwards only`);
    let got = 0;
    while (got < target.length) {
      if (this.rest.length === 0 && !(await this.hasMore(got > 0))) break;
      const part = this.rest.subarray(0, target.length - got);
      target.set(part, got);
      this.rest = this.rest.subarray(part.length);
      got += part.length;
    }
    this.position += got;
    return got;
  }

  async close(): Promise<void> {
    this.unpacked.close();
    await this.closePacked();
  }

  private async packedPiece(): Promise<Uint8Array | undefined> {
    const { packed } = this;
    if (this.packedPosition >= packed.size) return undefined;
    const piece = new Uint8Array(Math.min(PACKED_PIECE_BYTES, packed.size - this.packedPosition));
    const got = await packed.read(piece, this.packedPosition);
    this.packedPosition += got;
    return got === 0 ? undefined : piece.subarray(0, got);
  }

  /** @param later an error is kept for the next read */
  private async hasMore(later: boolean): Promise<boolean> {
    if (this.ended === undefined) {
      try {
        return await this.next();
      } catch (problem) {
        if (!(problem instanceof FormatError)) throw problem;
        this.ended = problem;
      }
    }
    if (later) return false;
    throw this.ended;
  }

  private async next(): Promise<boolean> {
    const piece = await this.unpacked.next().catch((cause: unknown) => {
      throw this.damaged(cause);
    });
    if (piece === undefined) {
      if (this.isCut) this.onCut();
      return false;
    }
    if (this.position + piece.length > this.mostBytes) throw this.tooLarge();
    this.rest = piece;
    return true;
  }

  private damaged(cause: unknown): FormatError {
    if (cause instanceof FormatError) return cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    const cut = code === "Z_BUF_ERROR";
    return new FormatError({
      file: this.name,
      at: { byte: this.packedPosition },
      found: cut ? "the end of the file" : `packed data that cannot be unpacked (${message})`,
      expected: cut ? "further packed data" : "gzip data",
      advice: "The file is not complete or was damaged: copy it again, or pack it again.",
    });
  }

  private tooLarge(): FormatError {
    return new FormatError({
      file: this.name,
      at: { byte: this.packedPosition },
      found: `more than ${this.mostBytes} bytes when it is unpacked`,
      expected: `at most so many from ${this.packed.size} packed bytes`,
      advice:
        "If the file is to be trusted, raise the setting heatflow.limits.unpacked, or unpack it and open the result.",
    });
  }
}

/** First bytes of a file, and how it is stored. */
export interface StoredHead extends Head {
  readonly packed: boolean;
  /** Undefined for UTF-8 without a mark, and for what is no text. */
  readonly encoding: TextEncoding | undefined;
}

/**
 * The first bytes of a file, unpacked where it is packed and as UTF-8 where it is text, for finding out what it is. A packed file that is damaged may still say
 * what it was to be.
 *
 * @throws FormatError where nothing of it can be unpacked
 */
export async function headOf(source: ByteSource, bytes: number): Promise<StoredHead> {
  const first = await firstOf(source, bytes);
  if (!isGzip(first.bytes)) return asText(first, bytes, false);
  // A head is small whatever it was packed to: no ratio needs to hold here.
  const content = new UnpackedSource(source, Number.POSITIVE_INFINITY, async () => undefined);
  try {
    return asText(await firstOf(content, bytes), bytes, true);
  } finally {
    await content.close();
  }
}

function asText(head: Head, most: number, packed: boolean): StoredHead {
  const encoding = encodingOf(head.bytes);
  const { bytes, whole } = encoding === undefined ? head : decodedHead(head, encoding, most);
  return { bytes, whole, packed, encoding };
}

async function firstOf(source: ByteSource, bytes: number): Promise<Head> {
  const head = new Uint8Array(Math.min(bytes + 1, source.size));
  const got = await source.read(head, 0);
  return { bytes: head.subarray(0, Math.min(got, bytes)), whole: got <= bytes };
}
