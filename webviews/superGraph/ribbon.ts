/** A flow as a ribbon: its outline, and how far it is from a place. All in pixels. */
import { rounded } from "../kit/stage/scene";

/** x and y of each point in turn, in the drawing's coordinates after zoom. */
export type Points = readonly number[];

/** Pixels that nobody sees a line rise by. */
const LEVEL = 0.01;
/** A flow that is not thicker is a line: between its edges less than half a pixel would show. */
export const MOST_OF_A_LINE = 1.25;
/** A screen's width to a hundredth of a pixel. */
const HALVINGS = 18;

/** A flow as it is drawn. */
export interface Ribbon {
  readonly points: Points;
  /** Never thinner than a pixel on screen, whatever it carries. */
  readonly thickness: number;
  /** At its end, where that is another one: it gets there evenly. */
  readonly until?: number;
}

/** What outlines are drawn with: a canvas, or text of an SVG path. */
type Pen = Pick<CanvasPath, "moveTo" | "lineTo" | "bezierCurveTo" | "closePath">;

/** The outline as SVG path data: smooth between points, level at each of them. */
export function ribbonPath(ribbon: Ribbon): string {
  const pen = new PathText();
  drawRibbon(ribbon, pen);
  return pen.text;
}

/** The outline, once round. */
export function drawRibbon(ribbon: Ribbon, pen: Pen): void {
  const { points } = ribbon;
  const half = halvesOf(ribbon);
  const last = points.length - 2;
  drawAlong(points, (at) => -half(at), pen);
  pen.lineTo(points[last], points[last + 1] + half(last));
  for (let at = last; at >= 2; at -= 2)
    curve(points[at], points[at + 1] + half(at), points[at - 2], points[at - 1] + half(at - 2), pen);
  pen.closePath();
}

/** Lines along its middle, this far from each other. */
export function drawLines({ points }: Ribbon, lines: number, apart: number, pen: Pen): void {
  for (let line = 0; line < lines; line++) drawAlong(points, () => (line - (lines - 1) / 2) * apart, pen);
}

/** Pixels between a place and the ribbon, straight up or down; 0 on it, undefined to the left and to the right of it. */
export function gapTo(ribbon: Ribbon, x: number, y: number): number | undefined {
  const { points } = ribbon;
  const half = halvesOf(ribbon);
  for (let at = 2; at < points.length; at += 2) {
    const [x0, y0, x1, y1] = [points[at - 2], points[at - 1], points[at], points[at + 1]];
    if (x < x0 || x > x1) continue;
    const t = whereAlong(x1 > x0 ? (x - x0) / (x1 - x0) : 0);
    const risen = rise(t);
    const thick = half(at - 2) + (half(at) - half(at - 2)) * risen;
    return Math.max(0, Math.abs(y0 + (y1 - y0) * risen - y) - thick);
  }
  return undefined;
}

/** How far its edges are from each of its points, by the index of the point's x. */
function halvesOf({ points, thickness, until = thickness }: Ribbon): (at: number) => number {
  if (until === thickness) return () => halfOf(thickness);
  const [from, to] = [points[0], points[points.length - 2]];
  return (at) => halfOf(thickness + ((until - thickness) * (points[at] - from)) / Math.max(1, to - from));
}

/** From the first point to the last, so far below each of them. */
function drawAlong(points: Points, below: (at: number) => number, pen: Pen): void {
  pen.moveTo(points[0], points[1] + below(0));
  for (let at = 2; at < points.length; at += 2)
    curve(points[at - 2], points[at - 1] + below(at - 2), points[at], points[at + 1] + below(at), pen);
}

function curve(x0: number, y0: number, x1: number, y1: number, pen: Pen): void {
  // Nearly half of the way is level: flows past many levels, each beside others.
  if (Math.abs(y1 - y0) < LEVEL) return pen.lineTo(x1, y1);
  const middle = (x0 + x1) / 2;
  pen.bezierCurveTo(middle, y0, middle, y1, x1, y1);
}

/** The curve of `ribbonPath`, whose handles are at half way: what share of its width and of its height lies behind it at t. */
function run(t: number): number {
  return 1.5 * t * (1 - t) + t ** 3;
}

function rise(t: number): number {
  return 3 * t ** 2 * (1 - t) + t ** 3;
}

/** The t of {@link run} by halving: it only grows. */
function whereAlong(share: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (run(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** From the middle of a flow to its edges. */
export function halfOf(thickness: number): number {
  return Math.max(thickness, 1) / 2;
}

class PathText implements Pen {
  text = "";

  moveTo(x: number, y: number): void {
    this.text += `M${place(x, y)}`;
  }

  lineTo(x: number, y: number): void {
    this.text += `L${place(x, y)}`;
  }

  bezierCurveTo(x0: number, y0: number, x1: number, y1: number, x: number, y: number): void {
    this.text += `C${place(x0, y0)} ${place(x1, y1)} ${place(x, y)}`;
  }

  closePath(): void {
    this.text += "Z";
  }
}

function place(x: number, y: number): string {
  return `${rounded(x)},${rounded(y)}`;
}
