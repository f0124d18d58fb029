/** How two values of the same things go together: Pearson's correlation, and the line of least squares. */

/** What can be said of pairs of values; in all cases how many pairs counted, and how many have a value that is not finite. */
export type Correlation = { readonly points: number; readonly leftOut: number } & (
  | {
      readonly kind: "line";
      /** Pearson's correlation, -1 to 1. */
      readonly r: number;
      /** Of y over x, in y's unit by x's. */
      readonly slope: number;
      /** Of y at x = 0, in y's unit. */
      readonly intercept: number;
    }
  | { readonly kind: "too-few" }
  | {
      readonly kind: "constant";
      /** Whose values are all equal. */
      readonly constant: "x" | "y" | "both";
    }
);

/** Through two points there always is a line, which says nothing. */
export const FEWEST_POINTS = 3;

/** Values that differ by less than this part of the largest differ by rounding: what they go together with is chance. */
const ROUNDING = 1e-12;

/**
 * Correlation and best-fit line of pairs of values.
 *
 * Sums of products of deviations from the mean, in two passes with the mean corrected by the rounding that the first left
 * in it: Chan, Golub and LeVeque, "Algorithms for computing the sample variance", The American Statistician 37 (1983),
 * 242-247, equation 1.7. Deviations are scaled to at most 1, so that no square leaves the range of numbers.
 *
 * @param x any unit
 * @param y any unit, as many as `x`
 */
export function correlation(x: Float64Array, y: Float64Array): Correlation {
  const isPair = (at: number) => Number.isFinite(x[at]) && Number.isFinite(y[at]);
  const [ofX, ofY] = [spreadOf(x, isPair), spreadOf(y, isPair)];
  const counted = { points: ofX.count, leftOut: x.length - ofX.count };
  if (ofX.count < FEWEST_POINTS) return { ...counted, kind: "too-few" };
  if (ofX.half === 0 || ofY.half === 0)
    return { ...counted, kind: "constant", constant: ofX.half !== 0 ? "y" : ofY.half !== 0 ? "x" : "both" };
  let [xx, yy, xy, restX, restY] = [0, 0, 0, 0, 0];
  for (let at = 0; at < x.length; at++) {
    if (!isPair(at)) continue;
    const dx = deviation(x[at], ofX);
    const dy = deviation(y[at], ofY);
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
    restX += dx;
    restY += dy;
  }
  // What the means lack of being exact; zero without rounding.
  xx -= (restX * restX) / ofX.count;
  yy -= (restY * restY) / ofX.count;
  xy -= (restX * restY) / ofX.count;
  const r = Math.max(-1, Math.min(1, xy / (Math.sqrt(xx) * Math.sqrt(yy))));
  const slope = finite((xy / xx) * (ofY.half / ofX.half));
  const meanX = ofX.mean + (restX / ofX.count) * 2 * ofX.half;
  const meanY = ofY.mean + (restY / ofX.count) * 2 * ofY.half;
  return { ...counted, kind: "line", r, slope, intercept: finite(meanY - slope * meanX) };
}

/** Standard deviation by mean, of the values that are finite: 0 where these are equal but for rounding. */
export function coefficientOfVariation(values: Float64Array): number {
  const spread = spreadOf(values, (at) => Number.isFinite(values[at]));
  if (spread.half === 0) return 0;
  const squares = values.reduce(
    (sum, value) => (Number.isFinite(value) ? sum + deviation(value, spread) ** 2 : sum),
    0,
  );
  // Halved, as the deviations are: twice the half may be no number.
  return (Math.sqrt(squares / spread.count) * spread.half) / Math.abs(spread.mean / 2);
}

/** How values lie about their mean. */
interface Spread {
  readonly count: number;
  readonly mean: number;
  /** Half of the largest deviation from the mean: the whole may be no number. 0 where all values are equal but for rounding. */
  readonly half: number;
}

function spreadOf(values: Float64Array, counts: (at: number) => boolean): Spread {
  let [count, least, most, mean] = [0, Infinity, -Infinity, 0];
  for (let at = 0; at < values.length; at++) {
    if (!counts(at)) continue;
    count++;
    least = Math.min(least, values[at]);
    most = Math.max(most, values[at]);
  }
  // Divided before they are added: their sum may be no number either.
  for (let at = 0; at < values.length; at++) if (counts(at)) mean += values[at] / count;
  const differs = most / 2 - least / 2 > (ROUNDING / 2) * Math.max(Math.abs(least), Math.abs(most));
  return { count, mean, half: differs ? Math.max(most / 2 - mean / 2, mean / 2 - least / 2) : 0 };
}

/** As a part of the largest, -1 to 1. */
function deviation(value: number, { mean, half }: Spread): number {
  return (value / 2 - mean / 2) / half;
}

function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}
