/** Two graphs in one message: which half a bar is of, and the same bar in the other. Pure. */
import { formatRatio, formatValue } from "../../src/model/units";
import type { Half, OtherNumbers } from "../../src/protocol/graphHalves";
import type { GraphMessage, GraphNumbers } from "../../src/protocol/superGraph";
import { visible } from "../shared/text";

/** Bars of one graph: stacked, a message has those of two. */
export function barCount({ bars, pair }: GraphNumbers): number {
  return pair && !pair.merged ? bars.length / 2 : bars.length;
}

/** The half that a bar is drawn in; undefined where there is one graph only. */
export function halfOf(graph: GraphNumbers, bar: number): Half | undefined {
  const { pair } = graph;
  return pair && !pair.merged ? pair.halves[bar < barCount(graph) ? 0 : 1] : undefined;
}

/** What shares of a bar's numbers are shares of. */
export function totalOf(graph: GraphNumbers, bar: number): number {
  return halfOf(graph, bar)?.total ?? graph.total;
}

/** The same bar in the other half. */
export function twinOf(graph: GraphNumbers, bar: number): number | undefined {
  const count = barCount(graph);
  return count === graph.bars.length ? undefined : (bar + count) % graph.bars.length;
}

/** Numbers of a bar in the first and in the second half; undefined where there is one graph of one thing. */
export function bothOf(graph: GraphNumbers, bar: number): readonly [OtherNumbers, OtherNumbers] | undefined {
  const { other } = graph.bars[bar];
  if (other) return [graph.bars[bar], other];
  const twin = twinOf(graph, bar);
  if (twin === undefined) return undefined;
  const [first, second] = bar < twin ? [bar, twin] : [twin, bar];
  return [graph.bars[first], graph.bars[second]];
}

/** First less second. */
export function differenceOf(graph: GraphMessage, bar: number, of: "inclusive" | "exclusive"): number {
  const both = bothOf(graph, bar);
  return both ? both[0][of] - both[1][of] : 0;
}

/** The largest difference of an exclusive: the ends of the colours. */
export function largestDifference(graph: GraphMessage): number {
  return graph.bars.reduce((most, _, bar) => Math.max(most, Math.abs(differenceOf(graph, bar, "exclusive"))), 0);
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

/** Both values of a bar and what is between them, as facts of a tooltip. */
export function halfFacts(graph: GraphMessage, bar: number): (readonly [string, string])[] {
  const both = bothOf(graph, bar);
  if (!both || !graph.pair) return [];
  const [first, second] = graph.pair.halves.map(({ name }) => visible(name));
  const { unit } = graph;
  return (["inclusive", "exclusive"] as const).flatMap((of): [string, string][] => [
    [`${of}, ${first}`, formatValue(both[0][of], unit)],
    [`${of}, ${second}`, formatValue(both[1][of], unit)],
    ["difference", differenceText(graph, both[0][of], both[1][of])],
  ]);
}

/** "40.1 ms less in ranks 0, 4 (0.985×)". */
function differenceText({ pair, unit }: GraphNumbers, first: number, second: number): string {
  if (first === second || !pair) return "none";
  const amount = formatValue(Math.abs(first - second), unit);
  const ratio = second > 0 ? ` (${formatRatio(first / second)})` : "";
  return `${amount} ${first > second ? "more" : "less"} in ${visible(pair.halves[0].name)}${ratio}`;
}

/** What a screen reader hears of a bar beside its own numbers. */
export function halfSentence(graph: GraphNumbers, bar: number): string | undefined {
  const both = bothOf(graph, bar);
  if (!both || !graph.pair) return undefined;
  const [{ name }] = graph.pair.halves;
  const own = halfOf(graph, bar)?.name ?? name;
  return `in ${visible(own)}, exclusive ${differenceText(graph, both[0].exclusive, both[1].exclusive)}`;
}

/** The totals of both, their difference and their ratio, in one sentence. */
export function pairSummary({ pair, unit }: GraphMessage): string | undefined {
  if (!pair) return undefined;
  const [first, second] = pair.halves;
  return `${visible(first.title)}; ${visible(second.title)}; difference ${comparison(first.total, second.total, unit)}`;
}
