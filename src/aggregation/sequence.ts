/** The best partition of a sequence: of slices alone, without a hierarchy of resources. */
import type { Areas } from "./areas";
import { isBetter, leastBetter } from "./better";
import { intervalAt } from "./microscopicModel";

export interface CutSequence {
  /** Slices in which parts end, ascending. */
  readonly ends: readonly number[];
  readonly gain: number;
  readonly loss: number;
}

/**
 * The partition of slices with the largest Σ p · gain − (1 − p) · loss, from the last slice to the first: the best from a slice on is one part
 * up to the end, or one part up to some slice and the best from the next one on (the temporal recursion of section 4.3 of the formats). It takes
 * the square of the slices in time, and no memory but theirs, where the recursion over resources takes the cube and the square.
 *
 * @param strength p, 0 to 1
 */
export function bestSequence(
  slices: number,
  { gain, loss, whole = { gain: 1, loss: 1 } }: Areas,
  strength: number,
): CutSequence {
  const [share, rest] = [strength / whole.gain, (1 - strength) / whole.loss];
  const last = new Int32Array(slices);
  const [gains, losses, values] = [
    new Float64Array(slices + 1),
    new Float64Array(slices + 1),
    new Float64Array(slices + 1),
  ];
  for (let from = slices - 1; from >= 0; from--) {
    const row = intervalAt(slices, from, from) - from;
    const all = row + slices - 1;
    let end = slices - 1;
    let [ownGain, ownLoss] = [gain[all] / whole.gain, loss[all] / whole.loss];
    let value = strength * ownGain - (1 - strength) * ownLoss;
    let least = leastBetter(value);
    for (let to = from; to < slices - 1; to++) {
      const both = share * gain[row + to] - rest * loss[row + to] + values[to + 1];
      if (both < least) continue;
      const [bothGain, bothLoss] = [
        gain[row + to] / whole.gain + gains[to + 1],
        loss[row + to] / whole.loss + losses[to + 1],
      ];
      if (!isBetter(both, bothGain, bothLoss, value, ownGain, ownLoss)) continue;
      end = to;
      [ownGain, ownLoss, value] = [bothGain, bothLoss, both];
      least = leastBetter(both);
    }
    last[from] = end;
    gains[from] = ownGain;
    losses[from] = ownLoss;
    values[from] = value;
  }
  const ends: number[] = [];
  for (let from = 0; from < slices; from = last[from] + 1) ends.push(last[from]);
  return { ends, gain: gains[0], loss: losses[0] };
}
