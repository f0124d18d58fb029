/** The rectangles of a flame graph that are in sight, what is too narrow to be seen laid together. */
import type { FlameLayout, FlameNumbers } from "./flameLayout";
import { NONE } from "../model/ids";
import { STEPS_BETWEEN_CHECKS, type Task } from "../model/task";

export interface Sight {
  /** In the unit of widths. */
  readonly from: number;
  readonly to: number;
  readonly firstDepth: number;
  readonly endDepth: number;
  /** What is narrower is laid together with its neighbours, and what is below it is not drawn. */
  readonly narrowest: number;
}

/** Columns as in the engine's answer; `at` is the place in the layout. */
export interface Seen {
  readonly at: number[];
  /** One past the last place that is drawn in this rectangle, subtrees included; of one by itself: its subtree's end. */
  readonly end: number[];
  readonly parent: number[];
  readonly x: number[];
  readonly width: number[];
  readonly inclusive: number[];
  readonly exclusive: number[];
  readonly together: number[];
  /** Below the narrowest: nothing below it is drawn. */
  readonly narrow: boolean[];
}

/**
 * @param most stops as soon as there are more
 * @returns undefined where there are more than `most`
 */
export function rectanglesInSight(
  layout: FlameLayout,
  numbers: FlameNumbers,
  sight: Sight,
  most: number,
  task: Task,
): Seen | undefined {
  const { size, depth, x, width, end, node, parent } = layout;
  const seen: Seen = {
    at: [],
    end: [],
    parent: [],
    x: [],
    width: [],
    inclusive: [],
    exclusive: [],
    together: [],
    narrow: [],
  };
  // The last rectangle at each depth, to which a neighbour may be added; and those that others may lie below.
  const lastAt = new Map<number, number>();
  const indexOf = new Map<number, number>();
  let steps = 0;
  for (let at = 0; at < size;) {
    if (++steps % STEPS_BETWEEN_CHECKS === 0) task.check();
    const level = depth[at];
    if (width[at] <= 0 || x[at] >= sight.to || x[at] + width[at] <= sight.from || level >= sight.endDepth) {
      at = end[at];
      continue;
    }
    const isNarrow = width[at] < sight.narrowest;
    if (level >= sight.firstDepth) {
      const last = lastAt.get(level);
      if (
        isNarrow &&
        last !== undefined &&
        seen.end[last] === at &&
        seen.narrow[last] &&
        parent[seen.at[last]] === parent[at]
      ) {
        add(last, at);
      } else {
        lastAt.set(level, seen.at.length);
        if (!isNarrow) indexOf.set(at, seen.at.length);
        push(at);
        if (seen.at.length > most) return undefined;
      }
    }
    at = isNarrow ? end[at] : at + 1;
  }
  return seen;

  function push(at: number): void {
    seen.parent.push(parent[at] === NONE ? NONE : (indexOf.get(parent[at]) ?? NONE));
    seen.at.push(at);
    seen.end.push(end[at]);
    seen.x.push(x[at]);
    seen.width.push(width[at]);
    seen.inclusive.push(numbers.inclusive[node[at]]);
    seen.exclusive.push(numbers.exclusive[node[at]]);
    seen.together.push(1);
    seen.narrow.push(width[at] < sight.narrowest);
  }

  function add(last: number, at: number): void {
    seen.end[last] = end[at];
    seen.width[last] = x[at] + width[at] - seen.x[last];
    // Extremes do not add up: what is drawn together says what it is drawn with.
    seen.inclusive[last] = seen.width[last];
    seen.exclusive[last] += numbers.exclusive[node[at]];
    seen.together[last]++;
  }
}
