/** Runs × contexts, or × functions, as one table: a column per run, an empty cell where a run has none (semantics 10, Runs). */
import { csvCell } from "../../model/csv";
import type { DataSet } from "../../model/dataSet";
import { RequestError } from "../../model/errors";
import { PathWalk } from "../../model/pathWalk";
import type { Task } from "../../model/task";
import { escapedName, frameName, numberText } from "../../model/writtenNames";
import { contextValues } from "./contextValues";
import type { EnsembleContexts, EnsembleFunctions, EnsembleRuns, EnsembleScope, EnsembleValue } from "./ensembleApi";
import type { OpenEnsemble } from "./ensembleGraphs";
import { allFunctions, allRuns } from "./allOfRuns";
import { presenceTest, type RunPresence } from "./runPresence";

export const csvRows = ["contexts", "functions"] as const;
export type CsvRows = (typeof csvRows)[number];

export interface RunsCsvQuery {
  readonly scope: EnsembleScope;
  readonly rows: CsvRows;
  readonly value: EnsembleValue;
  /** Which rows are wanted, by the runs that have them; undefined: those that any run has. */
  readonly presence?: RunPresence;
}

/** A file in memory. */
export interface RunsCsv {
  /** UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Below the line that names columns. */
  readonly rows: number;
  readonly runs: number;
}

/** Rows with numbers: NaN where a run has none. */
interface CsvTable {
  readonly first: "path" | "function";
  readonly size: number;
  /** Asked of ascending rows. */
  readonly nameOf: (row: number) => string;
  /** The frame that has a row's file and line. */
  readonly frameOf: (row: number) => number;
  readonly runs: Int32Array;
  readonly values: Float64Array;
}

export function functionTable(functions: EnsembleFunctions, value: EnsembleValue): CsvTable {
  const { names, frames, runs } = functions;
  return {
    first: "function",
    size: names.length,
    runs,
    values: functions[value],
    nameOf: (row) => names[row],
    frameOf: (row) => frames[row],
  };
}

export function contextTable({ tree, frames }: Pick<DataSet, "tree" | "frames">, contexts: EnsembleContexts): CsvTable {
  const walk = new PathWalk(tree, (context) => escapedName(frameName(frames.get(tree.frame[context] as never))));
  return {
    first: "path",
    size: tree.size,
    ...contexts,
    nameOf: (row) => walk.moveTo(row).join(";"),
    frameOf: (row) => tree.frame[row],
  };
}

/** Lines with their ends, in the order of contexts, or of functions as they come first in these; numbers have full precision. */
export function* csvLines(
  { first, size, nameOf, frameOf, runs, values }: CsvTable,
  { frames }: Pick<DataSet, "frames">,
  ofRuns: Pick<EnsembleRuns, "runs" | "metric" | "unit">,
  { value, presence = {} }: Pick<RunsCsvQuery, "value" | "presence">,
): Generator<string> {
  const isWanted = presenceTest(runs, presence);
  const names = Array.from(runs, (run) => ofRuns.runs[run].name);
  const head = [first, "file", "line", "metric", "unit", "value", ...names];
  yield `${head.map(csvCell).join(",")}\r\n`;
  const what = [ofRuns.metric, ofRuns.unit, value].map(csvCell);
  for (let row = 0; row < size; row++) {
    const own = values.subarray(row * runs.length, (row + 1) * runs.length);
    if (!isWanted(own)) continue;
    const { file, line } = frames.get(frameOf(row) as never);
    const place = [nameOf(row), file ?? "", line ?? ""].map(csvCell);
    // Numbers are no text of a recording: they stand as they are, negative ones too.
    const cells = Array.from(own, (one) => (Number.isNaN(one) ? "" : numberText(one)));
    yield `${[...place, ...what, ...cells].join(",")}\r\n`;
  }
}

/** Text that is put together before it becomes bytes, and bytes that are put together at all. */
const [PIECE_CHARACTERS, MOST_BYTES] = [1 << 16, 256 << 20];

/** @throws RequestError where the file would be too large to be in memory */
export function runsCsv(known: OpenEnsemble, query: RunsCsvQuery, task: Task, mostBytes = MOST_BYTES): RunsCsv {
  const { scope, rows, value } = query;
  const { dataSet } = known.open;
  const table =
    rows === "functions"
      ? functionTable(allFunctions(known, scope, task), value)
      : contextTable(dataSet, contextValues(known, { scope, value }, task));
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let [waiting, length, lines] = ["", 0, 0];
  const encode = () => {
    task.check();
    const piece = encoder.encode(waiting);
    pieces.push(piece);
    waiting = "";
    if ((length += piece.length) > mostBytes)
      throw new RequestError(
        `The table would be larger than ${mostBytes >> 20} MB. On the command line "heatflow ensemble --csv" writes one of any size; or keep fewer runs.`,
      );
  };
  for (const line of csvLines(table, dataSet, allRuns(known, scope, task), query)) {
    waiting += line;
    lines++;
    if (waiting.length >= PIECE_CHARACTERS) encode();
  }
  encode();
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { bytes, rows: lines - 1, runs: table.runs.length };
}
