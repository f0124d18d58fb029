/** What is said about bins and members, in words and numbers. Pure. */
import { formatShare, formatValue } from "../../src/model/units";
import type { ChosenMessage, HistogramMessage } from "../../src/protocol/histogram";
import { visible } from "../shared/text";

/** Which members are chosen; undefined without a restriction. */
export type Chosen = ChosenMessage["chosen"];

/** Values that differ by less than this share of themselves look alike in three digits. */
const NARROW = 0.02;

/** How values of this histogram are written: where they hardly differ, as the least and what is above it. */
export function valueText({ edges, unit }: Pick<HistogramMessage, "edges" | "unit">): (value: number) => string {
  const format = (value: number) => formatValue(value, unit);
  const [least, most] = [edges.at(0) ?? 0, edges.at(-1) ?? 0];
  if (!(most > least && most - least < NARROW * Math.max(Math.abs(least), Math.abs(most)))) return format;
  return (value) => (value === least ? format(least) : `${format(least)} + ${format(value - least)}`);
}

/** `updateConductivity · exclusive time · 8 ranks`. */
export function title(histogram: HistogramMessage): string {
  const { subject, value, metric, members } = histogram;
  const what = subject === undefined ? ["whole recording", metric] : [subject, `${value} ${metric}`];
  return [...what.map((part) => visible(part).slice(0, 300)), several(histogram, members)].join(" · ");
}

/** `1 rank`, `8 ranks`. */
export function several({ nouns }: Pick<HistogramMessage, "nouns">, count: number): string {
  return `${count.toLocaleString("en")} ${nouns[count === 1 ? 0 : 1]}`;
}

/** Limits of a bin: the last one holds its upper limit too. */
export function limits(histogram: HistogramMessage, bin: number): string {
  const { edges, counts } = histogram;
  const text = valueText(histogram);
  if (edges[bin] === edges[bin + 1]) return `exactly ${text(edges[bin])}`;
  return `${text(edges[bin])} to ${bin === counts.length - 1 ? "" : "below "}${text(edges[bin + 1])}`;
}

/** A bin in one sentence, for screen readers. */
export function binSentence(histogram: HistogramMessage, bin: number, chosen: Chosen): string {
  const { counts, ranges } = histogram;
  const members = counts[bin] === 0 ? "" : `: ${visible(ranges[bin]).slice(0, 300)}`;
  const parts = [
    `bin ${bin + 1} of ${counts.length}`,
    limits(histogram, bin),
    `${several(histogram, counts[bin])}${members}`,
  ];
  if (chosen) parts.push(`${chosen.bins[bin]} chosen`);
  return parts.join(", ");
}

/** A bin as a tooltip says it. */
export function binFacts(histogram: HistogramMessage, bin: number, chosen: Chosen): [label: string, value: string][] {
  const { counts, ranges, members } = histogram;
  const facts: [string, string][] = [
    ["limits", limits(histogram, bin)],
    ["count", `${several(histogram, counts[bin])} (${formatShare(counts[bin] / members)})`],
  ];
  if (chosen) facts.push(["chosen", several(histogram, chosen.bins[bin])]);
  if (counts[bin] > 0) facts.push([histogram.nouns[1], visible(ranges[bin]).slice(0, 1200)]);
  return facts;
}

/** `rank 4`. */
export function memberName({ nouns, line }: HistogramMessage, position: number): string {
  return `${nouns[0]} ${visible(line.keys[position])}`;
}

export function memberFacts(histogram: HistogramMessage, position: number): [label: string, value: string][] {
  const { line, counts, value, metric, by } = histogram;
  const bin = line.bins[position];
  const facts: [string, string][] = [
    [
      `${value} ${visible(metric).slice(0, 60)}`,
      bin < 0 ? "not a finite number" : valueText(histogram)(line.values[position]),
    ],
    ["bin", bin < 0 ? "none" : `${bin + 1} of ${counts.length}: ${limits(histogram, bin)}`],
  ];
  const host = line.hosts?.[position] ?? -1;
  if (host >= 0 && by !== "host") facts.push(["host", String(host)]);
  const { attribute } = line;
  if (attribute)
    facts.push([
      `${visible(attribute.name).slice(0, 60)} in all`,
      formatValue(attribute.values[position], attribute.unit),
    ]);
  return facts;
}

/** A member in one sentence, for screen readers. */
export function memberSentence(histogram: HistogramMessage, position: number, isChosen: boolean | undefined): string {
  const facts = memberFacts(histogram, position).map(([label, value]) => `${label} ${value}`);
  const chosen = isChosen === undefined ? [] : [isChosen ? "chosen" : "not chosen"];
  return [memberName(histogram, position), ...facts, ...chosen].join(", ");
}

/** The line under the controls. */
export function summary(histogram: HistogramMessage, chosen: Chosen): string {
  const { edges, mean, unit, counts, members } = histogram;
  const text = valueText(histogram);
  const parts =
    edges.length === 0
      ? ["no value is a finite number"]
      : [
          `${text(edges[0])} to ${text(edges[edges.length - 1])}`,
          `mean ${formatValue(mean, unit)}`,
          `${counts.length} ${counts.length === 1 ? "bin" : "bins"}`,
        ];
  if (chosen) {
    const count = chosen.bins.reduce((sum, one) => sum + one, 0);
    parts.push(`${count.toLocaleString("en")} of ${several(histogram, members)} chosen`);
  }
  return parts.join(" · ");
}

/** What an order is called. */
export function orderName(order: string): string {
  if (order.startsWith("metric:")) return `${visible(order.slice("metric:".length)).slice(0, 100)} in all`;
  return order === "id" ? "number" : order;
}

/**
 * Positions of the members that are looked for: `4`, `0-3, 8`; `0` also finds what belongs to rank 0, such as its threads.
 *
 * @returns undefined while nothing is searched for
 */
export function findMembers({ line }: HistogramMessage, text: string): ReadonlySet<number> | undefined {
  const wanted = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (wanted.length === 0) return undefined;
  const tests = wanted.map((part) => {
    const range = /^(\d+)\s*-\s*(\d+)$/.exec(part);
    if (!range) return (key: string) => key === part || key.startsWith(`${part}.`);
    return (key: string) => Number(key) >= Number(range[1]) && Number(key) <= Number(range[2]);
  });
  const found = new Set<number>();
  line.keys.forEach((key, position) => {
    if (tests.some((test) => test(key))) found.add(position);
  });
  return found;
}
