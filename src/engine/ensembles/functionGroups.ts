/** Functions × groups of runs: how each function's values are spread over the runs with each value of a parameter. */
import { groupStatistics, type GroupStatistics, type RunGroup, runGroups } from "../../analysis/ensembles/runGroups";
import { NONE } from "../../model/ids";
import type { Named } from "../../model/shortName";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import { placeOfFunction } from "../lines/functionPlace";
import type { FunctionPlace } from "../lines/lineApi";
import type { EnsembleScope, EnsembleValue } from "./ensembleApi";
import { runsThatStay } from "./ensembleGraphs";
import { functionValues } from "./functionValues";
import { parameterColumn } from "./parameterColumns";
import { presenceTest, type RunPresence } from "./runPresence";

export interface FunctionGroupsQuery {
  readonly scope: EnsembleScope;
  /** The parameter whose values are groups. */
  readonly by: string;
  readonly value: EnsembleValue;
  /** Which quantiles are given, 0 to 1. */
  readonly shares: readonly number[];
  readonly presence?: RunPresence;
  /** Of how many functions, those with the largest mean over all runs that have them first. */
  readonly most: number;
}

export interface FunctionGroups {
  /** Of the parameter; null: runs without one. */
  readonly groups: readonly RunGroup["value"][];
  /** The runs that stay, and the group of each. */
  readonly runs: Int32Array;
  readonly groupOf: Int32Array;
  readonly functions: readonly (Named & FunctionPlace & { readonly function: number })[];
  /** One list for each function, one entry for each group. */
  readonly statistics: readonly (readonly GroupStatistics[])[];
  /** How many functions there are in all. */
  readonly functionCount: number;
}

export async function functionGroups(
  state: EngineState,
  { scope, by, value, shares, presence = {}, most }: FunctionGroupsQuery,
  task: Task,
): Promise<FunctionGroups> {
  const { ensemble, open } = state.ensemble(scope.dataSet);
  const runs = runsThatStay(ensemble, scope);
  const groups = runGroups(parameterColumn(ensemble, by, runs));
  const rows = functionValues(ensemble, open, scope.metric, scope.over, task)[value];
  const isWanted = presenceTest(runs, presence);
  const found: { id: number; name: string; own: Float64Array; mean: number }[] = [];
  for (let id = 0; id < open.functions.size; id++) {
    const own = Float64Array.from(runs, (run) => rows[id * ensemble.size + run]);
    if (isWanted(own)) found.push({ id, name: open.functionName(id), own, mean: meanOf(own) });
  }
  found.sort((a, b) => b.mean - a.mean || compareText(a.name, b.name) || a.id - b.id);
  const functions: FunctionGroups["functions"][number][] = [];
  const statistics: GroupStatistics[][] = [];
  const where = { dataSet: scope.dataSet, metric: scope.metric, over: "sum" } as const;
  for (const { id, own } of found.slice(0, most)) {
    task.check();
    functions.push({ function: id, ...open.namedFunction(id), ...(await placeOfFunction(state, where, id, task)) });
    statistics.push(groups.map((group) => groupStatistics(group, own, shares)));
  }
  const groupOf = new Int32Array(runs.length).fill(NONE);
  groups.forEach((group, at) => group.runs.forEach((run) => (groupOf[run] = at)));
  return {
    groups: groups.map((group) => group.value),
    runs,
    groupOf,
    functions,
    statistics,
    functionCount: found.length,
  };
}

function meanOf(values: Float64Array): number {
  const known = values.filter((one) => !Number.isNaN(one));
  return known.reduce((sum, one) => sum + one, 0) / known.length;
}
