/**
 * Messages between the host and the histogram's webview. Both sides check what they receive with these schemas. Values are
 * in the metric's unit; a bin is named by its index, a member by its position on the line, both in the histogram of the
 * same `revision`.
 */
import * as v from "valibot";
import { amount, count, index, MARK_LIMIT, name, parse, paths, sentence } from "./bounds";
import { fromEveryView, scopeControls, toEveryView } from "./panel";
import { pin } from "./pin";

/** Bins that a user may ask for. */
export const BIN_LIMIT = 200;
/** Members on the line: with their keys and numbers they leave room for the rest of a message. */
export const LINE_LIMIT = 12_000;

const unit = v.picklist(["rank", "thread", "stream", "host", "run"]);
const value = v.picklist(["exclusive", "inclusive"]);
const bins = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(BIN_LIMIT));
/** What the line is ordered by: `id`, `value`, `host`, or `metric:` and the name of a metric. */
const order = v.pipe(v.string(), v.regex(/^(id|value|host|metric:[^]*)$/), v.maxLength(4200));

/** What a panel needs to come back after the window was reloaded. */
export const histogramState = v.object({
  files: paths,
  /** Absent: the first kind that the recording has several of. */
  by: v.optional(unit),
  value,
  bins,
  order,
  /** Absent: the whole recording. */
  subject: v.optional(pin),
  table: v.optional(v.boolean()),
});
export type HistogramState = v.InferOutput<typeof histogramState>;

const controls = v.object({
  type: v.literal("controls"),
  ...scopeControls,
  /** What there are several of. */
  units: v.pipe(v.array(v.object({ by: unit, label: name })), v.maxLength(5)),
  by: v.optional(unit),
  value,
  bins,
  order,
  orders: v.pipe(v.array(order), v.maxLength(1003)),
  /** Kept by the view for a reload. */
  restore: histogramState,
});

const amounts = v.pipe(v.array(amount), v.maxLength(LINE_LIMIT));

const histogram = v.object({
  type: v.literal("histogram"),
  revision: count,
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
  /** Sum over all members, and mean over those that are in a bin. */
  total: amount,
  mean: amount,
  /** One more than bins, ascending; empty where no value is finite. */
  edges: v.pipe(v.array(amount), v.maxLength(BIN_LIMIT + 1)),
  counts: v.pipe(v.array(count), v.maxLength(BIN_LIMIT)),
  /** Members of each bin as people write them: `0-3, 8`; long ones are cut. */
  ranges: v.pipe(v.array(name), v.maxLength(BIN_LIMIT)),
  line: v.object({
    order,
    keys: v.pipe(v.array(v.pipe(v.string(), v.maxLength(60))), v.maxLength(LINE_LIMIT)),
    /** 0 where a value is not finite: then it is in no bin. */
    values: amounts,
    /** -1: in no bin. */
    bins: v.pipe(
      v.array(v.pipe(v.number(), v.integer(), v.minValue(-1), v.maxValue(BIN_LIMIT))),
      v.maxLength(LINE_LIMIT),
    ),
    /** Number of the host of each, -1 where none is known; absent where none is known at all. */
    hosts: v.optional(amounts),
    /** What the line is ordered by, where that is a metric. */
    attribute: v.optional(v.object({ name, unit: name, values: amounts })),
  }),
  notes: v.pipe(v.array(sentence), v.maxLength(20)),
});
export type HistogramMessage = v.InferOutput<typeof histogram>;

/** What the restriction leaves; all members of the histogram stay. */
const chosen = v.object({
  type: v.literal("chosen"),
  revision: count,
  /** The last brush that was heard of: an answer to an earlier one is of no use to who is still brushing. */
  brush: count,
  /** Chosen members of each bin, and their positions on the line; absent without a restriction. */
  chosen: v.optional(
    v.object({
      bins: v.pipe(v.array(count), v.maxLength(BIN_LIMIT)),
      line: v.pipe(v.array(index), v.maxLength(LINE_LIMIT)),
    }),
  ),
});
export type ChosenMessage = v.InferOutput<typeof chosen>;

export const toHistogram = v.variant("type", [controls, histogram, chosen, ...toEveryView]);
export type ToHistogram = v.InferOutput<typeof toHistogram>;
export type Controls = v.InferOutput<typeof controls>;

/** The message when it is well formed and its parts fit together; else undefined. */
export function parseToHistogram(message: unknown): ToHistogram | undefined {
  const parsed = parse(toHistogram, message);
  return parsed?.type === "histogram" && !isConsistent(parsed) ? undefined : parsed;
}

function isConsistent({ edges, counts, ranges, line }: HistogramMessage): boolean {
  const { length } = line.keys;
  return (
    counts.length + length <= MARK_LIMIT &&
    edges.length === (counts.length === 0 ? 0 : counts.length + 1) &&
    ranges.length === counts.length &&
    [line.values, line.bins, line.hosts, line.attribute?.values].every((all) => !all || all.length === length) &&
    line.bins.every((bin) => bin < counts.length)
  );
}

export const fromHistogram = v.variant("type", [
  ...fromEveryView,
  v.object({ type: v.literal("set-by"), by: unit }),
  v.object({ type: v.literal("set-value"), value }),
  v.object({ type: v.literal("set-bins"), bins }),
  v.object({ type: v.literal("set-order"), order }),
  /** Restricts to the members of these bins; to none: takes the restriction away. */
  v.object({
    type: v.literal("brush"),
    revision: count,
    /** Grows with each brush. */
    brush: count,
    bins: v.pipe(v.array(v.pipe(index, v.maxValue(BIN_LIMIT - 1))), v.maxLength(BIN_LIMIT)),
  }),
  /** Copies the members of a bin, all of them. */
  v.object({ type: v.literal("copy-members"), revision: count, bin: index }),
  /** Goes to the hottest line of what is shown. */
  v.object({ type: v.literal("open") }),
]);
export type FromHistogram = v.InferOutput<typeof fromHistogram>;

export const parseFromHistogram = (message: unknown): FromHistogram | undefined => parse(fromHistogram, message);
