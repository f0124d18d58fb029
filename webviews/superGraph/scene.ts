/**
 * The drawing as marks in pixels: the layout's geometry, zoomed and shifted, with labels placed. Screen, canvas and saved
 * picture draw the same scene. Pure: text is measured by what is handed in.
 */
import { formatShare, formatValue } from "../../src/model/units";
import type { GraphMessage } from "../../src/protocol/superGraph";
import type { ColourChoice, HistogramsMessage } from "../../src/protocol/graphHalves";
import { fit, type Measure, visible } from "../shared/text";
import type { View } from "../shared/viewport";
import { barName } from "./describe";
import { FlowIndex } from "./flowIndex";
import { bothOf, comparison, differenceOf, largestDifference, signed, totalOf } from "./halves";
import { type Box, placeLabels, type PlacedLabel } from "./labels";
import { ABOVE, type HistogramMark, histogramMarks } from "./miniHistograms";
import type { Ribbon } from "./ribbon";

export interface BarMark extends Box {
  /** Exclusive as a share of the largest: where it lies on the colour ramp. */
  readonly heat: number;
  /** Difference from the other half as a share of the largest, where that is what colours show. */
  readonly difference?: number;
  /** Height of the part that the filter hid, at the bar's lower end. */
  readonly hiddenHeight: number;
  readonly entries: readonly EntryMark[];
}

/** An entry function: a small square in its bar. */
export interface EntryMark extends Box {
  readonly heat: number;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly bars: readonly BarMark[];
  /** Undefined where a flow is out of sight. */
  readonly flows: readonly (Ribbon | undefined)[];
  readonly labels: readonly PlacedLabel[];
  /** Parallel to the bars; undefined where there is no room, or nothing to show. */
  readonly histograms: readonly (HistogramMark | undefined)[];
  /** Titles of two graphs. */
  readonly titles: readonly TitleMark[];
  /** Largest difference of an exclusive: the ends of the colours; undefined where these show amounts. */
  readonly largestDifference?: number;
  /** Largest exclusive of a bar: the end of the colour ramp. */
  readonly hottest: number;
  /** Pixels a unit of the metric. */
  readonly pixelsPerUnit: number;
}

export interface Fonts {
  readonly name: Measure;
  readonly rest: Measure;
  readonly lineHeight: number;
}

/** The title of one of two graphs, at its upper left corner. */
export interface TitleMark extends Box {
  readonly text: string;
  /** Whether a line stands above it, between the graphs. */
  readonly line: boolean;
}

interface Area {
  readonly width: number;
  readonly height: number;
}

const TITLE_LEFT = 10;
/** Between the line and the title below it. */
const TITLE_GAP = 3;

/** Room around the layout, which itself leaves room above each bar and to the right of the last level. */
export const MARGIN = { left: 10, right: 6, top: 4, bottom: 20 } as const;

/** Pixels above the topmost bar: a line of text, and a little air. */
const LABEL_ROOM = 20;

/** Above this many marks flows are drawn on a canvas, and squares only while there is room for them. */
const SVG_LIMIT = 2000;
/** Above this many flows, too: a canvas takes less from a hundred on, and at a thousand 10 ms instead of 50. */
const FLOW_LIMIT = 200;

const SQUARE = 8;
const SQUARE_STEP = 11;
/** Pixels between the squares and the middle of their bar. */
const CLEAR_OF_MIDDLE = 2;
const INSET = 4;

/** The size to lay the graph out in, inside a drawing area of this size. */
export function layoutSize(area: { width: number; height: number }): { width: number; height: number } {
  return {
    width: Math.max(100, Math.round(area.width - MARGIN.left - MARGIN.right)),
    height: Math.max(80, Math.round(area.height - MARGIN.top - MARGIN.bottom)),
  };
}

/** The view that has everything in sight: the layout may need more room than there is. */
export function fitView({ geometry }: GraphMessage, area: { width: number; height: number }): View {
  const inner = layoutSize(area);
  const scale = Math.min(1, inner.width / geometry.width, inner.height / geometry.height);
  // The room that the layout leaves above its bars shrinks with them, labels do not.
  const top = geometry.bars.reduce((least, [, y]) => Math.min(least, y), Infinity);
  const y = Number.isFinite(top) ? Math.max(0, LABEL_ROOM - (top + MARGIN.top) * scale) : 0;
  return { scale: Math.min(scale, (inner.height - y) / geometry.height), x: 0, y };
}

/** What is drawn beside the graph itself. */
export interface SceneExtras {
  readonly histograms?: HistogramsMessage;
  readonly colour?: ColourChoice;
}

/** What is drawn of a graph in one view, without what is put around it. */
export interface Marks extends Pick<Scene, "bars" | "flows" | "hottest" | "largestDifference" | "pixelsPerUnit"> {
  readonly graph: GraphMessage;
  readonly view: View;
  readonly area: Area;
  /** What labels could say, a line each. */
  readonly texts: readonly (readonly string[])[];
  readonly flowIndex: FlowIndex;
}

export function buildScene(
  graph: GraphMessage,
  view: View,
  area: Area,
  fonts: Fonts,
  first: readonly number[] = [],
  { histograms, colour }: SceneExtras = {},
): Scene {
  return completeScene(placeMarks(graph, view, area, colour), fonts, first, histograms);
}

export function placeMarks(graph: GraphMessage, view: View, area: Area, colour?: ColourChoice): Marks {
  const { geometry } = graph;
  const hottest = graph.bars.reduce((most, { exclusive }) => Math.max(most, exclusive), 0);
  const heat = (value: number) => (hottest > 0 ? Math.max(0, value) / hottest : 0);
  const byDifference = graph.pair !== undefined && (graph.pair.merged || colour === "difference");
  const most = byDifference ? largestDifference(graph) : 0;
  let squares = SVG_LIMIT;
  const bars = geometry.bars.map(([x, y, width, height], bar): BarMark => {
    const { exclusive, hiddenShare, entries } = graph.bars[bar];
    const box = {
      x: toX(x, view),
      y: toY(y, view),
      width: width * view.scale,
      // A bar that weighs nothing can still be pointed at.
      height: Math.max(height * view.scale, 2),
    };
    const hiddenHeight = hiddenShare * box.height;
    const drawn = entryBoxes(box, hiddenHeight, Math.min(entries.length, squares), area);
    squares -= drawn.length;
    return {
      ...box,
      heat: heat(exclusive),
      ...(byDifference ? { difference: most > 0 ? differenceOf(graph, bar, "exclusive") / most : 0 } : {}),
      hiddenHeight,
      entries: drawn.map((square, at) => ({ ...square, heat: heat(entries[at].exclusive) })),
    };
  });
  const flows = geometry.flows.map((flow) => ribbonOf(flow, view, area));
  return {
    ...{ graph, view, area, bars, flows, hottest },
    ...(byDifference ? { largestDifference: most } : {}),
    pixelsPerUnit: geometry.pixelsPerUnit * view.scale,
    texts: graph.bars.map((_, bar) => labelLines(graph, bar, byDifference)),
    flowIndex: new FlowIndex(area.width, area.height, flows),
  };
}

/**
 * Titles, histograms and labels around the marks.
 *
 * @param first bars whose labels are placed before all others: selected, pointed at, found
 */
export function completeScene(
  marks: Marks,
  fonts: Fonts,
  first: readonly number[],
  histograms?: HistogramsMessage,
): Scene {
  const { graph, view, area, bars, flows, texts, flowIndex, hottest, largestDifference, pixelsPerUnit } = marks;
  const titles = titleMarks(graph, view, area, fonts);
  const minis = histogramMarks(histograms, bars, titles, area);
  // What is pointed at may be what is selected.
  const chosen = new Set(first);
  const order = labelOrder(graph, chosen);
  // The heaviest is the root, or the heaviest of several.
  const needed = new Set([...chosen, ...order.filter((bar) => !chosen.has(bar)).slice(0, 1)]);
  const wanted = order.map((bar) => ({
    bar,
    lines: texts[bar],
    needed: needed.has(bar),
    above: minis[bar] ? ABOVE : 0,
  }));
  const labels = placeLabels(wanted, {
    bars,
    others: [...titles, ...lines(titles, area), ...minis.filter((mini) => mini !== undefined)],
    flows: flowIndex,
    ...area,
    lineHeight: fonts.lineHeight,
    measureName: fonts.name,
    measureRest: fonts.rest,
  });
  return {
    ...area,
    ...{ bars, flows, labels, titles, hottest, largestDifference, pixelsPerUnit },
    histograms: minis,
  };
}

/** Whether flows are drawn as elements, else on a canvas. */
export function flowsAreElements({ bars, flows }: GraphMessage): boolean {
  const others = bars.reduce((sum, { entries }) => sum + 1 + Math.min(entries.length, 8), 0);
  return flows.length <= FLOW_LIMIT && flows.length + others <= SVG_LIMIT;
}

function labelLines(graph: GraphMessage, bar: number, byDifference: boolean): string[] {
  const { inclusive, exclusive } = graph.bars[bar];
  const { unit } = graph;
  const both = bothOf(graph, bar);
  if (both && byDifference) {
    const [first, second] = both;
    const self = signed(first.exclusive - second.exclusive, unit);
    const title = barName(graph, bar);
    return graph.pair?.merged
      ? [title, comparison(first.inclusive, second.inclusive, unit), `self ${self}`]
      : [title, `${formatValue(inclusive, unit)} · self ${formatValue(exclusive, unit)}`, `difference ${self}`];
  }
  const lines = [
    barName(graph, bar),
    `${formatValue(inclusive, graph.unit)} · ${formatShare(inclusive / totalOf(graph, bar))}`,
  ];
  if (exclusive !== inclusive) lines.push(`self ${formatValue(exclusive, graph.unit)}`);
  return lines;
}

function titleMarks({ pair, geometry }: GraphMessage, view: View, area: Area, fonts: Fonts) {
  if (!pair || pair.merged || !geometry.headings) return [];
  return geometry.headings.map((top, half): TitleMark => {
    const text = fit(visible(pair.halves[half].title), area.width - 2 * TITLE_LEFT, fonts.name);
    const y = toY(top, view) + TITLE_GAP;
    return { x: TITLE_LEFT, y, width: fonts.name(text), height: fonts.lineHeight, text, line: half > 0 };
  });
}

/** Between two graphs, where no label may lie. */
function lines(titles: readonly TitleMark[], { width }: Area): Box[] {
  return titles.filter(({ line }) => line).map(({ y }) => ({ x: 0, y: y - 2 * TITLE_GAP, width, height: TITLE_GAP }));
}

function labelOrder({ bars }: GraphMessage, first: ReadonlySet<number>): number[] {
  const rest = bars.map((_, bar) => bar).filter((bar) => !first.has(bar));
  rest.sort((a, b) => bars[b].inclusive - bars[a].inclusive || a - b);
  return [...[...first].filter((bar) => bar < bars.length), ...rest];
}

/** Squares of equal size, in rows from the bar's top; as many as fit above its hidden part. */
function entryBoxes(bar: Box, hiddenHeight: number, most: number, area: { width: number; height: number }): Box[] {
  if (bar.x > area.width || bar.x + bar.width < 0) return [];
  const columns = Math.floor((bar.width - 2 * INSET + SQUARE_STEP - SQUARE) / SQUARE_STEP);
  // The middle of a bar stays its own: who clicks there means the bar.
  const room = Math.min(bar.height - hiddenHeight - INSET, bar.height / 2 - CLEAR_OF_MIDDLE);
  const rows = Math.floor((room - INSET + SQUARE_STEP - SQUARE) / SQUARE_STEP);
  if (columns < 1 || rows < 1) return [];
  return Array.from({ length: Math.min(most, columns * rows) }, (_, at) => ({
    x: bar.x + INSET + (at % columns) * SQUARE_STEP,
    y: bar.y + INSET + Math.floor(at / columns) * SQUARE_STEP,
    width: SQUARE,
    height: SQUARE,
  }));
}

/** A flow as it is drawn; undefined where it is out of sight. */
function ribbonOf(
  { points, thickness }: GraphMessage["geometry"]["flows"][number],
  view: View,
  area: Area,
): Ribbon | undefined {
  const placed = points.slice();
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 2) {
    const x = toX(points[at], view);
    const y = toY(points[at + 1], view);
    placed[at] = x;
    placed[at + 1] = y;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const drawn = thickness * view.scale;
  const isInSight = right >= 0 && left <= area.width && bottom + drawn / 2 >= 0 && top - drawn / 2 <= area.height;
  return isInSight ? { points: placed, thickness: drawn } : undefined;
}

function toX(x: number, view: View): number {
  return (x + MARGIN.left) * view.scale + view.x;
}

function toY(y: number, view: View): number {
  return (y + MARGIN.top) * view.scale + view.y;
}
