import { performance } from "node:perf_hooks";
import { functionsOf } from "../../src/model/functions";
import { quietTask } from "../../src/model/task";
import { shapeOf } from "../../src/panels/superGraph/askedGraphs";
import { layoutGraph } from "../../src/supergraph/layout";
import type { GroupBy } from "../../src/supergraph/query";
import { graphBasis, graphStructure, measuredGraph } from "../../src/supergraph/superGraph";
import { type GeneratedTree, generateTree, hostile, layered, type TreeShape } from "./superGraphTrees";

/** One measured query. Times in milliseconds, the median of the runs. */
export interface SuperGraphRow {
  readonly name: string;
  readonly contexts: number;
  readonly groupBy: GroupBy;
  readonly runs: number;
  /** Filter, groups, merging and numbers. */
  readonly graphMs: number;
  readonly layoutMs: number;
  readonly totalMs: number;
  /** `totalMs` in units of the calibration loop of the same run. */
  readonly ratio: number;
  /** Largest total that is accepted; undefined: reported only. */
  readonly budgetMs?: number;
  readonly bars: number;
  readonly edges: number;
  /** Percent that was filtered at in the end. */
  readonly filter: number;
}

const FILTER = 0.1;

/** Super graph queries (filter, merge, layout) on generated trees, each from sums to pixels. */
export function benchSuperGraph(): SuperGraphRow[] {
  const calibrationMs = calibrate();
  return [
    query("layered", layered(10_000), "file", calibrationMs),
    query("layered", layered(100_000), "file", calibrationMs, 100),
    query("layered", layered(1_000_000), "file", calibrationMs, 1000),
    query("layered", layered(100_000), "function", calibrationMs),
    query("layered", layered(1_000_000), "function", calibrationMs),
    query("hostile", hostile(100_000), "file", calibrationMs, 10_000),
    query("hostile", hostile(1_000_000), "file", calibrationMs, 10_000),
    query("hostile", hostile(1_000_000), "function", calibrationMs, 10_000),
  ];
}

/** Milliseconds of a fixed loop over a million numbers: what this machine is worth. */
export function calibrate(): number {
  const numbers = new Float64Array(1_000_000).map((_, at) => at % 1013);
  const times: number[] = [];
  for (let run = 0; run < 9; run++) {
    const start = performance.now();
    let sum = 0;
    for (let round = 0; round < 10; round++) for (const value of numbers) sum += value;
    if (sum < 0) throw new Error("the calibration loop was not run");
    times.push(performance.now() - start);
  }
  return median(times);
}

function query(
  name: string,
  shape: TreeShape,
  groupBy: GroupBy,
  calibrationMs: number,
  budgetMs?: number,
): SuperGraphRow {
  const generated = generateTree(shape);
  const functions = functionsOf(generated.tree, generated.frames);
  const graphTimes: number[] = [];
  const layoutTimes: number[] = [];
  const totals: number[] = [];
  const results = [];
  for (let run = 0; run < 5; run++) {
    const start = performance.now();
    const graph = graphOf(generated, functions, groupBy);
    const middle = performance.now();
    layoutGraph(shapeOf(graph), { width: 1400, height: 900 });
    const end = performance.now();
    graphTimes.push(middle - start);
    layoutTimes.push(end - middle);
    totals.push(end - start);
    results.push(graph);
  }
  const [graph] = results;
  return {
    name: `${name}, ${shape.files} files, ${shape.functions} functions`,
    contexts: shape.contexts,
    groupBy,
    runs: totals.length,
    graphMs: median(graphTimes),
    layoutMs: median(layoutTimes),
    totalMs: median(totals),
    ratio: median(totals) / calibrationMs,
    budgetMs,
    bars: graph.bars.length,
    edges: graph.edges.length,
    filter: graph.filter,
  };
}

function graphOf(
  { tree, frames, exclusive, fileOf }: GeneratedTree,
  functions: ReturnType<typeof functionsOf>,
  groupBy: GroupBy,
) {
  const basis = graphBasis(tree, frames, functions, exclusive);
  const attributes = {
    file: (id: number) => fileOf(frames.nameOf(functions.frame[id])),
    className: () => undefined,
    module: () => undefined,
  };
  const structure = graphStructure(basis, attributes, { filter: FILTER, groupBy }, quietTask);
  return measuredGraph(structure, { exclusive }, quietTask);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
