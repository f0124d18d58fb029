/** Where keys lead among the marks of a scene. Pure. */
import type { MoveKey } from "./scene";
import type { Scene } from "./scene";
import { largestIn, smallestIn } from "../../../src/model/longLists";

/** Keys that move by ten. */
const PAGE = 10;

/** @returns the mark that a key leads to; undefined: none */
export function nextMark({ marks, move, many }: Scene, active: number | undefined, key: MoveKey): number | undefined {
  if (many) return many.next(active, key);
  if (marks.length === 0) return undefined;
  const isArrow = key === "ArrowLeft" || key === "ArrowRight" || key === "ArrowUp" || key === "ArrowDown";
  if (isArrow && move && active !== undefined) return move(active, key);
  // Parts of marks are reached from these.
  const wholes = marks.filter(({ within }) => within === undefined);
  const whole = marks.find(({ id }) => id === active)?.within ?? active;
  const last = wholes.length - 1;
  const at = wholes.findIndex(({ id }) => id === whole);
  const by = {
    ArrowLeft: -1,
    ArrowUp: -1,
    ArrowRight: 1,
    ArrowDown: 1,
    PageUp: -PAGE,
    PageDown: PAGE,
    Home: -last,
    End: last,
  }[key];
  return wholes[Math.max(0, Math.min(last, Math.max(0, at) + by))].id;
}

/** The marks from one to another, in the order of the keyboard. */
export function marksBetween({ marks }: Scene, from: number, to: number): number[] {
  const ends = [from, to].map((end) => marks.findIndex(({ id }) => id === end));
  return marks.slice(smallestIn(ends), largestIn(ends) + 1).map(({ id }) => id);
}
