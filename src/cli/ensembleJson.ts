/** The JSON of `heatflow ensemble` (semantics 10): arrays over runs in the order of `runs`, null where a run has no value. */
import type {
  CallSite,
  CommitChanges,
  EnsembleDifferences,
  EnsembleGraph,
  EnsembleScaling,
  ScalingStart,
} from "../engine/api";
import { ratioOf } from "../model/differences";
import { overRanksText } from "../model/metrics";
import { jsonText } from "../model/unseen";
import type { EnsembleAnswer } from "./ensembleAnswer";
import { pivotsJson } from "./ensemblePivot";
import { placeJson } from "./sourceFolders";

/** Numbers with full double precision, one line. */
export function ensembleJson(answer: EnsembleAnswer): string {
  const {
    runs,
    graph,
    bins,
    scope,
    callSites,
    parameters,
    projection,
    first,
    scaling,
    differences,
    changes,
    pivots,
    sources,
  } = answer;
  const columnOf = new Map(Array.from(graph.runs, (run, at) => [run, at]));
  const ofRun = (values: Float64Array, run: number) => orNull(values[columnOf.get(run) ?? -1]);
  const json = {
    metric: graph.metric,
    unit: graph.unit,
    over: overRanksText(scope.over),
    bins,
    runs: runs.runs.map(({ name, files, metadata }, run) => ({
      name,
      files,
      total: ofRun(graph.totals, run),
      hidden: ofRun(graph.hidden, run),
      metadata,
    })),
    nodes: nodesJson(graph, runs.runs.length),
    edges: edgesJson(graph, runs.runs.length),
    callSites: callSites.map((site) => callSiteJson(site, sources)),
    parameters: parameters.map(({ name, weight }) => ({ name, weight: orNull(weight) })),
    projection: Array.from(projection.runs, (run, at) => ({
      run: runs.runs[run].name,
      x: projection.x[at],
      y: projection.y[at],
      cluster: projection.cluster[at],
    })),
    ...(first ? { first: { scaling: scalingStartJson(runs.scaling) } } : {}),
    ...(scaling ? { scaling: scalingJson(scaling, sources) } : {}),
    ...(differences ? { differences: differencesJson(differences, sources) } : {}),
    ...(changes ? { commits: changesJson(answer, changes) } : {}),
    ...(pivots ? { pivots: pivotsJson(pivots, sources) } : {}),
  };
  return `${jsonText(json)}\n`;
}

/** What JSON has no number for is no value. */
function orNull(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value;
}

/** A row of values that has a place for every run. */
function rowsOf(graph: EnsembleGraph, runs: number): (values: Float64Array, row: number) => (number | null)[] {
  return (values, row) => {
    const all = Array.from({ length: runs }, (): number | null => null);
    graph.runs.forEach((run, at) => (all[run] = orNull(values[row * graph.runs.length + at])));
    return all;
  };
}

function nodesJson(graph: EnsembleGraph, runs: number) {
  const { bars, gradients, values } = graph;
  if (!values) throw new Error("the graph has no values by run");
  const rowOf = rowsOf(graph, runs);
  return bars.id.map((id, bar) => ({
    id,
    group: bars.group[bar],
    level: bars.level[bar],
    inclusive: rowOf(values.inclusive, bar),
    exclusive: rowOf(values.exclusive, bar),
    hidden: rowOf(values.hidden, bar),
    // A bar whose largest value is not positive has no gradient.
    histogram:
      gradients.to[bar] > 0
        ? {
            from: 0,
            to: gradients.to[bar],
            counts: [...gradients.counts.subarray(bar * gradients.bins, (bar + 1) * gradients.bins)],
          }
        : null,
  }));
}

function edgesJson(graph: EnsembleGraph, runs: number) {
  const { bars, edges, values } = graph;
  if (!values) throw new Error("the graph has no values by run");
  const rowOf = rowsOf(graph, runs);
  return Array.from({ length: edges.size }, (_, edge) => ({
    source: bars.id[edges.source[edge]],
    target: bars.id[edges.target[edge]],
    inclusive: rowOf(values.edges, edge),
    sourceEnd: edges.sourceEnd[edge],
    targetEnd: edges.targetEnd[edge],
  }));
}

function callSiteJson({ name, plot, imbalance, ...place }: CallSite, sources: readonly string[]) {
  const { values, min, q1, median, q3, max, whiskers, outliers, mean, skewness, kurtosis } = plot;
  return {
    function: name,
    ...placeJson(place, sources),
    values,
    min,
    q1,
    median,
    q3,
    max,
    whiskers,
    outliers: outliers.length,
    mean,
    imbalance: orNull(imbalance),
    skewness: orNull(skewness),
    kurtosis: orNull(kurtosis),
  };
}

function scalingStartJson({ parameter, offered, also }: ScalingStart) {
  return {
    parameter: parameter ?? null,
    offered,
    also: also.map(({ name, values }) => ({ name, values: Array.from(values, orNull) })),
  };
}

function scalingJson({ n, functions }: EnsembleScaling, sources: readonly string[]) {
  return functions.map(({ name, time, efficiency, lost, ...place }) => ({
    function: name,
    ...placeJson(place, sources),
    n: [...n],
    time: Array.from(time, orNull),
    efficiency: Array.from(efficiency, orNull),
    lost: orNull(lost[lost.length - 1]),
  }));
}

function differencesJson({ rows }: EnsembleDifferences, sources: readonly string[]) {
  return rows.map(({ name, baseline, candidate, difference, p, slowerIn, of, ...place }) => ({
    function: name,
    ...placeJson(place, sources),
    baseline,
    candidate,
    difference,
    ratio: ratioOf(baseline, candidate),
    p,
    slowerIn,
    of,
  }));
}

function changesJson({ runs, sources }: EnsembleAnswer, { changes }: CommitChanges) {
  return changes.map(({ name, before, after, means, p, runs: beside, ...place }) => ({
    function: name,
    ...placeJson(place, sources),
    before,
    after,
    means,
    ratio: ratioOf(means[0], means[1]),
    p,
    runs: beside.map((run) => runs.runs[run].name),
  }));
}
