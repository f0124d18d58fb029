/** Few members as one bar each, largest value first (look, section 7). Pure. */
import { scaleLinear } from "d3-scale";
import { formatValue } from "../../../src/model/units";
import { FIRST_MEMBER, type HistogramContent } from "../../../src/protocol/histogram";
import { crisp, rule, TEXT_SIZE, wordsAt } from "../axis";
import { memberFacts, memberName } from "../memberLine";
import { fitName, visible } from "../../shared/text";
import type { Box, DrawView, Mark, Scene, Shape } from "../stage/scene";
import { heatPosition } from "../theme/theme";
import { memberText, valueName } from "./describe";

const MARGIN = { left: 12, right: 14, top: 30, bottom: 38 } as const;
const MIN_BAR = 14;
const MAX_BAR = 28;
/** Between a bar and its texts, and between texts. */
const GAP = 6;
/** Between texts and the frame around them and their bar. */
const FRAME = 4;
/** Rows in which texts have room. */
const MIN_TEXT_ROW = 13;
/** Part of the width that names of rows take at most. */
const MAX_NAMES = 0.4;

interface Layout {
  readonly bars: readonly Box[];
  /** Bars with their texts: a focus frame there crosses no letters. */
  readonly frames: readonly Box[];
  readonly above: readonly Shape[];
  /** Line at the mean. */
  readonly mean: readonly Shape[];
  readonly brush: Box;
  readonly isRows: boolean;
}

export function draw(content: HistogramContent, view: DrawView): Scene {
  const { theme } = view;
  const { bars, frames, above, mean, brush, isRows } = fitsColumns(content, view)
    ? columns(content, view)
    : rows(content, view);
  // The mean's value may stand at the right.
  const room = view.width - 36 - view.measure(TEXT_SIZE)(meanText(content));
  const title = fitName(visible(`${valueName(content)}, by value`), room, view.measure(TEXT_SIZE, 600));
  return {
    brush,
    below: [],
    marks: bars.map((box, position) =>
      barMark(content, position, { bar: box, framed: frames[position], plot: brush, isRows }, view),
    ),
    above: [wordsAt(theme)(12, 16, title, { weight: 600 }), ...mean, ...above],
    move: (from, key) => moved(content, from, key),
  };
}

/** Largest value, from which bars have their lengths and their heat. */
export function largestOf({ values, binOf }: HistogramContent): number {
  return values.reduce((most, value, at) => (binOf[at] < 0 ? most : Math.max(most, value)), 0);
}

/** Whether names are at most as wide as bars, and values as the bars' distance. */
function fitsColumns(content: HistogramContent, view: DrawView): boolean {
  const pitch = (view.width - MARGIN.left - MARGIN.right) / content.line.keys.length;
  const measure = view.measure(TEXT_SIZE);
  return (
    barWidth(pitch) >= MIN_BAR &&
    content.line.keys.every(
      (key, at) => measure(visible(key)) <= barWidth(pitch) && measure(memberText(content, at)) <= pitch - GAP,
    )
  );
}

function barWidth(pitch: number): number {
  return Math.min(MAX_BAR, pitch - 2);
}

function columns(content: HistogramContent, view: DrawView): Layout {
  const { theme, width, height } = view;
  const { keys, nouns } = content.line;
  const plot = {
    x: MARGIN.left,
    y: MARGIN.top,
    width: width - MARGIN.left - MARGIN.right,
    height: Math.max(40, height - MARGIN.top - MARGIN.bottom),
  };
  const bottom = plot.y + plot.height;
  const y = scaleOf(content, [bottom, plot.y + TEXT_SIZE + GAP]);
  const pitch = plot.width / keys.length;
  const size = barWidth(pitch);
  const words = wordsAt(theme);
  const middle = (position: number) => plot.x + (position + 0.5) * pitch;
  const bars = keys.map((_, position): Box => {
    const [from, to] = [y(0), y(valueAt(content, position))];
    const length = Math.max(1, Math.abs(from - to));
    return { x: middle(position) - size / 2, y: to > from ? from : from - length, width: size, height: length };
  });
  const measure = view.measure(TEXT_SIZE);
  const frames = bars.map(({ y: top }, position): Box => {
    const room = Math.max(size, measure(memberText(content, position))) + 2 * FRAME;
    const upper = top - 4 - TEXT_SIZE - FRAME;
    return { x: middle(position) - room / 2, y: upper, width: room, height: bottom + 15 + FRAME - upper };
  });
  const texts = keys.flatMap((key, position) => [
    words(middle(position), bars[position].y - 4, memberText(content, position), {
      anchor: "middle",
      halo: theme.background,
    }),
    words(middle(position), bottom + 15, visible(key), { anchor: "middle" }),
  ]);
  const mean = crisp(y(content.mean));
  const right = plot.x + plot.width;
  // Values of nearly equal bars stand at the line: its value goes to the top then.
  const left = right - measure(meanText(content)) - GAP;
  const isFree = bars.every((bar, position) => middle(position) + pitch / 2 < left || bar.y - 4 - mean > TEXT_SIZE);
  return {
    bars,
    frames,
    brush: plot,
    isRows: false,
    above: [...texts, words(plot.x, bottom + 31, nouns[keys.length === 1 ? 0 : 1], { weight: 600 })],
    mean: meanShapes(content, view, `M${plot.x},${mean}H${right}`, {
      x: right,
      y: isFree ? mean - 4 : 16,
      anchor: "end",
    }),
  };
}

function rows(content: HistogramContent, view: DrawView): Layout {
  const { theme, width, height } = view;
  const { keys } = content.line;
  const measure = view.measure(TEXT_SIZE);
  const inner = width - MARGIN.left - MARGIN.right;
  const widest = (texts: readonly string[]) => texts.reduce((most, text) => Math.max(most, measure(text)), 0);
  const names = keys.map((_, position) => visible(memberName(content.line, position)));
  const values = keys.map((_, position) => memberText(content, position));
  const nameWidth = Math.min(MAX_NAMES * inner, widest(names)) + GAP;
  const plot = {
    x: MARGIN.left + nameWidth,
    y: MARGIN.top,
    width: Math.max(20, inner - nameWidth - widest(values) - GAP),
    // The mean's value stands below.
    height: Math.max(40, height - MARGIN.top - 24),
  };
  const pitch = Math.min(MAX_BAR + 4, plot.height / keys.length);
  const size = Math.max(1, Math.min(MAX_BAR, pitch - (pitch > 6 ? 2 : 0)));
  const x = scaleOf(content, [plot.x, plot.x + plot.width]);
  const words = wordsAt(theme);
  const top = (position: number) => plot.y + position * pitch + (pitch - size) / 2;
  const bars = keys.map((_, position): Box => {
    const [from, to] = [x(0), x(valueAt(content, position))];
    const length = Math.max(1, Math.abs(to - from));
    return { x: Math.min(from, to), y: top(position), width: length, height: size };
  });
  const frames = bars.map((bar, position): Box => {
    const end = bar.x + bar.width + GAP + measure(values[position]) + FRAME;
    const left = MARGIN.left - FRAME;
    return { x: left, y: plot.y + position * pitch, width: end - left, height: pitch };
  });
  // Rows may be too low for text. Then only every n-th row has a name.
  const step = Math.ceil(MIN_TEXT_ROW / pitch);
  const texts = keys.flatMap((_, position) => {
    if (position % step !== 0) return [];
    const base = plot.y + (position + 0.5) * pitch + 4;
    const bar = bars[position];
    return [
      words(MARGIN.left, base, fitName(names[position], nameWidth - GAP, measure)),
      words(bar.x + bar.width + GAP, base, values[position], { halo: theme.background }),
    ];
  });
  const bottom = plot.y + pitch * keys.length;
  const mean = crisp(x(content.mean));
  const isLeft = mean + measure(meanText(content)) > width - MARGIN.right;
  return {
    bars,
    frames,
    above: texts,
    isRows: true,
    brush: { x: MARGIN.left, y: plot.y, width: inner, height: bottom - plot.y },
    mean: meanShapes(content, view, `M${mean},${plot.y}V${bottom + 4}`, {
      x: mean,
      y: bottom + 16,
      anchor: isLeft ? "end" : "start",
    }),
  };
}

function meanShapes(
  content: HistogramContent,
  { theme }: DrawView,
  line: string,
  at: { readonly x: number; readonly y: number; readonly anchor: "start" | "end" },
): Shape[] {
  if (content.edges.length === 0) return [];
  const dashed = { ...rule(line, theme.text), dash: [4, 3] };
  return [dashed, wordsAt(theme)(at.x, at.y, meanText(content), { anchor: at.anchor, halo: theme.background })];
}

function meanText({ mean, unit }: HistogramContent): string {
  return `mean ${formatValue(mean, unit)}`;
}

/** Values from 0 on; below 0 where some are. */
function scaleOf({ values }: HistogramContent, [from, to]: readonly [number, number]) {
  const least = values.reduce((most, value) => Math.min(most, value), 0);
  const most = values.reduce((largest, value) => Math.max(largest, value), 0);
  return scaleLinear([least, most > least ? most : least + 1], [from, to]);
}

function valueAt({ values, binOf }: HistogramContent, position: number): number {
  return binOf[position] < 0 ? 0 : values[position];
}

/** A bar is pointed at along its whole column or row. */
function barMark(
  content: HistogramContent,
  position: number,
  { bar, framed, plot, isRows }: { bar: Box; framed: Box; plot: Box; isRows: boolean },
  { theme }: DrawView,
): Mark {
  const { x, y, width, height } = bar;
  const whole = isRows ? { ...plot, y, height } : { ...plot, x, width };
  const fill = theme.heat(heatPosition(Math.max(0, valueAt(content, position)), largestOf(content)));
  return {
    id: FIRST_MEMBER + position,
    key: `member ${content.line.keys[position]}`,
    box: whole,
    framed,
    d: `M${x},${y}h${width}v${height}h${-width}Z`,
    paint: { fill, stroke: theme.outline, strokeWidth: 1 },
    name: memberName(content.line, position),
    facts: () => [
      [valueName(content).slice(0, 80), memberText(content, position)],
      ["place", `${position + 1} of ${content.line.keys.length}, largest first`],
      ...memberFacts(content.line, position),
    ],
  };
}

function moved({ line }: HistogramContent, from: number, key: string): number {
  const step = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  return Math.max(FIRST_MEMBER, Math.min(FIRST_MEMBER + line.keys.length - 1, from + step));
}
