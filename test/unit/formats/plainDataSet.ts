import type { DataSet } from "../../../src/model/dataSet";
import { NONE } from "../../../src/model/ids";

/** A data set as nested plain values, to compare two of them and to look values up by path. */
export interface PlainDataSet {
  metrics: DataSet["metrics"];
  locations: DataSet["locations"];
  /** Paths of all contexts, in order: names with kind, origin, module and line. */
  contexts: string[];
  /** By metric: `path → [location, value] …`. */
  values: [string, [number, number][]][][];
  globals: [string, readonly string[]][];
  hierarchies: readonly string[];
  records: number;
}

export function plainDataSet(dataSet: DataSet): PlainDataSet {
  const { frames, tree } = dataSet;
  const contexts: string[] = [];
  for (let context = 0; context < tree.size; context++) {
    const own = JSON.stringify(frames.get(tree.frame[context] as never));
    // Only the frame and where it hangs: whole paths of a deep tree would be quadratic.
    contexts.push(`${tree.parent[context]} ${own}`);
  }
  return {
    metrics: dataSet.metrics,
    locations: dataSet.locations,
    contexts,
    values: dataSet.values.map(({ rowStart, column, value }) =>
      contexts.map((name, context) => {
        const cells: [number, number][] = [];
        for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++)
          cells.push([column[cell], value[cell]]);
        return [name, cells];
      }),
    ),
    globals: [...dataSet.globals],
    hierarchies: dataSet.hierarchies,
    records: dataSet.records,
  };
}

/** Names from the root to each context; time outside any region has the empty path. */
export function pathsOf({ tree, frames }: DataSet): string[][] {
  const paths: string[][] = [];
  for (let context = 0; context < tree.size; context++) {
    const frame = tree.frame[context];
    const above = tree.parent[context] === NONE ? [] : paths[tree.parent[context]];
    paths.push(frames.originOf(frame) === "outside" ? [] : [...above, frames.nameOf(frame)]);
  }
  return paths;
}

/** Every value of a metric: context, location and number. */
export function* cellsOf(
  dataSet: DataSet,
  metric: number,
): Generator<[context: number, location: number, value: number]> {
  const { rowStart, column, value } = dataSet.values[metric];
  for (let context = 0; context < dataSet.tree.size; context++)
    for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++) yield [context, column[cell], value[cell]];
}

/** The metric of this name. */
export function metricNamed(dataSet: DataSet, name: string): number {
  const index = dataSet.metrics.findIndex((metric) => metric.name === name);
  if (index < 0) throw new Error(`no metric ${name} among ${dataSet.metrics.map((metric) => metric.name).join(", ")}`);
  return index;
}
