import type { Task } from "../../../model/task";
import type { Flow, FlowGraph } from "./flowGraph";

const MOST_PASSES = 50;
const STANDS_STILL = 1e-3;

/**
 * Cycles of functions (strongly connected components of the call graph), as calls go round in them that are too small to be
 * told apart by their paths. The visits of the members are the fixed point of x = entry + Σ x(caller) · share(call), iterated
 * from what would be right if it did not matter where a cycle is entered. That guess, exact in its sums, stays where the cycle
 * is too large.
 */
export class Cycles {
  /** Calls that were looked at. */
  looked = 0;
  /** By node: what one costs with what it calls outside of its cycle. */
  private readonly costOutside: Float64Array;
  private readonly isCycle: Uint8Array;
  /** By node, of the cycle that is looked at: its visits, and those of the next pass. */
  private readonly visits: Float64Array;
  private readonly next: Float64Array;

  /** @param steps calls that all passes may look at */
  constructor(
    private readonly graph: FlowGraph,
    private readonly flow: Flow,
    private steps: number,
    private readonly task: Task,
  ) {
    const { start, target, nodes } = graph.edges;
    const { share, mass, components } = flow;
    this.costOutside = graph.own.slice();
    this.visits = new Float64Array(nodes);
    this.next = new Float64Array(nodes);
    this.isCycle = new Uint8Array(components.size);
    for (let node = 0; node < nodes; node++)
      for (let edge = start[node]; edge < start[node + 1]; edge++)
        if (this.isInside(node, target[edge])) this.isCycle[components.of[node]] = 1;
        else this.costOutside[node] += share[edge] * mass[target[edge]];
  }

  /** Whether a node can come back to itself. */
  has(node: number): boolean {
    return this.isCycle[this.flow.components.of[node]] === 1;
  }

  isInside(caller: number, callee: number): boolean {
    return this.flow.components.of[caller] === this.flow.components.of[callee];
  }

  /**
   * Where calls that enter a cycle lead.
   *
   * @param calls by member of one cycle, what part of all of its calls they are
   * @returns by member, what part of all of its calls come about
   */
  visitsOf(calls: ReadonlyMap<number, number>): Map<number, number> {
    const { components, mass } = this.flow;
    const [first] = calls.keys();
    const component = components.of[first];
    const members = components.members.subarray(components.start[component], components.start[component + 1]);
    let cost = 0;
    for (const [node, part] of calls) cost += part * mass[node];
    let all = 0;
    for (const node of members) all += this.costOutside[node];
    this.looked += members.length;
    for (const node of members) this.visits[node] = all === 0 ? 0 : cost / all;
    for (let pass = 0; pass < MOST_PASSES && this.steps > 0; pass++) {
      this.task.check();
      if (this.goRound(members, calls, cost) <= STANDS_STILL) break;
    }
    return new Map(Array.from(members, (node) => [node, this.visits[node]]));
  }

  /** One pass over a cycle. @returns by how much of its cost the visits of a member moved at most */
  private goRound(members: Int32Array, calls: ReadonlyMap<number, number>, cost: number): number {
    const { components, share } = this.flow;
    const { start, target } = this.graph.edges;
    const { visits, next, costOutside } = this;
    for (const node of members) next[node] = 0;
    for (const [node, part] of calls) next[node] = part;
    for (const node of members) {
      this.steps -= start[node + 1] - start[node] + 1;
      for (let edge = start[node]; edge < start[node + 1]; edge++)
        if (components.of[target[edge]] === components.of[node]) next[target[edge]] += visits[node] * share[edge];
    }
    let found = 0;
    for (const node of members) found += next[node] * costOutside[node];
    let moved = 0;
    for (const node of members) {
      const scaled = found === 0 ? next[node] : (next[node] * cost) / found;
      moved = Math.max(moved, Math.abs((scaled - visits[node]) * costOutside[node]));
      visits[node] = scaled;
    }
    return moved / (Math.abs(cost) || 1);
  }
}
