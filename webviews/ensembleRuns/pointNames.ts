/** Names beside points. Pure. */
import { TEXT_SIZE } from "../kit/axis";
import { type Box, type DrawView, type Mark, meets } from "../kit/stage/scene";
import { cutName } from "../shared/text";

/** A name beside its point: where it begins, and its baseline. */
export interface PlacedName {
  readonly x: number;
  readonly base: number;
  readonly text: string;
  /** The point's mark. */
  readonly of: number;
}

/**
 * Each name right of, above, below or left of its point, within the plot, where it covers neither points nor names before it; others are left out.
 *
 * @param points those that are to be named, the most important first, with their names. @param marks all points
 */
export function placeNames(
  points: readonly { readonly mark: Mark; readonly name: string }[],
  marks: readonly Mark[],
  plot: Box,
  view: DrawView,
  mostWidth: number,
): PlacedName[] {
  const measure = view.measure(TEXT_SIZE);
  const shown = new Map<string, string>();
  const taken: Box[] = marks.map(({ box }) => ({
    x: box.x - 3,
    y: box.y - 3,
    width: box.width + 6,
    height: box.height + 6,
  }));
  const [left, right, bottom] = [plot.x + 4, plot.x + plot.width, plot.y + plot.height];
  return points.flatMap(({ mark: { id, box }, name }) => {
    // Runs' names are paths that begin alike: what is cut must not look like another one.
    const text = cutName(name, mostWidth, measure, (cut) => (shown.get(cut) ?? name) === name);
    shown.set(text, name);
    const size = { width: measure(text), height: TEXT_SIZE + 4 };
    const y = box.y + box.height / 2 - size.height / 2;
    const x = Math.max(left, Math.min(box.x + box.width / 2 - size.width / 2, right - size.width));
    const free = [
      { x: box.x + box.width + 5, y, ...size },
      { x, y: box.y - 4 - size.height, ...size },
      { x, y: box.y + box.height + 4, ...size },
      { x: box.x - 5 - size.width, y, ...size },
    ].find(
      (one) =>
        one.x >= left &&
        one.y >= plot.y &&
        one.x + one.width <= right &&
        one.y + one.height <= bottom &&
        !taken.some((other) => meets(one, other)),
    );
    if (!free || text === "") return [];
    taken.push({ ...free, x: free.x - 4, width: free.width + 8 });
    return [{ x: free.x, base: free.y + TEXT_SIZE, text, of: id }];
  });
}
