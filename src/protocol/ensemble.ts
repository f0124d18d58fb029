/**
 * What an ensemble's page draws, as columns. Values are in the metric's unit, lengths in pixels; NaN: nothing is known. Runs are numbered as
 * in the engine, in the order of their names. Marks: a bar is named by its index, a run by the number of bars and its own, a guide by
 * both numbers and the first and the last of the bins that it stands for ({@link guideMark}), a call site by its row ({@link siteMark}).
 */
import * as v from "valibot";
import { amount, count, list, MARK_LIMIT, name } from "./bounds";
import { integers, numbers, numbersOrNone } from "./columns";
import { keptTerms } from "./runTerms";
import { keptSteps } from "./superGraph";

/** A run, a bar, or anything else that is not there. */
export const NONE = -1;
export const ensembleModes = ["ensemble", "target", "difference"] as const;
export type EnsembleMode = (typeof ensembleModes)[number];
/** How the values of a run are combined over its ranks. */
export const ensembleOver = ["mean", "sum", "max", "min"] as const;
export const ensembleValues = ["inclusive", "exclusive"] as const;
/** How many bins gradients can have. */
export const binChoices = [10, 20, 40] as const;
/** Runs of an ensemble that is drawn. */
export const RUN_LIMIT = 10_000;
const CELL_LIMIT = 40 * MARK_LIMIT;

/** What a panel remembers. Runs by their names: they have other numbers when others are there. */
export const ensembleState = v.object({
  steps: v.optional(keptSteps),
  over: v.optional(v.picklist(ensembleOver), "mean"),
  value: v.optional(v.picklist(ensembleValues), "inclusive"),
  border: v.optional(v.picklist(ensembleValues), "exclusive"),
  bins: v.optional(v.picklist(binChoices), 20),
  mode: v.optional(v.picklist(ensembleModes), "ensemble"),
  target: v.optional(name),
  /** Of a difference; absent: the median run by total. */
  baseline: v.optional(name),
  /** Of a difference of two groups of runs, whatever the target is. */
  sets: v.optional(v.object({ baseline: keptTerms, candidate: keptTerms })),
  /** By whose values runs stand in a row; absent: what differs most usefully. */
  parameter: v.optional(name),
  /** Call sites beside the drawing. */
  sites: v.optional(v.boolean(), false),
});
export type EnsembleState = v.InferOutput<typeof ensembleState>;

const index = integers(0, MARK_LIMIT);

const bars = v.object({
  name: list(name, MARK_LIMIT),
  level: index,
  /** 1: it came from a group that `collapse` brings back. */
  collapses: integers(0, 1),
  height: numbers(),
  /** The largest value that the border shows, in any run that stays. */
  border: numbers(),
  mostExclusive: numbers(),
  runs: integers(0, RUN_LIMIT),
  /** Of the value of gradients. */
  to: numbers(),
  least: numbersOrNone(),
  median: numbersOrNone(),
  leastRun: integers(NONE, RUN_LIMIT),
  mostRun: integers(NONE, RUN_LIMIT),
});

const runs = v.object({
  name: list(name, RUN_LIMIT),
  total: numbersOrNone(RUN_LIMIT),
  /** Of the parameter; {@link NONE}: it has no value. */
  value: integers(NONE, RUN_LIMIT, RUN_LIMIT),
  /** 1: it is among those that numbers are of. */
  stays: integers(0, 1, RUN_LIMIT),
  /** All runs as they stand in the row: by the parameter, then by name. */
  order: integers(0, RUN_LIMIT, RUN_LIMIT),
});

const layout = v.object({
  kind: v.literal("layout"),
  width: amount,
  height: amount,
  pixelsPerUnit: amount,
  /** x, y, width and height of one bar after the other, of all runs. */
  boxes: numbers(4 * MARK_LIMIT),
  /** Index of the first number of each flow's points, and one more. */
  first: integers(0, 50 * MARK_LIMIT, MARK_LIMIT + 1),
  points: numbers(50 * MARK_LIMIT),
});
export type EnsembleLayout = v.InferOutput<typeof layout>;

const target = v.object({
  run: count,
  inclusive: numbersOrNone(),
  exclusive: numbersOrNone(),
  percentile: numbersOrNone(),
  /** By flow: its own weight, and the share of the largest one that this is. */
  edges: numbersOrNone(MARK_LIMIT),
  flow: numbers(MARK_LIMIT, (share) => share >= 0 && share <= 1),
});

/** A run, or several with the mean of their totals. */
const side = v.object({
  name,
  runs: v.pipe(integers(0, RUN_LIMIT, RUN_LIMIT), v.minLength(1)),
  total: amount,
});
export type DifferenceSide = v.InferOutput<typeof side>;

const difference = v.object({
  baseline: side,
  candidate: side,
  /** Of the value of gradients, by bar: means of each side, and how many of its runs have the bar. */
  before: numbersOrNone(),
  after: numbersOrNone(),
  beforeRuns: integers(0, RUN_LIMIT),
  afterRuns: integers(0, RUN_LIMIT),
  difference: numbers(),
  /** For all bars together; NaN: nothing is said. */
  p: numbersOrNone(),
  /** Candidate runs above the baseline's median. */
  slowerIn: integers(0, RUN_LIMIT),
});

/** One run beside all, or against another; neither of both: all runs alone. */
const beside = v.object({
  kind: v.literal("beside"),
  mode: v.picklist(ensembleModes),
  target: v.optional(target),
  difference: v.optional(difference),
  /** Why there is no difference. */
  problem: v.optional(name),
});
export type EnsembleBeside = v.InferOutput<typeof beside>;

/** Functions beside the drawing, those with the largest mean: values of runs and ranks, of their exclusive. */
export const SITE_LIMIT = 60;
const RING_LIMIT = 40 * SITE_LIMIT;
const siteNumbers = () => numbersOrNone(SITE_LIMIT);
const sites = v.object({
  kind: v.literal("sites"),
  /** How many there are in all. */
  of: count,
  runs: count,
  hasTarget: v.boolean(),
  /** They are on their way: there is none yet. */
  isPending: v.boolean(),
  names: list(name, SITE_LIMIT),
  /** Where they are defined; "": it is not known. */
  places: list(name, SITE_LIMIT),
  inRuns: integers(0, RUN_LIMIT, SITE_LIMIT),
  /** Ends of whiskers, quartiles and means. */
  low: siteNumbers(),
  q1: siteNumbers(),
  median: siteNumbers(),
  q3: siteNumbers(),
  high: siteNumbers(),
  mean: siteNumbers(),
  /** The target run's mean over its ranks. */
  target: siteNumbers(),
  /** Index of the first of each function's values beyond its whiskers, and one more. */
  firstOutlier: integers(0, RING_LIMIT, SITE_LIMIT + 1),
  outlying: numbersOrNone(RING_LIMIT),
});
const isWhole = ({ names, firstOutlier, ...columns }: v.InferOutput<typeof sites>) =>
  firstOutlier.length === names.length + 1 &&
  [columns.places, columns.inRuns, columns.low, columns.q1, columns.median, columns.q3, columns.high].every(
    ({ length }) => length === names.length,
  ) &&
  [columns.mean, columns.target].every(({ length }) => length === names.length);
export type EnsembleSites = v.InferOutput<typeof sites>;

export const ensemblePart = v.variant("kind", [layout, beside, v.pipe(sites, v.check(isWhole))]);
export type EnsemblePart = v.InferOutput<typeof ensemblePart>;

export const ensembleContent = v.pipe(
  v.object({
    metric: name,
    unit: name,
    /** "mean over ranks" */
    over: name,
    value: v.picklist(ensembleValues),
    borderOf: v.picklist(ensembleValues),
    bars,
    edges: v.object({ source: index, target: index, most: numbers(), sourceEnd: numbers(), targetEnd: numbers() }),
    bins: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
    /** Runs by bar and bin. */
    counts: integers(0, RUN_LIMIT, CELL_LIMIT),
    fullest: count,
    runs,
    parameter: v.object({ name, values: list(name, RUN_LIMIT) }),
    /** By bar and bin: which values of the parameter its runs have, and what else they have in common. */
    low: integers(NONE, RUN_LIMIT, CELL_LIMIT),
    high: integers(NONE, RUN_LIMIT, CELL_LIMIT),
    common: integers(NONE, CELL_LIMIT, CELL_LIMIT),
    commonTexts: list(name, MARK_LIMIT),
    layout,
    beside,
    sites: v.optional(v.pipe(sites, v.check(isWhole))),
  }),
  v.check(({ bars, edges, bins, counts, low, high, common, runs, layout }) => {
    const size = bars.name.length;
    const isBar = (bar: number) => bar < size;
    return (
      Object.values(bars).every(({ length }) => length === size) &&
      [counts, low, high, common].every(({ length }) => length === size * bins) &&
      [runs.total, runs.value, runs.stays, runs.order].every(({ length }) => length === runs.name.length) &&
      edges.source.every(isBar) &&
      edges.target.every(isBar) &&
      layout.boxes.length === 4 * size &&
      layout.first.length === edges.source.length + 1
    );
  }),
);
export type EnsembleContent = v.InferOutput<typeof ensembleContent>;

/** What a mark stands for. */
export type EnsembleMark =
  | { readonly kind: "bar"; readonly bar: number }
  | { readonly kind: "run"; readonly run: number }
  | { readonly kind: "guide"; readonly bar: number; readonly first: number; readonly last: number }
  | { readonly kind: "site"; readonly site: number };

/** Rows beside the drawing are named from here on: behind bars, runs, guides and flows. */
const SITES = 2 ** 30;

/** How many there are of what marks are named by. */
export interface EnsembleSize {
  readonly bars: number;
  readonly runs: number;
  readonly bins: number;
}

export function runMark({ bars }: EnsembleSize, run: number): number {
  return bars + run;
}

export function guideMark({ bars, runs, bins }: EnsembleSize, bar: number, first: number, last: number): number {
  return bars + runs + (bar * bins + first) * bins + last;
}

export function siteMark(site: number): number {
  return SITES + site;
}

export function ensembleMark({ bars, runs, bins }: EnsembleSize, mark: number): EnsembleMark | undefined {
  if (mark >= SITES) return { kind: "site", site: mark - SITES };
  if (mark < bars) return { kind: "bar", bar: mark };
  if (mark < bars + runs) return { kind: "run", run: mark - bars };
  const cell = mark - bars - runs;
  const [last, first, bar] = [cell % bins, Math.floor(cell / bins) % bins, Math.floor(cell / bins / bins)];
  return bar < bars && first <= last ? { kind: "guide", bar, first, last } : undefined;
}
