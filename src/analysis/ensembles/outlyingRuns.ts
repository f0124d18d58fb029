import { finiteAscending, quantile, ROUNDING } from "./ascending";

/** Of a normal distribution's values, so many median absolute deviations are one standard deviation. */
const SCALE = 1.4826;

/** How many scaled deviations from the median are called outlying. */
const MOST_DEVIATIONS = 3;

/** What is usual, and who is not. */
export interface OutlyingRuns {
  readonly median: number;
  /** Median absolute deviation from the median, times 1.4826 (Rousseeuw and Croux, JASA 88 (1993)), in the values' unit. */
  readonly deviation: number;
  /**
   * Of each run, how many of these deviations it is from the median, with its sign; NaN without a value. Where more than half of the
   * runs have one value, the deviation is 0 and every other run infinitely many of them away.
   */
  readonly deviations: Float64Array;
  /** 1 for runs further from the median than 3 deviations. */
  readonly isOutlying: Uint8Array;
}

/** @param values one per run; NaN: none */
export function outlyingRuns(values: Float64Array): OutlyingRuns {
  const sorted = finiteAscending(values);
  const median = quantile(sorted, 0.5);
  const least = ROUNDING * sorted.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const fromMedian = (value: number) => (Math.abs(value - median) <= least ? 0 : value - median);
  const deviation = SCALE * quantile(finiteAscending(sorted.map((value) => Math.abs(fromMedian(value)))), 0.5);
  const deviations = values.map((value) => {
    if (!Number.isFinite(value)) return NaN;
    const distance = fromMedian(value);
    return distance === 0 ? 0 : distance / deviation;
  });
  const isOutlying = Uint8Array.from(deviations, (value) => (Math.abs(value) > MOST_DEVIATIONS ? 1 : 0));
  return { median, deviation, deviations, isOutlying };
}
