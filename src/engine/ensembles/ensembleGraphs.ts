/** The super graph of an ensemble: one structure, and the numbers of the runs that stay. */
import { differenceOf } from "../../model/differences";
import { RequestError } from "../../model/errors";
import type { Task } from "../../model/task";
import { someOf } from "../../model/texts";
import { type GraphStructure, measuredFirst } from "../../supergraph/superGraph";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { Graphs } from "../graphs/graphs";
import type { GraphQuery } from "../scope";
import type { Ensemble } from "./ensemble";
import type {
  BarDifferences,
  EnsembleDifference,
  EnsembleGraph,
  EnsembleGraphQuery,
  EnsembleScope,
  EnsembleValues,
  RunsBeside,
  RunSets,
  TextGuide,
} from "./ensembleApi";
import { binOf, countsOf, flowEnds, gradientsOf, largestOf, orZero, targetOf } from "./gradients";
import { type RunValues, runValues } from "./runValues";
import { setMeans, setSignificance } from "./runSets";
import { commonParameters } from "./runTable";
import { USUAL_BINS } from "./usualBins";

/** An ensemble that is open. */
export interface OpenEnsemble {
  readonly ensemble: Ensemble;
  readonly open: OpenDataSet;
  readonly graphs: Graphs;
}

/** Runs that are named where something is said of many. */
const MOST_NAMED = 20;

const known = new WeakMap<GraphStructure, { readonly key: string; readonly values: RunValues }>();

/** @throws RequestError as for one run, and where a run is named that the ensemble does not have */
export async function ensembleGraph(of: OpenEnsemble, query: EnsembleGraphQuery, task: Task): Promise<EnsembleGraph> {
  const { graph, values } = await graphOfRuns(of, query, task);
  return query.withRuns === true ? { ...graph, values: columnsOf(values, graph.runs) } : graph;
}

/** The graph, and the values of every run, not only of those that stay, that it was made of. */
export async function graphOfRuns(
  { ensemble, open, graphs }: OpenEnsemble,
  query: EnsembleGraphQuery,
  task: Task,
): Promise<{ readonly graph: EnsembleGraph; readonly values: RunValues }> {
  const { scope, value = "inclusive", bins = USUAL_BINS } = query;
  if (!Number.isInteger(bins) || bins < 1 || bins > 1000)
    throw new RequestError(`A gradient has 1 to 1000 bins, not ${bins}.`);
  const metric = open.metric(scope.metric);
  const structure = await graphs.structure(graphQuery(query), task);
  const values = valuesOf(ensemble, structure, scope, task);
  const runs = runsThatStay(ensemble, scope);
  const { bars } = structure;
  const largest = (rows: number, of: Float64Array) => orZero(largestOf(rows, of, values.runs, runs));
  // What is negative by rounding is drawn as 0.
  const height = largest(bars.size, values.bars.inclusive).map((value) => Math.max(0, value));
  const most = largest(bars.source.length, values.edges);
  const shown = new Map<string, string>();
  for (const group of bars.group) {
    const name = open.shownNames.get(group);
    if (name !== undefined) shown.set(group, name);
  }
  const graph = {
    metric: metric.name,
    unit: metric.unit,
    over: scope.over,
    runs,
    totals: Float64Array.from(runs, (run) => values.total[run]),
    hidden: Float64Array.from(runs, (run) => values.hidden[run]),
    bars: {
      size: bars.size,
      id: bars.id,
      group: bars.group,
      visit: bars.visit,
      level: bars.level,
      contexts: bars.contexts,
      height,
      mostExclusive: largest(bars.size, values.bars.exclusive),
      runs: countsOf(bars.size, values.bars.inclusive, values.runs, runs),
      collapsesTo: structure.collapsible,
      finer: structure.finer,
    },
    edges: {
      size: bars.source.length,
      source: bars.source,
      target: bars.target,
      most,
      sourceEnd: flowEnds(bars.source, most, height),
      targetEnd: flowEnds(bars.target, most, height),
    },
    gradients: gradientsOf(values, value, runs, bins),
    ...besideAll(ensemble, values, query, { runs, most, names: bars.group }),
    groupBy: structure.groupBy,
    ...(structure.first
      ? { first: measuredFirst(structure, structure.first, { exclusive: structure.basis.exclusive }) }
      : {}),
    ...(structure.chosen ? { chosen: structure.chosen } : {}),
    filter: structure.filter,
    skipped: structure.skipped,
    shownNames: shown,
    notes: [...structure.notes, ...notesOf(ensemble, scope)],
  };
  return { graph, values };
}

/** One run beside all, or two sets against each other, and nothing of what stays the same whichever these are. */
export async function ensembleBeside(
  { ensemble, graphs }: OpenEnsemble,
  query: EnsembleGraphQuery,
  task: Task,
): Promise<RunsBeside> {
  const structure = await graphs.structure(graphQuery(query), task);
  const values = valuesOf(ensemble, structure, query.scope, task);
  const runs = runsThatStay(ensemble, query.scope);
  const { bars } = structure;
  const most = orZero(largestOf(bars.source.length, values.edges, values.runs, runs));
  return besideAll(ensemble, values, query, { runs, most, names: bars.group });
}

/** @param of the runs that stay, the largest weight of each edge among them, and what bars are called */
function besideAll(
  ensemble: Ensemble,
  values: RunValues,
  query: EnsembleGraphQuery,
  of: { readonly runs: Int32Array; readonly most: Float64Array; readonly names: readonly string[] },
): RunsBeside {
  const { value = "inclusive", target, difference } = query;
  return {
    ...(target === undefined
      ? {}
      : { target: targetOf(values, value, checkedRun(ensemble, target), of.runs, of.most) }),
    ...(difference ? { difference: setsBeside(ensemble, values, { ...query, difference }, of.names) } : {}),
  };
}

/** The bins of a bar's gradient that have runs, in their order. @throws RequestError where there is no such bar */
export async function textGuides(
  { ensemble, graphs }: OpenEnsemble,
  query: EnsembleGraphQuery,
  bar: string,
  task: Task,
): Promise<TextGuide[]> {
  const { scope, value = "inclusive", bins = USUAL_BINS } = query;
  const structure = await graphs.structure(graphQuery(query), task);
  const at = structure.bars.id.indexOf(bar);
  if (at < 0) throw new RequestError(`There is no bar ${bar} with this metric and these groups.`);
  const values = valuesOf(ensemble, structure, scope, task);
  const runs = runsThatStay(ensemble, scope);
  const own = values.bars[value].subarray(at * values.runs, (at + 1) * values.runs);
  const having = runs.filter((run) => !Number.isNaN(own[run]));
  const to = having.reduce((most, run) => Math.max(most, own[run]), 0);
  if (!(to > 0)) return [];
  const inBin = Array.from({ length: bins }, (): number[] => []);
  for (const run of having) inBin[binOf(own[run], to, bins)].push(run);
  return inBin.flatMap((members, bin): TextGuide[] =>
    members.length === 0
      ? []
      : [
          {
            bin,
            from: (to * bin) / bins,
            to: (to * (bin + 1)) / bins,
            runs: members,
            common: commonParameters(ensemble, members, [...having]),
          },
        ],
  );
}

/** The runs that stay, of those that have the metric, and the rank where one is asked for. @throws RequestError where there is none of a number */
export function runsThatStay(ensemble: Ensemble, { metric, over, runs }: Omit<EnsembleScope, "dataSet">): Int32Array {
  const asked = runs === undefined ? [...ensemble.members.keys()] : [...new Set(runs)].sort((a, b) => a - b);
  for (const run of asked) checkedRun(ensemble, run);
  return Int32Array.from(asked.filter((run) => ensemble.hasNumber(run, metric, over)));
}

/** The runs that stay, and the target where it is none of them: it has its own numbers beside theirs. */
export function withTargetRun(staying: Int32Array, target: number | undefined): Int32Array {
  return target === undefined || staying.includes(target) ? staying : Int32Array.from([...staying, target]);
}

/** What must be said of numbers of a metric. */
export function notesOf(ensemble: Ensemble, { metric, over }: Pick<EnsembleScope, "metric" | "over">): string[] {
  const names = (has: (run: number) => boolean) =>
    ensemble.members.filter((_, run) => !has(run)).map(({ name }) => name);
  const without = names((run) => ensemble.hasMetric(run, metric));
  const note = (lacking: readonly string[], what: string) =>
    lacking.length === 0
      ? []
      : [`${lacking.length} of ${ensemble.size} runs lack ${what} and are left out: ${someOf(lacking, MOST_NAMED)}`];
  const ofMetric = note(without, ensemble.metrics[metric].name);
  if (typeof over === "string") return ofMetric;
  const withoutRank = names((run) => !ensemble.hasMetric(run, metric) || ensemble.hasNumber(run, metric, over));
  return [...ofMetric, ...note(withoutRank, `rank ${over.rank}`)];
}

function checkedRun(ensemble: Ensemble, run: number): number {
  if (!Number.isInteger(run) || run < 0 || run >= ensemble.size)
    throw new RequestError(`The ensemble has no run number ${run}.`);
  return run;
}

function graphQuery({
  scope,
  filter,
  groupBy,
  first,
  map,
  operations,
  lenient,
  mostBars,
}: EnsembleGraphQuery): GraphQuery {
  const { dataSet, metric } = scope;
  return { scope: { dataSet, metric, over: "sum" }, filter, groupBy, first, map, operations, lenient, mostBars };
}

function valuesOf(
  ensemble: Ensemble,
  structure: GraphStructure,
  { metric, over }: EnsembleScope,
  task: Task,
): RunValues {
  const key = JSON.stringify([metric, over]);
  const last = known.get(structure);
  if (last?.key === key) return last.values;
  const values = runValues(ensemble, structure, metric, over, task);
  known.set(structure, { key, values });
  return values;
}

function columnsOf(values: RunValues, chosen: Int32Array): EnsembleValues {
  const some = (all: Float64Array) => {
    const rows = all.length / Math.max(1, values.runs);
    const taken = new Float64Array(rows * chosen.length);
    for (let row = 0, next = 0; row < rows; row++)
      for (const run of chosen) taken[next++] = all[row * values.runs + run];
    return taken;
  };
  const { inclusive, exclusive, hidden } = values.bars;
  return { inclusive: some(inclusive), exclusive: some(exclusive), hidden: some(hidden), edges: some(values.edges) };
}

function setsBeside(
  ensemble: Ensemble,
  values: RunValues,
  { value = "inclusive", difference: sets, scope: { metric, over } }: EnsembleGraphQuery & { difference: RunSets },
  names: readonly string[],
): EnsembleDifference {
  const [baseline, candidate] = [sets.baseline, sets.candidate].map((set) => {
    if (set.length === 0) throw new RequestError("A difference needs a run on each side.");
    return set.filter((run) => ensemble.hasNumber(checkedRun(ensemble, run), metric, over));
  });
  const meansOf = (rows: Float64Array) => [baseline, candidate].map((set) => setMeans(rows, values.runs, set));
  const [inclusive, exclusive] = [meansOf(values.bars.inclusive), meansOf(values.bars.exclusive)];
  return {
    inclusive: differencesOf(inclusive.map(({ mean }) => mean)),
    exclusive: differencesOf(exclusive.map(({ mean }) => mean)),
    baselineRuns: inclusive[0].having,
    candidateRuns: inclusive[1].having,
    significance: setSignificance(values.bars[value], values.runs, { baseline, candidate }, (bar) => names[bar]),
  };
}

function differencesOf([baseline, candidate]: readonly Float64Array[]): BarDifferences {
  const orNull = (mean: number) => (Number.isNaN(mean) ? null : mean);
  const difference = candidate.map((mean, bar) => differenceOf(orNull(baseline[bar]), orNull(mean)));
  return { baseline, candidate, difference };
}
