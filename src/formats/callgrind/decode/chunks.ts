/**
 * Columns that grow by chunks, each twice as long as the one before: growing copies nothing, and freed chunks go back to the
 * system. (Of many small chunks, or arrays that were left for wider ones, the process keeps the holes: a hundred megabytes were seen.)
 */
const FIRST_BITS = 12;

/** The chunk in which a row stands. */
export function chunkOf(row: number): number {
  return 31 - Math.clz32((row >>> FIRST_BITS) + 1);
}

/** The first row of a chunk. */
export function firstRow(chunk: number): number {
  return ((1 << chunk) - 1) << FIRST_BITS;
}

/** How many rows a chunk has. */
export function chunkLength(chunk: number): number {
  return 1 << (chunk + FIRST_BITS);
}
