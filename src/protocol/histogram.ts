/**
 * What the histogram's page draws. Values are in the metric's unit. Marks: a bin is named by its index, a member by
 * {@link FIRST_MEMBER} and its position on the line.
 */
import * as v from "valibot";
import { amount, count, MARK_LIMIT, name } from "./bounds";
import { integers, numbers } from "./columns";
import { pin } from "./pin";

/** Bins that a user may ask for. */
export const BIN_LIMIT = 200;
/** Members on the line: with their keys and numbers they leave room for the rest of a message. */
export const LINE_LIMIT = 12_000;
/** The mark of the member that stands first on the line. */
export const FIRST_MEMBER = 1000;

const unit = v.picklist(["rank", "thread", "stream", "host", "run"]);
const value = v.picklist(["exclusive", "inclusive"]);
/** What the line is ordered by: `id`, `value`, `host`, or `metric:` and the name of a metric. */
const order = v.pipe(v.string(), v.regex(/^(id|value|host|metric:[^]*)$/), v.maxLength(4200));

/** What a panel remembers. */
export const histogramState = v.object({
  /** Absent: the first kind that the recording has several of. */
  by: v.optional(unit),
  value,
  bins: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(BIN_LIMIT)),
  order,
  /** Absent: the whole recording. */
  subject: v.optional(pin),
});
export type HistogramState = v.InferOutput<typeof histogramState>;

const onLine = numbers(LINE_LIMIT);

export const histogramContent = v.pipe(
  v.object({
    /** Absent: the whole recording. */
    subject: v.optional(name),
    metric: name,
    unit: name,
    value,
    by: unit,
    /** What a member is called: `rank`, `ranks`. */
    nouns: v.tuple([name, name]),
    /** All of them; the line may show fewer. */
    members: count,
    mean: amount,
    /** One more than bins, ascending; empty where no value is finite. */
    edges: numbers(BIN_LIMIT + 1),
    counts: integers(0, 2 ** 31 - 1, BIN_LIMIT),
    /** Members of each bin as people write them: `0-3, 8`; long ones are cut. */
    ranges: v.pipe(v.array(name), v.maxLength(BIN_LIMIT)),
    order,
    keys: v.pipe(v.array(v.pipe(v.string(), v.maxLength(60))), v.maxLength(LINE_LIMIT)),
    /** Of the members on the line, in its order; 0 where a value is not finite: then it is in no bin (-1). */
    values: onLine,
    binOf: integers(-1, BIN_LIMIT - 1, LINE_LIMIT),
    /** Number of the host of each, -1 where none is known; absent where none is known at all. */
    hosts: v.optional(integers(-1, 2 ** 31 - 1, LINE_LIMIT)),
    /** What the line is ordered by, where that is a metric. */
    attribute: v.optional(v.object({ name, unit: name, values: onLine })),
  }),
  v.check(
    ({ edges, counts, ranges, keys, values, binOf, hosts, attribute }) =>
      counts.length + keys.length <= MARK_LIMIT &&
      edges.length === (counts.length === 0 ? 0 : counts.length + 1) &&
      ranges.length === counts.length &&
      [values, binOf, hosts, attribute?.values].every((all) => !all || all.length === keys.length) &&
      binOf.every((bin) => bin < counts.length),
  ),
);
export type HistogramContent = v.InferOutput<typeof histogramContent>;

/** Chosen members of each bin, and positions of chosen members on the line. */
export const histogramChosen = v.object({
  bins: integers(0, 2 ** 31 - 1, BIN_LIMIT),
  line: integers(0, LINE_LIMIT - 1, LINE_LIMIT),
});
export type HistogramChosen = v.InferOutput<typeof histogramChosen>;
