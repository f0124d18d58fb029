/** Rectangles whose place is no style. */
import type { Box } from "./labels";

/**
 * A rectangle as the points of a polygon. Place and size of a `rect` are properties of CSS, so that the browser works out the
 * style of each one that moves; points are none: of hundreds of bars that saves a seventh of what style costs.
 */
export function corners({ x, y, width, height }: Box): string {
  const [right, bottom] = [x + width, y + height];
  return `${x},${y} ${right},${y} ${right},${bottom} ${x},${bottom}`;
}
