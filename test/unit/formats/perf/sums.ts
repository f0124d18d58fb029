import type { DataSet } from "../../../../src/model/dataSet";
import { NONE } from "../../../../src/model/ids";
import { cellsOf } from "../plainDataSet";

/** Sums by thread, event and path, from outside in: number of samples, and their periods as recorded. */
export function sumsOf(dataSet: DataSet): Map<string, [number, number]> {
  const { tree, frames, locations, metrics } = dataSet;
  const paths: string[] = [];
  for (let context = 0; context < tree.size; context++) {
    const { name, kind, module } = frames.get(tree.frame[context] as never);
    const own = `${kind} ${name} (${module ?? ""})`;
    paths.push(tree.parent[context] === NONE ? own : `${paths[tree.parent[context]]}/${own}`);
  }
  const sums = new Map<string, [number, number]>();
  metrics.forEach((metric, index) => {
    const isCount = /^samples(?: \(|$)/.test(metric.name);
    for (const [context, location, value] of cellsOf(dataSet, index)) {
      const key = `${locations[location].thread} ${metric.recordedName} ${paths[context]}`;
      const sum = sums.get(key) ?? [0, 0];
      sum[isCount ? 0 : 1] += metric.unit === "s" ? Math.round(value * 1e9) : value;
      sums.set(key, sum);
    }
  });
  return sums;
}

/** In an order that does not depend on who counted. */
export function inOrder(sums: ReadonlyMap<string, [number, number]>): [string, [number, number]][] {
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
}
