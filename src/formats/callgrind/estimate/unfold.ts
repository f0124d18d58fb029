import { FloatColumn, IntColumn } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import { Cycles } from "./cycles";
import type { Flow, FlowGraph } from "./flowGraph";
import { Heap } from "./heap";

/** Calling contexts, estimated from a call graph: parents before children. A path may come several times. */
export interface Unfolded {
  readonly size: number;
  readonly parent: Int32Array;
  readonly node: Int32Array;
  /** What part of all calls of its node a context is, and so of what the node and its lines cost: for each node that costs something, 1 in all. */
  readonly share: Float64Array;
  /** 1 where a context is worth its lines; 0 for one that stands for calls too small to be told apart. */
  readonly lined: Uint8Array;
  /** Share of the total below which calls were not told apart by their paths. */
  readonly threshold: number;
}

/** What is below 0.01 % of the total is not told apart by its path (semantics 1). */
export const THRESHOLD = 1e-4;
/** How much the threshold is raised where too many contexts would come out. */
const RAISED = 4;
/** Calls that are looked at for each context that may come out: graphs in which everything calls everything. */
const CALLS_A_CONTEXT = 50;
/** Steps that may be spent on cycles, for each context that may come out; at least as many as a small cycle needs. */
const STEPS_A_CONTEXT = 20;
const LEAST_STEPS = 1_000_000;
const CHECK_EVERY = 1 << 14;
const ROUNDING = 1e-12;

/**
 * Unfolds a call graph from its roots. One law decides everything else: **each call leads to some context of the function
 * that it calls**. Then the contexts of a function have all of its calls between them, and so just what was measured of it
 * and of its lines; only what lies below what is estimated.
 *
 * - A call that leads to no cycle is a context of its own below its caller's, with its share of the callee's calls.
 * - Functions that call one another in a cycle (recursion) are unfolded once for each call that enters the cycle: each
 *   hangs below the one that brings it most cost ({@link Cycles}), and below others that bring much (`cycleTree.ts`); further
 *   calls between them lead to these contexts. Levels of recursion that were recorded apart (`f`, `f'2`) are nodes of their own,
 *   whose calls are followed like any others. What a member costs with its calls is an estimate; of every other function it is
 *   what was measured.
 * - Calls below the threshold are not told apart by their paths: they are handed to the caller's caller, until together
 *   they reach the threshold, at the latest at the root. There they are unfolded where all calls of one function reach it,
 *   else each function that they lead to hangs there directly. So no context lacks more than the threshold of what it costs in all.
 *
 * Ending a path where a function comes again, and leaving it all that the call cost, would give a recursive program's
 * cost to the few functions where paths end: of Lua's interpreter, 33 % of a run, nothing was left.
 *
 * @param rowsOf how many rows a context of a node takes, itself and its lines
 * @param mostRows how many rows may come out; the threshold is raised until that holds
 * @param least threshold to begin with, share of the total
 */
export function unfold(
  graph: FlowGraph,
  flow: Flow,
  rowsOf: (node: number) => number,
  mostRows: number,
  task: Task,
  least = THRESHOLD,
): Unfolded {
  let total = 0;
  for (const own of graph.own) total += Math.abs(own);
  const cycles = new Cycles(graph, flow, Math.max(LEAST_STEPS, STEPS_A_CONTEXT * mostRows), task);
  for (let threshold = least; ; threshold *= RAISED) {
    // Above 1 every function comes once.
    const rows = threshold > 1 ? Infinity : mostRows;
    const unfolding = new Unfolding(graph, flow, cycles, rowsOf, threshold * total, rows, task);
    if (unfolding.run()) return { ...unfolding.result(), threshold };
  }
}

/** Calls that are not told apart by their paths. Keys come callers first: see {@link Unfolding.keyOf}. */
interface Pool {
  /** By key, the share in the node's calls. */
  shares: Map<number, number>;
  /** What all of it costs. */
  cost: number;
  /** The keys that are to be unfolded next, once that has begun. */
  next: Heap | undefined;
}

/** What a key says of a node: calls that enter it; or visits, where what they do in their cycle is known already. */
const CALLS = 0;
const VISITS = 1;

class Unfolding {
  private readonly parent = new IntColumn();
  private readonly node = new IntColumn();
  private readonly share = new FloatColumn();
  private readonly lined = new IntColumn();
  private readonly pools = new Map<number, Pool>();
  /** What is to be done, the last first: calls to be unfolded below a context; without a node, the context's pool. */
  private readonly todo = { context: new IntColumn(), node: new IntColumn(), share: new FloatColumn() };
  private readonly rankOf: Int32Array;
  private rows = 0;
  private looked = 0;
  private readonly lookedBefore: number;

  constructor(
    private readonly graph: FlowGraph,
    private readonly flow: Flow,
    private readonly cycles: Cycles,
    private readonly rowsOf: (node: number) => number,
    private readonly least: number,
    private readonly mostRows: number,
    private readonly task: Task,
  ) {
    const { members } = flow.components;
    this.lookedBefore = cycles.looked;
    this.rankOf = new Int32Array(members.length);
    members.forEach((node, at) => (this.rankOf[node] = members.length - 1 - at));
  }

  /** @returns false where it was given up, since too much would come out */
  run(): boolean {
    const { todo } = this;
    this.push(NONE, NONE, 0);
    for (const { node, share } of this.flow.roots) this.call(NONE, node, share);
    for (let steps = 0; todo.node.length > 0; steps++) {
      if (steps % CHECK_EVERY === 0) this.task.check();
      const looked = this.looked + this.cycles.looked - this.lookedBefore;
      if (this.rows > this.mostRows || looked > CALLS_A_CONTEXT * this.mostRows) return false;
      const at = --todo.node.length;
      todo.context.length = todo.share.length = at;
      const context = todo.context.values[at];
      const node = todo.node.values[at];
      if (node === NONE) this.settle(context);
      else if (this.cycles.has(node)) this.enterCycle(context, node, todo.share.values[at]);
      else this.enter(context, node, todo.share.values[at]);
    }
    return this.rows <= this.mostRows;
  }

  result(): Omit<Unfolded, "threshold"> {
    this.complete();
    const size = this.node.length;
    return {
      size,
      parent: this.parent.values.slice(0, size),
      node: this.node.values.slice(0, size),
      share: this.share.values.slice(0, size),
      lined: Uint8Array.from(this.lined.values.subarray(0, size)),
    };
  }

  private push(context: number, node: number, share: number): void {
    this.todo.context.push(context);
    this.todo.node.push(node);
    this.todo.share.push(share);
  }

  private add(parent: number, node: number, share: number, lined: boolean): number {
    this.parent.push(parent);
    this.node.push(node);
    this.share.push(share);
    this.lined.push(lined ? 1 : 0);
    this.rows += lined ? this.rowsOf(node) : 1;
    return this.node.length - 1;
  }

  /** A call from a context: to be unfolded, or too small for it. */
  private call(context: number, node: number, share: number): void {
    this.looked++;
    const cost = Math.abs(share * this.flow.mass[node]);
    if (cost >= this.least && cost > 0) this.push(context, node, share);
    // A root is shown though it costs nothing.
    else if (cost > 0 || context === NONE) this.gather(context, this.keyOf(node, CALLS), share, cost);
  }

  private enter(parent: number, node: number, share: number): void {
    const { start, target } = this.graph.edges;
    const context = this.add(parent, node, share, true);
    this.push(context, NONE, 0);
    for (let edge = start[node]; edge < start[node + 1]; edge++)
      this.call(context, target[edge], share * this.flow.share[edge]);
  }

  private enterCycle(parent: number, entry: number, share: number): void {
    const { nodes, above, share: shares } = this.cycles.enteredAt(entry);
    this.looked += nodes.length;
    const cost = shares.map((one, place) => Math.abs(one * share * this.cycles.costOutside[nodes[place]]));
    const inclusive = cost.slice();
    for (let place = nodes.length - 1; place > 0; place--) inclusive[above[place]] += inclusive[place];
    const contexts = new Int32Array(nodes.length);
    nodes.forEach((node, place) => {
      if (place > 0 && inclusive[place] < this.least) {
        // What hangs below it is as small; it all goes to the last one that is not.
        contexts[place] = contexts[above[place]];
        this.gather(contexts[place], this.keyOf(node, VISITS), shares[place] * share, cost[place]);
        return;
      }
      contexts[place] = this.add(place === 0 ? parent : contexts[above[place]], node, shares[place] * share, true);
      this.push(contexts[place], NONE, 0);
    });
    // After all contexts of the cycle, so that each has got everything from those below it when its pool is settled.
    nodes.forEach((node, place) => {
      if (place === 0 || inclusive[place] >= this.least)
        this.eachCallOut(node, (callee, part) => this.call(contexts[place], callee, shares[place] * share * part));
    });
  }

  /** Calls back with each callee outside of a node's cycle, and the share of the calls in it. */
  private eachCallOut(node: number, visit: (callee: number, share: number) => void): void {
    const { start, target } = this.graph.edges;
    for (let edge = start[node]; edge < start[node + 1]; edge++)
      if (!this.cycles.isInside(node, target[edge])) visit(target[edge], this.flow.share[edge]);
    this.looked += start[node + 1] - start[node];
  }

  /** Callers before callees, the members of a cycle together. */
  private keyOf(node: number, kind: typeof CALLS | typeof VISITS): number {
    return 2 * this.rankOf[node] + kind;
  }

  private nodeOf(key: number): number {
    const { members } = this.flow.components;
    return members[members.length - 1 - (key >> 1)];
  }

  private gather(context: number, key: number, share: number, cost: number): void {
    let pool = this.pools.get(context);
    if (!pool) this.pools.set(context, (pool = { shares: new Map(), cost: 0, next: undefined }));
    pool.cost += cost;
    const known = pool.shares.get(key);
    if (known === undefined) pool.next?.push(key);
    pool.shares.set(key, (known ?? 0) + share);
  }

  /** All contexts below this one have been unfolded: what they and it left is handed on, or hung here. */
  private settle(context: number): void {
    const pool = this.pools.get(context);
    if (!pool) return;
    if (!pool.next) {
      const above = context === NONE ? NONE : this.parent.values[context];
      if (above !== NONE && pool.cost < this.least) {
        this.pools.delete(context);
        this.handTo(above, pool);
        return;
      }
      pool.next = new Heap((a, b) => a - b);
      for (const key of pool.shares.keys()) pool.next.push(key);
    }
    for (let key = pool.next.pop(); key !== undefined; key = pool.next.pop()) {
      const taken = [key];
      if (this.cycles.has(this.nodeOf(key)))
        for (let more = pool.next.pop(); more !== undefined; more = pool.next.pop()) {
          if (this.cycles.isInside(this.nodeOf(key), this.nodeOf(more))) taken.push(more);
          else {
            pool.next.push(more);
            break;
          }
        }
      if (this.unfoldLarge(context, pool, taken)) return;
      this.hang(context, pool, taken);
    }
    this.pools.delete(context);
  }

  private handTo(context: number, pool: Pool): void {
    const there = this.pools.get(context);
    if (!there) {
      this.pools.set(context, pool);
      return;
    }
    // The smaller one into the larger one.
    const [from, to] = there.next || there.shares.size >= pool.shares.size ? [pool, there] : [there, pool];
    this.pools.set(context, to);
    to.cost += from.cost;
    this.looked += from.shares.size;
    for (const [key, share] of from.shares) this.gather(context, key, share, 0);
  }

  /** Unfolds calls that together are large enough. @returns whether there are such; the rest is then to be settled later */
  private unfoldLarge(context: number, pool: Pool, keys: readonly number[]): boolean {
    const isLarge = (key: number) =>
      key % 2 === CALLS &&
      Math.abs((pool.shares.get(key) ?? 0) * this.flow.mass[this.nodeOf(key)]) >= this.least &&
      this.least > 0;
    if (!keys.some(isLarge)) return false;
    this.push(context, NONE, 0);
    for (const key of keys) {
      if (isLarge(key)) {
        this.push(context, this.nodeOf(key), pool.shares.get(key) ?? 0);
        pool.shares.delete(key);
      } else pool.next?.push(key);
    }
    return true;
  }

  /** Hangs functions directly below a context, and takes their calls into its pool. @param keys of one function, or one cycle */
  private hang(context: number, pool: Pool, keys: readonly number[]): void {
    const visits = new Map<number, number>();
    for (const key of keys) {
      const node = this.nodeOf(key);
      const share = pool.shares.get(key) ?? 0;
      pool.shares.delete(key);
      if (key % 2 === CALLS && this.cycles.has(node)) this.cycles.addVisits(node, share, visits);
      else visits.set(node, (visits.get(node) ?? 0) + share);
    }
    for (const [node, share] of visits) {
      if (this.graph.own[node] !== 0 || context === NONE) this.add(context, node, share, false);
      this.eachCallOut(node, (callee, part) => {
        if (share * part * this.flow.mass[callee] !== 0)
          this.gather(context, this.keyOf(callee, CALLS), share * part, 0);
      });
    }
  }

  /** Where costs were recorded so strangely that calls are missing, they are put beside the roots: totals are what was measured. */
  private complete(): void {
    const found = new Float64Array(this.graph.own.length);
    for (let context = 0; context < this.node.length; context++)
      found[this.node.values[context]] += this.share.values[context];
    this.graph.own.forEach((own, node) => {
      if (own !== 0 && Math.abs(1 - found[node]) > ROUNDING * 1000) this.add(NONE, node, 1 - found[node], false);
    });
  }
}
