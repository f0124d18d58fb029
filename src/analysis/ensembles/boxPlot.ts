import { finiteAscending, isConstant, quantile, ROUNDING, sumOf } from "./ascending";

/** How the (run × rank) values of a call site are spread (semantics 10, Box plot); in the values' unit where nothing else is said. */
export interface BoxPlot {
  /** How many values there are. */
  readonly values: number;
  readonly min: number;
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
  readonly max: number;
  /** The furthest values within 1.5 interquartile ranges of the quartiles. */
  readonly whiskers: readonly [low: number, high: number];
  /** Values beyond the whiskers, ascending. */
  readonly outliers: Float64Array;
  readonly mean: number;
  /** Of the population, in the unit's square. */
  readonly variance: number;
  /** Largest value by mean; NaN where the mean is not positive, and of one value. */
  readonly imbalance: number;
  /** Of the population, no unit; NaN with fewer than three values or without spread. */
  readonly skewness: number;
  /** In excess of the normal distribution's, as `skewness`. */
  readonly kurtosis: number;
}

/** How far whiskers reach, in interquartile ranges (Tukey, "Exploratory Data Analysis", 1977). */
const REACH = 1.5;

/**
 * @param values in any order; those that are not finite are runs or ranks without a value
 * @returns undefined where there is no value
 */
export function boxPlot(values: Iterable<number>): BoxPlot | undefined {
  const sorted = finiteAscending(values);
  const count = sorted.length;
  if (count === 0) return undefined;
  const [q1, median, q3] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
  // What is as far is within reach in any unit.
  const reach = REACH * (q3 - q1) + ROUNDING * Math.max(Math.abs(q1), Math.abs(q3));
  // Few lie beyond: they are counted from both ends.
  const first = sorted.findIndex((value) => value >= q1 - reach);
  const last = sorted.findLastIndex((value) => value <= q3 + reach);
  const { mean, ...moments } = momentsOf(sorted);
  const max = sorted[count - 1];
  return {
    values: count,
    min: sorted[0],
    q1,
    median,
    q3,
    max,
    whiskers: [sorted[first], sorted[last]],
    outliers: joined(sorted.subarray(0, first), sorted.subarray(last + 1)),
    mean,
    ...moments,
    imbalance: mean > 0 && count > 1 ? max / mean : NaN,
  };
}

function joined(low: Float64Array, high: Float64Array): Float64Array {
  const both = new Float64Array(low.length + high.length);
  both.set(low);
  both.set(high, low.length);
  return both;
}

/** Of {@link boxPlot} the imbalance alone, in one pass. @param values those that are not finite are runs or ranks without a value */
export function imbalanceOf(values: Float64Array): number {
  let [count, sum, max] = [0, 0, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    count++;
    sum += value;
    max = Math.max(max, value);
  }
  return sum > 0 && count > 1 ? max / (sum / count) : NaN;
}

/**
 * Mean, and the population's variance, skewness g1 and excess kurtosis g2 (Joanes and Gill, "Comparing measures of sample skewness
 * and kurtosis", The Statistician 47 (1998), equations 1 and 2), which R's package e1071 calls type 1.
 *
 * @param sorted at least one value
 */
export function momentsOf(sorted: Float64Array): Pick<BoxPlot, "mean" | "variance" | "skewness" | "kurtosis"> {
  const count = sorted.length;
  const mean = sumOf(sorted) / count;
  if (isConstant(sorted)) return { mean, variance: 0, skewness: NaN, kurtosis: NaN };
  // Parts of the largest deviation: no power of them leaves the range of numbers.
  const largest = Math.max(sorted[count - 1] - mean, mean - sorted[0]);
  // One loop: a box plot of an ensemble has thousands of values, and there are as many functions.
  const sums = [0, 0, 0];
  for (const value of sorted) {
    const deviation = (value - mean) / largest;
    const square = deviation * deviation;
    sums[0] += square;
    sums[1] += square * deviation;
    sums[2] += square * square;
  }
  const [second, third, fourth] = sums.map((sum) => sum / count);
  return {
    mean,
    variance: second * largest * largest,
    skewness: count < 3 ? NaN : third / second ** 1.5,
    kurtosis: count < 3 ? NaN : fourth / second ** 2 - 3,
  };
}
