/** What a part of a microscopic model is in most. */
import { compareNames } from "../model/strings";
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

/** Modes of parts of one model. */
export class Modes {
  /** States as they come where values are equal: by what they have in the whole model, then by name. */
  private readonly order: Int32Array;

  constructor(model: MicroscopicModel) {
    const { states, slices, values, names } = model;
    const totals = new Float64Array(states);
    for (let at = 0, row = 0; at < values.length; row++)
      for (const end = at + slices; at < end; at++) totals[row % states] += values[at];
    this.order = Int32Array.from({ length: states }, (_, state) => state);
    this.order.sort((a, b) => totals[b] - totals[a] || (names ? compareNames(names[a], names[b]) : 0) || a - b);
  }

  /** The state with the largest sum. @param sums by state */
  of(sums: Float64Array): Mode {
    let state = -1;
    for (const at of this.order) if (sums[at] > (state < 0 ? 0 : sums[state])) state = at;
    return { state, share: state < 0 ? 0 : sums[state] / sums.reduce((sum, one) => sum + one, 0) };
  }
}
