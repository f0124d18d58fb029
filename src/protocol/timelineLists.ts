/** What the timeline's tables have beside the marks in sight. Each row leads to an event, named by its number among those of all lanes. */
import * as v from "valibot";
import { eventKinds } from "../model/eventKinds";
import { amount, count, list, name, sentence } from "./bounds";
import { integers, numbers } from "./columns";
import { stretch } from "./panel";

/** Tables, of which one is open. */
export const timelineLists = ["sight", "functions", "differences", "occurrences", "waits", "path", "phases"] as const;
export type TimelineList = (typeof timelineLists)[number];

/** Lanes that are known of a trace. */
export const MOST_LANES = 20_000;

/** A table has no more rows. */
export const MOST_LISTED = 500;

const names = list(name, MOST_LISTED);
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

/** What a sum is of: a stretch of time, over one lane, or all that are shown. */
const summed = {
  range: stretch,
  /** The lane that this is of alone, and its name; absent: all that are shown. */
  lane: v.optional(v.pipe(count, v.maxValue(MOST_LANES))),
  laneName: v.optional(name),
};

/** Functions of a stretch of time over the lanes that are shown, most exclusive time first. */
export const timelineFunctions = v.pipe(
  v.object({
    ...summed,
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

/** Functions of a stretch of time beside another one, the baseline; largest difference of exclusive time first. */
export const timelineDifferences = v.pipe(
  v.object({
    ...summed,
    baseline: v.object(summed),
    name: names,
    place: names,
    kind: integers(0, eventKinds.length - 1, MOST_LISTED),
    state: columns.whole,
    /** What one of the two lacks has 0 there. */
    exclusive: columns.seconds,
    exclusiveBefore: columns.seconds,
    count: columns.whole,
    countBefore: columns.whole,
    /** The longest event, of the baseline where the stretch has none. */
    number: columns.whole,
    more: count,
  }),
  v.check((rows) => areEqual(rows)),
);
export type TimelineDifferences = v.InferOutput<typeof timelineDifferences>;

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

/** What lanes waited for others in a stretch of time, cut at its sides; lanes that did not wait have no row. */
export const timelineWaits = v.pipe(
  v.object({
    range: stretch,
    /** Of the lane. */
    name: names,
    lane: integers(0, MOST_LANES, MOST_LISTED),
    /** Seconds. */
    lateSender: columns.seconds,
    lateReceiver: columns.seconds,
    collective: columns.seconds,
    /** The longest wait: its event, and where that lies. */
    longest: columns.seconds,
    number: columns.whole,
    start: numbers(MOST_LISTED),
    end: numbers(MOST_LISTED),
    /** Lanes that are left out, all of which waited less. */
    more: count,
    /** What is not recorded; "": all is. */
    missing: sentence,
  }),
  v.check((rows) => areEqual(rows)),
);
export type TimelineWaits = v.InferOutput<typeof timelineWaits>;

/** Functions of the critical path in a stretch of time. */
export const timelinePathFunctions = v.pipe(
  v.object({
    range: stretch,
    /** "": what no event covers. */
    name: names,
    place: names,
    seconds: columns.seconds,
    /** The event that is on it for longest; -1: none. */
    number: integers(-1, 2 ** 31 - 1, MOST_LISTED),
    state: integers(-1, 2 ** 31 - 1, MOST_LISTED),
    more: count,
    missing: sentence,
  }),
  v.check((rows) => areEqual(rows)),
);
export type TimelinePathFunctions = v.InferOutput<typeof timelinePathFunctions>;

/** Of a path with more parts there is nothing to see. */
export const MOST_PARTS = 3000;

/** The critical path where marks are: in which lane it is from one moment to the next. */
export const timelinePath = v.pipe(
  v.object({
    lane: integers(0, MOST_LANES, MOST_PARTS),
    start: numbers(MOST_PARTS),
    end: numbers(MOST_PARTS),
    /** It has more parts than are sent. */
    isHidden: v.boolean(),
  }),
  v.check(({ lane, start, end }) => start.length === lane.length && end.length === lane.length),
);
export type TimelinePath = v.InferOutput<typeof timelinePath>;

/** Iterations or phases that are known of a run. */
export const MOST_PHASES = 2000;

/** One sort of them, by ascending start. */
export const timelinePhases = v.pipe(
  v.object({
    /** "iterations of timestep" */
    of: name,
    name: list(name, MOST_PHASES),
    /** From the first lane's begin to the last lane's end. */
    from: numbers(MOST_PHASES),
    to: numbers(MOST_PHASES),
    /** In how many lanes it is, and what it takes in one. */
    lanes: integers(1, MOST_LANES, MOST_PHASES),
    mean: numbers(MOST_PHASES, (seconds) => seconds >= 0),
    longest: numbers(MOST_PHASES, (seconds) => seconds >= 0),
    /** The event that takes longest. */
    number: integers(0, 2 ** 31 - 1, MOST_PHASES),
    /** Phases after these. */
    more: count,
  }),
  v.check((rows) => areEqual(rows)),
);
export type TimelinePhases = v.InferOutput<typeof timelinePhases>;
