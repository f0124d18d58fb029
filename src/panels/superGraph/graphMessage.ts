/** A super graph as a message: the same numbers, cut down to what a message may hold, saying what was cut. */
import type { SourceLink, SuperGraph } from "../../engine/api";
import { overRanksText } from "../../model/metrics";
import { placeText } from "../../model/placeText";
import { MARK_LIMIT, MESSAGE_LIMIT } from "../../protocol/bounds";
import type { OtherNumbers, PairOfGraphs } from "../../protocol/graphHalves";
import { packEntries } from "../../protocol/graphColumns";
import type { SentGraph } from "../../protocol/superGraph";
import { mostCharacters } from "../kit/jsonLength";
import { FLOW_LIMIT } from "./layoutMessage";
import { shorten } from "../kit/shorten";
import { groupRefName } from "./stepTexts";
import { shownUnit } from "../../session/scopeChoice";

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

/** A graph, or two as one, with what its heights show. */
export interface GraphOnScreen {
  readonly graph: SuperGraph;
  /** What heights show: the graph itself, or the mean for minima and maxima, which do not add up (semantics 2.4). */
  readonly heights: SuperGraph;
  /** What heights are, where that is not the mean over ranks. */
  readonly heightsAre?: string;
  /** What it is of, where it has the bars of two graphs or the numbers of two. */
  readonly pair?: PairOfGraphs;
  /** The same bars with the numbers of the other, where two are shown as one. */
  readonly others?: SuperGraph;
}

/**
 * Everything but its layout.
 *
 * @param revision names this graph in later messages
 * @param combined how ranks were combined, in words; "" without ranks
 */
export function graphMessage(shown: GraphOnScreen, revision: number, combined: string): SentGraph {
  const rest = withoutBars(shown, { revision, combined });
  // Flows come with the layout, and are marks as well.
  const most = MARK_LIMIT - Math.min(FLOW_LIMIT, shown.graph.edges.length);
  for (const cut of cuts) {
    if (marksOf(shown.graph, cut) > most) continue;
    const message = { ...rest, bars: barsCutTo(shown, cut), ...entriesCutTo(shown.graph, cut) };
    if (fits(message)) return message;
  }
  throw new Error(`A super graph of ${shown.graph.bars.length} bars does not fit into a message.`);
}

function fits(message: SentGraph): boolean {
  return mostCharacters(message) <= MESSAGE_LIMIT || JSON.stringify(message).length <= MESSAGE_LIMIT;
}

function withoutBars(
  { graph, heights, heightsAre, pair }: GraphOnScreen,
  { revision, combined }: { revision: number; combined: string },
): Omit<SentGraph, "bars" | "texts" | "entries"> {
  const said = graph.notes.slice(0, 90);
  const notes = said.map((note) => shorten(note, Math.min(4096, Math.floor(NOTES_LENGTH / said.length))));
  if (heights !== graph) notes.push(`Heights and flows are drawn as ${heightsAre ?? "the mean over ranks"}.`);
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
    ...(pair ? { pair } : {}),
    notes,
  };
}

function barsCutTo({ graph, heights, others }: GraphOnScreen, { entries, characters }: Cut): SentGraph["bars"] {
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

function numbersOf({ inclusive, exclusive }: SuperGraph["bars"][number]): OtherNumbers {
  return { inclusive, exclusive };
}

function marksOf({ bars }: SuperGraph, cut: Cut): number {
  return bars.reduce((sum, { entries }) => sum + 1 + Math.min(entries.length, cut.entries), 0);
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.max(0, Math.min(1, part / whole)) : 0;
}
