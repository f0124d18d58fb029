import { finiteAscending, isConstant, meanOf, ROUNDING, sumOf } from "./ascending";
import { parameterValues } from "./scaling";

/** T(n) = a + b · n^c · log2(n)^d, in the unit of times. */
export interface PerformanceModel {
  readonly a: number;
  /** 0 of a constant model, as c and d. */
  readonly b: number;
  readonly c: number;
  readonly d: number;
  /** Symmetric mean absolute percentage error of the model at the points it was fitted to, in percent: 0 to 200. */
  readonly error: number;
  /** The same of points each left out of the fit, by which the model was chosen. */
  readonly crossValidated: number;
}

/** With fewer different n a model says nothing; Extra-P asks for as many. */
export const FEWEST_POINTS = 5;

/**
 * Extra-P's default exponents (version 4, https://github.com/extra-p/extrap, single-parameter modeler): numerator and denominator of
 * c for each d.
 */
const EXPONENTS: readonly (readonly [d: number, c: readonly (readonly [number, number])[]])[] = [
  [0, [[1, 4], [1, 3], [1, 2], [2, 3], [3, 4], [4, 5], [1, 1], [5, 4], [4, 3], [3, 2], [5, 3], [7, 4], [2, 1], [9, 4], [7, 3], [5, 2], [8, 3], [11, 4], [3, 1]]],
  [1, [[0, 1], [1, 4], [1, 3], [1, 2], [2, 3], [3, 4], [1, 1], [5, 4], [4, 3], [3, 2], [2, 1], [5, 2], [3, 1]]],
  [2, [[0, 1], [1, 4], [1, 3], [1, 2], [2, 3], [3, 4], [1, 1], [3, 2], [2, 1], [5, 2]]],
]; // prettier-ignore

/** Terms that are nowhere more than this part of the time say nothing (as in Extra-P). */
const LEAST_CONTRIBUTION = 0.0005;

/** Models as good as another within this many percent are not better: the simpler one stays. */
const SAME_ERROR = 1e-9;

/**
 * The model of a function's time over a numeric parameter, in the performance model normal form with one term (Calotoiu, Hoefler, Poke
 * and Wolf, "Using automated performance modeling to find scalability bugs in complex codes", SC '13, equation 1), fitted by least
 * squares to the mean over repeats. Of Extra-P's default terms and a constant, the one with the smallest SMAPE in leave-one-out
 * cross-validation; unlike in Extra-P the constant is cross-validated as well. No logarithms where n may be below 1.
 *
 * @param parameter n of each run, positive; NaN: none
 * @param time one value per run; NaN: not in this run
 * @returns undefined with fewer than {@link FEWEST_POINTS} different n
 */
export function performanceModel(parameter: Float64Array, time: Float64Array): PerformanceModel | undefined {
  const all = parameterValues(parameter.map((value, run) => (Number.isFinite(time[run]) && value > 0 ? value : NaN)));
  if (all.length < FEWEST_POINTS) return undefined;
  const times = all.map((n) => meanOf(time.filter((_, run) => parameter[run] === n)));
  let best = modelOf(all, times, 0, 0);
  for (const [d, powers] of EXPONENTS) {
    if (d > 0 && all[0] < 1) break;
    for (const [numerator, denominator] of powers) {
      const next = modelOf(all, times, numerator / denominator, d);
      if (contributes(next, all, times) && next.crossValidated < best.crossValidated - SAME_ERROR) best = next;
    }
  }
  return best;
}

/** What a model says. */
export function predicted({ a, b, c, d }: Pick<PerformanceModel, "a" | "b" | "c" | "d">, n: number): number {
  return b === 0 ? a : a + b * termOf(n, c, d);
}

function modelOf(n: Float64Array, times: Float64Array, c: number, d: number): PerformanceModel {
  const terms = n.map((value) => termOf(value, c, d));
  const rounding = ROUNDING * times.reduce((most, time) => Math.max(most, Math.abs(time)), 0);
  const errors = times.map((time, at) => {
    const others = (_: number, index: number) => index !== at;
    const { a, b } = leastSquares(terms.filter(others), times.filter(others));
    return symmetricError(time, a + b * terms[at], rounding);
  });
  const { a, b } = leastSquares(terms, times);
  const error = mean(times.map((time, at) => symmetricError(time, a + b * terms[at], rounding)));
  return { a, b, ...(b === 0 ? { c: 0, d: 0 } : { c, d }), error, crossValidated: mean(errors) };
}

/** Of c = d = 0 the constant's 1: b is 0 then. */
function termOf(n: number, c: number, d: number): number {
  return n ** c * Math.log2(n) ** d;
}

/** a and b of a + b x nearest to y; b is 0 where all x are equal. */
function leastSquares(x: Float64Array, y: Float64Array): { readonly a: number; readonly b: number } {
  const [meanX, meanY] = [mean(x), mean(y)];
  if (isConstant(finiteAscending(x))) return { a: meanY, b: 0 };
  const squares = sumOf(x.map((value) => (value - meanX) ** 2));
  const b = sumOf(x.map((value, at) => (value - meanX) * (y[at] - meanY))) / squares;
  const a = meanY - b * meanX;
  // What is left of a by rounding is no constant part.
  return { a: Math.abs(a) <= ROUNDING * Math.abs(meanY) ? 0 : a, b };
}

/** In percent; 0 where both are the same but for rounding: a time of 0 and one that is almost 0 would differ by 200 %. */
function symmetricError(actual: number, said: number, rounding: number): number {
  const difference = Math.abs(said - actual);
  return difference <= rounding ? 0 : (200 * difference) / (Math.abs(actual) + Math.abs(said));
}

function contributes({ b, c, d }: PerformanceModel, n: Float64Array, times: Float64Array): boolean {
  return n.some((value, at) => Math.abs(b * termOf(value, c, d)) >= LEAST_CONTRIBUTION * Math.abs(times[at]));
}

/** In the order of n, which is canonical. */
function mean(values: Float64Array): number {
  return sumOf(values) / values.length;
}
