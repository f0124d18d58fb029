import { IntColumn } from "../../../model/columns";
import { NONE } from "../../../model/ids";
import type { FlowGraph } from "./flowGraph";

/**
 * The path from a root to the context that is being unfolded, and what may be called there.
 *
 * Where a tool keeps levels of recursion apart (`f`, `f'2`), it says of each call whether its callee was on the path: `f` is
 * called only where it is not, `f'2` only where it is. Of the last level there may be several on a path.
 *
 * A function that comes for the first time begins a segment. A call back to a node of the same segment leads to no new context:
 * it returns to the one that is there, so recursion ends; what came for the first time stays above all that it called.
 */
export class CallPath {
  private readonly contexts = new IntColumn();
  private readonly nodes = new IntColumn();
  /** By depth: where the segment begins. */
  private readonly segments = new IntColumn();
  /** By depth: where the same node is above, {@link NONE}: nowhere. */
  private readonly above = new IntColumn();
  /** By node: its last place on the path. */
  private readonly depthOf: Int32Array;
  /** By function: how many of the path are in it. */
  private readonly countOf: Int32Array;

  constructor(private readonly graph: FlowGraph) {
    this.depthOf = new Int32Array(graph.edges.nodes).fill(NONE);
    this.countOf = new Int32Array(graph.functionOf.reduce((most, one) => Math.max(most, one + 1), 0));
  }

  /** Leaves all below a context. */
  leaveTo(context: number): void {
    const { contexts } = this;
    while (contexts.length > 0 && contexts.values[contexts.length - 1] !== context) this.leave();
  }

  private leave(): void {
    const { contexts, nodes, segments, above } = this;
    const at = --contexts.length;
    nodes.length = segments.length = above.length = at;
    const node = nodes.values[at];
    this.depthOf[node] = above.values[at];
    this.countOf[this.graph.functionOf[node]]--;
  }

  enter(context: number, node: number): void {
    const depth = this.contexts.length;
    const isFirst = this.countOf[this.graph.functionOf[node]]++ === 0;
    this.segments.push(isFirst || depth === 0 ? depth : this.segments.values[depth - 1]);
    this.above.push(this.depthOf[node]);
    this.contexts.push(context);
    this.nodes.push(node);
    this.depthOf[node] = depth;
  }

  /** Whether a call from here can have been. */
  canCall(node: number): boolean {
    const { graph, depthOf } = this;
    if (!graph.levels) return true;
    const below = levelAbove(graph, node);
    if (below !== NONE && depthOf[below] === NONE) return false;
    return depthOf[node] === NONE || mayRepeat(graph, node);
  }

  /** Whether a call from here returns to a context of the path. */
  returnsTo(node: number): boolean {
    const depth = this.contexts.length - 1;
    return depth >= 0 && this.depthOf[node] >= this.segments.values[depth];
  }
}

/** The node that must be on the path of each call of this one; {@link NONE}: any path will do. */
function levelAbove({ functionOf }: FlowGraph, node: number): number {
  return node > 0 && functionOf[node - 1] === functionOf[node] ? node - 1 : NONE;
}

/** Whether a node may be on a path several times, so that what its calls cost was counted several times. */
export function mayRepeat(graph: FlowGraph, node: number): boolean {
  const { functionOf, levels } = graph;
  return !levels || (levelAbove(graph, node) !== NONE && functionOf[node + 1] !== functionOf[node]);
}
