import { chromeTrace } from "../../../../src/formats/chrome/format";
import type { DataSet } from "../../../../src/model/dataSet";
import { readFixture } from "../formatLaws";

/** Reads one trace from its text. */
export async function read(content: string | Uint8Array): Promise<DataSet> {
  const [dataSet] = await readFixture(chromeTrace, { "trace.json": content });
  return dataSet;
}

/** Events of all lanes as text: `lane: name start-end @depth`, times in µs. */
export async function eventsOf(dataSet: DataSet): Promise<string[]> {
  const lines: string[] = [];
  for (const [index, lane] of (dataSet.trace?.lanes ?? []).entries()) {
    const events = await dataSet.trace?.readEvents(index, 0, lane.events);
    if (events === undefined) continue;
    for (let at = 0; at < events.count; at++) {
      const micro = (seconds: number) => Math.round(seconds * 1e9) / 1e3;
      const times = `${micro(events.startSeconds[at])}-${micro(events.endSeconds[at])}`;
      lines.push(`${lane.name}: ${dataSet.frames.nameOf(events.frame[at])} ${times} @${events.depth[at]}`);
    }
  }
  return lines;
}

/** Exclusive values of a metric by path, `a/b` → value in 1e-6 of its unit. */
export function valuesOf(dataSet: DataSet, metric: string): Map<string, number> {
  const index = dataSet.metrics.findIndex(({ name }) => name === metric);
  const { tree, frames } = dataSet;
  const paths: string[] = [];
  const values = new Map<string, number>();
  for (let context = 0; context < tree.size; context++) {
    const own = frames.nameOf(tree.frame[context]);
    paths.push(tree.parent[context] < 0 ? own : `${paths[tree.parent[context]]}/${own}`);
    if (index < 0) continue;
    const { rowStart, value } = dataSet.values[index];
    for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++)
      values.set(paths[context], (values.get(paths[context]) ?? 0) + Math.round(value[cell] * 1e9) / 1e3);
  }
  return values;
}
