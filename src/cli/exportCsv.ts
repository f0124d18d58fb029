/** One row per value, as RFC 4180 has it. */
import type { Location } from "../model/locations";
import { csv, csvCell } from "../model/csv";
import { NONE } from "../model/ids";
import type { Exported } from "./exported";
import type { Output } from "./output";
import { escapedName, frameName, numberText } from "../model/writtenNames";
import { PathWalk } from "../model/pathWalk";
import { valueRows } from "./values";

type Part = keyof Location;

/** GPU contexts have a column only where streams have one. */
function partsOf(exported: readonly Exported[]): readonly Part[] {
  const contexts = exported.some(({ dataSet }) => dataSet.locations.some(({ gpuContext }) => gpuContext !== undefined));
  return ["run", "node", "rank", "thread", "device", ...(contexts ? (["gpuContext"] as const) : []), "stream"];
}

/** Several data sets make one table, with a first column that names the data set. */
export async function writeCsv(exported: readonly Exported[], output: Output): Promise<void> {
  const named = exported.some(({ name }) => name !== undefined);
  const parts = partsOf(exported);
  const head = ["path", "file", "line", ...parts, "metric", "unit", "exclusive", "inclusive"];
  await output.write(csv([[...(named ? ["dataSet"] : []), ...head]]));
  for (const one of exported) await writeRows(one, parts, output);
}

async function writeRows({ dataSet, metrics, name }: Exported, parts: readonly Part[], output: Output): Promise<void> {
  const { tree, frames } = dataSet;
  const frameOf = (context: number) => frames.get(tree.frame[context] as never);
  const walk = new PathWalk(tree, (context) => escapedName(frameName(frameOf(context))));
  const places = dataSet.locations.map((place) =>
    parts.map((part) => ((place[part] ?? NONE) === NONE ? "" : `${place[part]}`)),
  );
  const metricTexts = dataSet.metrics.map(({ name: metric, unit }) => [csvCell(metric), csvCell(unit)]);
  let known = -1;
  let begin: readonly string[] = [];
  for (const { context, location, metric, exclusive, inclusive } of valueRows(dataSet, metrics)) {
    if (context !== known) {
      const { file, line } = frameOf(context);
      const texts = [...(name === undefined ? [] : [name]), walk.moveTo(context).join(";"), file ?? ""];
      begin = [...texts.map(csvCell), `${line ?? ""}`];
      known = context;
    }
    // Numbers are no text of the recording: they stand as they are, `-inf` too, which readers of numbers know.
    const value = [numberText(exclusive), inclusive === undefined ? "" : numberText(inclusive)];
    const row = [...begin, ...places[location], ...metricTexts[metric], ...value];
    const wait = output.write(`${row.join(",")}\r\n`);
    if (wait) await wait;
  }
}
