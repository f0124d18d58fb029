/** What differs between two sets of runs of an ensemble, function by function (semantics 10, Difference and Significance). */
import { differenceOf } from "../../model/differences";
import { RequestError } from "../../model/errors";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import { placeOfFunction } from "../lines/functionPlace";
import type { DifferencesQuery, DifferingFunction, EnsembleDifferences } from "./ensembleApi";
import { runsThatStay } from "./ensembleGraphs";
import { functionValues } from "./functionValues";
import { setMeans, setSignificance } from "./runSets";

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
    return Array.from(own);
  });
  const [before, after] = [baseline, candidate].map((set) => setMeans(values[value], ensemble.size, set));
  const nameOf = (id: number) => open.functionName(id);
  const { p, slowerIn, of } = setSignificance(values[value], ensemble.size, { baseline, candidate }, nameOf);
  const rows: DifferingFunction[] = [];
  for (let id = 0; id < open.functions.size; id++) {
    const [baselineRuns, candidateRuns] = [before.having[id], after.having[id]];
    if (baselineRuns + candidateRuns === 0) continue;
    const [had, has] = [orNull(before.mean[id]), orNull(after.mean[id])];
    rows.push({
      ...open.namedFunction(id),
      function: id,
      baseline: had,
      candidate: has,
      difference: differenceOf(had, has),
      baselineRuns,
      candidateRuns,
      p: orNull(p[id]),
      slowerIn: slowerIn[id],
      of,
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
  const mean = (runs: readonly number[]) => runs.reduce((sum, run) => sum + values.totals[run], 0) / runs.length;
  return { baselineTotal: mean(baseline), candidateTotal: mean(candidate), rows: placed };
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
