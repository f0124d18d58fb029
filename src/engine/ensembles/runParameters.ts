/** Runs by their parameters: how much each explains, which runs are alike, how functions scale (semantics 10). */
import { classicalScaling } from "../../analysis/ensembles/classicalScaling";
import { clusters } from "../../analysis/ensembles/clusters";
import { parameterWeight } from "../../analysis/ensembles/parameterWeight";
import { isToldApartBy, type RunColumn } from "../../model/runColumns";
import { runDistances } from "../../analysis/ensembles/runDistances";
import { RequestError } from "../../model/errors";
import { compareText } from "../../model/strings";
import type { Task } from "../../model/task";
import { pivot } from "../../analysis/ensembles/runGroups";
import type {
  EnsemblePivot,
  EnsembleProjection,
  EnsembleScope,
  ParameterWeight,
  PivotQuery,
  ProjectionQuery,
} from "./ensembleApi";
import { type OpenEnsemble, runsThatStay } from "./ensembleGraphs";
import { type FunctionValues, functionValues } from "./functionValues";
import { outputsOf, parameterColumn } from "./parameterColumns";
import { parametersOf } from "./runTable";

/** The column of results beside the parameters. */
const TOTAL = "total";

/** Those that explain most first, those without weight last: an output of the runs explains nothing. */
export function parameterWeights(open: OpenEnsemble, scope: EnsembleScope, task: Task): ParameterWeight[] {
  const runs = runsThatStay(open.ensemble, scope);
  const { totals } = valuesOf(open, scope, task);
  const ofRuns = Float64Array.from(runs, (run) => totals[run]);
  const weights = parametersOf(open.ensemble).map(({ name, isOutput }) => ({
    name,
    weight: isOutput ? NaN : parameterWeight(parameterColumn(open.ensemble, name, runs), ofRuns),
  }));
  const key = ({ weight }: ParameterWeight) => (Number.isNaN(weight) ? -1 : weight);
  return weights.sort((a, b) => key(b) - key(a) || compareText(a.name, b.name));
}

/** @throws RequestError where a column is neither a parameter, `total` nor a function */
export function projection(
  open: OpenEnsemble,
  { scope, columns: asked, clusters: wanted }: ProjectionQuery,
  task: Task,
): EnsembleProjection {
  const { ensemble } = open;
  const runs = runsThatStay(ensemble, scope);
  const values = valuesOf(open, scope, task);
  const total: RunColumn = {
    name: TOTAL,
    kind: "number",
    values: Float64Array.from(runs, (run) => values.totals[run]),
  };
  const known = new Set(parametersOf(ensemble).map(({ name }) => name));
  const outputs = outputsOf(ensemble);
  const columns =
    asked === undefined
      ? [
          ...[...known]
            .filter((name) => !outputs.has(name))
            .sort(compareText)
            .map((name) => parameterColumn(ensemble, name, runs))
            .filter(isToldApartBy),
          total,
        ]
      : [...new Set(asked)].map((name) =>
          name === TOTAL && !known.has(name)
            ? total
            : known.has(name)
              ? parameterColumn(ensemble, name, runs)
              : functionColumn(open, values, name, runs),
        );
  task.check();
  const distances = runDistances(columns, runs.length);
  const { x, y } = classicalScaling(distances);
  task.check();
  const { of, count, silhouette } = clusters(distances, wanted);
  return { runs, x, y, cluster: of, clusters: count, silhouette, columns: columns.map(({ name }) => name) };
}

/** @throws RequestError where there is no such function */
export function runPivot(
  open: OpenEnsemble,
  { scope, down, along, function: id, value = "exclusive", shares }: PivotQuery,
  task: Task,
): EnsemblePivot {
  const { ensemble } = open;
  const runs = runsThatStay(ensemble, scope);
  const values = valuesOf(open, scope, task);
  const row = id === undefined ? undefined : open.open.checkFunction(id) * ensemble.size;
  const own = Float64Array.from(runs, (run) => (row === undefined ? values.totals[run] : values[value][row + run]));
  const one: RunColumn = { name: "", kind: "text", values: Array.from(runs, () => "") };
  const columns = along === undefined ? one : parameterColumn(ensemble, along, runs);
  return { ...pivot(parameterColumn(ensemble, down, runs), columns, own, shares), runs };
}

function functionColumn(
  { ensemble, open }: OpenEnsemble,
  values: FunctionValues,
  name: string,
  runs: Int32Array,
): RunColumn {
  const id = Array.from(open.functions.frame.keys()).find((one) => open.functionName(one) === name);
  if (id === undefined) throw new RequestError(`There is neither a parameter nor a function named '${name}'.`);
  const own = values.exclusive.subarray(id * ensemble.size, (id + 1) * ensemble.size);
  return { name, kind: "number", values: Float64Array.from(runs, (run) => own[run]) };
}

function valuesOf({ ensemble, open }: OpenEnsemble, { metric, over }: EnsembleScope, task: Task): FunctionValues {
  return functionValues(ensemble, open, metric, over, task);
}
