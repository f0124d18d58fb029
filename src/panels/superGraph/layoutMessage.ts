/** The layout of a super graph as a message: which flows are drawn, and where everything is. */
import type { GraphLayout, SuperGraph } from "../../engine/api";
import { formatValue } from "../../model/units";
import { MESSAGE_LIMIT } from "../../protocol/bounds";
import { packFlows, packGeometry } from "../../protocol/graphColumns";
import type { FlowNumbers, Geometry, SentLayout } from "../../protocol/superGraph";
import { shownUnit } from "../../session/scopeChoice";
import { shorten } from "../kit/shorten";

/** A layout of one graph, or of two, one above the other, with where each one's title stands. */
export type LayoutOnScreen = GraphLayout & { readonly headings?: readonly number[] };

/** A graph and how it is drawn. */
export interface LaidOutGraph {
  readonly graph: SuperGraph;
  /** What heights show. */
  readonly heights: SuperGraph;
  readonly layout: LayoutOnScreen;
  /** What it was made from, where that is on screen. */
  readonly transition?: SentLayout["transition"];
}

/** More flows than a person tells apart: the lightest are thinner than a pixel. */
export const FLOW_LIMIT = 6000;
/** Characters of all flows together at most; of a bar's place and where it was before; of everything else. */
const FLOW_ROOM = 600_000;
const BAR_LENGTH = 60;
const REST_LENGTH = 70_000;
/** Characters of a flow beside its points, and of a point, at most. */
const FLOW_LENGTH = 100;
const POINT_LENGTH = 16;

/** @param revision of the graph's own message */
export function layoutMessage(drawn: LaidOutGraph, revision: number): SentLayout {
  const { graph, transition } = drawn;
  const flows = drawnFlows(drawn);
  const numbers = flowNumbers(graph, flows);
  return {
    type: "layout",
    revision,
    flows: packFlows(numbers),
    geometry: packGeometry(geometry(drawn, flows), graph.bars, numbers),
    ...(transition === undefined ? {} : { transition }),
    layoutNotes: unseenFlows(graph, new Set(flows)),
  };
}

/** Indices of the flows that are drawn, in the graph's order: the heaviest, as many as there is room for. The layout has left most of the others out. */
function drawnFlows({ graph: { bars, edges }, layout }: LaidOutGraph): number[] {
  const lengthOf = (at: number) => FLOW_LENGTH + (POINT_LENGTH * layout.edges[at].points.length) / 2;
  const laidOut = [...edges.keys()].filter((at) => layout.edges[at].points.length > 0);
  let room = Math.min(FLOW_ROOM, Math.max(0, MESSAGE_LIMIT - REST_LENGTH - BAR_LENGTH * bars.length));
  const needed = laidOut.reduce((sum, at) => sum + lengthOf(at), 0);
  if (laidOut.length <= FLOW_LIMIT && needed <= room) return laidOut;
  const heaviest = laidOut.sort((a, b) => edges[b].inclusive - edges[a].inclusive || a - b);
  const tooMany = heaviest.findIndex((at, rank) => rank === FLOW_LIMIT || (room -= lengthOf(at)) < 0);
  return (tooMany < 0 ? heaviest : heaviest.slice(0, tooMany)).sort((a, b) => a - b);
}

/** How many flows are not drawn, and how much that can be. */
function unseenFlows({ metric, unit, edges }: SuperGraph, drawn: ReadonlySet<number>): string[] {
  const unseen = edges.filter((_, at) => !drawn.has(at));
  if (unseen.length === 0) return [];
  const heaviest = unseen.reduce((most, { inclusive }) => Math.max(most, inclusive), 0);
  const value = formatValue(heaviest, shorten(shownUnit({ name: metric, unit }), 200));
  const [few, many] = [unseen, edges].map(({ length }) => length.toLocaleString("en"));
  return [`The ${few} lightest of ${many} flows are not drawn, the heaviest of them ${value}.`];
}

function flowNumbers({ bars, edges }: SuperGraph, flows: readonly number[]): FlowNumbers[] {
  const indexOf = new Map(bars.map((bar, at) => [bar.id, at]));
  return flows.map((at) => {
    const { source, target, inclusive } = edges[at];
    return { source: indexOf.get(source) ?? 0, target: indexOf.get(target) ?? 0, inclusive };
  });
}

function geometry({ layout, heights }: LaidOutGraph, flows: readonly number[]): Geometry {
  let heaviest = 0;
  heights.bars.forEach((bar, at) => {
    if (bar.inclusive > heights.bars[heaviest].inclusive) heaviest = at;
  });
  const inclusive = heights.bars.at(heaviest)?.inclusive ?? 0;
  return {
    // From the highest bar, where rounding weighs least.
    pixelsPerUnit: inclusive > 0 ? layout.bars[heaviest].height / inclusive : 0,
    width: layout.width,
    height: layout.height,
    ...(layout.headings ? { headings: layout.headings.slice() } : {}),
    bars: layout.bars.map(({ x, y, width, height }) => [x, y, width, height]),
    flows: flows.map((at) => layout.edges[at]),
  };
}
