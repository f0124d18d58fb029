/** Super graphs as the content of a message: the same numbers as columns, cut down to what a message may hold, saying what was cut. */
import type { GraphBar, SourceLink, SuperGraph } from "../../engine/api";
import { placeText } from "../../model/placeText";
import { shortPair } from "../../model/recordingNames";
import { floatsOf, integersOf } from "../../model/rowColumns";
import { type Named, shownOf } from "../../model/shortName";
import { MARK_LIMIT, MESSAGE_LIMIT } from "../../protocol/bounds";
import { finerLevels, NONE, type PairOfGraphs, type SuperGraphContent } from "../../protocol/superGraph";
import { correlationMessage, histogramMessage } from "../../session/notRecorded";
import { overText, shownUnit } from "../../session/scopeChoice";
import { messageSize } from "../kit/messageSize";
import { shorten } from "../../model/texts";
import { type AskedGraph, type AskedGraphs, heightsOf, numbersOf } from "./askedGraphs";
import { titleOf } from "./splitPlan";
import { groupRefName } from "./stepTexts";

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
/** Names of groups that are folded into a bar. A chain may have any length. */
const MAX_HELD_NAMES = 60;
/** Left for the frame. */
const ROOM = 100_000;

/** Everything but its layout. */
export function graphContent(asked: AskedGraphs, from?: SuperGraphContent["from"]): SuperGraphContent {
  const second = asked.graphs.at(1);
  const { graph, planned } = numbersOf(asked);
  const { metric, unit, total, functions, filtered } = graph;
  const pair = second && pairOf(asked);
  const [unspread, uncorrelated] = [histogramMessage, correlationMessage].map((why) =>
    why(planned.info, planned.scope),
  );
  const rest = {
    metric: shorten(metric, 200),
    unit: shorten(shownUnit({ name: metric, unit }), 200),
    combined: shorten(overText(planned.info, planned.scope), 1000),
    ...(unspread === undefined ? {} : { unspread: shorten(unspread, 1000) }),
    ...(uncorrelated === undefined ? {} : { uncorrelated: shorten(uncorrelated, 1000) }),
    total,
    functions,
    hiddenFunctions: filtered.functions,
    hiddenExclusive: filtered.exclusive,
    ...(pair ? { pair } : {}),
    ...(from ? { from } : {}),
  };
  const bars = drawnGraphs(asked).flatMap((one) => one.bars);
  for (const cut of cuts) {
    if (bars.length + bars.reduce((sum, { entries }) => sum + Math.min(entries.length, cut.entries), 0) > MARK_LIMIT)
      continue;
    const content = { ...rest, ...columnsOf(bars, asked, cut) };
    if (messageSize(content) <= MESSAGE_LIMIT - ROOM) return content;
  }
  throw new Error(`A super graph of ${bars.length} bars does not fit into a message.`);
}

/** The graphs whose bars the content has. */
function drawnGraphs(asked: AskedGraphs): readonly SuperGraph[] {
  return asked.plan.merged ? [numbersOf(asked).graph] : asked.graphs.map(({ graph }) => graph);
}

/** @returns undefined if one of the graphs is no first picture */
function firstColumns(graphs: readonly SuperGraph[], texts: Texts): SuperGraphContent["first"] {
  const firsts = graphs.flatMap(({ first }) => first ?? []);
  if (firsts.length < graphs.length) return undefined;
  const bars = firsts.flatMap((first) => first.bars);
  const named = bars.map(({ holds }) => holds.slice(0, MAX_HELD_NAMES));
  const inside = bars.flatMap((bar) => bar.inside);
  const [{ shownNames, bars: ofOne }] = graphs;
  const indexOf = new Map(ofOne.map(({ id }, at) => [id, at]));
  const shownText = (name: string) => texts.indexOf(shownNames.get(name) ?? name);
  return {
    names: Int32Array.from(
      firsts.flatMap(({ names }, half) => names.map((id) => half * ofOne.length + (indexOf.get(id) ?? 0))),
    ),
    holds: {
      first: firstOf(named),
      name: integersOf(named.flat(), shownText),
      more: integersOf(bars, ({ holds }) => Math.max(0, holds.length - MAX_HELD_NAMES)),
    },
    inside: {
      first: firstOf(bars.map((bar) => bar.inside)),
      name: integersOf(inside, ([name]) => shownText(name)),
      exclusive: floatsOf(inside, ([, exclusive]) => exclusive),
    },
  };
}

function columnsOf(bars: SuperGraph["bars"], asked: AskedGraphs, { entries: most, characters }: Cut) {
  const texts = new Texts(characters);
  const heights = heightsOf(asked).flatMap((graph) => graph.bars);
  const others = asked.plan.merged ? asked.graphs[0].graph.bars : undefined;
  const shown = bars.map(({ entries }) => entries.slice(0, most));
  const labelOf = barLabels(asked.graphs[0]);
  const { shownNames } = asked.graphs[0].graph;
  const all = shown.flat();
  const first = firstColumns(drawnGraphs(asked), texts);
  return {
    ...(first ? { first } : {}),
    bars: {
      group: integersOf(bars, ({ group }) => texts.indexOf(group)),
      label: integersOf(bars, (bar) => {
        const label = labelOf(bar);
        return label === undefined ? NONE : texts.indexOf(label.name);
      }),
      shown: integersOf(bars, (bar) => texts.indexOf(shownOf(labelOf(bar) ?? namedIn(shownNames, bar.group)))),
      visit: integersOf(bars, ({ visit }) => visit),
      level: integersOf(bars, ({ level }) => level),
      ...numbersIn(bars),
      hidden: floatsOf(bars, ({ hidden }) => hidden),
      hiddenShare: floatsOf(heights, ({ hidden, inclusive }) => shareOf(hidden, inclusive)),
      contexts: integersOf(bars, ({ contexts }) => contexts),
      firstEntry: firstOf(shown),
      moreEntries: integersOf(bars, ({ entries }) => Math.max(0, entries.length - most)),
      finer: integersOf(bars, ({ finer }) => (finer === undefined ? NONE : finerLevels.indexOf(finer))),
      collapsible: integersOf(bars, ({ collapsesTo }) =>
        collapsesTo === undefined ? NONE : texts.indexOf(groupRefName(collapsesTo)),
      ),
      ...(others ? { other: numbersIn(others) } : {}),
    },
    entries: {
      name: integersOf(all, ({ name }) => texts.indexOf(name)),
      shown: integersOf(all, ({ name }) => texts.indexOf(shownNames.get(name) ?? name)),
      inclusive: floatsOf(all, ({ inclusive }) => inclusive),
      inGroup: floatsOf(all, ({ exclusive }) => exclusive),
      ...(all.every(({ own }) => own !== undefined) ? { exclusive: floatsOf(all, ({ own = 0 }) => own) } : {}),
      place: integersOf(all, ({ link }) => texts.placeOf(link)),
    },
    texts: texts.all,
  };
}

/** What two graphs may each have of a bar. */
function numbersIn(bars: SuperGraph["bars"]) {
  return {
    inclusive: floatsOf(bars, ({ inclusive }) => inclusive),
    exclusive: floatsOf(bars, ({ exclusive }) => exclusive),
    noRank: floatsOf(bars, ({ noRank }) => noRank?.inclusive ?? 0),
    exclusiveNoRank: floatsOf(bars, ({ noRank }) => noRank?.exclusive ?? 0),
    missing: integersOf(bars, ({ isMissing }) => (isMissing ? 1 : 0)),
  };
}

/**
 * How bars are called where their group is no name to read: without groups by the last frame of the path, what was revealed as the path
 * that it is (semantics 2.6).
 */
function barLabels({ graph, query: { operations = [] } }: AskedGraph): (bar: GraphBar) => Named | undefined {
  const groupOf = new Map(graph.bars.map(({ id, group }) => [id, group]));
  const above = new Map(graph.edges.map(({ source, target }) => [groupOf.get(target), groupOf.get(source)]));
  const revealed = operations.flatMap((operation) => (operation.kind === "reveal" ? [operation.function] : []));
  return ({ group, entries }) => {
    const name = revealed.find((one) => group.endsWith(`: ${one}`));
    const [first] = entries;
    const named = (one: string) => namedIn(graph.shownNames, one);
    if (name !== undefined) {
      if (!first || first.name === name) return named(name);
      return { name: `${first.name} … → ${name}`, shown: `${shownOf(named(first.name))} … → ${shownOf(named(name))}` };
    }
    const path = graph.groupBy === "none" ? above.get(group) : undefined;
    return path !== undefined && group.startsWith(`${path}/`) ? named(group.slice(path.length + 1)) : undefined;
  };
}

function namedIn(shownNames: SuperGraph["shownNames"], name: string): Named {
  return { name, shown: shownNames.get(name) };
}

/** Indices of the first of each one's things, and how many there are in all. */
export function firstOf(things: readonly { readonly length: number }[]): Int32Array {
  const first = new Int32Array(things.length + 1);
  things.forEach(({ length }, at) => (first[at + 1] = first[at] + length));
  return first;
}

/** Every text once: thousands of entries share some hundred names and places. */
class Texts {
  readonly all: string[] = [];
  private readonly known = new Map<string, number>();
  private readonly places = new Map<SourceLink, number>();

  constructor(private readonly characters: number) {}

  indexOf(text: string): number {
    let index = this.known.get(text);
    if (index === undefined) this.known.set(text, (index = this.all.push(shorten(text, this.characters)) - 1));
    return index;
  }

  placeOf(link: SourceLink): number {
    let index = this.places.get(link);
    if (index === undefined) {
      const text = placeText(link);
      this.places.set(link, (index = text === undefined ? NONE : this.indexOf(text)));
    }
    return index;
  }
}

/** The bar that a mark of a content is, or is part of, and its entry. */
export interface MarkOfGraph {
  readonly bar: number;
  readonly entry?: number;
}

/** @param bars of the content */
export function markAt({ firstEntry }: SuperGraphContent["bars"], mark: number): MarkOfGraph | undefined {
  const size = firstEntry.length - 1;
  if (mark < size) return { bar: mark };
  const at = mark - size;
  if (at >= firstEntry[size]) return undefined;
  const bar = firstEntry.findIndex((_, bar) => firstEntry[bar + 1] > at);
  return { bar, entry: at - firstEntry[bar] };
}

/** Sentences that must be said about what is drawn. */
export function graphNotes({ plan, graphs }: AskedGraphs): string[] {
  const notes = [...plan.notes, ...new Set(graphs.flatMap(({ graph }) => graph.notes))];
  if (graphs.some(({ heights, graph }) => heights !== graph)) notes.push("heights: mean over ranks");
  return notes;
}

function pairOf({ plan, graphs }: AskedGraphs): PairOfGraphs {
  const kind = plan.pair ?? "members";
  const [first, second] = graphs.map(({ planned }) => planned.name);
  const shorts = kind === "runs" ? shortPair(first, second) : [];
  const [upper, lower] = graphs.map(({ planned, graph: { total } }, at) => ({
    name: planned.name,
    ...(at in shorts ? { short: shorts[at] } : {}),
    title: titleOf(planned, kind, total),
    total,
    combined: overText(planned.info, planned.scope),
  }));
  return { kind, merged: plan.merged, halves: [upper, lower] };
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.max(0, Math.min(1, part / whole)) : 0;
}
