/** What of the hardware is in sight: everything, or as people zoomed and moved it. Pure. */
import type { HardwareContent } from "../../src/protocol/hardware";
import type { SightSpec } from "../kit/definition";
import type { Box } from "../kit/stage/scene";
import {
  moveViewport,
  placeOf,
  type SeenViewport,
  seenViewport,
  type Size,
  type Viewport,
  viewportIn,
} from "../kit/stage/viewport";
import { isMark, markName } from "./describe";
import { boxesOf } from "./layout";

const FITTED: Viewport = { scale: 1, x: 0, y: 0 };
/** Of the drawing, what a part that fills it has. */
const FILLED = 0.94;

/** Boxes of elements in the pixels of the drawing. */
export function placedBoxes(content: HardwareContent, size: Size, seen: SeenViewport | undefined): Box[] {
  const { scale, x, y } = viewportIn(size, seen, FITTED);
  const linked = content.links.some(
    ({ from, to }) => content.elements[from].parent < 0 && content.elements[to].parent < 0,
  );
  return boxesOf(content.elements, size, linked).map((box) => ({
    x: box.x * scale + x,
    y: box.y * scale + y,
    width: box.width * scale,
    height: box.height * scale,
  }));
}

export const hardwareSight: SightSpec<HardwareContent, SeenViewport> = {
  schema: seenViewport,
  moved: (content, seen, gesture, view) => {
    const viewport = viewportIn(view, seen, FITTED);
    const filled = (box: Box): Viewport | undefined => {
      if (box.width === 0 || box.height === 0) return undefined;
      const factor = FILLED * Math.min(view.width / box.width, view.height / box.height);
      const scale = Math.min(200, viewport.scale * factor);
      const grown = scale / viewport.scale;
      return {
        scale,
        x: view.width / 2 - (box.x + box.width / 2 - viewport.x) * grown,
        y: view.height / 2 - (box.y + box.height / 2 - viewport.y) * grown,
      };
    };
    return moveViewport(seen, viewport, gesture, view, (mark) => placedBoxes(content, view, seen).at(mark), filled);
  },
  look: () => undefined,
  placeOf: (_, mark) => placeOf(mark),
  found: (content, search) => {
    const wanted = search.trim().toLowerCase();
    const all = Array.from({ length: content.elements.length + content.links.length }, (_, mark) => mark);
    const marks = all.filter((mark) => isMark(content, mark) && markName(content, mark).toLowerCase().includes(wanted));
    return { marks: new Set(marks), places: marks.map(placeOf) };
  },
  isSeveral: () => false,
  crumbs: () => [],
};
