/** A super graph as a message: the same numbers, cut down to what a message may hold, saying what was cut. */
import type { GraphLayout, SourceLink, SuperGraph } from "../engine/api";
import { overRanksText } from "../model/metrics";
import { placeText } from "../model/placeText";
import { MARK_LIMIT, MESSAGE_LIMIT } from "../protocol/bounds";
import type { OtherNumbers, PairOfGraphs } from "../protocol/graphHalves";
import { packEntries, packFlows, packGeometry, type SentGeometry } from "../protocol/graphColumns";
import type { FlowNumbers, Geometry, SentGraph } from "../protocol/superGraph";
import { mostCharacters } from "./jsonLength";
import { shorten } from "./shorten";
import { groupRefName } from "./stepTexts";
import { shownUnit } from "../session/scopes";

interface Cut {
  readonly entries: number;
  readonly characters: number;
}

/** How many entries a bar, and how many characters a name, may have: tried in turn until the message is small enough. */
const cuts: readonly Cut[] = [
  { entries: 2000, characters: 4096 },
  { entries: 200, characters: 1024 },
  { entries: 40, characters: 256 },
  { entries: 8, characters: 120 },
  { entries: 0, characters: 60 },
  // JSON writes some characters as six.
  { entries: 0, characters: 12 },
];
/** Characters of all notes together. */
const NOTES_LENGTH = 8000;

/** A graph and how it is drawn. */
export interface DrawnGraph {
  readonly graph: SuperGraph;
  /** What heights show: the graph itself, or the mean for minima and maxima, which do not add up (semantics 2.4). */
  readonly heights: SuperGraph;
  /** What heights are, where that is not the mean over ranks. */
  readonly heightsAre?: string;
  /** What it was made from, where that is on screen. */
  readonly transition?: SentGraph["transition"];
  readonly layout: GraphLayout & { readonly headings?: readonly number[] };
  /** What it is of, where it has the bars of two graphs or the numbers of two. */
  readonly pair?: PairOfGraphs;
  /** The same bars with the numbers of the other, where two are shown as one. */
  readonly others?: SuperGraph;
}

/**
 * @param revision names this graph in later messages
 * @param combined how ranks were combined, in words; "" without ranks
 */
export function graphMessage(drawn: DrawnGraph, revision: number, combined: string): SentGraph {
  const flows = drawnFlows(drawn);
  const rest = withoutBars(drawn, flows, { revision, combined });
  for (const cut of cuts) {
    if (flows.length + marksOf(drawn.graph, cut) > MARK_LIMIT) continue;
    const message = { ...rest, bars: barsCutTo(drawn, cut), ...entriesCutTo(drawn.graph, cut) };
    if (fits(message)) return message;
  }
  const { bars } = drawn.graph;
  throw new Error(`A super graph of ${bars.length} bars and ${flows.length} flows does not fit into a message.`);
}

function fits(message: SentGraph): boolean {
  return mostCharacters(message) <= MESSAGE_LIMIT || JSON.stringify(message).length <= MESSAGE_LIMIT;
}

/** The geometry of the flows that {@link graphMessage} sends of this graph. */
export function geometryOf(drawn: DrawnGraph): SentGeometry {
  const flows = drawnFlows(drawn);
  return packGeometry(geometry(drawn, flows), drawn.graph.bars, flowNumbers(drawn, flows));
}

/** More flows than a person tells apart: the lightest are thinner than a pixel. */
const FLOW_LIMIT = 6000;
/** Characters of all flows together at most, and of a bar's numbers: those of two graphs leave the flows less room. */
const FLOW_ROOM = 600_000;
const BAR_LENGTH = 550;
/** Characters of a flow beside its points, and of a point, at most. */
const FLOW_LENGTH = 100;
const POINT_LENGTH = 16;

/** Indices of the flows that are drawn, in the graph's order: the heaviest, as many as there is room for at any size. The layout has left most of the others out. */
function drawnFlows({ graph: { bars, edges }, layout }: Pick<DrawnGraph, "graph" | "layout">): number[] {
  const lengthOf = (at: number) => FLOW_LENGTH + (POINT_LENGTH * layout.edges[at].points.length) / 2;
  const laidOut = [...edges.keys()].filter((at) => layout.edges[at].points.length > 0);
  let room = Math.min(FLOW_ROOM, Math.max(0, MESSAGE_LIMIT - 70_000 - BAR_LENGTH * bars.length));
  const needed = laidOut.reduce((sum, at) => sum + lengthOf(at), 0);
  if (laidOut.length <= FLOW_LIMIT && needed <= room) return laidOut;
  const heaviest = laidOut.sort((a, b) => edges[b].inclusive - edges[a].inclusive || a - b);
  const tooMany = heaviest.findIndex((at, rank) => rank === FLOW_LIMIT || (room -= lengthOf(at)) < 0);
  return (tooMany < 0 ? heaviest : heaviest.slice(0, tooMany)).sort((a, b) => a - b);
}

function withoutBars(
  drawn: DrawnGraph,
  flows: readonly number[],
  { revision, combined }: { revision: number; combined: string },
): Omit<SentGraph, "bars" | "texts" | "entries"> {
  const { graph, heights } = drawn;
  const numbers = flowNumbers(drawn, flows);
  const said = graph.notes.slice(0, 90);
  const notes = said.map((note) => shorten(note, Math.min(4096, Math.floor(NOTES_LENGTH / said.length))));
  if (heights !== graph) notes.push(`Heights and flows are drawn as ${drawn.heightsAre ?? "the mean over ranks"}.`);
  if (flows.length < graph.edges.length)
    notes.push(`The ${graph.edges.length - flows.length} lightest of ${graph.edges.length} flows are not drawn.`);
  return {
    type: "graph",
    revision,
    metric: shorten(graph.metric, 200),
    unit: shorten(shownUnit({ name: graph.metric, unit: graph.unit }), 200),
    over: overRanksText(graph.over),
    combined: shorten(combined, 1000),
    total: graph.total,
    hidden: graph.hidden,
    functions: graph.functions,
    hiddenFunctions: graph.filtered.functions,
    hiddenExclusive: graph.filtered.exclusive,
    filter: graph.filter,
    groupBy: graph.groupBy,
    flows: packFlows(numbers),
    geometry: packGeometry(geometry(drawn, flows), graph.bars, numbers),
    ...(drawn.transition === undefined ? {} : { transition: drawn.transition }),
    ...(drawn.pair ? { pair: drawn.pair } : {}),
    notes,
  };
}

function flowNumbers({ graph: { bars, edges } }: DrawnGraph, flows: readonly number[]): FlowNumbers[] {
  const indexOf = new Map(bars.map((bar, at) => [bar.id, at]));
  return flows.map((at) => {
    const { source, target, inclusive } = edges[at];
    return { source: indexOf.get(source) ?? 0, target: indexOf.get(target) ?? 0, inclusive };
  });
}

function barsCutTo({ graph, heights, others }: DrawnGraph, { entries, characters }: Cut): SentGraph["bars"] {
  return graph.bars.map((bar, at) => ({
    group: shorten(bar.group, characters),
    visit: bar.visit,
    level: bar.level,
    inclusive: bar.inclusive,
    exclusive: bar.exclusive,
    hidden: bar.hidden,
    hiddenShare: shareOf(heights.bars[at].hidden, heights.bars[at].inclusive),
    contexts: bar.contexts,
    moreEntries: Math.max(0, bar.entries.length - entries),
    ...(bar.finer === undefined ? {} : { finer: bar.finer }),
    ...(bar.collapsesTo === undefined ? {} : { collapsible: shorten(groupRefName(bar.collapsesTo), characters) }),
    ...(others ? { other: numbersOf(others.bars[at]) } : {}),
  }));
}

function entriesCutTo({ bars }: SuperGraph, { entries, characters }: Cut): ReturnType<typeof packEntries> {
  // Thousands of entries share some hundred links.
  const places = new Map<SourceLink, string | undefined>();
  const placeOf = (link: SourceLink) => {
    const known = places.get(link);
    if (known !== undefined || places.has(link)) return known;
    const text = placeText(link);
    const place = text === undefined ? undefined : shorten(text, characters);
    places.set(link, place);
    return place;
  };
  return packEntries(
    bars.map((bar) => bar.entries),
    entries,
    { name: ({ name }) => shorten(name, characters), place: ({ link }) => placeOf(link) },
  );
}

function geometry({ layout, heights }: DrawnGraph, flows: readonly number[]): Geometry {
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

function numbersOf({ inclusive, exclusive }: SuperGraph["bars"][number]): OtherNumbers {
  return { inclusive, exclusive };
}

function marksOf({ bars }: SuperGraph, cut: Cut): number {
  return bars.reduce((sum, { entries }) => sum + 1 + Math.min(entries.length, cut.entries), 0);
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.max(0, Math.min(1, part / whole)) : 0;
}
