/** What a super graph panel has on screen: one graph or two, asked for and laid out. */
import type { Engine, GraphLayout, GraphQuery, LayoutGraph, LayoutSize, Scope, SuperGraph } from "../../engine/api";
import { floatsOf, integersOf } from "../../model/rowColumns";
import type { Task } from "../../model/task";
import { breakable, breakBar, type BrokenBars } from "./brokenBars";
import { thinFlows } from "./thinFlows";
import type { PlannedGraph, SplitPlan } from "./splitPlan";

/** One graph as it was asked for. */
export interface AskedGraph {
  readonly planned: PlannedGraph;
  readonly query: GraphQuery;
  readonly graph: SuperGraph;
  /** What heights show; the mean where `graph` has minima or maxima, which do not add up (semantics 2.4). */
  readonly heights: SuperGraph;
}

/** The graphs on screen, with the bars of the first one first. */
export interface AskedGraphs {
  readonly plan: SplitPlan;
  readonly graphs: readonly AskedGraph[];
}

/** Where everything is of what is drawn: one layout, or two of the same bars below each other. */
export interface LaidOut {
  readonly width: number;
  readonly height: number;
  readonly parts: readonly Omit<GraphLayout, "width" | "height">[];
  /** Where the title of each of two stands. */
  readonly headings?: readonly number[];
  /** Set where a bar was broken to be lower. */
  readonly broken?: BrokenBars;
}

/** Room above each of two graphs for its title, in pixels of the layout. */
const HEADING = 24;

/** @param common everything that is asked for but the values */
export function queryOf(common: Omit<GraphQuery, "scope">, plan: SplitPlan, at: number): GraphQuery {
  const compared = plan.pair === "runs" && plan.graphs.length > 1 ? plan.graphs[1 - at].scope : undefined;
  return { ...common, scope: plan.graphs[at].scope, ...(compared ? { compared } : {}) };
}

/** @param common everything that is asked for but the values */
export async function askGraphs(
  engine: Pick<Engine, "superGraph">,
  common: Omit<GraphQuery, "scope">,
  plan: SplitPlan,
  task: Task,
): Promise<AskedGraphs> {
  const graphs: AskedGraph[] = [];
  for (const [at, planned] of plan.graphs.entries()) {
    // The second graph has the bars of the first, whatever was found out about the sources meanwhile.
    const first = graphs.at(0)?.query.first ?? common.first;
    const asked = queryOf({ ...common, first }, plan, at);
    const { scope } = asked;
    const graph = await engine.superGraph(asked, task);
    const query = graph.chosen ? { ...asked, first: graph.chosen.choice } : asked;
    const asMean: GraphQuery = { ...query, scope: { ...scope, over: "mean" }, barsOnly: true };
    const isExtreme = scope.over === "max" || scope.over === "min";
    const heights = isExtreme ? await engine.superGraph(asMean, task) : graph;
    task.check();
    graphs.push({ planned, query, graph, heights });
  }
  return { plan, graphs };
}

/** What heights and flows show of each graph that is drawn; two that are drawn as one are put together. */
export function heightsOf({ plan, graphs }: AskedGraphs): readonly SuperGraph[] {
  const [first, second] = graphs.map(({ heights }) => heights);
  return plan.merged && graphs.length > 1 ? [bothAsOne(first, second)] : graphs.map(({ heights }) => heights);
}

/** Lays out what is on screen for a size. @param breaks whether the bar that fills most of the height is broken */
export async function layOut(
  engine: Pick<Engine, "layout" | "layoutStacked">,
  asked: AskedGraphs,
  size: LayoutSize,
  breaks = false,
): Promise<LaidOut> {
  const isThin = thinFlows(asked);
  const shapes = heightsOf(asked).map((graph): LayoutGraph => ({ ...shapeOf(graph), isThin }));
  if (asked.graphs.length === 1) {
    const bar = breaks ? breakable(asked) : undefined;
    const broken = typeof bar === "number" ? breakBar(shapes[0], asked.graphs[0].heights, bar) : undefined;
    const { width, height, ...part } = await engine.layout({ graph: broken?.shape ?? shapes[0], size });
    return { width, height, parts: [part], ...(broken ? { broken } : {}) };
  }
  if (asked.plan.merged) return engine.layoutStacked({ graphs: shapes, size });
  const stacked = await engine.layoutStacked({ graphs: shapes, size: { ...size, heading: HEADING } });
  return { ...stacked, headings: stacked.parts.map(({ top }) => top) };
}

/** The graph whose numbers the first bars have: of two recordings that are drawn as one graph, the candidate's. */
export function numbersOf({ plan, graphs }: AskedGraphs): AskedGraph {
  return graphs[plan.merged ? graphs.length - 1 : 0];
}

/** The graph and the bar in it that a bar of the content is; undefined where there is none. */
export function barAt(asked: AskedGraphs, index: number): { of: AskedGraph; bar: number } | undefined {
  const drawn = asked.plan.merged ? [numbersOf(asked)] : asked.graphs;
  const size = drawn[0].graph.bars.length;
  const of = drawn.at(Math.floor(index / Math.max(1, size)));
  return of && index < size * drawn.length ? { of, bar: index % size } : undefined;
}

/** The scope of a graph's values is open still: it may be of a recording that was compared and is closed by now. */
export function isOpen({ query }: AskedGraph, dataSets: readonly { readonly id: number }[]): boolean {
  const has = ({ dataSet }: Scope) => dataSets.some(({ id }) => id === dataSet);
  return has(query.scope) && (!query.compared || has(query.compared));
}

/**
 * Two graphs of the same bars as one: each bar has room for the higher one. Flows, which are drawn once, and the share that is hidden are
 * the candidate's, as what is filled of the bars is.
 */
export function bothAsOne(baseline: SuperGraph, candidate: SuperGraph): SuperGraph {
  return {
    ...candidate,
    bars: candidate.bars.map((bar, at) => {
      const inclusive = Math.max(bar.inclusive, baseline.bars[at].inclusive);
      return { ...bar, inclusive, hidden: bar.inclusive > 0 ? (inclusive * bar.hidden) / bar.inclusive : 0 };
    }),
  };
}

/** What a layout needs of a graph, without entries and links. */
export function shapeOf({
  bars,
  edges,
}: {
  readonly bars: readonly Pick<SuperGraph["bars"][number], "id" | "level" | "inclusive">[];
  readonly edges: SuperGraph["edges"];
}): LayoutGraph {
  const indexOf = new Map(bars.map(({ id }, at) => [id, at]));
  return {
    level: integersOf(bars, ({ level }) => level),
    inclusive: floatsOf(bars, ({ inclusive }) => inclusive),
    source: integersOf(edges, ({ source }) => indexOf.get(source) ?? 0),
    target: integersOf(edges, ({ target }) => indexOf.get(target) ?? 0),
    flow: floatsOf(edges, ({ inclusive }) => inclusive),
  };
}
