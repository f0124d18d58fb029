import { groupBy } from "../../model/maps";
import { compareText } from "../../model/strings";
import { finiteAscending, quantile } from "./ascending";
import { momentsOf } from "./boxPlot";
import { hasValue, type RunColumn } from "../../model/runColumns";

/** Runs with the same value of a parameter. */
export interface RunGroup {
  /** null: runs that have no value, always last. */
  readonly value: string | number | null;
  /** Ascending. */
  readonly runs: readonly number[];
}

/** How the values of some runs are spread, in their unit. */
export interface GroupStatistics {
  /** Runs of the group that have a value, and that it has in all. */
  readonly values: number;
  readonly runs: number;
  readonly mean: number;
  /** Standard deviation of the population: divided by the number of values. */
  readonly deviation: number;
  readonly variance: number;
  /** Of type 7, at the shares that were asked for. */
  readonly percentiles: Float64Array;
}

/** Groups by ascending number, or by code points of the text. */
export function runGroups(column: RunColumn): RunGroup[] {
  const runs = Array.from({ length: column.values.length }, (_, run) => run);
  const byValue = groupBy(runs, (run) => (hasValue(column, run) ? column.values[run]! : null));
  return [...byValue].map(([value, runs]) => ({ value, runs })).sort((a, b) => compareValues(a.value, b.value));
}

/**
 * @param values one per run; NaN: none
 * @param shares 0 to 1
 * @returns NaN for everything but the counts where no run has a value
 */
export function groupStatistics(
  { runs }: Pick<RunGroup, "runs">,
  values: Float64Array,
  shares: readonly number[],
): GroupStatistics {
  const sorted = finiteAscending(runs.map((run) => values[run]));
  const { mean, variance } = sorted.length > 0 ? momentsOf(sorted) : { mean: NaN, variance: NaN };
  const percentiles = Float64Array.from(shares, (share) => quantile(sorted, share));
  return {
    values: sorted.length,
    runs: runs.length,
    mean,
    variance,
    percentiles,
    deviation: Math.sqrt(variance),
  };
}

/** A function's values by two parameters. */
export interface Pivot {
  readonly rows: readonly RunGroup["value"][];
  readonly columns: readonly RunGroup["value"][];
  /** One list for each row, one entry for each column; undefined where no run has both. */
  readonly cells: readonly (readonly (GroupStatistics | undefined)[])[];
  /** Of each run: where it counts. */
  readonly rowOf: Int32Array;
  readonly columnOf: Int32Array;
}

/** @param values one per run; NaN: none */
export function pivot(down: RunColumn, along: RunColumn, values: Float64Array, shares: readonly number[] = []): Pivot {
  const [rows, columns] = [runGroups(down), runGroups(along)];
  const placesIn = (groups: readonly RunGroup[]) => {
    const places = new Int32Array(values.length);
    groups.forEach(({ runs }, at) => runs.forEach((run) => (places[run] = at)));
    return places;
  };
  const [rowOf, columnOf] = [placesIn(rows), placesIn(columns)];
  const cells = rows.map((row) => {
    const byColumn = groupBy(row.runs, (run) => columnOf[run]);
    return columns.map((_, at) => {
      const runs = byColumn.get(at);
      return runs && groupStatistics({ runs }, values, shares);
    });
  });
  return {
    rows: rows.map(({ value }) => value),
    columns: columns.map(({ value }) => value),
    cells,
    rowOf,
    columnOf,
  };
}

function compareValues(a: RunGroup["value"], b: RunGroup["value"]): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b));
}
