/** Puts children of an element into an order, by moving as few of them as can be. */

/** What stays is not taken out, since the browser lays out anew what is put in again. */
export function showInOrder(parent: Element, children: readonly Element[]): void {
  if (isInOrder(parent, children)) return;
  const wanted = new Set(children);
  const placeOf = new Map<Element, number>();
  for (const child of Array.from(parent.children)) {
    if (wanted.has(child)) placeOf.set(child, placeOf.size);
    else child.remove();
  }
  const stay = longestRun(children.map((child) => placeOf.get(child)));
  let next: Element | null = null;
  for (let at = children.length - 1; at >= 0; at--) {
    const child = children[at];
    if (!stay.has(at)) parent.insertBefore(child, next);
    next = child;
  }
}

/** Another drawing of the same things has the same elements, hundreds of them, many times a second. */
function isInOrder(parent: Element, children: readonly Element[]): boolean {
  let next = parent.firstElementChild;
  for (const child of children) {
    if (child !== next) return false;
    next = child.nextElementSibling;
  }
  return next === null;
}

/**
 * Indices of a longest increasing subsequence, in O(n log n): M. L. Fredman, On computing the length of longest increasing
 * subsequences, Discrete Mathematics 11 (1975).
 *
 * @param places undefined ones are in none
 */
export function longestRun(places: readonly (number | undefined)[]): Set<number> {
  /** For each length the run that ends lowest: the index of its end. */
  const ends: number[] = [];
  const before = new Map<number, number>();
  const place = (index: number) => places[index] ?? NaN;
  places.forEach((own, index) => {
    if (own === undefined) return;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (place(ends[middle]) < own) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before.set(index, ends[low - 1]);
    ends[low] = index;
  });
  const run = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = before.get(index)) run.add(index);
  return run;
}
