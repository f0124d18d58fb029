/** The scatter in pixels: axes, points or cells, the line, and what lies where. Pure. */
import type { ScatterMessage } from "../../src/protocol/correlation";
import { axisTicks } from "../shared/axis";
import type { Measure } from "../shared/text";
import { markName } from "./describe";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedTick {
  /** Pixels along the axis. */
  readonly at: number;
  readonly text: string;
}

export interface PlacedLabel {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly plot: Box;
  readonly ticksX: readonly PlacedTick[];
  readonly ticksY: readonly PlacedTick[];
  /** Middle of each mark. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly radius: number;
  /** Ends of the best-fit line inside the plot. */
  readonly line?: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number };
  /** Of a density: each cell, and its share of the fullest one's logarithm. */
  readonly cells?: readonly (Box & { readonly share: number })[];
  /** Names of points, where there is room for all. */
  readonly labels: readonly PlacedLabel[];
}

/** More marks than these are drawn on a canvas. */
export const ELEMENT_LIMIT = 2000;
/** More points than these have no room for their names. */
const LABEL_LIMIT = 64;
export const FONT_SIZE = 12;
const TOP = 26;
const BOTTOM = 42;
const RIGHT = 18;
/** Between the outermost points and the frame, as part of the values' range. */
const PADDING = 0.06;

export function buildScene(
  scatter: ScatterMessage,
  { width, height }: { width: number; height: number },
  measure: Measure,
): Scene {
  const { xs, ys, density } = scatter;
  const [domainX, domainY] = [domain(xs, density?.x), domain(ys, density?.y)];
  const inner = Math.max(40, height - TOP - BOTTOM);
  const valuesY = axisTicks(...domainY, Math.max(2, Math.floor(inner / 44)), scatter.y.unit);
  const widest = valuesY.reduce((most, { text }) => Math.max(most, measure(text)), 0);
  const left = Math.min(Math.ceil(widest) + 14, Math.max(40, width / 2));
  const plot = { x: left, y: TOP, width: Math.max(40, width - left - RIGHT), height: inner };
  const valuesX = axisTicks(...domainX, Math.max(2, Math.floor(plot.width / 96)), scatter.x.unit);
  const toX = (value: number) => plot.x + share(value, domainX) * plot.width;
  const toY = (value: number) => plot.y + (1 - share(value, domainY)) * plot.height;
  const x = Float64Array.from(xs, toX);
  const y = Float64Array.from(ys, toY);
  const radius = xs.length > 2000 ? 2.5 : xs.length > 200 ? 3.5 : 5;
  const scene = { width, height, plot, x, y, radius };
  const fitted = line(scatter, domainX, domainY, toX, toY);
  return {
    ...scene,
    ticksX: valuesX.map(({ value, text }) => ({ at: toX(value), text })),
    ticksY: valuesY.map(({ value, text }) => ({ at: toY(value), text })),
    ...fitted,
    ...(density ? { cells: cellBoxes(density, toX, toY) } : {}),
    labels: density || xs.length > LABEL_LIMIT ? [] : placeLabels(scatter, scene, fitted.line, measure),
  };
}

/** The mark at a point of the drawing: the nearest within reach, or the cell there. */
export function markAt({ x, y, cells, radius }: Scene, at: { x: number; y: number }): number | undefined {
  if (cells) {
    const cell = cells.findIndex(
      (box) => at.x >= box.x && at.x < box.x + box.width && at.y >= box.y && at.y < box.y + box.height,
    );
    return cell < 0 ? undefined : cell;
  }
  const reach = radius + 6;
  return nearest(x, y, at, () => true, reach * reach);
}

/** The nearest of some marks, no farther than a distance squared. */
export function nearest(
  x: Float64Array,
  y: Float64Array,
  at: { x: number; y: number },
  counts: (mark: number) => boolean,
  farthest = Infinity,
): number | undefined {
  let found: number | undefined;
  let least = farthest;
  for (let mark = 0; mark < x.length; mark++) {
    const distance = (x[mark] - at.x) ** 2 + (y[mark] - at.y) ** 2;
    if (distance > least || (distance === least && found !== undefined) || !counts(mark)) continue;
    least = distance;
    found = mark;
  }
  return found;
}

/** Marks whose middle lies in a box. */
export function marksIn({ x, y }: Scene, box: Box): number[] {
  const marks: number[] = [];
  for (let mark = 0; mark < x.length; mark++) {
    const isIn = x[mark] >= box.x && x[mark] <= box.x + box.width && y[mark] >= box.y && y[mark] <= box.y + box.height;
    if (isIn) marks.push(mark);
  }
  return marks;
}

/** Whether a point of the drawing lies on the line, or near it. */
export function isOnLine({ line }: Scene, at: { x: number; y: number }): boolean {
  if (!line) return false;
  const [dx, dy] = [line.x2 - line.x1, line.y2 - line.y1];
  const length = Math.hypot(dx, dy);
  if (length === 0) return false;
  const along = ((at.x - line.x1) * dx + (at.y - line.y1) * dy) / length;
  const aside = Math.abs((at.x - line.x1) * dy - (at.y - line.y1) * dx) / length;
  return aside <= 6 && along >= -6 && along <= length + 6;
}

/** Marks from left to right, then from below upwards. */
export function orderByX({ xs, ys }: Pick<ScatterMessage, "xs" | "ys">): number[] {
  return [...xs.keys()].sort((a, b) => xs[a] - xs[b] || ys[a] - ys[b] || a - b);
}

type Domain = [least: number, most: number];

function domain(values: readonly number[], extent?: readonly [number, number]): Domain {
  let [least, most] = extent ?? [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (least > most) return [0, 1];
  // Halved, since the distance of two values may be more than a number can hold.
  const padding = PADDING * 2 * (most / 2 - least / 2) || Math.abs(most) / 10 || 1;
  return [Math.max(-Number.MAX_VALUE, least - padding), Math.min(Number.MAX_VALUE, most + padding)];
}

function share(value: number, [least, most]: Domain): number {
  return (value / 2 - least / 2) / (most / 2 - least / 2);
}

function line(
  { fit }: ScatterMessage,
  domainX: Domain,
  domainY: Domain,
  toX: (value: number) => number,
  toY: (value: number) => number,
): Pick<Scene, "line"> {
  if (fit.kind !== "line") return {};
  const { slope, intercept } = fit;
  const at = (x: number) => slope * x + intercept;
  // Where the line leaves the plot above or below, it ends there.
  const ends = domainX.map((x) => {
    const y = at(x);
    const within = Math.max(domainY[0], Math.min(domainY[1], y));
    return within === y || slope === 0 ? x : (within - intercept) / slope;
  });
  const [x1, y1, x2, y2] = [toX(ends[0]), toY(at(ends[0])), toX(ends[1]), toY(at(ends[1]))];
  return [x1, y1, x2, y2].every(Number.isFinite) ? { line: { x1, y1, x2, y2 } } : {};
}

function cellBoxes(
  { columns, rows, x, y, cells, counts }: NonNullable<ScatterMessage["density"]>,
  toX: (value: number) => number,
  toY: (value: number) => number,
): NonNullable<Scene["cells"]> {
  const fullest = counts.reduce((most, count) => Math.max(most, count), 1);
  const mix = ([least, most]: readonly [number, number], part: number) => least * (1 - part) + most * part;
  return cells.map((cell, at) => {
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    const left = toX(mix(x, column / columns));
    const bottom = toY(mix(y, row / rows));
    return {
      x: left,
      y: toY(mix(y, (row + 1) / rows)),
      width: Math.max(1, toX(mix(x, (column + 1) / columns)) - left),
      height: Math.max(1, bottom - toY(mix(y, (row + 1) / rows))),
      share: fullest === 1 ? 1 : 0.15 + (0.85 * Math.log(counts[at])) / Math.log(fullest),
    };
  });
}

/** Whether a line runs through a box: its corners are not all on one side. */
function isCrossed(box: Box, { x1, y1, x2, y2 }: NonNullable<Scene["line"]>): boolean {
  const side = (x: number, y: number) => Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  const sides = [side(box.x, box.y), side(right, box.y), side(box.x, bottom), side(right, bottom)];
  return sides.some((other) => other !== sides[0]);
}

/** Beside its point each, where it covers no other point, no other name and not the line. */
function placeLabels(
  scatter: ScatterMessage,
  { x, y, radius, plot }: Pick<Scene, "x" | "y" | "radius" | "plot">,
  fitted: Scene["line"],
  measure: Measure,
): PlacedLabel[] {
  const taken: Box[] = Array.from(x, (middle, mark) => ({
    x: middle - radius,
    y: y[mark] - radius,
    width: 2 * radius,
    height: 2 * radius,
  }));
  const isFree = (box: Box) =>
    box.x >= plot.x &&
    box.y >= plot.y &&
    box.x + box.width <= plot.x + plot.width &&
    box.y + box.height <= plot.y + plot.height &&
    !(fitted && isCrossed(box, fitted)) &&
    taken.every(
      (other) =>
        box.x >= other.x + other.width ||
        other.x >= box.x + box.width ||
        box.y >= other.y + other.height ||
        other.y >= box.y + box.height,
    );
  const labels: PlacedLabel[] = [];
  for (const mark of orderByX(scatter)) {
    const text = markName(scatter, mark).slice(0, 40);
    // Diamonds reach farther than circles.
    const [width, height, gap] = [measure(text), FONT_SIZE + 2, radius + 6];
    const [left, top] = [x[mark], y[mark] - height / 2];
    const boxes = [
      { x: left + gap, y: top, width, height },
      { x: left - gap - width, y: top, width, height },
      { x: left - width / 2, y: y[mark] - gap - height, width, height },
      { x: left - width / 2, y: y[mark] + gap, width, height },
    ];
    const box = boxes.find(isFree);
    if (!box) continue;
    taken.push(box);
    labels.push({ x: box.x, y: box.y + FONT_SIZE - 1, text });
  }
  return labels;
}
