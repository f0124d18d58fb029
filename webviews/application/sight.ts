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
import { chainsOf } from "./chains";
import { type Tree, treeOf } from "./layout";

const FITTED: Viewport = { scale: 1, x: 0, y: 0 };
const MARGIN = { left: 22, right: 10, top: 12, bottom: 12 };
/** Labels of the last column stand behind it. */
const LAST_LABEL = { share: 0.22, most: 190 } as const;
/** Pixels of a row: with two lines, with one, without a label, and without a label where there is little room. */
const ROWS = { name: 30, value: 16, none: 5, least: 1.5 } as const;
/** Weights of columns: without labels, for each label more, at most. */
const COLUMNS = { bare: 12, label: 14, most: 96 } as const;
/** Shares of the total from which on contexts have a name, and a value. */
export const MIN_NAMED = 0.02;
export const MIN_VALUED = 0.01;

const trees = new WeakMap<ApplicationContent, { readonly height: number; readonly tree: Tree }>();

/** Places of nodes. */
export interface Placed {
  readonly at: readonly Point[];
  /** Places of circles for contexts that are not drawn, by their caller. */
  readonly folded: readonly (Point | undefined)[];
  /** Distance of the nearest two contexts of one column, by context. */
  readonly rooms: Float64Array;
}

export function placedNodes(content: ApplicationContent, size: Size, seen: SeenViewport | undefined): Placed {
  const tree = treeIn(content, size.height);
  const { spots, folded } = tree;
  const { scale, x, y } = viewportIn(size, seen, FITTED);
  const inner = size.width - MARGIN.left - MARGIN.right;
  const last = Math.min(LAST_LABEL.most, LAST_LABEL.share * inner);
  const lefts = columnsOf(content, tree, inner - last);
  const place = ({ column, row }: { column: number; row: number }): Point => ({
    x: (MARGIN.left + lefts[column]) * scale + x,
    y: (MARGIN.top + row + 0.5) * scale + y,
  });
  const rooms = roomsOf(spots).map((room) => room * scale);
  return { at: spots.map(place), folded: folded.map((spot) => spot && place(spot)), rooms };
}

/**
 * Distances of columns from the first one. A column with many labels gets more of the width than one of small contexts, so that labels
 * stand beside their circles.
 */
function columnsOf({ nodes, total }: ApplicationContent, { spots, columns }: Tree, width: number): Float64Array {
  const weights = new Float64Array(Math.max(1, columns)).fill(COLUMNS.bare);
  const labelled = chainsOf(nodes);
  nodes.forEach(({ inclusive }, at) => {
    const { column } = spots[at];
    if (labelled.has(at) && total > 0 && inclusive / total >= MIN_VALUED)
      weights[column] = Math.min(COLUMNS.most, weights[column] + COLUMNS.label);
  });
  // The last column's labels have room of their own.
  const sum = weights.subarray(0, -1).reduce((all, one) => all + one, 0);
  const lefts = new Float64Array(weights.length);
  for (let at = 1; at < lefts.length; at++) lefts[at] = lefts[at - 1] + (weights[at - 1] / sum) * width;
  return lefts;
}

/** Rows have the room that their labels need; what is left is shared out evenly, what is missing is taken from all. */
function treeIn(content: ApplicationContent, height: number): Tree {
  const known = trees.get(content);
  if (known?.height === height) return known.tree;
  const { nodes, total } = content;
  const wanted = ({ node, isFolded }: { node: number; isFolded: boolean }) => {
    const share = total > 0 ? nodes[node].inclusive / total : 0;
    if (isFolded) return ROWS.value;
    return share >= MIN_NAMED ? ROWS.name : share >= MIN_VALUED ? ROWS.value : ROWS.none;
  };
  let [leaves, bare] = [0, 0];
  const { rows } = treeOf(nodes, (entry) => {
    const height = wanted(entry);
    leaves++;
    if (height === ROWS.none) bare++;
    return height;
  });
  const room = Math.max(1, height - MARGIN.top - MARGIN.bottom);
  // Rows without a label are the first that get lower.
  const low = Math.max(ROWS.least, ROWS.none - Math.max(0, rows - room) / Math.max(1, bare));
  const lower = rows - bare * (ROWS.none - low);
  const tree = treeOf(nodes, (entry) => {
    if (rows <= room) return wanted(entry) + (room - rows) / Math.max(1, leaves);
    return (wanted(entry) === ROWS.none ? low : wanted(entry)) * Math.min(1, room / lower);
  });
  trees.set(content, { height, tree });
  return tree;
}

function roomsOf(spots: Tree["spots"]): Float64Array {
  const rooms = new Float64Array(spots.length).fill(Infinity);
  const order = [...spots.keys()].sort((a, b) => spots[a].column - spots[b].column || spots[a].row - spots[b].row);
  for (let at = 1; at < order.length; at++) {
    const [one, other] = [order[at - 1], order[at]];
    if (spots[one].column !== spots[other].column) continue;
    const room = spots[other].row - spots[one].row;
    rooms[one] = Math.min(rooms[one], room);
    rooms[other] = Math.min(rooms[other], room);
  }
  return rooms;
}

/** A row in which text is read easily. */
const READABLE = 34;

export const applicationSight: SightSpec<ApplicationContent, SeenViewport> = {
  schema: seenViewport,
  moved: (content, seen, gesture, view) => {
    const viewport = viewportIn(view, seen, FITTED);
    const { at } = placedNodes(content, view, seen);
    const row = ((view.height - MARGIN.top - MARGIN.bottom) / Math.max(1, at.length)) * viewport.scale;
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
