/**
 * What the super graph's page draws, as columns. Values are in the metric's unit, lengths in pixels. Marks: a bar is named by its
 * index, an entry function by the number of bars and its index among all entries. Of two graphs, one above the other, the first half
 * of all bars and flows are the upper graph's, the second half the lower one's, in the same order.
 */
import * as v from "valibot";
import { amount, count, list, MARK_LIMIT, name, percent, sentence } from "./bounds";
import { integers, numbers } from "./columns";

export { START } from "../model/startGroup";

/** Groupings of a graph, in the order of menus. The first picture also chooses the filter. */
export const groupChoices = ["first", "file", "module", "function", "folder", "class", "map", "none"] as const;
export type GroupChoice = (typeof groupChoices)[number];
/** How groupings are called on screen. */
export const groupNames: Readonly<Record<GroupChoice, string>> = {
  first: "first picture",
  file: "file",
  module: "module",
  function: "function",
  folder: "folder",
  class: "class",
  map: "my groups",
  none: "nothing (contexts)",
};

/** Groups or functions of a first picture, each with the level of its name; all keys together have a bounded length. */
const leveledNames = v.pipe(
  list(v.tuple([v.pipe(count, v.maxValue(20)), v.pipe(v.string(), v.maxLength(100_000))]), 1000),
  v.check((all) => all.reduce((sum, [, key]) => sum + key.length, 0) <= 200_000),
);

/** Choice of a first picture, for a metric of a recording, or of two that are compared. */
export const keptChoice = v.object({
  metric: name,
  /** Key of the other recording. */
  other: v.optional(v.pipe(v.string(), v.maxLength(200))),
  /** Totals of the metric, one per recording: a recording that was made anew has another one. */
  totals: list(amount, 2),
  choice: v.object({ filter: percent, opened: leveledNames, alone: leveledNames }),
});
export type KeptChoice = v.InferOutput<typeof keptChoice>;

/** An operation as text (semantics 2.6), as long as the longest that is read. */
const operation = v.pipe(v.string(), v.maxLength(100_000));

/** Operations as they are written. */
export const operationTexts = v.pipe(
  list(operation, 100),
  v.check((all) => all.reduce((sum, text) => sum + text.length, 0) <= 200_000),
);

/** What a panel keeps of its steps: what they begin with, and how many of them are in effect. */
export const keptSteps = v.object({
  /** Absent: the first picture chooses it. */
  filter: v.optional(percent),
  groupBy: v.picklist(groupChoices),
  first: v.optional(keptChoice),
  operations: operationTexts,
  done: count,
});
export type KeptSteps = v.InferOutput<typeof keptSteps>;

/** What the histograms on bars are of. */
export const histogramChoices = ["exclusive", "inclusive", "off"] as const;
export type HistogramChoice = (typeof histogramChoices)[number];
/** What the colour of bars shows where there are two graphs. */
export const colourChoices = ["exclusive", "difference"] as const;
export type ColourChoice = (typeof colourChoices)[number];

/** What a panel remembers. */
export const superGraphState = v.object({
  /** Absent: what the settings say. */
  steps: v.optional(keptSteps),
  histograms: v.optional(v.picklist(histogramChoices), "exclusive"),
  /** Absent: of two recordings what differs, else exclusive. */
  colour: v.optional(v.picklist(colourChoices)),
  /** Whether two graphs are drawn, one below the other. Absent: not of two recordings, else so. */
  below: v.optional(v.boolean()),
  /** The bar whose exclusive fills most of the height is drawn lower. */
  broken: v.optional(v.boolean()),
});
export type SuperGraphState = v.InferOutput<typeof superGraphState>;

/** No text, no bar. */
export const NONE = -1;
/** Texts of a message: names and places of entries, groups. */
const MOST_TEXTS = 3 * MARK_LIMIT;
const MOST_NUMBERS = 50 * MARK_LIMIT;

const text = integers(0, MOST_TEXTS);
const textOrNone = integers(NONE, MOST_TEXTS);
const index = integers(0, MARK_LIMIT);
const shares = numbers(MARK_LIMIT, (value) => value >= 0 && value <= 1);

/** The level that `expand` leads to; the last one is not known before it is asked for. Columns hold its index, or {@link NONE}. */
export const finerLevels = ["folder", "file", "class", "function", "finer"] as const;

const bars = v.object({
  group: text,
  /** How it is called on screen, where that is not its group: a path's last name, or a path that was revealed. */
  label: textOrNone,
  /** What labels and lists show of what it is called. */
  shown: text,
  /** 1 for the group's first bar. */
  visit: integers(1, 2 ** 31 - 1),
  level: index,
  inclusive: numbers(),
  exclusive: numbers(),
  hidden: numbers(),
  /** Its inclusive over everything, where none of it is of a rank; else 0. */
  noRank: numbers(),
  /** Its exclusive over everything, where none of it is of a rank; else 0. */
  exclusiveNoRank: numbers(),
  /** 1 where its numbers are 0 since the recording has none of it. */
  missing: integers(0, 1),
  /** Of the drawn height; for minima and maxima the drawing shows the mean. */
  hiddenShare: shares,
  contexts: integers(0, 2 ** 31 - 1),
  /** Index of the first entry of each, heaviest first; one more than bars. */
  firstEntry: integers(0, MARK_LIMIT, MARK_LIMIT + 1),
  /** Entries that were left out: there are more than a message holds. */
  moreEntries: integers(0, 2 ** 31 - 1),
  finer: integers(NONE, finerLevels.length - 1),
  /** The group that `collapse` brings back. */
  collapsible: textOrNone,
  /** The same bar in the other graph, where that has no bar of its own. */
  other: v.optional(
    v.object({
      inclusive: numbers(),
      exclusive: numbers(),
      missing: integers(0, 1),
      noRank: numbers(),
      exclusiveNoRank: numbers(),
    }),
  ),
});

const entries = v.object({
  name: text,
  /** What is shown in its place. */
  shown: text,
  inclusive: numbers(),
  /** Of what lies below the entry in its bar, other functions of the group too (semantics 2.4). */
  inGroup: numbers(),
  /** What the function costs itself, wherever it is called; absent for extremes over ranks. */
  exclusive: v.exactOptional(numbers()),
  place: textOrNone,
});

/** Names, folded callers and inner functions of a first picture's bars (semantics 2.7). Lists follow each other, with the index of each bar's first. */
const first = v.object({
  /** Bars in the order in which they are named. */
  names: index,
  /** Groups that are folded into each bar, from the top: the first few names, and the number of the others. */
  holds: v.object({
    first: integers(0, MARK_LIMIT, MARK_LIMIT + 1),
    name: text,
    more: integers(0, 2 ** 31 - 1),
  }),
  /** Heaviest functions of each bar, with their exclusive. */
  inside: v.object({ first: integers(0, MARK_LIMIT, MARK_LIMIT + 1), name: text, exclusive: numbers() }),
});

const half = v.object({
  /** "ranks 0, 4", "np8-r1.cali". */
  name: sentence,
  /** In little room, of two recordings: what tells them apart. */
  short: v.optional(sentence),
  /** "ranks 0, 4 · mean 2.66 s". */
  title: sentence,
  total: amount,
  /** "mean over ranks 0, 4". */
  combined: sentence,
});
export type Half = v.InferOutput<typeof half>;

const pair = v.object({
  kind: v.picklist(["members", "runs"]),
  /** One graph with the numbers of the first, each bar with those of the second beside. */
  merged: v.boolean(),
  halves: v.tuple([half, half]),
});
export type PairOfGraphs = v.InferOutput<typeof pair>;

export const superGraphContent = v.pipe(
  v.object({
    metric: name,
    unit: name,
    /** How ranks were combined, in words; "" where the recording has none. */
    combined: v.pipe(v.string(), v.maxLength(4096)),
    /** Why its numbers are spread over nothing: there is no histogram of a bar then. */
    unspread: v.exactOptional(sentence),
    /** Why there is no correlation of a bar: without members it is one of functions. */
    uncorrelated: v.exactOptional(sentence),
    total: amount,
    /** Functions kept by the filter, and what the filter took away. */
    functions: count,
    hiddenFunctions: count,
    hiddenExclusive: amount,
    texts: list(name, MOST_TEXTS),
    bars,
    entries,
    first: v.exactOptional(first),
    pair: v.optional(pair),
    /** The graph that this one was made from, and for each bar the one of that graph where it begins, or {@link NONE}. */
    from: v.optional(v.object({ revision: count, bars: integers(NONE, MARK_LIMIT) })),
  }),
  v.check(({ texts, bars, entries, pair, from, first }) => {
    const size = bars.group.length;
    const { other, firstEntry, ...own } = bars;
    const marks = entries.name.length;
    return (
      size + marks <= MARK_LIMIT &&
      Object.values(own).every((column) => column.length === size) &&
      [other?.inclusive, other?.exclusive, other?.missing, from?.bars].every(
        (column) => !column || column.length === size,
      ) &&
      Object.values(entries).every((column) => column.length === marks) &&
      isDivided(firstEntry, size, marks) &&
      (first === undefined || isFirstOf(first, size, texts.length)) &&
      [bars.group, bars.label, bars.shown, bars.collapsible, entries.name, entries.shown, entries.place].every((all) =>
        all.every((at) => at < texts.length),
      ) &&
      (pair === undefined || (pair.merged ? other !== undefined : size % 2 === 0))
    );
  }),
);
export type SuperGraphContent = v.InferOutput<typeof superGraphContent>;

const flows = v.object({
  source: index,
  target: index,
  inclusive: numbers(),
  thickness: numbers(),
  /** 1: it is drawn while one of its bars is pointed at or selected, and not before. */
  thin: integers(0, 1),
  /** Index of the first of each one's points, and one more. */
  first: integers(0, MOST_NUMBERS, MARK_LIMIT + 1),
  /** x and y in turn; two points from each level to the next. */
  points: numbers(MOST_NUMBERS),
});

/** Where everything is, at one size of the panel. */
const layout = v.pipe(
  v.object({
    kind: v.literal("layout"),
    width: amount,
    height: amount,
    /** Pixels of height per unit of the metric; 0 where nothing has a height. */
    pixelsPerUnit: v.pipe(v.number(), v.finite(), v.minValue(0)),
    /** Where the titles of two graphs stand. */
    headings: v.optional(v.pipe(list(amount, 2), v.length(2))),
    /** Bars whose heights are not to scale. */
    broken: v.optional(index),
    /** x, y, width and height of one bar after the other. */
    boxes: numbers(4 * MARK_LIMIT),
    flows,
  }),
  v.check(({ boxes, broken, flows: { first, points, ...columns } }) => {
    const size = columns.source.length;
    const ends = [...columns.source, ...columns.target];
    return (
      Object.values(columns).every((column) => column.length === size) &&
      isDivided(first, size, points.length) &&
      first.every((at, flow) => at % 2 === 0 && (flow === 0 || at - first[flow - 1] >= 4)) &&
      [...ends, ...(broken ?? [])].every((bar) => 4 * bar < boxes.length)
    );
  }),
);
export type GraphLayoutPart = v.InferOutput<typeof layout>;

/** Bins of a histogram on a bar. */
export const MINI_BINS = 16;
/** Of so many members or fewer a histogram has a column for each, in their order. */
const MOST_COLUMNS = 32;

/** Of each bar; they come after the drawing, which does not wait for them. */
const histograms = v.pipe(
  v.object({
    kind: v.literal("histograms"),
    of: v.picklist(["exclusive", "inclusive"]),
    /** "rank", "thread". */
    member: name,
    /** "ranks 0–7"; of two graphs with other members "ranks 0–7; ranks 0–1". */
    members: name,
    minimum: numbers(),
    mean: numbers(),
    maximum: numbers(),
    /** Negative where the mean is 0. */
    imbalance: numbers(),
    /** The member with the largest value. */
    slowest: list(name, MARK_LIMIT),
    /** Index of the first bin of each, and one more. */
    first: integers(0, MINI_BINS * MARK_LIMIT, MARK_LIMIT + 1),
    counts: integers(0, 2 ** 31 - 1, MINI_BINS * MARK_LIMIT),
    /** How many members count: of two graphs each has its own. */
    counting: integers(0, 2 ** 31 - 1),
    /** Theirs, of one bar after the other; empty where they are too many for a column each, or where two graphs have not as many. */
    values: numbers(MOST_COLUMNS * MARK_LIMIT),
  }),
  v.check(
    ({ first, counts, minimum, mean, maximum, imbalance, slowest, counting, values }) =>
      (values.length === 0 || counting.every((one) => values.length === one * minimum.length)) &&
      [mean, maximum, imbalance, slowest, counting].every(({ length }) => length === minimum.length) &&
      isDivided(first, minimum.length, counts.length),
  ),
);
export type GraphHistograms = v.InferOutput<typeof histograms>;

/** What of it is shown, and how. */
const look = v.object({
  kind: v.literal("look"),
  colour: v.picklist(colourChoices),
  histograms: v.picklist(histogramChoices),
});

/** A value of one side of a comparison; null: it has none. */
const side = v.nullable(v.pipe(v.number(), v.finite()));

/** Functions by |difference| of their exclusive, the largest first. */
const changes = v.object({
  kind: v.literal("changes"),
  /** What counts as changed: a share of the larger total; and how many functions did. */
  from: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  changed: count,
  rows: list(
    v.object({
      name,
      shown: v.optional(name),
      baseline: side,
      candidate: side,
      place: v.optional(name),
      /** The bar that it is in, of the candidate where there are two drawings; {@link NONE}: not looked up, or filtered. */
      bar: v.pipe(v.number(), v.integer(), v.minValue(NONE), v.maxValue(MARK_LIMIT)),
    }),
    500,
  ),
});
export type GraphChanges = v.InferOutput<typeof changes>;

/** The function with the largest exclusive; 0: nothing costs anything. */
const hottest = v.object({
  kind: v.literal("hottest"),
  name,
  shown: v.optional(name),
  exclusive: v.pipe(v.number(), v.finite()),
  /** Imbalance of computing, the longest wording first; empty if it is not known. */
  imbalance: list(name, 3),
});

export const superGraphPart = v.variant("kind", [layout, histograms, changes, hottest, look]);
export type SuperGraphPart = v.InferOutput<typeof superGraphPart>;

/** Whether what a first picture says is about so many bars, in so many texts. */
function isFirstOf({ names, holds, inside }: v.InferOutput<typeof first>, bars: number, texts: number): boolean {
  return (
    names.every((bar) => bar < bars) &&
    isDivided(holds.first, bars, holds.name.length) &&
    holds.more.length === bars &&
    isDivided(inside.first, bars, inside.name.length) &&
    inside.exclusive.length === inside.name.length &&
    [holds.name, inside.name].every((all) => all.every((at) => at < texts))
  );
}

/** Whether a column of first indices divides so many things among so many owners. */
function isDivided(first: Int32Array, owners: number, things: number): boolean {
  const isAscending = first.every((at, owner) => owner === 0 || at >= first[owner - 1]);
  return first.length === owners + 1 && first[0] === 0 && first[owners] === things && isAscending;
}
