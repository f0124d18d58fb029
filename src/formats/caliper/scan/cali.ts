/**
 * Caliper's `.cali` text format: one record per line, nodes before they are used (docs: caliper.md, records and keys).
 * Records of the same kind begin with the same bytes, so what a kind means is found out once, and then only the values
 * of a record are read: no string per record.
 */
import { TRUNCATED } from "../../warnings";
import type { FormatError } from "../../../model/errors";
import { damagedFile } from "../../../model/errors";
import { headText } from "../../cursor";
import { unfinishedLine, wholeLines } from "../../lines";
import { lineEnd } from "./fields";
import { LineScanner } from "./lineScanner";
import { readRecording, type ReadForm } from "../decode/readRecording";
import { CaliStream } from "../decode/stream";

const LONGEST_LINE = 64 << 20;

/** Whether a file begins as a `.cali` stream does. */
export function isCali(head: Uint8Array): boolean {
  const text = headText(head, 4096);
  return /^(?:\s|#[^\n]*\n)*(?:[a-z]+=[^\n]{0,1000},)?__rec=[a-z]/.test(text);
}

/** Reads one stream. */
export const readCali: ReadForm = (source, hierarchy, task, pieceBytes, columnFiles) => {
  const format = { id: "caliper-cali", label: "Caliper" };
  return readRecording(format, source, hierarchy, task, pieceBytes, columnFiles, async (recording, window) => {
    const stream = new CaliStream(recording);
    const scanner = new LineScanner(stream);
    const tooLong = () => endlessLine(source.name, stream.line + 1);
    for await (const end of wholeLines(window, LONGEST_LINE, tooLong)) {
      scanner.scan(window.bytes, window.start, end);
      await recording.settleEvents(task);
    }
    const last = unfinishedLine(window);
    const wasRead = last.length > 0 && stream.readLast(last, lineEnd(last, 0, last.length - 1));
    const problem = missingAtEnd(last.length > 0, wasRead, stream.closed);
    if (problem !== undefined) recording.warn(TRUNCATED, problem, { byte: window.positionOf(window.end) });
    stream.finish();
  });
};

/** @param wasRead the last line lacks only its line end, as far as it tells */
function missingAtEnd(unfinished: boolean, wasRead: boolean, closed: boolean): string | undefined {
  if (unfinished && !wasRead)
    return "the file ends in the middle of a line: what stands before it was read, the rest is missing";
  if (closed) return undefined;
  return unfinished
    ? "the last line has no line end: it was read, but its last value may be cut, and what closes a recording is missing"
    : "the file ends without the record of globals that closes a recording: its end may be missing";
}

function endlessLine(file: string, line: number): FormatError {
  return damagedFile(file, { line }, `a line of more than ${LONGEST_LINE >> 20} MB`, "one record per line");
}
