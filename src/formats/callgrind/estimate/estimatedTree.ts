import { type ContextTree, ContextTreeBuilder } from "../../../model/contextTree";
import { EntryLog } from "../../../model/entryLog";
import { NONE } from "../../../model/ids";
import type { Steps } from "../../../model/steps";
import { cancellable, STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import { dividing } from "../../../model/stages";
import type { SparseValues } from "../../../model/values";
import { flowOf } from "./flowGraph";
import { type PlacedGraph, PlacedGraphs } from "./placedGraphs";
import { identity } from "../assemble/orderedRows";
import type { RecordedGraph } from "../assemble/recordedGraph";
import { THRESHOLD, unfold, type Unfolded } from "./unfold";

/** Contexts and their lines, over all metrics and locations together: what a window can still show at once. */
const MOST_ROWS = 1_000_000;
const LEAST_ROWS = 1000;
/** Rounding as usual; and the step that spreads phases of rounding evenly over 0 to 1, the golden ratio. */
const MIDDLE = 0.5;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

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
export function* estimatedTree(recorded: RecordedGraph, locations: number, task: Task): Steps<EstimatedTree> {
  const metrics = recorded.exclusive.length;
  const builder = new FewFrames();
  const values = recorded.exclusive.map(() => new EntryLog());
  const mostRows = Math.max(LEAST_ROWS, Math.floor(MOST_ROWS / Math.max(1, metrics * locations)));
  const graphs = new PlacedGraphs(recorded, locations, task);
  const counted = recorded.exclusive.map(({ value }) => value.every(Number.isInteger));
  let threshold = THRESHOLD;
  for (let location = 0; location < locations; location++) {
    const placed = graphs.at(location);
    for (let metric = 0; metric < metrics; metric++) {
      task.check();
      const graph = placed.ofMetric(metric, task);
      const rowsOf = (node: number) => 1 + placed.lineCount(metric, node);
      const unfolded = yield* unfold(graph, flowOf(graph, task), rowsOf, mostRows, task);
      task.check();
      threshold = Math.max(threshold, unfolded.threshold);
      add(builder, values[metric], location, recorded, placed, metric, counted[metric], unfolded, task);
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
  counted: boolean,
  unfolded: Unfolded,
  task: Task,
): void {
  const { size, parent, node, share, lined } = unfolded;
  const contexts = new Int32Array(size);
  task.progress(undefined, dividing(size));
  for (let own = 0; own < size; own++) {
    if (own % STEPS_BETWEEN_CHECKS === 0) task.check();
    const above = parent[own] === NONE ? NONE : contexts[parent[own]];
    contexts[own] = builder.child(above, functions[placed.functionOf[node[own]]]);
  }
  eachNode(unfolded, (of, those) => {
    task.check();
    const withLines = those.filter((own) => lined[own] === 1);
    const without = those.filter((own) => lined[own] === 0);
    const sharesOf = (some: Int32Array) => some.reduce((sum, own) => sum + share[own], 0);
    const all = without.length === 0 ? sharesOf(withLines) : 1;
    let rest = 0;
    let phase = MIDDLE;
    placed.eachLine(metric, of, (row, value) => {
      const frame = lines.frame[row];
      rest += deal(value, withLines, share, all, counted ? phase : undefined, (own, part) =>
        values.add(frame === NONE ? contexts[own] : builder.child(contexts[own], frame), location, part),
      );
      phase = (phase + GOLDEN) % 1;
    });
    deal(rest, without, share, sharesOf(without), counted ? MIDDLE : undefined, (own, part) =>
      values.add(contexts[own], location, part),
    );
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
 * Deals a value out by shares: each gets what the shares up to it come to, less what was dealt. A count is dealt in whole
 * ones, so that contexts add up to what was counted, in whatever order they are added.
 *
 * @param all what the shares are parts of
 * @param phase where counts are rounded up, from 0 to 1: another one for each line, since of many lines that ran once each the
 *   same context would get all ones; undefined for what is not a count
 * @returns what is left: where the shares are not all
 */
function deal(
  value: number,
  contexts: Int32Array,
  share: Float64Array,
  all: number,
  phase: number | undefined,
  give: (context: number, part: number) => void,
): number {
  let shares = 0;
  let dealt = 0;
  for (const own of contexts) {
    shares += share[own];
    // Divided first: the last one gets all that is left, to the last digit.
    const exact = shares >= all ? value : value * (shares / all);
    const upTo = phase === undefined ? exact : Math.sign(value) * Math.floor(Math.abs(exact) + phase);
    if (upTo !== dealt) give(own, upTo - dealt);
    dealt = upTo;
  }
  return value - dealt;
}
