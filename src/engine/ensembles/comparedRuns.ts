/** Two sets of runs of one ensemble, compared as two recordings are: which of the union each has, and what is significant (semantics 10). */
import { entryOf, keepNewest } from "../../model/maps";
import { quietTask, type Task } from "../../model/task";
import type { EngineState } from "../engineState";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { Scope } from "../scope";
import type { FunctionSets, RunSets, SetSignificance, SideRuns } from "./ensembleApi";
import type { Ensemble } from "./ensemble";
import { functionValues } from "./functionValues";
import { COMMIT } from "./runMetadata";
import { setSignificance } from "./runSets";

/** The runs that a scope is restricted to. @returns undefined where it is of no runs of an ensemble */
export function runsOfScope(open: OpenDataSet, { chosen }: Scope): readonly number[] | undefined {
  const isEnsemble = open.dataSet.format.id === "ensemble";
  return isEnsemble && chosen?.by === "run" ? chosen.members.map(Number) : undefined;
}

/**
 * By context, and by function: whether one of the runs of a scope has it. What no run has is none, not 0.
 *
 * @returns undefined where the scope is of no runs of an ensemble: all is there
 */
export function hadByRuns(
  open: OpenDataSet,
  scope: Scope,
): { readonly contexts: Uint8Array; readonly functions: Uint8Array } | undefined {
  const runs = runsOfScope(open, scope);
  if (!runs) return undefined;
  const isChosen = new Set(runs);
  const { dataSet, functions } = open;
  // The union has a cell for each context of each run that has the metric, also where that is 0.
  const { rowStart, column } = dataSet.values[scope.metric];
  const had = { contexts: new Uint8Array(dataSet.tree.size), functions: new Uint8Array(functions.size) };
  for (let context = 0; context < dataSet.tree.size; context++)
    for (let cell = rowStart[context]; cell < rowStart[context + 1]; cell++) {
      if (!isChosen.has(column[cell])) continue;
      had.contexts[context] = 1;
      had.functions[functions.ofContext[context]] = 1;
      break;
    }
  return had;
}

/** Sets whose significance is kept: it takes up to 10,000 permutations of all functions, and each document asks. */
const KEPT_SETS = 4;
const known = new WeakMap<Ensemble, Map<string, SetSignificance>>();

/**
 * What two sets of runs tell of each function's exclusive.
 *
 * @returns by number of the function; undefined where the two scopes are not of runs of one ensemble
 */
export function functionSets(
  state: EngineState,
  baseline: Scope,
  candidate: Scope,
  task: Task = quietTask,
): ((id: number) => FunctionSets) | undefined {
  if (baseline.dataSet !== candidate.dataSet) return undefined;
  const { open } = state.get(baseline.dataSet);
  const [before, after] = [baseline, candidate].map((scope) => runsOfScope(open, scope));
  if (!before || !after) return undefined;
  const { ensemble } = state.ensemble(baseline.dataSet);
  const { exclusive } = functionValues(ensemble, open, baseline.metric, "mean", task);
  const sets: RunSets = { baseline: before, candidate: after };
  const kept = entryOf(known, ensemble, () => new Map<string, SetSignificance>());
  const key = JSON.stringify([baseline.metric, before, after]);
  const tested = kept.get(key) ?? setSignificance(exclusive, ensemble.size, sets, (id) => open.functionName(id));
  keepNewest(kept, key, tested, KEPT_SETS);
  const having = (id: number, runs: readonly number[]): SideRuns => ({
    having: runs.filter((run) => !Number.isNaN(exclusive[id * ensemble.size + run])).length,
    of: runs.length,
  });
  return (id) => ({
    baseline: having(id, before),
    candidate: having(id, after),
    ...(Number.isNaN(tested.p[id])
      ? {}
      : { significance: { p: tested.p[id], slowerIn: tested.slowerIn[id], of: tested.of } }),
  });
}

/** The commits that the runs of some scopes of ensembles name. */
export function commitsOfScopes(state: EngineState, scopes: readonly Scope[]): string[] {
  const found = new Set<string>();
  for (const scope of scopes) {
    const { open, ensemble } = state.get(scope.dataSet);
    for (const run of runsOfScope(open, scope) ?? []) {
      const commit = ensemble?.members.at(run)?.metadata.get(COMMIT)?.value;
      if (commit !== undefined) found.add(commit);
    }
  }
  return [...found];
}
