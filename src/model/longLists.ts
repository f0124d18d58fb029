/**
 * Lists of any length: a spread in a call (`push(...list)`, `Math.max(...list)`) makes an argument of each element, and overflows the
 * stack beyond about a hundred thousand of them.
 */

/** Adds all of `more` at the end of `list`. */
export function appendAll<Item>(list: Item[], more: Iterable<Item>): void {
  for (const item of more) list.push(item);
}

/** @returns -Infinity without values, NaN if one of them is */
export function largestIn(values: Iterable<number>): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}

/** @returns Infinity without values, NaN if one of them is */
export function smallestIn(values: Iterable<number>): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (const value of values) smallest = Math.min(smallest, value);
  return smallest;
}
