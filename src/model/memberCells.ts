import { NONE } from "./ids";
import type { SparseValues } from "./values";

/** The finite values of one metric by member (rank, thread, GPU stream): those of member m are `start[m] … start[m + 1] - 1`. */
export interface MemberCells {
  readonly start: Int32Array;
  /** Context of each value, ascending within a member; several times where several locations are one member. */
  readonly context: Int32Array;
  readonly value: Float64Array;
}

/** @param of member of each location; {@link NONE}: none */
export function cellsByMember({ rowStart, column, value }: SparseValues, of: Int32Array, members: number): MemberCells {
  const start = new Int32Array(members + 1);
  const counts = (at: number) => of[column[at]] !== NONE && Number.isFinite(value[at]);
  for (let at = 0; at < column.length; at++) if (counts(at)) start[of[column[at]] + 1]++;
  for (let member = 0; member < members; member++) start[member + 1] += start[member];
  const next = start.slice();
  const contextOf = new Int32Array(start[members]);
  const valueOf = new Float64Array(start[members]);
  for (let context = 0; context + 1 < rowStart.length; context++) {
    for (let at = rowStart[context]; at < rowStart[context + 1]; at++) {
      if (!counts(at)) continue;
      const slot = next[of[column[at]]]++;
      contextOf[slot] = context;
      valueOf[slot] = value[at];
    }
  }
  return { start, context: contextOf, value: valueOf };
}
