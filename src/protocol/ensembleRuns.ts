/**
 * What the page of an ensemble's runs draws: one of several views, each with a content of its own. Values are in the metric's unit; NaN: there is none.
 * A mark is named by its index: of call sites a row; of scaling a function, and behind all functions a run; of a distribution as a histogram's;
 * of a correlation a point, of a hierarchy a cell, by parameters a cell, row after row; else a run, as the engine numbers it.
 */
import * as v from "valibot";
import { amount, count, list, MARK_LIMIT, name, sentence } from "./bounds";
import { integers, numbers, numbersOrNone } from "./columns";
import { BIN_LIMIT, histogramContent } from "./histogram";
import { LINE_LIMIT } from "./members";
import { pin } from "./pin";
import { keptTerms } from "./runTerms";

export const runViews = [
  "callSites",
  "hierarchy",
  "distribution",
  "correlation",
  "scaling",
  "projection",
  "runs",
  "pivot",
  "commits",
] as const;
export type RunView = (typeof runViews)[number];
export const siteOrders = ["mean", "name", "iqr", "imbalance", "skewness", "kurtosis"] as const;
export type SiteOrder = (typeof siteOrders)[number];
/** What a distribution counts. */
export const countedThings = ["runs", "ranks", "callSites"] as const;
export const runBins = [10, 20, 50, 100] as const;
export const runOvers = ["mean", "sum", "max", "min"] as const;
/** How the values of some runs are spread. */
export const statistics = ["mean", "deviation", "min", "q1", "median", "q3", "p95", "max"] as const;
export type Statistic = (typeof statistics)[number];
export const STATISTIC_NAMES: Readonly<Record<Statistic, string>> = {
  mean: "mean",
  deviation: "deviation",
  min: "least",
  q1: "25 %",
  median: "median",
  q3: "75 %",
  p95: "95 %",
  max: "largest",
};
/** What tables have of these until something else is chosen. */
export const usualStatistics = ["mean", "deviation", "q1", "median", "q3", "p95"] as const satisfies Statistic[];
/** Shares of the quantiles among these. */
export const groupShares = [0, 0.25, 0.5, 0.75, 0.95, 1] as const;
const value = v.picklist(["inclusive", "exclusive"]);
const scalingKind = v.picklist(["weak", "strong"]);

/** Runs of an ensemble that are drawn; rows of call sites and functions that are sent. */
export const RUN_LIMIT = 10_000;
export const FUNCTION_LIMIT = 1000;
/** Points of a correlation. */
export const POINT_LIMIT = 10_000;
/** Changes along the history, and values of functions in runs. */
export const CHANGE_LIMIT = 1000;
export const VALUE_LIMIT = 200_000;
/** Values of a parameter that a curve goes over. */
const STEP_LIMIT = 2000;

/** What a panel remembers; runs, functions and parameters by their names. */
export const ensembleRunsState = v.object({
  view: v.optional(v.picklist(runViews), "callSites"),
  /** Of call sites. */
  value: v.optional(value, "exclusive"),
  sortedBy: v.optional(v.picklist(siteOrders), "mean"),
  /** Only what no other runs have than these, and what these lack; absent: all. */
  onlyIn: v.optional(keptTerms),
  missingIn: v.optional(keptTerms),
  over: v.optional(v.picklist(runOvers), "mean"),
  target: v.optional(name),
  /** Of a distribution. */
  counted: v.optional(v.picklist(countedThings), "runs"),
  bins: v.optional(v.picklist(runBins.map(String)), "20"),
  /** What a distribution is of; absent: all. */
  subject: v.optional(pin),
  /** Of scaling; absent: the number of ranks, or what else is a number. */
  parameter: v.optional(name),
  /** Absent: as the computing per rank says. */
  kind: v.optional(scalingKind),
  function: v.optional(name),
  /** By what runs are coloured in the plane; absent: by cluster. */
  colour: v.optional(name),
  /** By what runs are grouped in their table; absent: by nothing. */
  groupBy: v.optional(name),
  /** The parameter whose values are rows (absent: rows are functions), and that whose values are columns. */
  pivotRows: v.optional(name),
  pivotColumns: v.optional(name),
  /** What is drawn of runs with like parameters, and what tables have of them. */
  statistic: v.optional(v.picklist(statistics), "mean"),
  statistics: v.optional(v.pipe(list(v.picklist(statistics), statistics.length), v.minLength(1)), [...usualStatistics]),
});
export type EnsembleRunsState = v.InferOutput<typeof ensembleRunsState>;

const names = (most = RUN_LIMIT) => list(name, most);

const common = {
  metric: name,
  unit: name,
  /** "mean over ranks"; "": values of ranks are not combined. */
  over: name,
};

const callSites = v.pipe(
  v.object({
    view: v.literal("callSites"),
    ...common,
    value,
    sortedBy: v.picklist(siteOrders),
    /** Runs that the values are of. */
    runs: count,
    /** Which functions are here: "only in ranks 1"; absent: all. */
    presence: v.optional(sentence),
    target: v.optional(name),
    /** Functions in the order of their rows. */
    names: names(FUNCTION_LIMIT),
    /** Where each is defined; "": not known. */
    places: names(FUNCTION_LIMIT),
    inRuns: integers(0, RUN_LIMIT, FUNCTION_LIMIT),
    values: integers(0, 2 ** 31 - 1, FUNCTION_LIMIT),
    min: numbers(FUNCTION_LIMIT),
    low: numbers(FUNCTION_LIMIT),
    q1: numbers(FUNCTION_LIMIT),
    median: numbers(FUNCTION_LIMIT),
    q3: numbers(FUNCTION_LIMIT),
    high: numbers(FUNCTION_LIMIT),
    max: numbers(FUNCTION_LIMIT),
    mean: numbers(FUNCTION_LIMIT),
    imbalance: numbersOrNone(FUNCTION_LIMIT),
    skewness: numbersOrNone(FUNCTION_LIMIT),
    kurtosis: numbersOrNone(FUNCTION_LIMIT),
    /** The target's mean, least and largest value. */
    targetMean: numbersOrNone(FUNCTION_LIMIT),
    targetMin: numbersOrNone(FUNCTION_LIMIT),
    targetMax: numbersOrNone(FUNCTION_LIMIT),
    /** How many values of each lie beyond the whiskers, and those that are drawn: index of each row's first, and one more. */
    outliers: integers(0, 2 ** 31 - 1, FUNCTION_LIMIT),
    firstOutlier: integers(0, MARK_LIMIT, FUNCTION_LIMIT + 1),
    outlying: numbers(),
  }),
  v.check(
    ({ names, places, firstOutlier, outlying, ...content }) =>
      Object.values(content).every((column) => typeof column !== "object" || column.length === names.length) &&
      places.length === names.length &&
      firstOutlier.length === names.length + 1 &&
      firstOutlier.every((from, at) => from <= outlying.length && (at === 0 || from >= firstOutlier[at - 1])),
  ),
);
export type CallSitesContent = v.InferOutput<typeof callSites>;

/** A histogram over call sites, runs, or ranks of runs, and what of it is the target's. */
const distribution = v.pipe(
  v.object({
    view: v.literal("distribution"),
    ...common,
    counted: v.picklist(countedThings),
    histogram: histogramContent,
    target: v.optional(
      v.object({
        name,
        /** How many of each bin. */
        bins: integers(0, 2 ** 31 - 1, BIN_LIMIT),
        /** Of members on the line, their places. */
        line: integers(0, LINE_LIMIT - 1, LINE_LIMIT),
      }),
    ),
  }),
  v.check(
    ({ histogram, target }) =>
      !target ||
      (target.bins.length === histogram.counts.length &&
        target.line.every((place) => place < histogram.line.keys.length)),
  ),
);
export type DistributionContent = v.InferOutput<typeof distribution>;

/** Cells of a hierarchy, and bins of each. */
export const CELL_LIMIT = 400;
export const CELL_BINS = 20;

/** What is inside of a bar, in preorder. */
const hierarchy = v.pipe(
  v.object({
    view: v.literal("hierarchy"),
    ...common,
    /** "": all of it. */
    inside: name,
    names: names(CELL_LIMIT),
    places: names(CELL_LIMIT),
    parent: integers(-1, CELL_LIMIT - 1, CELL_LIMIT),
    /** Largest of all runs that stay, which are so many. */
    inclusive: numbers(CELL_LIMIT),
    exclusive: numbers(CELL_LIMIT),
    runs: integers(0, RUN_LIMIT, CELL_LIMIT),
    allRuns: count,
    counts: integers(0, RUN_LIMIT, CELL_LIMIT * CELL_BINS),
    fullest: count,
    target: v.optional(v.object({ name, inclusive: numbersOrNone(CELL_LIMIT) })),
  }),
  v.check(
    ({ names, places, parent, inclusive, exclusive, runs, counts, target }) =>
      [places, parent, inclusive, exclusive, runs].every(({ length }) => length === names.length) &&
      parent.every((above, cell) => above < cell) &&
      counts.length === CELL_BINS * names.length &&
      (!target || target.inclusive.length === names.length),
  ),
);
export type HierarchyContent = v.InferOutput<typeof hierarchy>;

/** Inclusive against exclusive: a point per function and run. */
const metricCorrelation = v.pipe(
  v.object({
    view: v.literal("correlation"),
    ...common,
    names: names(FUNCTION_LIMIT),
    places: names(FUNCTION_LIMIT),
    runs: names(),
    /** Index into {@link runs}; -1: none. */
    target: v.pipe(v.number(), v.integer(), v.minValue(-1), v.maxValue(RUN_LIMIT)),
    /** Pearson's correlation; null: not said. */
    r: v.nullable(amount),
    of: integers(0, FUNCTION_LIMIT, POINT_LIMIT),
    runOf: integers(0, RUN_LIMIT, POINT_LIMIT),
    inclusive: numbers(POINT_LIMIT),
    exclusive: numbers(POINT_LIMIT),
  }),
  v.check(
    ({ names, places, runs, target, of, runOf, inclusive, exclusive }) =>
      places.length === names.length &&
      [runOf, inclusive, exclusive].every(({ length }) => length === of.length) &&
      of.every((one) => one < names.length) &&
      runOf.every((one) => one < runs.length) &&
      target < runs.length,
  ),
);
export type MetricCorrelationContent = v.InferOutput<typeof metricCorrelation>;

/** T(n) = a + b · n^c · log2(n)^d, and its error in percent. */
const model = v.object({ a: amount, b: amount, c: amount, d: amount, error: amount });
export type ScalingModel = v.InferOutput<typeof model>;

const scaling = v.pipe(
  v.object({
    view: v.literal("scaling"),
    ...common,
    parameter: name,
    kind: scalingKind,
    /** Why it is weak or strong. */
    reason: sentence,
    /** Inputs that also differ between the runs; absent: efficiencies compare equal problems. */
    also: v.optional(sentence),
    /** Most time lost at the largest n first. */
    names: names(FUNCTION_LIMIT),
    places: names(FUNCTION_LIMIT),
    /** At the largest n. */
    lost: numbersOrNone(FUNCTION_LIMIT),
    last: numbersOrNone(FUNCTION_LIMIT),
    lastEfficiency: numbersOrNone(FUNCTION_LIMIT),
    /** Where the first of them leads: "halo.cpp:96"; "": no line is known. */
    leadsTo: name,
    /** The function whose curve this is; -1: there is none. */
    shown: v.pipe(v.number(), v.integer(), v.minValue(-1), v.maxValue(FUNCTION_LIMIT)),
    n: numbers(STEP_LIMIT, (n) => n > 0),
    time: numbersOrNone(STEP_LIMIT),
    ideal: numbersOrNone(STEP_LIMIT),
    efficiency: numbersOrNone(STEP_LIMIT),
    /** The function's exclusive in each run, and the parameter of that. */
    runs: names(),
    parameters: numbers(RUN_LIMIT),
    values: numbersOrNone(RUN_LIMIT),
    model: v.optional(model),
  }),
  v.check(
    ({ names, places, lost, last, lastEfficiency, shown, n, time, ideal, efficiency, runs, parameters, values }) =>
      [places, lost, last, lastEfficiency].every(({ length }) => length === names.length) &&
      [time, ideal, efficiency].every(({ length }) => length === n.length) &&
      [parameters, values].every(({ length }) => length === runs.length) &&
      shown < names.length,
  ),
);
export type ScalingContent = v.InferOutput<typeof scaling>;

const weights = { parameters: names(), weights: numbersOrNone(RUN_LIMIT) };

const projection = v.pipe(
  v.object({
    view: v.literal("projection"),
    ...common,
    names: names(),
    totals: numbersOrNone(RUN_LIMIT),
    x: numbers(RUN_LIMIT),
    y: numbers(RUN_LIMIT),
    cluster: integers(0, RUN_LIMIT, RUN_LIMIT),
    clusters: count,
    silhouette: v.nullable(amount),
    /** What distances are over. */
    columns: names(),
    /** What colours are of; absent: of clusters. Numbers where every value is one. */
    colour: v.optional(v.object({ name, texts: names(), numbers: v.optional(numbersOrNone(RUN_LIMIT)) })),
    ...weights,
  }),
  v.check(
    ({ names, totals, x, y, cluster, clusters, colour, parameters, weights }) =>
      [totals, x, y, cluster].every(({ length }) => length === names.length) &&
      cluster.every((one) => one < clusters) &&
      (!colour || colour.texts.length === names.length) &&
      (!colour?.numbers || colour.numbers.length === names.length) &&
      parameters.length === weights.length,
  ),
);
export type ProjectionContent = v.InferOutput<typeof projection>;

const statisticList = v.pipe(list(v.picklist(statistics), statistics.length), v.minLength(1));

const runTable = v.pipe(
  v.object({
    view: v.literal("runs"),
    ...common,
    names: names(),
    totals: numbersOrNone(RUN_LIMIT),
    /** In scaled median absolute deviations from the median; infinite ones as the largest number. */
    deviations: numbersOrNone(RUN_LIMIT),
    isOutlying: integers(0, 1, RUN_LIMIT),
    /** -1: none. */
    target: v.pipe(v.number(), v.integer(), v.minValue(-1), v.maxValue(RUN_LIMIT)),
    /** Parameters that differ between runs, and each run's value of one after the other; "": it has none. */
    parameters: names(),
    texts: names(MARK_LIMIT * 5),
    /** All runs as they are drawn: group after group, largest total first. */
    order: integers(0, RUN_LIMIT, RUN_LIMIT),
    /** What they are grouped by, and the groups with statistics of their totals; absent: by nothing. */
    groups: v.optional(
      v.object({
        by: name,
        values: names(),
        /** The group of each run. */
        of: integers(0, RUN_LIMIT, RUN_LIMIT),
        runs: integers(0, RUN_LIMIT, RUN_LIMIT),
        mean: numbersOrNone(RUN_LIMIT),
        deviation: numbersOrNone(RUN_LIMIT),
        /** Of each group one number for each of these. */
        statistics: statisticList,
        numbers: numbersOrNone(RUN_LIMIT * statistics.length),
      }),
    ),
  }),
  v.check(
    ({ names, totals, deviations, isOutlying, target, parameters, texts, order, groups }) =>
      [totals, deviations, isOutlying, order].every(({ length }) => length === names.length) &&
      target < names.length &&
      order.every((run) => run < names.length) &&
      texts.length === names.length * parameters.length &&
      (!groups ||
        (groups.of.length === names.length &&
          groups.of.every((group) => group < groups.values.length) &&
          [groups.runs, groups.mean, groups.deviation].every(({ length }) => length === groups.values.length) &&
          groups.numbers.length === groups.values.length * groups.statistics.length)),
  ),
);
export type RunTableContent = v.InferOutput<typeof runTable>;

/** Values of a parameter that are columns; numbers of all cells together. */
export const PIVOT_COLUMNS = 100;
export const PIVOT_NUMBERS = 30_000;

/** Functions by the values of a parameter, or one of them, or the totals, by the values of two. */
const pivot = v.pipe(
  v.object({
    view: v.literal("pivot"),
    ...common,
    value,
    /** The function that it is of; "": the runs' totals, or every row is another one. */
    of: name,
    /** Parameters; "": rows are functions, one column has all runs. */
    rowsBy: name,
    columnsBy: name,
    rows: names(PIVOT_NUMBERS),
    places: names(PIVOT_NUMBERS),
    columns: names(PIVOT_COLUMNS),
    statistics: statisticList,
    /** The one that is drawn. */
    drawn: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(statistics.length - 1)),
    /** Of one cell after the other, row after row: each statistic, how many runs have a value, how many there are. */
    numbers: numbersOrNone(PIVOT_NUMBERS),
    values: integers(0, RUN_LIMIT, PIVOT_NUMBERS),
    runs: integers(0, RUN_LIMIT, PIVOT_NUMBERS),
    /** Rows in all. */
    rowCount: count,
    /** Which functions are rows: "only in ranks 1"; absent: all. */
    presence: v.optional(sentence),
  }),
  v.check(({ rows, places, columns, statistics: all, drawn, numbers, values, runs }) => {
    const cells = rows.length * columns.length;
    return (
      places.length === rows.length &&
      [values, runs].every(({ length }) => length === cells) &&
      numbers.length === cells * all.length &&
      drawn < all.length
    );
  }),
);
export type PivotContent = v.InferOutput<typeof pivot>;

/** Functions that change along the history of commits; a mark is a change. */
const commitsContent = v.pipe(
  v.object({
    view: v.literal("commits"),
    ...common,
    /** Functions, largest change first; of the first of them it is known what they took. */
    names: names(FUNCTION_LIMIT),
    places: names(FUNCTION_LIMIT),
    /** In the order of the history, those of no known commit last. */
    runs: names(),
    /** Of each run an index into {@link commits}; -1: not known. */
    commit: integers(-1, RUN_LIMIT, RUN_LIMIT),
    commits: names(),
    isTested: integers(0, 1, RUN_LIMIT),
    /** In each run, function after function. */
    values: numbersOrNone(VALUE_LIMIT),
    of: integers(0, FUNCTION_LIMIT, CHANGE_LIMIT),
    /** The last run before each change, and the first after, as indexes into {@link runs}. */
    before: integers(0, RUN_LIMIT, CHANGE_LIMIT),
    after: integers(0, RUN_LIMIT, CHANGE_LIMIT),
    meanBefore: numbers(CHANGE_LIMIT),
    meanAfter: numbers(CHANGE_LIMIT),
    p: numbers(CHANGE_LIMIT),
    /** Functions that differ between runs, and how many of these were tested. */
    varying: count,
    tested: count,
  }),
  v.check(
    ({ names, places, runs, commit, commits, isTested, values, of, before, after, meanBefore, meanAfter, p }) =>
      places.length === names.length &&
      [commit, isTested].every(({ length }) => length === runs.length) &&
      commit.every((one) => one < commits.length) &&
      values.length <= names.length * runs.length &&
      (runs.length === 0 ? values.length === 0 : values.length % runs.length === 0) &&
      [before, after, meanBefore, meanAfter, p].every(({ length }) => length === of.length) &&
      of.every((one) => one < names.length) &&
      [...before, ...after].every((place) => place < runs.length && commit[place] >= 0),
  ),
);
export type CommitsContent = v.InferOutput<typeof commitsContent>;

/** Nothing is drawn until a parameter is chosen. */
const unchosen = v.object({ view: v.literal("unchosen"), ...common, message: sentence });
export type UnchosenContent = v.InferOutput<typeof unchosen>;

export const ensembleRunsContent = v.union([
  callSites,
  hierarchy,
  distribution,
  metricCorrelation,
  scaling,
  projection,
  runTable,
  pivot,
  commitsContent,
  unchosen,
]);
export type EnsembleRunsContent = v.InferOutput<typeof ensembleRunsContent>;

/** Runs of a restriction, by their marks. */
export const ensembleRunsChosen = v.object({ marks: integers(0, 2 * RUN_LIMIT) });
export type EnsembleRunsChosen = v.InferOutput<typeof ensembleRunsChosen>;
