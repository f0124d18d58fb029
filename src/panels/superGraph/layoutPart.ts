/** The layout of super graphs as columns of a message: which flows are drawn, and where everything is. */
import type { LayoutSize, SuperGraph } from "../../engine/api";
import { largestIn } from "../../model/longLists";
import { floatsOf, integersOf } from "../../model/rowColumns";
import { formatValue } from "../../model/units";
import { MARGIN } from "../../protocol/graphMargin";
import { MESSAGE_LIMIT } from "../../protocol/bounds";
import type { GraphLayoutPart } from "../../protocol/superGraph";
import { shownUnit } from "../../session/scopeChoice";
import { shorten } from "../../model/texts";
import { type AskedGraphs, heightsOf, type LaidOut, numbersOf } from "./askedGraphs";
import { firstOf } from "./content";
import { thinFlows } from "./thinFlows";

/** More flows than a person can distinguish: the lightest are thinner than a pixel. */
const FLOW_LIMIT = 6000;
/** Bytes of a flow beside its points, and of a point. */
const FLOW_LENGTH = 32;
const POINT_LENGTH = 16;
/** Bytes of everything but bars and flows. */
const REST_LENGTH = 10_000;

/**
 * What is laid out and drawn while nobody waits, and less than a message has room for. It leaves out the lightest flows, thinner than a
 * fifth of a pixel in what was measured (thousands of flows of like weight may be thicker), which would take room from all others; a
 * note says how many and how heavy.
 */
const MOST_POINTS = 25_000;

/** Pixels of a character of a name, and of what stands around it. */
const CHARACTER = 7;
const AROUND_NAME = 14;
/** The least room right of the last level: that of a value, and in a wide panel that of what else stands there. */
const MIN_LAST_LABEL = { narrow: 64, wide: 150 };
/** Entry functions of a bar that may be named beside it. */
const NAMED_ENTRIES = 4;

/**
 * Room for labels in a drawing of this size.
 *
 * @param names what may stand right of the last level. Absent: names of any length
 */
export function layoutSize(
  drawing: { readonly width: number; readonly height: number },
  names?: readonly string[],
): LayoutSize & Required<Pick<LayoutSize, "labelWidth">> {
  const width = Math.max(100, drawing.width - MARGIN.left - MARGIN.right);
  const height = Math.max(80, drawing.height - MARGIN.top - MARGIN.bottom);
  const between = (least: number, most: number) => Math.min(1, Math.max(0, (width - least) / (most - least)));
  const usual = Math.round(78 + 12 * between(280, 380) + 60 * between(380, 1080));
  const longest = names ? largestIn(names.map(({ length }) => CHARACTER * length + AROUND_NAME)) : usual;
  const { narrow, wide } = MIN_LAST_LABEL;
  const labelWidth = Math.min(usual, Math.max(narrow + (wide - narrow) * between(600, 1000), longest));
  return { width, height, labelWidth, mostPoints: MOST_POINTS };
}

/** Names that may stand right of the last level: those of bars, and of their entry functions if the bars list these. */
export function lastNames({ graphs: [{ graph }] }: AskedGraphs): string[] {
  const last = largestIn(graph.bars.map(({ level }) => level));
  const shown = (name: string) => graph.shownNames.get(name) ?? name;
  return graph.bars.flatMap(({ group, level, entries }) => {
    if (level !== last) return [];
    const listed = graph.first || entries.length < 2 ? [] : entries.slice(0, NAMED_ENTRIES);
    return [group, ...listed.map(({ name }) => name)].map(shown);
  });
}

export function layoutPart(asked: AskedGraphs, layout: LaidOut): GraphLayoutPart {
  const drawn = drawnFlows(asked, layout);
  const indexOf = new Map(asked.graphs[0].graph.bars.map(({ id }, at) => [id, at]));
  const size = indexOf.size;
  const ends = (end: "source" | "target") => (at: FlowAt) =>
    at.part * size + (indexOf.get(edgeOf(asked, at)[end]) ?? 0);
  const courses = drawn.map((at) => courseOf(layout, at));
  const isThin = thinFlows(asked);
  const { width, height, headings } = layout;
  return {
    kind: "layout",
    width,
    height,
    pixelsPerUnit: pixelsPerUnit(asked, layout),
    ...(headings ? { headings: headings.slice() } : {}),
    ...(layout.broken ? { broken: layout.broken.bars } : {}),
    boxes: joined(layout.parts.map(({ boxes }) => boxes)),
    flows: {
      source: integersOf(drawn, ends("source")),
      target: integersOf(drawn, ends("target")),
      inclusive: floatsOf(drawn, (at) => edgeOf(asked, at).inclusive),
      thickness: floatsOf(drawn, ({ part, edge }) => layout.parts[part].thickness[edge]),
      thin: integersOf(drawn, ({ edge }) => isThin[edge]),
      first: firstOf(courses),
      points: joined(courses),
    },
  };
}

/** How many flows are not drawn, and how much that can be. */
export function unseenFlows(asked: AskedGraphs, layout: LaidOut): string[] {
  const drawn = new Set(drawnFlows(asked, layout).map(({ part, edge }) => `${part} ${edge}`));
  const all = allFlows(layout);
  const unseen = all.filter(({ part, edge }) => !drawn.has(`${part} ${edge}`));
  if (unseen.length === 0) return [];
  const heaviest = unseen.reduce((most, at) => Math.max(most, edgeOf(asked, at).inclusive), 0);
  const [{ graph }] = asked.graphs;
  const value = formatValue(heaviest, shorten(shownUnit({ name: graph.metric, unit: graph.unit }), 200));
  const [few, many] = [unseen, all].map(({ length }) => length.toLocaleString("en"));
  return [`The ${few} lightest of ${many} flows are not drawn, the heaviest of them ${value}.`];
}

/** A flow of one of the graphs that are drawn. */
interface FlowAt {
  readonly part: number;
  readonly edge: number;
}

function allFlows({ parts }: LaidOut): FlowAt[] {
  return parts.flatMap(({ thickness }, part) => Array.from(thickness, (_, edge) => ({ part, edge })));
}

/** The points of a flow. */
function courseOf({ parts }: LaidOut, { part, edge }: FlowAt): Float64Array {
  const { first, points } = parts[part];
  return points.subarray(first[edge], first[edge + 1]);
}

function edgeOf(asked: AskedGraphs, { part, edge }: FlowAt): SuperGraph["edges"][number] {
  const { graph } = asked.plan.merged ? numbersOf(asked) : asked.graphs[part];
  return graph.edges[edge];
}

/** The flows that are drawn, in the graphs' order: the heaviest, as many as there is room for. The layout has left most of the others out. */
function drawnFlows(asked: AskedGraphs, layout: LaidOut): FlowAt[] {
  const pointsOf = (at: FlowAt) => courseOf(layout, at).length;
  const lengthOf = (at: FlowAt) => FLOW_LENGTH + (POINT_LENGTH * pointsOf(at)) / 2;
  const laidOut = allFlows(layout).filter((at) => pointsOf(at) > 0);
  const boxes = layout.parts.reduce((sum, { boxes }) => sum + boxes.byteLength, 0);
  let room = MESSAGE_LIMIT - REST_LENGTH - boxes;
  const needed = laidOut.reduce((sum, at) => sum + lengthOf(at), 0);
  if (laidOut.length <= FLOW_LIMIT && needed <= room) return laidOut;
  const order = new Map(laidOut.map((at, index) => [at, index]));
  const byPlace = (a: FlowAt, b: FlowAt) => (order.get(a) ?? 0) - (order.get(b) ?? 0);
  const heaviest = laidOut
    .slice()
    .sort((a, b) => edgeOf(asked, b).inclusive - edgeOf(asked, a).inclusive || byPlace(a, b));
  const tooMany = heaviest.findIndex((at, rank) => rank === FLOW_LIMIT || (room -= lengthOf(at)) < 0);
  return (tooMany < 0 ? heaviest : heaviest.slice(0, tooMany)).sort(byPlace);
}

/** From the highest bar, where rounding weighs least. */
function pixelsPerUnit(asked: AskedGraphs, { parts, broken }: LaidOut): number {
  const values = broken
    ? [...broken.shape.inclusive]
    : heightsOf(asked).flatMap(({ bars }) => bars.map(({ inclusive }) => inclusive));
  const boxes = joined(parts.map((part) => part.boxes));
  const heaviest = values.reduce((most, value, at) => (value > values[most] ? at : most), 0);
  return values[heaviest] > 0 ? boxes[4 * heaviest + 3] / values[heaviest] : 0;
}

function joined(columns: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const all = new Float64Array(columns.reduce((sum, { length }) => sum + length, 0));
  let next = 0;
  for (const column of columns) {
    all.set(column, next);
    next += column.length;
  }
  return all;
}
