/** Which columns the tables of a trace have. */
import type { Rows, Schema, RowOrder } from "./rows";

/** Events as readers report them. */
export const reportedEvents: Schema = { f64: 2, i32: 3, u16: 1, u8: 0 };
/** Events as they are read: without the lane, with a depth. */
export const keptEvents: Schema = { f64: 2, i32: 2, u16: 1, u8: 1 };
/** f64: time, sent, received, bytes; i32: from, to, tag; u8: kind. */
export const messageRows: Schema = { f64: 4, i32: 3, u16: 0, u8: 1 };
/** f64: start, end, bytes, bandwidth; i32: lane, from, to, frame, context; u8: direction. */
export const transferRows: Schema = { f64: 4, i32: 5, u16: 0, u8: 1 };
/** f64: seconds, value; i32: counter. */
export const pointRows: Schema = { f64: 2, i32: 1, u16: 0, u8: 0 };

/** Orders events by start. Of equal starts the longer event comes first, since it encloses the other. */
export function eventOrder(lanes: number): RowOrder {
  return { groups: lanes, tie: (a, i, b, j) => b.f64[1][j] - a.f64[1][i] };
}

/**
 * Order of {@link eventOrder}, for events that arrive in any order. At equal times the outer context comes first, which has the lower number.
 * An iteration has the same context as its loop, but a lower category, and comes after it.
 */
export function contextOrder(lanes: number): RowOrder {
  return {
    groups: lanes,
    tie: (a, i, b, j) =>
      b.f64[1][j] - a.f64[1][i] || a.i32[2][i] - b.i32[2][j] || b.u16[0][j] - a.u16[0][i] || a.i32[1][i] - b.i32[1][j],
  };
}

/** Keeps points of equal times in the order of arrival, since the last one counts. */
export function pointOrder(counters: number): RowOrder {
  return { groups: counters, tie: () => 0 };
}

/** Orders messages and transfers by all columns, since their order of arrival has no meaning. */
export const contentOrder: RowOrder = { tie: compareContent };

function compareContent(a: Rows, i: number, b: Rows, j: number): number {
  for (let column = 0; column < a.columns.length; column++) {
    const [one, other] = [a.columns[column][i], b.columns[column][j]];
    if (one < other) return -1;
    if (one > other) return 1;
    // NaN stands for a value that was not recorded, and comes last.
    if (Number.isNaN(one) !== Number.isNaN(other)) return Number.isNaN(one) ? 1 : -1;
  }
  return 0;
}
