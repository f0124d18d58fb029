import zlib from "node:zlib";

/** Bytes that are unpacked at a time. */
const CHUNK_BYTES = 256 << 10;

/**
 * Unpacks gzip data piece by piece. The packed data ends only after all output was taken: zlib drops output that was not taken when it finds
 * that the data ends early.
 */
export class Gunzip {
  /** The packed data ended inside a member. Known once {@link next} returned undefined. */
  isCut = false;
  private readonly stream = zlib.createGunzip({ chunkSize: CHUNK_BYTES });
  private failure: unknown;
  private isWriting = false;
  private isEnding = false;
  private hasOutput = false;
  private wake: () => void = () => undefined;

  /** @param pull returns the next packed bytes; undefined at their end */
  constructor(private readonly pull: () => Promise<Uint8Array | undefined>) {
    const wake = () => this.wake();
    this.stream.on("readable", wake).on("end", wake).on("close", wake);
    this.stream.on("error", (error) => {
      this.failure ??= error;
      wake();
    });
  }

  /**
   * The next unpacked bytes.
   *
   * @returns undefined at the end, also if the packed data was cut behind some output
   * @throws what `pull` throws; an error of zlib if the data is damaged, or cut before any output
   */
  async next(): Promise<Buffer | undefined> {
    const { stream } = this;
    for (;;) {
      const changed = new Promise<void>((resolve) => (this.wake = resolve));
      const piece = stream.read() as Buffer | null;
      if (piece !== null) {
        this.hasOutput = true;
        return piece;
      }
      if (this.failure !== undefined) return this.endEarly();
      if (stream.readableEnded || stream.destroyed) return undefined;
      if (!this.isWriting && !this.isEnding) await this.write();
      else await changed;
    }
  }

  close(): void {
    this.stream.destroy();
  }

  private endEarly(): undefined {
    const { code } = this.failure as NodeJS.ErrnoException;
    if (code !== "Z_BUF_ERROR" || !this.hasOutput) throw this.failure;
    this.isCut = true;
  }

  private async write(): Promise<void> {
    const packed = await this.pull();
    if (packed === undefined) {
      this.isEnding = true;
      this.stream.end();
      return;
    }
    this.isWriting = true;
    this.stream.write(packed, () => {
      this.isWriting = false;
      this.wake();
    });
  }
}
