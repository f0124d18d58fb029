import { NONE } from "../model/ids";

/** How many of some values lie where. Bin `b` holds `edges[b] <= value < edges[b + 1]`, the last one its upper edge too. */
export interface Histogram {
  /** One more than bins, ascending, in the values' unit; the first and the last are minimum and maximum. Empty without values. */
  readonly edges: Float64Array;
  /** Values in each bin. */
  readonly counts: Int32Array;
  /** Bin of each value; {@link NONE} of one that is not finite. */
  readonly binOf: Int32Array;
  /** Values that are not finite: they are in no bin. */
  readonly leftOut: number;
}

/**
 * A histogram with bins of equal width from the smallest value to the largest. Values that are all equal make one bin.
 *
 * @param bins how many, at least 1
 */
export function histogram(values: Float64Array, bins: number): Histogram {
  let [least, most, finite] = [Infinity, -Infinity, 0];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    finite++;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const edges = finite === 0 ? new Float64Array() : edgesOf(least, most, least === most ? 1 : bins);
  const counts = new Int32Array(Math.max(0, edges.length - 1));
  const binOf = Int32Array.from(values, (value) => (Number.isFinite(value) ? binAt(edges, value) : NONE));
  for (const bin of binOf) if (bin !== NONE) counts[bin]++;
  return { edges, counts, binOf, leftOut: values.length - finite };
}

function edgesOf(least: number, most: number, bins: number): Float64Array {
  const edges = new Float64Array(bins + 1).fill(least);
  for (let at = 1; at < bins; at++) {
    // As a mixture, since the distance of two values may be more than a number can hold.
    const edge = least * (1 - at / bins) + most * (at / bins);
    // Rounding must not turn edges round.
    edges[at] = Math.min(most, Math.max(edges[at - 1], edge));
  }
  edges[bins] = most;
  return edges;
}

/** The bin of a value between the outer edges: by halves, so that it agrees with the edges whatever rounding made of them. */
function binAt(edges: Float64Array, value: number): number {
  let [from, to] = [0, edges.length - 2];
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if (value >= edges[middle]) from = middle;
    else to = middle - 1;
  }
  return from;
}
