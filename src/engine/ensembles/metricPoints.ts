/** Inclusive against exclusive of every function in every run that has it (dissertation 4.4.3, Metric correlation). */
import { correlation } from "../../analysis/correlation";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import { placeOfFunction } from "../lines/functionPlace";
import type { MetricPoints, MetricPointsQuery } from "./ensembleApi";
import { runsThatStay } from "./ensembleGraphs";
import { functionValues } from "./functionValues";

export async function metricPoints(
  state: EngineState,
  { scope, most, mostFunctions }: MetricPointsQuery,
  task: Task,
): Promise<MetricPoints> {
  const { ensemble, open } = state.ensemble(scope.dataSet);
  const staying = runsThatStay(ensemble, scope);
  const values = functionValues(ensemble, open, scope.metric, scope.over, task);
  const cell = (id: number, run: number) => id * ensemble.size + run;
  const known = Array.from({ length: open.functions.size }, (_, id) => {
    const runs = [...staying].filter((run) => !Number.isNaN(values.inclusive[cell(id, run)]));
    const sum = runs.reduce((all, run) => all + values.inclusive[cell(id, run)], 0);
    return { function: id, runs, mean: sum / runs.length, ...open.named(open.functionName(id)) };
  }).filter(({ runs }) => runs.length > 0);
  known.sort((a, b) => b.mean - a.mean || compareText(a.name, b.name) || a.function - b.function);
  const pointsOf = (some: typeof known) => some.flatMap(({ function: id, runs }) => runs.map((run) => cell(id, run)));
  const all = pointsOf(known);
  const fit = correlation(
    Float64Array.from(all, (at) => values.inclusive[at]),
    Float64Array.from(all, (at) => values.exclusive[at]),
  );
  let count = 0;
  const shown = known.slice(0, mostFunctions).filter(({ runs }, at) => (count += runs.length) <= most || at === 0);
  const of = { dataSet: scope.dataSet, metric: scope.metric, over: "sum" } as const;
  const functions: MetricPoints["functions"][number][] = [];
  for (const { function: id, name, shown: shownName } of shown)
    functions.push({ function: id, name, shown: shownName, ...(await placeOfFunction(state, of, id, task)) });
  const points = pointsOf(shown);
  return {
    functions,
    of: Int32Array.from(shown.flatMap(({ runs }, at) => runs.map(() => at))),
    runs: Int32Array.from(shown.flatMap(({ runs }) => runs)),
    inclusive: Float64Array.from(points, (at) => values.inclusive[at]),
    exclusive: Float64Array.from(points, (at) => values.exclusive[at]),
    r: fit.kind === "line" ? fit.r : NaN,
    functionCount: known.length,
  };
}
