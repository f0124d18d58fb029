import { NONE } from "../model/ids";
import type { Members } from "../model/members";
import type { SparseValues } from "../model/values";
import type { Task } from "../model/task";
import type { GraphStructure } from "./superGraph";

/** Values of every bar on every member (rank, thread, GPU stream), in the metric's unit. */
export interface MemberMatrix {
  readonly bars: number;
  readonly members: number;
  /** Bar b on member m: `value[b * members + m]`. */
  readonly value: Float64Array;
}

/** Cells between two looks at whether the user still waits. */
const CELLS_BETWEEN_CHECKS = 1 << 20;

/**
 * Exclusive or inclusive of all bars on all members, in one pass over the cells. Values that are not finite, of hidden
 * contexts (exclusive) or of no member are left out, as in the bars' own numbers (semantics 2.4).
 *
 * @param contextOf context of the structure's tree for each row of `values`
 */
export function memberMatrix(
  { bars, measured }: Pick<GraphStructure, "bars" | "measured">,
  of: "exclusive" | "inclusive",
  { rowStart, column, value }: SparseValues,
  members: Pick<Members, "keys" | "of">,
  contextOf: (row: number) => number,
  task: Pick<Task, "check">,
): MemberMatrix {
  const width = members.keys.length;
  const sums = new Float64Array(bars.size * width);
  const { rowOf, isHidden, bar, parent } = measured;
  let next = CELLS_BETWEEN_CHECKS;
  for (let row = 0; row + 1 < rowStart.length; row++) {
    const from = rowStart[row];
    const to = rowStart[row + 1];
    if (from === to) continue;
    if (to >= next) {
      task.check();
      next = to + CELLS_BETWEEN_CHECKS;
    }
    const context = contextOf(row);
    let entry = rowOf[context];
    if (entry === NONE || (of === "exclusive" && isHidden[context] === 1)) continue;
    // The graph has no cycle, so a path enters each bar once: every bar above gets the value, and gets it once.
    do {
      const start = bar[entry] * width;
      for (let at = from; at < to; at++) {
        const member = members.of[column[at]];
        if (member !== NONE && Number.isFinite(value[at])) sums[start + member] += value[at];
      }
      entry = of === "inclusive" ? parent[entry] : NONE;
    } while (entry !== NONE);
  }
  return { bars: bars.size, members: width, value: sums };
}
