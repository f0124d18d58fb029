/** The functions inside a bar of a super graph, with what they cost there. */
import { inclusive } from "../../model/contextTree";
import { addTo } from "../../model/maps";
import type { Task } from "../../model/task";
import { heaviestFirst } from "../rows";
import type { GraphQuery } from "../scope";
import type { FunctionRow } from "../trees/treeApi";
import type { Graphs } from "./graphs";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { detailOf } from "../trees/trees";

export async function barFunctions(
  open: OpenDataSet,
  graphs: Graphs,
  query: GraphQuery,
  bar: string,
  task: Task,
): Promise<FunctionRow[]> {
  const members = Int32Array.from(await graphs.contextsOf(query, bar, task)).sort();
  const { tree } = open.dataSet;
  const { ofContext } = open.functions;
  const counts = new Map<number, number>();
  const outermost = outermostOf(open, members);
  for (const context of members) addTo(counts, ofContext[context], 1);
  const ids = [...counts.keys()];
  const rowOf = new Map(ids.map((id, row) => [id, row]));
  const rows = (context: number) => rowOf.get(ofContext[context]) ?? 0;
  // Exclusive of each function, then inclusive: extremes over ranks are taken of each number by itself.
  const numbers = open.rankValues(query.scope).evaluate(query.scope.over, (exclusive) => {
    task.check();
    const sums = new Float64Array(2 * ids.length);
    const below = inclusive(tree, exclusive);
    for (const context of members) sums[rows(context)] += exclusive[context];
    for (const context of outermost) sums[ids.length + rows(context)] += below[context];
    return sums;
  });
  return ids
    .map((id, row) => ({
      function: id,
      ...open.namedFunction(id),
      detail: detailOf(open, open.functions.frame[id]),
      exclusive: numbers[row],
      inclusive: numbers[ids.length + row],
      contexts: counts.get(id) ?? 0,
    }))
    .sort((a, b) => heaviestFirst(a, b) || a.function - b.function);
}

/** The contexts without a caller of the same function among them. @param contexts in preorder */
function outermostOf({ dataSet, functions }: OpenDataSet, contexts: Int32Array): Int32Array {
  const endOf = new Map<number, number>();
  return contexts.filter((context) => {
    const id = functions.ofContext[context];
    if (context < (endOf.get(id) ?? 0)) return false;
    endOf.set(id, dataSet.tree.end[context]);
    return true;
  });
}
