import { finiteAscending, isConstant } from "./ascending";
import { hasValue, type RunColumn } from "./runColumns";

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
    const apart = column.kind === "number" ? (a: number, b: number) => (a - b) ** 2 : (a: number, b: number) => (a === b ? 0 : 1); // prettier-ignore
    for (let one = 0; one < runs; one++) {
      const has = hasValue(column, one);
      for (let other = 0; other < one; other++) {
        const both = has && hasValue(column, other);
        const distance = both ? apart(codes[one], codes[other]) : has || hasValue(column, other) ? 1 : 0;
        squared[one * runs + other] += distance;
      }
    }
  }
  for (let one = 0; one < runs; one++)
    for (let other = 0; other < one; other++) squared[other * runs + one] = squared[one * runs + other];
  return { runs, squared };
}

/** Numbers scaled to 0–1, texts by number; undefined for numbers that are all equal. */
function codesOf(column: RunColumn): Float64Array | undefined {
  if (column.kind === "text") {
    const numbers = new Map<string | null, number>();
    for (const text of column.values) if (!numbers.has(text)) numbers.set(text, numbers.size);
    return Float64Array.from(column.values, (text) => numbers.get(text)!);
  }
  const sorted = finiteAscending(column.values);
  if (sorted.length === 0 || isConstant(sorted)) return undefined;
  const [least, most] = [sorted[0], sorted[sorted.length - 1]];
  // Halved, since their difference may be more than a number holds.
  return column.values.map((value) => (value / 2 - least / 2) / (most / 2 - least / 2));
}
