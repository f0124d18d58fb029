/** What is asked of super graphs, their bars, and where they are drawn. */
import { addTo } from "../../model/maps";
import { compareText } from "../../model/strings";
import { layoutGraph, layoutStacked as stackedLayout } from "../../supergraph/layout";
import type { GraphLayout, LayoutGraph, LayoutSize } from "../../supergraph/layout";
import type { BarHistogramRequest } from "../members/spreadApi";
import { defineQuestion } from "../defineQuestion";
import type { GraphQuery, Target } from "../scope";
import { barFunctions as functionsOf } from "./barFunctions";

export const superGraph = defineQuestion((state, query: GraphQuery, task) =>
  state.graphsOf(query, task).superGraph(query, task),
);

/** Where an entry of a graph leads that was not linked with it (`GraphEntry.unlinked`). */
export const linkOfEntry = defineQuestion(
  (state, { query, context }: { readonly query: GraphQuery; readonly context: number }, task) =>
    state.graphsOf(query, task).linkOf(query, context, task),
);

/** The bar that a target lies in. */
export const barOf = defineQuestion(
  async (state, { query, target }: { readonly query: GraphQuery; readonly target: Target }, task) => {
    if (target.kind === "bar") return target.bar;
    const { open } = state.get(query.scope.dataSet);
    const graphs = state.graphsOf(query, task);
    if (target.kind === "context") return (await graphs.barsOf(query, [open.checkContext(target.context)], task))[0];
    // A function may lie in several bars: the one with most of its cost.
    const { exclusive } = open.numbers(query.scope);
    const costs = new Map<string, number>();
    const contexts = [...(await state.contextsOf(query.scope.dataSet, target, task))];
    for (const [at, bar] of (await graphs.barsOf(query, contexts, task)).entries())
      if (bar !== undefined) addTo(costs, bar, exclusive[contexts[at]]);
    return [...costs].sort(([a, costA], [b, costB]) => costB - costA || compareText(a, b)).at(0)?.[0];
  },
);

/**
 * All functions that have contexts in a bar, heaviest exclusive first: what can be revealed. Exclusive is that of their
 * contexts in the bar; inclusive counts those that no context of the same function in the bar stands above. None where
 * there is no such bar.
 */
export const barFunctions = defineQuestion(
  (state, { query, bar }: { readonly query: GraphQuery; readonly bar: string }, task) =>
    functionsOf(state.get(query.scope.dataSet).open, state.graphsOf(query, task), query, bar, task),
);

/**
 * The bar of one graph that each bar of another was made from, by its id and in the order of the other graph; undefined
 * where nothing of it was there. Empty where they are of different recordings.
 */
export const barOrigins = defineQuestion(
  async (state, { before, after }: { readonly before: GraphQuery; readonly after: GraphQuery }, task) => {
    const graphs = state.graphsOf(after, task);
    // Of other recordings, no bar was made from any.
    if (state.graphsOf(before, task) !== graphs) return [];
    return graphs.origins(before, after, task);
  },
);

/** How the exclusive or inclusive of every bar of a graph is spread. */
export const barHistograms = defineQuestion(
  (state, { query, ...what }: BarHistogramRequest & { readonly query: GraphQuery }, task) =>
    state.graphsOf(query, task).histograms(query, what, task),
);

export const layout = defineQuestion(
  (_, { graph, size }: { readonly graph: LayoutGraph; readonly size: LayoutSize }) => layoutGraph(graph, size),
  columnsOf,
);

/** Graphs of the same bars and edges, one below the other on one scale. */
export const layoutStacked = defineQuestion(
  (_, { graphs, size }: { readonly graphs: readonly LayoutGraph[]; readonly size: LayoutSize }) =>
    stackedLayout(graphs, size),
  ({ parts }) => parts.flatMap(columnsOf),
);

function columnsOf({ boxes, thickness, first, points }: GraphLayout): ArrayBuffer[] {
  return [boxes.buffer, thickness.buffer, first.buffer, points.buffer];
}
