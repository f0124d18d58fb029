import type { Writable } from "node:stream";
import { linesWithEscapes } from "../model/unseen";

/** Nobody reads the output any more, as after `head`: there is nothing left to do, and that is no failure. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

/** Pieces that go to the system at once: few enough calls, and little that waits in memory. */
const PIECE_CHARACTERS = 1 << 16;

/** Text on its way out: waits while the reader is slower, so that the length of the output takes no memory. */
export class Output {
  private waiting = "";

  /** @param isTerminal whatever a terminal would obey is written as an escape; a pipe gets the text as it is */
  constructor(
    private readonly stream: Writable,
    private readonly isTerminal = false,
  ) {}

  /** @returns what to wait for before more is written; undefined where there is room */
  write(text: string): Promise<void> | undefined {
    this.waiting += text;
    return this.waiting.length < PIECE_CHARACTERS ? undefined : this.flush();
  }

  /** Hands over what still waits. @throws OutputClosed */
  async flush(): Promise<void> {
    const { stream } = this;
    const waiting = this.isTerminal ? linesWithEscapes(this.waiting) : this.waiting;
    this.waiting = "";
    if (waiting === "") return;
    await new Promise<void>((resolve, reject) => {
      stream.write(waiting, (error) => {
        if (!error) resolve();
        else if (isGone(error)) reject(new OutputClosed());
        else reject(error);
      });
    });
  }
}

function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}
