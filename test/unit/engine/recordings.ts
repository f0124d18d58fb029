import type { DataSet } from "../../../src/model/dataSet";
import { location } from "../../../src/model/locations";
import type { Metric } from "../../../src/model/metrics";
import { SparseBuilder } from "../../../src/model/values";
import { OpenDataSet } from "../../../src/engine/dataSets/openDataSet";
import { type PathOfFrames, treeOf } from "../model/trees";
import { textTree } from "../textTree";

/** A cost as tests write it: seconds of one rank at one calling context. */
export type Cost = readonly [path: PathOfFrames, rank: number, seconds: number];

export const timeMetric: Metric = {
  name: "time",
  recordedName: "sum#sum#time.duration",
  unit: "s",
  kind: "time",
  additive: true,
  reducedOverRanks: false,
};

/** Costs as {@link textTree} reads them. */
export function costsOf(text: string): Cost[] {
  return textTree(text).flatMap(({ path, seconds }) => [...seconds].map(([rank, own]): Cost => [path, rank, own]));
}

/** A data set with one metric, `time`, that holds these costs, given one by one or as {@link textTree} reads them. */
export function recordingOf(given: readonly Cost[] | string): DataSet & { contextOf: (path: PathOfFrames) => number } {
  const costs = typeof given === "string" ? costsOf(given) : given;
  const { tree, frames, contextOf } = treeOf(costs.map(([path]) => path));
  const ranks = [...new Set(costs.map(([, rank]) => rank))].sort((a, b) => a - b);
  const builder = new SparseBuilder();
  for (const [path, rank, seconds] of costs) builder.add(contextOf(path), ranks.indexOf(rank), seconds);
  const identity = (count: number) => Int32Array.from({ length: count }, (_, at) => at);
  return {
    name: "test recording",
    files: [],
    format: { id: "test", label: "test" },
    frames,
    tree,
    locations: ranks.map((rank) => location({ rank })),
    metrics: [timeMetric],
    values: [builder.build(tree.size, identity(tree.size), identity(ranks.length))],
    globals: new Map(),
    warnings: [],
    hierarchies: ["combined"],
    records: costs.length,
    contextOf,
  };
}

export function openRecording(costs: readonly Cost[] | string) {
  const dataSet = recordingOf(costs);
  return { open: new OpenDataSet(1, dataSet, 0), contextOf: dataSet.contextOf };
}
