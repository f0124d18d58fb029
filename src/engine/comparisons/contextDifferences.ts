/** What calling contexts of one of two recordings cost in both (semantics 10, Difference). */
import { addTo } from "../../model/maps";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import { hadByRuns } from "../ensembles/comparedRuns";
import { sidesOf } from "./comparison";
import type { ComparedPair, ComparedValue } from "./comparisonApi";
import { unrankedIn } from "../dataSets/unranked";

/** What one side costs; null: it lacks it. */
export interface OneSide {
  readonly value: number | null;
  /** What is of no rank, where the value is 0 for that. */
  readonly noRank: number;
}

export function comparedValue(before: OneSide, after: OneSide): ComparedValue {
  const unranked = ({ value, noRank }: OneSide) => value === 0 && noRank > 0;
  return {
    baseline: before.value,
    candidate: after.value,
    ...(unranked(before) ? { baselineNoRank: before.noRank } : {}),
    ...(unranked(after) ? { candidateNoRank: after.noRank } : {}),
  };
}

/**
 * @param contexts of the data set `of`, which is one of the two
 * @returns the inclusive of each on both sides, contexts being the same where their paths of functions are
 */
export function contextDifferences(
  state: EngineState,
  pair: ComparedPair & { readonly of: { readonly dataSet: number }; readonly contexts: readonly number[] },
  task: Task,
): ComparedValue[] {
  const { baseline, candidate, renamed, of, contexts } = pair;
  const [[before], [after]] = sidesOf(state, { baseline: [baseline], candidate: [candidate] });
  const graphs = state.graphsOf({ scope: baseline, compared: candidate, renamed }, task);
  const wanted = new Set(contexts.map((context) => graphs.contextOf(of.dataSet, context)));
  const [left, right] = [before, after].map(({ open, scope }) => {
    const { inclusive } = open.numbers(scope);
    const unrankedOf = unrankedIn(open, scope, (numbers) => numbers.inclusive);
    const had = hadByRuns(open, scope)?.contexts;
    const [sums, unranked] = [new Map<number, number>(), new Map<number, number>()];
    inclusive.forEach((value, context) => {
      const joined = graphs.contextOf(scope.dataSet, context);
      if (!wanted.has(joined) || had?.[context] === 0) return;
      addTo(sums, joined, value);
      addTo(unranked, joined, unrankedOf(context));
    });
    return (joined: number): OneSide => ({ value: sums.get(joined) ?? null, noRank: unranked.get(joined) ?? 0 });
  });
  return contexts.map((context) => {
    const joined = graphs.contextOf(of.dataSet, context);
    return comparedValue(left(joined), right(joined));
  });
}
