import { NONE } from "../model/ids";
import type { Members } from "../model/members";
import type { SparseValues } from "../model/values";

/**
 * One number per member for a set of contexts: the sum of their exclusive values, in the metric's unit. Values that are not
 * finite are left out, and so are those of no member.
 *
 * @param contexts which contexts count, as half-open ranges of the preorder (`[context, end[context])` is a subtree)
 */
export function sumsByMember(
  { rowStart, column, value }: SparseValues,
  { keys, of }: Pick<Members, "keys" | "of">,
  contexts: Iterable<readonly [from: number, to: number]>,
): Float64Array {
  const sums = new Float64Array(keys.length);
  for (const [from, to] of contexts) {
    for (let at = rowStart[from]; at < rowStart[to]; at++) {
      const member = of[column[at]];
      if (member !== NONE && Number.isFinite(value[at])) sums[member] += value[at];
    }
  }
  return sums;
}
