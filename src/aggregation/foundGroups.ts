/** Finds groups of neighbouring leaves in the data of a model without a recorded hierarchy. */
import type { Task } from "../model/task";
import { EQUAL } from "./better";
import type { MicroscopicModel } from "./microscopicModel";
import { separation, cutInTwo, canSeparate } from "./twoSides";

/** Groups of `count` neighbours, with the state and slice that part them best. */
export interface FoundGroups {
  readonly count: number;
  readonly state: number;
  readonly slice: number;
  /** Silhouette times difference of shares. */
  readonly strength: number;
}

/** Brings leaves into random order. */
export interface Shuffler {
  shuffle(items: Int32Array, from: number, chosen: number): void;
}

/** Models with fewer leaves are not grouped. */
const MIN_LEAVES = 32;
/** Leaves of the smallest groups. */
const MIN_COUNT = 4;
const MIN_GROUPS = 4;
/** Random orders of the leaves. In none of them may groups be parted as well as in the recorded order. */
const SHUFFLES = 99;

/** Shares of one state in one slice, by leaf in recorded order. */
interface Row {
  readonly state: number;
  readonly slice: number;
  readonly shares: Float64Array;
  /** Upper bound of the strength, whatever the order of the leaves. */
  readonly most: number;
}

/** Returns the sizes 4, 8, 16 … that part the leaves into at least four equal groups. */
export function countsOf(leaves: number): number[] {
  const counts: number[] = [];
  if (leaves < MIN_LEAVES) return counts;
  for (let count = MIN_COUNT; leaves % count === 0 && leaves / count >= MIN_GROUPS; count *= 2) counts.push(count);
  return counts;
}

/**
 * Finds the groups of 4, 8, 16 … neighbours whose mean shares of one state in one slice differ most. They count only if random orders of
 * the leaves never give groups that differ as much (permutation test at 1 %).
 *
 * @param whole seconds of a slice; shares are relative to it
 * @param order leaves in recorded order
 * @returns undefined if no groups are found
 * @throws CancelledError
 */
export function foundGroups(
  model: MicroscopicModel,
  whole: number,
  order: Int32Array,
  random: Shuffler,
  task?: Task,
): FoundGroups | undefined {
  const counts = countsOf(order.length);
  if (counts.length === 0) return undefined;
  const rows = rowsOf(model, whole, order);
  const found = bestOf(rows, counts, Int32Array.from(order.keys()), 0);
  if (!found) return undefined;
  // Differences by rounding do not count.
  const asGood = found.strength * (1 - EQUAL);
  const likely = rows.filter(({ most }) => most >= asGood);
  for (let at = 0; at < SHUFFLES; at++) {
    task?.check();
    const places = Int32Array.from(order.keys());
    random.shuffle(places, 0, places.length);
    if (bestOf(likely, counts, places, asGood)) return undefined;
  }
  return found;
}

function rowsOf({ states, slices, values }: MicroscopicModel, whole: number, order: Int32Array): Row[] {
  const rows: Row[] = [];
  for (let state = 0; state < states; state++)
    for (let slice = 0; slice < slices; slice++) {
      const shares = new Float64Array(order.length);
      for (let at = 0; at < shares.length; at++)
        shares[at] = values[(order[at] * states + state) * slices + slice] / whole;
      const ascending = shares.toSorted();
      const last = ascending.length - 1;
      if (!canSeparate(ascending[0], ascending[last])) continue;
      let most = 0;
      for (let at = 0; at < MIN_COUNT; at++) most += (ascending[last - at] - ascending[at]) / MIN_COUNT;
      if (canSeparate(0, most)) rows.push({ state, slice, shares, most });
    }
  return rows;
}

/** The groups that are apart most, `least` at least; of equal ones the largest groups, then as rows come. */
function bestOf(
  rows: readonly Row[],
  counts: readonly number[],
  places: Int32Array,
  least: number,
): FoundGroups | undefined {
  const best = new Array<FoundGroups | undefined>(counts.length);
  for (const { state, slice, shares } of rows) {
    // Groups of twice as many are pairs of groups.
    let sums: Float64Array = new Float64Array(places.length / MIN_COUNT);
    for (let at = 0; at < places.length; at++) sums[Math.floor(at / MIN_COUNT)] += shares[places[at]];
    counts.forEach((count, size) => {
      if (size > 0) sums = ofPairs(sums);
      const ascending = sums.map((sum) => sum / count).sort();
      const range = ascending[ascending.length - 1] - ascending[0];
      // The means of both sides are between the ends, and no silhouette is above 1.
      if (!canSeparate(0, range) || range < least) return;
      const strength = separation(cutInTwo(ascending));
      if (strength > 0 && strength >= least && strength > (best[size]?.strength ?? 0) * (1 + EQUAL))
        best[size] = { count, state, slice, strength };
    });
  }
  return best.reduceRight<FoundGroups | undefined>(
    (found, one) => (one && one.strength > (found?.strength ?? 0) * (1 + EQUAL) ? one : found),
    undefined,
  );
}

function ofPairs(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length / 2);
  for (let at = 0; at < sums.length; at++) sums[at] = values[2 * at] + values[2 * at + 1];
  return sums;
}
