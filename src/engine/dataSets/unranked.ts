/** Values of no rank, of which numbers over ranks show nothing (semantics 1, No rank). */
import { NONE } from "../../model/ids";
import type { Scope } from "../scope";
import type { Numbers, OpenDataSet } from "./openDataSet";

/** The sums of what is of no rank, in the metric's unit, where a number over ranks is 0 for that; else 0. */
export interface UnrankedCosts {
  readonly exclusive: number;
  readonly inclusive: number;
}

/** @returns by index of the column: the sum of what is of no rank where the number over ranks is 0 for that, else 0 */
export function unrankedIn(
  open: OpenDataSet,
  scope: Scope,
  column: (numbers: Numbers) => Float64Array,
): (at: number) => number {
  if (!leavesOut(open, scope)) return () => 0;
  const mean = column(open.numbers({ ...scope, over: "mean" }));
  const sum = column(open.numbers({ ...scope, over: "sum" }));
  return (at) => (mean[at] === 0 ? Math.max(0, sum[at]) : 0);
}

/** The same for sets of contexts. */
export function unrankedCost(
  open: OpenDataSet,
  scope: Scope,
  ranges: Iterable<readonly [from: number, to: number]>,
): number {
  if (!leavesOut(open, scope) || open.cost({ ...scope, over: "mean" }, ranges) !== 0) return 0;
  return Math.max(0, open.cost({ ...scope, over: "sum" }, ranges));
}

/** The sum of all that has no rank while numbers are over ranks; 0: nothing. */
export function unrankedTotal(open: OpenDataSet, scope: Scope): number {
  if (!leavesOut(open, scope)) return 0;
  const { total } = open.numbers({ ...scope, over: "sum" });
  const perRank = open.rankValues(scope).perRank([[0, open.dataSet.tree.size]]);
  const noRank = perRank.reduce((rest, value) => rest - value, total);
  // What rounding leaves is no cost.
  return Math.abs(noRank) > 1e-9 * Math.abs(total) ? noRank : 0;
}

/** As a part of a row: absent where none of its numbers is 0 for want of a rank. */
export function noRankPart(exclusive: number, inclusive: number): { readonly noRank?: UnrankedCosts } {
  return exclusive > 0 || inclusive > 0 ? { noRank: { exclusive, inclusive } } : {};
}

/** A restriction leaves out more than what has no rank, and says so itself. */
function leavesOut(open: OpenDataSet, scope: Scope): boolean {
  if (scope.over === "sum" || scope.chosen !== undefined) return false;
  const { keys, of } = open.rankValues(scope).members;
  return keys.length > 0 && of.includes(NONE);
}
