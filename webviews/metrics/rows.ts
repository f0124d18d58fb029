/** Where rows lie below each other: all as high as each other. Pure. */

/** Pixels: of a row with its name, where there is little room, where rows are scrolled, and where there is much. */
const LEAST = 46;
const SCROLLED = 52;
const MOST = 220;
/** Above the first row, of the line of a row's name, and below each row. */
const TOP = 8;
export const NAMED = 16;
const BELOW = 7;

export interface Layout {
  /** Of one row. */
  readonly pitch: number;
  /** Of all rows. */
  readonly height: number;
}

/** Where a row lies, from the top of all rows on: all of it, and what is below the line of its name. */
export interface RowPlace {
  readonly y: number;
  readonly height: number;
  readonly plotY: number;
  readonly plotHeight: number;
}

/** @param room pixels below the ruler */
export function layoutOf(rows: number, room: number): Layout {
  const share = Math.floor((room - TOP) / Math.max(1, rows));
  const pitch = share < LEAST ? SCROLLED : Math.min(MOST, share);
  return { pitch, height: TOP + rows * pitch };
}

/** @param at its place in the order of rows */
export function rowPlace({ pitch }: Layout, at: number): RowPlace {
  const y = TOP + at * pitch;
  return { y, height: pitch - BELOW, plotY: y + NAMED, plotHeight: pitch - BELOW - NAMED };
}

/** Places in the order of rows that meet a stretch of the layout. @param rows how many there are */
export function placesBetween({ pitch }: Layout, rows: number, top: number, bottom: number): number[] {
  const first = Math.max(0, Math.floor((top - TOP) / pitch));
  const end = Math.min(rows, Math.ceil((bottom - TOP) / pitch));
  return Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
}
