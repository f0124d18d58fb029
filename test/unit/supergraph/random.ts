import type { Row } from "./treeOf";

/** Random numbers that are the same in every run: 0 ≤ x < 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export interface RandomTree {
  readonly rows: Row[];
  /** File of each function's definition. */
  readonly fileOf: ReadonlyMap<string, string>;
}

/**
 * A random calling context tree: few functions in few files, so recursion and files that call each other both ways are
 * usual; some trees are long chains. Siblings have different names. Values are multiples of 1/64, so sums are exact.
 */
export function randomTree(seed: number): RandomTree {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const functions = 2 + below(12);
  const files = 1 + below(6);
  const size = 1 + below(random() < 0.1 ? 150 : 35);
  const chain = random() < 0.3 ? 0.9 : random() * 0.8;
  const fileOf = new Map<string, string>();
  for (let id = 0; id < functions; id++) fileOf.set(`f${id}`, `file${below(files)}.c`);
  const rows: Row[] = [];
  const taken = new Set<string>();
  for (let attempt = 0; attempt < size; attempt++) {
    const root = rows.length === 0 || random() < 0.03;
    const parent = root ? undefined : random() < chain ? rows.length - 1 : below(rows.length);
    const name = `f${below(functions)}`;
    if (taken.has(`${parent} ${name}`)) continue;
    taken.add(`${parent} ${name}`);
    const heavy = random() < 0.1 ? 1000 : 1;
    rows.push({ name, parent, exclusive: random() < 0.2 ? 0 : below(64 * heavy) / 64 });
  }
  if (rows.every((row) => row.exclusive === 0)) rows[0] = { ...rows[0], exclusive: 1 };
  return { rows, fileOf };
}

/** The same rows in another order that still has parents before children. */
export function shuffled(rows: readonly Row[], seed: number): Row[] {
  const random = seeded(seed);
  const placed = new Map<number, number>();
  const waiting = rows.map((_, at) => at);
  const result: Row[] = [];
  while (waiting.length > 0) {
    const ready = waiting.filter((at) => rows[at].parent === undefined || placed.has(rows[at].parent ?? 0));
    const at = ready[Math.floor(random() * ready.length)];
    waiting.splice(waiting.indexOf(at), 1);
    const { parent } = rows[at];
    placed.set(at, result.length);
    result.push({ ...rows[at], parent: parent === undefined ? undefined : placed.get(parent) });
  }
  return result;
}
