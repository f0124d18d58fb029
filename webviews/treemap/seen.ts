/** What a page keeps of the topology in sight. */
import * as v from "valibot";
import { list } from "../../src/protocol/bounds";
import { seenViewport } from "../kit/stage/viewport";

export const MOST_PINS = 2000;

export const treemapSeen = v.object({
  viewport: v.optional(seenViewport),
  /** Pins are of one recording and grouping. */
  subject: v.string(),
  /** What it is called, and where it is in the layout's lengths. */
  pins: list(v.tuple([v.string(), v.number(), v.number()]), MOST_PINS),
  /** The drag that is under way: where it began, and the mark that it moves; -1: it moves everything. */
  drag: v.optional(v.object({ x: v.number(), y: v.number(), mark: v.number() })),
});
export type TreemapSeen = v.InferOutput<typeof treemapSeen>;
