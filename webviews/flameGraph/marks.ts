/** What of a drawing is painted where, in pixels and colours: the same for the screen and for saved pictures. Pure. */
import { categoryColor, inkOn } from "../shared/categories";
import { fitName, type Measure } from "../shared/text";
import type { Theme } from "../shared/theme";
import type { Rectangles } from "./rectangles";

export const ROW = 19;
export const FONT_SIZE = 12;
/** Narrower rectangles have no name. */
const NAMED = 26;
/** Thinner lines between rectangles than that would hide them. */
const OUTLINED = 3;

export interface Sight {
  /** Shares of the drawing's width. */
  readonly from: number;
  readonly to: number;
  /** Rows above the pane (callers: below it), not necessarily whole. */
  readonly row: number;
}

export interface Area {
  readonly width: number;
  readonly height: number;
  /** Callers grow upwards. */
  readonly upwards: boolean;
}

export interface Mark {
  readonly at: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  readonly ink: string;
  readonly outline: string | undefined;
  readonly label: string;
  readonly dimmed: boolean;
  /** What is hidden is hatched, what is called out of the bar has a broken outline. */
  readonly style: "plain" | "hatched" | "outgoing";
}

export function boxOf(x: number, width: number, depth: number, sight: Sight, area: Area) {
  const scale = area.width / (sight.to - sight.from);
  const left = Math.max(-2, (x - sight.from) * scale);
  const right = Math.min(area.width + 2, (x + width - sight.from) * scale);
  const row = (depth - sight.row) * ROW;
  return {
    x: left,
    y: area.upwards ? area.height - ROW - row : row,
    width: Math.max(0, right - left),
    height: ROW - 1,
  };
}

export function marksOf(rectangles: Rectangles, sight: Sight, area: Area, theme: Theme, measure: Measure): Mark[] {
  const { message } = rectangles;
  const isSearched = message.found !== undefined;
  const marks: Mark[] = [];
  for (let at = 0; at < rectangles.count; at++) {
    const box = boxOf(message.x[at], message.width[at], message.depth[at], sight, area);
    if (box.x >= area.width || box.x + box.width <= 0 || box.y >= area.height || box.y + ROW <= 0) continue;
    const fill = fillOf(rectangles, at, theme);
    const left = Math.max(0, box.x);
    const room = Math.min(area.width, box.x + box.width) - left - 8;
    marks.push({
      at,
      ...box,
      fill,
      ink: inkOn(fill),
      outline: box.width >= OUTLINED ? theme.outline : undefined,
      label: room + 8 >= NAMED ? fitName(rectangles.name(at), room, measure) : "",
      dimmed: isSearched && !rectangles.isFound(at),
      style: rectangles.isHidden(at) ? "hatched" : rectangles.isOutgoing(at) ? "outgoing" : "plain",
    });
  }
  return marks;
}

function fillOf(rectangles: Rectangles, at: number, theme: Theme): string {
  const { message } = rectangles;
  if (rectangles.isRun(at) || rectangles.isHidden(at) || rectangles.isOutgoing(at)) return theme.flow;
  if (message.groups.length > 0)
    return (message.group[at] < 0 ? undefined : categoryColor(message.group[at])) ?? theme.flow;
  return theme.amount(message.hottest > 0 ? message.exclusive[at] / message.hottest : 0);
}
