/** What the communication matrix's page draws. Bytes, counts and seconds; a mark is the index of a cell. */
import * as v from "valibot";
import { amount, count, list, MARK_LIMIT, name } from "./bounds";
import { integers, numbers } from "./columns";
import { stretch } from "./panel";

/** Rows that a drawing has at most. */
export const ROW_LIMIT = 200;

const by = v.picklist(["bytes", "count", "seconds"]);
export type CommunicationBy = v.InferOutput<typeof by>;
const of = v.picklist(["ranks", "devices"]);

const range = v.object({ first: count, last: count });

/** What a panel remembers. */
export const communicationState = v.object({
  /** Absent: bytes where sizes were recorded, else count. */
  by: v.optional(by),
  /** Absent: ranks where messages were recorded, else devices. */
  of: v.optional(of),
  /** Absent: the finest level that has room. */
  level: v.optional(name),
  /** What is shown apart; absent: all. */
  rows: v.optional(range),
  columns: v.optional(range),
});
export type CommunicationState = v.InferOutput<typeof communicationState>;

const values = (most: number) => ({
  bytes: numbers(most, (one) => one >= 0),
  count: numbers(most, (one) => one >= 0),
  seconds: numbers(most, (one) => one >= 0),
});

const axis = v.pipe(
  v.object({
    /** `rank`, `device`, or the recording's own word. */
    level: name,
    names: list(name, ROW_LIMIT),
    /** How many each stands for. */
    sizes: integers(1, 2 ** 31 - 1, ROW_LIMIT),
    ...values(ROW_LIMIT),
  }),
  v.check((one) => [one.sizes, one.bytes, one.count, one.seconds].every(({ length }) => length === one.names.length)),
);
export type CommunicationAxis = v.InferOutput<typeof axis>;

export const communicationContent = v.pipe(
  v.object({
    by,
    of,
    /** Of the recording, and what of it the views over time show; absent where nothing has a time. */
    run: v.optional(stretch),
    window: v.optional(stretch),
    /** Of these it was moved, and to those. */
    rows: axis,
    columns: axis,
    cells: v.object({
      row: integers(0, ROW_LIMIT - 1),
      column: integers(0, ROW_LIMIT - 1),
      ...values(MARK_LIMIT),
      /** Index into `calls`; -1: not known. */
      call: integers(-1, MARK_LIMIT),
    }),
    calls: list(name, 1000),
    total: v.object({ bytes: amount, count, seconds: amount }),
    /** What is in no cell. */
    beside: list(v.object({ name, moves: v.boolean(), bytes: amount, count, seconds: amount }), 100),
  }),
  v.check(({ rows, columns, cells, calls }) => {
    const { row, column, bytes, count: counts, seconds, call } = cells;
    return (
      [column, bytes, counts, seconds, call].every(({ length }) => length === row.length) &&
      row.every((one) => one < rows.names.length) &&
      column.every((one) => one < columns.names.length) &&
      call.every((one) => one < calls.length)
    );
  }),
);
export type CommunicationContent = v.InferOutput<typeof communicationContent>;
