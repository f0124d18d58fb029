/** A line that is drawn around marks. Pure. */
import type { Box, Point } from "./scene";

/** The line as it is drawn: a further point where the pointer has moved on by so much. */
const STEP = 3;

/** Adds where the pointer is now to a line. */
export function extend(line: Point[], to: Point): void {
  const last = line.at(-1);
  if (!last || Math.hypot(to.x - last.x, to.y - last.y) >= STEP) line.push(to);
}

/** Whether a line, closed by a straight one, goes around a point: once or oftener, whatever it crosses. */
export function isAround(line: readonly Point[], { x, y }: Point): boolean {
  let turns = 0;
  line.forEach((from, at) => {
    const to = line[(at + 1) % line.length];
    const isDown = from.y <= y && to.y > y;
    const isUp = from.y > y && to.y <= y;
    if (!isDown && !isUp) return;
    const crossing = from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x);
    if (crossing > x) turns += isDown ? 1 : -1;
  });
  return turns !== 0;
}

export function middleOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

/** Closed. */
export function lassoPath(line: readonly Point[]): string {
  return `M${line.map(({ x, y }) => `${x},${y}`).join("L")}Z`;
}
