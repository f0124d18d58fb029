import type { Task } from "../model/task";
import { encodedBytes, type TextEncoding } from "./textEncoding";

/** How much of a file is read at once: large enough for full speed, small enough that a cancel is noticed within milliseconds. */
export const PIECE_BYTES = 1 << 20;

/** Bytes of a recording, wherever they are. */
export interface ByteSource {
  /** Absolute path, or a name for messages. */
  readonly name: string;
  readonly size: number;
  /** When the file was written: milliseconds since the epoch. */
  readonly modifiedAt?: number;
  /** Identifies the content of the file, as `fileVersion` does; undefined if it is no file of a disk. */
  readonly version?: string;
  /** How much is best read at once, where that is not {@link PIECE_BYTES}. */
  readonly pieceBytes?: number;
  /** How much of what is stored was read, where that is not how much of `size` was. */
  readonly fraction?: number;
  /** Whether the file is packed and its packed data ended early. Known once everything was read. */
  readonly isCut?: boolean;
  /** Encoding of the file, if its bytes differ from those that are read. */
  readonly encoding?: TextEncoding;
  /**
   * Fills `target` with the bytes from `position` on, as far as the source has them.
   *
   * @returns the number of bytes read: less than asked for only at the end
   * @throws FormatError when the file is gone, was replaced or became shorter since it was opened
   */
  read(target: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** A source in memory. */
export function memorySource(bytes: Uint8Array | string, name = "memory"): ByteSource {
  const content = typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes;
  return {
    name,
    size: content.length,
    async read(target, position) {
      const part = content.subarray(position, position + target.length);
      target.set(part);
      return part.length;
    },
    close: async () => undefined,
  };
}

/**
 * A window that slides over a source, piece by piece: `bytes[start] … bytes[end - 1]` are there and not yet used.
 * The next piece is read while this one is scanned.
 */
export class PieceWindow {
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  /** Position in the file of `bytes[0]`. */
  private offset: number;
  private position = 0;
  private ahead: { readonly bytes: Uint8Array; readonly length: Promise<number> } | undefined;
  private spare: Uint8Array;

  constructor(
    private readonly source: ByteSource,
    private readonly task: Task,
    private readonly pieceBytes = Math.min(source.pieceBytes ?? PIECE_BYTES, Math.max(1, source.size)),
  ) {
    this.spare = new Uint8Array(pieceBytes);
    this.offset = source.encoding?.mark ?? 0;
  }

  /** Offset of `bytes[index]` in the stored file, in any encoding. */
  positionOf(index: number): number {
    const { encoding } = this.source;
    return this.offset + (encoding === undefined ? index : encodedBytes(encoding, this.bytes.subarray(0, index)));
  }

  /**
   * Keeps what was not used yet and adds the next piece behind it; indices before the call are void.
   *
   * @returns false at the end of the source
   * @throws CancelledError here, at every piece
   */
  async more(): Promise<boolean> {
    const { size, fraction } = this.source;
    this.task.progress(fraction ?? (size === 0 ? undefined : this.position / size));
    const piece = this.ahead ?? this.request(this.spare);
    const length = await piece.length;
    this.ahead = undefined;
    if (length === 0) return false;
    const kept = this.end - this.start;
    this.offset = this.positionOf(this.start);
    if (this.bytes.length < kept + length) {
      // Doubling: a line that is longer than many pieces is not copied again with each of them.
      // What is one piece in all takes no more.
      const isAll = this.position === 0 && length === this.source.size;
      const wider = new Uint8Array(isAll ? length : Math.max(kept + length, 2 * kept, 2 * this.pieceBytes));
      wider.set(this.bytes.subarray(this.start, this.end));
      this.bytes = wider;
    } else {
      this.bytes.copyWithin(0, this.start, this.end);
    }
    this.start = 0;
    this.bytes.set(piece.bytes.subarray(0, length), kept);
    this.end = kept + length;
    this.position += length;
    this.spare = piece.bytes;
    if (this.position < this.source.size) this.ahead = this.request(this.spare);
    return true;
  }

  /** Waits for the read that may be under way, so that the source can be closed. */
  async settle(): Promise<void> {
    await this.ahead?.length.catch(() => undefined);
  }

  private request(bytes: Uint8Array): { bytes: Uint8Array; length: Promise<number> } {
    const length = this.source.read(bytes, this.position);
    // The failure reaches whoever awaits it; without this, a read that nobody awaits any more would end the process.
    length.catch(() => undefined);
    return { bytes, length };
  }
}
