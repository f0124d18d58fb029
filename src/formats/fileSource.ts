import type { BigIntStats, Dirent } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { FormatError } from "../model/errors";
import { type ByteSource, PIECE_BYTES } from "./byteSource";

/** A file that is open. */
export interface OpenFile {
  stat(options: { bigint: true }): Promise<BigIntStats>;
  read(target: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

/** The calls to the file system; on a network file system each one is a round trip. */
export interface FileSystem {
  stat(file: string): Promise<BigIntStats>;
  list(folder: string): Promise<Dirent[]>;
  open(file: string): Promise<OpenFile>;
}

export const systemFiles: FileSystem = {
  stat: (file) => fs.stat(file, { bigint: true }),
  list: (folder) => fs.readdir(folder, { withFileTypes: true }),
  open: (file) => fs.open(file, "r"),
};

/**
 * A file that stays the one it was when it was opened: replaced, shorter or changed in place, it is an error. A file that grows is
 * read as far as it was, and `grownBytes` says so.
 */
export class FileSource implements ByteSource {
  readonly size: number;
  readonly modifiedAt: number;
  /** Bytes that a program has written behind `size` since the file was opened. */
  grownBytes = 0;
  private uncheckedBytes = 0;

  private constructor(
    readonly name: string,
    private readonly system: FileSystem,
    private readonly handle: OpenFile,
    private readonly opened: BigIntStats,
  ) {
    this.size = Number(opened.size);
    this.modifiedAt = Number(opened.mtimeMs);
  }

  /** @param isFile known to be a regular file: it need not be asked again @throws FormatError */
  static async open(file: string, system: FileSystem = systemFiles, isFile = false): Promise<FileSource> {
    const fail = (cause: unknown): never => {
      throw unreadable(file, cause);
    };
    const check = (status: BigIntStats) => {
      if (!status.isFile()) fail({ code: status.isDirectory() ? "EISDIR" : "not a regular file" });
    };
    // Asked before opening: a pipe would wait for somebody to write into it.
    if (!isFile) check(await system.stat(file).catch(fail));
    const handle = await system.open(file).catch(fail);
    try {
      const opened = await handle.stat({ bigint: true }).catch(fail);
      check(opened);
      return new FileSource(file, system, handle, opened);
    } catch (problem) {
      await handle.close();
      throw problem;
    }
  }

  /** What tells one file from all others, whatever it is called. */
  get identity(): string {
    return `${this.opened.dev}:${this.opened.ino}`;
  }

  get version(): string {
    return fileVersion(this.opened);
  }

  async read(target: Uint8Array, position: number): Promise<number> {
    const wanted = Math.min(target.length, Math.max(0, this.size - position));
    let got = 0;
    while (got < wanted) {
      const { bytesRead } = await this.handle.read(target, got, wanted - got, position + got).catch((cause) => {
        throw unreadable(this.name, cause, position + got);
      });
      if (bytesRead === 0) throw changed(this.name, position + got, this.size);
      got += bytesRead;
    }
    // One read gives one state of the file. Between several, only the path tells that it was deleted or replaced.
    if (position === 0 && got === this.size) return got;
    this.uncheckedBytes += got;
    if (position + got === this.size || this.uncheckedBytes >= PIECE_BYTES) await this.check(position + got);
    return got;
  }

  /** Looks whether the file is still what it was, where that is not known. @throws FormatError */
  async settle(): Promise<void> {
    if (this.uncheckedBytes > 0) await this.check(this.size);
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async check(byte: number): Promise<void> {
    this.uncheckedBytes = 0;
    const now = await this.system.stat(this.name).catch((cause: unknown) => {
      throw unreadable(this.name, cause, byte);
    });
    const { opened } = this;
    const isOther = now.ino !== opened.ino || now.dev !== opened.dev || now.size < opened.size;
    if (isOther || (now.size === opened.size && fileVersion(now) !== fileVersion(opened)))
      throw changed(this.name, byte, this.size);
    this.grownBytes = Number(now.size) - this.size;
  }
}

/**
 * Identifies the content of a file: another version means that it may be another. Size and time of writing do not suffice: `rsync -t`,
 * `tar`, DVC and git-annex replace a file and keep both. Nobody sets the time at which the inode changed.
 */
export function fileVersion({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
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

export function changed(file: string, byte: number, size: number): FormatError {
  return new FormatError({
    file,
    at: { byte },
    found: "that the file was changed, replaced or became shorter while it was read",
    expected: `the ${size} bytes that it had when it was opened`,
    advice: "Wait until the program that writes it has ended, then open it again.",
  });
}
