import { finiteAscending, isConstant, meanOf, quantile, ROUNDING, scaled, sumOf } from "./ascending";
import { RandomNumbers } from "./randomNumbers";

/** With three runs against three no p can be below 10 %. */
export const FEWEST_RUNS_A_SIDE = 4;

/** p up to here is called significant. */
export const SIGNIFICANT = 0.05;

/** Up to so many ways to divide the runs are all tried; of more, so many are drawn, the given one among them. */
const MOST_DIVISIONS = 10_000;

/** Any number would do; the same one gives the same p again. */
const SEED = 1993;

/** What is said of each function compared, in their order. */
export interface Significance {
  /** For all functions together: needs no further correction. */
  readonly p: Float64Array;
  /** Candidate runs above the median of the baseline's. */
  readonly slowerIn: Int32Array;
  /** How many candidate runs there are. */
  readonly of: number;
  /** Whether all divisions of the runs were tried: p is exact. */
  readonly isExact: boolean;
}

/**
 * Whether functions differ between two sets of runs: permutation test with the largest statistic of any function, Westfall and Young,
 * "Resampling-Based Multiple Testing" (1993), algorithm 2.8 in one step (semantics 10, Significance). The statistic of a function is
 * |difference of means| / standard deviation of all its values.
 *
 * @param baseline one column per run with one value per function, runs in the order of their names; NaN (not in this run) counts as 0
 * @param candidate as `baseline`
 * @returns undefined where a side has fewer than {@link FEWEST_RUNS_A_SIDE} runs
 */
export function significance(
  baseline: readonly Float64Array[],
  candidate: readonly Float64Array[],
): Significance | undefined {
  if (Math.min(baseline.length, candidate.length) < FEWEST_RUNS_A_SIDE) return undefined;
  const runs = [...baseline, ...candidate];
  const functions = runs[0].length;
  const scores = standardScores(runs, functions);
  // Scores sum up to 0, so either side's sum tells the difference of means: the shorter one is faster to add up.
  const isBaselineShorter = baseline.length <= candidate.length;
  const size = isBaselineShorter ? baseline.length : candidate.length;
  const given = Int32Array.from({ length: size }, (_, at) => (isBaselineShorter ? at : baseline.length + at));
  const own = new Float64Array(functions);
  addUp(scores, given, own);
  const isExact = binomial(runs.length, size) <= MOST_DIVISIONS;
  const largest: number[] = [];
  const sums = new Float64Array(functions);
  for (const side of isExact ? allDivisions(runs.length, size) : drawnDivisions(given, runs.length)) {
    addUp(scores, side, sums);
    largest.push(sums.reduce((most, sum) => Math.max(most, Math.abs(sum)), 0));
  }
  const ascending = Float64Array.from(largest).sort();
  return {
    p: own.map((sum) => shareFrom(ascending, Math.abs(sum))),
    slowerIn: slowerIn(baseline, candidate),
    of: candidate.length,
    isExact,
  };
}

/** Of each function, each run's deviation from the mean in standard deviations; 0 where all values are the same. Runs by functions. */
function standardScores(runs: readonly Float64Array[], functions: number): Float64Array[] {
  const scores = runs.map((column) => column.map((value) => (Number.isFinite(value) ? value : 0)));
  for (let at = 0; at < functions; at++) {
    const values = scaled(Float64Array.from(scores, (column) => column[at]));
    const sorted = finiteAscending(values);
    const mean = sumOf(sorted) / sorted.length;
    const deviation = isConstant(sorted) ? Infinity : Math.sqrt(meanOf(sorted.map((value) => (value - mean) ** 2)));
    for (const [run, column] of scores.entries()) column[at] = (values[run] - mean) / deviation;
  }
  return scores;
}

function addUp(scores: readonly Float64Array[], side: Int32Array, sums: Float64Array): void {
  sums.fill(0);
  for (const run of side) {
    const column = scores[run];
    for (let at = 0; at < sums.length; at++) sums[at] += column[at];
  }
}

/** Every choice of `size` of `count` runs, in the order of their numbers; the same array each time. */
function* allDivisions(count: number, size: number): Generator<Int32Array> {
  const side = Int32Array.from({ length: size }, (_, at) => at);
  for (;;) {
    yield side;
    let at = size - 1;
    while (at >= 0 && side[at] === count - size + at) at--;
    if (at < 0) return;
    side[at]++;
    for (let next = at + 1; next < size; next++) side[next] = side[next - 1] + 1;
  }
}

/** The given division, then as many drawn ones as make {@link MOST_DIVISIONS}. */
function* drawnDivisions(given: Int32Array, count: number): Generator<Int32Array> {
  yield given;
  const random = new RandomNumbers(SEED);
  const runs = Int32Array.from({ length: count }, (_, at) => at);
  for (let drawn = 1; drawn < MOST_DIVISIONS; drawn++) {
    random.shuffle(runs, 0, given.length);
    yield runs.subarray(0, given.length);
  }
}

/** The share of sums of scores that are at least `least`, but for rounding: also one that is 0 is as large as others that are. */
function shareFrom(ascending: Float64Array, least: number): number {
  const from = least - ROUNDING * Math.max(1, least);
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] >= from) high = middle;
    else low = middle + 1;
  }
  return (ascending.length - low) / ascending.length;
}

/** How many candidate runs are above the median of the baseline's, by function; columns as in {@link significance}. */
export function slowerIn(baseline: readonly Float64Array[], candidate: readonly Float64Array[]): Int32Array {
  const valueIn = (column: Float64Array, at: number) => (Number.isFinite(column[at]) ? column[at] : 0);
  return Int32Array.from(baseline[0], (_, at) => {
    const median = quantile(finiteAscending(baseline.map((column) => valueIn(column, at))), 0.5);
    return candidate.filter((column) => valueIn(column, at) - median > ROUNDING * Math.abs(median)).length;
  });
}

/** How many choices of `size` of `count` there are; exact below 2^53. */
function binomial(count: number, size: number): number {
  let choices = 1;
  for (let at = 1; at <= size; at++) choices = (choices * (count - size + at)) / at;
  return choices;
}
