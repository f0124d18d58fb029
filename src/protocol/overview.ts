/**
 * What the overview's page draws: parts of a trace, each of neighbouring leaves (by their places from top to bottom) and slices of time.
 * Times are seconds of the trace. A mark is the index of a part; findings come after all parts there may be.
 */
import * as v from "valibot";
import { eventKinds } from "../model/eventKinds";
import { amount, count, list, MARK_LIMIT, name, sentence } from "./bounds";
import { integers, numbers, ownColors } from "./columns";

export { eventKinds } from "../model/eventKinds";

export const kinds = ["spatiotemporal", "temporal", "hierarchical"] as const;
/** What is drawn of a part: the state that it is in most, all of its states stacked, or the part alone. */
export const showings = ["mode", "proportion", "partition"] as const;
export const byes = ["function", "category", "module"] as const;
export const metrics = ["duration", "mean", "count", "variable"] as const;

/** Leaves and slices of a drawing, and entries that can be chosen. */
export const MOST_LEAVES = 20_000;
/** Leaves that a hierarchy file names: a recording may have more than are drawn. */
const MOST_PATHS = 1_000_000;
export const MOST_SLICES = 10_000;
const MOST_ENTRIES = 1100;
const MOST_STATES = 300;
const MOST_FINDINGS = 20;
/** The first mark of a finding. */
export const FINDINGS = MARK_LIMIT;

const place = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MOST_LEAVES));

const slice = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MOST_SLICES));

/** What a panel remembers. */
export const overviewState = v.object({
  /** The strength of aggregation, in 1024ths; absent: the one that is shown first. */
  strength: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1024))),
  slices: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MOST_SLICES)),
  kind: v.picklist(kinds),
  metric: v.picklist(metrics),
  /** Name of the variable, where that is the metric. */
  variable: v.optional(name),
  normalize: v.boolean(),
  /** Leaves of each group; 0: as recorded; absent: as recorded, as names tell, or as the data shows. */
  every: v.optional(place),
  /** What resources belong to as somebody said it, in place of that: by a rule, or in a file of this name by the path of each. */
  hierarchy: v.optional(
    v.variant("kind", [
      v.object({ kind: v.literal("every"), count: v.pipe(v.number(), v.safeInteger(), v.minValue(1)), name }),
      v.object({
        kind: v.literal("paths"),
        file: name,
        // No object by name: a resource may be called `constructor`, which no record of the schemas takes.
        paths: list(v.tuple([name, list(name, 100)]), MOST_PATHS),
      }),
    ]),
  ),
  stateType: v.optional(name),
  shows: v.optional(v.picklist(showings)),
  by: v.optional(v.picklist(byes)),
  /** States have the colours that the recording says, where it does; absent: those of their kinds. */
  ownColors: v.optional(v.boolean()),
  /** States that are left out, and leaves that are looked at, by their names. */
  without: v.optional(list(name, 100)),
  only: v.optional(list(name, 1000)),
  /** The part whose cells are drawn, where it is one of the parts: first leaf and number of leaves, first and last slice. */
  cells: v.optional(v.object({ first: place, size: place, start: slice, end: slice })),
});
export type OverviewState = v.InferOutput<typeof overviewState>;

const finding = v.object({
  kind: v.picklist(["time", "space", "group"]),
  from: amount,
  to: amount,
  /** Places. */
  leaves: integers(0, MOST_LEAVES, MOST_LEAVES),
  strength: amount,
  when: name,
  what: sentence,
  /** State, -1: none. */
  mode: v.pipe(v.number(), v.safeInteger(), v.minValue(-1), v.maxValue(MOST_STATES)),
});
export type FindingShown = v.InferOutput<typeof finding>;

/** Parts: first leaf and number of leaves, first and last slice, state (-1: empty) with its share, sign (0: as it is; 1, 2: of several). */
const parts = v.pipe(
  v.object({
    first: integers(0, MOST_LEAVES),
    size: integers(1, MOST_LEAVES),
    start: integers(0, MOST_SLICES),
    end: integers(0, MOST_SLICES),
    mode: integers(-1, MOST_STATES),
    share: numbers(MARK_LIMIT, (one) => one >= 0 && one <= 1.000001),
    sign: integers(0, 2),
    parts: integers(1, 2 ** 31 - 1),
    /** Of a cell in the mean: part · states + state; empty where that is not drawn. */
    means: numbers(MARK_LIMIT, (one) => one >= 0),
  }),
  v.check((columns) => {
    const { length } = columns.first;
    return Object.entries(columns).every(([column, values]) => column === "means" || values.length === length);
  }),
);

/** The parts of one entry, as they have room. */
export const overviewPart = v.object({ entry: count, shows: v.picklist(showings), parts });
export type OverviewPartShown = v.InferOutput<typeof overviewPart>;

/** The cells beneath a part, leaf by leaf: state (-1: empty) and its share; none: size 0. */
export const overviewCells = v.pipe(
  v.object({
    first: place,
    size: place,
    start: slice,
    end: slice,
    mode: integers(-1, MOST_STATES, MARK_LIMIT),
    share: numbers(MARK_LIMIT, (one) => one >= 0 && one <= 1.000001),
  }),
  v.check(
    ({ size, start, end, mode, share }) => mode.length === size * (end - start + 1) && share.length === mode.length,
  ),
);
export type OverviewCellsShown = v.InferOutput<typeof overviewCells>;

/** What comes after the content. */
export const overviewLater = v.union([overviewPart, overviewCells]);
export type OverviewLater = v.InferOutput<typeof overviewLater>;

export const overviewContent = v.pipe(
  v.object({
    from: amount,
    to: amount,
    slices: v.pipe(count, v.maxValue(MOST_SLICES)),
    leaves: place,
    metric: v.picklist(metrics),
    kind: v.picklist(kinds),
    shows: v.picklist(showings),
    /** States that are left out, and leaves of the recording. */
    without: count,
    allLeaves: place,
    states: list(name, MOST_STATES),
    /** Index into `eventKinds`; -1: of several. */
    stateKinds: integers(-1, eventKinds.length - 1, MOST_STATES),
    stateColors: ownColors(MOST_STATES),
    /** Of all values. */
    stateShares: numbers(MOST_STATES, (one) => one >= 0),
    /** By place. */
    leafNames: list(name, MOST_LEAVES),
    /** What leaves belong to: name, first place, number of leaves, depth below the root. */
    groups: v.object({
      names: list(name, MOST_LEAVES),
      first: integers(0, MOST_LEAVES, MOST_LEAVES),
      size: integers(1, MOST_LEAVES, MOST_LEAVES),
      depth: integers(0, MOST_LEAVES, MOST_LEAVES),
    }),
    /** Seconds of all leaves in which nothing was recorded. */
    uncovered: amount,
    /** By ascending strength. */
    entries: v.object({
      strength: numbers(MOST_ENTRIES),
      gain: numbers(MOST_ENTRIES),
      loss: numbers(MOST_ENTRIES),
      parts: integers(0, 2 ** 31 - 1, MOST_ENTRIES),
    }),
    unlike: list(finding, MOST_FINDINGS),
    /** What comes when the entry is known. */
    shown: v.optional(overviewPart),
    cells: v.optional(overviewCells),
  }),
  v.check(
    ({ states, stateKinds, stateColors, stateShares, groups, entries, leafNames, leaves, unlike }) =>
      stateKinds.length === states.length &&
      stateColors.length === states.length &&
      stateShares.length === states.length &&
      [groups.first, groups.size, groups.depth].every(({ length }) => length === groups.names.length) &&
      [entries.gain, entries.loss, entries.parts].every(({ length }) => length === entries.strength.length) &&
      entries.strength.length > 0 &&
      leafNames.length === leaves &&
      leaves > 0 &&
      unlike.every((one) => one.mode < states.length && one.leaves.every((leaf) => leaf < leaves)),
  ),
);
export type OverviewContent = v.InferOutput<typeof overviewContent>;
