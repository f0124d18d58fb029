import type { Task } from "../../../model/task";
import type { Flow, FlowGraph } from "./flowGraph";

const MOST_PASSES = 50;
const STANDS_STILL = 1e-3;

/**
 * Cycles of functions (strongly connected components of the call graph), as calls go round in them that are too small to be
 * told apart by their paths. The visits of the members are the fixed point of x = entry + Σ x(caller) · share(call), by Gauss
 * and Seidel from what would be right if it did not matter where a cycle is entered. That guess, exact in its sums, stays where the cycle is too
 * large.
 */
export class Cycles {
  /** Calls that were looked at. */
  looked = 0;
  /** By node: what one costs with what it calls outside of its cycle. */
  private readonly costOutside: Float64Array;
  private readonly isCycle: Uint8Array;

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
    const { components, mass, share } = this.flow;
    const { start, target } = this.graph.edges;
    const [first] = calls.keys();
    const component = components.of[first];
    const members = components.members.subarray(components.start[component], components.start[component + 1]);
    const sum = (of: (node: number) => number) => members.reduce((all, node) => all + of(node), 0);
    const cost = sum((node) => (calls.get(node) ?? 0) * mass[node]);
    const all = sum((node) => this.costOutside[node]);
    this.looked += members.length;
    let visits = new Map(Array.from(members, (node) => [node, all === 0 ? 0 : cost / all]));
    for (let pass = 0, moved = Infinity; pass < MOST_PASSES && moved > STANDS_STILL && this.steps > 0; pass++) {
      const next = new Map(Array.from(members, (node) => [node, calls.get(node) ?? 0]));
      for (const [node, one] of visits) {
        this.steps -= start[node + 1] - start[node] + 1;
        for (let edge = start[node]; edge < start[node + 1]; edge++) {
          const before = next.get(target[edge]);
          if (before !== undefined) next.set(target[edge], before + one * share[edge]);
        }
      }
      this.task.check();
      let found = 0;
      for (const [node, one] of next) found += one * this.costOutside[node];
      moved = 0;
      for (const [node, one] of next) {
        const scaled = found === 0 ? one : (one * cost) / found;
        moved = Math.max(moved, Math.abs(scaled - (visits.get(node) ?? 0)) * Math.abs(this.costOutside[node]));
        next.set(node, scaled);
      }
      moved /= Math.abs(cost) || 1;
      visits = next;
    }
    return visits;
  }
}
