/** How far the frames of what is selected, and of what has the focus, are off what they frame: never across a text. Pure. */
import type { Box, DrawView, Scene, Shape } from "./scene";

export interface FramesOff {
  /** Of a line two pixels wide. */
  readonly selected: number;
  /** Of a line one pixel wide, around that. */
  readonly focused: number;
}

const APART: FramesOff = { selected: 2, focused: 4.5 };
/** Between marks side by side, which have texts in them. */
const ON_EDGES: FramesOff = { selected: 0, focused: 2.5 };
/** What both frames take when they are apart. */
const [INNER, OUTER] = [1, 5];
/** Parts of a text's size that letters are above and below their baseline. */
const [ASCENT, DESCENT] = [0.72, 0.2];

/** @param box of a mark of the scene */
export function framesOff(box: Box, scene: Scene, view: DrawView): FramesOff {
  const labels = scene.marks.flatMap(({ label }) => label ?? []);
  return [scene.below, labels, scene.above].some((shapes) => shapes.some((shape) => isCrossed(shape, box, view)))
    ? ON_EDGES
    : APART;
}

/** Whether letters lie where the frames would be. */
function isCrossed(shape: Shape, box: Box, { measure }: DrawView): boolean {
  if (shape.kind !== "text") return false;
  const { at, size, weight, anchor, text } = shape;
  const [top, bottom] = [at.y - ASCENT * size, at.y + DESCENT * size];
  const [above, below] = [box.y - top, bottom - box.y - box.height];
  if (bottom < box.y - OUTER || below - (bottom - top) > OUTER) return false;
  const width = measure(size, weight)(text);
  const left = at.x - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
  const [before, after] = [box.x - left, left + width - box.x - box.width];
  if (before - width > OUTER || after - width > OUTER) return false;
  return [above, below, before, after].some((beyond) => beyond > -INNER);
}
