import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import { IntColumn, FloatColumn } from "../../../model/columns";
import type { Flow, FlowGraph } from "./flowGraph";

/** Calling contexts, estimated from a call graph: parents before children. */
export interface Unfolded {
  readonly size: number;
  readonly parent: Int32Array;
  readonly node: Int32Array;
  /** What part of all calls of its node a context is; {@link NONE} for one that is not unfolded. */
  readonly share: Float64Array;
  /** Exclusive cost: its part of the node's own; of a context that is not unfolded all that it and its calls cost. */
  readonly exclusive: Float64Array;
  /** Contexts below this share of the total were not unfolded. */
  readonly threshold: number;
}

/** What is below 0.01 % of the total is not unfolded further (semantics 1). */
export const THRESHOLD = 1e-4;
/** How much the threshold is raised where too many contexts would come out. */
const RAISED = 4;
/** Calls that are looked at for each context that may come out: graphs in which everything calls everything. */
const CALLS_A_CONTEXT = 50;
const CHECK_EVERY = 1 << 14;

/**
 * Unfolds a call graph from its roots (semantics 1, Call-graph formats): a context takes its share of its function's
 * exclusive; a call into a function that is already on the path ends there, and so does what is too small to be seen.
 * Σ exclusive = Σ of the graph's own costs.
 *
 * @param functionOf function of each node: levels of recursion are one function
 * @param rowsOf how many rows an unfolded context of a node takes, itself and its lines
 * @param mostRows how many rows may come out; the threshold is raised until that holds
 */
export function unfold(
  graph: FlowGraph,
  flow: Flow,
  functionOf: Int32Array,
  rowsOf: (node: number) => number,
  mostRows: number,
  task: Task,
): Unfolded {
  let total = 0;
  for (const own of graph.own) total += Math.abs(own);
  for (let threshold = THRESHOLD; ; threshold *= RAISED) {
    const unfolding = new Unfolding(graph, flow, functionOf, rowsOf, threshold * total, mostRows, task);
    // Above 1 nothing but the roots is left.
    if (unfolding.run() || threshold > 1) return { ...unfolding.result(), threshold };
  }
}

class Unfolding {
  private readonly parent = new IntColumn();
  private readonly node = new IntColumn();
  private readonly share = new FloatColumn();
  private readonly exclusive = new FloatColumn();
  private readonly onPath: Uint8Array;
  private rows = 0;
  private looked = 0;

  constructor(
    private readonly graph: FlowGraph,
    private readonly flow: Flow,
    private readonly functionOf: Int32Array,
    private readonly rowsOf: (node: number) => number,
    private readonly least: number,
    private readonly mostRows: number,
    private readonly task: Task,
  ) {
    this.onPath = new Uint8Array(functionOf.reduce((most, id) => Math.max(most, id + 1), 0));
  }

  /** @returns false where it was given up, since too much would come out */
  run(): boolean {
    const { start, target } = this.graph.edges;
    // The path from a root to here: contexts, and the next call of each. Paths may be as long as there are functions.
    const path = new IntColumn();
    const next = new IntColumn();
    for (const { node, share } of this.flow.roots) {
      this.enter(NONE, node, share, path, next);
      while (path.length > 0) {
        const context = path.values[path.length - 1];
        const caller = this.node.values[context];
        const edge = next.values[next.length - 1]++;
        if (edge === start[caller + 1]) {
          this.onPath[this.functionOf[caller]] = 0;
          path.length--;
          next.length--;
          continue;
        }
        if (++this.looked % CHECK_EVERY === 0) this.task.check();
        if (this.rows > this.mostRows || this.looked > CALLS_A_CONTEXT * this.mostRows) return false;
        this.enter(context, target[edge], this.share.values[context] * this.flow.share[edge], path, next);
      }
    }
    return this.rows <= this.mostRows;
  }

  result(): Omit<Unfolded, "threshold"> {
    const size = this.node.length;
    this.conserve(size);
    return {
      size,
      parent: this.parent.values.slice(0, size),
      node: this.node.values.slice(0, size),
      share: this.share.values.slice(0, size),
      exclusive: this.exclusive.values.slice(0, size),
    };
  }

  /** Adds a context, and goes into it where it is to be unfolded. */
  private enter(parent: number, node: number, share: number, path: IntColumn, next: IntColumn): void {
    const mass = share * this.flow.mass[node];
    if (mass === 0 && parent !== NONE) return;
    const context = this.node.length;
    this.parent.push(parent);
    this.node.push(node);
    const id = this.functionOf[node];
    if (this.onPath[id] === 1 || !(Math.abs(mass) >= this.least)) {
      this.share.push(NONE);
      this.exclusive.push(mass);
      this.rows++;
      return;
    }
    this.share.push(share);
    this.exclusive.push(share * this.graph.own[node]);
    this.rows += this.rowsOf(node);
    this.onPath[id] = 1;
    path.push(context);
    next.push(this.graph.edges.start[node]);
  }

  /**
   * Cycles that were recorded so strangely that their masses still moved at the last pass: what is missing, or too much,
   * is put to the first root, so that the total is what was measured.
   */
  private conserve(size: number): void {
    let measured = 0;
    let scale = 0;
    for (const own of this.graph.own) {
      measured += own;
      scale += Math.abs(own);
    }
    let found = 0;
    const { values } = this.exclusive;
    for (let context = 0; context < size; context++) found += values[context];
    if (size > 0 && Math.abs(measured - found) > 1e-12 * scale) values[0] += measured - found;
  }
}
