/** Two sets of runs beside each other, row by row of what is compared: functions, or bars (semantics 10, Difference and Significance). */
import { significance, slowerIn } from "../../analysis/ensembles/significance";
import { isAddressName } from "../../model/frames";
import type { RunSets, SetSignificance } from "./ensembleApi";

/** The mean of a set of runs by row, those without a value counting as 0; NaN where none has one; and how many have. */
export function setMeans(
  values: Float64Array,
  runs: number,
  set: ArrayLike<number>,
): { readonly mean: Float64Array; readonly having: Int32Array } {
  const rows = values.length / runs;
  const mean = new Float64Array(rows).fill(NaN);
  const having = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let at = 0; at < set.length; at++) {
      const value = values[row * runs + set[at]];
      if (Number.isNaN(value)) continue;
      sum += value;
      having[row]++;
    }
    if (having[row] > 0) mean[row] = sum / set.length;
  }
  return { mean, having };
}

/**
 * What two sets tell of each row, for all rows together: p is {@link NaN} with fewer than four runs on a side, where a run is on both, and
 * of code that only has an address and that one side lacks, since it is elsewhere in another build.
 *
 * @param values rows by runs, NaN where a run has none
 * @param nameOf what a row is called
 */
export function setSignificance(
  values: Float64Array,
  runs: number,
  { baseline, candidate }: RunSets,
  nameOf: (row: number) => string,
): SetSignificance {
  const rows = values.length / runs;
  const [before, after] = [baseline, candidate].map((set) =>
    Array.from(set, (run) => Float64Array.from({ length: rows }, (_, row) => values[row * runs + run])),
  );
  const isIn = (side: readonly Float64Array[], row: number) => side.some((column) => !Number.isNaN(column[row]));
  const isMoved = Array.from(
    { length: rows },
    (_, row) => isAddressName(nameOf(row)) && !(isIn(before, row) && isIn(after, row)),
  );
  const withoutMoved = (column: Float64Array) => column.map((own, row) => (isMoved[row] ? NaN : own));
  // A run that is on both sides cannot be on the other one: nothing can be said of their permutations.
  const areApart = !candidate.some((run) => baseline.includes(run));
  const tested = areApart ? significance(before.map(withoutMoved), after.map(withoutMoved)) : undefined;
  const p = tested ? tested.p.map((own, row) => (isMoved[row] ? NaN : own)) : new Float64Array(rows).fill(NaN);
  return { p, slowerIn: slowerIn(before, after), of: after.length };
}
