/** What of a timeline is in sight, and where that lies. Pure. */
import * as v from "valibot";
import type { TimelineContent } from "../../src/protocol/timeline";
import { type TimelineList, timelineLists } from "../../src/protocol/timelineLists";
import type { Box, DrawView } from "../kit/stage/scene";
import { timeArea, wholeRun, windowSeen } from "../kit/time/window";
import { type Layout, layoutOf } from "./rows";

export const timelineSeen = v.object({
  ...windowSeen,
  folded: v.pipe(v.array(v.number()), v.maxLength(20_000)),
  /** The table that was opened last. */
  list: v.optional(v.picklist(timelineLists)),
  /** The function whose occurrences were asked for last. */
  of: v.optional(v.number()),
});
export type TimelineSeen = v.InferOutput<typeof timelineSeen>;

export function seenOf(content: TimelineContent, seen: TimelineSeen | undefined): TimelineSeen {
  return seen?.subject === content.subject ? seen : { ...wholeRun(content), folded: [] };
}

/** The table that is open: the one that was opened, else that of what is measured. */
export function listOf({ list, range }: TimelineSeen, { path, hasWaits }: TimelineContent): TimelineList {
  const isThere =
    list !== undefined &&
    { sight: true, functions: true, occurrences: true, waits: hasWaits, path: path !== undefined }[list];
  return isThere ? list : range ? "functions" : "sight";
}

export function areaOf({ longest }: TimelineContent, view: DrawView): Box {
  return timeArea(longest, view);
}

export function layoutIn(content: TimelineContent, { folded }: TimelineSeen, area: Box): Layout {
  return layoutOf(content, folded, area.height);
}
