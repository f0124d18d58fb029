/** What of a timeline is in sight, and where that lies. Pure. */
import * as v from "valibot";
import type { TimelineContent } from "../../src/protocol/timeline";
import { span, type Stretch, stretch } from "../../src/protocol/panel";
import type { Box, DrawView } from "../kit/stage/scene";
import { type Layout, layoutOf } from "./rows";

/** Windows that one can go back to. */
export const MOST_WINDOWS = 50;
/** Seconds: nothing is told apart in less. */
export const LEAST_SPAN = 2e-9;

export const timelineSeen = v.object({
  /** Of a content: elsewhere it means nothing. */
  subject: v.string(),
  ...span.entries,
  /** Pixels by which the lanes are scrolled. */
  top: v.number(),
  folded: v.pipe(v.array(v.number()), v.maxLength(20_000)),
  back: v.pipe(v.array(stretch), v.maxLength(MOST_WINDOWS)),
  forward: v.pipe(v.array(stretch), v.maxLength(MOST_WINDOWS)),
  /** What is measured. */
  range: v.optional(stretch),
  /** Its end is still moved. */
  isMeasuring: v.optional(v.boolean()),
});
export type TimelineSeen = v.InferOutput<typeof timelineSeen>;

/** Pixels: of the ruler, of the lanes' names (where there is much room for them, some, and little), of the bar that says where lanes are. */
export const RULER = 20;
export const GUTTERS = { wide: 150, some: 84, little: 44, least: 62 };
const NAME = 12;
export const SCROLLBAR = 8;

/** The end of the run; of one that takes no time, something is in sight, too. */
export function endOf({ start, end }: TimelineContent): number {
  return Math.max(end, start + LEAST_SPAN);
}

export function seenOf(content: TimelineContent, seen: TimelineSeen | undefined): TimelineSeen {
  const { subject, start } = content;
  if (seen?.subject === subject) return seen;
  return { subject, from: start, to: endOf(content), top: 0, folded: [], back: [], forward: [] };
}

/** Where lanes are drawn: beside their names, below the ruler. */
export function areaOf(content: TimelineContent, view: DrawView): Box {
  const { width, height } = view;
  const most = width >= 900 ? GUTTERS.wide : width >= 500 ? GUTTERS.some : GUTTERS.little;
  const x = Math.min(most, Math.max(GUTTERS.least, Math.ceil(view.measure(NAME)(content.longest)) + 14));
  return { x, y: RULER, width: Math.max(1, width - x), height: Math.max(1, height - RULER) };
}

export function layoutIn(content: TimelineContent, { folded }: TimelineSeen, area: Box): Layout {
  return layoutOf(content, folded, area.height);
}

/** Where time is drawn. */
export class Axis {
  private readonly perSecond: number;

  constructor(
    private readonly area: Box,
    private readonly window: Stretch,
  ) {
    this.perSecond = area.width / (window.to - window.from);
  }

  x(seconds: number): number {
    return this.area.x + (seconds - this.window.from) * this.perSecond;
  }

  seconds(x: number): number {
    return this.window.from + (x - this.area.x) / this.perSecond;
  }
}
