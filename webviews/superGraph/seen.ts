/** The part of a super graph that is in sight: everything, or as people zoomed and moved it. Geometry is scaled, text is not. Pure. */
import { MARGIN } from "../../src/protocol/graphMargin";
import type { Box } from "../kit/stage/scene";
import type { Gesture } from "../kit/stage/sight";
import {
  moveViewport,
  type SeenViewport,
  seenViewport,
  type Size,
  type Viewport,
  viewportIn,
  zoomedAt,
} from "../kit/stage/viewport";
import { type Graph, isLaidOut, type LaidOutGraph, markOf } from "./graph";

export type { Viewport } from "../kit/stage/viewport";
export const seen = seenViewport;
export type Seen = SeenViewport;

/** Of the drawing's height: that of a bar that fills it. */
const FILLED = 0.6;

/** What people moved to may be beyond another graph, which has another size: then all of that is in sight. */
export function viewportOf(graph: LaidOutGraph, size: Size, now: Seen | undefined): Viewport {
  const whole = fitted(graph, size);
  const viewport = viewportIn(size, now, whole);
  const { scale, x, y } = viewport;
  const { width, height } = graph.layout;
  const isInSight =
    MARGIN.left * scale + x < size.width &&
    (MARGIN.left + width) * scale + x > 0 &&
    MARGIN.top * scale + y < size.height &&
    (MARGIN.top + height) * scale + y > 0;
  return isInSight ? viewport : whole;
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
  const filled = (box: Box) => {
    if (box.height === 0) return undefined;
    const next = zoomedAt(viewport, (FILLED * height) / box.height, { x: box.x, y: box.y });
    return { ...next, x: next.x + width / 3 - box.x, y: next.y + ((1 - FILLED) / 2) * height - box.y };
  };
  return moveViewport(now, viewport, gesture, view, (mark) => boxOf(graph, mark, viewport), filled);
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
