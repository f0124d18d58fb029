/** What runs scale over until something else is chosen (semantics 16, section 10, scaling). */
import { alsoDifferent, alsoDifferentText } from "../../analysis/ensembles/alsoDifferent";
import { offerScaling } from "../../analysis/ensembles/scalingParameter";
import type { Ensemble } from "./ensemble";
import type { EnsembleScope, ScalingStart } from "./ensembleApi";
import { runsThatStay } from "./ensembleGraphs";
import { inputsOf, outputsOf, parameterColumns } from "./parameterColumns";

/** Decided on all runs that have the metric, so that it stays the same whichever runs stay. */
export function scalingStart(ensemble: Ensemble, scope: Pick<EnsembleScope, "metric" | "over">): ScalingStart {
  const runs = runsThatStay(ensemble, scope);
  const offer = offerScaling(parameterColumns(ensemble, runs), outputsOf(ensemble));
  const column = inputsOf(ensemble, runs).find(({ name }) => name === offer.parameter);
  if (!column) return { ...offer, also: [], alsoText: "" };
  const having = runs.filter((_, at) => Number.isFinite(column.values[at]));
  const also = alsoDifferent(column.values.filter(Number.isFinite), inputsOf(ensemble, having));
  return { ...offer, also, alsoText: alsoDifferentText(column.name, also) };
}
