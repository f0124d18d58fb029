import { IntColumn } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import type { Flow, FlowGraph } from "./flowGraph";
import { type CycleEntry, grownTree } from "./cycleTree";
import { Heap } from "./heap";

/** A cycle and how its entries spread; one number for all members where finding it out would have taken too long. */
interface Cycle {
  readonly spread: ReadonlyMap<number, Float64Array | number>;
}

const MOST_PASSES = 2000;
const STANDS_STILL = 1e-12;
/** What putting a call in order takes, in calls that are only looked at. */
const DEAR = 10;
/** Numbers that are kept of all entries of one cycle. */
const MOST_KEPT = 4_000_000;

/**
 * Cycles of functions (strongly connected components of the call graph). What enters one goes round in it: the visits of its
 * members are the fixed point of x = entry + Σ x(caller) · share(call), solved by Gauss and Seidel from what would be right if
 * it did not matter where a cycle is entered. That guess, exact in its sums, stays where the cycle is too large, or so deep a
 * recursion that passes do not end it: then where it was entered says little.
 */
export class Cycles {
  /** By node: what one costs with what it calls outside of its cycle. */
  readonly costOutside: Float64Array;
  /** Calls that were looked at to hang members. */
  looked = 0;
  private readonly outside: Float64Array;
  private readonly placeOf: Int32Array;
  private readonly known = new Map<number, Cycle>();
  private readonly entries = new Map<number, CycleEntry>();
  private readonly isCycle: Uint8Array;

  /** @param steps calls that all passes may look at */
  constructor(
    private readonly graph: FlowGraph,
    private readonly flow: Flow,
    private steps: number,
    private readonly task: Task,
  ) {
    const { start, target, nodes } = graph.edges;
    const { components, share, mass, roots } = flow;
    this.costOutside = graph.own.slice();
    this.outside = new Float64Array(nodes);
    this.placeOf = new Int32Array(nodes);
    this.isCycle = new Uint8Array(components.size);
    components.members.forEach((node, at) => (this.placeOf[node] = at - components.start[components.of[node]]));
    for (const root of roots) this.outside[root.node] += root.share;
    for (let node = 0; node < nodes; node++)
      for (let edge = start[node]; edge < start[node + 1]; edge++)
        if (components.of[node] === components.of[target[edge]]) this.isCycle[components.of[node]] = 1;
        else {
          this.outside[target[edge]] += share[edge];
          this.costOutside[node] += share[edge] * mass[target[edge]];
        }
  }

  /** Whether a node can come back to itself. */
  has(node: number): boolean {
    return this.isCycle[this.flow.components.of[node]] === 1;
  }

  isInside(caller: number, callee: number): boolean {
    return this.flow.components.of[caller] === this.flow.components.of[callee];
  }

  /** @param entry a node that {@link has} */
  enteredAt(entry: number): CycleEntry {
    let found = this.entries.get(entry);
    if (!found) this.entries.set(entry, (found = this.hung(entry)));
    return found;
  }

  /** Adds what {@link CycleEntry.share} says to sums by node, so many times. */
  addVisits(entry: number, times: number, sums: Map<number, number>): void {
    const { start, members, of } = this.flow.components;
    const spread = this.spreadOf(entry);
    const first = start[of[entry]];
    for (let at = first; at < start[of[entry] + 1]; at++) {
      const visits = times * (typeof spread === "number" ? spread : spread[at - first]);
      if (visits !== 0) sums.set(members[at], (sums.get(members[at]) ?? 0) + visits);
    }
    this.looked += start[of[entry] + 1] - first;
  }

  /** Each member below the one that brings it most, of those that hang already: the heaviest call first (Prim 1957). */
  private hung(entry: number): CycleEntry {
    const { edges } = this.graph;
    const { mass, share } = this.flow;
    const spread = this.spreadOf(entry);
    const visits = (node: number) => (typeof spread === "number" ? spread : spread[this.placeOf[node]]);
    const nodes = new IntColumn();
    const above = new IntColumn();
    const done = new Set<number>();
    const callee = new IntColumn();
    const from = new IntColumn();
    const cost: number[] = [];
    const heaviest = new Heap((a, b) => cost[b] - cost[a] || callee.values[a] - callee.values[b] || a - b);
    const hang = (node: number, below: number) => {
      const place = nodes.length;
      done.add(node);
      nodes.push(node);
      above.push(below);
      this.looked += DEAR * (edges.start[node + 1] - edges.start[node]);
      for (let edge = edges.start[node]; edge < edges.start[node + 1]; edge++) {
        const next = edges.target[edge];
        if (!this.isInside(node, next) || done.has(next)) continue;
        const flowing = Math.abs(visits(node) * share[edge] * mass[next]);
        if (!(flowing > 0)) continue;
        cost.push(flowing);
        callee.push(next);
        from.push(place);
        heaviest.push(cost.length - 1);
      }
    };
    hang(entry, NONE);
    for (let call = heaviest.pop(); call !== undefined; call = heaviest.pop())
      if (!done.has(callee.values[call])) hang(callee.values[call], from.values[call]);
    const found = nodes.values.slice(0, nodes.length);
    const once = { nodes: found, above: above.values.slice(0, nodes.length), share: Float64Array.from(found, visits) };
    this.task.check();
    if (typeof spread === "number") return once;
    const isInside = (caller: number, called: number) => this.isInside(caller, called);
    const calls = { edges, isInside, share, costOutside: this.costOutside };
    const { tree, steps } = grownTree(once, calls, this.steps);
    this.steps -= steps;
    this.task.check();
    return tree;
  }

  private spreadOf(entry: number): Float64Array | number {
    const component = this.flow.components.of[entry];
    let cycle = this.known.get(component);
    if (!cycle) this.known.set(component, (cycle = this.solved(component)));
    return cycle.spread.get(entry) ?? 0;
  }

  private solved(component: number): Cycle {
    const { mass, components } = this.flow;
    const members = components.members.subarray(components.start[component], components.start[component + 1]);
    const entries = members.filter((node) => this.outside[node] > 0);
    const all = entries.reduce((sum, node) => sum + this.outside[node] * mass[node], 0);
    const guess = (entry: number) => (all === 0 ? 1 / (entries.length * this.outside[entry]) : mass[entry] / all);
    const solution =
      entries.length * members.length > MOST_KEPT
        ? undefined
        : this.passes(
            members,
            [...entries].map((entry) => ({ entry, guess: guess(entry) })),
          );
    if (!solution) return { spread: new Map([...entries].map((entry) => [entry, guess(entry)])) };
    // All entries together are all calls of each member.
    for (let place = 0; place < members.length; place++) {
      let sum = 0;
      for (const [entry, visits] of solution) sum += this.outside[entry] * visits[place];
      if (sum > 0) for (const visits of solution.values()) visits[place] /= sum;
    }
    return { spread: solution };
  }

  /** @returns nothing where it takes too long */
  private passes(
    members: Int32Array,
    entries: readonly { readonly entry: number; readonly guess: number }[],
  ): Map<number, Float64Array> | undefined {
    const { callers, start, share, own } = this.callsInside(members);
    const found = new Map<number, Float64Array>();
    for (const { entry, guess } of entries) {
      const visits = new Float64Array(members.length).fill(guess);
      for (let pass = 0, moved = Infinity; moved > STANDS_STILL; pass++) {
        this.steps -= callers.length + members.length;
        if (pass === MOST_PASSES || this.steps < 0) return undefined;
        this.task.check();
        moved = 0;
        for (let place = 0; place < members.length; place++) {
          let sum = members[place] === entry ? 1 : 0;
          for (let call = start[place]; call < start[place + 1]; call++) sum += visits[callers[call]] * share[call];
          const next = own[place] < 1 ? sum / (1 - own[place]) : visits[place];
          moved = Math.max(moved, Math.abs(next - visits[place]) / (Math.abs(next) || 1));
          visits[place] = next;
        }
      }
      found.set(entry, visits);
    }
    return found;
  }

  /** The calls between members by callee, places instead of nodes; `own`: the shares of calls of members to themselves. */
  private callsInside(members: Int32Array) {
    const { start: first, target } = this.graph.edges;
    const start = new Int32Array(members.length + 1);
    const each = (visit: (caller: number, callee: number, edge: number) => void) =>
      members.forEach((node, place) => {
        for (let edge = first[node]; edge < first[node + 1]; edge++)
          if (this.isInside(node, target[edge])) visit(place, this.placeOf[target[edge]], edge);
      });
    each((caller, callee) => {
      if (caller !== callee) start[callee + 1]++;
    });
    for (let place = 0; place < members.length; place++) start[place + 1] += start[place];
    const next = start.slice(0, members.length);
    const callers = new Int32Array(start[members.length]);
    const share = new Float64Array(callers.length);
    const own = new Float64Array(members.length);
    each((caller, callee, edge) => {
      if (caller === callee) own[callee] += this.flow.share[edge];
      else {
        callers[next[callee]] = caller;
        share[next[callee]++] = this.flow.share[edge];
      }
    });
    return { callers, start, share, own };
  }
}
