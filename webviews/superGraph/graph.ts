/** A super graph as the page has it: what was sent, with what came later; who is who among its bars, entries, flows and marks. Pure. */
import { formatRatio, formatValue } from "../../src/model/units";
import {
  type GraphHistograms,
  type GraphLayoutPart,
  type Half,
  NONE,
  type SuperGraphContent,
  type SuperGraphPart,
} from "../../src/protocol/superGraph";
import { visible } from "../shared/text";

export interface Graph extends SuperGraphContent {
  readonly layout?: GraphLayoutPart;
  /** As they were sent: what is shown of them, `look` says. */
  readonly histograms?: GraphHistograms;
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

/** How a bar is called on screen: by its group or its path's last name, numbered where the group has several bars. */
export function barName(graph: Graph, bar: number): string {
  const { bars, texts } = graph;
  return bars.label[bar] === NONE ? barGroup(graph, bar) : numbered(graph, bar, texts[bars.label[bar]]);
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

/** Entries of a bar, by their indices among all. */
export function entriesOf({ bars: { firstEntry } }: Graph, bar: number): { first: number; end: number; count: number } {
  const [first, end] = [firstEntry[bar], firstEntry[bar + 1]];
  return { first, end, count: end - first };
}

export function entryName({ entries, texts }: Graph, entry: number): string {
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

interface Numbers {
  readonly inclusive: number;
  readonly exclusive: number;
}

/** Numbers of a bar in the first and in the second half; undefined where there is one graph of one thing. */
export function bothOf(graph: Graph, bar: number): readonly [Numbers, Numbers] | undefined {
  const { bars, pair } = graph;
  if (!pair) return undefined;
  const numbers = ({ inclusive, exclusive }: { inclusive: Float64Array; exclusive: Float64Array }, at: number) => ({
    inclusive: inclusive[at],
    exclusive: exclusive[at],
  });
  if (bars.other) return [numbers(bars, bar), numbers(bars.other, bar)];
  const count = barsOfOne(graph);
  return [numbers(bars, bar % count), numbers(bars, (bar % count) + count)];
}

/** First less second. */
export function differenceOf(graph: Graph, bar: number): number {
  const both = bothOf(graph, bar);
  return both ? both[0].exclusive - both[1].exclusive : 0;
}

/** The largest difference of an exclusive: the ends of the colours. */
export function largestDifference(graph: Graph): number {
  return graph.bars.group.reduce((most, _, bar) => Math.max(most, Math.abs(differenceOf(graph, bar))), 0);
}

/** "+12.3 ms", "−12.3 ms", "±0 s". */
export function signed(value: number, unit: string): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : "±"}${formatValue(Math.abs(value), unit)}`;
}

/** "−40.1 ms (0.985×)": the first beside the second. */
export function comparison(first: number, second: number, unit: string): string {
  const difference = signed(first - second, unit);
  return second > 0 ? `${difference} (${formatRatio(first / second)})` : difference;
}

/** "40.1 ms less in ranks 0, 4 (0.985×)". */
export function differenceText({ pair, unit }: Graph, first: number, second: number): string {
  if (first === second || !pair) return "none";
  const amount = formatValue(Math.abs(first - second), unit);
  const ratio = second > 0 ? ` (${formatRatio(first / second)})` : "";
  return `${amount} ${first > second ? "more" : "less"} in ${visible(pair.halves[0].name)}${ratio}`;
}
