/** What is said about bars, flows and the whole graph, in words and numbers: tooltip, screen reader, copy. Pure. */
import { formatShare, formatValue } from "../../src/model/units";
import type { GraphMessage, GraphNumbers } from "../../src/protocol/superGraph";
import type { HistogramsMessage } from "../../src/protocol/graphHalves";
import { plural, shortened, visible } from "../shared/text";
import { barCount, halfFacts, halfOf, halfSentence, pairSummary, totalOf } from "./halves";
import { histogramFacts } from "./miniHistograms";

/** One bar explained. */
export interface BarDescription {
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly lists: readonly {
    readonly label: string;
    readonly rows: readonly (readonly [string, string])[];
    readonly more: number;
  }[];
}

/** Rows of a list in a tooltip. */
const SHORT_LIST = 6;

/** Name of a bar: its group, numbered where it has several bars. */
export function barName({ bars }: GraphNumbers, bar: number): string {
  const { group, visit } = bars[bar];
  return visible(visit > 1 ? `${group} (${visit})` : group);
}

export function describeBar(graph: GraphMessage, bar: number, histograms?: HistogramsMessage): BarDescription {
  const { inclusive, exclusive, hidden, contexts, entries, moreEntries } = graph.bars[bar];
  const amount = (value: number) => withShare(graph, value, bar);
  const both = halfFacts(graph, bar);
  const facts: (readonly [string, string])[] =
    graph.pair?.merged === true
      ? [...both]
      : [["inclusive", amount(inclusive)], ["exclusive", amount(exclusive)], ...both];
  if (hidden !== 0) facts.push(["hidden by the filter", amount(hidden)]);
  if (histograms) facts.push(...histogramFacts(graph, histograms, bar));
  facts.push(["calling contexts", contexts.toLocaleString("en")], ["numbers", overText(graph, bar)]);
  const flows = (ends: "source" | "target") =>
    graph.flows
      .filter((flow) => flow[ends === "source" ? "target" : "source"] === bar)
      .sort((a, b) => b.inclusive - a.inclusive)
      .map((flow): [string, string] => [barName(graph, flow[ends]), amount(flow.inclusive)]);
  const lists = [
    {
      label: "entry functions",
      rows: entries.map((entry): [string, string] => [
        visible(entry.place === undefined ? entry.name : `${entry.name} (${entry.place})`),
        `${formatValue(entry.inclusive, graph.unit)}, self ${formatValue(entry.exclusive, graph.unit)}`,
      ]),
      more: moreEntries,
    },
    { label: "called from", rows: flows("source"), more: 0 },
    { label: "calls into", rows: flows("target"), more: 0 },
  ];
  return {
    title: barName(graph, bar),
    facts,
    lists: lists
      .filter(({ rows, more }) => rows.length + more > 0)
      .map(({ label, rows, more }) => ({
        label,
        rows: rows.slice(0, SHORT_LIST),
        more: more + Math.max(0, rows.length - SHORT_LIST),
      })),
  };
}

/** A bar in one sentence, for screen readers. */
export function barSentence(graph: GraphNumbers, bar: number): string {
  const { inclusive, exclusive, hidden, entries, moreEntries } = graph.bars[bar];
  const parts = [
    shortened(barName(graph, bar)),
    `inclusive ${withShare(graph, inclusive, bar)}`,
    `exclusive ${withShare(graph, exclusive, bar)}`,
  ];
  if (hidden !== 0) parts.push(`hidden ${withShare(graph, hidden, bar)}`);
  const inHalf = halfSentence(graph, bar);
  if (inHalf !== undefined) parts.push(inHalf);
  parts.push(plural(entries.length + moreEntries, "entry function"));
  return parts.join(", ");
}

export function entrySentence(graph: GraphNumbers, bar: number, entry: number): string {
  const { name, inclusive, exclusive, place } = graph.bars[bar].entries[entry];
  const where = place === undefined ? "" : `, ${visible(place)}`;
  return `${shortened(visible(name))}${where}, inclusive ${withShare(graph, inclusive, bar)}, exclusive ${withShare(graph, exclusive, bar)}`;
}

export function flowSentence(graph: GraphMessage, flow: number): string {
  const { source, target, inclusive } = graph.flows[flow];
  return `${barName(graph, source)} → ${barName(graph, target)}: ${withShare(graph, inclusive, source)}`;
}

/** A bar as text to paste elsewhere. */
export function barAsText(graph: GraphMessage, bar: number): string {
  const { title, facts, lists } = describeBar(graph, bar);
  const lines = [title, ...facts.map(([label, value]) => `  ${label}: ${value}`)];
  for (const { label, rows, more } of lists) {
    lines.push(`  ${label}:`, ...rows.map(([name, value]) => `    ${name}: ${value}`));
    if (more > 0) lines.push(`    and ${more} more`);
  }
  return lines.join("\n").slice(0, 100_000);
}

/** The line under the controls: what is drawn, what is hidden, how ranks were combined. */
export function summary(graph: GraphMessage): string {
  const { functions, hiddenFunctions, hiddenExclusive, total } = graph;
  const both = pairSummary(graph);
  return [
    ...(both === undefined ? [] : [both]),
    plural(barCount(graph), "bar"),
    `${plural(functions, "function")} kept`,
    hiddenFunctions === 0
      ? "nothing hidden"
      : `${plural(hiddenFunctions, "function")} hidden (${formatShare(hiddenExclusive / total)})`,
    both === undefined ? overText(graph) : visible(graph.metric).slice(0, 60),
  ].join(" · ");
}

/** "time, mean over 8 ranks"; of a recording without ranks "time". */
export function overText(graph: GraphMessage, bar?: number): string {
  const half = bar === undefined ? undefined : halfOf(graph, bar);
  const combined = half ? half.combined : graph.combined;
  const name = visible(graph.metric).slice(0, 60);
  return combined === "" ? name : `${name}, ${visible(combined)}`;
}

/** @param bar of whose half the value is */
export function withShare(graph: GraphNumbers, value: number, bar: number): string {
  return `${formatValue(value, graph.unit)} (${formatShare(value / totalOf(graph, bar))})`;
}
