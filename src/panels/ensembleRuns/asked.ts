/** What a panel of an ensemble's runs asks the engine for, by the view that it shows. */
import type { CallSite, EnsembleScope, Target } from "../../engine/api";
import type { Task } from "../../model/task";
import { NONE } from "../../model/ids";
import { compareText } from "../../model/strings";
import { shorten } from "../../model/texts";
import { placeText } from "../../model/placeText";
import {
  CELL_BINS,
  CELL_LIMIT,
  type EnsembleRunsState,
  FUNCTION_LIMIT,
  groupShares,
  POINT_LIMIT,
  type SiteOrder,
} from "../../protocol/ensembleRuns";
import { hottestPlace } from "../../session/hottestPlace";
import type { OnScreen } from "../kit/definition";
import { pinned } from "../shared";
import { groupingParameters, lackingParameter, noCommits, runNamed, scalingParameter } from "./parameters";
import { askPivot, isPivotUnchosen, pivotFunction } from "./pivot";
import { presenceOf } from "./presence";
import type { RunsView, ShownRuns } from "./shown";

/** The scope of all runs. */
function scopeOf({ dataSet, scope, state }: RunsView): EnsembleScope {
  return { dataSet: dataSet.id, metric: scope.metric, over: state.over };
}

/** The runs that the restriction leaves; undefined: all. */
export function chosenRuns({ scope: { chosen } }: Pick<RunsView, "scope">): number[] | undefined {
  return chosen?.by === "run" ? chosen.members.map(Number) : undefined;
}

/** The scope of the runs that the restriction leaves. */
export function shownScope(view: RunsView): EnsembleScope {
  const runs = chosenRuns(view);
  return runs ? { ...scopeOf(view), runs } : scopeOf(view);
}

/** Where runs are the marks, a restriction is only marked. */
function restricted(view: RunsView): EnsembleScope {
  const { state } = view;
  const isMarked =
    state.view === "projection" ||
    state.view === "runs" ||
    (state.view === "distribution" && state.counted !== "callSites");
  return isMarked ? scopeOf(view) : shownScope(view);
}

/** Whether a view is of bars, and not of single functions. */
export function ofBars({ view, counted }: EnsembleRunsState): boolean {
  return view === "hierarchy" || (view === "distribution" && counted === "callSites");
}

/** What a distribution or a hierarchy is of; call sites are in a bar, or in all: one function is one of them. */
export function distributed(view: RunsView): { readonly target?: Target; readonly name?: string } {
  const { target, name } = pinned(view.state.subject, view);
  if (!target || (ofBars(view.state) && target.kind !== "bar")) return {};
  return { target, name };
}

/** Everything that the engine's answer depends on. */
export function askedOf(view: RunsView): unknown {
  const { state } = view;
  const own = {
    callSites: [state.value, state.target, state.onlyIn, state.missingIn],
    distribution: [state.value, state.counted, state.bins, state.target, distributed(view).target],
    hierarchy: [state.target, distributed(view).target],
    correlation: [],
    scaling: [state.parameter, state.kind],
    projection: [],
    runs: [state.groupBy],
    pivot: [state.value, state.pivotRows, state.pivotColumns, state.onlyIn, state.missingIn, pivotFunction(view)],
    commits: [],
  }[state.view];
  return [state.view, restricted(view), ...own];
}

export async function askRuns(view: RunsView, task: Task, before: readonly OnScreen<ShownRuns>[]): Promise<ShownRuns> {
  const asked = JSON.stringify(askedOf(view));
  // Another order, function or colour of what is there already.
  const known = before.find(({ shown }) => shown.asked === asked)?.shown;
  return arranged(known ?? (await askAnew(view, asked, task)), view.state);
}

/** With the rows in their order, and the function whose curve is drawn: the chosen one, else the one that loses most. */
function arranged(shown: ShownRuns, state: EnsembleRunsState): ShownRuns {
  if (shown.view === "callSites") return { ...shown, sites: inOrder(shown.sites, state.sortedBy) };
  if (shown.view !== "scaling") return shown;
  const functions = shown.scaling.functions.slice(0, FUNCTION_LIMIT);
  const chosen = functions.findIndex(({ name }) => shorten(name, 4000) === state.function);
  return { ...shown, curve: chosen < 0 ? Math.min(0, functions.length - 1) : chosen };
}

/** What has no such number comes last, of equal ones the first by name. */
export function inOrder(sites: readonly CallSite[], by: SiteOrder): CallSite[] {
  const keys: Readonly<Record<SiteOrder, (site: CallSite) => number>> = {
    name: () => 0,
    mean: ({ plot }) => plot.mean,
    iqr: ({ plot }) => plot.q3 - plot.q1,
    imbalance: ({ imbalance }) => imbalance,
    skewness: ({ plot }) => plot.skewness,
    kurtosis: ({ plot }) => plot.kurtosis,
  };
  const key = (site: CallSite) => (Number.isNaN(keys[by](site)) ? -Infinity : keys[by](site));
  const byName = (a: CallSite, b: CallSite) => compareText(a.name, b.name) || a.function - b.function;
  return [...sites].sort((a, b) => (key(a) === key(b) ? byName(a, b) : key(a) < key(b) ? 1 : -1));
}

/** Shown if only outputs differ between the runs. */
const NOTHING_TO_SCALE = "No parameter chosen for scaling. Choose one in the toolbar.";
const NOTHING_TO_GROUP = "No parameter chosen to group by. Choose one in the toolbar.";

async function askAnew(view: RunsView, asked: string, task: Task): Promise<ShownRuns> {
  const { engine } = view.session;
  const { state } = view;
  const scope = restricted(view);
  const runs = await engine.ensembleRuns(scopeOf(view), task);
  task.check();
  switch (state.view) {
    case "callSites": {
      const target = runNamed(runs, state.target);
      const presence = presenceOf(runs, state);
      const query = { scope, value: state.value, linked: FUNCTION_LIMIT, ...(presence ? { presence } : {}) };
      const sites = await engine.ensembleCallSites({ ...query, ...(target < 0 ? {} : { target }) }, task);
      return { view: state.view, runs, asked, sites: sites.slice(0, FUNCTION_LIMIT), of: sites.length };
    }
    case "distribution": {
      const target = runNamed(runs, state.target);
      const of = distributed(view).target;
      const query = { scope, value: state.value, counted: state.counted, bins: Number(state.bins), of };
      const asking = engine.ensembleDistribution({ ...query, ...(target < 0 ? {} : { target }) }, task);
      return { view: state.view, runs, asked, distribution: await asking, of };
    }
    case "hierarchy": {
      const target = runNamed(runs, state.target);
      const query = { scope, of: distributed(view).target, bins: CELL_BINS, most: CELL_LIMIT };
      const asking = engine.ensembleHierarchy({ ...query, ...(target < 0 ? {} : { target }) }, task);
      return { view: state.view, runs, asked, hierarchy: await asking };
    }
    case "correlation": {
      const query = { scope, most: POINT_LIMIT, mostFunctions: FUNCTION_LIMIT };
      const points = await engine.ensembleMetricPoints(query, task);
      return { view: state.view, runs, asked, points };
    }
    case "scaling": {
      const parameter = scalingParameter(runs, state.parameter);
      if (parameter === undefined) {
        if (runs.scaling.offered.length > 0) return { view: "unchosen", runs, asked, message: NOTHING_TO_SCALE };
        throw lackingParameter("No parameter of these runs is a number that differs, so they cannot scale over one.");
      }
      const kind = state.kind ? { kind: state.kind } : {};
      const scaling = await engine.ensembleScaling({ scope, parameter, linked: FUNCTION_LIMIT, ...kind }, task);
      const first = scaling.functions.at(0);
      const target = first && ({ kind: "function", function: first.function } as const);
      const place = target && (await hottestPlace(view.session, view.scope, target, task));
      return { view: state.view, runs, asked, scaling, leadsTo: (place && placeText(place.link)) ?? "", curve: -1 };
    }
    case "projection": {
      const projection = await engine.ensembleProjection({ scope }, task);
      return { view: state.view, runs, asked, projection, weights: await engine.ensembleParameters(scope, task) };
    }
    case "pivot":
      if (isPivotUnchosen(runs, state)) return { view: "unchosen", runs, asked, message: NOTHING_TO_GROUP };
      return { view: state.view, runs, asked, pivot: await askPivot(view, runs, scope, task) };
    case "commits": {
      const commits = await engine.commitHistory({ folders: view.session.trustedFolders }, task);
      const changes = await engine.ensembleCommits({ scope, commits }, task);
      if (changes.commit.every((one) => one === NONE)) throw noCommits();
      return { view: state.view, runs, asked, changes, commits };
    }
    case "runs": {
      const by = groupingParameters(runs).find(({ name }) => name === state.groupBy)?.name;
      if (by === undefined) return { view: state.view, runs, asked };
      const pivot = await engine.ensemblePivot({ scope, down: by, shares: groupShares }, task);
      return { view: state.view, runs, asked, groups: { by, pivot } };
    }
  }
}
