/** What is asked of ensembles (semantics 10). */
import { defineQuestion } from "../defineQuestion";
import type {
  CallSitesQuery,
  CommitChangesQuery,
  ContextsQuery,
  DifferencesQuery,
  HierarchyQuery,
  MetricPointsQuery,
  PivotQuery,
  ProjectionQuery,
  RunDistributionQuery,
  ScalingQuery,
  TargetCostsQuery,
  EnsembleContexts,
  EnsembleGraph,
  EnsembleGraphQuery,
  EnsembleRuns,
  EnsembleScope,
} from "./ensembleApi";
import { barSpreads, type EnsembleBarSpreads, type EnsembleBarsQuery } from "./barSpreads";
import { ensembleBeside as besideOf, ensembleGraph as graphOf, textGuides } from "./ensembleGraphs";
import { callSites } from "./callSites";
import { commitChanges } from "./commitChanges";
import { contextValues } from "./contextValues";
import { allFunctions, allRuns } from "./allOfRuns";
import { metricPoints } from "./metricPoints";
import { functionGroups, type FunctionGroupsQuery } from "./functionGroups";
import { runDifferences } from "./runDifferences";
import { runHierarchy } from "./runHierarchy";
import { runDistribution } from "./runDistribution";
import { parameterWeights, projection, runPivot } from "./runParameters";
import { scalingFunctions } from "./scalingFunctions";
import { type RunsCsv, runsCsv, type RunsCsvQuery } from "./runsCsv";

import { targetCosts as costsOfTarget } from "./targetCosts";

/** The table of runs. */
export const ensembleRuns = defineQuestion((state, scope: Omit<EnsembleScope, "runs">, task): EnsembleRuns =>
  allRuns(state.ensemble(scope.dataSet), scope, task),
);

/** The super graph of all runs, with the numbers of those that stay. */
export const ensembleGraph = defineQuestion(
  (state, query: EnsembleGraphQuery, task) => graphOf(state.ensemble(query.scope.dataSet), query, task),
  ({ gradients, target, values }: EnsembleGraph) => [
    gradients.counts.buffer as ArrayBuffer,
    ...(target ? [target.percentile.buffer as ArrayBuffer] : []),
    ...(values ? [values.inclusive, values.exclusive, values.hidden, values.edges] : []).map(
      ({ buffer }) => buffer as ArrayBuffer,
    ),
  ],
);

/** What of such a graph another target, or other runs to compare, change. */
export const ensembleBeside = defineQuestion((state, query: EnsembleGraphQuery, task) =>
  besideOf(state.ensemble(query.scope.dataSet), query, task),
);

/** The super graph of all runs, with what a drawing says of how each bar's values are spread. */
export const ensembleBars = defineQuestion(
  (state, query: EnsembleBarsQuery, task) => barSpreads(state.ensemble(query.scope.dataSet), query, task),
  ({ low, high, common }: EnsembleBarSpreads) => [low, high, common].map(({ buffer }) => buffer as ArrayBuffer),
);

/** The bins of one bar's gradient that have runs. */
export const ensembleGuides = defineQuestion(
  (state, { query, bar }: { readonly query: EnsembleGraphQuery; readonly bar: string }, task) =>
    textGuides(state.ensemble(query.scope.dataSet), query, bar, task),
);

/** Values of all functions in the runs that stay. */
export const ensembleFunctions = defineQuestion((state, scope: EnsembleScope, task) =>
  allFunctions(state.ensemble(scope.dataSet), scope, task),
);

/** One number of all contexts in the runs that stay. */
export const ensembleContexts = defineQuestion(
  (state, query: ContextsQuery, task) => contextValues(state.ensemble(query.scope.dataSet), query, task),
  ({ values }: EnsembleContexts) => [values.buffer as ArrayBuffer],
);

/** Contexts or functions × runs, as a file. */
export const ensembleCsv = defineQuestion(
  (state, query: RunsCsvQuery, task) => runsCsv(state.ensemble(query.scope.dataSet), query, task),
  ({ bytes }: RunsCsv) => [bytes.buffer],
);

/** How functions are spread over runs and ranks, those with the largest mean first. */
export const ensembleCallSites = defineQuestion((state, query: CallSitesQuery, task) => callSites(state, query, task));

/** How one value is distributed over call sites, runs, or ranks of runs. */
export const ensembleDistribution = defineQuestion((state, query: RunDistributionQuery, task) =>
  runDistribution(state, query, task),
);

/** What is inside of a bar, with how the runs are spread. */
export const ensembleHierarchy = defineQuestion((state, query: HierarchyQuery, task) =>
  runHierarchy(state, query, task),
);

/** Inclusive against exclusive of functions in runs. */
export const ensembleMetricPoints = defineQuestion((state, query: MetricPointsQuery, task) =>
  metricPoints(state, query, task),
);

/** What differs between two sets of runs. */
export const ensembleDifferences = defineQuestion((state, query: DifferencesQuery, task) =>
  runDifferences(state, query, task),
);

/** What a document costs in one run, beside all. */
export const targetCosts = defineQuestion((state, query: TargetCostsQuery, task) => costsOfTarget(state, query, task));

/** How much of the runs' totals each parameter explains, most first. */
export const ensembleParameters = defineQuestion((state, scope: EnsembleScope, task) =>
  parameterWeights(state.ensemble(scope.dataSet), scope, task),
);

/** Runs in the plane, and which are alike. */
export const ensembleProjection = defineQuestion((state, query: ProjectionQuery, task) =>
  projection(state.ensemble(query.scope.dataSet), query, task),
);

/** How functions scale over a parameter, those that lose most first. */
export const ensembleScaling = defineQuestion((state, query: ScalingQuery, task) =>
  scalingFunctions(state, query, task),
);

/** Where functions' times change along the history of commits. */
export const ensembleCommits = defineQuestion((state, query: CommitChangesQuery, task) =>
  commitChanges(state, query, task),
);

/** Statistics of every function by the values of a parameter. */
export const ensembleGroups = defineQuestion((state, query: FunctionGroupsQuery, task) =>
  functionGroups(state, query, task),
);

/** Statistics of a function, or of the totals, by the values of one or two parameters. */
export const ensemblePivot = defineQuestion((state, query: PivotQuery, task) =>
  runPivot(state.ensemble(query.scope.dataSet), query, task),
);
