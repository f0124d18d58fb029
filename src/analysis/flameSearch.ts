import { STEPS_BETWEEN_CHECKS, type Task } from "../model/task";
import type { FlameLayout } from "./flameLayout";

/** What a search found among all rectangles, in sight or not. */
export interface FoundFlames {
  readonly count: number;
  /** Width of those found, each within another one counted once. */
  readonly width: number;
  /** The widest that lie in no other one, as they are drawn. */
  readonly widest: readonly number[];
  /** Whether one of the places from `at` up to `end` is found. */
  anyIn(at: number, end: number): boolean;
}

/** So many are enough to go from one to the next. */
const MOST_PLACES = 200;

/** @param holds whether a place is found; undefined: nothing is searched for */
export function findFlames(
  { size, end, width }: FlameLayout,
  holds: ((at: number) => boolean) | undefined,
  task: Task,
): FoundFlames | undefined {
  if (holds === undefined) return undefined;
  const before = new Int32Array(size + 1);
  const outermost: number[] = [];
  let sum = 0;
  let covered = 0;
  for (let at = 0; at < size; at++) {
    if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
    const found = width[at] > 0 && holds(at);
    before[at + 1] = before[at] + (found ? 1 : 0);
    if (!found || at < covered) continue;
    covered = end[at];
    sum += width[at];
    outermost.push(at);
  }
  const widest = outermost.sort((a, b) => width[b] - width[a] || a - b).slice(0, MOST_PLACES);
  return {
    count: before[size],
    width: sum,
    widest: widest.sort((a, b) => a - b),
    anyIn: (at, to) => before[to] > before[at],
  };
}
