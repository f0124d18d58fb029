import { type SparseValues } from "./values";

/**
 * Values of one metric by line, or by call at a line. As `SparseValues`, in less memory: a recording may have millions of them,
 * each with one number.
 */
export interface LineValues {
  /** Undefined where each row has one cell: row and cell are the same number then. */
  readonly rowStart: Int32Array | undefined;
  /** Location of each cell; undefined where all are at the first one. */
  readonly column: Int32Array | undefined;
  /** In the narrowest of these that holds them all: many events, such as cache misses, are few on every line. */
  readonly value: Float64Array | Uint32Array | Uint16Array;
}

/** Room for so many values, of which none is above `most`; Infinity where some are no counts. */
export function valuesUpTo(most: number, cells: number): LineValues["value"] {
  if (most <= 0xffff) return new Uint16Array(cells);
  return most <= 0xffffffff ? new Uint32Array(cells) : new Float64Array(cells);
}

/** The first cell of a row; one past its last is the first of the next row. */
export function firstCell({ rowStart }: LineValues, row: number): number {
  return rowStart ? rowStart[row] : row;
}

export function locationOfCell({ column }: LineValues, cell: number): number {
  return column ? column[cell] : 0;
}

/** The same where values are needed as those of a tree are: in more memory, for as long as they are needed. */
export function sparseOf(values: LineValues, rows: number): SparseValues {
  const { value } = values;
  return {
    rowStart: values.rowStart ?? Int32Array.from({ length: rows + 1 }, (_, row) => row),
    column: values.column ?? new Int32Array(value.length),
    value: value instanceof Float64Array ? value : Float64Array.from(value),
  };
}
