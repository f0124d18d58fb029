/** Runs commands in this process, and understands what they print. */
import { computingImbalance } from "../../../src/engine/dataSets/computingImbalance";
import { Writable } from "node:stream";
import { ArgumentError } from "../../../src/cli/arguments";
import { exportArguments, runExport } from "../../../src/cli/exportCommand";
import { Output } from "../../../src/cli/output";
import { runSummary, summaryArguments } from "../../../src/cli/summaryCommand";
import type { DataSetInfo } from "../../../src/engine/api";
import { dataSetInfo } from "../../../src/engine/dataSets/dataSetInfo";
import { localEngine, type LocalEngine } from "../../../src/engine/localEngine";
import { OpenDataSet } from "../../../src/engine/dataSets/openDataSet";
import type { DataSet } from "../../../src/model/dataSet";
import { NONE } from "../../../src/model/ids";
import { grammars } from "../engine/miniheat";
import { pathsOf } from "../formats/plainDataSet";

export interface Line {
  readonly path: readonly string[];
  readonly file?: string;
  readonly line?: number;
  readonly location: Readonly<Record<string, number>>;
  readonly metric: string;
  readonly unit: string;
  readonly exclusive: number | string;
  readonly inclusive?: number;
}

/** An engine that holds these data sets, whatever it is asked to open. */
export function engineWith(...dataSets: DataSet[]): LocalEngine {
  const engine = localEngine(grammars);
  engine.open = async (): Promise<DataSetInfo[]> =>
    dataSets.map((dataSet, at) => dataSetInfo(new OpenDataSet(at, dataSet, 0.5)));
  engine.dataSet = (id) => dataSets[id];
  engine.withTrace = async (id) => dataSets[id];
  engine.traceSeconds = () => null;
  engine.computingImbalance = async (query) =>
    computingImbalance(new OpenDataSet(0, dataSets[query.scope.dataSet], 0.5), query);
  engine.close = async () => undefined;
  return engine;
}

/** What a command writes, as text, and what it warns of. */
export async function exported(
  args: readonly string[],
  engine = localEngine(grammars),
  isTerminal = false,
): Promise<{ text: string; warnings: string[] }> {
  const { output, text } = captured(isTerminal);
  const warnings: string[] = [];
  await runExport(exportArguments(args, process.cwd()), engine, output, (message) => warnings.push(message));
  return { text: text(), warnings };
}

export async function summarized(args: readonly string[], engine = localEngine(grammars)): Promise<string> {
  const { output, text } = captured();
  await runSummary(summaryArguments(args, process.cwd()), engine, output);
  return text();
}

export function linesOf<Parsed>(text: string): Parsed[] {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no end");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Parsed);
}

/** Every line that a data set must give, by brute force: inclusive values by looking at each pair of contexts. */
export function naiveLines(dataSet: DataSet): Line[] {
  const { tree, frames } = dataSet;
  const paths = pathsOf(dataSet);
  const isBelow = (context: number, above: number) => {
    let at = context;
    while (at !== above && at !== NONE) at = tree.parent[at];
    return at === above;
  };
  const lines: Line[] = [];
  const contexts = [...tree.parent.keys()];
  for (const context of contexts) {
    const { file, line } = frames.get(tree.frame[context] as never);
    for (const [location, place] of dataSet.locations.entries()) {
      for (const [metric, { name, unit, additive }] of dataSet.metrics.entries()) {
        const { rowStart, column, value } = dataSet.values[metric];
        const cellOf = (of: number) => {
          for (let cell = rowStart[of]; cell < rowStart[of + 1]; cell++)
            if (column[cell] === location) return value[cell];
          return undefined;
        };
        const own = cellOf(context);
        let inclusive = 0;
        for (const other of contexts) {
          const below = isBelow(other, context) ? cellOf(other) : undefined;
          if (below !== undefined && Number.isFinite(below)) inclusive += below;
        }
        if (own === undefined && (inclusive === 0 || !additive)) continue;
        const parts = Object.entries(place).filter(([part, number]) => part !== "run" && number !== NONE);
        lines.push({
          path: paths[context].length === 0 ? ["(no region)"] : paths[context],
          ...(file === undefined ? {} : { file }),
          ...(line === undefined ? {} : { line }),
          location: Object.fromEntries(parts),
          metric: name,
          unit,
          exclusive: own === undefined ? 0 : textIfOdd(own),
          ...(additive ? { inclusive } : {}),
        });
      }
    }
  }
  return lines;
}

function textIfOdd(value: number): number | string {
  if (Number.isNaN(value)) return "nan";
  return Number.isFinite(value) ? value : value > 0 ? "inf" : "-inf";
}

export { ArgumentError };

export function captured(isTerminal = false) {
  const pieces: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(piece: string, _encoding, done) {
      pieces.push(piece);
      setImmediate(done); // as slow as a pipe: whoever does not wait is found out by the order
    },
  });
  return { output: new Output(stream, isTerminal), text: () => pieces.join("") };
}
