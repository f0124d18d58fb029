/** All runs with their totals, and all functions in the runs that stay, as the window asks for them. */
import type { Task } from "../../model/task";
import type { EnsembleFunctions, EnsembleRuns, EnsembleScope } from "./ensembleApi";
import { notesOf, type OpenEnsemble, runsThatStay } from "./ensembleGraphs";
import { functionValues } from "./functionValues";
import { parametersOf, runRows } from "./runTable";
import { scalingStart } from "./scalingStart";

/** Whatever stays. */
export function allRuns(
  { ensemble, open }: OpenEnsemble,
  { metric, over }: Pick<EnsembleScope, "metric" | "over">,
  task: Task,
): EnsembleRuns {
  const { name, unit } = open.metric(metric);
  const { totals } = functionValues(ensemble, open, metric, over, task);
  return {
    runs: runRows(ensemble, totals),
    parameters: parametersOf(ensemble),
    scaling: scalingStart(ensemble, { metric, over }),
    metric: name,
    unit,
    notes: notesOf(ensemble, { metric, over }),
  };
}

export function allFunctions({ ensemble, open }: OpenEnsemble, scope: EnsembleScope, task: Task): EnsembleFunctions {
  const runs = runsThatStay(ensemble, scope);
  const values = functionValues(ensemble, open, scope.metric, scope.over, task);
  const some = (rows: Float64Array) =>
    Float64Array.from({ length: open.functions.size * runs.length }, (_, at) => {
      const id = Math.floor(at / runs.length);
      return rows[id * ensemble.size + runs[at % runs.length]];
    });
  return {
    runs,
    names: Array.from({ length: open.functions.size }, (_, id) => open.functionName(id)),
    shownNames: open.shownNames,
    functions: Int32Array.from({ length: open.functions.size }, (_, id) => id),
    frames: open.functions.frame,
    inclusive: some(values.inclusive),
    exclusive: some(values.exclusive),
  };
}
