import { finiteAscending, quantile, scaled, sumOf, isConstant } from "./ascending";
import { groupBy } from "../../model/maps";
import { hasValue, type RunColumn } from "../../model/runColumns";

/** Numbers with more different values than these are taken by their quartiles. */
const MOST_VALUES = 8;

/**
 * How much of the runs' totals a parameter explains (semantics 10, A parameter's weight): the share η² of their variance between its
 * values, adjusted for their number: max(0, 1 − (1 − η²)(N − 1)/(N − g)), N runs in g groups (Kelley, "An unbiased correlation ratio
 * measure", PNAS 21 (1935)). Runs without the parameter or a total do not count.
 *
 * @param given the totals, one per run
 * @returns 0 to 1; NaN where it has no weight: a value of its own for more than half of the runs, no run more than groups, or totals
 * that are all equal
 */
export function parameterWeight(column: RunColumn, given: Float64Array): number {
  const runs = Array.from(given.keys()).filter((run) => hasValue(column, run) && Number.isFinite(given[run]));
  const total = scaled(given);
  const groups = groupsOf(column, runs);
  const totals = finiteAscending(runs.map((run) => total[run]));
  const [count, kinds] = [runs.length, groups.length];
  if (isLabel(column, runs) || count <= kinds || isConstant(totals)) return NaN;
  const squares = (values: Float64Array) => {
    const mean = sumOf(values) / values.length;
    return sumOf(finiteAscending(values.map((value) => (value - mean) ** 2)));
  };
  const within = finiteAscending(groups.map((group) => squares(finiteAscending(group.map((run) => total[run])))));
  const rest = sumOf(within) / squares(totals);
  return Math.max(0, 1 - (rest * (count - 1)) / (count - kinds));
}

/** Whether more than half of the runs have a value that no other has. */
function isLabel(column: RunColumn, runs: readonly number[]): boolean {
  const alone = runsByValue(runs, (run) => column.values[run]).filter((group) => group.length === 1);
  return alone.length > runs.length / 2;
}

/** Runs by the parameter's value; by quartile where it is a number with many values, one at a quartile in the upper bin. */
function groupsOf(column: RunColumn, runs: readonly number[]): number[][] {
  const byValue = runsByValue(runs, (run) => column.values[run]);
  if (column.kind === "text" || byValue.length <= MOST_VALUES) return byValue;
  const sorted = finiteAscending(column.values.filter((_, run) => runs.includes(run)));
  const quartiles = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
  return runsByValue(runs, (run) => quartiles.filter((quartile) => column.values[run]! >= quartile).length);
}

function runsByValue<Value>(runs: readonly number[], valueOf: (run: number) => Value): number[][] {
  return [...groupBy(runs, valueOf).values()];
}
