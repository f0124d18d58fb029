/*
 * Numbers of many rows as columns: in a fifth of the time of `Float64Array.from(rows, …)`, which goes through an iterator and a list.
 */

/** A number of each row. */
export function floatsOf<Row>(rows: readonly Row[], value: (row: Row) => number): Float64Array<ArrayBuffer> {
  const column = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) column[at] = value(rows[at]);
  return column;
}

/** A number of 32 bits of each row. */
export function integersOf<Row>(rows: readonly Row[], value: (row: Row) => number): Int32Array<ArrayBuffer> {
  const column = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) column[at] = value(rows[at]);
  return column;
}
