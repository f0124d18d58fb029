/** What was measured where a recording has no calling contexts: costs of lines, and calls from function to function. */
import { type CallGraph, functionOfLine } from "../model/callGraph";
import { NONE } from "../model/ids";
import { firstCell, type LineValues, locationOfCell } from "../model/lineValues";
import type { Exported } from "./exported";
import { locationTexts, metricsAsText } from "./exportJsonLines";
import type { Output } from "./output";
import { frameName } from "../model/writtenNames";
import { jsonText } from "../model/unseen";
import { jsonNumber } from "./texts";

export async function writeCallGraph(
  { dataSet, metrics, name }: Exported,
  output: Output,
  warn: (message: string) => void,
): Promise<void> {
  const { callGraph } = dataSet;
  if (callGraph === undefined) return warn(`${dataSet.name} has no measured call graph: it has calling contexts`);
  const begin = name === undefined ? "{" : `{"dataSet":${jsonText(name)},`;
  const texts = new CallGraphTexts(dataSet, callGraph);
  const locations = locationTexts(dataSet);
  const metricTexts = metricsAsText(dataSet);
  const write = async (count: number, values: readonly LineValues[], kind: string, textOf: (row: number) => string) => {
    for (let row = 0; row < count; row++) {
      const text = textOf(row);
      for (const metric of metrics) {
        const own = values[metric];
        for (let cell = firstCell(own, row); cell < firstCell(own, row + 1); cell++) {
          const cost = `"${kind}":${jsonText(jsonNumber(own.value[cell]))}`;
          const wait = output.write(
            `${begin}${text},"location":${locations[locationOfCell(own, cell)]},${metricTexts[metric]},${cost}}\n`,
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
    return `"function":${this.functionName(functionOfLine(lines, row))}${this.place(lines.frame[row])}`;
  }

  call(row: number): string {
    const { caller, callee, frame, calls } = this.callGraph.calls;
    const ends = `"caller":${this.functionName(caller[row])},"callee":${this.functionName(callee[row])}`;
    return `${ends}${this.place(frame[row])},"calls":${calls[row]}`;
  }

  private functionName(index: number): string {
    const frame = this.dataSet.frames.get(this.callGraph.functions[index] as never);
    return jsonText(frameName(frame));
  }

  private place(frame: number): string {
    if (frame === NONE) return "";
    const { file, line } = this.dataSet.frames.get(frame as never);
    return `${file === undefined ? "" : `,"file":${jsonText(file)}`}${line === undefined ? "" : `,"line":${line}`}`;
  }
}
