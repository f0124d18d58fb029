/** Where things that lie over the page stand: within the window, and not on what they belong to. */

/** A rectangle of the window. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const GAP = 6;

/**
 * Puts an element beside an area: right, left, below or above of it, the first side with room for all of it; where there is none,
 * into the corner of the window that is farthest from the area's middle.
 *
 * @param first "below" for controls, whose neighbours stand beside them
 */
export function placeBeside(element: HTMLElement, area: Area, first: "beside" | "below" = "beside"): void {
  const { width, height } = element.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  const x = within(area.left, innerWidth - width);
  const y = within(area.top, innerHeight - height);
  const right = area.right + GAP + width <= innerWidth ? { left: area.right + GAP, top: y } : undefined;
  const left = area.left - GAP - width >= 0 ? { left: area.left - GAP - width, top: y } : undefined;
  const below = area.bottom + GAP + height <= innerHeight ? { left: x, top: area.bottom + GAP } : undefined;
  const above = area.top - GAP - height >= 0 ? { left: x, top: area.top - GAP - height } : undefined;
  const sides = first === "beside" ? [right, left, below, above] : [below, above, right, left];
  const corner = {
    left: area.left + area.right > innerWidth ? 0 : Math.max(0, innerWidth - width),
    top: area.top + area.bottom > innerHeight ? 0 : Math.max(0, innerHeight - height),
  };
  const place = sides.find((side) => side !== undefined) ?? corner;
  element.style.left = `${Math.round(place.left)}px`;
  element.style.top = `${Math.round(place.top)}px`;
}

function within(wanted: number, most: number): number {
  return Math.max(0, Math.min(wanted, most));
}
