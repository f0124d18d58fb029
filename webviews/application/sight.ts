/** What of the tree is in sight: everything, or as people zoomed and moved it. Pure. */
import type { ApplicationContent } from "../../src/protocol/application";
import type { SightSpec } from "../kit/definition";
import type { Box, Point } from "../kit/stage/scene";
import {
  moveViewport,
  placeOf,
  type SeenViewport,
  seenViewport,
  type Size,
  type Viewport,
  viewportIn,
  zoomedAt,
} from "../kit/stage/viewport";
import { type Tree, treeOf } from "./layout";

const FITTED: Viewport = { scale: 1, x: 0, y: 0 };
const MARGIN = { left: 22, right: 10, top: 18, bottom: 18 };
/** Columns are not wider, in pixels of the whole tree. */
const WIDEST_COLUMN = 300;
const LOWEST_ROW = 3;

const trees = new WeakMap<ApplicationContent, Tree>();

/** Where nodes lie, and how far rows and columns are apart. */
export interface Placed {
  readonly at: readonly Point[];
  readonly column: number;
  readonly row: number;
}

export function placedNodes(content: ApplicationContent, size: Size, seen: SeenViewport | undefined): Placed {
  const known = trees.get(content) ?? treeOf(content.nodes);
  trees.set(content, known);
  const { spots, columns, rows } = known;
  const { scale, x, y } = viewportIn(size, seen, FITTED);
  const wide = Math.min(WIDEST_COLUMN, (size.width - MARGIN.left - MARGIN.right) / Math.max(1, columns));
  const high = Math.max(LOWEST_ROW, (size.height - MARGIN.top - MARGIN.bottom) / Math.max(1, rows));
  return {
    at: spots.map(({ column, row }) => ({
      x: (MARGIN.left + column * wide) * scale + x,
      y: (MARGIN.top + (row + 0.5) * high) * scale + y,
    })),
    column: wide * scale,
    row: high * scale,
  };
}

/** A row in which text is read easily. */
const READABLE = 34;

export const applicationSight: SightSpec<ApplicationContent, SeenViewport> = {
  schema: seenViewport,
  moved: (content, seen, gesture, view) => {
    const viewport = viewportIn(view, seen, FITTED);
    const { at, row } = placedNodes(content, view, seen);
    const boxOf = (mark: number): Box | undefined =>
      mark < at.length ? { x: at[mark].x - 8, y: at[mark].y - 8, width: 120, height: 16 } : undefined;
    const filled = ({ x, y }: Box): Viewport => {
      const next = zoomedAt(viewport, Math.max(1, READABLE / Math.max(1, row)), { x, y });
      return { ...next, x: next.x + view.width / 4 - x, y: next.y + view.height / 2 - y };
    };
    return moveViewport(seen, viewport, gesture, view, boxOf, filled);
  },
  look: () => undefined,
  placeOf: (_, mark) => placeOf(mark),
  found: ({ nodes }, search) => {
    const wanted = search.trim().toLowerCase();
    const marks = nodes.flatMap(({ name }, at) => (name.toLowerCase().includes(wanted) ? [at] : []));
    return { marks: new Set(marks), places: marks.map(placeOf) };
  },
  isSeveral: () => false,
  crumbs: () => [],
};
