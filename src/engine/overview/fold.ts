/** A coarser model of a trace from a finer one, where its slices are made of whole slices of that one: exactly, without reading any event. */
import type { OverviewQuery } from "./overviewApi";
import type { TraceModel } from "./traceModel";

/** Of a slice: boundaries that are as near as that are one. */
const NEAR = 1e-9;

/**
 * Times and numbers of events are added up. Means are of time and number, which the model does not have: they are not folded.
 *
 * @param endSeconds of the run: where the window ends unless told
 * @returns undefined where slices of the model do not make up those that are asked for
 */
export function foldedModel(
  model: TraceModel,
  query: Pick<OverviewQuery, "slices" | "metric" | "fromSeconds" | "toSeconds" | "without">,
  endSeconds: number,
): TraceModel | undefined {
  const { slices, metric, fromSeconds = 0, toSeconds = endSeconds } = query;
  if (metric === "mean") return undefined;
  const length = (model.toSeconds - model.fromSeconds) / model.slices;
  const every = Math.round((toSeconds - fromSeconds) / slices / length);
  const first = Math.round((fromSeconds - model.fromSeconds) / length);
  const last = first + every * slices;
  if (every < 1 || first < 0 || last > model.slices) return undefined;
  const isAt = (slice: number, seconds: number) =>
    Math.abs(model.fromSeconds + slice * length - seconds) <= NEAR * length;
  if (!isAt(first, fromSeconds) || !isAt(last, toSeconds)) return undefined;
  const rows = model.leaves * model.states;
  const values = new Float64Array(rows * slices);
  let covered = 0;
  for (let row = 0; row < rows; row++)
    for (let slice = 0; slice < slices; slice++) {
      let sum = 0;
      const from = row * model.slices + first + slice * every;
      for (let at = from; at < from + every; at++) sum += model.values[at];
      values[row * slices + slice] = sum;
      covered += sum;
    }
  const isWhole = first === 0 && last === model.slices;
  // Of a part of the window what is covered is known where all times are there.
  if (!isWhole && (metric !== "duration" || query.without)) return undefined;
  const uncovered = Math.max(0, model.leaves * (toSeconds - fromSeconds) - covered);
  return {
    ...model,
    ...{ slices, values, fromSeconds, toSeconds },
    uncoveredSeconds: isWhole ? model.uncoveredSeconds : uncovered,
  };
}
