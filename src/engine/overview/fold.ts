/** A coarser model of a trace from a finer one, where its slices are made of whole slices of that one: exactly, without reading any event. */
import type { OverviewQuery } from "./overviewApi";
import { type TraceModel, valuesOf } from "./modelParts";

/** Of a slice: boundaries that are as near as that are one. */
const NEAR = 1e-9;

/**
 * What values are made of is added up, means being of sums; so another metric of the same states follows, too.
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
  const length = (model.toSeconds - model.fromSeconds) / model.slices;
  const every = Math.round((toSeconds - fromSeconds) / slices / length);
  const first = Math.round((fromSeconds - model.fromSeconds) / length);
  const last = first + every * slices;
  if (every < 1 || first < 0 || last > model.slices) return undefined;
  const isAt = (slice: number, seconds: number) =>
    Math.abs(model.fromSeconds + slice * length - seconds) <= NEAR * length;
  if (!isAt(first, fromSeconds) || !isAt(last, toSeconds)) return undefined;
  const rows = model.leaves * model.states;
  const folded = (column: Float64Array) => {
    const sums = new Float64Array(rows * slices);
    for (let row = 0; row < rows; row++)
      for (let slice = 0, from = row * model.slices + first; slice < slices; slice++, from += every) {
        let sum = 0;
        for (let at = from; at < from + every; at++) sum += column[at];
        sums[row * slices + slice] = sum;
      }
    return sums;
  };
  const [amounts, counts] = [folded(model.amounts), folded(model.counts)];
  const isWhole = first === 0 && last === model.slices;
  // Of a part of the window what is covered is known where all times are there.
  if (!isWhole && query.without) return undefined;
  const covered = (metric === "variable" ? counts : amounts).reduce((sum, one) => sum + one, 0);
  const uncovered = Math.max(0, model.leaves * (toSeconds - fromSeconds) - covered);
  return {
    ...model,
    ...{ slices, amounts, counts, values: valuesOf(metric, amounts, counts), fromSeconds, toSeconds },
    uncoveredSeconds: isWhole ? model.uncoveredSeconds : uncovered,
  };
}
