/** What the timeline's tables have beside the marks in sight. Each row leads to an event, named by its number among those of all lanes. */
import * as v from "valibot";
import { eventKinds } from "../model/eventKinds";
import { count, name } from "./bounds";
import { integers, numbers } from "./columns";
import { stretch } from "./panel";

/** Tables, of which one is open. */
export const timelineLists = ["sight", "functions"] as const;
export type TimelineList = (typeof timelineLists)[number];

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
