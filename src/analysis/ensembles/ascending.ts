/**
 * Numbers in an order that does not depend on the order they came in, so that what is computed of them is the same bit for bit
 * (semantics 1, Order).
 */

/** Numbers that differ by less than this part of the larger one differ by rounding. */
export const ROUNDING = 1e-12;

/** The finite values, ascending; NaN stands for a run that has no value. */
export function finiteAscending(values: Iterable<number>): Float64Array {
  // Columns are taken as they are: iterating over millions of values takes longer than sorting them.
  const all = values instanceof Float64Array ? values : Float64Array.from(values);
  return all.filter((value) => Number.isFinite(value)).sort();
}

/** The sum of values that are in canonical order already. */
export function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The mean of the finite values; NaN where there is none. */
export function meanOf(values: Iterable<number>): number {
  const finite = finiteAscending(values);
  return finite.length === 0 ? NaN : sumOf(finite) / finite.length;
}

/**
 * The quantile of type 7 (Hyndman and Fan, "Sample quantiles in statistical packages", The American Statistician 50 (1996)):
 * linear between order statistics.
 *
 * @param ascending finite values
 * @param share 0 to 1
 * @returns NaN where there is no value
 */
export function quantile(ascending: Float64Array, share: number): number {
  if (ascending.length === 0) return NaN;
  const at = share * (ascending.length - 1);
  const below = Math.floor(at);
  const part = at - below;
  // As a mixture of the two, since their difference may be more than a number holds.
  return part === 0 ? ascending[below] : ascending[below] * (1 - part) + ascending[below + 1] * part;
}

/** Whether values are all equal but for rounding. @param ascending finite values */
export function isConstant(ascending: Float64Array): boolean {
  const [least, most] = [ascending[0], ascending[ascending.length - 1]];
  return !(most / 2 - least / 2 > (ROUNDING / 2) * Math.max(Math.abs(least), Math.abs(most)));
}

/** By a power of two, so that no digit is lost, to at most 2: squares of the smallest numbers would be 0, of the largest infinite. */
export function scaled(values: Float64Array): Float64Array {
  const most = values.reduce((a, b) => (Number.isFinite(b) ? Math.max(a, Math.abs(b)) : a), 0);
  if (most === 0) return values;
  const exponent = -Math.floor(Math.log2(most));
  // In two steps: one of the smallest number's would be no number.
  const half = Math.trunc(exponent / 2);
  return values.map((value) => value * 2 ** half * 2 ** (exponent - half));
}
