/** What of a timeline is in sight, and where that lies. Pure. */
import * as v from "valibot";
import { list } from "../../src/protocol/bounds";
import type { TimelineContent } from "../../src/protocol/timeline";
import { stretch } from "../../src/protocol/panel";
import { type TimelineList, timelineLists } from "../../src/protocol/timelineLists";
import type { Box, DrawView } from "../kit/stage/scene";
import { timeArea, wholeRun, windowSeen } from "../kit/time/window";
import { longestWordings } from "./laneNames";
import { type Layout, layoutOf } from "./rows";

/** Pixels, of the row of phases, and of one of counters (look, section 4). */
export const PHASE_ROW = 16;
export const COUNTER_ROW = 34;
/** Of the room for lanes, counters take at most this part. */
const MOST_COUNTED = 0.4;

export const timelineSeen = v.object({
  ...windowSeen,
  /** What is measured is of this lane alone; absent: of all that are shown. */
  lane: v.optional(v.number()),
  /** What the functions of a stretch are compared with: those of this one, in a lane or in all that are shown. */
  baseline: v.optional(v.object({ ...stretch.entries, lane: v.optional(v.number()) })),
  folded: list(v.number(), 20_000),
  /** A lane shows this depth, too, if need be instead of those with most time. */
  deep: v.optional(v.object({ lane: v.number(), depth: v.number() })),
  /** The table that was opened last. */
  list: v.optional(v.picklist(timelineLists)),
  /** The function whose occurrences were asked for last. */
  of: v.optional(v.number()),
});
export type TimelineSeen = v.InferOutput<typeof timelineSeen>;

export function seenOf(content: TimelineContent, seen: TimelineSeen | undefined): TimelineSeen {
  const folded = content.brief === undefined ? [] : [content.brief];
  return seen?.subject === content.subject ? seen : { ...wholeRun(content), folded };
}

/** The table that is open: the one that was opened, else that of what is measured. */
export function listOf(
  { list, range, baseline }: TimelineSeen,
  { path, hasWaits, phases }: TimelineContent,
): TimelineList {
  const isThere =
    list !== undefined &&
    {
      sight: true,
      functions: true,
      differences: baseline !== undefined,
      occurrences: true,
      waits: hasWaits,
      path: path !== undefined,
      phases: phases !== undefined,
    }[list];
  return isThere ? list : range ? "functions" : "sight";
}

/** Where lanes are drawn: below the ruler, and the row of phases where there is one, above the counters. */
export function areaOf(content: TimelineContent, view: DrawView): Box {
  return areasOf(content, view).lanes;
}

/** Where lanes and counters are drawn; counters that leave lanes too little room are left out. */
export function areasOf(content: TimelineContent, view: DrawView): { readonly lanes: Box; readonly counters: Box } {
  const { phases, counterRows } = content;
  const { y, height, ...area } = timeArea(longestWordings(content), view);
  const row = phases && phases.name.length > 0 ? PHASE_ROW : 0;
  const room = Math.max(1, height - row);
  const rows = Math.min(counterRows, Math.floor((room * MOST_COUNTED) / COUNTER_ROW));
  const below = rows * COUNTER_ROW;
  const lanes = { ...area, y: y + row, height: room - below };
  return { lanes, counters: { ...area, y: lanes.y + lanes.height, height: below } };
}

export function layoutIn(content: TimelineContent, { folded, deep }: TimelineSeen, area: Box): Layout {
  return layoutOf(content, folded, area.height, deep);
}
