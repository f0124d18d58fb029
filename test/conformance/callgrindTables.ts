import { functionOfLine } from "../../src/model/callGraph";
import type { DataSet } from "../../src/model/dataSet";
import { NONE } from "../../src/model/ids";
import { firstCell, type LineValues } from "../../src/model/lineValues";

export interface MeasuredTables {
  readonly functions: readonly { readonly name: string; readonly inclusive: readonly number[] }[];
  readonly lines: readonly {
    readonly name: string;
    /** `file:line`; `?` where no line is known. */
    readonly place: string;
    readonly file: string | undefined;
    readonly costs: readonly number[];
  }[];
  readonly calls: readonly {
    readonly pair: string;
    readonly place: string;
    readonly calls: number;
    readonly costs: readonly number[];
  }[];
}

/** What was measured, a row a function, line and call; costs by metric, over all locations. */
export function measuredTables({ callGraph, frames, metrics }: DataSet): MeasuredTables {
  if (!callGraph) throw new Error("no call graph");
  const { functions, lines, calls, exclusive, inclusive, functionInclusive } = callGraph;
  const name = (id: number) => frames.nameOf(functions[id]);
  const place = (frame: number) => (frame === NONE ? "?" : frames.nameOf(frame));
  const costs = (of: readonly LineValues[], row: number) => metrics.map((_, metric) => rowSum(of[metric], row));
  return {
    functions: Array.from(functions, (_, id) => ({ name: name(id), inclusive: costs(functionInclusive, id) })),
    lines: Array.from(lines.frame, (_, row) => ({
      name: name(functionOfLine(lines, row)),
      place: place(lines.frame[row]),
      file: lines.frame[row] === NONE ? undefined : frames.strings.get(frames.file[lines.frame[row]]),
      costs: costs(exclusive, row),
    })),
    calls: Array.from(calls.caller, (id, row) => ({
      pair: `${name(id)} -> ${name(calls.callee[row])}`,
      place: place(calls.frame[row]),
      calls: calls.calls[row],
      costs: costs(inclusive, row),
    })),
  };
}

function rowSum(values: LineValues, row: number): number {
  let sum = 0;
  for (let at = firstCell(values, row); at < firstCell(values, row + 1); at++) sum += values.value[at];
  return sum;
}
