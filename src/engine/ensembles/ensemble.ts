/** Many runs over one union tree: what every question about them is answered from (semantics 10). */
import { RankValues } from "../../analysis/rankValues";
import type { DataSet } from "../../model/dataSet";
import { type FunctionTable, functionsOf } from "../../model/functions";
import type { FrameTable } from "../../model/frames";
import { NONE } from "../../model/ids";
import { type JointFunctions, jointFunctions } from "../../model/jointFunctions";
import { location } from "../../model/locations";
import { keepNewest } from "../../model/maps";
import type { Metric, OverRanks } from "../../model/metrics";
import { overRanksText } from "../../model/metrics";
import { quietTask, type Task } from "../../model/task";
import { type UnionTree, unionTree } from "../../model/unionTree";
import type { SparseValues } from "../../model/values";
import type { EnsembleMembers } from "../dataSets/dataSetApi";
import type { KeptRun } from "./runCollector";
import type { Metadata } from "./runMetadata";

/** A run with its name and what is known of it. */
export interface NamedRun extends KeptRun {
  readonly name: string;
  readonly metadata: Metadata;
}

/** One run of an ensemble. */
export interface Member extends NamedRun {
  /** The context of the union that each of its own is. */
  readonly contextOf: Int32Array;
  /** Its own metric for each of the ensemble; {@link NONE}: it lacks it. */
  readonly metricOf: Int32Array;
}

/** Scopes of which every run's values are kept. */
const KEPT_COLUMNS = 4;

export class Ensemble {
  readonly members: readonly Member[];
  readonly metrics: readonly Metric[];
  readonly union: UnionTree;
  /** Functions of the union. */
  readonly functions: FunctionTable;
  private readonly columns = new Map<string, readonly (Float64Array | undefined)[]>();

  /** @param runs with their names, in the order of these; frames are those of all of them */
  constructor(runs: readonly NamedRun[], frames: FrameTable, task: Task = quietTask) {
    const trees = runs.map(({ tree }) => ({ tree, frames, functions: functionsOf(tree, frames, [], task) }));
    const joint: JointFunctions = jointFunctions(trees, [], task);
    this.union = unionTree(trees, joint, task);
    this.functions = functionsOf(this.union.tree, this.union.frames, [], task);
    this.metrics = metricsOf(runs);
    this.members = runs.map((run, at) => ({
      ...run,
      contextOf: this.union.contextOf[at],
      metricOf: Int32Array.from(this.metrics, (metric) => indexOf(run, metric)),
    }));
  }

  get size(): number {
    return this.members.length;
  }

  /** What its runs are called, and which of them lack each metric. */
  named(): EnsembleMembers {
    const runs = [...this.members.keys()];
    return {
      names: this.members.map(({ name }) => name),
      lacking: this.metrics.map((_, metric) => runs.filter((run) => !this.hasMetric(run, metric))),
    };
  }

  hasMetric(run: number, metric: number): boolean {
    return this.members[run].metricOf[metric] !== NONE;
  }

  /** Whether a run has a number of a metric: one of a rank that it did not have would be a 0 that nobody measured. */
  hasNumber(run: number, metric: number, over: OverRanks): boolean {
    if (typeof over === "string") return this.hasMetric(run, metric);
    return this.hasMetric(run, metric) && this.members[run].locations.some(({ rank }) => rank === over.rank);
  }

  /** The values of one run over its ranks; undefined: it lacks the metric, or the one rank that is asked for. */
  rankValues(run: number, metric: number, over: OverRanks = "sum"): RankValues | undefined {
    if (!this.hasNumber(run, metric, over)) return undefined;
    const { metricOf, tree, locations, values } = this.members[run];
    return new RankValues({ tree, locations, values: [values[metricOf[metric]]] }, 0);
  }

  /**
   * Exclusive of every run's own contexts, combined over its ranks; undefined for runs that have no such number. For extremes, which do
   * not add up, ask {@link rankValues}.
   */
  exclusiveOf(metric: number, over: OverRanks): readonly (Float64Array | undefined)[] {
    const key = `${metric} ${overRanksText(over)}`;
    const columns =
      this.columns.get(key) ??
      this.members.map((_, run) => this.rankValues(run, metric, over)?.evaluate(over, (exclusive) => exclusive));
    keepNewest(this.columns, key, columns, KEPT_COLUMNS);
    return columns;
  }

  /**
   * What was measured of a run's functions where its contexts are only estimated (semantics 1, Call-graph formats): the function of
   * the union that each is, NONE where it is too small for a context, and its values; undefined: its contexts were measured.
   */
  measuredOf(run: number, metric: number, over: OverRanks) {
    const { measured, contextOf, metricOf } = this.members[run];
    if (!measured || metricOf[metric] === NONE) return undefined;
    const functions = new Int32Array(measured.functions.size).fill(NONE);
    contextOf.forEach((joined, own) => {
      functions[measured.functions.ofContext[own]] = this.functions.ofContext[joined];
    });
    const numbers = measured.numbers({ dataSet: measured.id, metric: metricOf[metric], over });
    return { functions, exclusive: numbers.functionExclusive, inclusive: numbers.functionInclusive };
  }

  /** Adds values of a run's own contexts at the contexts of the union that they are. */
  addTo(target: Float64Array, run: number, values: Float64Array): void {
    const { contextOf } = this.members[run];
    for (let context = 0; context < contextOf.length; context++) target[contextOf[context]] += values[context];
  }

  /** The union as a recording: a location per run, with its mean over ranks as value. */
  dataSet(name: string, files: readonly string[], warnings: DataSet["warnings"]): DataSet {
    const { tree, frames } = this.union;
    const labels = [...new Set(this.members.map(({ format }) => format.label))];
    const recorded = this.members.flatMap(({ recordedAt }) => recordedAt ?? []);
    return {
      name,
      files,
      format: { id: "ensemble", label: labels.join(", ") },
      frames,
      tree,
      locations: this.members.map((_, run) => location({ run })),
      metrics: this.metrics,
      values: this.metrics.map((_, metric) => this.meansOf(metric)),
      globals: new Map(),
      warnings,
      hierarchies: ["combined"],
      ...(recorded.length > 0 ? { recordedAt: recorded.reduce((a, b) => Math.min(a, b)) } : {}),
      records: this.members.reduce((sum, { records }) => sum + records, 0),
      notRecorded: ["no events of several runs in one picture: open one of them"],
    };
  }

  private meansOf(metric: number): SparseValues {
    const means = this.exclusiveOf(metric, "mean");
    const { size } = this.union.tree;
    const rowStart = new Int32Array(size + 1);
    const has = new Int32Array(size).fill(NONE);
    const eachCell = (visit: (context: number, run: number, own: number, isFirst: boolean) => void) => {
      has.fill(NONE);
      for (const [run, { contextOf }] of this.members.entries())
        if (means[run])
          for (let own = 0; own < contextOf.length; own++) {
            const context = contextOf[own];
            visit(context, run, own, has[context] !== run);
            has[context] = run;
          }
    };
    eachCell((context, _run, _own, isFirst) => (rowStart[context + 1] += isFirst ? 1 : 0));
    for (let row = 0; row < size; row++) rowStart[row + 1] += rowStart[row];
    const next = rowStart.slice(0, size);
    const column = new Int32Array(rowStart[size]);
    const value = new Float64Array(rowStart[size]);
    eachCell((context, run, own, isFirst) => {
      if (isFirst) column[next[context]++] = run;
      value[next[context] - 1] += means[run]?.[own] ?? 0;
    });
    return { rowStart, column, value };
  }
}

/** What adds up in at least one run, in the order of the first run that has it. */
function metricsOf(runs: readonly KeptRun[]): Metric[] {
  const found = new Map<string, Metric>();
  for (const { metrics } of runs)
    for (const metric of metrics) {
      const { name, recordedName, unit, kind, additive, reducedOverRanks, note, description } = metric;
      if (additive && !found.has(keyOf(metric)))
        found.set(keyOf(metric), { name, recordedName, unit, kind, additive, reducedOverRanks, note, description });
    }
  return [...found.values()];
}

/** A run without any context has measured nothing: its total is not 0. */
function indexOf({ metrics, tree }: KeptRun, wanted: Metric): number {
  if (tree.size === 0) return NONE;
  return metrics.findIndex((metric) => metric.additive && keyOf(metric) === keyOf(wanted));
}

function keyOf({ name, unit }: Metric): string {
  return `${name}\n${unit}`;
}
