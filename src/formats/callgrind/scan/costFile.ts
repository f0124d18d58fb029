/**
 * The text that callgrind writes (and others after it; cachegrind's is the same without calls): a header, then blocks of
 * cost lines below `fl=` (file), `ob=` (load module) and `fn=` (function). `fi=` and `fe=` switch to the file of inlined code
 * and back; `calls=` makes the next cost line that of a call to the function of `cfn=`. A file may hold several parts (dumps,
 * threads), each with its own header.
 */
import type { Task } from "../../../model/task";
import { type ByteSource, PieceWindow } from "../../byteSource";
import { wholeLines, unfinishedLine } from "../../lines";
import { type CostFile, CostFileScanner, type LocationOf } from "./costScanner";
import type { CostTable } from "../decode/costTable";

const LONGEST_LINE = 64 << 20;

/** Adds the costs of one file to the table. @throws FormatError, CancelledError */
export async function readCostFile(
  source: ByteSource,
  table: CostTable,
  locationOf: LocationOf,
  task: Task,
): Promise<CostFile> {
  const scanner = new CostFileScanner(source.name, table, locationOf);
  const window = new PieceWindow(source, task);
  const tooLong = () => scanner.problem("a line of more than 64 MB", "one cost per line");
  try {
    for await (const end of wholeLines(window, LONGEST_LINE, tooLong)) scanner.scan(window.bytes, window.start, end);
  } finally {
    await window.settle();
  }
  const rest = unfinishedLine(window);
  scanner.scan(rest, 0, rest.length);
  return { ...scanner.finish(), modifiedAt: source.modifiedAt };
}
