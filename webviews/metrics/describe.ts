/** What is said about rows and stretches of them, in words and numbers. Pure. */
import { formatStretch, formatValue, threeDigits } from "../../src/model/units";
import { eventKinds, type MetricsContent } from "../../src/protocol/metrics";
import type { Stretch } from "../../src/protocol/panel";
import type { Details } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { columnAt, columnFacts } from "../kit/time/columns";
import { columnText } from "../kit/time/curveLegend";
import { measuredStretch, windowWordings } from "../kit/time/words";
import { plural, visible } from "../shared/text";
import { type MetricsSeen, seenOf } from "./seen";

/** `power · GPU 0`: what a row is, and of what. */
export function rowName({ names, places }: MetricsContent, row: number): string {
  return [names[row], places[row]]
    .filter((part) => part !== "")
    .map(visible)
    .join(" · ");
}

/** Whether communication is nothing else. */
export function isMpi({ names, kinds }: MetricsContent): boolean {
  return names.every((name, row) => eventKinds[kinds[row]] !== "communication" || / in MPI$/.test(name));
}

/** A value of a row with its unit. */
export function valueText({ units }: MetricsContent, row: number, value: number): string {
  return Number.isNaN(value) ? "none" : formatValue(value, units[row]);
}

/** What a row has in the window, the longest wording first: never a mean alone. */
export function rowWordings(content: MetricsContent, row: number): string[] {
  const [least, most, mean] = [content.ownLeast, content.ownMost, content.ownMean].map((column) => column[row]);
  if (Number.isNaN(least)) return ["no value"];
  const text = (value: number) => valueText(content, row, value);
  if (least === most) return [text(least)];
  const both = stretchText(text(least), text(most));
  return Number.isNaN(mean) ? [both] : [`${both}, mean ${text(mean)}`, both];
}

/** `29 – 184 W`: a unit that both have stands once. */
function stretchText(least: string, most: string): string {
  const unitOf = (text: string) => text.slice(text.search(/\s/));
  const hasUnit = /\s/.test(least) && unitOf(least) === unitOf(most);
  return `${hasUnit ? least.slice(0, least.search(/\s/)) : least} – ${most}`;
}

/** How a row is made, where it is not what was recorded. */
function makingOf({ shows, says }: MetricsContent, row: number): string {
  return shows[row] === 1 ? "growth between two points" : visible(says[row]);
}

/** Numbers of a row in the window, or in what is measured. */
export function rowFacts(content: MetricsContent, row: number): Fact[] {
  const text = (column: Float64Array) => valueText(content, row, column[row]);
  const { shows, points, range, variance } = content;
  return [
    ["least", text(content.ownLeast)],
    ["most", text(content.ownMost)],
    ["mean", text(content.ownMean)],
    ["variance / mean²", varianceText(variance[row])],
    ["in", formatStretch(range.from, range.to)],
    [shows[row] === 2 ? "steps in the run" : "points in the run", points[row].toLocaleString("en")],
  ];
}

/** What is below a millionth is as good as none. */
export function varianceText(variance: number): string {
  if (Number.isNaN(variance)) return "none";
  return variance > 0 && variance < 1e-6 ? "<0.000001" : threeDigits(variance);
}

/** What a row is at a pixel: there it has least and most, and a mean; undefined where nothing of it is here. */
export function pixelFacts(content: MetricsContent, row: number, seconds: number): Fact[] | undefined {
  const { bands } = content;
  const place = bands?.rows.indexOf(row) ?? -1;
  const column = bands && place >= 0 ? columnAt(bands, place, seconds) : undefined;
  return column && columnFacts(column, (value) => valueText(content, row, value));
}

export function noteOf(content: MetricsContent, row: number): string {
  const making = makingOf(content, row);
  const column = columnText(content.bands, content);
  return [making, column === "" ? "" : `one column is ${column}`].filter((part) => part !== "").join(" · ");
}

export function details(content: MetricsContent, row: number): Details | undefined {
  if (row >= content.names.length) return undefined;
  const making = makingOf(content, row);
  return {
    name: rowName(content, row),
    numbers: [...rowFacts(content, row), ...(making === "" ? [] : [["", making] as const])],
    actions: content.hasEvents ? [{ id: "open", name: "Show in the timeline", icon: "zoom-in", key: "Enter" }] : [],
  };
}

export function measured(content: MetricsContent, seen: MetricsSeen | undefined): Details | undefined {
  const { range } = seenOf(content, seen);
  return range && measuredStretch(runOf(content), range, sumsOf(content, range));
}

/** Of the first rows; nothing until that is known. */
function sumsOf(content: MetricsContent, { from, to }: Stretch): Fact[] {
  const { isMeasured, asked, order } = content;
  if (!isMeasured || asked.from !== from || asked.to !== to) return [];
  return Array.from(order.subarray(0, 3), (row): Fact => [rowName(content, row), rowWordings(content, row)[0]]);
}

export function runOf({ subject, start, end }: MetricsContent) {
  return { subject, start, end };
}

/** The window and what a column shows of it, always; the longest wording first. */
export function summary(content: MetricsContent, seen: MetricsSeen | undefined): string[] {
  const now = seenOf(content, seen);
  const { names, range, asked } = content;
  const rows = plural(names.length, "row");
  const [whole, ...shorter] = windowWordings(runOf(content), now, rows);
  const column = columnText(content.bands, content);
  const isCut = range.from !== asked.from || range.to !== asked.to;
  const numbers = isCut ? `numbers of ${formatStretch(range.from, range.to)}` : "";
  const longest = [whole, column === "" ? "" : `least to most of each ${column}`, numbers]
    .filter((part) => part !== "")
    .join(" · ");
  return [...new Set([longest, [whole, numbers].filter((part) => part !== "").join(" · "), whole, ...shorter])];
}
