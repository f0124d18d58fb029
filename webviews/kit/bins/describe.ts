/** What is said about bins and members, in words and numbers. Pure. */
import { formatShare, formatValue } from "../../../src/model/units";
import type { HistogramChosen, HistogramContent } from "../../../src/protocol/histogram";
import { valueText } from "../axis";
import { memberFacts, several } from "../memberLine";
import type { Fact } from "../stage/scene";

/** How values of this histogram are written. */
export function textOf({ edges, unit }: Pick<HistogramContent, "edges" | "unit">): (value: number) => string {
  return valueText(edges.at(0) ?? 0, edges.at(-1) ?? 0, unit);
}

/** `updateConductivity · exclusive time · 8 ranks`. */
export function title(content: HistogramContent): string {
  const { subject = "whole recording", members, line } = content;
  return [subject.slice(0, 300), valueName(content), several(line, members)].join(" · ");
}

/** `exclusive time`; of the whole recording, where inclusive is the same, `time`. */
export function valueName({ subject, value, metric }: Pick<HistogramContent, "subject" | "value" | "metric">): string {
  return (subject === undefined ? metric : `${value} ${metric}`).slice(0, 300);
}

/** Limits of a bin: the last one holds its upper limit too. */
export function limits(content: Pick<HistogramContent, "edges" | "unit" | "counts">, bin: number): string {
  const { edges, counts } = content;
  const text = textOf(content);
  if (edges[bin] === edges[bin + 1]) return `exactly ${text(edges[bin])}`;
  return `${text(edges[bin])} to ${bin === counts.length - 1 ? "" : "below "}${text(edges[bin + 1])}`;
}

export function binFacts({ counts, ranges, members, line }: HistogramContent, bin: number): Fact[] {
  const held = counts[bin];
  return [
    ["bin", `${bin + 1} of ${counts.length}`],
    ["holds", several(line, held), formatShare(held / members)],
    ...(held > 0 ? [[line.nouns[1], ranges[bin].slice(0, 300)] as const] : []),
  ];
}

/** A member's value; of one in no bin there is none. */
export function memberText(content: HistogramContent, position: number): string {
  return content.binOf[position] < 0 ? "not a finite number" : textOf(content)(content.values[position]);
}

export function factsOf(content: HistogramContent, position: number): Fact[] {
  const { binOf, counts, line } = content;
  const bin = binOf[position];
  return [
    [valueName(content).slice(0, 80), memberText(content, position)],
    ["bin", bin < 0 ? "none" : `${bin + 1} of ${counts.length}`],
    ...memberFacts(line, position),
  ];
}

/** What is drawn in one line, the longest wording first. */
export function summary(content: HistogramContent, chosen: HistogramChosen | undefined): string[] {
  const { edges, mean, unit, members, line } = content;
  if (edges.length === 0) return ["no value is a finite number"];
  const text = textOf(content);
  const count = chosen?.bins.reduce((sum, one) => sum + one, 0) ?? 0;
  const left = chosen ? [`${count.toLocaleString("en")} of ${several(line, members)} chosen`] : [];
  const range = `${text(edges[0])} to ${text(edges[edges.length - 1])}`;
  return [
    [title(content), range, `mean ${formatValue(mean, unit)}`, ...left].join(" · "),
    [title(content), ...left].join(" · "),
    ...(content.subject === undefined
      ? []
      : [[content.subject.slice(0, 300), left[0] ?? several(line, members)].join(" · ")]),
    left[0] ?? several(line, members),
  ];
}
