/** What calling contexts of one of two recordings cost in both (semantics 10, Difference). */
import { addTo } from "../../model/maps";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import { sidesOf } from "./comparison";
import type { ComparedPair, ComparedValue } from "./comparisonApi";

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
    const sums = new Map<number, number>();
    inclusive.forEach((value, context) => {
      const joined = graphs.contextOf(scope.dataSet, context);
      if (wanted.has(joined)) addTo(sums, joined, value);
    });
    return sums;
  });
  return contexts.map((context) => {
    const joined = graphs.contextOf(of.dataSet, context);
    return { baseline: left.get(joined) ?? null, candidate: right.get(joined) ?? null };
  });
}
