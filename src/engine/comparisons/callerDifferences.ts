/** What chains of callers cost in both of two recordings (semantics 10, Difference). */
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import { hadByRuns } from "../ensembles/comparedRuns";
import { callerRows, callersWithin } from "../trees/trees";
import { functionsIn, joinFunctions, sidesOf } from "./comparison";
import type { ComparedPair, ComparedValue } from "./comparisonApi";
import { comparedValue, type OneSide } from "./contextDifferences";

/**
 * @param path a chain of functions of the data set `of`, which is one of the two: the function asked for, then its callers
 * @param callers what called the last of them; of an empty chain, functions
 * @returns the exclusive of the chain's first function along the chain and each caller; functions are the same where comparisons join them
 */
export function callerDifferences(
  state: EngineState,
  query: ComparedPair & {
    readonly of: { readonly dataSet: number };
    readonly path: readonly number[];
    readonly callers: readonly number[];
  },
  task: Task,
): ComparedValue[] {
  const { baseline, candidate, of, path, callers } = query;
  const runs = sidesOf(state, { baseline: [baseline], candidate: [candidate] }).flat();
  const joint = joinFunctions(state, runs, query, task);
  const jointOf = joint.ofRun[runs.findIndex(({ scope }) => scope.dataSet === of.dataSet)];
  const [before, after] = runs.map(({ open, scope }, run) => {
    const ids = functionsIn({ open, scope }, joint, run);
    const chain = path.map((id) => ids[jointOf[id]]);
    const rows = chain.includes(NONE) ? [] : callerRows(open, scope, chain, Number.MAX_SAFE_INTEGER).rows;
    const byCaller = new Map(rows.map((row) => [row.path[row.path.length - 1], row]));
    const had = hadByRuns(open, scope);
    const calling = had && callersWithin(open, chain, had);
    return callers.map((id): OneSide => {
      const own = ids[jointOf[id]];
      const row = calling?.has(own) === false ? undefined : byCaller.get(own);
      return { value: row?.exclusive ?? null, noRank: row?.noRank?.exclusive ?? 0 };
    });
  });
  return callers.map((_, at) => comparedValue(before[at], after[at]));
}
