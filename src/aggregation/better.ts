/** Which of two partitions is better: of more worth, then of more gain, then of less loss. */

/** Numbers of this relative difference are equal: rounding is no reason for another partition. */
export const EQUAL = 1e-12;

/** What is worth less is worse, and not equal. */
export function leastBetter(value: number): number {
  return value - EQUAL * Math.abs(value);
}

export function isBetter(
  value: number,
  gain: number,
  loss: number,
  before: number,
  gainBefore: number,
  lossBefore: number,
): boolean {
  if (!isEqual(value, before)) return value > before;
  if (!isEqual(gain, gainBefore)) return gain > gainBefore;
  return !isEqual(loss, lossBefore) && loss < lossBefore;
}

export function isEqual(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= EQUAL * Math.max(Math.abs(a), Math.abs(b));
}
