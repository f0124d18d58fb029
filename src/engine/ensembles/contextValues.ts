/** The number of every calling context of an ensemble in every run (semantics 10, Runs). */
import { inclusive } from "../../model/contextTree";
import type { Task } from "../../model/task";
import type { ContextsQuery, EnsembleContexts } from "./ensembleApi";
import { type OpenEnsemble, runsThatStay } from "./ensembleGraphs";

export function contextValues(
  { ensemble, open }: OpenEnsemble,
  { scope, value }: ContextsQuery,
  task: Task,
): EnsembleContexts {
  const { tree } = open.dataSet;
  const runs = runsThatStay(ensemble, scope);
  const values = new Float64Array(tree.size * runs.length).fill(NaN);
  const joined = new Float64Array(tree.size);
  for (const [column, run] of runs.entries()) {
    task.check();
    // Each number is combined over ranks by itself: extremes do not add up.
    const numbers = ensemble.rankValues(run, scope.metric, scope.over)?.evaluate(scope.over, (own) => {
      joined.fill(0);
      ensemble.addTo(joined, run, own);
      return value === "inclusive" ? inclusive(tree, joined) : joined.slice();
    });
    if (!numbers) continue;
    for (const context of ensemble.members[run].contextOf) values[context * runs.length + column] = numbers[context];
  }
  return { runs, values };
}
