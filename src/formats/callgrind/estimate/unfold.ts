import { estimating } from "../../../model/stages";
import type { Steps } from "../../../model/steps";
import type { Task } from "../../../model/task";
import { Cycles } from "./cycles";
import type { Flow, FlowGraph } from "./flowGraph";
import { Unfolding, type UnfoldedContexts } from "./unfolding";
import { Weights } from "./weights";

/** Calling contexts, estimated from a call graph. */
export interface Unfolded extends UnfoldedContexts {
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
/** Weights are fitted until the largest difference is this share of the total, or has not become this much smaller so many times. */
const FITTED = 1e-4;
const NEARER = 0.9;
const MOST_IDLE = 3;

/**
 * Unfolds a call graph from its roots, so that the calling contexts give each function what was measured of it.
 *
 * - A context's cost is divided among itself and what it calls as was measured of its function ({@link Weights}): without recursion
 *   these are contexts by path, in proportion.
 * - Where levels of recursion were recorded apart (`f`, `f'2`), a call leads only where it can have been: to `f` where no `f` is on the path, to
 *   `f'2` where one is ({@link CallPath}). Then all that `f` called lies below contexts of `f` that have none above, and costs what was
 *   measured. The weights are fitted until that holds.
 * - A call back to a function of the path, with nothing new in between, returns to its context, so that recursion ends.
 * - Calls below the threshold are not told apart by their paths: they are handed to the caller's caller, until together
 *   they reach the threshold, at the latest at the root. There they are unfolded where all calls of one function reach it,
 *   else each function that they lead to hangs there directly. So no context lacks more than the threshold of what it costs in all.
 * - At the end all contexts of a function are together just what it cost itself, and so are its lines.
 *
 * Ending a path where a function comes again, and leaving it all that the call cost, would give a recursive program's
 * cost to the few functions where paths end: of Lua's interpreter, 33 % of a run, nothing was left.
 *
 * @param rowsOf how many rows a context of a node takes, itself and its lines
 * @param mostRows how many rows may come out; the threshold is raised until that holds
 * @param least threshold to begin with, share of the total
 */
export function* unfold(
  graph: FlowGraph,
  flow: Flow,
  rowsOf: (node: number) => number,
  mostRows: number,
  task: Task,
  least = THRESHOLD,
): Steps<Unfolded> {
  let total = 0;
  for (const own of graph.own) total += Math.abs(own);
  const cycles = new Cycles(graph, flow, Math.max(LEAST_STEPS, STEPS_A_CONTEXT * mostRows), task);
  let passes = 0;
  for (let threshold = least; ; threshold *= RAISED) {
    // Above 1 every function comes once.
    const most = threshold > 1 ? Infinity : mostRows;
    const bounds = { least: threshold * total, mostRows: most, mostLooked: CALLS_A_CONTEXT * most };
    const weights = new Weights(graph, flow);
    const next = () => {
      const pass = ++passes;
      const report = (contexts: number) => task.progress(undefined, estimating(contexts, pass));
      return new Unfolding(graph, flow, cycles, weights, rowsOf, bounds, report);
    };
    let best = next();
    if (!(yield* best.run())) continue;
    if (!weights.mayBeOff) return { ...best.result(), threshold };
    let furthest = weights.fit(best.tally);
    let looked = best.looked;
    let left = MOST_IDLE;
    while (left > 0 && furthest > FITTED * total && looked < bounds.mostLooked) {
      const fitted = next();
      if (!(yield* fitted.run())) break;
      looked += fitted.looked;
      const off = weights.fit(fitted.tally);
      // Of the smallest numbers a share is the number itself, so one that is no nearer counts whatever its share is.
      if (off > NEARER * furthest || off >= furthest) left--;
      if (off < furthest) [best, furthest] = [fitted, off];
    }
    return { ...best.result(), threshold };
  }
}
