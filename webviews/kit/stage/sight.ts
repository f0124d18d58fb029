/** The part of a drawing that is in sight: shares of its width, and how many rows are above it. Pure. */
import * as v from "valibot";
import type { Place, Stretch } from "../../../src/protocol/panel";
import type { Box, Point } from "./scene";

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** Rows need not be whole. */
export const sight = v.object({ from: share, to: share, row: v.pipe(v.number(), v.minValue(0), v.maxValue(1e8)) });
export type Sight = v.InferOutput<typeof sight>;

export const WHOLE: Sight = { from: 0, to: 1, row: 0 };

/** What people do to see another part. */
export type Gesture =
  /** About a point of the drawing, or, by key, about the mark that has the focus. */
  | { readonly kind: "zoom"; readonly factor: number; readonly at?: Point; readonly mark?: number }
  /** Pixels by which the sight moves. */
  | { readonly kind: "pan"; readonly at: Point; readonly dx: number; readonly dy: number }
  /** A place, as wide as the drawing. */
  | { readonly kind: "fill"; readonly place: Place }
  /** A place that is not in sight, or too narrow to be seen there. */
  | { readonly kind: "reveal"; readonly place: Place }
  /** Rows that are highlighted elsewhere: where none of them is in sight, the first one is to be. */
  | { readonly kind: "rows"; readonly rows: readonly number[] }
  | { readonly kind: "fit" }
  /** A part of the whole, by shares of its width. */
  | { readonly kind: "window"; readonly from: number; readonly to: number }
  /** Seconds, of a drawing over time; absent: the whole run. */
  | { readonly kind: "show"; readonly window?: Stretch }
  /** What is between the sides of a box, or in a place, is to be measured; of nothing: nothing any more. */
  | { readonly kind: "measure"; readonly box?: Box; readonly isUnderWay?: boolean; readonly place?: Place }
  /** A click where there is no mark. */
  | { readonly kind: "press"; readonly at: Point }
  /** Rows of a group are hidden; of none: those of all groups are shown. */
  | { readonly kind: "fold"; readonly group?: number }
  /** One of several tables is to be open; of what it is to be, where it is of something. @see TableTab */
  | { readonly kind: "list"; readonly list: string; readonly of?: number }
  /** What is measured is what other stretches are compared with; again, or where nothing is measured: nothing any more. */
  | { readonly kind: "baseline" }
  /** One of the phases that a drawing over time names becomes its window: by its number, or beside the one in sight. */
  | { readonly kind: "phase"; readonly to: number | "next" | "previous" }
  /** To what was in sight before, and to what was after it. */
  | { readonly kind: "back" | "forward" };

/** What there is room for. */
export interface Room {
  /** Pixels. */
  readonly width: number;
  /** Rows that have room, and rows that there are. */
  readonly rows: number;
  readonly levels: number;
}

/** Narrower parts of the whole are not told apart. */
const SMALLEST_SPAN = 1e-7;
/** Narrower marks are not seen; pixels. */
const SEEN = 3;

/** Zooms about a share of what is in sight, which stays where it is. */
export function zoomed({ from, to, row }: Sight, factor: number, about: number, room: Room): Sight {
  const span = within((to - from) / factor, SMALLEST_SPAN, 1);
  return inBounds(from + (to - from - span) * about, span, row, room);
}

/** @param rows by which it moves down */
export function panned({ from, to, row }: Sight, pixels: number, rows: number, room: Room): Sight {
  return inBounds(from + (pixels / Math.max(1, room.width)) * (to - from), to - from, row + rows, room);
}

export function filled({ row }: Sight, { x, width }: Pick<Place, "x" | "width">, room: Room): Sight {
  return inBounds(x, width, row, room);
}

/** The same sight where the place is seen in it. */
export function revealing(now: Sight, { x, width, row }: Place, room: Room): Sight {
  const { from, to } = now;
  const span = to - from;
  const pixels = (width / span) * room.width;
  const isNear = x < to && x + width > from && pixels >= SEEN;
  const isInRows = row >= now.row && row < now.row + Math.max(1, Math.floor(room.rows)) - 1;
  if (isNear && isInRows) return now;
  const top = isInRows ? now.row : row - Math.floor(room.rows / 2);
  if (isNear) return inBounds(from, span, top, room);
  const wanted = pixels >= SEEN ? span : within(width * 5, SMALLEST_SPAN, 1);
  return inBounds(x + width / 2 - wanted / 2, wanted, top, room);
}

/** A drawing of rows: where it lies, and how many levels it has. */
export interface Rows {
  readonly area: Box;
  /** Pixels of a row. */
  readonly row: number;
  readonly levels: number;
  /** Later rows stand above earlier ones. */
  readonly isUpwards: boolean;
  /** Where a mark of it lies; of another drawing it is nowhere. */
  placeOf(mark: number): Place | undefined;
  /** Whether a mark, of the content or not, is of this drawing. */
  has(mark: number): boolean;
}

/** What a gesture makes of the sight of one drawing; the same where the gesture is not about it. */
export function follow(now: Sight, gesture: Gesture, { area, row, levels, isUpwards, placeOf, has }: Rows): Sight {
  const room = { width: area.width, rows: area.height / row, levels };
  const isAt = ({ y }: Point) => y >= area.y && y <= area.y + area.height;
  switch (gesture.kind) {
    case "fit":
      return WHOLE;
    case "zoom": {
      const { factor, at, mark } = gesture;
      if (at) return isAt(at) ? zoomed(now, factor, (at.x - area.x) / area.width, room) : now;
      if (mark !== undefined && !has(mark)) return now;
      const place = mark === undefined ? undefined : placeOf(mark);
      const middle = place ? (place.x + place.width / 2 - now.from) / (now.to - now.from) : 0.5;
      return zoomed(now, factor, within(middle, 0, 1), room);
    }
    case "pan":
      return isAt(gesture.at) ? panned(now, gesture.dx, (isUpwards ? -gesture.dy : gesture.dy) / row, room) : now;
    case "fill":
      return has(gesture.place.mark) ? filled(now, gesture.place, room) : now;
    case "reveal":
      return has(gesture.place.mark) ? revealing(now, gesture.place, room) : now;
    default:
      return now;
  }
}

/** As near to what is wanted as there is something to see. */
function inBounds(from: number, span: number, row: number, { rows, levels }: Room): Sight {
  const wide = within(span, SMALLEST_SPAN, 1);
  const left = within(from, 0, 1 - wide);
  return { from: left, to: Math.min(1, left + wide), row: within(row, 0, Math.max(0, levels - Math.floor(rows) + 1)) };
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
