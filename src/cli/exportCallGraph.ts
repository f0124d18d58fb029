/** What was measured where a recording has no calling contexts: costs of lines, and calls from function to function. */
import type { CallGraph } from "../model/callGraph";
import { NONE } from "../model/ids";
import type { SparseValues } from "../model/values";
import type { Exported } from "./exportCommand";
import { locationTexts, metricsAsText } from "./exportJsonLines";
import type { Output } from "./output";
import { frameName, jsonNumber } from "./texts";

export async function writeCallGraph(
  { dataSet, metrics, name }: Exported,
  output: Output,
  warn: (message: string) => void,
): Promise<void> {
  const { callGraph } = dataSet;
  if (callGraph === undefined) return warn(`${dataSet.name} has no measured call graph: it has calling contexts`);
  const begin = name === undefined ? "{" : `{"dataSet":${JSON.stringify(name)},`;
  const texts = new CallGraphTexts(dataSet, callGraph);
  const locations = locationTexts(dataSet);
  const metricTexts = metricsAsText(dataSet);
  const write = async (
    count: number,
    values: readonly SparseValues[],
    kind: string,
    textOf: (row: number) => string,
  ) => {
    for (let row = 0; row < count; row++) {
      const text = textOf(row);
      for (const metric of metrics) {
        const { rowStart, column, value } = values[metric];
        for (let cell = rowStart[row]; cell < rowStart[row + 1]; cell++) {
          const cost = `"${kind}":${JSON.stringify(jsonNumber(value[cell]))}`;
          const wait = output.write(
            `${begin}${text},"location":${locations[column[cell]]},${metricTexts[metric]},${cost}}\n`,
          );
          if (wait) await wait;
        }
      }
    }
  };
  await write(callGraph.lines.count, callGraph.exclusive, "exclusive", (row) => texts.line(row));
  await write(callGraph.calls.count, callGraph.inclusive, "inclusive", (row) => texts.call(row));
}

class CallGraphTexts {
  constructor(
    private readonly dataSet: Exported["dataSet"],
    private readonly callGraph: CallGraph,
  ) {}

  line(row: number): string {
    const { lines } = this.callGraph;
    return `"function":${this.functionName(lines.function[row])}${this.place(lines.frame[row])}`;
  }

  call(row: number): string {
    const { caller, callee, frame, calls } = this.callGraph.calls;
    const ends = `"caller":${this.functionName(caller[row])},"callee":${this.functionName(callee[row])}`;
    return `${ends}${this.place(frame[row])},"calls":${calls[row]}`;
  }

  private functionName(index: number): string {
    const frame = this.dataSet.frames.get(this.callGraph.functions[index] as never);
    return JSON.stringify(frameName(frame));
  }

  private place(frame: number): string {
    if (frame === NONE) return "";
    const { file, line } = this.dataSet.frames.get(frame as never);
    return `${file === undefined ? "" : `,"file":${JSON.stringify(file)}`}${line === undefined ? "" : `,"line":${line}`}`;
  }
}
