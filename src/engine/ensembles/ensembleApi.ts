/**
 * What is asked of ensembles, many runs over one union tree (semantics 10). Plain data: numbers by bar, edge, function and run are
 * columns, {@link NaN} where a run has no value. Values are in the metric's unit. Runs are numbered in the order of their names.
 */
import type { ChangeBetweenCommits } from "../../analysis/ensembles/commitSeries";
import type { BoxPlot } from "../../analysis/ensembles/boxPlot";
import type { PerformanceModel } from "../../analysis/ensembles/performanceModel";
import type { AlsoDifferent, LeaveOut } from "../../analysis/ensembles/alsoDifferent";
import type { Pivot } from "../../analysis/ensembles/runGroups";
import type { ScalingCurve, ScalingKind } from "../../analysis/ensembles/scaling";
import type { ScalingOffer } from "../../analysis/ensembles/scalingParameter";
import type { OverRanks } from "../../model/metrics";
import type { Named } from "../../model/shortName";
import type { FinerLevel } from "../../supergraph/levels";
import type { FirstStart } from "../../supergraph/first/naming";
import type { GraphOperation, GroupBy, GroupMap, GroupRef, StartingGroups } from "../../supergraph/query";
import type { ChosenStart, MeasuredFirst, OpenGrouping, SkippedOperation } from "../../supergraph/superGraph";
import type { RunPresence } from "./runPresence";
import type { DocumentCosts, DocumentText, FunctionPlace } from "../lines/lineApi";
import type { Scope, Target } from "../scope";

/** How the files of an opening are understood as runs (`OpenRequest.ensemble`). */
export interface EnsembleOptions {
  /** What file names say of runs, such as `size_np{ranks}_s{size}.cali`; undefined: nothing. */
  readonly pattern?: string;
}

/** Which values of an ensemble are asked for. */
export interface EnsembleScope {
  /** A data set that was opened with `OpenRequest.ensemble`. */
  readonly dataSet: number;
  /** Index into the metrics of its `DataSetInfo`. */
  readonly metric: number;
  /** How each run's value is combined over its ranks. */
  readonly over: OverRanks;
  /** The runs that stay: a restriction of numbers, never of structure; undefined: all. Runs without the metric never stay. */
  readonly runs?: readonly number[];
}

/** Where a parameter of runs was said; of several the first counts. */
export type ParameterOrigin = "manifest" | "pattern" | "file";

export interface EnsembleRun {
  /** Shortest ending of its path that is unique, without the ending of its file name; or what a manifest says. */
  readonly name: string;
  readonly files: readonly string[];
  /** Label of the format. */
  readonly format: string;
  /** Where the recording says it: milliseconds since the epoch. */
  readonly startedAt?: number;
  /** Ranks that it has values of; 0 where none is known. */
  readonly ranks: number;
  readonly contexts: number;
  /** Of all roots; {@link NaN}: it lacks the metric. */
  readonly total: number;
  /** How far its total is from the median of all, in median absolute deviations, with its sign; {@link NaN} without a total. */
  readonly deviations: number;
  /** Its total is further from the median than three of these. */
  readonly isOutlying: boolean;
  /** What is known of it, by parameter, as it was recorded. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface RunParameter {
  readonly name: string;
  readonly origin: ParameterOrigin;
  /** Every value of it is a number. */
  readonly isNumeric: boolean;
  /** It is a result, a time or an identity of the runs, by its name or its values: no default, without weight, last in menus. */
  readonly isOutput: boolean;
  /** How many values it has. */
  readonly values: number;
  /** How many runs have it. */
  readonly runs: number;
}

/** The parameter that runs scale over until the user chooses another (semantics 16, section 10, scaling). */
export interface ScalingStart extends ScalingOffer {
  /** Inputs that also differ between the runs; empty without a parameter. */
  readonly also: readonly AlsoDifferent[];
  /** The same as a sentence: `problem_size is 6 at 64 ranks, else 10`; "" if nothing also differs. */
  readonly alsoText: string;
}

/** The table of runs. */
export interface EnsembleRuns {
  readonly runs: readonly EnsembleRun[];
  /** All parameters, those first that differ between runs, of these inputs before outputs. */
  readonly parameters: readonly RunParameter[];
  readonly scaling: ScalingStart;
  readonly metric: string;
  readonly unit: string;
  /** Sentences to be shown: which runs lack the metric. */
  readonly notes: readonly string[];
}

/** Which value gradients and percentiles are of. */
export type EnsembleValue = "inclusive" | "exclusive";

export interface EnsembleGraphQuery {
  readonly scope: EnsembleScope;
  /** Percent of a run's total that a function has in at least one run. */
  readonly filter: number;
  readonly groupBy: GroupBy | OpenGrouping;
  /** For `first`: an earlier choice, or a filter to choose groups at. {@link filter} is ignored. */
  readonly first?: FirstStart;
  readonly map?: GroupMap;
  readonly operations?: readonly GraphOperation[];
  readonly lenient?: boolean;
  /** Largest number of bars, 500 unless said. */
  readonly mostBars?: number;
  /** Of gradients: 20 unless said. */
  readonly bins?: number;
  /** Of gradients and percentiles: inclusive unless said. */
  readonly value?: EnsembleValue;
  /** The run that is compared with all. */
  readonly target?: number;
  readonly difference?: RunSets;
  /** Whether the answer has the values of every run ({@link EnsembleGraph.values}). */
  readonly withRuns?: boolean;
}

/** Two sets of runs. */
export interface RunSets {
  readonly baseline: readonly number[];
  readonly candidate: readonly number[];
}

/** The bars of an ensemble, by level, heaviest first, then by name: the same whichever runs stay. */
export interface EnsembleBars {
  readonly size: number;
  readonly id: readonly string[];
  readonly group: readonly string[];
  /** Number of the bar among those of its group, from 1. */
  readonly visit: Int32Array;
  readonly level: Int32Array;
  readonly contexts: Int32Array;
  /** Largest inclusive of the runs that stay; 0 where none has the bar. */
  readonly height: Float64Array;
  /** Largest exclusive of these. */
  readonly mostExclusive: Float64Array;
  /** How many of the runs that stay have the bar. */
  readonly runs: Int32Array;
  readonly collapsesTo: readonly (GroupRef | undefined)[];
  readonly finer: readonly (FinerLevel | undefined)[];
}

/** Flows between bars, by source, then target. */
export interface EnsembleEdges {
  readonly size: number;
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** Largest weight of the runs that stay. */
  readonly most: Float64Array;
  /** Shares of the heights of source and target that its ends take. */
  readonly sourceEnd: Float64Array;
  readonly targetEnd: Float64Array;
}

/** Histograms over the runs that stay, one per bar. */
export interface EnsembleGradients {
  readonly value: EnsembleValue;
  readonly bins: number;
  /** Upper end of each bar's axis, which begins at 0: its largest value; no gradient where it is not positive. */
  readonly to: Float64Array;
  /** Runs by bar and bin, bar after bar. */
  readonly counts: Int32Array;
  /** Runs in the fullest bin of all bars. */
  readonly fullest: number;
}

/** One run beside all. */
export interface EnsembleTarget {
  readonly run: number;
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  /** Share of the runs with a value that is not larger than its own, 0 to 1. */
  readonly percentile: Float64Array;
  /** Its own weight of each edge; NaN where it lacks it. */
  readonly edges: Float64Array;
  /** Of each edge: the share of the largest weight of the runs that stay that this is, all at most; 0 where it has none. */
  readonly flow: Float64Array;
}

/** What differs between two sets of runs, by bar: a run without a bar counts as 0; {@link NaN} where a whole set has none. */
export interface BarDifferences {
  readonly baseline: Float64Array;
  readonly candidate: Float64Array;
  /** Candidate less baseline, a missing side counting as 0. */
  readonly difference: Float64Array;
}

export interface EnsembleDifference {
  readonly inclusive: BarDifferences;
  readonly exclusive: BarDifferences;
  /** How many runs of each set have the bar. */
  readonly baselineRuns: Int32Array;
  readonly candidateRuns: Int32Array;
  /** Of the value of gradients. */
  readonly significance: SetSignificance;
}

/** Whether two sets of runs differ, by bar or function (semantics 10, Significance). */
export interface SetSignificance {
  /** For all of them together; {@link NaN}: nothing is said. */
  readonly p: Float64Array;
  /** Candidate runs above the baseline's median, of so many. */
  readonly slowerIn: Int32Array;
  readonly of: number;
}

/** How many runs of a side have something, of how many. */
export interface SideRuns {
  readonly having: number;
  readonly of: number;
}

/** What is known of a function of two sets of runs. */
export interface FunctionSets {
  readonly baseline: SideRuns;
  readonly candidate: SideRuns;
  /** Undefined: not said. */
  readonly significance?: { readonly p: number; readonly slowerIn: number; readonly of: number };
}

/** Values of every run: rows are bars or edges, columns the runs of {@link EnsembleGraph.runs}. */
export interface EnsembleValues {
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  readonly hidden: Float64Array;
  readonly edges: Float64Array;
}

/** As the query of a graph asks. */
export interface RunsBeside {
  readonly target?: EnsembleTarget;
  readonly difference?: EnsembleDifference;
}

export interface EnsembleGraph extends RunsBeside {
  readonly metric: string;
  readonly unit: string;
  readonly over: OverRanks;
  /** The runs that stay. */
  readonly runs: Int32Array;
  /** Of these runs, in their order. */
  readonly totals: Float64Array;
  /** Hidden values without a kept ancestor, of the same. */
  readonly hidden: Float64Array;
  readonly bars: EnsembleBars;
  readonly edges: EnsembleEdges;
  readonly gradients: EnsembleGradients;
  readonly values?: EnsembleValues;
  readonly groupBy: StartingGroups;
  /** The first picture, which is chosen on all runs. Costs of functions inside its bars are sums over all runs. */
  readonly first?: MeasuredFirst;
  /** The first picture that operations begin with. */
  readonly chosen?: ChosenStart;
  /** What was filtered at. */
  readonly filter: number;
  readonly skipped: readonly SkippedOperation[];
  readonly shownNames: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** A bin of a bar's gradient that has runs. */
export interface TextGuide {
  readonly bin: number;
  readonly from: number;
  readonly to: number;
  /** Runs in it, ascending. */
  readonly runs: readonly number[];
  /** What all of them have, and not all others. */
  readonly common: readonly { readonly name: string; readonly value: string }[];
}

export interface ContextsQuery {
  readonly scope: EnsembleScope;
  readonly value: EnsembleValue;
}

/** One number of every context of the ensemble's data set: rows are contexts, columns the runs that stay; NaN where a run lacks it. */
export interface EnsembleContexts {
  readonly runs: Int32Array;
  readonly values: Float64Array;
}

/** Values of functions in the runs that stay, contexts summed: rows are functions, columns runs. */
export interface EnsembleFunctions {
  readonly runs: Int32Array;
  readonly names: readonly string[];
  readonly shownNames: ReadonlyMap<string, string>;
  /** Number of each in the ensemble's data set. */
  readonly functions: Int32Array;
  /** A frame of each, which has its file and line. */
  readonly frames: Int32Array;
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
}

/** How the (run × rank) values of a function are spread over the runs that have it. */
export interface CallSite extends Named, FunctionPlace {
  readonly function: number;
  /** How many runs have it. */
  readonly runs: number;
  readonly plot: BoxPlot;
  /** Largest by mean, of its inclusive whatever the plot is of; NaN where it is not said (semantics 1, Over ranks). */
  readonly imbalance: number;
  /** What the target run alone has; absent where it lacks the function. */
  readonly target?: BoxPlot;
}

export interface CallSitesQuery {
  readonly scope: EnsembleScope;
  /** Inclusive unless said. */
  readonly value?: EnsembleValue;
  readonly target?: number;
  /** Only functions that runs have, and lack, as this says, of those that stay. */
  readonly presence?: RunPresence;
  /** Of how many, those with the largest mean first, it is said where they are; of all unless said. */
  readonly linked?: number;
}

/** What a distribution counts: functions, runs, or ranks of runs. */
export type DistributionOver = "callSites" | "runs" | "ranks";

export interface RunDistributionQuery {
  readonly scope: EnsembleScope;
  readonly counted: DistributionOver;
  readonly value: EnsembleValue;
  /** Of the ensemble as a recording; undefined: all of it. Call sites are the functions of its contexts, as far as they are in it. */
  readonly of?: Target;
  readonly bins: number;
  readonly target?: number;
}

/**
 * How one value is distributed (dissertation 4.4.3, Runtime distribution): of each call site its mean over the runs that have it, of each run
 * its number over ranks, or of each rank of each run its own, those of equal rank side by side. Without those that lack it.
 */
export interface RunDistribution {
  readonly values: Float64Array;
  /** The function of each call site; absent of other members. */
  readonly functions?: Int32Array;
  readonly names?: readonly Named[];
  /** The run of each, and its rank, -1 where the run has none; absent of call sites, ranks also of runs. */
  readonly runs?: Int32Array;
  readonly ranks?: Int32Array;
  /** See `analysis/histogram.ts`; edges are of the target's call sites, too. */
  readonly edges: Float64Array;
  readonly counts: Int32Array;
  readonly binOf: Int32Array;
  readonly leftOut: number;
  /** How many of each bin are the target's: its ranks, itself, or call sites as they are in it. */
  readonly ofTarget?: Int32Array;
}

export interface MetricPointsQuery {
  readonly scope: EnsembleScope;
  /** Of how many points at most, whole functions, those with the largest mean inclusive first; one function at least. */
  readonly most: number;
  readonly mostFunctions: number;
}

export interface HierarchyQuery {
  readonly scope: EnsembleScope;
  /** What it is the inside of; undefined: all. */
  readonly of?: Target;
  readonly bins: number;
  readonly target?: number;
  /** Of how many cells at most, those with the largest inclusive. */
  readonly most: number;
}

/**
 * What is inside of a bar (dissertation 4.4.2, Supernode hierarchy): a cell is the contexts in it that have one path of functions inside of it. In
 * preorder, siblings in the order of the union tree; numbers as those of bars (semantics 10, Bar), gradients of the inclusive.
 */
export interface RunHierarchy {
  readonly functions: readonly (Named & FunctionPlace & { readonly function: number })[];
  /** Index into {@link functions}. */
  readonly function: Int32Array;
  readonly parent: Int32Array;
  /** The first of its contexts, and how many they are. */
  readonly context: Int32Array;
  readonly contexts: Int32Array;
  /** Largest inclusive and exclusive of the runs that stay, how many have it, and the runs in each bin from 0 to the largest inclusive. */
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  readonly runs: Int32Array;
  readonly counts: Int32Array;
  readonly fullest: number;
  /** The target's own inclusive; NaN where it lacks it. */
  readonly target?: Float64Array;
  readonly cellCount: number;
}

/** Inclusive against exclusive, a point per function and run that has it (dissertation 4.4.3, Metric correlation). */
export interface MetricPoints {
  /** Largest mean inclusive first, with where they are. */
  readonly functions: readonly (Named & FunctionPlace & { readonly function: number })[];
  /** Of each point: index into {@link functions}, and the run. */
  readonly of: Int32Array;
  readonly runs: Int32Array;
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  /** Pearson's correlation of all points, whether they are here or not; NaN where it is not said. */
  readonly r: number;
  /** How many functions there are in all. */
  readonly functionCount: number;
}

export interface DifferencesQuery extends RunSets {
  readonly scope: Omit<EnsembleScope, "runs">;
  readonly value: EnsembleValue;
  /** Of how many, those that differ most first, it is said where they are. */
  readonly linked: number;
}

/** A function in two sets of runs. */
export interface DifferingFunction extends Named, FunctionPlace {
  readonly function: number;
  /** Means, in which a run without it counts as 0; null: no run of the set has it. */
  readonly baseline: number | null;
  readonly candidate: number | null;
  readonly difference: number;
  readonly baselineRuns: number;
  readonly candidateRuns: number;
  /**
   * For all functions together; null: with fewer than four runs on a side nothing is said, nor of code that is known by its address
   * alone and that one side lacks.
   */
  readonly p: number | null;
  /** Candidate runs above the baseline's median, of so many. */
  readonly slowerIn: number;
  readonly of: number;
}

/** Rows by |difference|, the largest first, ties by name. */
export interface EnsembleDifferences {
  readonly baselineTotal: number;
  readonly candidateTotal: number;
  readonly rows: readonly DifferingFunction[];
}

/** A parameter, and how much of the runs' totals it explains. */
export interface ParameterWeight {
  readonly name: string;
  /** 0 to 1; NaN: it has none (semantics 10, A parameter's weight). */
  readonly weight: number;
}

export interface ProjectionQuery {
  readonly scope: EnsembleScope;
  /** Parameters, `total`, and names of functions, whose exclusive is then taken; undefined: what tells runs apart, and the total. */
  readonly columns?: readonly string[];
  /** How many clusters; undefined: as the silhouette says. */
  readonly clusters?: number;
}

/** Runs in the plane (semantics 10, Projection). */
export interface EnsembleProjection {
  readonly runs: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Cluster of each run, from 0. */
  readonly cluster: Int32Array;
  readonly clusters: number;
  /** Mean silhouette, -1 to 1; NaN of one cluster. */
  readonly silhouette: number;
  /** What distances are over. */
  readonly columns: readonly string[];
}

export interface ScalingQuery {
  readonly scope: EnsembleScope;
  /** A parameter whose values are numbers. */
  readonly parameter: string;
  /** Undefined: as the computing per rank says. */
  readonly kind?: ScalingKind;
  /** Of how many functions, those that lose most first, it is said where they are; of all unless said. */
  readonly linked?: number;
}

/** How a function scales: columns have one value per value of the parameter. */
export interface ScalingFunction extends Named, FunctionPlace, ScalingCurve {
  readonly function: number;
  /** Its exclusive in each run of the answer; NaN where the run lacks it. */
  readonly values: Float64Array;
  /** T(n) = a + b · n^c · log2(n)^d; undefined with too few values of the parameter, and while inputs also differ. */
  readonly model?: PerformanceModel;
}

export interface EnsembleScaling {
  readonly parameter: string;
  readonly kind: ScalingKind;
  /** Why it is weak or strong, in words. */
  readonly reason: string;
  /** The parameter's values, ascending. */
  readonly n: Float64Array;
  /** Runs that have the parameter, and its value in each. */
  readonly runs: Int32Array;
  readonly parameters: Float64Array;
  /** Inputs that also differ between these runs; efficiencies compare different problems unless it is empty. */
  readonly also: readonly AlsoDifferent[];
  /** The same as a sentence; "" if nothing also differs. */
  readonly alsoText: string;
  /** The runs that differ from most, by number; undefined if too few would be left. */
  readonly leaveOut?: LeaveOut;
  /** Most time lost at the largest value first. */
  readonly functions: readonly ScalingFunction[];
}

export interface CommitChangesQuery {
  readonly scope: EnsembleScope;
  /** As `git log --topo-order --reverse` lists them: parents first. */
  readonly commits: readonly string[];
}

/** A function whose exclusive is another one from a commit on. */
export interface ChangingFunction extends Named, FunctionPlace, ChangeBetweenCommits {
  readonly function: number;
  /** The last run before, and the first after. */
  readonly runs: readonly [before: number, after: number];
  /** The function's exclusive at each place; NaN: not in this run. */
  readonly values: Float64Array;
}

/** Runs along the history, and what changes there. */
export interface CommitChanges {
  /** In the order of the history; those of no known commit last. */
  readonly runs: Int32Array;
  /** At each place an index into the commits that were given; -1 of no known one. */
  readonly commit: Int32Array;
  /** At each place: 0 where the commit is not known, or the tree was dirty. */
  readonly isTested: Uint8Array;
  /** Largest change first. */
  readonly changes: readonly ChangingFunction[];
  /** Functions whose times differ between runs, and how many of these, those that differ most, were tested. */
  readonly varying: number;
  readonly tested: number;
}

export interface PivotQuery {
  readonly scope: EnsembleScope;
  /** A parameter whose values are rows, and one whose values are columns; without it there is one column. */
  readonly down: string;
  readonly along?: string;
  /** A function of the ensemble's data set; undefined: the runs' totals. */
  readonly function?: number;
  /** Exclusive unless said. */
  readonly value?: EnsembleValue;
  /** Which quantiles are given, 0 to 1. */
  readonly shares?: readonly number[];
}

/** Statistics of the runs that stay by the values of one or two parameters. */
export interface EnsemblePivot extends Pivot {
  /** The runs that stay; where each counts is in the same order. */
  readonly runs: Int32Array;
}

/** One run of an ensemble beside all that stay, in one document. */
export interface TargetCostsQuery {
  /** Of the ensemble as a recording; a restriction to runs leaves these. */
  readonly scope: Scope;
  /** A run's name. */
  readonly target: string;
  readonly document: DocumentText;
  /** Only what stands on this line, with the value of every run. */
  readonly line?: number;
}

/** What runs have somewhere, each its mean over ranks (semantics 10, Target). */
export interface TargetSpread {
  /** null: not in this run. */
  readonly target: number | null;
  /** Of those that stay and have it; NaN where none does. */
  readonly least: number;
  readonly median: number;
  readonly most: number;
  /** The share of these with a value that is not larger than the target's; NaN: one of both has none. */
  readonly percentile: number;
  /** How many these are. */
  readonly runs: number;
  /** By place in {@link TargetCosts.names}, NaN where a run has none; where a line was asked for. */
  readonly values?: Float64Array;
}

export interface TargetLine {
  readonly line: number;
  readonly oneOf?: number;
  readonly exclusive: TargetSpread;
}

export interface TargetFunction extends Named {
  readonly line: number;
  readonly function: number;
  readonly oneOf?: number;
  /** Of the target's total: its inclusive, or the largest of any run where it has none. */
  readonly share: number;
  readonly exclusive: TargetSpread;
  readonly inclusive: TargetSpread;
}

export interface TargetCosts {
  readonly target: string;
  /** The runs that stay and have the metric. */
  readonly names: readonly string[];
  /** Of the target alone. */
  readonly costs: DocumentCosts;
  readonly lines: readonly TargetLine[];
  readonly functions: readonly TargetFunction[];
}
