/** Recorded counters below a timeline's lanes: those that vary most in its window, on the same axis of time. */
import * as v from "valibot";
import { amount, list, name } from "./bounds";
import { integers, numbersOrNone } from "./columns";
import { metricsBands } from "./metrics";
import { stretch } from "./panel";
import { MOST_LANES } from "./timelineLists";

/** Rows of a timeline. */
export const MOST_COUNTERS = 6;
/** Recorded ones that have marks. */
const MOST_RECORDED = 1_000_000;
/** Above those of counters lie the marks of lanes. */
const LAST_MARK = 2 ** 31 - 2 - MOST_LANES;

/** The mark that a recorded counter's row is. */
export function counterMark(counter: number): number {
  return LAST_MARK - counter;
}

/** The counter of such a mark; -1: it is none. */
export function counterOfMark(mark: number): number {
  return mark <= LAST_MARK && mark > LAST_MARK - MOST_RECORDED ? LAST_MARK - mark : -1;
}

const texts = list(name, MOST_COUNTERS);
const values = numbersOrNone(MOST_COUNTERS);

export const timelineCounters = v.pipe(
  v.object({
    /** Of the content that it is a part of. */
    subject: v.pipe(v.string(), v.maxLength(100)),
    /** In which rows vary, that with the highest variance first. */
    window: stretch,
    /** Numbers among those that were recorded. */
    counter: integers(0, MOST_RECORDED - 1, MOST_COUNTERS),
    names: texts,
    places: texts,
    units: texts,
    /** Of the whole run, and in the window. */
    least: values,
    most: values,
    ownLeast: values,
    ownMost: values,
    /** Rows by their places here. */
    bands: metricsBands,
    /** Seconds of a pixel when they were asked for. */
    pixel: v.pipe(amount, v.minValue(0)),
  }),
  v.check(
    ({ counter, names, places, units, least, most, ownLeast, ownMost, bands }) =>
      [names, places, units, least, most, ownLeast, ownMost, bands.rows].every(
        ({ length }) => length === counter.length,
      ) && bands.rows.every((row, at) => row === at),
  ),
);
export type TimelineCounters = v.InferOutput<typeof timelineCounters>;

/** What comes after the content, and again whenever the window moves. */
export const timelinePart = v.object({ counters: timelineCounters });
export type TimelinePart = v.InferOutput<typeof timelinePart>;
