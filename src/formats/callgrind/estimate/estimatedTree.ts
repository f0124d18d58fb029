import { type ContextTree, ContextTreeBuilder } from "../../../model/contextTree";
import { EntryLog } from "../../../model/entryLog";
import { NONE } from "../../../model/ids";
import type { LineValues } from "../../../model/lineValues";
import { cancellable, STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import type { SparseValues } from "../../../model/values";
import { flowOf } from "./flowGraph";
import { type PlacedGraph, PlacedGraphs } from "./placedGraphs";
import { identity } from "../assemble/orderedRows";
import type { RecordedGraph } from "../assemble/recordedGraph";
import { THRESHOLD, unfold, type Unfolded } from "./unfold";

/** Contexts and their lines, over all metrics and locations together: what a window can still show at once. */
const MOST_ROWS = 1_000_000;
const LEAST_ROWS = 1000;
/** How finely counts are dealt out; sums of them stay exact (2⁵³). */
const FINEST_BITS = 40;
const EXACT_BITS = 52;

export interface EstimatedTree {
  readonly tree: ContextTree;
  /** By metric. */
  readonly values: readonly SparseValues[];
  /** Share of the total below which calls were not told apart by their paths. */
  readonly threshold: number;
}

/**
 * The calling context tree that a call graph stands for (semantics 1, Call-graph formats), unfolded by metric and location;
 * below each context that is worth it the lines of its function, each with the same share.
 * Frames were made in canonical order ({@link recordedGraph}), so their numbers are their ranks; of millions of lines few are
 * in the tree, and only these are looked at.
 */
export function estimatedTree(recorded: RecordedGraph, locations: number, task: Task): EstimatedTree {
  const metrics = recorded.exclusive.length;
  const builder = new FewFrames();
  const values = recorded.exclusive.map(() => new EntryLog());
  const mostRows = Math.max(LEAST_ROWS, Math.floor(MOST_ROWS / Math.max(1, metrics * locations)));
  const graphs = new PlacedGraphs(recorded, locations, task);
  const quanta = recorded.exclusive.map(quantumOf);
  let threshold = THRESHOLD;
  for (let location = 0; location < locations; location++) {
    const placed = graphs.at(location);
    for (let metric = 0; metric < metrics; metric++) {
      task.check();
      const graph = placed.ofMetric(metric, task);
      const rowsOf = (node: number) => 1 + placed.lineCount(metric, node);
      const unfolded = unfold(graph, flowOf(graph, task), rowsOf, mostRows, task);
      task.check();
      threshold = Math.max(threshold, unfolded.threshold);
      add(builder, values[metric], location, recorded, placed, metric, quanta[metric], unfolded, task);
    }
  }
  const { tree, finalOf } = builder.build(task);
  const places = identity(locations);
  const built = values.map((one) => {
    task.check();
    return one.build(tree.size, finalOf, places, 1, 1, task);
  });
  return { tree, values: built, threshold };
}

/** Builds a tree of few frames out of very many: these are numbered anew while it grows. */
class FewFrames {
  private readonly builder = new ContextTreeBuilder();
  private readonly number = new Map<number, number>();

  child(parent: number, frame: number): number {
    let own = this.number.get(frame);
    if (own === undefined) this.number.set(frame, (own = this.number.size));
    return this.builder.child(parent, own);
  }

  build(task: Task): ReturnType<ContextTreeBuilder["build"]> {
    const frames = Int32Array.from(this.number.keys());
    const ranks = new Int32Array(frames.length);
    const order = new Uint32Array(frames.length).map((_, own) => own);
    order.sort(cancellable((a, b) => frames[a] - frames[b], task));
    order.forEach((own, rank) => (ranks[own] = rank));
    const { tree, finalOf } = this.builder.build(ranks, task);
    return { tree: { ...tree, frame: tree.frame.map((own) => frames[own]) }, finalOf };
  }
}

function add(
  builder: FewFrames,
  values: EntryLog,
  location: number,
  { functions, lines }: RecordedGraph,
  placed: PlacedGraph,
  metric: number,
  quantum: number,
  unfolded: Unfolded,
  task: Task,
): void {
  const { size, parent, node, share, lined } = unfolded;
  const contexts = new Int32Array(size);
  for (let own = 0; own < size; own++) {
    if (own % STEPS_BETWEEN_CHECKS === 0) task.check();
    const above = parent[own] === NONE ? NONE : contexts[parent[own]];
    contexts[own] = builder.child(above, functions[placed.functionOf[node[own]]]);
  }
  eachNode(unfolded, (of, those) => {
    task.check();
    const withLines = those.filter((own) => lined[own] === 1);
    const without = those.filter((own) => lined[own] === 0);
    let rest = 0;
    placed.eachLine(metric, of, (row, value) => {
      const frame = lines.frame[row];
      rest += deal(value, withLines, share, quantum, (own, part) =>
        values.add(frame === NONE ? contexts[own] : builder.child(contexts[own], frame), location, part),
      );
    });
    const shares = without.reduce((sum, own) => sum + share[own], 0);
    deal(rest, without, share, quantum, (own, part) => values.add(contexts[own], location, part), shares);
  });
}

/** Calls back with each node and its contexts. */
function eachNode({ size, node }: Unfolded, visit: (node: number, contexts: Int32Array) => void): void {
  const nodes = node.reduce((most, one) => Math.max(most, one + 1), 0);
  const start = new Int32Array(nodes + 1);
  for (const one of node) start[one + 1]++;
  for (let one = 0; one < nodes; one++) start[one + 1] += start[one];
  const next = start.slice(0, nodes);
  const sorted = new Int32Array(size);
  node.forEach((one, own) => (sorted[next[one]++] = own));
  for (let one = 0; one < nodes; one++)
    if (start[one] < start[one + 1]) visit(one, sorted.subarray(start[one], start[one + 1]));
}

/**
 * What shares of counts are multiples of: a power of two that is small, but large enough for sums of them to be exact. So
 * contexts add up to what was counted to the last digit, in whatever order they are added. 0 for what is not counted.
 */
function quantumOf({ value }: LineValues): number {
  let total = 0;
  for (const one of value) {
    if (!Number.isInteger(one)) return 0;
    total += Math.abs(one);
  }
  return 2 ** -Math.max(0, Math.min(FINEST_BITS, EXACT_BITS - Math.ceil(Math.log2(total + 1))));
}

/**
 * Deals a value out by shares: each gets what the shares up to it come to, less what was dealt.
 *
 * @param quantum what parts are multiples of, as {@link quantumOf} says
 * @param all what the shares are parts of
 * @returns what is left: where the shares are not all
 */
function deal(
  value: number,
  contexts: Int32Array,
  share: Float64Array,
  quantum: number,
  give: (context: number, part: number) => void,
  all = 1,
): number {
  let shares = 0;
  let dealt = 0;
  for (const own of contexts) {
    shares += share[own];
    const exact = (value * shares) / all;
    const upTo = quantum > 0 ? Math.round(exact / quantum) * quantum : exact;
    if (upTo !== dealt) give(own, upTo - dealt);
    dealt = upTo;
  }
  return value - dealt;
}
