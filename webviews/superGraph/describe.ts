/** What is said about bars, flows and the whole graph, in words and numbers: tooltip, screen reader, copy. Pure. */
import { formatShare, formatValue } from "../../src/model/units";
import type { GraphMessage } from "../../src/protocol/superGraph";
import { plural, visible } from "../shared/text";

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
export function barName({ bars }: GraphMessage, bar: number): string {
  const { group, visit } = bars[bar];
  return visible(visit > 1 ? `${group} (${visit})` : group);
}

export function describeBar(graph: GraphMessage, bar: number): BarDescription {
  const { inclusive, exclusive, hidden, contexts, entries, moreEntries } = graph.bars[bar];
  const amount = (value: number) => withShare(graph, value);
  const facts: [string, string][] = [
    ["inclusive", amount(inclusive)],
    ["exclusive", amount(exclusive)],
  ];
  if (hidden !== 0) facts.push(["hidden by the filter", amount(hidden)]);
  facts.push(["calling contexts", contexts.toLocaleString("en")], ["numbers", overText(graph)]);
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
export function barSentence(graph: GraphMessage, bar: number): string {
  const { inclusive, exclusive, hidden, entries, moreEntries } = graph.bars[bar];
  const parts = [
    barName(graph, bar).slice(0, 200),
    `inclusive ${withShare(graph, inclusive)}`,
    `exclusive ${withShare(graph, exclusive)}`,
  ];
  if (hidden !== 0) parts.push(`hidden ${withShare(graph, hidden)}`);
  parts.push(plural(entries.length + moreEntries, "entry function"));
  return parts.join(", ");
}

export function entrySentence(graph: GraphMessage, bar: number, entry: number): string {
  const { name, inclusive, exclusive, place } = graph.bars[bar].entries[entry];
  const where = place === undefined ? "" : `, ${visible(place)}`;
  return `${visible(name).slice(0, 200)}${where}, inclusive ${withShare(graph, inclusive)}, exclusive ${withShare(graph, exclusive)}`;
}

export function flowSentence(graph: GraphMessage, flow: number): string {
  const { source, target, inclusive } = graph.flows[flow];
  return `${barName(graph, source)} → ${barName(graph, target)}: ${withShare(graph, inclusive)}`;
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
  const { bars, functions, hiddenFunctions, hiddenExclusive, total } = graph;
  return [
    plural(bars.length, "bar"),
    `${plural(functions, "function")} kept`,
    hiddenFunctions === 0
      ? "nothing hidden"
      : `${plural(hiddenFunctions, "function")} hidden (${formatShare(hiddenExclusive / total)})`,
    overText(graph),
  ].join(" · ");
}

/** "time, mean over 8 ranks"; of a recording without ranks "time". */
export function overText({ metric, combined }: GraphMessage): string {
  const name = visible(metric).slice(0, 60);
  return combined === "" ? name : `${name}, ${visible(combined)}`;
}

export function withShare({ unit, total }: GraphMessage, value: number): string {
  return `${formatValue(value, unit)} (${formatShare(value / total)})`;
}
