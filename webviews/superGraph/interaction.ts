/** Pointer and keyboard on the drawing, told as what the user meant. */
import { onDoubleClick } from "../shared/doubleClick";
import type { Direction } from "./order";

/** What lies under the pointer or has the focus. */
export interface Spot {
  readonly bar?: number;
  readonly entry?: number;
  readonly flow?: number;
}

export interface Intentions {
  point(spot: Spot, at: { x: number; y: number } | undefined): void;
  leave(): void;
  focus(spot: Spot): void;
  select(bar: number): void;
  open(bar: number, entry?: number): void;
  /** @returns opens it, whatever graph is drawn by then */
  opening(bar: number, entry?: number): () => void;
  menu(bar: number, entry: number | undefined, at: { x: number; y: number }): void;
  move(bar: number, direction: Direction): unknown;
  moveEntry(bar: number, entry: number, step: number): void;
  /** From an entry back to its bar. */
  up(bar: number): void;
  zoom(factor: number): void;
  fit(): void;
  search(): void;
}

const directions: Readonly<Partial<Record<string, Direction>>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
};

/** @param flowAt finds flows that have no element of their own */
export function listen(
  drawing: SVGSVGElement,
  intentions: Intentions,
  flowAt: (x: number, y: number) => number | undefined,
): void {
  const spotOf = (event: MouseEvent | FocusEvent): Spot => {
    const spot = spotOfElement(event.target);
    if (spot.bar !== undefined || spot.flow !== undefined || !(event instanceof MouseEvent)) return spot;
    const { left, top } = drawing.getBoundingClientRect();
    return { flow: flowAt(event.clientX - left, event.clientY - top) };
  };
  drawing.addEventListener("pointermove", (event) => {
    if (event.buttons !== 0) return intentions.leave();
    const spot = spotOf(event);
    if (spot.bar === undefined && spot.flow === undefined) intentions.leave();
    else intentions.point(spot, { x: event.clientX, y: event.clientY });
  });
  drawing.addEventListener("pointerleave", () => intentions.leave());
  drawing.addEventListener("focusin", (event) => intentions.focus(spotOf(event)));
  drawing.addEventListener("focusout", () => intentions.leave());
  drawing.addEventListener("click", (event) => {
    const { bar } = spotOf(event);
    // The second click of a double click means to open, not to select again.
    if (bar !== undefined && event.detail <= 1) intentions.select(bar);
  });
  onDoubleClick(drawing, (first) => {
    const { bar, entry } = spotOf(first);
    return bar === undefined ? undefined : intentions.opening(bar, entry);
  });
  drawing.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    const { bar, entry } = spotOf(event);
    if (bar !== undefined) intentions.menu(bar, entry, { x: event.clientX, y: event.clientY });
  });
  drawing.addEventListener("keydown", (event) => {
    if (key(event, intentions)) event.preventDefault();
  });
}

/** @returns whether the key meant something */
function key(event: KeyboardEvent, intentions: Intentions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { bar, entry } = spotOfElement(event.target);
  if (event.key === "+" || event.key === "=") intentions.zoom(1.25);
  else if (event.key === "-") intentions.zoom(0.8);
  else if (event.key === "0") intentions.fit();
  else if (event.key === "/") intentions.search();
  else if (bar === undefined) return false;
  else if (event.key === "Enter") intentions.open(bar, entry);
  else if (event.key === " ") intentions.select(bar);
  else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
    const box = event.target instanceof Element ? event.target.getBoundingClientRect() : new DOMRect();
    intentions.menu(bar, entry, { x: Math.max(0, box.left + box.width / 2), y: Math.max(0, box.top + 8) });
  } else {
    const direction = directions[event.key];
    if (entry !== undefined) {
      if (event.key === "Escape") intentions.up(bar);
      else if (direction === "left" || direction === "up") intentions.moveEntry(bar, entry, -1);
      else if (direction === "right" || direction === "down") intentions.moveEntry(bar, entry, 1);
      else return false;
    } else if (direction) intentions.move(bar, direction);
    else return false;
  }
  return true;
}

function spotOfElement(target: EventTarget | null): Spot {
  const marked = target instanceof Element ? target.closest("[data-bar], [data-flow]") : null;
  if (!(marked instanceof SVGElement)) return {};
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const { bar, entry, flow } = marked.dataset;
  return { bar: number(bar), entry: number(entry), flow: number(flow) };
}
