/** Bins above, members on a line below (dissertation 3.3.2). Pure; what leads from one to the other is `shadows.ts`. */
import { scaleLinear } from "d3-scale";
import { FIRST_MEMBER, type HistogramContent } from "../../../src/protocol/histogram";
import { axisTicks, gridRows, rule, TEXT_SIZE, withRoom, wordsAt } from "../axis";
import { memberAxis, memberMarks } from "../memberLine";
import type { Box, DrawView, Mark, Scene, Shape } from "../stage/scene";
import { heatPosition } from "../theme/theme";
import { fitName, visible } from "../../shared/text";
import { binFacts, factsOf, limits, textOf, valueName } from "./describe";

export interface HistogramScene extends Scene {
  readonly bins: readonly Box[];
  /** Top of the shadows, below the texts of the values. */
  readonly shadowTop: number;
  readonly line: Box;
}

const MARGIN = { left: 52, right: 14, top: 20, bottom: 38 } as const;
/** For the texts of the values, and what they are of. */
const BAND = 36;
/** Above the highest bin: how many it has. */
const HEADROOM = 16;
const LINE_HEIGHT = 14;
/** Of a bin that is the only one: all-equal values. */
const ONLY_BIN = 120;

export function draw(content: HistogramContent, view: DrawView): HistogramScene {
  const { width, height, theme } = view;
  const inner = Math.max(40, width - MARGIN.left - MARGIN.right);
  const free = Math.max(60, height - MARGIN.top - MARGIN.bottom - BAND - LINE_HEIGHT);
  const plot = { x: MARGIN.left, y: MARGIN.top, width: inner, height: Math.round(free * 0.52) };
  const bottom = plot.y + plot.height;
  const shadowTop = bottom + BAND;
  const line = { x: plot.x, y: MARGIN.top + free + BAND, width: inner, height: LINE_HEIGHT };
  const most = content.counts.reduce((largest, count) => Math.max(largest, count), 1);
  const counts = scaleLinear([0, most], [bottom, plot.y + HEADROOM]);
  const bins = boxesOf(content, plot, (count) => bottom - counts(count));
  const columns = { ...plot, height: shadowTop - plot.y };
  const words = wordsAt(theme);
  const countTicks = counts.ticks(Math.max(2, Math.floor(plot.height / 36))).filter(Number.isInteger);
  const [rules, texts] = gridRows(
    countTicks.map((count) => ({ at: counts(count), text: count.toLocaleString("en") })),
    plot,
    theme,
  );
  const fills = Array.from(content.counts, (_, bin) => theme.heat(binHeat(content, bin)));
  const members = {
    fill: (position: number) => (content.binOf[position] < 0 ? theme.background : fills[content.binOf[position]]),
    stroke: theme.outline,
    facts: (position: number) => factsOf(content, position),
  };
  return {
    bins,
    shadowTop,
    line,
    brush: columns,
    below: [...rules, rule(`M${plot.x},${bottom + 0.5}H${plot.x + plot.width}`, theme.outline)],
    marks: [...binMarks(content, bins, plot, columns, view), ...memberMarks(content.line, line, FIRST_MEMBER, members)],
    above: [
      ...texts,
      // From the edge: the word may be wider than the numbers below it.
      words(12, plot.y - 8, `↑ ${content.line.nouns[1]}`, { weight: 600 }),
      ...valueTicks(content, plot, view).map(({ at, text }) => words(at, bottom + 16, text, { anchor: "middle" })),
      words(plot.x + plot.width, bottom + 31, `${valueTitle(content, plot.width, view)} →`, {
        weight: 600,
        anchor: "end",
      }),
      ...countTexts(content, bins, view),
      ...memberAxis(content.line, line, view),
    ],
    move: (from, key) => move(content, from, key),
  };
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

/** Colour of a bin and of its members: how large the value in its middle is. */
export function binHeat(content: HistogramContent, bin: number): number {
  const { edges } = content;
  return heatPosition(edges[bin] / 2 + edges[bin + 1] / 2, largestOf(content));
}

/** The end of the heat: amounts begin at nothing, so that a small spread looks like one. */
export function largestOf({ edges }: HistogramContent): number {
  return Math.max(0, edges.at(-1) ?? 0);
}

/** A bin is pointed at in the texts below it, too. */
function binMarks(
  content: HistogramContent,
  bins: readonly Box[],
  plot: Box,
  columns: Box,
  { theme }: DrawView,
): Mark[] {
  return bins.map(({ x, y, width, height }, bin) => ({
    id: bin,
    key: `bin ${bin}`,
    box: { x, y: columns.y, width, height: columns.height },
    framed: { x, y: plot.y, width, height: plot.height },
    d: `M${x},${y}h${width}v${height}h${-width}Z`,
    paint: { fill: theme.heat(binHeat(content, bin)), stroke: theme.outline, strokeWidth: width < 6 ? 0.5 : 1 },
    name: limits(content, bin),
    facts: () => binFacts(content, bin),
  }));
}

/** Left and right along bins or members, down from a bin to its first member, up from a member to its bin. */
function move({ counts, line, binOf }: HistogramContent, from: number, key: string): number | undefined {
  const { length } = line.keys;
  const isMember = from >= FIRST_MEMBER;
  const [first, last] = isMember ? [FIRST_MEMBER, FIRST_MEMBER + length - 1] : [0, counts.length - 1];
  if (key === "ArrowLeft") return Math.max(first, from - 1);
  if (key === "ArrowRight") return Math.min(last, from + 1);
  if (key === "ArrowUp") return isMember && binOf[from - FIRST_MEMBER] >= 0 ? binOf[from - FIRST_MEMBER] : from;
  if (isMember || length === 0) return from;
  return FIRST_MEMBER + Math.max(0, binOf.indexOf(from));
}

/** What the values are, where they end. */
function valueTitle(content: HistogramContent, width: number, { measure }: DrawView): string {
  return fitName(visible(valueName(content)), width - 24, measure(TEXT_SIZE, 600));
}

/** How many a bin has, above it, where that is as wide as the bin. */
function countTexts({ counts }: HistogramContent, bins: readonly Box[], { theme, measure }: DrawView): Shape[] {
  const widthOf = measure(TEXT_SIZE);
  return bins.flatMap(({ x, y, width }, bin) => {
    const text = counts[bin].toLocaleString("en");
    if (counts[bin] === 0 || widthOf(text) > width) return [];
    return wordsAt(theme)(x + width / 2, y - 4, text, { anchor: "middle", fill: theme.soft });
  });
}

function valueTicks(content: HistogramContent, plot: Box, view: DrawView) {
  const { edges, unit } = content;
  if (edges.length === 0) return [];
  const [least, most] = [edges[0], edges[edges.length - 1]];
  if (least === most) return [{ at: plot.x + plot.width / 2, text: textOf(content)(least) }];
  const at = scaleLinear([least, most], [plot.x, plot.x + plot.width]);
  const ticks = axisTicks(least, most, Math.max(2, Math.floor(plot.width / 60)), unit);
  const placed = ticks.map(({ value, text }) => ({ at: at(value), text }));
  return withRoom(placed, plot.x + plot.width + MARGIN.right, view);
}
