/** Points of a plane counted by cell, for more points than can be drawn or sent one by one. */

/** Cells of equal size between the smallest and the largest values; only those that hold a point are listed. */
export interface Density {
  readonly columns: number;
  readonly rows: number;
  readonly x: readonly [least: number, most: number];
  readonly y: readonly [least: number, most: number];
  /** Cells by row, then column: `row * columns + column`, ascending. Row 0 has the smallest y. */
  readonly cells: Int32Array;
  readonly counts: Int32Array;
  /** Of each cell the point that stands for it: the largest in y, then in x, then the first. */
  readonly points: Int32Array;
}

/** @param x points with a value that is not finite lie nowhere */
export function density(x: Float64Array, y: Float64Array, columns: number, rows: number): Density {
  const isPoint = (at: number) => Number.isFinite(x[at]) && Number.isFinite(y[at]);
  const [ofX, ofY] = [extent(x, isPoint), extent(y, isPoint)];
  const counts = new Int32Array(columns * rows);
  const points = new Int32Array(columns * rows);
  for (let at = 0; at < x.length; at++) {
    if (!isPoint(at)) continue;
    const cell = part(y[at], ofY, rows) * columns + part(x[at], ofX, columns);
    const standing = points[cell];
    if (counts[cell] === 0 || y[at] > y[standing] || (y[at] === y[standing] && x[at] > x[standing])) points[cell] = at;
    counts[cell]++;
  }
  const cells = Int32Array.from(counts.keys()).filter((cell) => counts[cell] > 0);
  return {
    columns,
    rows,
    x: ofX,
    y: ofY,
    cells,
    counts: cells.map((cell) => counts[cell]),
    points: cells.map((cell) => points[cell]),
  };
}

function extent(values: Float64Array, counts: (at: number) => boolean): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (let at = 0; at < values.length; at++) {
    if (!counts(at)) continue;
    least = Math.min(least, values[at]);
    most = Math.max(most, values[at]);
  }
  return least > most ? [0, 0] : [least, most];
}

/** Which of equal parts a value lies in; the largest value lies in the last. */
function part(value: number, [least, most]: readonly [number, number], parts: number): number {
  if (most <= least) return 0;
  // Halved only where their distance is more than a number can hold: half of the smallest number is nothing.
  const share =
    most - least < Infinity ? (value - least) / (most - least) : (value / 2 - least / 2) / (most / 2 - least / 2);
  return Math.min(parts - 1, Math.floor(share * parts));
}
