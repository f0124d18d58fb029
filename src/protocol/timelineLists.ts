/** What the timeline's tables have beside the marks in sight. Each row leads to an event, named by its number among those of all lanes. */
import * as v from "valibot";
import { eventKinds } from "../model/eventKinds";
import { amount, count, name } from "./bounds";
import { integers, numbers } from "./columns";
import { stretch } from "./panel";

/** Tables, of which one is open. */
export const timelineLists = ["sight", "functions", "occurrences"] as const;
export type TimelineList = (typeof timelineLists)[number];

/** Lanes that are known of a trace. */
export const MOST_LANES = 20_000;

/** A table has no more rows. */
export const MOST_LISTED = 500;

const names = v.pipe(v.array(name), v.maxLength(MOST_LISTED));
const columns = {
  whole: integers(0, 2 ** 31 - 1, MOST_LISTED),
  seconds: numbers(MOST_LISTED, (seconds) => seconds >= 0),
};

/** Whether all columns have as many rows as there are names. */
function areEqual(rows: { readonly name: readonly string[] }): boolean {
  return Object.values(rows).every((column) => !isColumn(column) || column.length === rows.name.length);
}

function isColumn(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

/** Functions of a stretch of time over the lanes that are shown, most exclusive time first. */
export const timelineFunctions = v.pipe(
  v.object({
    range: stretch,
    name: names,
    /** "main.cpp:74"; "": not known. */
    place: names,
    kind: integers(0, eventKinds.length - 1, MOST_LISTED),
    /** As the engine numbers functions: what their occurrences are asked for by. */
    state: columns.whole,
    exclusive: columns.seconds,
    inclusive: columns.seconds,
    /** Events that begin in the stretch; where there are none, the lengths are 0, too. */
    count: columns.whole,
    shortest: columns.seconds,
    mean: columns.seconds,
    longest: columns.seconds,
    /** The longest event. */
    number: columns.whole,
    /** Functions that are left out, all with less exclusive time. */
    more: count,
  }),
  v.check((rows) => areEqual(rows)),
);
export type TimelineFunctions = v.InferOutput<typeof timelineFunctions>;

/** Bins of a histogram at most. */
const MOST_BINS = 100;

/** Events of one function over the lanes that are shown, the longest first. */
export const timelineOccurrences = v.pipe(
  v.object({
    /** The function. */
    state: count,
    of: name,
    count,
    /** Seconds of all together. */
    total: v.pipe(amount, v.minValue(0)),
    bins: v.object({
      /** Seconds; one more than there are counts. */
      edges: numbers(MOST_BINS + 1),
      counts: integers(0, 2 ** 31 - 1, MOST_BINS),
      isLog: v.boolean(),
      instants: count,
    }),
    /** Of the lane. */
    name: names,
    lane: integers(0, MOST_LANES, MOST_LISTED),
    start: numbers(MOST_LISTED),
    end: numbers(MOST_LISTED),
    number: columns.whole,
  }),
  v.check(
    (rows) =>
      areEqual(rows) && (rows.bins.edges.length === 0 || rows.bins.edges.length === rows.bins.counts.length + 1),
  ),
);
export type TimelineOccurrences = v.InferOutput<typeof timelineOccurrences>;
