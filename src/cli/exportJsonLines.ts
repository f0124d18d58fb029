/** One line of JSON a value. */
import type { DataSet } from "../model/dataSet";
import type { Exported } from "./exported";
import type { Output } from "./output";
import { addressText } from "../model/frames";
import { frameName } from "../model/writtenNames";
import { jsonNumber, locationParts, runsOf } from "./texts";
import { PathWalk } from "../model/pathWalk";
import { jsonText } from "../model/unseen";
import { valueRows } from "./values";

export async function writeJsonLines({ dataSet, metrics, name }: Exported, output: Output): Promise<void> {
  const contexts = new ContextTexts(dataSet);
  const locations = locationTexts(dataSet);
  const metricTexts = metricsAsText(dataSet);
  const begin = name === undefined ? "{" : `{"dataSet":${jsonText(name)},`;
  for (const { context, location, metric, exclusive, inclusive } of valueRows(dataSet, metrics)) {
    const beside = inclusive === undefined ? "" : `,"inclusive":${jsonText(inclusive)}`;
    const value = `"exclusive":${jsonText(jsonNumber(exclusive))}${beside}`;
    const line = `${begin}${contexts.of(context)},"location":${locations[location]},${metricTexts[metric]},${value}}\n`;
    const wait = output.write(line);
    if (wait) await wait;
  }
}

/** `"path":["main","solve"],"file":…,"line":…` of each context. */
export class ContextTexts {
  private readonly walk: PathWalk<string>;
  private known = -1;
  private text = "";

  constructor(private readonly dataSet: DataSet) {
    const { tree, frames } = dataSet;
    this.walk = new PathWalk(tree, (context) => jsonText(frameName(frames.get(tree.frame[context] as never))));
  }

  /** @param context in any order; those of a path one after the other are cheapest */
  of(context: number): string {
    if (context === this.known) return this.text;
    const { tree, frames } = this.dataSet;
    const { file, line } = frames.get(tree.frame[context] as never);
    const nameless = this.dataSet.nameless?.get(context);
    this.known = context;
    this.text = [
      `"path":[${this.walk.moveTo(context).join(",")}]`,
      ...(file === undefined ? [] : [`"file":${jsonText(file)}`]),
      ...(line === undefined ? [] : [`"line":${line}`]),
      ...(nameless === undefined ? [] : [`"address":"${addressText(nameless.address)}","frames":${nameless.frames}`]),
    ].join(",");
    return this.text;
  }
}

export function locationTexts(dataSet: DataSet): string[] {
  const runs = runsOf(dataSet);
  return dataSet.locations.map((place) => jsonText(locationParts(place, runs)));
}

export function metricsAsText({ metrics }: DataSet): string[] {
  return metrics.map(({ name, unit }) => `"metric":${jsonText(name)},"unit":${jsonText(unit)}`);
}
