import { NONE } from "./ids";
import { PairTable } from "./pairTable";
import { quietTask, STEPS_BETWEEN_CHECKS, type Task } from "./task";

/**
 * A calling context tree as columns, in preorder: a parent stands before its children, and the contexts of a subtree are
 * `context … end[context] - 1`. Siblings are in canonical order, so equal inputs give equal trees whatever their order.
 *
 * Several roots are usual (`main`, `MPI_Finalize`, time outside any region).
 */
export interface ContextTree {
  readonly size: number;
  /** Parent context, {@link NONE} for roots. */
  readonly parent: Int32Array;
  /** Frame of each context. */
  readonly frame: Int32Array;
  /** One past the last context of the subtree. */
  readonly end: Int32Array;
}

/** Collects contexts in any order (parents before children) and lays them out in canonical preorder. */
export class ContextTreeBuilder {
  private readonly pairs = new PairTable();

  get size(): number {
    return this.pairs.size;
  }

  /**
   * The context with this frame below `parent` ({@link NONE}: a root), added when it is new.
   * The number is provisional: {@link build} returns the final one.
   */
  child(parent: number, frame: number): number {
    return this.pairs.numberOf(parent, frame);
  }

  parentOf(context: number): number {
    return this.pairs.first[context];
  }

  frameOf(context: number): number {
    return this.pairs.second[context];
  }

  /** Nothing more is added for now: takes no more room than the contexts need. */
  settle(): void {
    this.pairs.settle();
  }

  /**
   * @param frameRank canonical rank of each frame: the order of siblings
   * @param task checked now and then: a tree of millions of contexts takes a second
   * @returns the tree, and for each provisional context its final number
   */
  build(frameRank: Int32Array, task: Pick<Task, "check"> = quietTask): { tree: ContextTree; finalOf: Int32Array } {
    const { size: count, first: parentOf, second: frameOf } = this.pairs;
    // Chain the siblings of each parent in canonical order: insert in ascending rank, walk backwards.
    // Ranks are small numbers: counted, not compared, a million contexts are in order at once.
    const nextOfRank = new Uint32Array(frameRank.length + 1);
    for (let own = 0; own < count; own++) nextOfRank[frameRank[frameOf[own]] + 1]++;
    for (let rank = 0; rank < frameRank.length; rank++) nextOfRank[rank + 1] += nextOfRank[rank];
    const byRank = new Uint32Array(count);
    task.check();
    for (let own = 0; own < count; own++) byRank[nextOfRank[frameRank[frameOf[own]]]++] = own;
    task.check();
    const firstChild = new Int32Array(count + 1).fill(NONE);
    const nextSibling = new Int32Array(count).fill(NONE);
    for (let at = count - 1; at >= 0; at--) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      const context = byRank[at];
      const slot = parentOf[context] + 1;
      nextSibling[context] = firstChild[slot];
      firstChild[slot] = context;
    }
    task.check();
    const finalOf = new Int32Array(count);
    const parent = new Int32Array(count);
    const frame = new Int32Array(count);
    const end = new Int32Array(count);
    // Preorder with the sibling chain as the only state: no recursion, any depth.
    let next = 0;
    let context = firstChild[0];
    while (context !== NONE) {
      const id = next++;
      if (id % STEPS_BETWEEN_CHECKS === 0) task.check();
      finalOf[context] = id;
      const above = parentOf[context];
      parent[id] = above === NONE ? NONE : finalOf[above];
      frame[id] = frameOf[context];
      if (firstChild[context + 1] !== NONE) {
        context = firstChild[context + 1];
        continue;
      }
      end[id] = next;
      while (context !== NONE && nextSibling[context] === NONE) {
        context = parentOf[context];
        if (context !== NONE) end[finalOf[context]] = next;
      }
      if (context !== NONE) context = nextSibling[context];
    }
    return { tree: { size: count, parent, frame, end }, finalOf };
  }
}

/**
 * Inclusive values of a calling context tree.
 *
 * @param tree contexts in preorder, parents before children
 * @param exclusive one value per context, any unit
 * @returns one value per context: its own plus those of all its descendants, same unit
 */
export function inclusive(tree: Pick<ContextTree, "size" | "parent">, exclusive: Float64Array): Float64Array {
  const sums = exclusive.slice();
  // Backwards, every child is complete before it is added to its parent: no recursion, any depth.
  for (let context = tree.size - 1; context > 0; context--) {
    const parent = tree.parent[context];
    if (parent >= 0) sums[parent] += sums[context];
  }
  return sums;
}
