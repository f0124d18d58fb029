/** What a part of a microscopic model is in most. */
import type { MicroscopicModel } from "./microscopicModel";

/** A part's mode and its share (semantics 11); -1 and 0 where the part is empty. */
export interface Mode {
  readonly state: number;
  readonly share: number;
}

/** Sums by state over some leaves and a stretch of slices, both ends included. */
export function sumsOf(
  { states, slices, values }: MicroscopicModel,
  leaves: Iterable<number>,
  start: number,
  end: number,
): Float64Array {
  const sums = new Float64Array(states);
  for (const leaf of leaves)
    for (let state = 0; state < states; state++) {
      const first = (leaf * states + state) * slices;
      for (let slice = start; slice <= end; slice++) sums[state] += values[first + slice];
    }
  return sums;
}

/** The state with the largest sum; of equal ones the first: states stand by what they are in the whole model, then by name. */
export function modeOf(sums: Float64Array): Mode {
  let [state, total] = [-1, 0];
  for (let at = 0; at < sums.length; at++) {
    total += sums[at];
    if (sums[at] > (state < 0 ? 0 : sums[state])) state = at;
  }
  return { state, share: state < 0 ? 0 : sums[state] / total };
}
