/** Where things that lie over the page stand: within the window, and not on what they belong to. */

/** A rectangle of the window. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Between a thing and what is said of it. */
export const GAP = 6;
/** Between a control and what it opens. */
export const BELOW = 3;

/**
 * Puts an element beside an area: right, left, below or above of it, the first side with room for all of it; where there is none,
 * into the corner of the window that is farthest from the area's middle.
 *
 * @param first "below" for controls, whose neighbours stand beside them
 * @param gap pixels between them
 * @param avoid what it does not lie over where another side has room, too
 */
export function placeBeside(
  element: HTMLElement,
  area: Area,
  first: "beside" | "below" = "beside",
  gap = GAP,
  avoid?: Area,
): void {
  // Measured in the corner: where it was before, the window's edge may have left it less width.
  element.style.left = element.style.top = "0";
  const { width, height } = element.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  const x = within(area.left, innerWidth - width);
  const y = within(area.top, innerHeight - height);
  const right = area.right + gap + width <= innerWidth ? { left: area.right + gap, top: y } : undefined;
  const left = area.left - gap - width >= 0 ? { left: area.left - gap - width, top: y } : undefined;
  const below = area.bottom + gap + height <= innerHeight ? { left: x, top: area.bottom + gap } : undefined;
  const above = area.top - gap - height >= 0 ? { left: x, top: area.top - gap - height } : undefined;
  const sides = first === "beside" ? [right, left, below, above] : [below, above, right, left];
  const corner = {
    left: area.left + area.right > innerWidth ? 0 : Math.max(0, innerWidth - width),
    top: area.top + area.bottom > innerHeight ? 0 : Math.max(0, innerHeight - height),
  };
  const possible = sides.filter((side) => side !== undefined);
  const isClear = ({ left: from, top }: { left: number; top: number }) =>
    !avoid || from >= avoid.right || from + width <= avoid.left || top >= avoid.bottom || top + height <= avoid.top;
  const place = possible.find(isClear) ?? possible.at(0) ?? corner;
  element.style.left = `${Math.round(place.left)}px`;
  element.style.top = `${Math.round(place.top)}px`;
}

function within(wanted: number, most: number): number {
  return Math.max(0, Math.min(wanted, most));
}
