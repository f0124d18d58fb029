import type { DataSetInfo, Scope } from "../engine/api";
import { rankRanges } from "../model/locations";
import { overRanksText } from "../model/metrics";

/** How many ranks numbers are over, and the words of the chip while they are restricted (semantics 3). */
export function scopeOf(dataSet: DataSetInfo, scope: Scope): { ranks: number; restriction?: string } {
  if (scope.ranks) return { ranks: scope.ranks.length, restriction: `ranks ${rankRanges(scope.ranks)}` };
  return { ranks: dataSet.ranks.length };
}

/** "mean over 8 ranks", "rank 3", "sum" where there are no ranks. */
export function overText(dataSet: DataSetInfo, scope: Scope): string {
  if (typeof scope.over !== "string") return `rank ${scope.over.rank}`;
  const { ranks } = scopeOf(dataSet, scope);
  if (ranks === 0) return overRanksText(scope.over);
  return `${scope.over} over ${ranks} ${ranks === 1 ? "rank" : "ranks"}`;
}
