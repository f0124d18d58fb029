/** Values in two, so that each side is as alike as can be, and how well that parts them. */
import { EQUAL } from "./better";

/** Ascending values up to `low` are one side. */
export interface TwoSides {
  readonly low: number;
  /** Mean silhouette (Rousseeuw 1987), from -1 to 1; a value that is a side by itself counts as 0. */
  readonly silhouette: number;
  /** Between the means of both sides. */
  readonly difference: number;
}

/** Minimum silhouette, and minimum difference of shares, for two sides to count as different. */
const MIN_SILHOUETTE = 0.9;
const MIN_DIFFERENCE = 0.1;
/** Tolerance for rounding of both. */
const ROUNDING = 1e-9;

/** @returns the silhouette times the difference; 0 if either is too small for the sides to count as different */
export function separation({ silhouette, difference }: TwoSides): number {
  const isApart = silhouette >= MIN_SILHOUETTE - ROUNDING && difference >= MIN_DIFFERENCE - ROUNDING;
  return isApart ? silhouette * difference : 0;
}

/** Whether values can have two sides at all. The difference of means is at most that of the smallest and largest value. */
export function canSeparate(least: number, largest: number): boolean {
  return largest - least >= MIN_DIFFERENCE - ROUNDING;
}

/** Least squares; of equal cuts the lower one. @param ascending two values at least */
export function cutInTwo(ascending: Float64Array): TwoSides {
  const count = ascending.length;
  // Sums of distances from the smallest value: rounding then depends on the range, however far it is from 0.
  const sums = new Float64Array(count + 1);
  for (let at = 0; at < count; at++) sums[at + 1] = sums[at] + (ascending[at] - ascending[0]);
  const differenceAt = (low: number) => (sums[count] - sums[low]) / (count - low) - sums[low] / low;
  let [best, most] = [1, -1];
  for (let low = 1; low < count; low++) {
    const between = low * (count - low) * differenceAt(low) ** 2;
    if (between > most * (1 + EQUAL)) [best, most] = [low, between];
  }
  return { low: best, silhouette: silhouetteOf(ascending, sums, best), difference: differenceAt(best) };
}

/** Silhouette in linear time. Ascending values and their prefix sums give the sum of distances on each side of a value. */
function silhouetteOf(ascending: Float64Array, sums: Float64Array, low: number): number {
  const count = ascending.length;
  let silhouettes = 0;
  for (let at = 0; at < count; at++) {
    const [from, to] = at < low ? [0, low] : [low, count];
    if (to - from === 1) continue;
    const value = ascending[at] - ascending[0];
    const below = value * (at - from) - (sums[at] - sums[from]);
    const above = sums[to] - sums[at + 1] - value * (to - at - 1);
    const own = Math.max(0, below + above) / (to - from - 1);
    const others = count - (to - from);
    const other = Math.abs(sums[count] - sums[to] + sums[from] - others * value) / others;
    const larger = Math.max(own, other);
    if (larger > 0) silhouettes += (other - own) / larger;
  }
  return silhouettes / count;
}
