/** What differs between two sets of runs of an ensemble, function by function (semantics 10, Difference and Significance). */
import { significance, slowerIn } from "../../analysis/ensembles/significance";
import { differenceOf } from "../../model/differences";
import { RequestError } from "../../model/errors";
import { isAddressName } from "../../model/frames";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import { placeOfFunction } from "../lines/functionPlace";
import type { DifferencesQuery, DifferingFunction, EnsembleDifferences } from "./ensembleApi";
import { runsThatStay } from "./ensembleGraphs";
import { functionValues } from "./functionValues";

/** @throws RequestError where a set has no run with the metric */
export async function runDifferences(
  state: EngineState,
  { scope, value, linked, ...sets }: DifferencesQuery,
  task: Task,
): Promise<EnsembleDifferences> {
  const { ensemble, open } = state.ensemble(scope.dataSet);
  const values = functionValues(ensemble, open, scope.metric, scope.over, task);
  const [baseline, candidate] = [sets.baseline, sets.candidate].map((runs) => {
    const own = runsThatStay(ensemble, { ...scope, runs });
    if (own.length === 0) throw new RequestError("A comparison needs a run with this metric on each side.");
    return own;
  });
  const columnOf = (run: number) =>
    Float64Array.from({ length: open.functions.size }, (_, id) => values[value][id * ensemble.size + run]);
  const [before, after] = [baseline, candidate].map((runs) => Array.from(runs, columnOf));
  const compared = Array.from({ length: open.functions.size }, (_, id) => {
    const sides = { had: meanOf(before, id), has: meanOf(after, id) };
    // Code that only has an address is elsewhere in another build: that one side lacks it says nothing of what it costs.
    const isMoved = (sides.had.runs === 0 || sides.has.runs === 0) && isAddressName(open.functionName(id));
    return { ...sides, isMoved };
  });
  const withoutMoved = (column: Float64Array) => column.map((own, id) => (compared[id].isMoved ? NaN : own));
  // A run that is on both sides cannot be on the other one: nothing can be said of their permutations.
  const areApart = !candidate.some((run) => baseline.includes(run));
  const tested = areApart ? significance(before.map(withoutMoved), after.map(withoutMoved)) : undefined;
  const slower = slowerIn(before, after);
  const rows: DifferingFunction[] = [];
  for (const [id, { had, has, isMoved }] of compared.entries()) {
    if (had.runs + has.runs === 0) continue;
    rows.push({
      ...open.namedFunction(id),
      function: id,
      ...{ baseline: had.value, candidate: has.value, difference: differenceOf(had.value, has.value) },
      ...{ baselineRuns: had.runs, candidateRuns: has.runs },
      ...{ p: tested && !isMoved ? tested.p[id] : null, slowerIn: slower[id], of: after.length },
    });
  }
  rows.sort(
    (a, b) => Math.abs(b.difference) - Math.abs(a.difference) || compareText(a.name, b.name) || a.function - b.function,
  );
  const placed: DifferingFunction[] = [];
  for (const [at, row] of rows.entries())
    placed.push(
      at < linked ? { ...row, ...(await placeOfFunction(state, { ...scope, over: "sum" }, row.function, task)) } : row,
    );
  const mean = (runs: Int32Array) => runs.reduce((sum, run) => sum + values.totals[run], 0) / runs.length;
  return { baselineTotal: mean(baseline), candidateTotal: mean(candidate), rows: placed };
}

/** A set's mean, those without the function counting as 0; null where none has it. */
function meanOf(columns: readonly Float64Array[], id: number): { value: number | null; runs: number } {
  const values = columns.map((column) => column[id]).filter((value) => !Number.isNaN(value));
  const sum = values.reduce((all, value) => all + value, 0);
  return { value: values.length === 0 ? null : sum / columns.length, runs: values.length };
}
