/** Pointer and keyboard on the scatter, told as what the user meant. */
import { onDoubleClick } from "../shared/doubleClick";
import type { Box } from "./scene";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Intentions {
  /** Pointed at, in pixels of the drawing. */
  point(at: Point): void;
  leave(): void;
  /** A mark, or the line, has the focus. */
  focus(mark: number | undefined): void;
  /** @param added keeps what was chosen before */
  click(at: Point, added: boolean): void;
  /** @returns opens what is there now, also when the drawing has moved */
  opening(at: Point): (() => void) | undefined;
  menu(at: Point | undefined): void;
  /** A rectangle is being drawn; undefined: it was given up. */
  brushing(box: Box | undefined): void;
  /** @param end where the pointer let go */
  brushed(box: Box, end: Point, added: boolean): void;
  /** By so many marks in the order of x, or to its first or last. */
  move(by: number | "first" | "last", extend: boolean): void;
  toggle(): void;
  open(): void;
  clear(): void;
  search(): void;
}

/** A click that shakes a little is still a click. */
const SHAKE = 4;

const steps: Readonly<Partial<Record<string, number | "first" | "last">>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
  Home: "first",
  End: "last",
};

export function listen(drawing: SVGSVGElement, intentions: Intentions): void {
  const place = (event: MouseEvent): Point => {
    const { left, top } = drawing.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  let isBrushing = false;
  let wasBrushed = false;
  drawing.addEventListener("pointermove", (event) => {
    if (event.buttons === 0) intentions.point(place(event));
    else intentions.leave();
  });
  drawing.addEventListener("pointerleave", () => intentions.leave());
  drawing.addEventListener("pointerdown", (start) => {
    if (start.button !== 0) return;
    wasBrushed = false;
    const from = place(start);
    const move = (event: PointerEvent) => {
      const to = place(event);
      if (!isBrushing && Math.hypot(to.x - from.x, to.y - from.y) < SHAKE) return;
      if (!isBrushing) drawing.setPointerCapture(start.pointerId);
      isBrushing = true;
      intentions.brushing(boxOf(from, to));
    };
    const end = (event: Event) => {
      drawing.removeEventListener("pointermove", move);
      for (const type of ["pointerup", "pointercancel"]) drawing.removeEventListener(type, end);
      window.removeEventListener("keydown", giveUp, true);
      if (!isBrushing) return;
      isBrushing = false;
      wasBrushed = true;
      intentions.brushing(undefined);
      if (event instanceof PointerEvent && event.type === "pointerup")
        intentions.brushed(boxOf(from, place(event)), place(event), isAdding(event));
    };
    const giveUp = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !isBrushing) return;
      event.stopPropagation();
      end(event);
    };
    drawing.addEventListener("pointermove", move);
    for (const type of ["pointerup", "pointercancel"]) drawing.addEventListener(type, end);
    window.addEventListener("keydown", giveUp, true);
  });
  drawing.addEventListener("click", (event) => {
    // The second click of a double click means to open; a click at the end of a brush means nothing.
    if (!wasBrushed && event.detail <= 1) intentions.click(place(event), isAdding(event));
  });
  onDoubleClick(drawing, (first) => (wasBrushed ? undefined : intentions.opening(place(first))));
  drawing.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    intentions.menu(place(event));
  });
  drawing.addEventListener("focusin", (event) => intentions.focus(markOf(event.target)));
  drawing.addEventListener("focusout", () => intentions.leave());
  drawing.addEventListener("keydown", (event) => {
    if (key(event, intentions)) event.preventDefault();
  });
}

/** @returns whether the key meant something */
function key(event: KeyboardEvent, intentions: Intentions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const isOnMark = markOf(event.target) !== undefined;
  const step = steps[event.key];
  if (event.key === "/") intentions.search();
  else if (event.key === "Escape") intentions.clear();
  else if (!isOnMark) return false;
  else if (event.key === " ") intentions.toggle();
  else if (event.key === "Enter") intentions.open();
  else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) intentions.menu(undefined);
  else if (step !== undefined) intentions.move(step, event.shiftKey);
  else return false;
  return true;
}

function isAdding(event: MouseEvent): boolean {
  return event.ctrlKey || event.metaKey || event.shiftKey;
}

function markOf(target: EventTarget | null): number | undefined {
  const marked = target instanceof Element ? target.closest("[data-mark]") : null;
  return marked instanceof SVGElement ? Number(marked.dataset.mark) : undefined;
}

function boxOf(a: Point, b: Point): Box {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}
