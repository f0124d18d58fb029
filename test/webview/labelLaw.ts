/** The law of labels (look, section 7), checked on a drawing as data. Knows nothing of how labels are placed. */
import type { Graph } from "../../webviews/superGraph/graph";
import type { Scene } from "../../webviews/kit/stage/scene";
import type { GraphScene } from "../../webviews/superGraph/scene";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A drawing of bars with labels around them. */
interface BarScene extends Pick<Scene, "above"> {
  readonly placed: { readonly bars: readonly Box[] };
}

export type MeasureAt = (size: number, weight?: number) => (text: string) => number;

/** About as wide as the fonts of the mock-ups, and as one of the widest that systems have. */
export const fonts: Readonly<Record<"usual" | "wide", MeasureAt>> = {
  usual: (size, weight = 400) => widths(size, weight > 400 ? 0.56 : 0.52),
  wide: (size, weight = 400) => widths(size, weight > 400 ? 0.69 : 0.6),
};

function widths(size: number, share: number) {
  return (text: string) => Array.from(text).length * size * share;
}

/** Bars from this height on always have a name. */
const HIGH = 28;
/** A label and its bar, and how far others are more. */
const BESIDE = 6;
const STACKED = 2;
const MARGIN = 2.5;
const EDGE = 4;
const BETWEEN = 8;
/** Left of its bar a label has no other bar so near. */
const CLEAR = 24;
const LINE = 15;
const LETTERS = 12;

/** A name or a number as a box. */
export interface Written extends Box {
  readonly of: number;
  readonly text: string;
  readonly size: number;
}

/** Texts about bars. */
export function writtenIn({ above }: BarScene, measure: MeasureAt): Written[] {
  return above.flatMap((shape) => {
    if (shape.kind !== "text" || shape.of === undefined) return [];
    const { at, text, size, weight, of } = shape;
    return [{ x: at.x, y: at.y - 0.8 * size, width: measure(size, weight)(text), height: size, of, text, size }];
  });
}

/** Whether a leader leads to a bar. */
export function hasLeader({ above }: BarScene, bar: number): boolean {
  return above.some(({ kind, of, strokeWidth }) => kind === "path" && of === bar && strokeWidth === 0.75);
}

/** Whether two boxes share more than a rounding. */
export function overlap(a: Box, b: Box): boolean {
  const slack = 1e-6;
  return (
    Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > slack &&
    Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > slack
  );
}

/** How far two boxes are from each other. */
export function apart(a: Box, b: Box): number {
  const dx = Math.max(0, b.x - (a.x + a.width), a.x - (b.x + b.width));
  const dy = Math.max(0, b.y - (a.y + a.height), a.y - (b.y + b.height));
  return Math.hypot(dx, dy);
}

/**
 * Faults against the law.
 *
 * @param order of names: the first `hottest` of them are the hottest bars
 * @param nameOf a bar's whole name
 */
export function faultsOf(
  scene: BarScene,
  view: { readonly width: number; readonly height: number; readonly measure: MeasureAt },
  order: readonly number[],
  hottest: number,
  nameOf: (bar: number) => string,
): string[] {
  const { bars } = scene.placed;
  const texts = writtenIn(scene, view.measure);
  const faults: string[] = [];
  texts.forEach((one, at) => {
    for (const other of texts.slice(at + 1)) if (overlap(one, other)) faults.push(`${one.text} on ${other.text}`);
    for (const bar of bars) if (overlap(one, bar)) faults.push(`${one.text} on a bar`);
    if (one.x < 0 || one.x + one.width > view.width) faults.push(`${one.text} beyond the edge`);
  });
  if (scene.above.some((shape) => "turned" in shape)) faults.push("a turned text");
  const names = texts.filter(({ size }) => size === 12);
  const nameAt = new Map(names.map((name) => [name.of, name]));
  for (const { text, of } of names) {
    const letters = Array.from(text.replace("…", "")).length;
    if (text.includes("…") && !nameOf(of).includes("…") && letters < LETTERS)
      faults.push(`${text}: ${letters} letters`);
  }
  for (const bar of order.slice(0, hottest)) if (!nameAt.has(bar)) faults.push(`hot ${nameOf(bar)} without a name`);
  bars.forEach((box, bar) => {
    if (box.height >= HIGH && !nameAt.has(bar)) faults.push(`${nameOf(bar)}: ${box.height} px without a name`);
  });
  // Labels of bars that go before.
  const labels = order.flatMap((bar) => {
    const name = nameAt.get(bar);
    return name ? [{ bar, box: labelOf(name, texts) }] : [];
  });
  const placeOf = new Map(order.map((bar, at) => [bar, at]));
  for (const [at, bar] of order.entries()) {
    if (nameAt.has(bar)) continue;
    const own = bars[bar];
    const isInColumn = (other: number) => bars[other].x === own.x && nameAt.has(other);
    if (!order.some((other) => isInColumn(other) && bars[other].height < own.height - 0.01)) continue;
    const before = labels.filter((label) => (placeOf.get(label.bar) ?? 0) < at).map(({ box }) => box);
    const free = freePlace(bars, bar, before, view, nameOf(bar));
    if (free) faults.push(`${nameOf(bar)}: taller than a named one, though ${JSON.stringify(free)} is free`);
  }
  return faults;
}

/** A name with what stands below or behind it. */
function labelOf(name: Written, texts: readonly Written[]): Box {
  const value = texts.find(
    ({ of, size, x, y }) => of === name.of && size === 11 && y - name.y < 16 && y >= name.y && x >= name.x - 0.01,
  );
  const y = name.y - 1.4;
  if (!value) return { x: name.x, y, width: name.width, height: LINE };
  const right = Math.max(name.x + name.width, value.x + value.width);
  return { x: name.x, y, width: right - name.x, height: value.y - name.y > 2 ? 2 * LINE - 1 : LINE };
}

/** A place at its bar for a name in one line, whole or cut to 12 letters, that neither a bar nor a label before it takes. */
function freePlace(
  bars: readonly Box[],
  bar: number,
  labels: readonly Box[],
  {
    width: wide,
    height: high,
    measure,
  }: { readonly width: number; readonly height: number; readonly measure: MeasureAt },
  name: string,
): Box | undefined {
  const own = bars[bar];
  const letters = Math.min(Array.from(name).length, LETTERS + 1);
  const width = Math.ceil(measure(12, 600)("x".repeat(letters)));
  const bottom = own.y + own.height;
  const middle = own.y + (own.height - LINE) / 2;
  const levels = own.height < LINE ? [middle] : [own.y, middle, bottom - LINE];
  const places = [
    ...levels.map((y) => ({ x: own.x + own.width + BESIDE, y })),
    { x: own.x, y: own.y - STACKED - LINE },
    { x: own.x, y: bottom + STACKED },
    ...levels.map((y) => ({ x: own.x - BESIDE - width, y })),
  ].map((at): Box => ({ ...at, width, height: LINE }));
  return places.find((box) => {
    const far = apart(box, own) + MARGIN;
    const others = bars.filter((_, at) => at !== bar);
    const isLeft = box.x < own.x;
    return (
      box.x >= EDGE &&
      box.x + width <= wide - EDGE &&
      box.y >= 0 &&
      box.y + LINE <= high &&
      others.every((other) => !overlap(around(box, far), other)) &&
      (!isLeft || others.every((other) => other.x + other.width > own.x || apart(box, other) > 1.5 * CLEAR)) &&
      labels.every((label) => !overlap(grown(label), box))
    );
  });
}

function around({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

function grown({ x, y, width, height }: Box): Box {
  return { x: x - BETWEEN - 1, y: y - 2, width: width + 2 * BETWEEN + 2, height: height + 4 };
}

/** The bars in the order in which they are named: the first picture's first five, else those with most exclusive; then the tallest. */
export function orderOf(graph: Graph, { placed: { bars } }: GraphScene, named: readonly number[] | undefined) {
  const { exclusive, inclusive } = graph.bars;
  const all = [...exclusive.keys()];
  const byExclusive = all.filter((bar) => exclusive[bar] > 0).sort((a, b) => exclusive[b] - exclusive[a] || a - b);
  const hottest = (named ?? byExclusive).slice(0, 5);
  const tallest = all.sort((a, b) => bars[b].height - bars[a].height || inclusive[b] - inclusive[a] || a - b);
  return { hottest: hottest.length, order: [...new Set([...hottest, ...tallest])] };
}
