/** Bins above, members on a line below (dissertation 3.3.2). Pure; what leads from one to the other is `shadows.ts`. */
import { scaleLinear } from "d3-scale";
import { FIRST_MEMBER, type HistogramContent } from "../../src/protocol/histogram";
import type { Box, DrawView, Mark, Scene, Shape } from "../kit/stage/scene";
import type { Measure } from "../shared/text";
import { binFacts, limits, memberFacts, memberName, valueText } from "./describe";

export interface HistogramScene extends Scene {
  readonly bins: readonly Box[];
  /** Top of the shadows, below the texts of the values. */
  readonly shadowTop: number;
  readonly line: Box;
}

const MARGIN = { left: 52, right: 14, top: 20, bottom: 38 } as const;
/** For the texts of the values. */
const BAND = 20;
const LINE_HEIGHT = 14;
/** Of a bin that is the only one: all-equal values. */
const ONLY_BIN = 120;
const SIZE = 11;

export function draw(content: HistogramContent, view: DrawView): HistogramScene {
  const { width, height, theme } = view;
  const inner = Math.max(40, width - MARGIN.left - MARGIN.right);
  const free = Math.max(60, height - MARGIN.top - MARGIN.bottom - BAND - LINE_HEIGHT);
  const plot = { x: MARGIN.left, y: MARGIN.top, width: inner, height: Math.round(free * 0.52) };
  const shadowTop = plot.y + plot.height + BAND;
  const line = { x: plot.x, y: MARGIN.top + free + BAND, width: inner, height: LINE_HEIGHT };
  const most = content.counts.reduce((largest, count) => Math.max(largest, count), 1);
  const counts = scaleLinear([0, most], [plot.y + plot.height, plot.y]);
  const bins = boxesOf(content, plot, (count) => plot.y + plot.height - counts(count));
  const measure = view.measure(SIZE);
  const text = (
    x: number,
    y: number,
    words: string,
    anchor: "start" | "middle" | "end" = "middle",
    weight?: number,
  ): Shape => ({
    ...{
      kind: "text",
      at: { x, y },
      text: words,
      size: SIZE,
      anchor,
      weight,
      fill: theme.text,
      halo: theme.background,
    },
  });
  const rule = (y: number, stroke: string): Shape => ({
    kind: "path",
    d: `M${plot.x},${y}H${plot.x + plot.width}`,
    stroke,
  });
  const countTicks = counts.ticks(Math.max(2, Math.floor(plot.height / 36))).filter(Number.isInteger);
  const [one, many] = content.nouns;
  return {
    bins,
    shadowTop,
    line,
    brush: { ...plot, height: shadowTop - plot.y },
    below: [
      ...countTicks.map((count) => rule(Math.round(counts(count)) + 0.5, theme.grid)),
      rule(plot.y + plot.height + 0.5, theme.outline),
    ],
    marks: [
      ...binMarks(content, bins, { ...plot, height: shadowTop - plot.y }, view),
      ...memberMarks(content, line, view),
    ],
    above: [
      ...countTicks.map((count) => text(plot.x - 6, counts(count) + 4, count.toLocaleString("en"), "end")),
      // From the edge: the word may be wider than the numbers below it.
      text(4, plot.y - 8, many, "start", 600),
      ...valueTicks(content, plot, measure).map(({ at, words }) => text(at, shadowTop - 4, words)),
      ...memberTicks(content, line, measure).map(({ at, words }) => text(at, line.y + line.height + 16, words)),
      text(
        plot.x,
        line.y + line.height + 32,
        content.order === "id" ? many : `${many} by ${orderName(content, one)}`,
        "start",
        600,
      ),
    ],
    move: (from, key) => move(content, from, key),
  };
}

/** What an order is called. */
function orderName({ order, attribute }: HistogramContent, noun: string): string {
  return attribute ? `${attribute.name} in all` : order === "id" ? noun : order;
}

function boxesOf({ counts }: HistogramContent, plot: Box, heightOf: (count: number) => number): Box[] {
  const step = plot.width / counts.length;
  return Array.from(counts, (count, bin) => {
    const width = counts.length === 1 ? Math.min(ONLY_BIN, plot.width) : Math.max(0.5, step - (step > 4 ? 1 : 0));
    const x = counts.length === 1 ? plot.x + (plot.width - width) / 2 : plot.x + bin * step;
    // One member among thousands is to be seen.
    const height = count === 0 ? 0 : Math.max(3, heightOf(count));
    return { x, y: plot.y + plot.height - height, width, height };
  });
}

/** Colour of a bin and of its members: how large its values are, from the least to the largest. */
export function binHeat({ counts }: HistogramContent, bin: number): number {
  return counts.length < 2 ? 0.6 : bin / (counts.length - 1);
}

function binMarks(content: HistogramContent, bins: readonly Box[], columns: Box, { theme }: DrawView): Mark[] {
  return bins.map(({ x, y, width, height }, bin) => ({
    id: bin,
    key: `bin ${bin}`,
    box: { x, y: columns.y, width, height: columns.height },
    d: `M${x},${y}h${width}v${height}h${-width}Z`,
    paint: { fill: theme.heat(binHeat(content, bin)), stroke: theme.outline, strokeWidth: width < 6 ? 0.5 : 1 },
    name: limits(content, bin),
    facts: () => binFacts(content, bin),
  }));
}

function memberMarks(content: HistogramContent, line: Box, { theme }: DrawView): Mark[] {
  const step = line.width / content.keys.length;
  const gap = step > 4 ? 1 : 0;
  const fills = Array.from(content.counts, (_, bin) => theme.heat(binHeat(content, bin)));
  const stroke = step > 4 ? theme.outline : undefined;
  return content.keys.map((key, position) => ({
    id: FIRST_MEMBER + position,
    key: `member ${key}`,
    box: { x: line.x + position * step, y: line.y, width: Math.max(1, step - gap), height: line.height },
    paint: { fill: content.binOf[position] < 0 ? theme.background : fills[content.binOf[position]], stroke },
    name: memberName(content, position),
    facts: () => memberFacts(content, position),
  }));
}

/** Left and right along bins or members, down from a bin to its first member, up from a member to its bin. */
function move({ counts, keys, binOf }: HistogramContent, from: number, key: string): number | undefined {
  const isMember = from >= FIRST_MEMBER;
  const [first, last] = isMember ? [FIRST_MEMBER, FIRST_MEMBER + keys.length - 1] : [0, counts.length - 1];
  if (key === "ArrowLeft") return Math.max(first, from - 1);
  if (key === "ArrowRight") return Math.min(last, from + 1);
  if (key === "ArrowUp") return isMember ? Math.max(0, binOf[from - FIRST_MEMBER]) : from;
  if (isMember || keys.length === 0) return from;
  return FIRST_MEMBER + Math.max(0, binOf.indexOf(from));
}

interface Tick {
  readonly at: number;
  readonly words: string;
}

function valueTicks(content: HistogramContent, plot: Box, measure: Measure): Tick[] {
  const { edges } = content;
  if (edges.length === 0) return [];
  const text = valueText(content);
  const [least, most] = [edges[0], edges[edges.length - 1]];
  if (least === most) return [{ at: plot.x + plot.width / 2, words: text(least) }];
  const at = scaleLinear([least, most], [plot.x, plot.x + plot.width]);
  const wanted = Math.max(2, Math.floor(plot.width / 60));
  // Round numbers, where the numbers themselves are shown; else round distances from the least.
  const isNarrow = text(most).includes(" + ");
  const values = isNarrow
    ? scaleLinear([0, most - least], [0, 1])
        .ticks(wanted)
        .map((above) => least + above)
    : at.ticks(wanted);
  return apart(
    values.map((value) => ({ at: at(value), words: text(value) })),
    measure,
    plot,
  );
}

function memberTicks({ keys }: HistogramContent, line: Box, measure: Measure): Tick[] {
  const step = line.width / keys.length;
  return apart(
    keys.map((words, position) => ({ at: line.x + (position + 0.5) * step, words })),
    measure,
    line,
  );
}

/** As many as have room beside each other, evenly picked. */
function apart(all: readonly Tick[], measure: Measure, within: Box): Tick[] {
  const longest = all.reduce((long, { words }) => (words.length > long.length ? words : long), "0");
  const every = Math.max(1, Math.ceil((all.length * (measure(longest) * 1.1 + 10)) / within.width));
  const isInside = ({ at, words }: Tick) => at + measure(words) / 2 <= within.x + within.width + MARGIN.right;
  return all.filter((tick, at) => at % every === 0 && isInside(tick));
}
