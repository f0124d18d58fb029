/** A coarser model of a trace from a finer one, without reading any event. */
import type { OverviewQuery } from "./overviewApi";
import { MOST_SLICES, uncoveredOf, valuesOf } from "./modelParts";
import type { TraceModel } from "./namedModel";

/** Of a slice: boundaries that are as near as that are one. */
const NEAR = 1e-9;

type Cut = Pick<OverviewQuery, "slices" | "metric" | "fromSeconds" | "toSeconds" | "without">;

/**
 * Exact, where slices are made of whole slices of the model. What values are made of is added up, means being of sums; so another metric of the
 * same states follows, too.
 *
 * @param endSeconds of the run: where the window ends unless told
 * @returns undefined where slices of the model do not make up those that are asked for
 */
export function foldedModel(model: TraceModel, query: Cut, endSeconds: number): TraceModel | undefined {
  const edges = edgesIn(model, query, endSeconds);
  if (!edges?.every((edge) => edge === Math.round(edge))) return undefined;
  const every = edges[1] - edges[0];
  if (every < 1 || edges.some((edge, at) => edge !== edges[0] + at * every)) return undefined;
  // Of a part of the window what is covered is known where all times are there.
  if (query.without && !isWhole(model, edges)) return undefined;
  return cutModel(model, query, edges, endSeconds);
}

/**
 * The nearest that a model can tell: what is in a slice of it that a boundary divides counts on both sides as its time does.
 *
 * @returns undefined where the model does not have all of the window
 */
export function nearestModel(model: TraceModel, query: Cut, endSeconds: number): TraceModel | undefined {
  const edges = edgesIn(model, query, endSeconds);
  return edges && cutModel(model, query, edges, endSeconds);
}

/** Where slices that are asked for begin, and the last one ends, in slices of the model; undefined: the model does not have all of the window. */
function edgesIn(model: TraceModel, query: Cut, endSeconds: number): readonly number[] | undefined {
  const { slices, fromSeconds = 0, toSeconds = endSeconds } = query;
  if (slices > MOST_SLICES) return undefined;
  const length = (model.toSeconds - model.fromSeconds) / model.slices;
  const edges = Array.from({ length: slices + 1 }, (_, at) => {
    const edge = (fromSeconds - model.fromSeconds + (at * (toSeconds - fromSeconds)) / slices) / length;
    const whole = Math.round(edge);
    return Math.abs(edge - whole) <= NEAR ? whole : edge;
  });
  return edges[0] >= 0 && edges[slices] <= model.slices && edges[slices] > edges[0] ? edges : undefined;
}

function isWhole({ slices }: TraceModel, edges: readonly number[]): boolean {
  return edges[0] === 0 && edges[edges.length - 1] === slices;
}

function cutModel(model: TraceModel, query: Cut, edges: readonly number[], endSeconds: number): TraceModel {
  const { slices, metric, fromSeconds = 0, toSeconds = endSeconds } = query;
  const rows = model.leaves * model.states;
  const cut = (column: Float64Array) => {
    const sums = new Float64Array(rows * slices);
    for (let row = 0, to = 0; row < rows; row++)
      for (let slice = 0; slice < slices; slice++, to++)
        sums[to] = sumBetween(column, row * model.slices, edges[slice], edges[slice + 1]);
    return sums;
  };
  const [amounts, counts] = [cut(model.amounts), cut(model.counts)];
  return {
    ...model,
    slices,
    amounts,
    counts,
    values: valuesOf(metric, amounts, counts),
    fromSeconds,
    toSeconds,
    uncoveredSeconds: isWhole(model, edges) ? model.uncoveredSeconds : uncoveredIn(),
  };

  function uncoveredIn(): number {
    const seconds = toSeconds - fromSeconds;
    // How much of what was left out is in this part is not known.
    if (query.without) return (model.uncoveredSeconds * seconds) / (model.toSeconds - model.fromSeconds);
    const covered = (metric === "variable" ? counts : amounts).reduce((sum, one) => sum + one, 0);
    return uncoveredOf(model.leaves * seconds, covered);
  }
}

/** The sum of a row's slices between two edges, of those at the ends the part between. */
function sumBetween(column: Float64Array, row: number, from: number, to: number): number {
  let sum = 0;
  for (let at = Math.floor(from); at < to; at++) {
    const part = Math.min(to, at + 1) - Math.max(from, at);
    sum += part === 1 ? column[row + at] : part * column[row + at];
  }
  return sum;
}
