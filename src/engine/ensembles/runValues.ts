/** The numbers of a graph in every run (semantics 10, Runs): rows are bars or edges, columns runs, NaN where a run has none. */
import { NONE } from "../../model/ids";
import { cellsByMember } from "../../model/memberCells";
import type { OverRanks } from "../../model/metrics";
import type { Task } from "../../model/task";
import { rowsAt } from "../../model/values";
import { measuring, type Measurement } from "../../supergraph/measure";
import type { GraphStructure } from "../../supergraph/superGraph";
import type { Ensemble } from "./ensemble";

export interface RunValues {
  /** How many columns there are: all runs. */
  readonly runs: number;
  /** By run; NaN: it lacks the metric, or the rank that is asked for. */
  readonly total: Float64Array;
  /** Hidden without a kept ancestor, by run. */
  readonly hidden: Float64Array;
  readonly bars: { readonly inclusive: Float64Array; readonly exclusive: Float64Array; readonly hidden: Float64Array };
  readonly edges: Float64Array;
}

export function runValues(
  ensemble: Ensemble,
  { kept, bars, measured }: GraphStructure,
  metric: number,
  over: OverRanks,
  task: Task,
): RunValues {
  const runs = ensemble.size;
  const [edgeCount, unknown] = [bars.source.length, (rows: number) => new Float64Array(rows * runs).fill(NaN)];
  const values: RunValues = {
    runs,
    total: unknown(1),
    hidden: unknown(1),
    bars: { inclusive: unknown(bars.size), exclusive: unknown(bars.size), hidden: unknown(bars.size) },
    edges: unknown(edgeCount),
  };
  const edgeAt = new Int32Array(ensemble.union.tree.size).fill(NONE);
  bars.entries.forEach((entry, at) => (edgeAt[kept.original[entry]] = bars.edgeOf[at]));
  const sums = measuring(measured, bars, () => task.check());
  const exclusive = new Float64Array(ensemble.union.tree.size);
  const hasBar = new Uint8Array(bars.size);
  const hasEdge = new Uint8Array(edgeCount);
  for (const [run, { contextOf }] of ensemble.members.entries()) {
    const what = measurementOf(ensemble, run, metric, over, exclusive);
    if (!what) continue;
    hasBar.fill(0);
    hasEdge.fill(0);
    for (const context of contextOf) {
      // What is hidden in a bar hangs on a context of it, which the run has too.
      if (kept.home[context] !== NONE) hasBar[bars.ofContext[kept.home[context]]] = 1;
      if (edgeAt[context] !== NONE) hasEdge[edgeAt[context]] = 1;
    }
    const own = sums(what);
    values.total[run] = own.total;
    values.hidden[run] = own.hidden;
    for (let bar = 0; bar < bars.size; bar++) {
      if (hasBar[bar] === 0) continue;
      const at = bar * runs + run;
      values.bars.inclusive[at] = own.bars.inclusive[bar];
      values.bars.exclusive[at] = own.bars.exclusive[bar];
      values.bars.hidden[at] = own.bars.hidden[bar];
    }
    for (let edge = 0; edge < edgeCount; edge++)
      if (hasEdge[edge] === 1) values.edges[edge * runs + run] = own.edges[edge];
  }
  return values;
}

/** What is measured of one run over the contexts of the union; undefined: it has no such number. @param exclusive is used again */
function measurementOf(
  ensemble: Ensemble,
  run: number,
  metric: number,
  over: OverRanks,
  exclusive: Float64Array,
): Measurement | undefined {
  const values = ensemble.rankValues(run, metric, over);
  if (!values) return undefined;
  const { contextOf, metricOf, values: own } = ensemble.members[run];
  const { keys, of } = values.members;
  if ((over === "max" || over === "min") && keys.length > 0) {
    const rows = rowsAt(own[metricOf[metric]], contextOf, exclusive.length);
    return { extreme: over, cells: cellsByMember(rows, of, keys.length) };
  }
  const ofRun = ensemble.exclusiveOf(metric, over === "max" || over === "min" ? "sum" : over)[run];
  if (!ofRun) return undefined;
  exclusive.fill(0);
  ensemble.addTo(exclusive, run, ofRun);
  return { exclusive };
}
