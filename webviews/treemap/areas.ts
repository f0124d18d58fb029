/** Where each of the drawings is, and marks of the topology in it. Pure. */
import { shownIn, type TreemapContent } from "../../src/protocol/treemap";
import type { Box, DrawView } from "../kit/stage/scene";
import { type Viewport, viewportIn } from "../kit/stage/viewport";
import type { TreemapSeen } from "./seen";
import { fittedViewport, placedMarks } from "./topologyDrawing";

const LEFT = 12;
const RIGHT = 6;
const AROUND = 10;

/** Where each drawing has room; undefined: it is not there. */
export function areasOf(
  content: Pick<TreemapContent, "shows" | "narrow">,
  { width, height }: Pick<DrawView, "width" | "height">,
): { readonly treemap?: Box; readonly topology?: Box } {
  const { treemap, topology } = shownIn(content, width);
  const half = Math.round(width / 2);
  const inner = (x: number, wide: number): Box => ({
    x,
    y: AROUND,
    width: Math.max(1, wide),
    height: Math.max(1, height - 2 * AROUND),
  });
  if (treemap && topology)
    return {
      treemap: inner(LEFT, half - LEFT - RIGHT),
      topology: { x: half + 1, y: 0, width: width - half - 1, height },
    };
  return treemap ? { treemap: inner(LEFT, width - LEFT - RIGHT) } : { topology: { x: 0, y: 0, width, height } };
}

/** Where marks of the topology are, in pixels. */
export function topologyBoxes(
  content: TreemapContent,
  area: Box,
  view: DrawView,
  seen: TreemapSeen | undefined,
): Box[] {
  return placedMarks(content, topologyViewport(content, area, view, seen), pinsOf(content, seen));
}

/** From the layout's lengths to pixels. */
export function topologyViewport(
  content: TreemapContent,
  area: Box,
  view: DrawView,
  seen: TreemapSeen | undefined,
): Viewport {
  return viewportIn(view, seen?.viewport, fittedViewport(content, area));
}

export function pinsOf({ subject }: Pick<TreemapContent, "subject">, seen: TreemapSeen | undefined) {
  const own = seen?.subject === subject ? seen.pins : [];
  return new Map(own.map(([key, x, y]) => [key, [x, y] as const]));
}
