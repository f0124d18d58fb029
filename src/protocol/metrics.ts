/**
 * What the page of metrics over time draws: a row for each quantity, of which it asks for the rows and the stretch of time that are in
 * sight. Times are seconds of the trace; values are in their rows' units, NaN where there is none. A mark is the number of a row.
 */
import * as v from "valibot";
import { eventKinds } from "../model/eventKinds";
import { amount, count, list, name } from "./bounds";
import { integers, numbers, numbersOrNone } from "./columns";
import { stretch } from "./panel";

export { eventKinds } from "../model/eventKinds";

/** What rows are sorted by: those that vary most in the window first, as recorded, by name. */
export const rowOrders = ["variance", "recorded", "name"] as const;
export type RowOrder = (typeof rowOrders)[number];
/** Where a row's axis ends: from 0 to the largest value of the run, or at the least and the largest value in the window. */
export const rowScales = ["zero", "window"] as const;

/** What a panel remembers; what is in sight the page keeps. */
export const metricsState = v.object({
  order: v.picklist(rowOrders),
  scale: v.picklist(rowScales),
  /** Rows of this name alone; absent: all. */
  quantity: v.optional(name),
  /** Rows that do not change are shown, too. */
  constant: v.optional(v.boolean()),
});
export type MetricsState = v.InferOutput<typeof metricsState>;

/** Rows of a content, rows that are asked for at once, and columns of all of these together. */
export const MOST_ROWS = 2000;
export const MOST_DRAWN = 200;
export const MOST_COLUMNS = 20_000;

/** Identifies what is drawn: a look into it means nothing elsewhere. */
const subject = v.pipe(v.string(), v.maxLength(100));
const positive = v.pipe(v.number(), v.finite(), v.minValue(Number.MIN_VALUE));

/** What the page asks for. */
export const metricsLook = v.pipe(
  v.object({
    subject,
    /** In sight, with margins. */
    from: amount,
    to: amount,
    /** Seconds of a pixel. */
    pixel: positive,
    rows: list(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MOST_ROWS)), MOST_DRAWN),
    /** In sight without margins: what rows are sorted by is of this. */
    window: stretch,
    /** What is measured, else the window: what numbers of rows are of. */
    range: stretch,
    isMeasured: v.boolean(),
    /** Columns are there, and stay: only numbers are asked for. */
    keepsColumns: v.optional(v.boolean()),
  }),
  v.check(({ from, to }) => to > from),
);
export type MetricsLook = v.InferOutput<typeof metricsLook>;

const rowNumbers = integers(0, MOST_ROWS, MOST_ROWS);
const columns = numbersOrNone(MOST_COLUMNS);

/** What rows show over the run, in columns of one width. */
const strip = v.pipe(
  v.object({ row: v.pipe(count, v.maxValue(MOST_ROWS)), ...stretch.entries, least: columns, most: columns }),
  v.check(({ from, to, least, most }) => to > from && least.length > 0 && least.length === most.length),
);
export type MetricsStrip = v.InferOutput<typeof strip>;

/** Columns of rows that are here: of each, one row behind the other, the least and the most that the row shows in it, and the mean. */
export const metricsBands = v.pipe(
  v.object({
    rows: integers(0, MOST_ROWS, MOST_DRAWN),
    ...stretch.entries,
    columns: v.pipe(count, v.minValue(1)),
    least: columns,
    most: columns,
    mean: columns,
    /** Steps themselves of rows that have few: those of the row at `r` are `stepsAt[r]` … `stepsAt[r + 1] - 1`; none where there are more. */
    stepsAt: integers(0, MOST_COLUMNS, MOST_DRAWN + 1),
    seconds: numbers(MOST_COLUMNS),
    value: columns,
  }),
  v.check(
    ({ rows, from, to, columns: wide, least, most, mean, stepsAt, seconds, value }) =>
      to > from &&
      [least, most, mean].every(({ length }) => length === rows.length * wide) &&
      stepsAt.length === rows.length + 1 &&
      stepsAt.every((one, at) => at === 0 || one >= stepsAt[at - 1]) &&
      seconds.length === value.length &&
      stepsAt[rows.length] <= seconds.length,
  ),
);
export type MetricsBands = v.InferOutput<typeof metricsBands>;

const names = list(name, MOST_ROWS);
const sums = numbersOrNone(MOST_ROWS);

export const metricsContent = v.pipe(
  v.object({
    subject,
    scale: v.picklist(rowScales),
    start: amount,
    end: amount,
    /** Rows in the recording's order: what each is called, what it is of, in what unit it is, and how it is made where it is derived. */
    names,
    places: names,
    units: names,
    says: names,
    /** 0: a level, 1: a rate, 2: derived. */
    shows: integers(0, 2, MOST_ROWS),
    /** Index into `eventKinds`; -1: recorded. */
    kinds: integers(-1, eventKinds.length - 1, MOST_ROWS),
    /** That were recorded; of what is derived, steps. */
    points: numbers(MOST_ROWS, (one) => one >= 0),
    /** Of the whole run. */
    least: sums,
    most: sums,
    /** Rows that were left out. */
    more: count,
    /** Rows as they stand below each other. */
    order: rowNumbers,
    /** In what part of the run the numbers of rows are, and what was asked for them: a restriction may leave less. */
    range: stretch,
    asked: stretch,
    isMeasured: v.boolean(),
    /** In that part: weighted by time, variance over mean². */
    ownMean: sums,
    ownLeast: sums,
    ownMost: sums,
    variance: sums,
    /** There are events, and so a timeline to go on to. */
    hasEvents: v.boolean(),
    strip: v.optional(strip),
    /** Absent until the page has said what is in sight; with what a pixel was when they were asked for. */
    bands: v.optional(metricsBands),
    pixel: v.pipe(amount, v.minValue(0)),
  }),
  v.check((content) => {
    const { names: all, order, bands: drawn, strip: small } = content;
    const { places, units, says, shows, kinds, points, least, most, ownMean, ownLeast, ownMost, variance } = content;
    const rows = [places, units, says, shows, kinds, points, least, most, order, ownMean, ownLeast, ownMost, variance];
    return (
      rows.every(({ length }) => length === all.length) &&
      new Set(order).size === all.length &&
      [...order, ...(drawn?.rows ?? []), ...(small ? [small.row] : [])].every((row) => row < all.length)
    );
  }),
);
export type MetricsContent = v.InferOutput<typeof metricsContent>;
