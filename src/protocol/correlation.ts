/**
 * What the correlation's page draws. Values are in their metric's unit. A mark (a point, or a cell of a density) is named by its
 * index.
 */
import * as v from "valibot";
import { locationUnits } from "../model/members";
import { amount, count, list, MARK_LIMIT, name } from "./bounds";
import { integers, numbers } from "./columns";
import { pin } from "./pin";

/** What a point stands for. */
const pointKind = v.picklist([...locationUnits, "context", "function"]);
const value = v.picklist(["exclusive", "inclusive"]);

export const axisNames = ["x", "y"] as const;
export type AxisName = (typeof axisNames)[number];

const axisState = v.object({
  /** Name of a metric; absent: the one that other views show. */
  metric: v.optional(name),
  value,
  of: v.picklist(["selection", "whole", "mpi", "pinned"]),
  /** What is kept on this axis, also while another choice is shown. */
  pin: v.optional(pin),
});

/** What a panel remembers. */
export const correlationState = v.object({
  /** Absent: the first kind that the recording has several of. */
  points: v.optional(pointKind),
  /** What axes show that follow the selection; absent: the whole recording. */
  subject: v.optional(pin),
  x: axisState,
  y: axisState,
});
export type CorrelationState = v.InferOutput<typeof correlationState>;

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

const extent = v.tuple([amount, amount]);

export const correlationContent = v.pipe(
  v.object({
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
    names: list(name, MARK_LIMIT),
    called: integers(0, MARK_LIMIT - 1),
    xs: numbers(),
    ys: numbers(),
    /** Set where there are too many points for marks of their own: then a mark is a cell, with the point that stands for it. */
    density: v.optional(
      v.object({
        columns: v.pipe(count, v.minValue(1)),
        rows: v.pipe(count, v.minValue(1)),
        x: extent,
        y: extent,
        /** By row, then column; row 0 has the smallest y. */
        cells: integers(0, 2 ** 31 - 1),
        counts: integers(1, 2 ** 31 - 1),
      }),
    ),
  }),
  v.check(
    ({ names, called, xs, ys, density }) =>
      [xs, ys, density?.cells, density?.counts].every((all) => !all || all.length === called.length) &&
      called.every((at) => at < names.length) &&
      (!density || density.cells.every((cell) => cell < density.columns * density.rows)),
  ),
);
export type CorrelationContent = v.InferOutput<typeof correlationContent>;

/** Points of chosen members. */
export const correlationChosen = v.object({ marks: integers(0, MARK_LIMIT - 1) });
export type CorrelationChosen = v.InferOutput<typeof correlationChosen>;

/** Points are contexts or functions, which are selected; members are chosen. */
export function isOfCode(points: CorrelationContent["points"]): boolean {
  return points === "context" || points === "function";
}
