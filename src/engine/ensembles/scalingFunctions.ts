/** How functions scale over a parameter of runs (semantics 10, Scaling). */
import { alsoDifferent, alsoDifferentText, leaveOut } from "../../analysis/ensembles/alsoDifferent";
import { performanceModel } from "../../analysis/ensembles/performanceModel";
import {
  byLostTime,
  chooseScaling,
  parameterValues,
  type ScalingChoice,
  scalingCurve,
  scalingReason,
} from "../../analysis/ensembles/scaling";
import { RequestError } from "../../model/errors";
import { eventKinds, kindOfEvent } from "../../model/eventKinds";
import type { Task } from "../../model/task";
import type { EngineState } from "../engineState";
import { placeOfFunction } from "../lines/functionPlace";
import type { EnsembleScaling, ScalingFunction, ScalingQuery } from "./ensembleApi";
import { type OpenEnsemble, runsThatStay } from "./ensembleGraphs";
import { functionValues } from "./functionValues";
import { inputsOf, parameterColumn } from "./parameterColumns";

/** @throws RequestError where the parameter is no number in these runs, or has only one value */
export async function scalingFunctions(
  state: EngineState,
  { scope, parameter, kind, linked = Infinity }: ScalingQuery,
  task: Task,
): Promise<EnsembleScaling> {
  const ofAll = state.ensemble(scope.dataSet);
  const { ensemble, open } = ofAll;
  const stay = runsThatStay(ensemble, scope);
  const column = parameterColumn(ensemble, parameter, stay);
  if (column.kind !== "number")
    throw new RequestError(`'${parameter}' is no number in every run: nothing scales over it.`);
  const n = parameterValues(column.values);
  if (n.length < 2)
    throw new RequestError(
      n.length === 0
        ? `No run has a parameter '${parameter}'.`
        : `'${parameter}' is ${n[0]} in all runs: nothing scales over it.`,
    );
  if (!(n[0] > 0)) throw new RequestError(`'${parameter}' is ${n[0]} in a run: scaling is over positive numbers.`);
  const having = Array.from(stay.keys()).filter((at) => Number.isFinite(column.values[at]));
  const runs = Int32Array.from(having, (at) => stay[at]);
  const parameters = Float64Array.from(having, (at) => column.values[at]);
  // Never the sum over ranks: more ranks would cost more whatever they do.
  const over = scope.over === "max" ? "max" : "mean";
  const values = functionValues(ensemble, open, scope.metric, over, task);
  const inputs = inputsOf(ensemble, runs);
  const also = alsoDifferent(parameters, inputs);
  const left = leaveOut(parameters, inputs, also);
  const rowOf = (id: number) => Float64Array.from(runs, (run) => values.exclusive[id * ensemble.size + run]);
  const choice = chosen(ofAll, rowOf, runs, parameters, n);
  const used = kind ?? choice.kind;
  const functions = Array.from({ length: open.functions.size }, (_, id): ScalingFunction => {
    const own = rowOf(id);
    // A model of runs that also differ in other inputs would be one of all of them.
    const model = also.length > 0 ? undefined : performanceModel(parameters, own);
    return {
      ...open.namedFunction(id),
      function: id,
      values: own,
      ...(model ? { model } : {}),
      ...scalingCurve(parameters, own, n, used),
    };
  });
  const sorted: ScalingFunction[] = [];
  for (const [at, id] of byLostTime(functions).entries()) {
    const place = at < linked ? await placeOfFunction(state, { ...scope, over: "sum" }, id, task) : {};
    sorted.push({ ...functions[id], ...place });
  }
  const reason =
    kind === undefined || kind === choice.kind ? scalingReason(choice, parameter) : `${kind}: as was asked for`;
  return {
    parameter,
    kind: used,
    reason,
    n,
    runs,
    parameters,
    functions: sorted,
    also,
    alsoText: alsoDifferentText(parameter, also),
    ...(left ? { leaveOut: { ...left, runs: left.runs.map((at) => runs[at]) } } : {}),
  };
}

/** By the time per rank of what computes. */
function chosen(
  { open }: OpenEnsemble,
  rowOf: (id: number) => Float64Array,
  runs: Int32Array,
  parameters: Float64Array,
  n: Float64Array,
): ScalingChoice {
  const { frames } = open.dataSet;
  const computing = new Float64Array(runs.length);
  for (let id = 0; id < open.functions.size; id++) {
    const frame = open.functions.frame[id];
    const origin = frames.originOf(frame);
    const category = { name: "", kind: origin === "mpi" ? "communication" : "compute" } as const;
    const what = eventKinds[kindOfEvent(category, frames.nameOf(frame), new Map())];
    if (origin === "outside" || what !== "computing") continue;
    rowOf(id).forEach((value, at) => (computing[at] += Number.isNaN(value) ? 0 : value));
  }
  return chooseScaling(parameters, computing, n);
}
