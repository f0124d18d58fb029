/** The value of a key, made and kept where there is none. */
export function entryOf<Key, Value>(map: Entries<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** A `Map`, or a `WeakMap`. */
interface Entries<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The items of each key, keys and items in the order of the items. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) entryOf(groups, keyOf(item), () => []).push(item);
  return groups;
}

/** Keeps a value as the newest of at most so many; the oldest go. */
export function keepNewest<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value, most: number): void {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= most) break;
    kept.delete(oldest);
  }
}

/** Adds to the number of a key, which begins at 0. */
export function addTo<Key>(sums: Map<Key, number>, key: Key, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
