/**
 * Two graphs in one panel, of chosen ranks and all others or of two runs, and small histograms on bars. Stacked, the first
 * half of a graph's bars and flows are the upper graph's, the second half the lower one's, in the same order.
 */
import * as v from "valibot";
import { amount, count, MARK_LIMIT, name, paths, sentence } from "./bounds";

/** What the histograms on bars are of. */
export const histogramChoices = ["exclusive", "inclusive", "off"] as const;
export type HistogramChoice = (typeof histogramChoices)[number];

/** What the colour of bars shows where there are two graphs. */
export const colourChoices = ["exclusive", "difference"] as const;
export type ColourChoice = (typeof colourChoices)[number];

/** Bins of a histogram on a bar. */
export const MINI_BINS = 20;

/** What a panel keeps for a reload. */
export const keptHalves = {
  histograms: v.optional(v.picklist(histogramChoices)),
  colour: v.optional(v.picklist(colourChoices)),
  /** Whether the second graph is drawn; undefined: it is. */
  below: v.optional(v.boolean()),
  /** Files of the recording that this one is compared with. */
  compared: v.optional(paths),
};

/** What the controls show of it. */
export const halvesControls = v.object({
  histograms: v.picklist(histogramChoices),
  /** Why there are no histograms. */
  noHistograms: v.optional(sentence),
  colour: v.picklist(colourChoices),
  below: v.boolean(),
  /** What two graphs would be of; absent: there is nothing to set against each other. */
  pair: v.optional(v.picklist(["members", "runs"])),
  /** The recording that this one is compared with, for the chip. */
  compared: v.optional(sentence),
});
export type HalvesControls = v.InferOutput<typeof halvesControls>;

const half = v.object({
  /** "ranks 0, 4", "np8-r1.cali". */
  name: sentence,
  /** "ranks 0, 4 · mean 2.66 s". */
  title: sentence,
  total: amount,
  /** "mean over ranks 0, 4". */
  combined: sentence,
});
export type Half = v.InferOutput<typeof half>;

/** Of a graph message that shows two graphs. */
export const pairOfGraphs = v.object({
  kind: v.picklist(["members", "runs"]),
  /** One graph with the numbers of the first half, each bar with those of the second beside. */
  merged: v.boolean(),
  halves: v.tuple([half, half]),
});
export type PairOfGraphs = v.InferOutput<typeof pairOfGraphs>;

/** Numbers of the same bar in the other half, where that has no bar of its own. */
export const otherNumbers = v.object({ inclusive: amount, exclusive: amount });
export type OtherNumbers = v.InferOutput<typeof otherNumbers>;

const histogram = v.object({
  minimum: amount,
  mean: amount,
  maximum: amount,
  /** Absent where the mean is 0. */
  imbalance: v.optional(amount),
  /** The member with the largest value. */
  slowest: name,
  /** Outer edges of the bins. */
  from: amount,
  to: amount,
  counts: v.pipe(v.array(count), v.minLength(1), v.maxLength(MINI_BINS)),
});
export type BarHistogramNumbers = v.InferOutput<typeof histogram>;

/** Sent after the graph, so that drawing does not wait for it. */
export const histogramsMessage = v.object({
  type: v.literal("histograms"),
  revision: count,
  of: v.picklist(["exclusive", "inclusive"]),
  /** "rank", "thread". */
  member: name,
  /** Parallel to the graph's bars; none: there are no histograms. */
  bars: v.pipe(v.array(histogram), v.maxLength(MARK_LIMIT)),
});
export type HistogramsMessage = v.InferOutput<typeof histogramsMessage>;

/** What the user does to them. */
export const fromHalves = [
  v.object({ type: v.literal("set-histograms"), histograms: v.picklist(histogramChoices) }),
  v.object({ type: v.literal("set-colour"), colour: v.picklist(colourChoices) }),
  v.object({ type: v.literal("set-below"), below: v.boolean() }),
  v.object({ type: v.literal("compare") }),
  v.object({ type: v.literal("stop-comparing") }),
] as const;
export type FromHalves = v.InferOutput<(typeof fromHalves)[number]>;
