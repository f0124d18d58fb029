/**
 * Caliper's json-split (docs: caliper.md): rows of exclusive values, a column per metric, and the calling context tree as one
 * table of nodes. What is written here reads back with equal values.
 */
import type { DataSet } from "../model/dataSet";
import { RECORDING_ITSELF } from "../model/frames";
import { NONE } from "../model/ids";
import type { Location } from "../model/locations";
import type { Metric } from "../model/metrics";
import type { Exported } from "./exported";
import type { Output } from "./output";
import { frameName, numberText } from "../model/writtenNames";
import { jsonText } from "../model/unseen";
import { valueRows } from "./values";

/** What Caliper calls the parts of a location; it has no names for the others. */
const parts: readonly { readonly part: keyof Location; readonly name: string }[] = [
  { part: "rank", name: "mpi.rank" },
  { part: "thread", name: "omp.thread.id" },
  { part: "stream", name: "cupti.streamID" },
];

const keys = new Set(["data", "columns", "column_metadata", "nodes"]);

export async function writeJsonSplit(
  { dataSet, metrics }: Exported,
  output: Output,
  warn: (message: string) => void,
): Promise<void> {
  const { locations, tree, frames } = dataSet;
  if (locations.some(({ run, node, device }) => run !== 0 || node !== NONE || device !== NONE))
    warn("json-split has no columns for runs, nodes and devices: values of one rank, thread and stream add up");
  // Minima, maxima and their like are known by the operations in their names; other names say nothing.
  for (const { name, additive, recordedName } of metrics.map((metric) => dataSet.metrics[metric]))
    if (!additive && !recordedName.includes("#")) warn(`json-split has no way to say that ${name} does not add up`);
  const located = parts.filter(({ part }) => locations.some((place) => place[part] !== NONE));
  await output.write('{\n"data": [');
  await writeRows(dataSet, metrics, located, output);
  const names = [...columnNames(metrics.map((metric) => dataSet.metrics[metric])), ...located.map(({ name }) => name)];
  const metadata = [
    ...metrics.map((metric) => metadataOf(dataSet.metrics[metric])),
    ...located.map(() => ({ is_value: true })),
    { is_value: false },
  ];
  await output.write(
    `\n],\n"columns": ${jsonText([...names, "path"])},\n"column_metadata": ${jsonText(metadata)},\n"nodes": [`,
  );
  for (let context = 0; context < tree.size; context++) {
    const label = jsonText(frameName(frames.get(tree.frame[context] as never)));
    const parent = tree.parent[context] === NONE ? "" : `,"parent":${tree.parent[context]}`;
    const wait = output.write(`${context === 0 ? "\n" : ",\n"}{"label":${label},"column":"path"${parent}}`);
    if (wait) await wait;
  }
  await output.write("\n]");
  for (const [name, values] of dataSet.globals)
    if (!keys.has(name)) await output.write(`,\n${jsonText(name)}: ${jsonText(values.join(", "))}`);
  await output.write("\n}\n");
}

/** A row a context and location that has a value of its own; empty cells for metrics that have none there. */
async function writeRows(
  dataSet: DataSet,
  metrics: readonly number[],
  located: typeof parts,
  output: Output,
): Promise<void> {
  const { tree, frames, locations } = dataSet;
  const columnOf = new Map(metrics.map((metric, column) => [metric, column]));
  let first = true;
  let at: { readonly context: number; readonly location: number; readonly cells: string[] } | undefined;
  const finish = (): Promise<void> | undefined => {
    if (at === undefined) return undefined;
    const place = located.map(({ part }) => numberOrNull(locations[at?.location ?? 0][part] ?? NONE));
    const frame = tree.frame[at.context];
    // Time of recording, which is of no region either, is below the function that has it.
    const outside = frames.originOf(frame) === "outside" && frames.nameOf(frame) !== RECORDING_ITSELF;
    const row = [...at.cells, ...place, outside ? "null" : `${at.context}`].join(",");
    const begin = first ? "\n" : ",\n";
    first = false;
    return output.write(`${begin}[${row}]`);
  };
  for (const { context, location, metric, exclusive, stored } of valueRows(dataSet, metrics)) {
    if (!stored) continue;
    if (at?.context !== context || at.location !== location) {
      const wait = finish();
      if (wait) await wait;
      at = { context, location, cells: metrics.map(() => "null") };
    }
    at.cells[columnOf.get(metric) ?? 0] = numberText(exclusive);
  }
  await finish();
}

function numberOrNull(part: number): string {
  return part === NONE ? "null" : `${part}`;
}

/** A reader of json-split would take values under such a name for inclusive ones. */
const INCLUSIVE = /(?:^|#)i(?:nclusive|scale)#|time\.inclusive\.duration| \(inc\)$/;

/** The recorded names, so that families over ranks stay families, as far as they are distinct and mean exclusive values. */
function columnNames(metrics: readonly Metric[]): string[] {
  const taken = new Set<string>();
  return metrics.map(({ name, recordedName, additive }, at) => {
    const fits = (column: string) => !taken.has(column) && !(additive && INCLUSIVE.test(column));
    const column = [recordedName, name].find(fits) ?? `metric ${at}`;
    taken.add(column);
    return column;
  });
}

function metadataOf({ name, unit }: Metric) {
  const known: Readonly<Record<string, string>> = { s: "sec", B: "byte", "1": "count" };
  return { is_value: true, "attribute.alias": name, "attribute.unit": known[unit] ?? unit };
}
