/**
 * What the timeline's page draws: lanes below each other, of which it asks for the rows and the stretch of time that are in sight. Times
 * are seconds of the trace. A mark is named by the number of its (first) event among the events of all lanes; lanes themselves by numbers
 * from the other end.
 */
import * as v from "valibot";
import { eventKinds } from "../model/eventKinds";
import { HUES, LIGHTNESSES, SHADES } from "./nameTones";
import { amount, count, list, MARK_LIMIT, name } from "./bounds";
import { integers, numbers, ownColors } from "./columns";
import { stretch } from "./panel";
import { MOST_COUNTERS, timelineCounters } from "./timelineCounters";
import {
  MOST_LANES,
  timelineDifferences,
  timelineFunctions,
  timelineLists,
  timelineOccurrences,
  timelinePath,
  timelinePathFunctions,
  timelinePhases,
  timelineWaits,
} from "./timelineLists";

export { type EventKind, eventKinds } from "../model/eventKinds";

/** Every depth a row, or one row of what is innermost. */
const looks = ["depth", "state"] as const;
/** What lanes are sorted by: as recorded, by name, most communication or most covered time first. */
export const laneOrders = ["recorded", "name", "communication", "busy"] as const;
export type LaneOrder = (typeof laneOrders)[number];
/** Bytes from which on messages are drawn. */
export const leastBytes = ["off", "0", "1000", "1000000"] as const;

/** What a panel remembers; what is in sight the page keeps. */
export const timelineState = v.object({
  look: v.picklist(looks),
  colour: v.picklist(["kind", "function", "own"]),
  messages: v.picklist(leastBytes),
  /** It has a window of its own: another stretch of the run beside the one that all views show. */
  apart: v.optional(v.boolean()),
  /** The critical path is drawn. */
  path: v.optional(v.boolean()),
  /** Recorded counters are shown below the lanes; absent: they are. */
  counters: v.optional(v.boolean()),
  /** Counters that do not change are shown, too. */
  constantCounters: v.optional(v.boolean()),
  /** Lanes of resources of this type alone; absent: all. */
  lanes: v.optional(name),
  /** Lanes with one of these texts, between commas, in their names or in those of what they belong to. */
  filter: v.optional(v.pipe(v.string(), v.maxLength(1000))),
  /** Absent: as recorded. */
  order: v.optional(v.picklist(laneOrders)),
  /** The sort of phases that is shown; "": none; absent: the first one that a tool has marked. */
  phases: v.optional(name),
});
export type TimelineState = v.InferOutput<typeof timelineState>;

export { MOST_LANES } from "./timelineLists";
/** Rows that are asked for at once. */
export const MOST_ROWS = 400;
/** A message holds no more of them. */
export const MOST_MESSAGES = 3000;
export const MOST_FOUND = 500;

const LAST_MARK = 2 ** 31 - 1;

/** The mark that a lane's name is. */
export function laneMark(lane: number): number {
  return LAST_MARK - lane;
}

/** The lane of such a mark; -1: it is an event's. @param lanes how many there are */
export function laneOfMark(mark: number, lanes: number): number {
  return mark > LAST_MARK - lanes ? LAST_MARK - mark : -1;
}

const lane = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MOST_LANES));
const depth = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(65_535));
const positive = v.pipe(v.number(), v.finite(), v.minValue(Number.MIN_VALUE));

/** Rows of a lane: so many depths from one on. */
const rows = v.object({ lane, firstDepth: depth, depths: v.pipe(depth, v.minValue(1)) });
export type LaneRows = v.InferOutput<typeof rows>;

/** Identifies what is drawn: a look into it means nothing elsewhere. */
const subject = v.pipe(v.string(), v.maxLength(100));

const search = v.pipe(v.string(), v.maxLength(1000));

/** What the page asks for. */
export const timelineLook = v.pipe(
  v.object({
    subject,
    from: amount,
    to: amount,
    /** Seconds of a pixel. */
    pixel: positive,
    lanes: list(rows, MOST_ROWS),
    search: v.optional(search),
    /** In sight without the margins. */
    window: stretch,
    /** What is to be measured, else the window. */
    range: stretch,
    isMeasured: v.boolean(),
    /** Sums are to be of this lane alone; absent: of all that are shown. */
    lane: v.optional(lane),
    /** What the functions of that are to be compared with: those of another stretch, of one lane or all that are shown. */
    baseline: v.optional(v.object({ ...stretch.entries, lane: v.optional(lane) })),
    /** The table that is open. */
    list: v.optional(v.picklist(timelineLists)),
    /** The function whose occurrences are wanted, as the host numbers it. */
    of: v.optional(count),
    /** Marks are there, and stay: only sums and lists are asked for. */
    keepsMarks: v.optional(v.boolean()),
    /** Lists are there, too: only counters are asked for. */
    keepsLists: v.optional(v.boolean()),
  }),
  v.check(({ from, to }) => to > from),
);
export type TimelineLook = v.InferOutput<typeof timelineLook>;

const laneNumbers = integers(-1, MOST_LANES);
const marks = v.pipe(
  v.object({
    /** Ordered by row, and by start in each. */
    lane: laneNumbers,
    depth: integers(0, 65_535),
    start: numbers(),
    end: numbers(),
    /** 1: an event by itself; more: a cluster of what is too short to be seen. */
    events: integers(1, 2 ** 31 - 1),
    number: integers(0, 2 ** 31 - 1),
    /** The function that most of the time is spent in, and its part of that time. */
    state: integers(0, MARK_LIMIT),
    share: numbers(),
  }),
  v.check((columns) => Object.values(columns).every(({ length }) => length === columns.lane.length)),
);
export type TimelineMarksShown = v.InferOutput<typeof marks>;

const messages = v.pipe(
  v.object({
    /** -1: a side that has no lane. */
    from: laneNumbers,
    to: laneNumbers,
    sent: numbers(MOST_MESSAGES),
    received: numbers(MOST_MESSAGES),
    /** -1: not recorded. */
    bytes: numbers(MOST_MESSAGES),
    kind: integers(0, 10, MOST_MESSAGES),
    /** So many more are in the window, all smaller. */
    hidden: count,
  }),
  v.check(({ from, to, sent, received, bytes, kind }) =>
    [to, sent, received, bytes, kind].every(({ length }) => length === from.length),
  ),
);

/** Events whose function has a text in its name: how many there are, and some of them to go to. */
const found = v.pipe(
  v.object({
    search,
    count,
    lane: integers(0, MOST_LANES, MOST_FOUND),
    number: integers(0, 2 ** 31 - 1, MOST_FOUND),
    depth: integers(0, 65_535, MOST_FOUND),
    start: numbers(MOST_FOUND),
    end: numbers(MOST_FOUND),
  }),
  v.check(({ lane, number, depth, start, end }) =>
    [number, depth, start, end].every(({ length }) => length === lane.length),
  ),
);

/** What lanes, or one of them, did in a stretch of time. */
const measured = v.object({
  range: stretch,
  /** The lane that this is of alone, and its name; absent: all that are shown. */
  lane: v.optional(lane),
  laneName: v.optional(name),
  /** That begin in it. */
  events: count,
  /** Seconds, of each kind. */
  kinds: v.pipe(list(amount, eventKinds.length), v.length(eventKinds.length)),
});

/** The whole trace as a small picture: row by row 1 + the kind with most time, 0 where most is uncovered. */
const strip = v.pipe(
  v.object({
    rows: v.pipe(count, v.maxValue(1000)),
    columns: v.pipe(count, v.maxValue(20_000)),
    kind: v.custom<Uint8Array>((value) => value instanceof Uint8Array),
  }),
  v.check(
    ({ rows: high, columns, kind }) => kind.length === high * columns && kind.every((one) => one <= eventKinds.length),
  ),
);
export type TimelineStripShown = v.InferOutput<typeof strip>;

const kind = integers(0, eventKinds.length - 1);

export const timelineContent = v.pipe(
  v.object({
    subject,
    look: v.picklist(looks),
    byFunction: v.boolean(),
    start: amount,
    end: amount,
    /** Of the whole trace. */
    events: count,
    messageCount: count,
    /** Of each lane, in its order; 0: it is not shown. */
    depths: integers(0, 65_536, MOST_LANES),
    firstDepth: integers(0, 65_536, MOST_LANES),
    /** All lanes, as they stand below each other. */
    order: integers(0, MOST_LANES, MOST_LANES),
    /** How many of the first ones are pinned, and shown. */
    pinned: v.pipe(count, v.maxValue(MOST_LANES)),
    /** 1: what has no duration. */
    instants: integers(0, 1, MOST_LANES),
    /** Index into the groups; -1: none. */
    group: integers(-1, MOST_LANES, MOST_LANES),
    groups: list(name, MOST_LANES),
    /** Group of brief lanes, which starts folded; absent if there is none. */
    brief: v.optional(v.pipe(count, v.maxValue(MOST_LANES))),
    /** Of the lanes whose rows are here: the part of the time that events cover in which they communicate; -1: nothing is covered. */
    communication: numbers(MOST_ROWS, (share) => share === -1 || (share >= 0 && share <= 1.000001)),
    /** What lanes are together: "8 ranks". */
    lanesText: name,
    /** The longest name of a lane: there is room for it. */
    longest: name,
    /** What the names of all lanes begin and end with, and whether the parts of a resource's name tell all apart: in little room no more is said. */
    laneShared: v.object({ begin: name, end: name, isUntypedTold: v.boolean(), isOwnTold: v.boolean() }),
    /** Rows that are here, and the names of their lanes. */
    rows: list(rows, MOST_ROWS),
    laneNames: list(name, MOST_ROWS),
    /** The stretch that is here, and what a pixel was when it was asked for; 0: nothing was. */
    from: amount,
    to: amount,
    pixel: v.pipe(amount, v.minValue(0)),
    marks,
    /** Functions that marks name, and what they spend their time on. */
    names: list(name, MARK_LIMIT),
    shown: v.optional(list(name, MARK_LIMIT)),
    kinds: kind,
    /** By function, as kinds are. */
    colors: ownColors(),
    /** Colours that tell functions apart, the same whatever is in sight. */
    tones: integers(0, HUES * LIGHTNESSES - 1),
    /** Lightness within its kind. */
    shades: integers(0, SHADES - 1),
    /** As the host numbers them. */
    states: integers(0, 2 ** 31 - 1),
    messages: v.optional(messages),
    found: v.optional(found),
    measured: v.optional(measured),
    functions: v.optional(timelineFunctions),
    occurrences: v.optional(timelineOccurrences),
    waits: v.optional(timelineWaits),
    path: v.optional(timelinePath),
    pathFunctions: v.optional(timelinePathFunctions),
    differences: v.optional(timelineDifferences),
    phases: v.optional(timelinePhases),
    /** There are calls that may wait for others. */
    hasWaits: v.boolean(),
    /** So many rows of counters are wanted below the lanes; and they, when they have come. */
    counterRows: v.pipe(count, v.maxValue(MOST_COUNTERS)),
    counters: v.optional(timelineCounters),
    strip,
  }),
  v.check(
    ({
      depths,
      firstDepth,
      order,
      instants,
      group,
      groups,
      rows: known,
      laneNames,
      communication,
      marks: drawn,
      names,
      shown,
      kinds,
      states,
      tones,
      shades,
    }) =>
      new Set(order).size === depths.length &&
      order.every((lane) => lane < depths.length) &&
      [firstDepth, instants, group, order].every(({ length }) => length === depths.length) &&
      group.every((one) => one < groups.length) &&
      known.length === laneNames.length &&
      known.length === communication.length &&
      known.every((row) => row.lane < depths.length) &&
      drawn.lane.every((one) => one >= 0 && one < depths.length) &&
      drawn.state.every((one) => one < names.length) &&
      kinds.length === names.length &&
      states.length === names.length &&
      tones.length === names.length &&
      shades.length === names.length &&
      (shown ?? names).length === names.length,
  ),
);
export type TimelineContent = v.InferOutput<typeof timelineContent>;
