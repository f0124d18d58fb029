/** The parameter that runs scale over until the user chooses another (semantics 16, section 10, scaling). */
import { alsoDifferent, alsoDifferentText } from "../../analysis/ensembles/alsoDifferent";
import { offerScaling } from "../../analysis/ensembles/scalingParameter";
import { entryOf, keepNewest } from "../../model/maps";
import { overRanksText } from "../../model/metrics";
import type { Ensemble } from "./ensemble";
import type { EnsembleScope, ScalingStart } from "./ensembleApi";
import { runsThatStay } from "./ensembleGraphs";
import { inputsOf, outputsOf, parameterColumns } from "./parameterColumns";

type RunScope = Pick<EnsembleScope, "metric" | "over">;

/** Scopes whose start is kept: the panel asks for it with every answer. */
const KEPT_STARTS = 4;
const known = new WeakMap<Ensemble, Map<string, ScalingStart>>();

/** Decided on all runs that have the metric, so that it stays the same whichever runs stay. */
export function scalingStart(ensemble: Ensemble, scope: RunScope): ScalingStart {
  const starts = entryOf(known, ensemble, () => new Map<string, ScalingStart>());
  const key = `${scope.metric} ${overRanksText(scope.over)}`;
  const start = starts.get(key) ?? findStart(ensemble, scope);
  keepNewest(starts, key, start, KEPT_STARTS);
  return start;
}

function findStart(ensemble: Ensemble, scope: RunScope): ScalingStart {
  const runs = runsThatStay(ensemble, scope);
  const offer = offerScaling(parameterColumns(ensemble, runs), outputsOf(ensemble));
  const column = inputsOf(ensemble, runs).find(({ name }) => name === offer.parameter);
  if (!column) return { ...offer, also: [], alsoText: "" };
  const having = runs.filter((_, at) => Number.isFinite(column.values[at]));
  const also = alsoDifferent(column.values.filter(Number.isFinite), inputsOf(ensemble, having));
  return { ...offer, also, alsoText: alsoDifferentText(column.name, also) };
}
