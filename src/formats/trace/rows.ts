/** Rows as columns over one buffer, so that they can be written to a file and read back as they are. */
import { quietTask, type Task } from "../../model/task";

/** How many columns of each type a table has; within a type, columns are numbered from 0. */
export interface Schema {
  readonly f64: number;
  readonly i32: number;
  readonly u16: number;
  readonly u8: number;
}

function rowBytes({ f64, i32, u16, u8 }: Schema): number {
  return 8 * f64 + 4 * i32 + 2 * u16 + u8;
}

/** How many rows make at most about `bytes`. */
export function rowsIn(bytes: number, schema: Schema): number {
  return Math.max(8, Math.floor(bytes / rowBytes(schema) / 8) * 8);
}

type Column = Float64Array | Int32Array | Uint16Array | Uint8Array;

/** Room for `capacity` rows, of which the first `count` are there. */
export class Rows {
  count = 0;
  readonly capacity: number;
  readonly f64: readonly Float64Array[];
  readonly i32: readonly Int32Array[];
  readonly u16: readonly Uint16Array[];
  readonly u8: readonly Uint8Array[];
  readonly columns: readonly Column[];

  /** @param bytes what {@link bytes} of earlier rows was; absent: new room */
  constructor(
    readonly schema: Schema,
    capacity: number,
    readonly bytes = new Uint8Array(rowBytes(schema) * wholeEights(capacity)),
  ) {
    this.capacity = wholeEights(capacity);
    const { buffer } = bytes;
    // Widest first: with a multiple of eight rows, every column begins where its type may.
    let at = bytes.byteOffset;
    const next = (width: number) => {
      const from = at;
      at += width * this.capacity;
      return from;
    };
    this.f64 = Array.from({ length: schema.f64 }, () => new Float64Array(buffer, next(8), this.capacity));
    this.i32 = Array.from({ length: schema.i32 }, () => new Int32Array(buffer, next(4), this.capacity));
    this.u16 = Array.from({ length: schema.u16 }, () => new Uint16Array(buffer, next(2), this.capacity));
    this.u8 = Array.from({ length: schema.u8 }, () => new Uint8Array(buffer, next(1), this.capacity));
    this.columns = [...this.f64, ...this.i32, ...this.u16, ...this.u8];
  }

  /** Appends rows `from … to - 1` of others with the same schema. */
  append(others: Rows, from: number, to: number): void {
    for (let index = 0; index < this.columns.length; index++) {
      const [own, theirs] = [this.columns[index], others.columns[index]];
      // For a few rows, making a view costs more than copying.
      if (to - from < 16) for (let at = from; at < to; at++) own[this.count + at - from] = theirs[at];
      else own.set(theirs.subarray(from, to), this.count);
    }
    this.count += to - from;
  }

  /** The same rows in another order, or in room that fits. */
  copy(capacity: number, order?: Uint32Array, task: Pick<Task, "check"> = quietTask): Rows {
    const rows = new Rows(this.schema, capacity);
    if (order === undefined) {
      rows.append(this, 0, this.count);
      return rows;
    }
    this.columns.forEach((column, index) => {
      task.check();
      gather(column, rows.columns[index], order);
    });
    rows.count = order.length;
    return rows;
  }
}

function gather(from: Column, to: Column, order: Uint32Array): void {
  // One loop per type: a loop that meets several kinds of arrays is several times slower.
  if (from instanceof Float64Array) for (let at = 0; at < order.length; at++) to[at] = from[order[at]];
  else if (from instanceof Int32Array) for (let at = 0; at < order.length; at++) to[at] = from[order[at]];
  else for (let at = 0; at < order.length; at++) to[at] = from[order[at]];
}

function wholeEights(count: number): number {
  return Math.max(8, Math.ceil(count / 8) * 8);
}

/** The order of a table's rows; f64 column 0 is their time. */
export interface RowOrder {
  /** The number of groups in i32 column 0, which stand one after another; undefined: one group. */
  readonly groups?: number;
  /** Order of two rows of one group and time; 0: as they arrived. */
  tie(a: Rows, i: number, b: Rows, j: number): number;
}

export function compareRows(order: RowOrder, a: Rows, i: number, b: Rows, j: number): number {
  if (order.groups !== undefined) {
    const difference = a.i32[0][i] - b.i32[0][j];
    if (difference !== 0) return difference;
  }
  const [one, other] = [a.f64[0][i], b.f64[0][j]];
  return one < other ? -1 : one > other ? 1 : order.tie(a, i, b, j);
}

/** Takes some sorted rows; batches follow one another in order. */
export type TakeRows = (rows: Rows, from: number, to: number) => void;
