/** Outlines of the topology's marks: squares, diamonds, circles, whole or the part between two heights. Pure. */
import { type Box, circle, type Mark, type Point, rounded } from "../kit/stage/scene";

const SQUARE = 0;
const DIAMOND = 1;
export const CIRCLE = 2;

/** What is drawn of a mark; undefined: its box. */
export function pathOf(shape: number, box: Box): string | undefined {
  if (shape === SQUARE) return undefined;
  return shape === DIAMOND ? diamondAround(box, 0) : circle(box);
}

/** Where a mark is hit and framed; undefined: in and around its box, or the circle in that. */
export function outlineOf(shape: number, box: Box): Mark["outline"] {
  if (shape !== DIAMOND) return undefined;
  const { x, y, width, height } = box;
  const has = (at: Point) =>
    Math.abs(at.x - x - width / 2) / (width / 2) + Math.abs(at.y - y - height / 2) / (height / 2) <= 1.15;
  return { has, around: (off) => diamondAround(box, off) };
}

function diamondAround({ x, y, width, height }: Box, off: number): string {
  const [right, down] = [width / 2 + off * Math.SQRT2, height / 2 + off * Math.SQRT2];
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  return `M${rounded(middleX)},${rounded(middleY - down)}L${rounded(middleX + right)},${rounded(middleY)}L${rounded(middleX)},${rounded(middleY + down)}L${rounded(middleX - right)},${rounded(middleY)}Z`;
}

/** The part of a shape between two heights, as shares from its top. */
export function partPath(shape: number, box: Box, from: number, to: number): string {
  const points = partCorners(shape, box, from, to);
  return `M${points.map(({ x, y }) => `${rounded(x)},${rounded(y)}`).join("L")}Z`;
}

function partCorners(shape: number, { x, y, width, height }: Box, from: number, to: number): Point[] {
  const steps = shape === SQUARE ? 1 : shape === DIAMOND ? 8 : 12;
  const half = (share: number) => {
    if (shape === SQUARE) return width / 2;
    if (shape === DIAMOND) return (width / 2) * (1 - Math.abs(2 * share - 1));
    return width * Math.sqrt(Math.max(0, share * (1 - share)));
  };
  const heights = Array.from({ length: steps + 1 }, (_, at) => from + ((to - from) * at) / steps);
  // The widest part of a diamond is a corner.
  if (shape === DIAMOND && from < 0.5 && to > 0.5) heights.push(0.5);
  heights.sort((a, b) => a - b);
  return [
    ...heights.map((share) => ({ x: x + width / 2 + half(share), y: y + share * height })),
    ...heights.reverse().map((share) => ({ x: x + width / 2 - half(share), y: y + share * height })),
  ];
}

/** Adds a shape to the path of a canvas: without a text that the browser would have to read. */
export function trace(context: CanvasPath, shape: number, { x, y, width, height }: Box): void {
  if (shape === SQUARE) return context.rect(x, y, width, height);
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  if (shape === DIAMOND) {
    context.moveTo(middleX, y);
    context.lineTo(x + width, middleY);
    context.lineTo(middleX, y + height);
    context.lineTo(x, middleY);
  } else {
    context.moveTo(x + width, middleY);
    context.arc(middleX, middleY, width / 2, 0, 2 * Math.PI);
  }
  context.closePath();
}

/** The same of a part between a height and the foot. */
export function traceFrom(context: CanvasPath, shape: number, box: Box, from: number): void {
  if (from <= 0) return trace(context, shape, box);
  const { x, y, width, height } = box;
  if (shape === SQUARE) return context.rect(x, y + from * height, width, (1 - from) * height);
  partCorners(shape, box, from, 1).forEach((corner, at) =>
    at === 0 ? context.moveTo(corner.x, corner.y) : context.lineTo(corner.x, corner.y),
  );
  context.closePath();
}
