/** Lines that go through texts of a drawing, told from its shapes alone. */
import type { Box, DrawView, Scene, Shape } from "../../../webviews/kit/stage/scene";

/** Parts of a text's size that its letters are above and below the baseline. */
const [ASCENT, DESCENT] = [0.72, 0.2];

type Text = Extract<Shape, { kind: "text" }>;

/** All that a drawing shows, what lies below first. */
export function shapesOf({ below, many, above }: Scene): Shape[] {
  return [...below, ...(many?.shapes({ found: undefined, selected: undefined }) ?? []), ...above];
}

/** Texts with an upright line through them that nothing hides: drawn over them, or below without a filled box between. */
export function crossedTexts(shapes: readonly Shape[], view: DrawView): string[] {
  const lines = shapes.flatMap((shape, at) =>
    shape.kind === "path" && shape.stroke !== undefined ? uprights(shape.d).map((line) => ({ ...line, at })) : [],
  );
  return shapes.flatMap((shape, at) => {
    if (shape.kind !== "text") return [];
    const letters = lettersOf(shape, view);
    const isHidden = (line: number) => shapes.slice(line, at).some((between) => covers(between, letters));
    const crossing = lines.filter(
      (line) =>
        line.x > letters.x &&
        line.x < letters.x + letters.width &&
        line.from < letters.y + letters.height &&
        line.to > letters.y &&
        !(line.at < at && isHidden(line.at)),
    );
    return crossing.map(({ x }) => `${shape.text} by a line at ${x}`);
  });
}

function lettersOf({ at, text, size, weight, anchor }: Text, { measure }: DrawView): Box {
  const width = measure(size, weight)(text);
  const x = at.x - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
  return { x, y: at.y - ASCENT * size, width, height: (ASCENT + DESCENT) * size };
}

function covers(shape: Shape, { x, y, width, height }: Box): boolean {
  if (shape.kind !== "box" || shape.fill === undefined) return false;
  if (shape.hatch !== undefined || shape.dotted !== undefined) return false;
  const { box, fillOpacity = 1 } = shape;
  const isOver = box.x <= x && box.y <= y && box.x + box.width >= x + width && box.y + box.height >= y + height;
  return isOver && fillOpacity === 1;
}

/** Upright parts of a path of absolute moves: `M10,20V300`, `M10,20v8`. */
function uprights(d: string): { readonly x: number; readonly from: number; readonly to: number }[] {
  return [...d.matchAll(/M([-\d.]+),([-\d.]+)([Vv])([-\d.]+)/g)].map(([, x, y, how, end]) => {
    const to = how === "v" ? Number(y) + Number(end) : Number(end);
    return { x: Number(x), from: Math.min(Number(y), to), to: Math.max(Number(y), to) };
  });
}
