/** The part of a super graph that is in sight: everything, or as people zoomed and moved it. Geometry is scaled, text is not. Pure. */
import * as v from "valibot";
import { MARGIN } from "../../src/protocol/graphMargin";
import type { DrawView } from "../kit/stage/scene";
import type { Gesture } from "../kit/stage/sight";
import { type Graph, isLaidOut, type LaidOutGraph, markOf } from "./graph";

/** From the layout's pixels to those of the drawing. */
export interface Viewport {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

const amount = v.pipe(v.number(), v.finite());
const length = v.pipe(amount, v.minValue(1));
/** As people left it, in a drawing of this size: the panel may have another one by now. Undefined: everything is in sight. */
export const seen = v.object({
  scale: v.pipe(v.number(), v.minValue(0.01), v.maxValue(1000)),
  ...{ x: amount, y: amount, width: length, height: length },
});
export type Seen = v.InferOutput<typeof seen>;

const SMALLEST = 0.1;
const LARGEST = 200;
/** Pixels around what is moved into sight, and how much of a high bar is. */
const AROUND = 8;
const MOST_HIGH = 40;
/** Of the drawing's height: that of a bar that fills it. */
const FILLED = 0.6;

type Size = Pick<DrawView, "width" | "height">;

export function viewportOf(graph: LaidOutGraph, { width, height }: Size, now: Seen | undefined): Viewport {
  if (!now) return fitted(graph, { width, height });
  // What people had moved to stays in sight when the panel gets another size.
  return { scale: now.scale, x: (now.x * width) / now.width, y: (now.y * height) / now.height };
}

/** Has everything in sight: the layout may need more room than there is. */
export function fitted({ layout: { width, height } }: LaidOutGraph, area: Size): Viewport {
  const inner = {
    width: Math.max(100, area.width - MARGIN.left - MARGIN.right),
    height: Math.max(80, area.height - MARGIN.top - MARGIN.bottom),
  };
  return { scale: Math.min(1, inner.width / width, inner.height / height), x: 0, y: 0 };
}

/** What a gesture makes of it. */
export function moved(graph: Graph, now: Seen | undefined, gesture: Gesture, view: Size): Seen | undefined {
  if (!isLaidOut(graph)) return now;
  const viewport = viewportOf(graph, view, now);
  const { width, height } = view;
  const as = ({ scale, x, y }: Viewport): Seen => ({ scale, x, y, width, height });
  switch (gesture.kind) {
    case "fit":
      return undefined;
    case "pan":
      return as({ ...viewport, x: viewport.x - gesture.dx, y: viewport.y - gesture.dy });
    case "zoom":
      return as(zoomed(viewport, gesture.factor, gesture.at ?? { x: width / 2, y: height / 2 }));
    case "fill": {
      const box = boxOf(graph, gesture.place.mark, viewport);
      if (!box || box.height === 0) return now;
      const next = zoomed(viewport, (FILLED * height) / box.height, { x: box.x, y: box.y });
      return as({ ...next, x: next.x + width / 3 - box.x, y: next.y + ((1 - FILLED) / 2) * height - box.y });
    }
    case "reveal": {
      const box = boxOf(graph, gesture.place.mark, viewport);
      if (!box) return now;
      const dx = shiftInto(box.x, box.x + box.width, width);
      const dy = shiftInto(box.y, box.y + Math.min(box.height, MOST_HIGH), height);
      return dx === 0 && dy === 0 ? now : as({ ...viewport, x: viewport.x + dx, y: viewport.y + dy });
    }
    default:
      return now;
  }
}

/** About a point of the drawing, which stays where it is. */
function zoomed({ scale, x, y }: Viewport, factor: number, at: { readonly x: number; readonly y: number }): Viewport {
  const next = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
  const grown = next / scale;
  return { scale: next, x: at.x - (at.x - x) * grown, y: at.y - (at.y - y) * grown };
}

/** Where the bar of a mark is. */
function boxOf(graph: LaidOutGraph, mark: number, { scale, x, y }: Viewport) {
  const { bar } = markOf(graph, mark);
  if (bar === undefined) return undefined;
  const [left, top, width, height] = graph.layout.boxes.subarray(4 * bar, 4 * bar + 4);
  return {
    x: (left + MARGIN.left) * scale + x,
    y: (top + MARGIN.top) * scale + y,
    width: width * scale,
    height: height * scale,
  };
}

function shiftInto(from: number, to: number, size: number): number {
  if (from < AROUND) return AROUND - from;
  if (to > size - AROUND) return Math.max(size - AROUND - to, AROUND - from);
  return 0;
}
