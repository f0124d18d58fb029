/** A super graph as marks and shapes in pixels: what is placed once for each view, and what is put around it. Pure. */
import { formatShare, formatValue } from "../../src/model/units";
import { MARGIN } from "../../src/protocol/graphMargin";
import { MOST_ELEMENTS } from "../kit/stage/stage";
import { rounded, type Box, type DrawView, type Mark, type Scene, type Shape } from "../kit/stage/scene";
import { heatPosition, type Theme } from "../kit/theme/theme";
import { fit, visible } from "../shared/text";
import { barFacts, barSentence, entrySentence, factsOfEntry, overText } from "./describe";
import { FlowIndex } from "./flowIndex";
import {
  barCount,
  barKey,
  barName,
  bothOf,
  comparison,
  differenceOf,
  entriesOf,
  entryMark,
  entryName,
  entryPlace,
  type Graph,
  isLaidOut,
  type LaidOutGraph,
  largestDifference,
  markOf,
  shownHistograms,
  signed,
  totalOf,
} from "./graph";
import { type LabelText, placeLabels, type PlacedLabel } from "./labels";
import { ABOVE, histogramMarks, histogramShapes, type HistogramMark } from "./miniHistograms";
import { type Seen, type Viewport, viewportOf } from "./seen";
import { neighbour, readingOrder } from "./order";
import type { Ribbon } from "./ribbon";

/** A bar where it is drawn. */
export interface PlacedBar extends Box {
  /** Height of the part that the filter hid, at the bar's lower end. */
  readonly hiddenHeight: number;
  /** Squares of its heaviest entry functions. */
  readonly entries: readonly Box[];
}

/** What is drawn of a graph in one view, without what is put around it. */
export interface Placed {
  readonly graph: LaidOutGraph;
  readonly viewport: Viewport;
  readonly width: number;
  readonly height: number;
  readonly bars: readonly PlacedBar[];
  /** Undefined where a flow is out of sight. */
  readonly flows: readonly (Ribbon | undefined)[];
  /** Largest exclusive of a bar: the end of the heat. */
  readonly hottest: number;
  /** Largest difference of an exclusive: the ends of the colours; undefined where these show amounts. */
  readonly largestDifference?: number;
  /** Pixels per unit of the metric. */
  readonly pixelsPerUnit: number;
  /** What labels could say, a line each. */
  readonly texts: readonly (readonly string[])[];
  readonly flowIndex: FlowIndex;
}

export interface GraphScene extends Scene {
  readonly placed: Placed;
  /** Small histograms are among what is drawn. */
  readonly hasHistograms: boolean;
}

/** The title of one of two graphs, at its upper left corner. */
interface Title extends Box {
  readonly text: string;
  /** Whether a line stands above it, between the graphs. */
  readonly line: boolean;
}

const NAME_SIZE = 12;
const SIZE = 11;
export const LINE_HEIGHT = 16;
const TITLE_LEFT = 12;
/** Between the line and the title below it. */
const TITLE_GAP = 3;
const SQUARE = 8;
const SQUARE_STEP = 11;
/** Pixels between the squares and the middle of their bar. */
const CLEAR_OF_MIDDLE = 2;
const INSET = 4;
/** Between the lines of a hatch. */
const HATCH = 6;

/** A graph with nothing pointed at. */
export function draw(graph: Graph, view: DrawView, seen?: Seen): GraphScene {
  if (!isLaidOut(graph)) throw new Error("A graph without a layout is not drawn.");
  const placed = placeGraph(graph, viewportOf(graph, view, seen), view);
  return sceneOf(placed, marksOf(placed, placed.bars, view.theme), view, []);
}

export function placeGraph(graph: LaidOutGraph, viewport: Viewport, area: { width: number; height: number }): Placed {
  const { bars, layout, look, pair } = graph;
  const byDifference = pair !== undefined && (pair.merged || look?.colour === "difference");
  const size = barCount(graph);
  let squares = Math.max(0, MOST_ELEMENTS - size);
  const placed = Array.from({ length: size }, (_, bar): PlacedBar => {
    const [x, y, width, height] = layout.boxes.subarray(4 * bar, 4 * bar + 4);
    const box = {
      x: toX(x, viewport),
      y: toY(y, viewport),
      width: width * viewport.scale,
      // A bar that weighs nothing can still be pointed at.
      height: Math.max(height * viewport.scale, 2),
    };
    const hiddenHeight = bars.hiddenShare[bar] * box.height;
    const entries = entryBoxes(box, hiddenHeight, Math.min(entriesOf(graph, bar).count, squares), area);
    squares -= entries.length;
    return { ...box, hiddenHeight, entries };
  });
  const flows = Array.from(layout.flows.thickness, (_, flow) => ribbonOf(graph, flow, viewport, area));
  return {
    ...{ graph, viewport, width: area.width, height: area.height, bars: placed, flows },
    hottest: bars.exclusive.reduce((most, exclusive) => Math.max(most, exclusive), 0),
    ...(byDifference ? { largestDifference: largestDifference(graph) } : {}),
    pixelsPerUnit: layout.pixelsPerUnit * viewport.scale,
    texts: placed.map((_, bar) => labelLines(graph, bar, byDifference)),
    flowIndex: new FlowIndex(area.width, area.height, flows),
  };
}

/** What is read out of each bar: the same for as long as the graph's numbers are. */
const sentences = new WeakMap<Graph["bars"], string[]>();

function sentencesOf(graph: Graph): string[] {
  const known = sentences.get(graph.bars) ?? Array.from(graph.bars.group, (_, bar) => barSentence(graph, bar));
  sentences.set(graph.bars, known);
  return known;
}

/** Bars and entries as marks, in reading order. @param bars where they are now */
export function marksOf(
  { graph, hottest, largestDifference: most }: Placed,
  bars: readonly PlacedBar[],
  theme: Theme,
  opacityOf: (bar: number) => number | undefined = () => undefined,
): Mark[] {
  const heat = (value: number) => theme.heat(heatPosition(value, hottest));
  const says = sentencesOf(graph);
  return readingOrder(graph).flatMap((bar): Mark[] => {
    const { x, y, width, height, entries } = bars[bar];
    const difference = most === undefined ? undefined : most > 0 ? differenceOf(graph, bar) / most : 0;
    const fill = difference === undefined ? heat(graph.bars.exclusive[bar]) : theme.difference(difference);
    const opacity = opacityOf(bar);
    const key = barKey(graph, bar);
    const own: Mark = {
      ...{ id: bar, key, box: { x, y, width, height }, name: barName(graph, bar), says: says[bar] },
      paint: { fill, stroke: theme.outline, strokeWidth: 1, opacity },
      facts: () => barFacts(graph, bar),
      note: () => overText(graph, bar),
    };
    const { first } = entriesOf(graph, bar);
    const keys = new Map<string, number>();
    const keyOf = (entry: number) => {
      const said = `${key} ${entryName(graph, entry)} ${entryPlace(graph, entry) ?? ""}`;
      const times = keys.get(said) ?? 0;
      keys.set(said, times + 1);
      return times === 0 ? said : `${said} ${times}`;
    };
    return [
      own,
      ...entries.map((box, at): Mark => {
        const entry = first + at;
        const place = entryPlace(graph, entry);
        const squareFill = difference === undefined ? heat(graph.entries.exclusive[entry]) : theme.background;
        return {
          ...{ id: entryMark(graph, entry), key: keyOf(entry), within: bar, box, name: entryName(graph, entry) },
          ...(place === undefined ? {} : { place }),
          paint: { fill: squareFill, stroke: theme.text, strokeWidth: 1, opacity },
          facts: () => factsOfEntry(graph, bar, entry),
          note: () => overText(graph, bar),
          says: entrySentence(graph, bar, entry),
        };
      }),
    ];
  });
}

/**
 * Titles, histograms and labels around the marks.
 *
 * @param first bars whose labels are placed before all others: selected, pointed at
 */
export function sceneOf(placed: Placed, marks: readonly Mark[], view: DrawView, first: readonly number[]): GraphScene {
  const { graph, bars } = placed;
  const { theme, width } = view;
  const titles = titlesOf(placed, view);
  const histograms = histogramMarks(shownHistograms(graph), bars, titles, placed);
  const labels = labelsOf(placed, titles, histograms, view, first);
  return {
    placed,
    hasHistograms: histograms.some((mark) => mark !== undefined),
    below: [],
    marks,
    signs: histograms.flatMap((box, mark) => (box ? { box, mark, does: "histogram" } : [])),
    above: [
      ...bars.flatMap((bar, at) => hatchShapes(bar, at, theme)),
      ...histograms.flatMap((mark, bar) => (mark ? histogramShapes(mark, bar, theme) : [])),
      ...titles.flatMap((title) => titleShapes(title, width, theme)),
      ...labels.flatMap((label) => labelShapes(label, graph, theme)),
    ],
    move: (from, key) => moveFrom(graph, marks, from, key),
  };
}

function moveFrom(graph: LaidOutGraph, marks: readonly Mark[], from: number, key: string): number | undefined {
  const { bar, entry } = markOf(graph, from);
  if (bar === undefined) return undefined;
  if (entry === undefined) return neighbour(graph, bar, key);
  const next = from + (key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1);
  return marks.find(({ id, within }) => id === next && within === bar)?.id ?? from;
}

function labelsOf(
  placed: Placed,
  titles: readonly Title[],
  histograms: readonly (HistogramMark | undefined)[],
  { measure, width, height }: DrawView,
  first: readonly number[],
): PlacedLabel[] {
  const { graph, bars, texts, flowIndex } = placed;
  // What is pointed at may be what is selected.
  const chosen = new Set(first.filter((bar) => bar < bars.length));
  const { inclusive } = graph.bars;
  const rest = [...bars.keys()].filter((bar) => !chosen.has(bar));
  rest.sort((a, b) => inclusive[b] - inclusive[a] || a - b);
  // The heaviest is the root, or the heaviest of several.
  const needed = new Set([...chosen, ...rest.slice(0, 1)]);
  const wanted = [...chosen, ...rest].map((bar): LabelText => ({
    ...{ bar, lines: texts[bar], needed: needed.has(bar), above: histograms[bar] ? ABOVE : 0 },
  }));
  const lines = titles.filter(({ line }) => line);
  const between = lines.map(({ y }): Box => ({ x: 0, y: y - 2 * TITLE_GAP, width, height: TITLE_GAP }));
  return placeLabels(wanted, {
    ...{ bars, width, height, flows: flowIndex, lineHeight: LINE_HEIGHT },
    others: [...titles, ...between, ...histograms.filter((mark) => mark !== undefined)],
    measureName: measure(NAME_SIZE, 600),
    measureRest: measure(SIZE),
  });
}

function labelShapes({ bar, x, y, lines, shortened }: PlacedLabel, graph: Graph, theme: Theme): Shape[] {
  return lines.map((text, at): Shape => {
    const isName = at === 0;
    return {
      ...{ kind: "text", at: { x, y: y + LINE_HEIGHT * at + NAME_SIZE }, text, of: bar, halo: theme.background },
      ...{ size: isName ? NAME_SIZE : SIZE, fill: isName ? theme.text : theme.soft },
      ...(isName ? { weight: 600 } : {}),
      ...(isName && shortened ? { title: barName(graph, bar) } : {}),
    };
  });
}

function titlesOf({ graph, viewport }: Placed, { measure, width }: DrawView): Title[] {
  const { pair, layout } = graph;
  if (!pair || pair.merged || !layout.headings) return [];
  const measureTitle = measure(NAME_SIZE, 600);
  return layout.headings.map((top, half): Title => {
    const text = fit(visible(pair.halves[half].title), width - 2 * TITLE_LEFT, measureTitle);
    const y = toY(top, viewport) + TITLE_GAP;
    return { x: TITLE_LEFT, y, width: measureTitle(text), height: LINE_HEIGHT, text, line: half > 0 };
  });
}

function titleShapes({ x, y, height, text, line }: Title, width: number, theme: Theme): Shape[] {
  const at = { x, y: y + height - (LINE_HEIGHT - NAME_SIZE) };
  const title: Shape = { kind: "text", at, text, size: NAME_SIZE, weight: 600, fill: theme.text };
  return line ? [{ kind: "path", d: `M0,${y - 3}H${width}`, stroke: theme.line }, title] : [title];
}

/** Diagonal lines over the part of a bar that the filter hid. */
function hatchShapes({ x, y, width, height, hiddenHeight }: PlacedBar, bar: number, theme: Theme): Shape[] {
  if (hiddenHeight < 0.5) return [];
  const [top, bottom, right] = [y + height - hiddenHeight, y + height, x + width];
  let d = "";
  for (let sum = Math.ceil((x + top) / HATCH) * HATCH; sum < right + bottom; sum += HATCH) {
    const [x0, x1] = [Math.max(x, sum - bottom), Math.min(right, sum - top)];
    d += `M${rounded(x0)},${rounded(sum - x0)}L${rounded(x1)},${rounded(sum - x1)}`;
  }
  return d === "" ? [] : [{ kind: "path", d, stroke: theme.outline, strokeWidth: 1.5, of: bar }];
}

function labelLines(graph: Graph, bar: number, byDifference: boolean): string[] {
  const { unit, bars } = graph;
  const [inclusive, exclusive] = [bars.inclusive[bar], bars.exclusive[bar]];
  const both = bothOf(graph, bar);
  const name = barName(graph, bar);
  if (both && byDifference) {
    const [first, second] = both;
    const self = signed(first.exclusive - second.exclusive, unit);
    return graph.pair?.merged
      ? [name, comparison(first.inclusive, second.inclusive, unit), `self ${self}`]
      : [name, `${formatValue(inclusive, unit)} · self ${formatValue(exclusive, unit)}`, `difference ${self}`];
  }
  const lines = [name, `${formatValue(inclusive, unit)} · ${formatShare(inclusive / totalOf(graph, bar))}`];
  if (exclusive !== inclusive) lines.push(`self ${formatValue(exclusive, unit)}`);
  return lines;
}

/** Squares of equal size, in rows from the bar's top; as many as fit above its hidden part. */
function entryBoxes(bar: Box, hiddenHeight: number, most: number, area: { width: number }): Box[] {
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
  { layout: { flows } }: LaidOutGraph,
  flow: number,
  viewport: Viewport,
  area: { width: number; height: number },
): Ribbon | undefined {
  const points = Array.from(flows.points.subarray(flows.first[flow], flows.first[flow + 1]));
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 2) {
    const x = (points[at] = toX(points[at], viewport));
    const y = (points[at + 1] = toY(points[at + 1], viewport));
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const thickness = flows.thickness[flow] * viewport.scale;
  const isInSight =
    right >= 0 && left <= area.width && bottom + thickness / 2 >= 0 && top - thickness / 2 <= area.height;
  return isInSight ? { points, thickness } : undefined;
}

function toX(x: number, viewport: Viewport): number {
  return (x + MARGIN.left) * viewport.scale + viewport.x;
}

function toY(y: number, viewport: Viewport): number {
  return (y + MARGIN.top) * viewport.scale + viewport.y;
}
