/** What a super graph panel has on screen: one graph or two, asked for and laid out. */
import type { Engine, GraphQuery, LayoutSize, LocationUnit, Scope, SuperGraph } from "../../engine/api";
import type { Task } from "../../model/task";
import type { HistogramsMessage, PairOfGraphs } from "../../protocol/graphHalves";
import { MINI_BINS } from "../../protocol/graphHalves";
import { HEADING, joinedGraph, joinedLayout, meanGraph, shapeOf } from "./graphHalves";
import type { GraphOnScreen } from "./graphMessage";
import type { LayoutOnScreen } from "./layoutMessage";
import { halfTitle, type HalvesPlan, type PlannedGraph } from "./halvesPlan";
import { unitName } from "../../model/members";
import { overText } from "../../session/scopeChoice";
import { shorten } from "../kit/shorten";

/** One graph as it was asked for. */
export interface GraphHalf {
  readonly planned: PlannedGraph;
  readonly query: GraphQuery;
  readonly graph: SuperGraph;
  /** What heights show; the mean where `graph` has minima or maxima, which do not add up (semantics 2.4). */
  readonly heights: SuperGraph;
}

/** A graph that is or was on screen. */
export interface DrawnQuery {
  readonly query: GraphQuery;
  readonly graph: SuperGraph;
  readonly revision: number;
  /** The graph that is on screen with it, of the same bars. */
  readonly other?: OtherGraph;
}

/** Of two graphs the second one. */
export interface OtherGraph {
  readonly query: GraphQuery;
  /** Chosen members and all others, or two recordings. */
  readonly kind: "members" | "runs";
  /** "ranks 1-3", "np8-r2.cali". */
  readonly name: string;
}

/** The graphs on screen, with the bars of the first one first. */
export interface GraphHalves {
  readonly plan: HalvesPlan;
  readonly halves: readonly GraphHalf[];
}

/** A bar of one of them. */
export interface HalfBar {
  readonly half: GraphHalf;
  /** Index in that graph. */
  readonly bar: number;
}

/** @param common everything that is asked for but the values */
export async function askGraphs(
  engine: Pick<Engine, "superGraph">,
  common: Omit<GraphQuery, "scope">,
  plan: HalvesPlan,
  task: Task,
): Promise<GraphHalves> {
  const halves: GraphHalf[] = [];
  for (const [at, planned] of plan.graphs.entries()) {
    const { scope } = planned;
    const compared = plan.pair === "runs" && plan.graphs.length > 1 ? plan.graphs[1 - at].scope : undefined;
    const asked = (over: Scope["over"]): GraphQuery => ({
      ...common,
      scope: { ...scope, over },
      ...(compared ? { compared } : {}),
    });
    const query = asked(scope.over);
    const graph = await engine.superGraph(query, task);
    const isExtreme = scope.over === "max" || scope.over === "min";
    const heights = isExtreme ? await engine.superGraph({ ...asked("mean"), barsOnly: true }, task) : graph;
    task.check();
    halves.push({ planned, query, graph, heights });
  }
  return { plan, halves };
}

/** What is on screen as one graph, whatever its layout. */
export function onScreen({ plan, halves }: GraphHalves): GraphOnScreen {
  const [upper, lower] = halves;
  const withNotes = (graph: SuperGraph) => ({ ...graph, notes: [...plan.notes, ...graph.notes] });
  if (halves.length < 2) {
    const graph = withNotes(upper.graph);
    return { graph, heights: upper.heights === upper.graph ? graph : upper.heights };
  }
  const pair = pairOf(plan, halves);
  if (plan.merged) {
    const notes = [...new Set([...upper.graph.notes, ...lower.graph.notes])];
    const graph = withNotes({ ...upper.graph, notes });
    const heights = meanGraph(upper.heights, lower.heights);
    return { graph, heights, heightsAre: "the mean of both recordings", pair, others: lower.graph };
  }
  const graph = withNotes(joinedGraph(upper.graph, lower.graph));
  const heights = upper.heights === upper.graph ? graph : joinedGraph(upper.heights, lower.heights);
  return { graph, heights, pair };
}

/** Lays out what is on screen for a size. */
export async function layOut(
  engine: Pick<Engine, "layout" | "layoutStacked">,
  { plan, halves }: GraphHalves,
  { heights }: GraphOnScreen,
  size: LayoutSize,
): Promise<LayoutOnScreen> {
  if (halves.length < 2) return engine.layout({ graph: shapeOf(heights), size });
  if (plan.merged) {
    const [{ width, height, bars, edges }] = (await engine.layoutStacked({ graphs: [shapeOf(heights)], size })).parts;
    return { width, height, bars, edges };
  }
  const shapes = halves.map((half) => shapeOf(half.heights));
  return joinedLayout(await engine.layoutStacked({ graphs: shapes, size: { ...size, heading: HEADING } }));
}

/** The bar of an index in a message; undefined where there is none. */
export function barAt({ halves }: GraphHalves, index: number): HalfBar | undefined {
  const size = halves[0].graph.bars.length;
  const half = halves.at(Math.floor(index / Math.max(1, size)));
  return half && index < size * halves.length ? { half, bar: index % size } : undefined;
}

/** Histograms of everything on screen, in the order of the bars of its message. */
export async function askHistograms(
  engine: Pick<Engine, "barHistograms">,
  { plan, halves }: GraphHalves,
  what: { readonly of: "exclusive" | "inclusive"; readonly by: LocationUnit },
  task: Task,
): Promise<Omit<HistogramsMessage, "type" | "revision">> {
  const bars: HistogramsMessage["bars"] = [];
  let member: LocationUnit = what.by;
  for (const { query } of plan.merged ? halves.slice(0, 1) : halves) {
    const answer = await engine.barHistograms({ query, ...what, bins: MINI_BINS }, task);
    member = answer.by;
    // Where one of two recordings has no members there is nothing to compare them by.
    if (answer.bars.length === 0) return { of: what.of, member: unitName(member, 1), bars: [] };
    for (const { slowest, imbalance, counts, ...numbers } of answer.bars)
      bars.push({
        ...numbers,
        counts: counts.slice(),
        ...(Number.isFinite(imbalance) ? { imbalance } : {}),
        slowest: shorten(answer.members[slowest], 60),
      });
  }
  return { of: what.of, member: unitName(member, 1), bars };
}

function pairOf(plan: HalvesPlan, halves: readonly GraphHalf[]): PairOfGraphs {
  const kind = plan.pair ?? "members";
  const [upper, lower] = halves.map(({ planned, graph: { total } }) => ({
    name: planned.name,
    title: halfTitle(planned, kind, total),
    total,
    combined: overText(planned.info, planned.scope),
  }));
  return { kind, merged: plan.merged, halves: [upper, lower] };
}
