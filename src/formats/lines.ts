import type { FormatError } from "../model/errors";
import type { PieceWindow } from "./byteSource";

const NEWLINE = 10;

/**
 * Reads text on to the last line end of each piece: `bytes[window.start] … bytes[end - 1]` are whole lines then. What has no line
 * end at the end of the file is left in the window.
 *
 * @param mostBytes how long a line may be
 * @returns the end of each such part
 */
export async function* wholeLines(
  window: PieceWindow,
  mostBytes: number,
  tooLong: () => FormatError,
): AsyncGenerator<number> {
  // Of a line that is longer than its piece only what is new is searched.
  let searched = 0;
  while (await window.more()) {
    const from = window.start + searched;
    const last = window.bytes.subarray(from, window.end).lastIndexOf(NEWLINE);
    if (last >= 0) {
      yield from + last + 1;
      window.start = from + last + 1;
    }
    searched = window.end - window.start;
    if (searched > mostBytes) throw tooLong();
  }
}

/** What is left in the window behind the last line end, with one; empty where nothing is. */
export function unfinishedLine({ bytes, start, end }: PieceWindow): Uint8Array {
  const line = new Uint8Array(start === end ? 0 : end - start + 1).fill(NEWLINE);
  line.set(bytes.subarray(start, end));
  return line;
}
