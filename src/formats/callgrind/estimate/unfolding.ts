import { FloatColumn, IntColumn } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import type { Steps } from "../../../model/steps";
import { CallPath } from "./callPath";
import type { Cycles } from "./cycles";
import type { Flow, FlowGraph } from "./flowGraph";
import { Heap } from "./heap";
import type { Tally, Weights } from "./weights";

/** Calling contexts: parents before children. A path may come several times. */
export interface UnfoldedContexts {
  readonly size: number;
  readonly parent: Int32Array;
  readonly node: Int32Array;
  /** What part of what its node and the node's lines cost themselves a context has: for each node that costs something, 1 in all. */
  readonly share: Float64Array;
  /** 1 where a context is worth its lines; 0 for one that stands for calls too small to be told apart. */
  readonly lined: Uint8Array;
}

/** How far an unfolding goes. */
export interface Bounds {
  /** Cost below which calls are not told apart by their paths. */
  readonly least: number;
  readonly mostRows: number;
  /** Calls that may be looked at. */
  readonly mostLooked: number;
}

const CHECK_EVERY = 1 << 14;
/** Functions that are hung before a cancel is looked for: all that are left may hang below one context. */
const HUNG_BETWEEN_CHECKS = 1 << 10;

/** Calls that are not told apart by their paths. Keys of nodes come callers first. */
interface Pool {
  /** By key, the share in the node's calls. */
  shares: Map<number, number>;
  /** By key, what the hung context that calls it most has of it. */
  callers: Map<number, { readonly context: number; readonly share: number }>;
  /** What all of it costs. */
  cost: number;
  /** The keys that are to be unfolded next, once that has begun. */
  next: Heap | undefined;
}

/** One unfolding of a call graph by given weights. */
export class Unfolding {
  readonly tally: Tally;
  private readonly parent = new IntColumn();
  private readonly node = new IntColumn();
  private readonly share = new FloatColumn();
  private readonly lined = new IntColumn();
  private readonly pools = new Map<number, Pool>();
  /** What is to be done, the last first: calls to be unfolded below a context; without a node, the context's pool. */
  private readonly todo = { context: new IntColumn(), node: new IntColumn(), cost: new FloatColumn() };
  private readonly path: CallPath;
  private readonly keyOf: Int32Array;
  private rows = 0;
  private lookedHere = 0;
  private hung = 0;
  private readonly lookedBefore: number;

  /** @param report gets the number of contexts so far; an error that it throws ends the work */
  constructor(
    private readonly graph: FlowGraph,
    private readonly flow: Flow,
    private readonly cycles: Cycles,
    private readonly weights: Weights,
    private readonly rowsOf: (node: number) => number,
    private readonly bounds: Bounds,
    private readonly report: (contexts: number) => void,
  ) {
    const { members } = flow.components;
    const calls = graph.edges.target.length;
    this.lookedBefore = cycles.looked;
    this.path = new CallPath(graph);
    this.tally = {
      own: new Float64Array(members.length),
      calls: new Float64Array(calls),
      ownOf: new Float64Array(members.length),
      callsOf: new Float64Array(calls),
      pooled: new Float64Array(members.length),
    };
    // Callers before callees, the members of a cycle together.
    this.keyOf = new Int32Array(members.length);
    members.forEach((node, at) => (this.keyOf[node] = members.length - 1 - at));
  }

  /** Calls that were looked at. */
  get looked(): number {
    return this.lookedHere + this.cycles.looked - this.lookedBefore;
  }

  /** @returns false where it was given up, since too much would come out */
  *run(): Steps<boolean> {
    const { todo } = this;
    this.push(NONE, NONE, 0);
    for (const { node, share } of this.flow.roots) this.call(NONE, node, Math.abs(share * this.flow.mass[node]));
    for (let steps = 0; todo.node.length > 0; steps++) {
      if (steps % CHECK_EVERY === 0) {
        this.report(this.node.length);
        yield;
      }
      if (this.rows > this.bounds.mostRows || this.looked > this.bounds.mostLooked) return false;
      const at = --todo.node.length;
      todo.context.length = todo.cost.length = at;
      const context = todo.context.values[at];
      const node = todo.node.values[at];
      this.path.leaveTo(context);
      if (node === NONE) this.settle(context);
      else this.enter(context, node, todo.cost.values[at]);
    }
    return this.rows <= this.bounds.mostRows;
  }

  result(): UnfoldedContexts {
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

  private push(context: number, node: number, cost: number): void {
    this.todo.context.push(context);
    this.todo.node.push(node);
    this.todo.cost.push(cost);
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
  private call(context: number, node: number, cost: number): void {
    this.lookedHere++;
    if (cost >= this.bounds.least && cost > 0) this.push(context, node, cost);
    // A root is shown though it costs nothing.
    else if (cost > 0 || context === NONE)
      this.gather(context, this.keyOf[node], cost === 0 ? 0 : cost / Math.abs(this.flow.mass[node]), cost);
  }

  /** Divides what a context costs among itself and what it calls. */
  private enter(parent: number, node: number, cost: number): void {
    const { start, target } = this.graph.edges;
    const { weights, path, tally } = this;
    const context = this.add(parent, node, 0, true);
    path.enter(context, node);
    let all = weights.own[node];
    const open: number[] = [];
    for (let edge = start[node]; edge < start[node + 1]; edge++)
      if (path.canCall(target[edge]) && !path.returnsTo(target[edge])) {
        open.push(edge);
        all += weights.calls[edge];
      }
    this.lookedHere += start[node + 1] - start[node] - open.length;
    // Where nothing is left that it may cost, others like it get what it would have cost.
    if (!(all > 0)) return;
    const own = (cost * weights.own[node]) / all;
    tally.own[node] += own;
    tally.ownOf[node] += cost;
    if (own > 0) this.share.values[context] = own / Math.abs(this.graph.own[node]);
    this.push(context, NONE, 0);
    for (const edge of open) {
      const part = (cost * weights.calls[edge]) / all;
      tally.calls[edge] += part;
      tally.callsOf[edge] += cost;
      this.call(context, target[edge], part);
    }
  }

  /** Calls back with each callee outside of a node's cycle, and the share of the calls in it. */
  private eachCallOut(node: number, visit: (callee: number, share: number) => void): void {
    const { start, target } = this.graph.edges;
    for (let edge = start[node]; edge < start[node + 1]; edge++)
      if (!this.cycles.isInside(node, target[edge])) visit(target[edge], this.flow.share[edge]);
    this.lookedHere += start[node + 1] - start[node];
  }

  private nodeOf(key: number): number {
    const { members } = this.flow.components;
    return members[members.length - 1 - key];
  }

  private gather(context: number, key: number, share: number, cost: number): void {
    let pool = this.pools.get(context);
    if (!pool) this.pools.set(context, (pool = { shares: new Map(), callers: new Map(), cost: 0, next: undefined }));
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
      if (above !== NONE && pool.cost < this.bounds.least) {
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
    this.lookedHere += from.shares.size;
    for (const [key, share] of from.shares) this.gather(context, key, share, 0);
  }

  /** Unfolds calls that together are large enough. @returns whether there are such; the rest is then to be settled later */
  private unfoldLarge(context: number, pool: Pool, keys: readonly number[]): boolean {
    const costOf = (key: number) => Math.abs((pool.shares.get(key) ?? 0) * this.flow.mass[this.nodeOf(key)]);
    const isLarge = (key: number) =>
      this.bounds.least > 0 &&
      costOf(key) >= this.bounds.least &&
      this.path.canCall(this.nodeOf(key)) &&
      !this.path.returnsTo(this.nodeOf(key));
    if (!keys.some(isLarge)) return false;
    this.push(context, NONE, 0);
    for (const key of keys)
      if (isLarge(key)) {
        this.push(context, this.nodeOf(key), costOf(key));
        pool.shares.delete(key);
      } else pool.next?.push(key);
    return true;
  }

  /** Hangs functions directly below a context, and takes their calls into its pool. @param keys of one function, or one cycle */
  private hang(context: number, pool: Pool, keys: readonly number[]): void {
    if (++this.hung % HUNG_BETWEEN_CHECKS === 0) this.report(this.node.length);
    let visits = new Map<number, number>();
    let caller = { context, share: 0 };
    for (const key of keys) {
      const share = pool.shares.get(key) ?? 0;
      visits.set(this.nodeOf(key), share);
      const known = pool.callers.get(key);
      if (known && known.share > caller.share && known.share >= share / 2) caller = known;
      pool.shares.delete(key);
      pool.callers.delete(key);
    }
    if (this.cycles.has(this.nodeOf(keys[0]))) visits = this.cycles.visitsOf(visits);
    for (const [node, share] of visits) {
      this.tally.pooled[node] += share;
      let hung = caller.context;
      if (this.graph.own[node] !== 0 || context === NONE) hung = this.add(caller.context, node, share, false);
      this.eachCallOut(node, (callee, part) => {
        if (share * part * this.flow.mass[callee] === 0) return;
        const key = this.keyOf[callee];
        this.gather(context, key, share * part, 0);
        if (share * part > (pool.callers.get(key)?.share ?? 0))
          pool.callers.set(key, { context: hung, share: share * part });
      });
    }
  }

  /** All of a function is in its contexts; where nothing is, it is put beside the roots: totals are what was measured. */
  private complete(): void {
    const { own } = this.graph;
    const found = new Float64Array(own.length);
    const { node, share } = this;
    for (let context = 0; context < node.length; context++) found[node.values[context]] += share.values[context];
    for (let context = 0; context < node.length; context++)
      if (found[node.values[context]] > 0) share.values[context] /= found[node.values[context]];
    own.forEach((one, at) => {
      if (one !== 0 && !(found[at] > 0)) this.add(NONE, at, 1, false);
    });
  }
}
