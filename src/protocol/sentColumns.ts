/** The columns of a super graph's messages: entries, flows and geometry, every text once. */
import * as v from "valibot";
import { amount, columnOf, isAmount, isCount, isIndex, isName, MARK_LIMIT } from "./bounds";

export const NOWHERE = -1;

const isLength = (value: unknown): value is number => Number.isSafeInteger(value);
export const isIndexOrNone = (value: unknown): value is number => value === NOWHERE || isIndex(value);
/** There may be more texts than marks; whether there is one with this number is seen when they are put together. */
const isText = isCount;
const isTextOrNone = (value: unknown): value is number => value === NOWHERE || isText(value);

/** Names and places of entries; columns of the message hold indices of them. */
export const sentTexts = columnOf(isName, 2 * MARK_LIMIT);

/** Entries of one bar after the other. */
export const sentEntries = v.object({
  /** How many each bar has. */
  count: columnOf(isIndex),
  name: columnOf(isText),
  inclusive: columnOf(isAmount),
  exclusive: columnOf(isAmount),
  /** -1: none. */
  place: columnOf(isTextOrNone),
});

export const sentFlows = v.object({
  source: columnOf(isIndex),
  target: columnOf(isIndex),
  inclusive: columnOf(isAmount),
});

export const sentGeometry = v.object({
  width: amount,
  height: amount,
  /** Where the titles of two graphs stand. */
  headings: v.optional(v.pipe(v.array(amount), v.length(2))),
  /** Pixels of height a unit of the metric; 0 where nothing has a height. */
  pixelsPerUnit: v.pipe(v.number(), v.finite(), v.minValue(0)),
  /** x, y, width and height of one bar after the other. */
  bars: columnOf(isLength, 4 * MARK_LIMIT),
  /** Of each level where flows arrive and where they leave, x in turn. */
  columns: columnOf(isLength),
  flows: v.object({
    thickness: columnOf(isLength),
    /** The level of the source, and how many levels further the target is. */
    level: columnOf(isCount),
    levels: columnOf(isCount),
    /** Of the middle, on the level of the source and on each one further: a flow passes a level without rising or falling. */
    y: columnOf(isLength, 50 * MARK_LIMIT),
  }),
});
export type SentGeometry = v.InferOutput<typeof sentGeometry>;
