/** What is said about bins and members, in words and numbers. Pure. */
import { formatShare, formatValue } from "../../src/model/units";
import type { HistogramChosen, HistogramContent } from "../../src/protocol/histogram";
import type { Fact } from "../kit/stage/scene";

/** Values that differ by less than this share of themselves look alike in three digits. */
const NARROW = 0.02;

/** How values of this histogram are written: where they hardly differ, as the least and what is above it. */
export function valueText({ edges, unit }: Pick<HistogramContent, "edges" | "unit">): (value: number) => string {
  const format = (value: number) => formatValue(value, unit);
  const [least, most] = [edges.at(0) ?? 0, edges.at(-1) ?? 0];
  if (!(most > least && most - least < NARROW * Math.max(Math.abs(least), Math.abs(most)))) return format;
  return (value) => (value === least ? format(least) : `${format(least)} + ${format(value - least)}`);
}

/** `updateConductivity · exclusive time · 8 ranks`. */
export function title(content: HistogramContent): string {
  const { subject, value, metric, members } = content;
  const what = subject === undefined ? ["whole recording", metric] : [subject, `${value} ${metric}`];
  return [...what.map((part) => part.slice(0, 300)), several(content, members)].join(" · ");
}

/** `1 rank`, `8 ranks`. */
export function several({ nouns }: Pick<HistogramContent, "nouns">, count: number): string {
  return `${count.toLocaleString("en")} ${nouns[count === 1 ? 0 : 1]}`;
}

/** Limits of a bin: the last one holds its upper limit too. */
export function limits(content: HistogramContent, bin: number): string {
  const { edges, counts } = content;
  const text = valueText(content);
  if (edges[bin] === edges[bin + 1]) return `exactly ${text(edges[bin])}`;
  return `${text(edges[bin])} to ${bin === counts.length - 1 ? "" : "below "}${text(edges[bin + 1])}`;
}

export function binFacts(content: HistogramContent, bin: number): Fact[] {
  const { counts, ranges, members } = content;
  const facts: Fact[] = [
    ["bin", `${bin + 1} of ${counts.length}`],
    ["holds", several(content, counts[bin]), formatShare(counts[bin] / members)],
  ];
  if (counts[bin] > 0) facts.push([content.nouns[1], ranges[bin].slice(0, 300)]);
  return facts;
}

/** `rank 4`. */
export function memberName({ nouns, keys }: HistogramContent, position: number): string {
  return `${nouns[0]} ${keys[position]}`;
}

export function memberFacts(content: HistogramContent, position: number): Fact[] {
  const { values, binOf, counts, value, metric, by, hosts, attribute } = content;
  const bin = binOf[position];
  const facts: Fact[] = [
    [`${value} ${metric.slice(0, 60)}`, bin < 0 ? "not a finite number" : valueText(content)(values[position])],
    ["bin", bin < 0 ? "none" : `${bin + 1} of ${counts.length}`],
  ];
  const host = hosts?.[position] ?? -1;
  if (host >= 0 && by !== "host") facts.push(["host", String(host)]);
  if (attribute)
    facts.push([`${attribute.name.slice(0, 60)} in all`, formatValue(attribute.values[position], attribute.unit)]);
  return facts;
}

/** What is drawn in one line, the longest wording first. */
export function summary(content: HistogramContent, chosen: HistogramChosen | undefined): string[] {
  const { edges, mean, unit, members } = content;
  const text = valueText(content);
  const count = chosen?.bins.reduce((sum, one) => sum + one, 0) ?? 0;
  const left = chosen ? [`${count.toLocaleString("en")} of ${several(content, members)} chosen`] : [];
  if (edges.length === 0) return ["no value is a finite number"];
  const range = `${text(edges[0])} to ${text(edges[edges.length - 1])}`;
  return [
    [title(content), range, `mean ${formatValue(mean, unit)}`, ...left].join(" · "),
    [title(content), ...left].join(" · "),
    left[0] ?? several(content, members),
  ];
}
