/** Pointer and keyboard on the drawing, told as what the user meant. */
import { onDoubleClick } from "../shared/doubleClick";

/** A bin, or the position of a member. */
export interface Spot {
  readonly bin?: number;
  readonly member?: number;
}

export interface Intentions {
  spotAt(x: number, y: number): Spot;
  nearestBin(x: number): number | undefined;
  point(spot: Spot): void;
  leave(): void;
  focus(spot: Spot): void;
  /** A brush over bins, from where it began to where it is; `ended` when the pointer was let go. */
  brush(from: number, to: number, how: { readonly adds: boolean; readonly ended: boolean }): void;
  toggle(bin: number): void;
  /** Shift and an arrow: from where the first such press began. */
  extend(to: number): void;
  clear(): void;
  moveTo(spot: Spot): void;
  open(): void;
  menu(spot: Spot, at: { x: number; y: number }): void;
  search(): void;
}

export function listen(drawing: SVGSVGElement, intentions: Intentions): void {
  let from: number | undefined;
  const place = (event: MouseEvent) => {
    const { left, top } = drawing.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const spotOf = (event: MouseEvent): Spot => {
    const { x, y } = place(event);
    return intentions.spotAt(x, y);
  };
  const brush = (event: PointerEvent, ended: boolean) => {
    const to = intentions.nearestBin(place(event).x);
    if (from !== undefined && to !== undefined) intentions.brush(from, to, { adds: event.shiftKey, ended });
  };
  drawing.addEventListener("pointerdown", (event) => {
    const { bin } = spotOf(event);
    if (event.button !== 0 || bin === undefined) return;
    from = bin;
    drawing.setPointerCapture(event.pointerId);
    brush(event, false);
  });
  drawing.addEventListener("pointermove", (event) => {
    if (from !== undefined) return brush(event, false);
    const spot = spotOf(event);
    if (spot.bin === undefined && spot.member === undefined) intentions.leave();
    else intentions.point(spot);
  });
  drawing.addEventListener("pointerup", (event) => {
    brush(event, true);
    from = undefined;
  });
  drawing.addEventListener("lostpointercapture", () => (from = undefined));
  drawing.addEventListener("pointerleave", () => intentions.leave());
  drawing.addEventListener("focusin", (event) => intentions.focus(spotOfElement(event.target)));
  drawing.addEventListener("focusout", () => intentions.leave());
  onDoubleClick(drawing, (first) => {
    const { bin, member } = spotOf(first);
    return bin === undefined && member === undefined ? undefined : () => intentions.open();
  });
  drawing.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    const spot = spotOf(event);
    if (spot.bin !== undefined || spot.member !== undefined)
      intentions.menu(spot, { x: event.clientX, y: event.clientY });
  });
  drawing.addEventListener("keydown", (event) => {
    if (key(event, intentions)) event.preventDefault();
  });
}

const steps: Readonly<Partial<Record<string, number>>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
};

/** @returns whether the key meant something */
function key(event: KeyboardEvent, intentions: Intentions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const spot = spotOfElement(event.target);
  const { bin, member } = spot;
  if (event.key === "/") intentions.search();
  else if (event.key === "Escape") intentions.clear();
  else if (bin === undefined && member === undefined) return false;
  else if (event.key === "Enter") intentions.open();
  else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
    const box = event.target instanceof Element ? event.target.getBoundingClientRect() : new DOMRect();
    intentions.menu(spot, { x: Math.max(0, box.left + box.width / 2), y: Math.max(0, box.top + box.height / 2) });
  } else if (event.key === " " && bin !== undefined) intentions.toggle(bin);
  else {
    const step = steps[event.key];
    if (step === undefined) return false;
    if (bin === undefined) intentions.moveTo({ member: (member ?? 0) + step });
    else if (event.shiftKey) intentions.extend(bin + step);
    else intentions.moveTo({ bin: bin + step });
  }
  return true;
}

function spotOfElement(target: EventTarget | null): Spot {
  if (!(target instanceof SVGElement)) return {};
  if (target.getAttribute("role") === "slider") return { member: Number(target.getAttribute("aria-valuenow")) - 1 };
  const bin = target.closest("[data-bin]")?.getAttribute("data-bin");
  return bin ? { bin: Number(bin) } : {};
}
