/** The final number for a reader's own one; NONE stays NONE. */
export function numberIn(finalOf: Int32Array | undefined, own: number): number {
  return own < 0 || finalOf === undefined ? own : finalOf[own];
}

/** Numbers below 0 (NONE) stay as they are. */
export function renumber(column: Int32Array | Uint8Array, count: number, finalOf: Int32Array | undefined): void {
  if (finalOf === undefined) return;
  for (let at = 0; at < count; at++) if (column[at] >= 0) column[at] = finalOf[column[at]];
}
