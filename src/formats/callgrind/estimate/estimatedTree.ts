import { type ContextTree, ContextTreeBuilder } from "../../../model/contextTree";
import { EntryLog } from "../../../model/entryLog";
import { NONE } from "../../../model/ids";
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
/** What is left of a context's cost when its lines have taken all of it. */
const ROUNDING = 1e-12;

export interface EstimatedTree {
  readonly tree: ContextTree;
  /** By metric. */
  readonly values: readonly SparseValues[];
  /** Share of the total below which contexts were not unfolded. */
  readonly threshold: number;
}

/**
 * The calling context tree that a call graph stands for (semantics 1, Call-graph formats), unfolded by metric and location;
 * below each unfolded context the lines of its function, each with the same share.
 * Frames were made in canonical order ({@link recordedGraph}), so their numbers are their ranks; of millions of lines few are
 * in the tree, and only these are looked at.
 */
export function estimatedTree(recorded: RecordedGraph, locations: number, task: Task): EstimatedTree {
  const metrics = recorded.exclusive.length;
  const builder = new FewFrames();
  const values = recorded.exclusive.map(() => new EntryLog());
  const mostRows = Math.max(LEAST_ROWS, Math.floor(MOST_ROWS / Math.max(1, metrics * locations)));
  const graphs = new PlacedGraphs(recorded, locations, task);
  let threshold = THRESHOLD;
  for (let location = 0; location < locations; location++) {
    const placed = graphs.at(location);
    for (let metric = 0; metric < metrics; metric++) {
      task.check();
      const graph = placed.ofMetric(metric, task);
      const rowsOf = (node: number) => 1 + placed.lineCount(metric, node);
      const unfolded = unfold(graph, flowOf(graph, task), placed.functionOf, rowsOf, mostRows, task);
      task.check();
      threshold = Math.max(threshold, unfolded.threshold);
      add(builder, values[metric], location, recorded, placed, metric, unfolded, task);
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
  { size, parent, node, share, exclusive }: Unfolded,
  task: Task,
): void {
  const contexts = new Int32Array(size);
  for (let own = 0, rows = 0; own < size; own++) {
    if (rows >= STEPS_BETWEEN_CHECKS) {
      rows = 0;
      task.check();
    }
    rows += 1 + placed.lineCount(metric, node[own]);
    const above = parent[own] === NONE ? NONE : contexts[parent[own]];
    const context = (contexts[own] = builder.child(above, functions[placed.functionOf[node[own]]]));
    // The lines take what is theirs; what has no line, and what was not unfolded, stays with the function.
    let rest = exclusive[own];
    if (share[own] !== NONE) {
      placed.eachLine(metric, node[own], (row, value) => {
        if (lines.frame[row] === NONE) return;
        values.add(builder.child(context, lines.frame[row]), location, share[own] * value);
        rest -= share[own] * value;
      });
    }
    if (Math.abs(rest) > ROUNDING * Math.abs(exclusive[own])) values.add(context, location, rest);
  }
}
