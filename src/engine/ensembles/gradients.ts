/** Heights, flow ends, gradients and percentiles of an ensemble's bars, of the runs that stay (semantics 10, Bar and Flow). */
import type { EnsembleGradients, EnsembleTarget, EnsembleValue } from "./ensembleApi";
import type { RunValues } from "./runValues";

/** The largest value of each row over some columns; NaN where none of them has one. */
export function largestOf(rows: number, values: Float64Array, runs: number, chosen: Int32Array): Float64Array {
  const largest = new Float64Array(rows).fill(NaN);
  for (let row = 0; row < rows; row++)
    for (const run of chosen) {
      const value = values[row * runs + run];
      if (!(value <= largest[row]) && !Number.isNaN(value)) largest[row] = value;
    }
  return largest;
}

/** How many of some columns have a value, by row. */
export function countsOf(rows: number, values: Float64Array, runs: number, chosen: Int32Array): Int32Array {
  const counts = new Int32Array(rows);
  for (let row = 0; row < rows; row++)
    for (const run of chosen) if (!Number.isNaN(values[row * runs + run])) counts[row]++;
  return counts;
}

/** What is missing as 0. */
export function orZero(values: Float64Array): Float64Array {
  return values.map((value) => (Number.isNaN(value) ? 0 : value));
}

/**
 * The bin of a value on an axis from 0: one of equal width, a value on an edge belongs to the upper one, the largest to the last, a
 * negative one to the first. @param to positive
 */
export function binOf(value: number, to: number, bins: number): number {
  const edge = (bin: number) => (to * bin) / bins;
  let bin = Math.min(bins - 1, Math.max(0, Math.floor((value / to) * bins)));
  // What division has rounded is decided by the edges themselves.
  while (bin < bins - 1 && value >= edge(bin + 1)) bin++;
  while (bin > 0 && value < edge(bin)) bin--;
  return bin;
}

export function gradientsOf(
  values: RunValues,
  value: EnsembleValue,
  chosen: Int32Array,
  bins: number,
): EnsembleGradients {
  const rows = values.bars[value];
  const size = rows.length / Math.max(1, values.runs);
  const to = orZero(largestOf(size, rows, values.runs, chosen));
  const counts = new Int32Array(size * bins);
  for (let bar = 0; bar < size; bar++) {
    if (!(to[bar] > 0)) continue;
    for (const run of chosen) {
      const own = rows[bar * values.runs + run];
      if (!Number.isNaN(own)) counts[bar * bins + binOf(own, to[bar], bins)]++;
    }
  }
  return { value, bins, to, counts, fullest: counts.reduce((most, count) => Math.max(most, count), 0) };
}

/** The share of a bar's height that each flow takes: of what all flows on that side of it have together, or its own largest. */
export function flowEnds(bar: Int32Array, most: Float64Array, height: Float64Array): Float64Array {
  const together = new Float64Array(height.length);
  bar.forEach((own, edge) => (together[own] += Math.max(0, most[edge])));
  return most.map((own, edge) => {
    const all = Math.max(together[bar[edge]], height[bar[edge]]);
    return all > 0 ? Math.max(0, own) / all : 0;
  });
}

/** The share of runs with a value that is not larger than one's own; NaN: there is none. @param values NaN of runs without one */
export function percentileOf(own: number, values: ArrayLike<number>): number {
  let [have, notLarger] = [0, 0];
  for (let at = 0; at < values.length; at++) {
    if (Number.isNaN(values[at])) continue;
    have++;
    if (values[at] <= own) notLarger++;
  }
  return have === 0 || Number.isNaN(own) ? NaN : notLarger / have;
}

export function targetOf(
  values: RunValues,
  value: EnsembleValue,
  run: number,
  chosen: Int32Array,
  mostOfEdges: Float64Array,
): EnsembleTarget {
  const { runs } = values;
  const column = (rows: Float64Array) =>
    Float64Array.from({ length: rows.length / runs }, (_, row) => rows[row * runs + run]);
  const rows = values.bars[value];
  const others = new Float64Array(chosen.length);
  const percentile = column(rows).map((mine, bar) => {
    for (let at = 0; at < chosen.length; at++) others[at] = rows[bar * runs + chosen[at]];
    return percentileOf(mine, others);
  });
  const edges = column(values.edges);
  const flow = edges.map((weight, edge) =>
    weight > 0 && mostOfEdges[edge] > 0 ? Math.min(1, weight / mostOfEdges[edge]) : 0,
  );
  return {
    run,
    inclusive: column(values.bars.inclusive),
    exclusive: column(values.bars.exclusive),
    percentile,
    edges,
    flow,
  };
}
