/**
 * Messages between the host and the correlation's webview. Both sides check what they receive with these schemas. Values
 * are in their metric's unit; a mark (a point, or a cell of a density) is named by its index in the scatter of the same
 * `revision`.
 */
import * as v from "valibot";
import { amount, count, index, MARK_LIMIT, name, parse, paths, sentence } from "./bounds";
import { fromEveryView, scopeControls, toEveryView } from "./panel";
import { pin } from "./pin";

/** What a point stands for. */
export const pointKinds = ["rank", "thread", "stream", "host", "run", "context", "function"] as const;
const pointKind = v.picklist(pointKinds);

const value = v.picklist(["exclusive", "inclusive"]);
export const axisNames = ["x", "y"] as const;
export type AxisName = (typeof axisNames)[number];

const axisState = v.object({
  /** Name of a metric; absent: the one that other views show. */
  metric: v.optional(name),
  value,
  of: v.picklist(["selection", "whole", "pinned"]),
  pin: v.optional(pin),
});
export type AxisState = v.InferOutput<typeof axisState>;

/** What a panel needs to come back after the window was reloaded. */
export const correlationState = v.object({
  files: paths,
  /** Absent: the first kind that the recording has several of. */
  points: v.optional(pointKind),
  x: axisState,
  y: axisState,
  table: v.optional(v.boolean()),
  search: v.optional(v.pipe(v.string(), v.maxLength(1000))),
});
export type CorrelationState = v.InferOutput<typeof correlationState>;

const axisControls = v.object({
  /** Absent: the one that other views show. */
  metric: v.optional(index),
  value,
  of: axisState.entries.of,
  pinned: v.optional(name),
});
export type AxisControls = v.InferOutput<typeof axisControls>;

const controls = v.object({
  type: v.literal("controls"),
  ...scopeControls,
  kinds: v.pipe(v.array(v.object({ kind: pointKind, label: name })), v.maxLength(pointKinds.length)),
  points: pointKind,
  /** Metrics that an axis can show. */
  additive: v.pipe(v.array(index), v.maxLength(1000)),
  x: axisControls,
  y: axisControls,
  /** What is selected somewhere in this data set. */
  selected: v.optional(name),
  /** Kept by the view for a reload. */
  restore: correlationState,
});
export type Controls = v.InferOutput<typeof controls>;

const axis = v.object({
  metric: name,
  unit: name,
  value,
  /** Absent: the whole recording, or, of contexts and functions, each its own. */
  of: v.optional(name),
});
export type Axis = v.InferOutput<typeof axis>;

const counted = { points: count, leftOut: count };
const fit = v.variant("kind", [
  v.object({ kind: v.literal("line"), ...counted, r: amount, slope: amount, intercept: amount }),
  v.object({ kind: v.literal("too-few"), ...counted }),
  v.object({ kind: v.literal("constant"), ...counted, constant: v.picklist(["x", "y", "both"]) }),
]);
export type Fit = v.InferOutput<typeof fit>;

const marks = <Schema extends v.GenericSchema>(schema: Schema) => v.pipe(v.array(schema), v.maxLength(MARK_LIMIT));
const extent = v.tuple([amount, amount]);

const scatter = v.object({
  type: v.literal("scatter"),
  revision: count,
  /** The last choice of members that was heard of: an answer to an earlier one is of no use to who goes on choosing. */
  choice: count,
  points: pointKind,
  /** What one is called, and several. */
  nouns: v.tuple([name, name]),
  /** How contexts and functions are combined over ranks. */
  over: v.optional(name),
  x: axis,
  y: axis,
  fit,
  /** Points, whether drawn one by one or counted by cell. */
  count,
  /** Distinct names, and which each mark has. */
  names: marks(name),
  called: marks(index),
  xs: marks(amount),
  ys: marks(amount),
  /** Marks that the restriction leaves something of; absent without one. */
  chosen: v.optional(marks(index)),
  /** Set where there are too many points for marks of their own: then a mark is a cell, with the point that stands for it. */
  density: v.optional(
    v.object({
      columns: v.pipe(count, v.minValue(1)),
      rows: v.pipe(count, v.minValue(1)),
      x: extent,
      y: extent,
      cells: marks(count),
      counts: marks(count),
    }),
  ),
  notes: v.pipe(v.array(sentence), v.maxLength(20)),
});
export type ScatterMessage = v.InferOutput<typeof scatter>;

/** What the restriction leaves; all points stay. */
const chosen = v.object({
  type: v.literal("chosen"),
  revision: count,
  choice: count,
  /** Absent without a restriction. */
  chosen: v.optional(marks(index)),
});

/** The context or function that is selected somewhere. */
const selection = v.object({ type: v.literal("selection"), revision: count, mark: v.optional(index) });

export const toCorrelation = v.variant("type", [controls, scatter, chosen, selection, ...toEveryView]);
export type ToCorrelation = v.InferOutput<typeof toCorrelation>;

/** The message when it is well formed and its parts fit together; else undefined. */
export function parseToCorrelation(message: unknown): ToCorrelation | undefined {
  const parsed = parse(toCorrelation, message);
  return parsed?.type === "scatter" && !isConsistent(parsed) ? undefined : parsed;
}

function isConsistent({ names, called, xs, ys, chosen, density }: ScatterMessage): boolean {
  const { length } = called;
  return (
    xs.length === length &&
    ys.length === length &&
    called.every((at) => at < names.length) &&
    (chosen ?? []).every((at) => at < length) &&
    (!density ||
      (density.cells.length === length &&
        density.counts.length === length &&
        density.cells.every((cell) => cell < density.columns * density.rows)))
  );
}

const ofMark = { revision: count, mark: index };

export const fromCorrelation = v.variant("type", [
  ...fromEveryView,
  v.object({ type: v.literal("set-points"), points: pointKind }),
  v.object({
    type: v.literal("set-axis"),
    axis: v.picklist(axisNames),
    /** -1: the one that other views show. */
    metric: v.optional(v.union([index, v.literal(-1)])),
    value: v.optional(value),
    /** `pin` keeps what is selected now. */
    of: v.optional(v.picklist(["selection", "whole", "pinned", "pin"])),
  }),
  v.object({ type: v.literal("swap-axes") }),
  /** Restricts to these members; to none: takes the restriction away. */
  v.object({ type: v.literal("choose"), revision: count, choice: count, marks: marks(index) }),
  /** A click on a context or function: select and show its hot line, focus stays here. */
  v.object({ type: v.literal("select"), ...ofMark }),
  /** Double click or Enter: go there. */
  v.object({ type: v.literal("open"), ...ofMark }),
]);
export type FromCorrelation = v.InferOutput<typeof fromCorrelation>;

export const parseFromCorrelation = (message: unknown): FromCorrelation | undefined => parse(fromCorrelation, message);
