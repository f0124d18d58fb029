import { FloatColumn, IntColumn } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import type { Edges } from "../assemble/components";

/** How calls that enter a cycle of functions from outside spread over it. */
export interface CycleEntry {
  /** The nodes that are reached, the entry first; a node may have several places. */
  readonly nodes: Int32Array;
  /** By place in `nodes`: place of the node that it hangs below, an earlier one; {@link NONE} for the entry. */
  readonly above: Int32Array;
  /** By place in `nodes`: what part of all calls of the node come there of this entry's calls, were these all calls of the entry. */
  readonly share: Float64Array;
}

/** What of an entry's cost must come by a call to another place of the tree for it to get a place of its own. */
const LEAST_PART = 1e-3;
const MOST_GROWN = 2000;
const MOST_ROUNDS = 8;
const MOST_PASSES = 100;
const STANDS_STILL = 1e-9;

/** The calls of a cycle's members to one another, and what members cost without these. */
export interface CycleCalls {
  readonly edges: Edges;
  readonly isInside: (caller: number, callee: number) => boolean;
  /** What part of the callee's calls an edge is. */
  readonly share: Float64Array;
  readonly costOutside: Float64Array;
}

/**
 * Gives members of a cycle further places: where a member is called from several others, what it and those below it cost
 * stands below the one that brings most of it. A call that brings much of it too gets a place for its callee, and for what
 * that calls in turn, but for what is on the path already: there it returns to. Any other call leads to the nearest place of
 * its callee.
 *
 * @param entry a tree with each member once, and the visits of each
 * @param mostSteps calls that may be looked at
 * @returns visits of a member add up to what they were
 */
export function grownTree(
  entry: CycleEntry,
  calls: CycleCalls,
  mostSteps: number,
): { tree: CycleEntry; steps: number } {
  const tree = new GrowingTree(entry, calls, mostSteps);
  for (let round = 0; round < MOST_ROUNDS && tree.grow(); round++) tree.settle();
  return { tree: tree.result(), steps: tree.steps };
}

class GrowingTree {
  steps = 0;
  private readonly node = new IntColumn();
  private readonly above = new IntColumn();
  private readonly visits = new FloatColumn();
  /** Places by the one that they hang below, and their node. */
  private readonly below = new Map<number, number>();
  private readonly first = new Map<number, number>();

  constructor(
    private readonly entry: CycleEntry,
    private readonly calls: CycleCalls,
    private readonly mostSteps: number,
  ) {
    entry.nodes.forEach((node, place) => this.add(node, entry.above[place], entry.share[place]));
  }

  result(): CycleEntry {
    const size = this.node.length;
    return {
      nodes: this.node.values.slice(0, size),
      above: this.above.values.slice(0, size),
      share: this.visits.values.slice(0, size),
    };
  }

  /** Adds places where calls lead elsewhere that bring much. @returns whether there were such */
  grow(): boolean {
    const before = this.node.length;
    const inclusive = this.inclusive();
    const least = LEAST_PART * inclusive[0];
    const open: { place: number; visits: number }[] = [];
    for (let place = 0; place < before; place++) open.push({ place, visits: this.visits.values[place] });
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { place, visits } = next;
      this.eachCall(this.node.values[place], (callee, share) => {
        const there = this.landing(place, callee);
        const passed = visits * share;
        if (there === undefined || this.above.values[there] === place || this.isAbove(there, place)) return;
        if (there >= before || this.node.length - this.entry.nodes.length >= MOST_GROWN) return;
        if (!(this.visits.values[there] > 0) || (inclusive[there] * passed) / this.visits.values[there] < least) return;
        open.push({ place: this.add(callee, place, passed), visits: passed });
      });
      if (this.steps > this.mostSteps) break;
    }
    return this.node.length > before && this.steps <= this.mostSteps;
  }

  /** Visits of all places: each call leads to the nearest place of its callee. */
  settle(): void {
    const size = this.node.length;
    const from = new IntColumn();
    const to = new IntColumn();
    const share = new FloatColumn();
    for (let place = 0; place < size; place++)
      this.eachCall(this.node.values[place], (callee, part) => {
        const there = this.landing(place, callee);
        if (there === undefined) return;
        from.push(place);
        to.push(there);
        share.push(part);
      });
    let visits = this.visits.values.slice(0, size);
    for (let pass = 0, moved = Infinity; pass < MOST_PASSES && moved > STANDS_STILL; pass++) {
      this.steps += from.length;
      const next = new Float64Array(size);
      next[0] = 1;
      for (let call = 0; call < from.length; call++)
        next[to.values[call]] += visits[from.values[call]] * share.values[call];
      this.fit(next);
      moved = 0;
      for (let place = 0; place < size; place++)
        moved = Math.max(moved, Math.abs(next[place] - visits[place]) / (next[place] || 1));
      visits = next;
    }
    this.visits.values.set(visits);
  }

  /** What is known of each member's visits stays so. */
  private fit(visits: Float64Array): void {
    const sums = new Map<number, number>();
    visits.forEach((one, place) => {
      const node = this.node.values[place];
      sums.set(node, (sums.get(node) ?? 0) + one);
    });
    const { nodes, share } = this.entry;
    const factor = new Map(Array.from(nodes, (node, place) => [node, share[place] / (sums.get(node) || 1)]));
    visits.forEach((one, place) => (visits[place] = one * (factor.get(this.node.values[place]) ?? 0)));
  }

  private add(node: number, above: number, visits: number): number {
    const place = this.node.length;
    this.node.push(node);
    this.above.push(above);
    this.visits.push(visits);
    if (above !== NONE) this.below.set(this.keyOf(above, node), place);
    if (!this.first.has(node)) this.first.set(node, place);
    return place;
  }

  private keyOf(place: number, node: number): number {
    return place * this.calls.edges.nodes + node;
  }

  /** Where a call leads: to its callee on the path, or beside the path and as near to its end as can be. */
  private landing(place: number, callee: number): number | undefined {
    for (let at = place; at !== NONE; at = this.above.values[at]) {
      this.steps++;
      if (this.node.values[at] === callee) return at;
      const there = this.below.get(this.keyOf(at, callee));
      if (there !== undefined) return there;
    }
    return this.first.get(callee);
  }

  private isAbove(place: number, below: number): boolean {
    let at = below;
    while (at > place) at = this.above.values[at];
    return at === place;
  }

  private eachCall(node: number, visit: (callee: number, share: number) => void): void {
    const { edges, isInside, share } = this.calls;
    for (let edge = edges.start[node]; edge < edges.start[node + 1]; edge++)
      if (isInside(node, edges.target[edge])) visit(edges.target[edge], share[edge]);
  }

  private inclusive(): Float64Array {
    const size = this.node.length;
    const sums = new Float64Array(size);
    for (let place = size - 1; place >= 0; place--) {
      sums[place] += this.visits.values[place] * this.calls.costOutside[this.node.values[place]];
      if (place > 0) sums[this.above.values[place]] += sums[place];
    }
    return sums;
  }
}
