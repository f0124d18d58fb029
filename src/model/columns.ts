/** Columns that grow. */

/** Whatever can grow. */
export type GrowingColumn =
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>;

/**
 * The same column with more room.
 *
 * @param empty what the further places hold
 */
export function widened<Kind extends GrowingColumn>(column: Kind, length = 2 * column.length, empty = 0): Kind {
  const wider = new (column.constructor as new (length: number) => Kind)(length);
  wider.set(column as never);
  if (empty !== 0) wider.fill(empty as never, column.length);
  return wider;
}

/** A column of integers that grows. */
export class IntColumn {
  length = 0;
  values = new Int32Array(256);

  push(value: number): void {
    if (this.length === this.values.length) this.values = widened(this.values);
    this.values[this.length++] = value;
  }
}

/** A column of numbers that grows. */
export class FloatColumn {
  length = 0;
  values = new Float64Array(256);

  push(value: number): void {
    if (this.length === this.values.length) this.values = widened(this.values);
    this.values[this.length++] = value;
  }
}
