import fs from "node:fs/promises";
import path from "node:path";
import { FormatError } from "../model/errors";
import type { Task } from "../model/task";

/** How much of a file is read at once: large enough for full speed, small enough that a cancel is noticed within milliseconds. */
export const PIECE_BYTES = 1 << 20;

/** Bytes of a recording, wherever they are. */
export interface ByteSource {
  /** Absolute path, or a name for messages. */
  readonly name: string;
  readonly size: number;
  /** When the file was written: milliseconds since the epoch. */
  readonly modifiedAt?: number;
  /** How much is best read at once, where that is not {@link PIECE_BYTES}. */
  readonly pieceBytes?: number;
  /** How much of what is stored was read, where that is not how much of `size` was. */
  readonly fraction?: number;
  /**
   * Fills `target` with the bytes from `position` on, as far as the source has them.
   *
   * @returns the number of bytes read: less than asked for only at the end
   * @throws FormatError when the file is gone, was replaced or became shorter since it was opened
   */
  read(target: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** Opens a file for reading. @throws FormatError when there is no such file or it may not be read */
export async function openFile(file: string): Promise<ByteSource> {
  const fail = (cause: unknown): never => {
    throw unreadable(file, cause);
  };
  // Asked before opening: a pipe would wait for somebody to write into it.
  const status = await fs.stat(file).catch(fail);
  if (!status.isFile()) fail({ code: status.isDirectory() ? "EISDIR" : "not a regular file" });
  const handle = await fs.open(file, "r").catch(fail);
  const opened = await handle.stat();
  return {
    name: file,
    size: opened.size,
    modifiedAt: opened.mtimeMs,
    async read(target, position) {
      const wanted = Math.min(target.length, Math.max(0, opened.size - position));
      // An open file can be read even after it was deleted or replaced: only the path tells.
      const status = fs.stat(file).catch((cause: unknown) => unreadable(file, cause, position));
      let got = 0;
      while (got < wanted) {
        const { bytesRead } = await handle.read(target, got, wanted - got, position + got).catch((cause) => {
          throw unreadable(file, cause, position + got);
        });
        if (bytesRead === 0) throw shrunk(file, position + got, opened.size);
        got += bytesRead;
      }
      const now = await status;
      if (now instanceof FormatError) throw now;
      if (now.ino !== opened.ino || now.size < opened.size) throw shrunk(file, position + got, opened.size);
      return got;
    },
    close: () => handle.close(),
  };
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
  /** Position in the source of `bytes[0]`. */
  offset = 0;
  private position = 0;
  private ahead: { readonly bytes: Uint8Array; readonly length: Promise<number> } | undefined;
  private spare: Uint8Array;

  constructor(
    private readonly source: ByteSource,
    private readonly task: Task,
    private readonly pieceBytes = source.pieceBytes ?? PIECE_BYTES,
  ) {
    this.spare = new Uint8Array(pieceBytes);
  }

  /** Where in the source `bytes[index]` stands. */
  positionOf(index: number): number {
    return this.offset + index;
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
    if (this.bytes.length < kept + length) {
      // Doubling: a line that is longer than many pieces is not copied again with each of them.
      const wider = new Uint8Array(Math.max(kept + length, 2 * kept, 2 * this.pieceBytes));
      wider.set(this.bytes.subarray(this.start, this.end));
      this.bytes = wider;
    } else {
      this.bytes.copyWithin(0, this.start, this.end);
    }
    this.offset += this.start;
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
    // Whoever awaits it hears of the failure; without this, one that nobody awaits any more would end the process.
    length.catch(() => undefined);
    return { bytes, length };
  }
}

function unreadable(file: string, cause: unknown, byte?: number): FormatError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  const gone = code === "ENOENT" || code === "ESTALE";
  return new FormatError({
    file,
    at: byte === undefined ? undefined : { byte },
    found: gone
      ? byte === undefined
        ? "no such file"
        : "that the file disappeared while it was read"
      : code === "EISDIR"
        ? "a folder"
        : `that it cannot be read (${code})`,
    expected: "a file that can be read",
    advice: gone
      ? `Look for it in ${path.dirname(file)}, and open it again when it is there.`
      : "Check the permissions of the file and its folder.",
  });
}

function shrunk(file: string, byte: number, size: number): FormatError {
  return new FormatError({
    file,
    at: { byte },
    found: "that the file was replaced or became shorter while it was read",
    expected: `the ${size} bytes that it had when it was opened`,
    advice: "Wait until the program that writes it has ended, then open it again.",
  });
}
