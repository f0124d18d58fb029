/** Runs × contexts, or × functions, as one table: a column per run, an empty cell where a run has none (semantics 10, Runs). */
import type { EnsembleRuns, EnsembleScope, EnsembleValue, RunPresence } from "../engine/api";
import { presenceTest } from "../engine/ensembles/runPresence";
import type { LocalEngine } from "../engine/localEngine";
import { csvCell } from "../model/csv";
import type { Output } from "./output";
import { escapedName, frameName, numberText } from "./texts";
import { PathWalk } from "./values";

export const csvRows = ["contexts", "functions"] as const;

export interface CsvRequest {
  readonly scope: EnsembleScope;
  readonly rows: (typeof csvRows)[number];
  readonly value: EnsembleValue;
  /** Which rows are wanted, by the runs that have them. */
  readonly presence: RunPresence;
}

/** What rows are of, and their numbers: NaN where a run has none. */
interface RunsTable {
  readonly first: "path" | "function";
  readonly size: number;
  /** Asked of ascending rows. */
  readonly nameOf: (row: number) => string;
  /** The frame that has a row's file and line. */
  readonly frameOf: (row: number) => number;
  readonly runs: Int32Array;
  readonly values: Float64Array;
}

/** Writes with full precision, in the order of contexts, or of functions as they come first in these. */
export async function writeRunsTable(
  engine: LocalEngine,
  request: CsvRequest,
  ofRuns: EnsembleRuns,
  output: Output,
): Promise<void> {
  const { frames } = engine.dataSet(request.scope.dataSet);
  const { first, size, nameOf, frameOf, runs, values } = await tableOf(engine, request);
  const isWanted = presenceTest(runs, request.presence);
  const names = Array.from(runs, (run) => ofRuns.runs[run].name);
  const head = [first, "file", "line", "metric", "unit", "value", ...names];
  await output.write(`${head.map(csvCell).join(",")}\r\n`);
  const what = [ofRuns.metric, ofRuns.unit, request.value].map(csvCell);
  for (let row = 0; row < size; row++) {
    const own = values.subarray(row * runs.length, (row + 1) * runs.length);
    if (!isWanted(own)) continue;
    const { file, line } = frames.get(frameOf(row) as never);
    const place = [nameOf(row), file ?? "", line ?? ""].map(csvCell);
    // Numbers are no text of a recording: they stand as they are, negative ones too.
    const cells = Array.from(own, (value) => (Number.isNaN(value) ? "" : numberText(value)));
    const wait = output.write(`${[...place, ...what, ...cells].join(",")}\r\n`);
    if (wait) await wait;
  }
}

async function tableOf(engine: LocalEngine, { scope, rows, value }: CsvRequest): Promise<RunsTable> {
  if (rows === "functions") {
    const { names, frames, runs, [value]: values } = await engine.ensembleFunctions(scope);
    return {
      ...{ first: "function", size: names.length, runs, values },
      nameOf: (row) => names[row],
      frameOf: (row) => frames[row],
    };
  }
  const { tree, frames } = engine.dataSet(scope.dataSet);
  const walk = new PathWalk(tree, (context) => escapedName(frameName(frames.get(tree.frame[context] as never))));
  return {
    ...{ first: "path", size: tree.size, ...(await engine.ensembleContexts({ scope, value })) },
    nameOf: (row) => walk.moveTo(row).join(";"),
    frameOf: (row) => tree.frame[row],
  };
}
