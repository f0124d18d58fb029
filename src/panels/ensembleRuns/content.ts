/** Answers about the runs of an ensemble as columns of a message. Pure. */
import type { CallSite, ChangingFunction, EnsembleRuns } from "../../engine/api";
import { NONE } from "../../model/ids";
import { placeText } from "../../model/placeText";
import { type Named, shownOf } from "../../model/shortName";
import { shorten } from "../../model/texts";
import {
  type CallSitesContent,
  CHANGE_LIMIT,
  type CommitsContent,
  type DistributionContent,
  type EnsembleRunsContent,
  FUNCTION_LIMIT,
  type HierarchyContent,
  type MetricCorrelationContent,
  type ProjectionContent,
  RUN_LIMIT,
  type RunTableContent,
  type ScalingContent,
  type Statistic,
  VALUE_LIMIT,
} from "../../protocol/ensembleRuns";
import { shownUnit } from "../../session/scopeChoice";
import { cutToFit, onLine } from "../shared";
import { distributed } from "./asked";
import { runNamed, parameterOf } from "./parameters";
import { COUNTED_NAMES } from "./controls";
import { pivotContent } from "./pivot";
import { presenceText } from "./presence";
import { chosenStatistics, statisticOf } from "./statistics";
import type { RunsView, ShownRuns } from "./shown";

const MAX_NAME = 200;
/** Characters of all names of a kind together. */
const MOST_NAMES = 120_000;
/** Rings of one row: of more, evenly spaced ones and both ends. */
const MOST_RINGS = 40;
/** Columns of the table of runs. */
const MOST_PARAMETERS = 30;

type Shown<Of extends ShownRuns["view"]> = Extract<ShownRuns, { readonly view: Of }>;

export function runsContent(shown: ShownRuns, view: RunsView): EnsembleRunsContent {
  switch (shown.view) {
    case "callSites":
      return callSitesContent(shown, view);
    case "distribution":
      return distributionContent(shown, view);
    case "hierarchy":
      return hierarchyContent(shown, view);
    case "correlation":
      return correlationContent(shown, view);
    case "scaling":
      return scalingContent(shown, view);
    case "projection":
      return projectionContent(shown, view);
    case "runs":
      return runTableContent(shown, view);
    case "pivot":
      return pivotContent(shown.pivot, view, commonOf(shown, overText(view)));
    case "commits":
      return commitsContent(shown, view);
    case "unchosen":
      return { view: "unchosen", ...commonOf(shown, overText(view)), message: shown.message };
  }
}

function commonOf({ runs: { metric, unit } }: ShownRuns, over: string) {
  return { metric: shorten(metric, MAX_NAME), unit: shorten(shownUnit({ name: metric, unit }), MAX_NAME), over };
}

function callSitesContent(shown: Shown<"callSites">, view: RunsView): CallSitesContent {
  const { value, sortedBy } = view.state;
  const { sites } = shown;
  const presence = presenceText(view.state);
  const column = (of: (site: CallSite) => number) => Float64Array.from(sites, of);
  const rings = sites.map(({ plot }) => evenly(plot.outliers, MOST_RINGS));
  const firstOutlier = new Int32Array(sites.length + 1);
  rings.forEach(({ length }, at) => (firstOutlier[at + 1] = firstOutlier[at] + length));
  const target = runNamed(shown.runs, view.state.target);
  return {
    view: "callSites",
    ...commonOf(shown, ""),
    value,
    sortedBy,
    runs: runsThatStay(shown.runs, view),
    ...(presence === undefined ? {} : { presence }),
    ...(target < 0 ? {} : { target: shorten(shown.runs.runs[target].name, MAX_NAME) }),
    ...placed(sites),
    inRuns: Int32Array.from(sites, ({ runs }) => runs),
    values: Int32Array.from(sites, ({ plot }) => plot.values),
    min: column(({ plot }) => plot.min),
    low: column(({ plot }) => plot.whiskers[0]),
    q1: column(({ plot }) => plot.q1),
    median: column(({ plot }) => plot.median),
    q3: column(({ plot }) => plot.q3),
    high: column(({ plot }) => plot.whiskers[1]),
    max: column(({ plot }) => plot.max),
    mean: column(({ plot }) => plot.mean),
    imbalance: column(({ imbalance }) => imbalance),
    skewness: column(({ plot }) => plot.skewness),
    kurtosis: column(({ plot }) => plot.kurtosis),
    targetMean: column(({ target }) => target?.mean ?? NaN),
    targetMin: column(({ target }) => target?.min ?? NaN),
    targetMax: column(({ target }) => target?.max ?? NaN),
    outliers: Int32Array.from(sites, ({ plot }) => plot.outliers.length),
    firstOutlier,
    outlying: Float64Array.from(rings.flatMap((some) => [...some])),
  };
}

function evenly(values: Float64Array, most: number): Float64Array {
  if (values.length <= most) return values;
  return Float64Array.from({ length: most }, (_, at) => values[Math.round((at * (values.length - 1)) / (most - 1))]);
}

function placed(functions: readonly (Named & Pick<CallSite, "link">)[]) {
  return {
    names: cutToFit(functions.map(shownOf), MOST_NAMES),
    places: cutToFit(
      functions.map(({ link }) => (link && placeText(link)) ?? ""),
      MOST_NAMES,
    ),
  };
}

function runsThatStay({ runs }: EnsembleRuns, { scope: { chosen } }: RunsView): number {
  const stays = chosen?.by === "run" ? new Set(chosen.members) : undefined;
  return runs.filter(({ total }, run) => !Number.isNaN(total) && (stays?.has(String(run)) ?? true)).length;
}

/** Characters of a name on the line. */
const MOST_KEY = 60;
/** Members of a bin that are named. */
const MOST_IN_BIN = 12;

function distributionContent(shown: Shown<"distribution">, view: RunsView): DistributionContent {
  const { values, edges, counts, binOf, names, runs = new Int32Array(), ranks, ofTarget } = shown.distribution;
  const { counted, value } = view.state;
  const { name } = distributed(view);
  const runName = (member: number) => shown.runs.runs[runs[member]].name;
  const keyOf = (member: number): string => {
    if (names) return shownOf(names[member]);
    if (!ranks) return runName(member);
    return ranks[member] < 0 ? runName(member) : `${ranks[member]} of ${runName(member)}`;
  };
  const line = onLine({ order: Int32Array.from(values.keys()) });
  const inBins = Array.from(counts, (): number[] => []);
  binOf.forEach((bin, member) => bin >= 0 && inBins[bin].length < MOST_IN_BIN && inBins[bin].push(member));
  const target = runNamed(shown.runs, view.state.target);
  const common = commonOf(shown, counted === "ranks" ? "" : overText(view));
  return {
    view: "distribution",
    counted,
    ...common,
    histogram: {
      metric: common.metric,
      unit: common.unit,
      value,
      edges,
      counts,
      members: values.length,
      ...(name === undefined && counted !== "callSites" ? {} : { subject: shorten(name ?? "all functions", MAX_NAME) }),
      mean: values.length === 0 ? 0 : values.reduce((sum, one) => sum + one / values.length, 0),
      ranges: inBins.map((members, bin) =>
        shorten(members.map(keyOf).join(", ") + (counts[bin] > members.length ? ", …" : ""), MAX_NAME * 4),
      ),
      line: {
        by: counted === "ranks" ? "rank" : "run",
        nouns: [counted === "callSites" ? "call site" : counted.slice(0, -1), COUNTED_NAMES[counted]],
        order: counted === "callSites" ? "value" : "id",
        keys: cutToFit(
          Array.from(line, (member) => shorten(keyOf(member), MOST_KEY)),
          MOST_NAMES,
        ),
      },
      values: Float64Array.from(line, (member) => values[member]),
      binOf: line.map((member) => binOf[member]),
    },
    ...(ofTarget && target >= 0
      ? {
          target: {
            name: shorten(shown.runs.runs[target].name, MAX_NAME),
            bins: ofTarget,
            line: Int32Array.from(line.keys()).filter((place) => runs[line[place]] === target),
          },
        }
      : {}),
  };
}

function hierarchyContent(shown: Shown<"hierarchy">, view: RunsView): HierarchyContent {
  const { functions, function: of, parent, inclusive, exclusive, runs, counts, fullest, target } = shown.hierarchy;
  const { names, places } = placed(functions);
  const run = runNamed(shown.runs, view.state.target);
  return {
    view: "hierarchy",
    ...commonOf(shown, overText(view)),
    inside: shorten(distributed(view).name ?? "", MAX_NAME),
    names: Array.from(of, (id) => names[id]),
    places: Array.from(of, (id) => places[id]),
    parent,
    inclusive,
    exclusive,
    runs,
    counts,
    fullest,
    allRuns: runsThatStay(shown.runs, view),
    ...(target && run >= 0
      ? { target: { name: shorten(shown.runs.runs[run].name, MAX_NAME), inclusive: target } }
      : {}),
  };
}

function correlationContent(shown: Shown<"correlation">, view: RunsView): MetricCorrelationContent {
  const { functions, of, runs: runOf, inclusive, exclusive, r } = shown.points;
  return {
    view: "correlation",
    ...commonOf(shown, overText(view)),
    ...placed(functions),
    runs: runNames(shown.runs),
    target: runNamed(shown.runs, view.state.target),
    r: Number.isNaN(r) ? null : r,
    of,
    runOf,
    inclusive,
    exclusive,
  };
}

function scalingContent(shown: Shown<"scaling">, view: RunsView): ScalingContent {
  const { parameter, kind, reason, n, runs, parameters, alsoText } = shown.scaling;
  const functions = shown.scaling.functions.slice(0, FUNCTION_LIMIT);
  const curve = shown.curve < 0 ? undefined : functions[shown.curve];
  const last = n.length - 1;
  const none = new Float64Array(n.length).fill(NaN);
  const model = curve?.model;
  return {
    view: "scaling",
    // Never the sum over ranks (semantics 10, Scaling).
    ...commonOf(shown, view.state.over === "max" ? "max over ranks" : "mean over ranks"),
    parameter: shorten(parameter, MAX_NAME),
    kind,
    reason: shorten(reason, 4000),
    ...(alsoText === "" ? {} : { also: shorten(alsoText, 4000) }),
    ...placed(functions),
    lost: Float64Array.from(functions, ({ lost }) => lost[last]),
    last: Float64Array.from(functions, ({ time }) => time[last]),
    lastEfficiency: Float64Array.from(functions, ({ efficiency }) => efficiency[last]),
    leadsTo: shorten(shown.leadsTo, MAX_NAME),
    shown: shown.curve,
    n,
    time: curve?.time ?? none,
    ideal: curve?.ideal ?? none,
    efficiency: curve?.efficiency ?? none,
    runs: cutToFit(
      Array.from(runs, (run) => shown.runs.runs[run].name),
      MOST_NAMES,
    ),
    parameters,
    values: curve?.values ?? new Float64Array(runs.length).fill(NaN),
    ...(model ? { model: { a: model.a, b: model.b, c: model.c, d: model.d, error: model.error } } : {}),
  };
}

function runNames({ runs }: EnsembleRuns): string[] {
  return cutToFit(
    runs.map(({ name }) => name),
    MOST_NAMES,
  );
}

function projectionContent(shown: Shown<"projection">, view: RunsView): ProjectionContent {
  const { runs, x, y, cluster, clusters, silhouette, columns } = shown.projection;
  const all = shown.runs.runs;
  const known = shown.runs.parameters.find(({ name }) => name === view.state.colour);
  const texts = known && Array.from(runs, (run) => parameterOf(all[run], known.name) ?? "");
  const differing = new Set(shown.runs.parameters.filter(({ values }) => values > 1).map(({ name }) => name));
  // What is the same in all runs explains nothing.
  const weights = shown.weights
    .filter(({ name, weight }) => !Number.isNaN(weight) && differing.has(name))
    .slice(0, RUN_LIMIT);
  const names = runNames(shown.runs);
  return {
    view: "projection",
    ...commonOf(shown, overText(view)),
    names: Array.from(runs, (run) => names[run]),
    totals: Float64Array.from(runs, (run) => all[run].total),
    x,
    y,
    cluster,
    clusters,
    silhouette: Number.isNaN(silhouette) ? null : silhouette,
    columns: cutToFit(columns, 20_000),
    ...(known && texts
      ? {
          colour: {
            name: shorten(known.name, MAX_NAME),
            texts: cutToFit(texts, MOST_NAMES),
            ...(known.isNumeric
              ? { numbers: Float64Array.from(texts, (text) => (text === "" ? NaN : Number(text))) }
              : {}),
          },
        }
      : {}),
    parameters: cutToFit(
      weights.map(({ name }) => name),
      20_000,
    ),
    weights: Float64Array.from(weights, ({ weight }) => weight),
  };
}

/** Functions with values of each run: of more there is no room in a drawing. */
const MOST_SERIES = 40;

function commitsContent(shown: Shown<"commits">, view: RunsView): CommitsContent {
  const { changes: found, commits } = shown;
  const changes = found.changes.slice(0, CHANGE_LIMIT);
  const functions = changes.filter(
    (change, at) => changes.findIndex((other) => other.function === change.function) === at,
  );
  const at = new Map(functions.map((one, index) => [one.function, index]));
  const series = functions.slice(0, Math.min(MOST_SERIES, Math.floor(VALUE_LIMIT / Math.max(1, found.runs.length))));
  const known = [...new Set(found.commit)].filter((commit) => commit !== NONE);
  const indexOf = new Map(known.map((commit, index) => [commit, index]));
  const names = runNames(shown.runs);
  const column = (of: (change: ChangingFunction) => number) => Float64Array.from(changes, of);
  return {
    view: "commits",
    ...commonOf(shown, overText(view)),
    ...placed(functions),
    runs: Array.from(found.runs, (run) => names[run]),
    commit: found.commit.map((commit) => indexOf.get(commit) ?? NONE),
    commits: known.map((commit) => commits[commit]),
    isTested: Int32Array.from(found.isTested),
    values: Float64Array.from(series.flatMap(({ values }) => [...values])),
    of: Int32Array.from(changes, (change) => at.get(change.function) ?? 0),
    before: Int32Array.from(changes, ({ places }) => places[0]),
    after: Int32Array.from(changes, ({ places }) => places[1]),
    meanBefore: column(({ means }) => means[0]),
    meanAfter: column(({ means }) => means[1]),
    p: column(({ p }) => p),
    varying: found.varying,
    tested: found.tested,
  };
}

export function overText({ state }: Pick<RunsView, "state">): string {
  return `${state.over} over ranks`;
}

function runTableContent(shown: Shown<"runs">, view: RunsView): RunTableContent {
  const { runs, parameters } = shown.runs;
  const differing = parameters
    .filter(({ values, runs: having }) => values > 1 || having < runs.length)
    .slice(0, Math.min(MOST_PARAMETERS, Math.floor(50_000 / Math.max(1, runs.length))));
  const groups = shown.groups && groupsOf(shown.groups, shown.runs, chosenStatistics(view.state));
  const total = (run: number) => (Number.isNaN(runs[run].total) ? -Infinity : runs[run].total);
  const group = (run: number) => groups?.of[run] ?? 0;
  return {
    view: "runs",
    ...commonOf(shown, overText(view)),
    names: runNames(shown.runs),
    totals: Float64Array.from(runs, (run) => run.total),
    deviations: Float64Array.from(runs, ({ deviations }) =>
      Number.isFinite(deviations) || Number.isNaN(deviations) ? deviations : Math.sign(deviations) * Number.MAX_VALUE,
    ),
    isOutlying: Int32Array.from(runs, ({ isOutlying }) => Number(isOutlying)),
    target: runNamed(shown.runs, view.state.target),
    parameters: cutToFit(
      differing.map(({ name }) => name),
      20_000,
    ),
    texts: cutToFit(
      runs.flatMap((run) => differing.map(({ name }) => parameterOf(run, name) ?? "")),
      200_000,
    ),
    order: Int32Array.from(runs.keys()).sort((a, b) => group(a) - group(b) || (total(a) < total(b) ? 1 : -1) || a - b),
    ...(groups ? { groups } : {}),
  };
}

/** Groups as the engine has them: by number or text, runs without a value last. */
function groupsOf(
  { by, pivot }: NonNullable<Shown<"runs">["groups"]>,
  { runs }: EnsembleRuns,
  statistics: readonly Statistic[],
): NonNullable<RunTableContent["groups"]> {
  const at = new Map(pivot.rows.map((value, row) => [value, row]));
  const of = runs.map((run) => {
    const text = parameterOf(run, by);
    return text === undefined ? at.get(null) : (at.get(text) ?? at.get(Number(text)));
  });
  const groups = pivot.cells.map((cells) => cells.at(0));
  return {
    by: shorten(by, MAX_NAME),
    values: cutToFit(
      pivot.rows.map((value) => (value === null ? "none" : String(value))),
      MOST_NAMES,
    ),
    // Runs without the metric are in no group of the engine's: they stand in the last one, and count in none.
    of: Int32Array.from(of, (group) => group ?? Math.max(0, pivot.rows.length - 1)),
    runs: Int32Array.from(groups, (group) => group?.runs ?? 0),
    mean: Float64Array.from(groups, (group) => group?.mean ?? NaN),
    deviation: Float64Array.from(groups, (group) => group?.deviation ?? NaN),
    statistics: [...statistics],
    numbers: Float64Array.from(
      groups.flatMap((group) => statistics.map((one) => (group ? statisticOf(group, one) : NaN))),
    ),
  };
}
