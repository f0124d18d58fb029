/**
 * Functions for lists of any length. A spread in a call (`push(...list)`, `Math.max(...list)`) passes each element as an argument, and
 * overflows the stack beyond about a hundred thousand elements.
 */

/** Adds all elements of `more` at the end of `list`. */
export function appendAll<Item>(list: Item[], more: Iterable<Item>): void {
  for (const item of more) list.push(item);
}

/** @returns -Infinity if there are no values, NaN if one of them is NaN */
export function largestIn(values: Iterable<number>): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}

/** @returns Infinity if there are no values, NaN if one of them is NaN */
export function smallestIn(values: Iterable<number>): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (const value of values) smallest = Math.min(smallest, value);
  return smallest;
}
