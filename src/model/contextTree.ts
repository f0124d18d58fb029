import { widened } from "./columns";
import { NONE } from "./ids";
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
  private count = 0;
  private parent = new Int32Array(256);
  private frame = new Int32Array(256);
  /** Open addressing over (parent, frame): a Map of a million pairs would take ten times the memory of the tree. */
  private slots = new Int32Array(1024).fill(NONE);

  get size(): number {
    return this.count;
  }

  /**
   * The context with this frame below `parent` ({@link NONE}: a root), added when it is new.
   * The number is provisional: {@link build} tells the final one.
   */
  child(parent: number, frame: number): number {
    let slot = this.slotOf(parent, frame);
    const known = this.slots[slot];
    if (known !== NONE) return known;
    if (this.count === this.parent.length) {
      this.parent = widened(this.parent);
      this.frame = widened(this.frame);
    }
    if (2 * this.count >= this.slots.length) {
      this.slots = new Int32Array(this.slots.length * 2).fill(NONE);
      for (let own = 0; own < this.count; own++) this.slots[this.slotOf(this.parent[own], this.frame[own])] = own;
      slot = this.slotOf(parent, frame);
    }
    const context = this.count++;
    this.parent[context] = parent;
    this.frame[context] = frame;
    this.slots[slot] = context;
    return context;
  }

  parentOf(context: number): number {
    return this.parent[context];
  }

  frameOf(context: number): number {
    return this.frame[context];
  }

  /** Where this pair is, or where it would be put. */
  private slotOf(parent: number, frame: number): number {
    const mask = this.slots.length - 1;
    let slot = hash(parent, frame) & mask;
    for (let own = this.slots[slot]; own !== NONE; own = this.slots[slot]) {
      if (this.parent[own] === parent && this.frame[own] === frame) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /**
   * @param frameRank canonical rank of each frame: the order of siblings
   * @param task checked now and then: a tree of millions of contexts takes a second
   * @returns the tree, and for each provisional context its final number
   */
  build(frameRank: Int32Array, task: Pick<Task, "check"> = quietTask): { tree: ContextTree; finalOf: Int32Array } {
    const { count } = this;
    // Chain the siblings of each parent in canonical order: insert in ascending rank, walk backwards.
    // Ranks are small numbers: counted, not compared, a million contexts are in order at once.
    const nextOfRank = new Uint32Array(frameRank.length + 1);
    for (let own = 0; own < count; own++) nextOfRank[frameRank[this.frame[own]] + 1]++;
    for (let rank = 0; rank < frameRank.length; rank++) nextOfRank[rank + 1] += nextOfRank[rank];
    const byRank = new Uint32Array(count);
    task.check();
    for (let own = 0; own < count; own++) byRank[nextOfRank[frameRank[this.frame[own]]]++] = own;
    task.check();
    const firstChild = new Int32Array(count + 1).fill(NONE);
    const nextSibling = new Int32Array(count).fill(NONE);
    for (let at = count - 1; at >= 0; at--) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      const context = byRank[at];
      const slot = this.parent[context] + 1;
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
      const above = this.parent[context];
      parent[id] = above === NONE ? NONE : finalOf[above];
      frame[id] = this.frame[context];
      if (firstChild[context + 1] !== NONE) {
        context = firstChild[context + 1];
        continue;
      }
      end[id] = next;
      while (context !== NONE && nextSibling[context] === NONE) {
        context = this.parent[context];
        if (context !== NONE) end[finalOf[context]] = next;
      }
      if (context !== NONE) context = nextSibling[context];
    }
    return { tree: { size: count, parent, frame, end }, finalOf };
  }
}

/** Spreads pairs of small integers over 31 bits. */
function hash(parent: number, frame: number): number {
  let h = Math.imul(parent + 1, 0x9e3779b1) ^ Math.imul(frame + 1, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 1;
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
