/** Which contexts of a calling context tree are drawn: the heaviest, each with all that it is called by. Pure. */
import { NONE } from "../../model/ids";
import type { ContextTree } from "../../model/contextTree";
import { appendAll } from "../../model/longLists";

export interface Choice {
  readonly most: number;
  /** Inclusive below which contexts are not drawn; 0 by default. */
  readonly min?: number;
  readonly closed: ReadonlySet<number>;
  readonly opened: ReadonlySet<number>;
  /** Contexts that are drawn whatever the others are: a path from a root. */
  readonly revealed: readonly number[];
}

/** Callees of a context that was opened: the heaviest. */
const MOST_OPENED = 30;

/** Contexts of one caller, heaviest first; of equal ones the first of the tree. */
export class Callees {
  private readonly known = new Map<number, readonly number[]>();

  constructor(
    private readonly tree: Pick<ContextTree, "size" | "end">,
    private readonly inclusive: Float64Array,
  ) {}

  /** @param context NONE: roots are wanted */
  of(context: number): readonly number[] {
    const before = this.known.get(context);
    if (before) return before;
    const { size, end } = this.tree;
    const until = context === NONE ? size : end[context];
    const found: number[] = [];
    for (let at = context + 1; at < until; at = end[at]) found.push(at);
    found.sort((a, b) => this.inclusive[b] - this.inclusive[a] || a - b);
    this.known.set(context, found);
    return found;
  }
}

/** @returns contexts that are drawn: the caller of each is one of them. */
export function heaviestContexts(inclusive: Float64Array, callees: Callees, choice: Choice): ReadonlySet<number> {
  const { most, min = 0, closed, opened, revealed } = choice;
  const chosen = new Set<number>();
  const isOpen = (context: number) => !closed.has(context) || revealed.includes(context);
  for (const context of revealed) chosen.add(context);
  const heap = new Heap(inclusive);
  for (const root of callees.of(NONE)) heap.push(root);
  const beside: number[] = [];
  for (let next = heap.pop(); next !== undefined && chosen.size < most; next = heap.pop()) {
    // Of a closed context that is on the way to what is revealed, that way alone is drawn.
    if ((inclusive[next] <= 0 || inclusive[next] < min) && !chosen.has(next)) continue;
    chosen.add(next);
    if (closed.has(next) || !isOpen(next)) continue;
    if (opened.has(next)) appendAll(beside, callees.of(next).slice(0, MOST_OPENED));
    for (const callee of callees.of(next)) heap.push(callee);
  }
  for (const context of beside) chosen.add(context);
  return chosen;
}

/** Contexts by descending value, of equal ones the first of the tree. */
class Heap {
  private readonly rows: number[] = [];

  constructor(private readonly value: Float64Array) {}

  push(context: number): void {
    const { rows } = this;
    let at = rows.push(context) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.isBefore(rows[at], rows[above])) break;
      [rows[at], rows[above]] = [rows[above], rows[at]];
      at = above;
    }
  }

  pop(): number | undefined {
    const { rows } = this;
    const first = rows.at(0);
    const last = rows.pop();
    if (first === undefined || last === undefined || rows.length === 0) return first;
    rows[0] = last;
    for (let at = 0; ;) {
      let best = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < rows.length && this.isBefore(rows[below], rows[best])) best = below;
      if (best === at) return first;
      [rows[at], rows[best]] = [rows[best], rows[at]];
      at = best;
    }
  }

  private isBefore(a: number, b: number): boolean {
    return this.value[a] > this.value[b] || (this.value[a] === this.value[b] && a < b);
  }
}
