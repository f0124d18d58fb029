import { expect } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import { memoryColumnFiles } from "../../src/formats/memoryColumns";
import type { DataSet } from "../../src/model/dataSet";
import { NONE } from "../../src/model/ids";
import { quietTask } from "../../src/model/task";
import { readTrackerFile } from "./recording";

/** Opens a recording as a window does. */
export async function opened(file: string): Promise<DataSet> {
  const [dataSet, ...others] = await openRecordings([file], { columnFiles: memoryColumnFiles }, quietTask);
  expect(others).toEqual([]);
  return dataSet;
}

/** Sum of a metric over all contexts and threads. */
export function total({ metrics, values }: DataSet, name: string): number {
  const metric = metrics.findIndex((one) => one.name === name);
  return metric < 0 ? 0 : values[metric].value.reduce((sum, value) => sum + value, 0);
}

/** Sums over all contexts with a frame of that name and a caller of this one. */
export function totalBelow(
  { tree, frames, metrics, values }: DataSet,
  metric: string,
  name: string,
  callers: string,
): number {
  const at = metrics.findIndex((one) => one.name === metric);
  const paths: string[] = [];
  let sum = 0;
  for (let context = 0; context < tree.size; context++) {
    const above = tree.parent[context] === NONE ? "" : paths[tree.parent[context]];
    const own = frames.nameOf(tree.frame[context]);
    paths[context] = `${above}/${own}`;
    if (own !== name || !above.endsWith(callers)) continue;
    const { rowStart, value } = values[at];
    for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++) sum += value[cell];
  }
  return sum;
}

/** The inclusive time that is derived from exclusive times is what the tracker has measured, context by context, in nanoseconds. */
export async function expectInclusive(file: string): Promise<void> {
  const dataSet = await opened(file);
  const { contexts, lines } = readTrackerFile(file);
  const byId = new Map(contexts.map((row) => [row.id, row]));
  // One step a line.
  const placed = (name: string, { file = "", line = 0 }: { file?: string; line?: number }) => `${name}@${file}:${line}`;
  const pathOf = (id: number): string => {
    const row = byId.get(id);
    if (row === undefined) throw new Error(`there is no context ${id}`);
    const above = row.parent === undefined ? "" : `${pathOf(row.parent)}\n`;
    const call = row.call === undefined ? undefined : lines[row.call];
    const from = call?.line === undefined ? "" : `${placed(`${call.file}:${call.line}`, call)}\n`;
    return `${above}${from}${placed(lines[row.frame].name, lines[row.frame])}`;
  };
  const recorded = new Map<string, number>();
  const add = (path: string, inclusive: number) => recorded.set(path, (recorded.get(path) ?? 0) + inclusive);
  for (const { id, call, inclusive } of contexts) {
    const path = pathOf(id);
    add(path, inclusive);
    // A line has the time of what it calls.
    if (call !== undefined && lines[call].line !== undefined) add(path.slice(0, path.lastIndexOf("\n")), inclusive);
  }
  const { tree, frames, metrics, values } = dataSet;
  const { rowStart, value } = values[metrics.findIndex(({ name }) => name === "time")];
  const derived = new Map<string, number>();
  const paths: string[] = [];
  for (let context = 0; context < tree.size; context++) {
    const frame = frames.get(tree.frame[context] as never);
    const above = tree.parent[context] === NONE ? "" : `${paths[tree.parent[context]]}\n`;
    paths.push(`${above}${placed(frame.name, frame)}`);
    const cells = value.subarray(rowStart[context], rowStart[tree.end[context]]);
    // A part of the time of the context that it is in, of which the file says nothing.
    if (frame.name === "(recording itself)") continue;
    derived.set(paths[context], Math.round(cells.reduce((sum, cell) => sum + cell, 0) * 1e9));
  }
  expect(derived).toEqual(recorded);
}
