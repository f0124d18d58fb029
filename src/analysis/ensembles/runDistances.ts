import { entryOf } from "../../model/maps";
import { finiteAscending, isConstant } from "./ascending";
import type { RunColumn } from "../../model/runColumns";

/** Squared distances between runs, symmetric with zeros on the diagonal. */
export interface RunDistances {
  readonly runs: number;
  /** Of run i from run j at i · runs + j. */
  readonly squared: Float64Array;
}

/**
 * How far apart runs are (semantics 10, Projection): the sum over columns of (a − b)² for numbers scaled to 0–1 (columns without two
 * different values left out), 0 or 1 for texts; 1 where one of two runs has no value, 0 where both have none.
 *
 * @param columns in canonical order: sums are taken in it
 * @param runs how many values each column has
 */
export function runDistances(columns: readonly RunColumn[], runs: number): RunDistances {
  const squared = new Float64Array(runs * runs);
  for (const column of columns) {
    const codes = codesOf(column);
    if (codes === undefined) continue;
    for (let one = 0; one < runs; one++) {
      for (let other = 0; other < one; other++) {
        const difference = codes[one] - codes[other];
        squared[one * runs + other] += Number.isNaN(difference)
          ? Number(Number.isNaN(codes[one]) !== Number.isNaN(codes[other]))
          : column.kind === "number"
            ? difference * difference
            : Number(difference !== 0);
      }
    }
  }
  for (let one = 0; one < runs; one++)
    for (let other = 0; other < one; other++) squared[other * runs + one] = squared[one * runs + other];
  return { runs, squared };
}

/** Numbers scaled to 0–1, texts by number, NaN of runs without a value; undefined for numbers that are all equal. */
function codesOf(column: RunColumn): Float64Array | undefined {
  if (column.kind === "text") {
    const numbers = new Map<string | null, number>([[null, NaN]]);
    return Float64Array.from(column.values, (text) => entryOf(numbers, text, () => numbers.size));
  }
  const sorted = finiteAscending(column.values);
  if (sorted.length === 0 || isConstant(sorted)) return undefined;
  const [least, most] = [sorted[0], sorted[sorted.length - 1]];
  // Halved, since their difference may be more than a number holds.
  return column.values.map((value) =>
    Number.isFinite(value) ? (value / 2 - least / 2) / (most / 2 - least / 2) : NaN,
  );
}
