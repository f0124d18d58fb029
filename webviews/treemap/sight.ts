/** What of the topology is in sight, as people zoomed and moved it, and marks that they dragged to a place. Pure. */
import { TOPOLOGY, type TreemapContent } from "../../src/protocol/treemap";
import type { SightSpec } from "../kit/definition";
import { type Box, type DrawView, isIn } from "../kit/stage/scene";
import type { Gesture } from "../kit/stage/sight";
import { moveViewport, placeOf, type Viewport } from "../kit/stage/viewport";
import { anyName } from "./describe";
import { areasOf, pinsOf, topologyBoxes, topologyViewport } from "./areas";
import { MOST_PINS, type TreemapSeen, treemapSeen } from "./seen";
import { pinKey } from "./markLook";

/** Of the drawing, what a mark that fills it has. */
const FILLED = 0.3;

function moved(
  content: TreemapContent,
  seen: TreemapSeen | undefined,
  gesture: Gesture,
  view: DrawView,
): TreemapSeen | undefined {
  const area = areasOf(content, view).topology;
  if (!area) return seen;
  const now: TreemapSeen = seen?.subject === content.subject ? seen : { subject: content.subject, pins: [] };
  if ("at" in gesture && gesture.at && !isIn(area, gesture.at)) return seen;
  if ((gesture.kind === "reveal" || gesture.kind === "fill") && gesture.place.mark < TOPOLOGY) return seen;
  const viewport = topologyViewport(content, area, view, now);
  if (gesture.kind === "pan") {
    const drag = dragOf(content, now, gesture.at, area, view);
    const dragged = { ...now, drag };
    if (drag.mark >= 0) return pinned(content, dragged, drag.mark, gesture, viewport);
    return {
      ...dragged,
      viewport: moveViewport(
        now.viewport,
        viewport,
        gesture,
        view,
        () => undefined,
        () => undefined,
      ),
    };
  }
  const next = moveViewport(
    now.viewport,
    viewport,
    gesture,
    view,
    (mark) => topologyBoxes(content, area, view, now).at(mark - TOPOLOGY),
    (box) => {
      const factor = (FILLED * Math.min(area.width, area.height)) / Math.max(1, box.width);
      const scale = Math.min(100, viewport.scale * factor);
      const grown = scale / viewport.scale;
      return {
        scale,
        x: area.x + area.width / 2 - (box.x + box.width / 2 - viewport.x) * grown,
        y: area.y + area.height / 2 - (box.y + box.height / 2 - viewport.y) * grown,
      };
    },
  );
  if (gesture.kind === "fit") return { subject: now.subject, pins: now.pins };
  return next === now.viewport ? seen : { ...now, ...(next ? { viewport: next } : {}) };
}

/** A drag is about the mark that it began on, wherever that has come to. */
function dragOf(
  content: TreemapContent,
  { drag, ...seen }: TreemapSeen,
  at: { readonly x: number; readonly y: number },
  area: Box,
  view: DrawView,
): NonNullable<TreemapSeen["drag"]> {
  if (drag?.x === at.x && drag.y === at.y) return drag;
  const mark = topologyBoxes(content, area, view, seen).findLastIndex((box) => isIn(box, at));
  return { x: at.x, y: at.y, mark };
}

function pinned(
  content: TreemapContent,
  seen: TreemapSeen,
  mark: number,
  { dx, dy }: { readonly dx: number; readonly dy: number },
  { scale }: Viewport,
): TreemapSeen {
  const key = pinKey(content, mark);
  const [x, y] = pinsOf(content, seen).get(key) ?? [content.marks.x[mark], content.marks.y[mark]];
  const others = seen.pins.filter(([one]) => one !== key).slice(-MOST_PINS + 1);
  return { ...seen, pins: [...others, [key, x - dx / scale, y - dy / scale]] };
}

export const treemapSight: SightSpec<TreemapContent, TreemapSeen> = {
  schema: treemapSeen,
  moved,
  look: () => undefined,
  placeOf: (_, mark) => placeOf(mark),
  found: (content, search) => {
    const wanted = search.trim().toLowerCase();
    const marks = [
      ...content.nodes.names.keys(),
      ...Array.from(content.marks.node, (_, mark) => TOPOLOGY + mark),
    ].filter((mark) => anyName(content, mark).toLowerCase().includes(wanted));
    return { marks: new Set(marks), places: marks.map(placeOf) };
  },
  isSeveral: () => false,
  zoomsByWheel: () => true,
  crumbs: () => [],
};
