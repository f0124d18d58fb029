/** A super graph as the page has it: what was sent, with what came later; who is who among its bars, entries, flows and marks. Pure. */
import { changeText, differenceText as changeOf, signed } from "../../src/model/differences";
import { formatRatio, formatValue } from "../../src/model/units";
import {
  type GraphChanges,
  type GraphHistograms,
  type GraphLayoutPart,
  type Half,
  NONE,
  type SuperGraphContent,
  type SuperGraphPart,
  START,
} from "../../src/protocol/superGraph";
import { visible } from "../shared/text";

export interface Graph extends SuperGraphContent {
  readonly layout?: GraphLayoutPart;
  /** As they were sent: what is shown of them, `look` says. */
  readonly histograms?: GraphHistograms;
  readonly changes?: GraphChanges;
  readonly hottest?: Extract<SuperGraphPart, { kind: "hottest" }>;
  readonly look?: Extract<SuperGraphPart, { kind: "look" }>;
}

/** A graph that can be drawn. */
export type LaidOutGraph = Graph & Required<Pick<Graph, "layout">>;

/** The graph with what came later; undefined where it is not of this graph. */
export function withPart(graph: Graph, part: SuperGraphPart): Graph | undefined {
  const bars = barCount(graph);
  switch (part.kind) {
    case "layout": {
      const isSame = !graph.layout || graph.layout.flows.source.length === part.flows.source.length;
      return part.boxes.length === 4 * bars && isSame ? { ...graph, layout: part } : undefined;
    }
    case "histograms":
      return part.minimum.length === bars || part.minimum.length === 0 ? { ...graph, histograms: part } : undefined;
    case "changes":
      return part.rows.every(({ bar }) => bar < bars) ? { ...graph, changes: part } : undefined;
    case "hottest":
      return { ...graph, hottest: part };
    case "look":
      return { ...graph, look: part };
  }
}

export function isLaidOut(graph: Graph): graph is LaidOutGraph {
  return graph.layout !== undefined;
}

/** All bars: of two graphs, one above the other, those of both. */
export function barCount({ bars }: Graph): number {
  return bars.group.length;
}

/** The histograms that are shown. */
export function shownHistograms({ histograms, look }: Graph): GraphHistograms | undefined {
  return histograms && look?.histograms === histograms.of && histograms.minimum.length > 0 ? histograms : undefined;
}

/** How a bar is called, whole: by its group or its path's last name, numbered where the group has several bars. */
export function barName(graph: Graph, bar: number): string {
  const { bars, texts } = graph;
  return bars.label[bar] === NONE ? barGroup(graph, bar) : numbered(graph, bar, texts[bars.label[bar]]);
}

/** What labels and lists show of {@link barName}. */
export function barLabel(graph: Graph, bar: number): string {
  return numbered(graph, bar, graph.texts[graph.bars.shown[bar]]);
}

/** The group of a bar, whole, numbered where it has several bars. */
export function barGroup(graph: Graph, bar: number): string {
  return numbered(graph, bar, graph.texts[graph.bars.group[bar]]);
}

function numbered({ bars }: Graph, bar: number, name: string): string {
  return visible(bars.visit[bar] > 1 ? `${name} (${bars.visit[bar]})` : name);
}

/** Names a bar in any graph, whatever its name looks like. */
export function barKey(graph: Graph, bar: number): string {
  const { bars, texts } = graph;
  return JSON.stringify([texts[bars.group[bar]], bars.visit[bar], ...(halfAt(graph, bar) === 1 ? [1] : [])]);
}

/** The heaviest bar that was made from one of an earlier graph. */
export function heaviestFrom({ from, bars }: Graph, revision: number, bar: number): number | undefined {
  if (from?.revision !== revision) return undefined;
  const made = [...from.bars.keys()].filter((at) => from.bars[at] === bar);
  return made.sort((a, b) => bars.inclusive[b] - bars.inclusive[a]).at(0);
}

/** The bar with the largest exclusive, of a comparison the largest difference, among those that have a place if any do. */
export function hottestBar(graph: Graph): number | undefined {
  const { bars, entries, pair } = graph;
  const heat = (bar: number) => (pair ? Math.abs(differenceOf(graph, bar)) : bars.exclusive[bar]);
  const hasPlace = (bar: number) =>
    entries.place.subarray(bars.firstEntry[bar], bars.firstEntry[bar + 1]).some((place) => place !== NONE);
  const all = [...bars.group.keys()];
  const placed = all.filter(hasPlace);
  const among = placed.length > 0 ? placed : all;
  return among.reduce<number | undefined>(
    (best, bar) => (best === undefined || heat(bar) > heat(best) ? bar : best),
    undefined,
  );
}

/** Names of so many bars go before all others (semantics 2.7, order of names). */
const HOTTEST = 5;

/** The bars with the largest exclusive, of a comparison with the largest difference: of two graphs those of each. */
export function hottestBars(graph: Graph, byDifference: boolean): number[] {
  const { bars, first } = graph;
  const count = barsOfOne(graph);
  const heat = (bar: number) => (byDifference ? Math.abs(differenceOf(graph, bar)) : bars.exclusive[bar]);
  const halves = Array.from({ length: count === 0 ? 0 : barCount(graph) / count }, (_, half) => {
    const known = byDifference ? undefined : first?.names.subarray(half * count, half * count + HOTTEST);
    if (known && known.length > 0) return Array.from(known);
    const all = Array.from({ length: count }, (_, bar) => half * count + bar).filter((bar) => heat(bar) > 0);
    return all.sort((a, b) => heat(b) - heat(a) || a - b).slice(0, HOTTEST);
  });
  return halves.flat();
}

/** Groups that are folded into a bar. */
export interface Held {
  /** Names of the first few, from the top. */
  readonly names: readonly string[];
  readonly count: number;
}

export function heldBy({ first, texts }: Graph, bar: number): Held {
  if (!first) return { names: [], count: 0 };
  const { holds } = first;
  const names = Array.from(holds.name.subarray(holds.first[bar], holds.first[bar + 1]), (at) => visible(texts[at]));
  return { names, count: names.length + holds.more[bar] };
}

/** The heaviest functions of a bar, with their exclusive. */
export function insideOf({ first, texts }: Graph, bar: number): { name: string; exclusive: number }[] {
  if (!first) return [];
  const { inside } = first;
  const [from, end] = [inside.first[bar], inside.first[bar + 1]];
  return Array.from(inside.name.subarray(from, end), (name, at) => ({
    name: visible(texts[name]),
    exclusive: inside.exclusive[from + at],
  }));
}

/**
 * Libraries on the way to the program's own functions, with what they cost themselves: they make no bars (semantics 2, rule 7, group), so
 * their cost stands in the bar that calls them. Empty for other bars than the start.
 */
export function onTheWay(graph: Graph, bar: number): { name: string; exclusive: number }[] {
  return barLabel(graph, bar) === START ? insideOf(graph, bar) : [];
}

/** Entries of a bar, by their indices among all. */
export function entriesOf({ bars: { firstEntry } }: Graph, bar: number): { first: number; end: number; count: number } {
  const [first, end] = [firstEntry[bar], firstEntry[bar + 1]];
  return { first, end, count: end - first };
}

/** How an entry is called on screen; its whole name is {@link entryFunction}. */
export function entryName({ entries, texts }: Graph, entry: number): string {
  return visible(texts[entries.shown[entry]]);
}

/** The whole name of an entry. */
export function entryFunction({ entries, texts }: Graph, entry: number): string {
  return visible(texts[entries.name[entry]]);
}

/** "solver.cpp:45"; undefined where it is not known. */
export function entryPlace({ entries, texts }: Graph, entry: number): string | undefined {
  return entries.place[entry] === NONE ? undefined : visible(texts[entries.place[entry]]);
}

/** The mark of an entry: bars come first, then entries, then flows. */
export function entryMark(graph: Graph, entry: number): number {
  return barCount(graph) + entry;
}

export function flowMark(graph: Graph, flow: number): number {
  return barCount(graph) + graph.entries.name.length + flow;
}

/** What a mark is: a bar, an entry of one, or a flow. */
export function markOf(graph: Graph, mark: number): { bar?: number; entry?: number; flow?: number } {
  const bars = barCount(graph);
  if (mark < bars) return { bar: mark };
  const entry = mark - bars;
  if (entry >= graph.entries.name.length) return { flow: entry - graph.entries.name.length };
  return { bar: barOfEntry(graph, entry), entry };
}

export function barOfEntry({ bars: { firstEntry } }: Graph, entry: number): number {
  let [low, high] = [0, firstEntry.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (firstEntry[middle] <= entry) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** 0: the upper of two graphs, 1: the lower; undefined where there is one drawing only. */
function halfAt(graph: Graph, bar: number): 0 | 1 | undefined {
  const { pair } = graph;
  return pair && !pair.merged ? (bar < barCount(graph) / 2 ? 0 : 1) : undefined;
}

/** Bars of one graph. */
export function barsOfOne(graph: Graph): number {
  return graph.pair && !graph.pair.merged ? barCount(graph) / 2 : barCount(graph);
}

/** The half that a bar is drawn in; undefined where there is one graph only. */
export function halfOf(graph: Graph, bar: number): Half | undefined {
  const at = halfAt(graph, bar);
  return at === undefined ? undefined : graph.pair?.halves[at];
}

/** What shares of a bar's numbers are shares of. */
export function totalOf(graph: Graph, bar: number): number {
  return halfOf(graph, bar)?.total ?? graph.total;
}

export interface Numbers {
  readonly inclusive: number;
  readonly exclusive: number;
  /** Both are 0 since the recording has none of it. */
  readonly isMissing: boolean;
  /** What they are over everything, where they are 0 since none of it is of a rank; else 0. */
  readonly noRank: { readonly inclusive: number; readonly exclusive: number };
}

/** What a number of a bar is over everything, where none of it is of a rank, over which it would be 0; else 0. */
export function noRankOf(numbers: Numbers | undefined, what: "inclusive" | "exclusive"): number {
  return numbers?.noRank[what] ?? 0;
}

/** A number of a bar; null where the recording has none of it. */
export function knownOf(numbers: Numbers | undefined, what: "inclusive" | "exclusive"): number | null {
  return numbers === undefined || numbers.isMissing ? null : numbers[what];
}

/** Numbers of a bar in the first and in the second half; undefined where there is one graph of one thing. */
export function bothOf(graph: Graph, bar: number): readonly [Numbers, Numbers] | undefined {
  const { bars, pair } = graph;
  if (!pair) return undefined;
  const numbers = (all: NonNullable<typeof bars.other>, at: number) => ({
    inclusive: all.inclusive[at],
    exclusive: all.exclusive[at],
    isMissing: all.missing[at] === 1,
    noRank: { inclusive: all.noRank[at], exclusive: all.exclusiveNoRank[at] },
  });
  // As one graph, the numbers are those of the candidate.
  if (bars.other) return [numbers(bars.other, bar), numbers(bars, bar)];
  const count = barsOfOne(graph);
  return [numbers(bars, bar % count), numbers(bars, (bar % count) + count)];
}

/** What one value is more than another: of two runs the candidate, which is the second half; of members those that are chosen. */
function ordered<Value>({ pair }: Graph, first: Value, second: Value): readonly [than: Value, of: Value] {
  return pair?.kind === "runs" ? [first, second] : [second, first];
}

/** The half that a positive difference is more in. */
export function moreIn({ pair }: Graph): string {
  return visible(pair?.halves[pair.kind === "runs" ? 1 : 0].name ?? "");
}

/** Of the exclusive: candidate − baseline, or chosen members − all others; 0 where one of them is of no rank. */
export function differenceOf(graph: Graph, bar: number): number {
  const both = bothOf(graph, bar);
  if (!both || both.some((numbers) => noRankOf(numbers, "exclusive") > 0)) return 0;
  const [than, of] = ordered(graph, both[0].exclusive, both[1].exclusive);
  return of - than;
}

/** The largest difference of an exclusive: the ends of the colours. */
export function largestDifference(graph: Graph): number {
  return graph.bars.group.reduce((most, _, bar) => Math.max(most, Math.abs(differenceOf(graph, bar))), 0);
}

/** `+101 ms · 10.6×`: the second half beside the first, or chosen members beside the others. */
export function comparison(graph: Graph, first: number | null, second: number | null): string {
  const [than, of] = ordered(graph, first, second);
  return changeOf(than, of, graph.unit);
}

/** The parts of {@link comparison}: the second is "" where nothing can be said. */
export function comparedParts(
  graph: Graph,
  first: number | null,
  second: number | null,
): readonly [difference: string, change: string] {
  const [than, of] = ordered(graph, first, second);
  return [signed((of ?? 0) - (than ?? 0), graph.unit), changeText(than, of)];
}

/** "40.1 ms less in ranks 0, 4 (0.985×)". */
export function differenceText(graph: Graph, first: number, second: number): string {
  const { pair, unit } = graph;
  if (first === second || !pair) return "none";
  const [than, of] = ordered(graph, first, second);
  const amount = formatValue(Math.abs(of - than), unit);
  const ratio = than > 0 ? ` (${formatRatio(of / than)})` : "";
  return `${amount} ${of > than ? "more" : "less"} in ${moreIn(graph)}${ratio}`;
}
