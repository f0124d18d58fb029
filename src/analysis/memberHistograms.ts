import { NONE } from "../model/ids";
import { histogram } from "./histogram";
import { rankSpread } from "./rankStatistics";

/** How one number is spread over members, small enough to be drawn on a bar. Values in the metric's unit. */
export interface MemberHistogram {
  /** Smallest, mean and largest of the members that count. */
  readonly minimum: number;
  readonly mean: number;
  readonly maximum: number;
  /** Index of the member with the largest value; the first where several are equal. */
  readonly slowest: number;
  /** Outer edges of the bins, which are those of all members: parts of one bar have the same bins. */
  readonly from: number;
  readonly to: number;
  /** Members that count in each bin; one bin where all members have one value. */
  readonly counts: readonly number[];
}

/**
 * @param values one per member, finite
 * @param counting indices of the members that count, at least one
 */
export function memberHistogram(values: Float64Array, counting: Int32Array, bins: number): MemberHistogram {
  const { edges, binOf } = histogram(values, bins);
  const counts = Array.from({ length: edges.length - 1 }, () => 0);
  for (const member of counting) if (binOf[member] !== NONE) counts[binOf[member]]++;
  const { minimum, mean, maximum, slowest } = rankSpread(Float64Array.from(counting, (member) => values[member]));
  return {
    minimum,
    mean,
    maximum,
    slowest: counting[slowest],
    from: edges[0],
    to: edges[edges.length - 1],
    counts,
  };
}
