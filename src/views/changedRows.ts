/** Functions that differ in a comparison, as rows of Hot Functions. Pure. */
import type { ComparedPair, ComparedRow, FunctionRow } from "../engine/api";

/** A function that differs. */
export interface ChangedRow extends ComparedRow {
  /** Of the data set that it is shown in: the candidate where that has it. */
  readonly dataSet: number;
  readonly function: number;
  /** Its number in each of the two data sets that has it. */
  readonly numbers: ReadonlyMap<number, number>;
}

/** The rows of functions that differ. */
export function changedRows(
  rows: readonly ComparedRow[],
  { baseline, candidate }: Pick<ComparedPair, "baseline" | "candidate">,
): ChangedRow[] {
  return rows.flatMap((row): ChangedRow[] => {
    const { candidateFunction, baselineFunction, difference } = row;
    const of = candidateFunction ?? baselineFunction;
    if (!of || difference === 0) return [];
    const { dataSet } = candidateFunction ? candidate : baseline;
    const sides = [[baseline.dataSet, baselineFunction] as const, [candidate.dataSet, candidateFunction] as const];
    const numbers = new Map(sides.flatMap(([id, one]) => (one ? [[id, one.function] as const] : [])));
    return [{ ...row, dataSet, function: of.function, numbers }];
  });
}

/** The row that a function of a data set is; functions of two data sets have numbers of their own. */
export function rowOfFunction<Row extends FunctionRow | ChangedRow>(
  rows: readonly Row[],
  dataSet: number,
  id: number | undefined,
): Row | undefined {
  return rows.find((row) => id !== undefined && ("numbers" in row ? row.numbers.get(dataSet) : row.function) === id);
}
