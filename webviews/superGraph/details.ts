/** Contents of the tooltip: a bar, one of its entries, or a flow explained. */
import { formatValue } from "../../src/model/units";
import type { GraphMessage } from "../../src/protocol/superGraph";
import type { HistogramsMessage } from "../../src/protocol/graphHalves";
import { html } from "../shared/dom";
import { heading, pairs } from "../shared/tooltip";
import { visible } from "../shared/text";
import { type BarDescription, describeBar, flowSentence, overText, withShare } from "./describe";

export function barDetails(graph: GraphMessage, bar: number, histograms?: HistogramsMessage): Node[] {
  const { title, facts, lists }: BarDescription = describeBar(graph, bar, histograms);
  const sections = lists.flatMap(({ label, rows, more }) => [
    html("h3", {}, label),
    pairs(rows),
    more > 0 ? html("p", { class: "more" }, `and ${more.toLocaleString("en")} more`) : undefined,
  ]);
  return [heading(title), pairs(facts), ...sections.filter((section) => section !== undefined)];
}

export function entryDetails(graph: GraphMessage, bar: number, entry: number): Node[] {
  const { name, inclusive, exclusive, place } = graph.bars[bar].entries[entry];
  const facts: [string, string][] = [
    ["inclusive", withShare(graph, inclusive, bar)],
    ["exclusive", withShare(graph, exclusive, bar)],
    ["place", place === undefined ? "not known" : visible(place)],
    ["entry function of", describeBar(graph, bar).title],
    ["numbers", overText(graph, bar)],
  ];
  return [heading(visible(name)), pairs(facts)];
}

export function flowDetails(graph: GraphMessage, flow: number): Node[] {
  const { source, inclusive } = graph.flows[flow];
  const ofSource = graph.bars[source].inclusive;
  const facts: [string, string][] = [["inclusive", withShare(graph, inclusive, source)]];
  if (ofSource > 0) facts.push(["of the caller", formatValue((100 * inclusive) / ofSource, "%")]);
  facts.push(["numbers", overText(graph, source)]);
  return [heading(flowSentence(graph, flow).split(": ").slice(0, -1).join(": ")), pairs(facts)];
}
