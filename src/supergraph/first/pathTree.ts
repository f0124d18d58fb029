/**
 * A calling context tree with one node for each path of functions that a filter leaves. Frames that are only on the way have none: they
 * are part of the frame above them. So is a frame whose function is that of the frame above. Whatever functions are grouped by, this tree
 * has the groups' paths of the contexts, with their costs, and is far smaller.
 */
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { functionsAtLeast, type FilteredTree } from "../filter";
import type { FirstBasis } from "./firstBasis";

/** Classes of functions that no grouping separates, such as those of one library. A node has a part, not a function. */
export interface Parts {
  readonly size: number;
  /** Part of each function. */
  readonly of: Int32Array;
  /** A function of each part. */
  readonly function: Int32Array;
}

/** Part of the roots that are only on the way. */
export const START_PART = 0;

export interface PathTree {
  readonly percent: number;
  readonly size: number;
  /** Parents stand before children. */
  readonly parent: Int32Array;
  readonly part: Int32Array;
  /** Costs of nodes in all runs: their contexts' exclusive, and what the filter hides in them. */
  readonly exclusive: Float64Array;
  readonly hidden: Float64Array;
  /** Sum of all hidden costs, with those that have no node above them. */
  readonly hiddenOfAll: Float64Array;
  /** Node of each context of the filtered tree that this was made from. NONE if no frame above it is kept. */
  readonly nodeOf: Int32Array;
  /** 1 for each of these contexts that the filter keeps. */
  readonly isKept: Uint8Array;
  /** 1 for each of these contexts that is only on the way. */
  readonly isOnTheWay: Uint8Array;
  /** Parts that occur in the tree. */
  readonly present: Int32Array;
}

/** Parts of functions. Functions of one library, or of the kernel, are one part. */
export function partsOf({ names, filter }: FirstBasis): Parts {
  const { size } = filter.functions;
  const of = new Int32Array(size);
  const functions = [NONE];
  const byLibrary = new Map<number, number>();
  for (let id = 0; id < size; id++) {
    const isParted = names.kinds[id] === "own" || names.kinds[id] === "mpi";
    const first = isParted ? NONE : (byLibrary.get(names.paths[id][0]) ?? NONE);
    of[id] = names.standsFor[id] === id && first === NONE ? functions.push(id) - 1 : first;
    if (!isParted && first === NONE) byLibrary.set(names.paths[id][0], of[id]);
    if (names.standsFor[id] !== id) of[id] = of[names.standsFor[id]];
  }
  return { size: functions.length, of, function: Int32Array.from(functions) };
}

/**
 * @param base contexts that the smallest filter leaves
 * @param percent filter of the tree, not below that one
 */
export function pathTree(basis: FirstBasis, parts: Parts, base: FilteredTree, percent: number, task: Task): PathTree {
  const { filter, costs, names } = basis;
  task.check();
  const isFunctionKept = functionsAtLeast(filter, percent);
  const functionOf = new Int32Array(base.size);
  const isKept = new Uint8Array(base.size);
  for (let at = 0; at < base.size; at++) {
    functionOf[at] = filter.functions.ofContext[base.original[at]];
    isKept[at] = isFunctionKept[functionOf[at]];
  }
  const isOnTheWay = onTheWay(base.parent, functionOf, isKept, names.isOwn, waysOf(basis));
  const nodes = new Nodes(parts.size);
  const nodeOf = new Int32Array(base.size);
  for (let at = 0; at < base.size; at++) {
    if ((at & 0xffff) === 0) task.check();
    const above = base.parent[at] === NONE ? NONE : nodeOf[base.parent[at]];
    if (isKept[at] === 0) nodeOf[at] = above;
    else if (isOnTheWay[at] === 0) nodeOf[at] = nodes.below(above, parts.of[functionOf[at]]);
    else nodeOf[at] = above === NONE ? nodes.below(NONE, START_PART) : above;
  }
  const { size, parent, part } = nodes.columns();
  const exclusive = costs.zeros(size);
  const hidden = costs.zeros(size);
  const hiddenOfAll = costs.zeros(1);
  for (let run = 0; run < costs.runs; run++) {
    task.check();
    const measured = basis.exclusiveOf(run);
    const unit = costs.unitOf(run);
    for (let context = 0; context < measured.length; context++) {
      const at = base.home[context];
      const node = at === NONE ? NONE : nodeOf[at];
      const own = measured[context] / unit;
      if (node !== NONE && base.original[at] === context && isKept[at] === 1) exclusive[node * costs.runs + run] += own;
      else {
        hiddenOfAll[run] += own;
        if (node !== NONE) hidden[node * costs.runs + run] += own;
      }
    }
  }
  const isPresent = new Uint8Array(parts.size);
  for (let node = 0; node < size; node++) isPresent[part[node]] = 1;
  const present = Int32Array.from(isPresent.keys()).filter((own) => isPresent[own] === 1);
  return {
    percent,
    size,
    parent,
    part,
    exclusive,
    hidden,
    hiddenOfAll,
    nodeOf,
    isKept,
    isOnTheWay,
    present,
  };
}

/** 1 for each function that may be only on the way: one of a library that is not own, or one without name and load module. */
function waysOf({ names }: FirstBasis): Uint8Array {
  return Uint8Array.from(names.kinds, (kind) => (kind === "library" || kind === "unknown" ? 1 : 0));
}

/** 1 for each kept context of such a function with an own frame below it. */
function onTheWay(
  parent: Int32Array,
  functionOf: Int32Array,
  isKept: Uint8Array,
  isOwn: Uint8Array,
  isWay: Uint8Array,
): Uint8Array {
  const hasOwn = new Uint8Array(parent.length);
  const marks = new Uint8Array(parent.length);
  for (let at = parent.length - 1; at >= 0; at--) {
    const id = functionOf[at];
    if (isKept[at] === 1 && isWay[id] === 1) marks[at] = hasOwn[at];
    if (parent[at] !== NONE && (hasOwn[at] === 1 || (isKept[at] === 1 && isOwn[id] === 1))) hasOwn[parent[at]] = 1;
  }
  return marks;
}

/** Initial size of the hash table: twice the number of nodes that have room at first. */
const SLOTS = 1 << 12;

/** Nodes of a tree by their parent and a number. */
export class Nodes {
  private size = 0;
  private parent = new Int32Array(SLOTS / 2);
  private part = new Int32Array(SLOTS / 2);
  /** Open addressing: a `Map` would be too slow for hundreds of thousands of nodes per attempt. */
  private slots = new Int32Array(SLOTS).fill(NONE);

  constructor(private readonly parts: number) {}

  /** The node of a part below a node: that node itself if it has the same part. */
  below(above: number, part: number): number {
    if (above !== NONE && this.part[above] === part) return above;
    const mask = this.slots.length - 1;
    let slot = this.slotOf(above, part) & mask;
    for (let node = this.slots[slot]; node !== NONE; node = this.slots[(slot = (slot + 1) & mask)])
      if (this.parent[node] === above && this.part[node] === part) return node;
    if (2 * this.size >= this.slots.length) {
      this.widen();
      return this.below(above, part);
    }
    const node = this.size++;
    this.parent[node] = above;
    this.part[node] = part;
    this.slots[slot] = node;
    return node;
  }

  columns(): { readonly size: number; readonly parent: Int32Array; readonly part: Int32Array } {
    return { size: this.size, parent: this.parent.slice(0, this.size), part: this.part.slice(0, this.size) };
  }

  private slotOf(above: number, part: number): number {
    const mixed = Math.imul((above + 1) * this.parts + part, 0x9e3779b1);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  private widen(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(NONE);
    const mask = slots.length - 1;
    for (let node = 0; node < this.size; node++) {
      let slot = this.slotOf(this.parent[node], this.part[node]) & mask;
      while (slots[slot] !== NONE) slot = (slot + 1) & mask;
      slots[slot] = node;
    }
    this.slots = slots;
    const [parent, part] = [new Int32Array(slots.length / 2), new Int32Array(slots.length / 2)];
    parent.set(this.parent);
    part.set(this.part);
    this.parent = parent;
    this.part = part;
  }
}
