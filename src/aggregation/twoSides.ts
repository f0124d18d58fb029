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

/** What differs so is told apart: silhouettes, and differences of shares, from here on. */
const LEAST_SILHOUETTE = 0.9;
const LEAST_DIFFERENCE = 0.1;
/** What rounding takes from either. */
const ROUNDING = 1e-9;

/** @returns the silhouette times the difference; 0 where that is too little to tell both sides apart */
export function apartness({ silhouette, difference }: TwoSides): number {
  const isApart = silhouette >= LEAST_SILHOUETTE - ROUNDING && difference >= LEAST_DIFFERENCE - ROUNDING;
  return isApart ? silhouette * difference : 0;
}

/** Whether values may be told apart at all: both means are between the ends. */
export function mayBeApart(least: number, largest: number): boolean {
  return largest - least >= LEAST_DIFFERENCE - ROUNDING;
}

/** Least squares; of equal cuts the lower one. @param ascending two values at least */
export function inTwo(ascending: Float64Array): TwoSides {
  const count = ascending.length;
  // Sums from the least value on: rounding is of their range, however far that is from 0.
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

/** Of ascending values and their sums, distances are sums of what is below less sums of what is above. */
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
