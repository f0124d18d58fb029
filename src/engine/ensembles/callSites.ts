/** How functions are spread over runs and ranks (semantics 10, Box plot). */
import { boxPlot, imbalanceOf } from "../../analysis/ensembles/boxPlot";
import { inclusive } from "../../model/contextTree";
import { exclusiveByFunction, inclusiveByFunction } from "../../model/functions";
import { appendAll } from "../../model/longLists";
import { compareText } from "../../model/strings";
import type { OverRanks } from "../../model/metrics";
import type { Task } from "../../model/task";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { EngineState } from "../engineState";
import { placeOfFunction } from "../lines/functionPlace";
import type { Ensemble } from "./ensemble";
import type { CallSite, CallSitesQuery, EnsembleScope } from "./ensembleApi";
import { runsThatStay, withTargetRun } from "./ensembleGraphs";
import { functionValues } from "./functionValues";
import { presenceTest, type RunPresence } from "./runPresence";

/** Values that are in memory at once, twice: 256 MB. Each part of the functions takes a pass over all runs. */
const MOST_VALUES = 16 << 20;

/** Functions that any run which stays has, those with the largest mean first, ties by name. */
export async function callSites(
  state: EngineState,
  { scope, value = "inclusive", target, presence, linked = Infinity }: CallSitesQuery,
  task: Task,
): Promise<CallSite[]> {
  const { ensemble, open } = state.ensemble(scope.dataSet);
  const runs = runsThatStay(ensemble, scope);
  const sites: CallSite[] = [];
  const { size } = open.functions;
  const read = withTargetRun(runs, target);
  const [columns, all] = [runs, read].map((some) => countColumns(ensemble, some, scope.metric));
  const perPart = Math.max(1, Math.floor(MOST_VALUES / Math.max(1, all)));
  for (let from = 0; from < size; from += perPart) {
    const part = new SpreadPart(ensemble, open, from, Math.min(size, from + perPart), columns, all);
    for (const [at, run] of read.entries()) {
      task.progress((from + (perPart * at) / read.length) / size);
      part.add(run, scope.metric, at < runs.length);
    }
    appendAll(sites, part.sites(value, target));
  }
  const isPresent = presence && functionsPresent(ensemble, open, scope, presence, task);
  const shown = isPresent ? sites.filter(isPresent) : sites;
  shown.sort((a, b) => b.plot.mean - a.plot.mean || compareText(a.name, b.name) || a.function - b.function);
  const placed: CallSite[] = [];
  for (const [at, site] of shown.entries()) {
    const of = { dataSet: scope.dataSet, metric: scope.metric, over: "sum" } as const;
    placed.push(at < linked ? { ...site, ...(await placeOfFunction(state, of, site.function, task)) } : site);
  }
  return placed;
}

/** Whether a function is in runs as asked: where it has a context, whatever that cost. */
function functionsPresent(
  ensemble: Ensemble,
  open: OpenDataSet,
  scope: EnsembleScope,
  presence: RunPresence,
  task: Task,
): (site: Pick<CallSite, "function">) => boolean {
  const runs = runsThatStay(ensemble, scope);
  const isWanted = presenceTest(runs, presence);
  const values = functionValues(ensemble, open, scope.metric, scope.over, task).inclusive;
  return ({ function: id }) => isWanted(Float64Array.from(runs, (run) => values[id * ensemble.size + run]));
}

/** How many values a function has at most: one per rank of each run. */
function countColumns(ensemble: Ensemble, runs: Int32Array, metric: number): number {
  return runs.reduce((sum, run) => sum + (ensemble.rankValues(run, metric)?.rankCount ?? 0), 0);
}

/** The values of some functions: rows are these, columns ranks of runs. */
class SpreadPart {
  private readonly inclusive: Float64Array;
  private readonly exclusive: Float64Array;
  private readonly runs: Int32Array;
  /** Columns of each run. */
  private readonly columnsOf = new Map<number, readonly [from: number, end: number]>();
  private next = 0;

  constructor(
    private readonly ensemble: Ensemble,
    private readonly open: OpenDataSet,
    private readonly from: number,
    private readonly end: number,
    /** Of runs that stay. */
    private readonly columns: number,
    /** The same, and behind them those of a target that does not. */
    private readonly all: number,
  ) {
    this.inclusive = new Float64Array((end - from) * all).fill(NaN);
    this.exclusive = new Float64Array((end - from) * all).fill(NaN);
    this.runs = new Int32Array(end - from);
  }

  /** A rank without a value counts as 0 where its run has the function. */
  add(run: number, metric: number, stays: boolean): void {
    const values = this.ensemble.rankValues(run, metric);
    if (!values) return;
    const { functions, dataSet } = this.open;
    const { tree } = dataSet;
    const has = new Uint8Array(functions.size);
    for (const context of this.ensemble.members[run].contextOf) has[functions.ofContext[context]] = 1;
    if (stays) for (let id = this.from; id < this.end; id++) this.runs[id - this.from] += has[id];
    const joined = new Float64Array(tree.size);
    const first = this.next;
    const take = (own: Float64Array, over: OverRanks) => {
      joined.fill(0);
      this.ensemble.addTo(joined, run, own);
      const exclusive = exclusiveByFunction(functions, joined);
      const sums = inclusiveByFunction(functions, inclusive(tree, joined));
      for (let id = this.from; id < this.end; id++) {
        if (has[id] === 0) continue;
        const at = (id - this.from) * this.all + this.next;
        this.exclusive[at] = exclusive[id];
        this.inclusive[at] = sums[id];
      }
      const measured = this.ensemble.measuredOf(run, metric, over);
      measured?.functions.forEach((id, own) => {
        if (id < this.from || id >= this.end) return;
        const at = (id - this.from) * this.all + this.next;
        this.exclusive[at] = measured.exclusive[own];
        this.inclusive[at] = measured.inclusive[own];
      });
      this.next++;
    };
    const { keys } = values.members;
    if (keys.length === 0) take(values.sums(), "sum");
    else values.eachRank((member, own) => take(own, { rank: Number(keys[member]) }));
    this.columnsOf.set(run, [first, this.next]);
  }

  sites(value: "inclusive" | "exclusive", target: number | undefined): CallSite[] {
    const shown = this[value];
    const ofTarget = target === undefined ? undefined : this.columnsOf.get(target);
    const found: CallSite[] = [];
    for (let id = this.from; id < this.end; id++) {
      const start = (id - this.from) * this.all;
      const rowOf = (values: Float64Array) => values.subarray(start, start + this.columns);
      const plot = boxPlot(rowOf(shown));
      if (!plot) continue;
      const own = ofTarget && boxPlot(shown.subarray(start, start + this.all).subarray(ofTarget[0], ofTarget[1]));
      found.push({
        ...this.open.namedFunction(id),
        function: id,
        runs: this.runs[id - this.from],
        plot,
        imbalance: value === "inclusive" ? plot.imbalance : imbalanceOf(rowOf(this.inclusive)),
        ...(own ? { target: own } : {}),
      });
    }
    return found;
  }
}
