/**
 * What the histogram's page draws. Values are in the metric's unit. Marks: a bin is named by its index, a member by
 * {@link FIRST_MEMBER} and its position on the line.
 */
import * as v from "valibot";
import { amount, count, list, MARK_LIMIT, name } from "./bounds";
import { integers, numbers } from "./columns";
import { LINE_LIMIT, memberChoice, memberLine, onLine } from "./members";
import { pin } from "./pin";

/** Bins that a user may ask for. */
export const BIN_LIMIT = 200;
/** Up to so many members have a bar each; more are counted in bins. */
export const MAX_MEMBER_BARS = 32;
/** The mark of the member that stands first on the line. */
export const FIRST_MEMBER = 1000;

const value = v.picklist(["exclusive", "inclusive"]);

/** What a panel remembers. */
export const histogramState = v.object({
  ...memberChoice,
  value,
  bins: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(BIN_LIMIT)),
  /** Absent: the whole recording. */
  subject: v.optional(pin),
});
export type HistogramState = v.InferOutput<typeof histogramState>;

export const histogramContent = v.pipe(
  v.object({
    /** Absent: the whole recording. */
    subject: v.optional(name),
    metric: name,
    unit: name,
    value,
    mean: amount,
    /** All of them; the line may show fewer. */
    members: count,
    /** One more than bins, ascending; empty where no value is finite. */
    edges: numbers(BIN_LIMIT + 1),
    counts: integers(0, 2 ** 31 - 1, BIN_LIMIT),
    /** Members of each bin as people write them: `0-3, 8`; long ones are cut. */
    ranges: list(name, BIN_LIMIT),
    line: memberLine,
    /** Of the members on the line, in its order; 0 where a value is not finite: then it is in no bin (-1). */
    values: onLine,
    binOf: integers(-1, BIN_LIMIT - 1, LINE_LIMIT),
  }),
  v.check(
    ({ edges, counts, ranges, line, values, binOf }) =>
      counts.length + line.keys.length <= MARK_LIMIT &&
      edges.length === (counts.length === 0 ? 0 : counts.length + 1) &&
      ranges.length === counts.length &&
      [values, binOf].every(({ length }) => length === line.keys.length) &&
      binOf.every((bin) => bin < counts.length),
  ),
);
export type HistogramContent = v.InferOutput<typeof histogramContent>;

/** Whether each member has a bar: then they are on the line by value, largest first. */
export function hasMemberBars({ members }: Pick<HistogramContent, "members">): boolean {
  return members <= MAX_MEMBER_BARS;
}

/** Chosen members of each bin, and positions of chosen members on the line. */
export const histogramChosen = v.object({
  bins: integers(0, 2 ** 31 - 1, BIN_LIMIT),
  line: integers(0, LINE_LIMIT - 1, LINE_LIMIT),
});
export type HistogramChosen = v.InferOutput<typeof histogramChosen>;
