import { ROUNDING } from "./ascending";
import { RandomNumbers } from "./randomNumbers";
import { SIGNIFICANT } from "./significance";

/** Where the values of a series change. */
export interface ChangePoint {
  /** Index of the first value after the change. */
  readonly at: number;
  /** The share of permutations, the given order among them, that part at least as much; up to 0.05. */
  readonly p: number;
}

/** So many permutations are drawn in each test. */
const PERMUTATIONS = 999;

/** A segment has at least so many values. */
const FEWEST_VALUES = 3;

/** Any number would do; the same one gives the same change points again. */
const SEED = 2014;

/** Sums of distances in another order differ by less, as a share of them. */
const SUM_ROUNDING = 1e-9;

/**
 * Change points of a series by E-Divisive: Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of
 * Multivariate Data", Journal of the American Statistical Association 109 (2014), with α = 1. Segments are parted where the statistic
 * Q̂ (their equation 5) of the values before τ and those from τ to κ is largest over all τ, κ (equation 7) and segments, until such a
 * parting is no longer significant: values are permuted within segments (section 2.4). Their p does not count the given order; here it is
 * one of the 1,000.
 *
 * @param values finite, one per run, any unit
 * @param isBorder 1 at the index of each value before which a segment may end
 * @returns in the order of the series
 */
export function changePoints(values: Float64Array, isBorder: Uint8Array): ChangePoint[] {
  const random = new RandomNumbers(SEED);
  const borders = [0, values.length];
  const found: ChangePoint[] = [];
  const parting = new PartingSearch(values, isBorder);
  for (;;) {
    const best = largestParting(borders, (from, to) => parting.best(values, from, to));
    if (!(best.q > 0)) break;
    const p = permutationP(values, borders, best.q, parting, random);
    if (p > SIGNIFICANT) break;
    found.push({ at: best.at, p });
    borders.push(best.at);
    borders.sort((a, b) => a - b);
  }
  return found.sort((a, b) => a.at - b.at);
}

/** A way to part a segment, and how unlike its parts are; q is -Infinity where there is none. */
interface Parting {
  readonly at: number;
  readonly q: number;
}

const NO_PARTING: Parting = { at: -1, q: -Infinity };

function largestParting(borders: readonly number[], best: (from: number, to: number) => Parting): Parting {
  let largest = NO_PARTING;
  for (let segment = 0; segment + 1 < borders.length; segment++) {
    const next = best(borders[segment], borders[segment + 1]);
    if (next.q > largest.q) largest = next;
  }
  return largest;
}

/** Stops, with a p that is larger than what counts, where more permutations would change nothing about that. */
function permutationP(
  values: Float64Array,
  borders: readonly number[],
  q: number,
  parting: PartingSearch,
  random: RandomNumbers,
): number {
  const permuted = values.slice();
  let reached = 1;
  for (let drawn = 0; drawn < PERMUTATIONS; drawn++) {
    for (let segment = 0; segment + 1 < borders.length; segment++)
      random.shuffle(permuted, borders[segment], permuted.length, borders[segment + 1]);
    const largest = largestParting(borders, (from, to) => parting.best(permuted, from, to));
    if (largest.q >= q * (1 - SUM_ROUNDING)) reached++;
    if (reached > SIGNIFICANT * (PERMUTATIONS + 1)) break;
  }
  return reached / (PERMUTATIONS + 1);
}

/** Finds the best parting of a segment; keeps its working memory, as it is asked thousands of times. */
class PartingSearch {
  /** Of each value, its distances from the values before it in the segment, summed up: one row per value. */
  private sums = new Float64Array();
  /** Distances up to here are rounding. */
  private readonly least: number;

  constructor(
    values: Float64Array,
    private readonly isBorder: Uint8Array,
  ) {
    this.least = ROUNDING * values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  }

  /** @param values those of the constructor, in any order */
  best(values: Float64Array, from: number, to: number): Parting {
    const size = to - from;
    if (size < 2 * FEWEST_VALUES) return NO_PARTING;
    this.sumUpDistances(values, from, size);
    let best = NO_PARTING;
    let before = 0;
    for (let left = 1; left <= size - FEWEST_VALUES; left++) {
      // Distances within the first `left` values.
      before += this.sums[(left - 1) * size + left - 1];
      if (left < FEWEST_VALUES || this.isBorder[from + left] === 0) continue;
      let [between, after] = [0, 0];
      for (let value = left, right = 1; value < size; value++, right++) {
        const [toLeft, toAll] = [this.sums[value * size + left], this.sums[value * size + value]];
        between += toLeft;
        after += toAll - toLeft;
        if (right < FEWEST_VALUES) continue;
        const energy = (2 * between) / (left * right) - (2 * before) / (left * (left - 1)) - (2 * after) / (right * (right - 1)); // oxfmt-ignore
        const q = (energy * left * right) / (left + right);
        if (q > best.q) best = { at: from + left, q };
      }
    }
    return best;
  }

  /** Of value v, the sum of its distances from the first i values, at v · size + i, for i up to v. */
  private sumUpDistances(values: Float64Array, from: number, size: number): void {
    if (this.sums.length < size * size) this.sums = new Float64Array(size * size);
    for (let value = 1; value < size; value++) {
      let sum = 0;
      this.sums[value * size] = 0;
      for (let other = 0; other < value; other++) {
        const distance = Math.abs(values[from + value] - values[from + other]);
        if (distance > this.least) sum += distance;
        this.sums[value * size + other + 1] = sum;
      }
    }
    this.sums[0] = 0;
  }
}
