/** A recording that comes through a pipe: it is read once, forwards, and nothing of it is kept. */
import type { Readable } from "node:stream";
import { FormatError } from "../model/errors";
import type { InnermostOptions, InnermostTaker, InnermostTrace } from "../model/innermost";
import type { Task } from "../model/task";
import type { ByteSource } from "./byteSource";
import { decoded, decodedHead } from "./decoded";
import type { Head } from "./format";
import { Gunzip } from "./gunzip";
import { paje } from "./paje/format";
import { isGzip, PACKED_CUT } from "./unpacked";
import { encodingOf } from "./textEncoding";

/** How much decides what it is. */
const HEAD_BYTES = 64 << 10;
const NAME = "standard input";

/** As a format's own pass over a file. @throws FormatError where it is no trace that can be read in one pass; CancelledError */
export async function readPiped(
  stream: Readable,
  taker: InnermostTaker,
  options: InnermostOptions,
  task: Task,
): Promise<InnermostTrace> {
  const piped = await PipedSource.open(stream);
  try {
    const encoding = encodingOf(piped.head.bytes);
    const head = encoding === undefined ? piped.head : decodedHead(piped.head, encoding, HEAD_BYTES);
    const source = encoding === undefined ? piped : decoded(piped, encoding);
    if (!paje.recognizes(head) || !paje.readInnermost) throw unknown(head);
    // Files that it names are beside nothing.
    const context = { open: () => Promise.resolve(source), head: () => Promise.resolve(head) };
    const trace = await paje.readInnermost({ file: NAME, siblings: new Set() }, context, taker, options, task);
    const isUnknownCut = piped.isCut && !trace.warnings.some(({ isCut }) => isCut);
    return isUnknownCut ? { ...trace, warnings: [...trace.warnings, { message: PACKED_CUT, isCut: true }] } : trace;
  } finally {
    stream.destroy();
    await piped.close();
  }
}

class PipedSource implements ByteSource {
  readonly name = NAME;
  readonly size = Number.POSITIVE_INFINITY;
  private rest: Uint8Array = new Uint8Array(0);
  private position = 0;
  private isAtEnd = false;

  /** @param pull returns the next bytes; undefined at their end */
  private constructor(
    private readonly pull: () => Promise<Uint8Array | undefined>,
    private readonly gunzip?: Gunzip,
  ) {}

  static async open(stream: Readable): Promise<PipedSource> {
    const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
    const plain = new PipedSource(async () => (await pieces.next()).value);
    await plain.fill(3);
    if (!isGzip(plain.rest)) {
      await plain.fill(HEAD_BYTES);
      return plain;
    }
    const gunzip = new Gunzip(async () => {
      const target = new Uint8Array(HEAD_BYTES);
      const got = await plain.next(target);
      return got === 0 ? undefined : target.subarray(0, got);
    });
    const source = new PipedSource(() => gunzip.next(), gunzip);
    await source.fill(HEAD_BYTES);
    return source;
  }

  /** The packed data ended early. Known once everything was read. */
  get isCut(): boolean {
    return this.gunzip?.isCut === true;
  }

  get head(): Head {
    return { bytes: this.rest.subarray(0, HEAD_BYTES), whole: this.isAtEnd };
  }

  async read(target: Uint8Array, position: number): Promise<number> {
    if (position !== this.position) throw new Error(`${NAME} can be read forwards only`);
    let got = 0;
    while (got < target.length) {
      const part = await this.next(target.subarray(got));
      if (part === 0) break;
      got += part;
    }
    this.position += got;
    return got;
  }

  close(): Promise<void> {
    this.gunzip?.close();
    return Promise.resolve();
  }

  /** What is there, without waiting for all of it; 0 at the end. */
  private async next(target: Uint8Array): Promise<number> {
    if (this.rest.length === 0) await this.fill(1);
    const part = this.rest.subarray(0, target.length);
    target.set(part);
    this.rest = this.rest.subarray(part.length);
    return part.length;
  }

  /** Waits until so much is there, or the end. */
  private async fill(bytes: number): Promise<void> {
    while (this.rest.length < bytes && !this.isAtEnd) {
      const piece = await this.pull().catch((cause: unknown) => {
        throw damaged(cause);
      });
      if (piece === undefined) this.isAtEnd = true;
      else this.rest = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    }
  }
}

function unknown({ bytes }: Head): FormatError {
  return new FormatError({
    file: NAME,
    at: { byte: 0 },
    found: bytes.length === 0 ? "nothing" : "something other",
    expected: "a Paje trace, whose events come in the order of their time",
    advice: "Write what comes to a file, and give its name: other formats are not read in one pass.",
  });
}

function damaged(cause: unknown): FormatError {
  if (cause instanceof FormatError) return cause;
  return new FormatError({
    file: NAME,
    found: `that it cannot be read (${cause instanceof Error ? cause.message : String(cause)})`,
    expected: "a trace, packed by gzip or not",
    advice: "Look whether the program that writes it has ended early.",
  });
}
