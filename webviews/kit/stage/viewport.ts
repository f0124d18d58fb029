/** A drawing that is zoomed and moved as a whole: geometry is scaled, text is not. Pure. */
import * as v from "valibot";
import type { Box, DrawView, Point } from "./scene";
import type { Gesture } from "./sight";

/** From the layout's pixels to those of the drawing. */
export interface Viewport {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

const amount = v.pipe(v.number(), v.finite());
const length = v.pipe(amount, v.minValue(1));
/** As people left it, in a drawing of this size: the panel may have another one by now. Undefined: everything is in sight. */
export const seenViewport = v.object({
  scale: v.pipe(v.number(), v.minValue(0.01), v.maxValue(1000)),
  x: amount,
  y: amount,
  width: length,
  height: length,
});
export type SeenViewport = v.InferOutput<typeof seenViewport>;

const SMALLEST = 0.1;
const LARGEST = 200;
/** Pixels around what is moved into sight, and how much of a high mark is. */
const AROUND = 8;
const MOST_HIGH = 40;

export type Size = Pick<DrawView, "width" | "height">;

/** @param fitted has everything in sight */
export function viewportIn({ width, height }: Size, now: SeenViewport | undefined, fitted: Viewport): Viewport {
  if (!now) return fitted;
  // What people had moved to stays in sight when the panel gets another size.
  return { scale: now.scale, x: (now.x * width) / now.width, y: (now.y * height) / now.height };
}

/**
 * What a gesture makes of it.
 *
 * @param boxOf where a mark is, in the pixels of this viewport
 * @param filled the viewport in which a mark fills the drawing
 */
export function moveViewport(
  now: SeenViewport | undefined,
  viewport: Viewport,
  gesture: Gesture,
  { width, height }: Size,
  boxOf: (mark: number) => Box | undefined,
  filled: (box: Box) => Viewport | undefined,
): SeenViewport | undefined {
  const as = ({ scale, x, y }: Viewport): SeenViewport => ({ scale, x, y, width, height });
  switch (gesture.kind) {
    case "fit":
      return undefined;
    case "pan":
      return as({ ...viewport, x: viewport.x - gesture.dx, y: viewport.y - gesture.dy });
    case "zoom":
      return as(zoomedAt(viewport, gesture.factor, gesture.at ?? { x: width / 2, y: height / 2 }));
    case "fill": {
      const box = boxOf(gesture.place.mark);
      const next = box && filled(box);
      return next ? as(next) : now;
    }
    case "reveal": {
      const box = boxOf(gesture.place.mark);
      if (!box) return now;
      const dx = shiftInto(box.x, box.x + box.width, width);
      const dy = shiftInto(box.y, box.y + Math.min(box.height, MOST_HIGH), height);
      return dx === 0 && dy === 0 ? now : as({ ...viewport, x: viewport.x + dx, y: viewport.y + dy });
    }
    default:
      return now;
  }
}

/** Where a mark lies is known of the mark itself: all of the drawing is here. */
export function placeOf(mark: number) {
  return { mark, x: 0, width: 0, row: 0 };
}

/** About a point of the drawing, which stays where it is. */
export function zoomedAt({ scale, x, y }: Viewport, factor: number, at: Point): Viewport {
  const next = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
  const grown = next / scale;
  return { scale: next, x: at.x - (at.x - x) * grown, y: at.y - (at.y - y) * grown };
}

function shiftInto(from: number, to: number, size: number): number {
  if (from < AROUND) return AROUND - from;
  if (to > size - AROUND) return Math.max(size - AROUND - to, AROUND - from);
  return 0;
}
