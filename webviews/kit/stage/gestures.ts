/** Pointer and keyboard on a drawing, as what people meant. */
import { onDoubleClick } from "../../shared/doubleClick";
import { isOfChord } from "./chords";
import { extend } from "./lasso";
import type { Box, MoveKey, Point } from "./scene";

export interface Intentions {
  point(at: Point): void;
  leave(): void;
  /** @param adds keeps what was chosen before */
  click(at: Point, adds: boolean): void;
  /** What a double click that begins here opens, also when the drawing moves meanwhile. */
  opening(at: Point): (() => void) | undefined;
  /** Undefined: asked for by keyboard. */
  menu(at: Point | undefined): void;
  /** Whether a drag from here, or one with Shift, draws something. */
  canBrush(at: Point, withShift: boolean): boolean;
  /** What is drawn by a drag, as rectangle and as line; `ended` when the pointer was let go. */
  brush(drawn: Drawn, how: { readonly adds: boolean; readonly ended: boolean }): void;
  /** What was drawn is given up. */
  giveUp(): void;
  /** Whether a drag from here moves the drawing, and the wheel moves and zooms it. */
  canMove(at: Point): boolean;
  /** Whether the wheel zooms here without Ctrl, too; with Shift it moves. */
  zoomsByWheel(at: Point): boolean;
  pan(at: Point, dx: number, dy: number): void;
  zoom(at: Point, factor: number): void;
  focused(mark: number | undefined): void;
  /** @param extends_ chooses all that it passes */
  move(key: MoveKey, extends_: boolean): void;
  key(key: KeyMeaning): void;
  /** Any other letter, or a square bracket. @returns whether it meant something */
  letter(letter: string): boolean;
}

/** A drag: from where it began to where it is, and all the way that it came. */
export interface Drawn {
  readonly box: Box;
  readonly line: readonly Point[];
}

export type KeyMeaning =
  | "open"
  | "toggle"
  | "clear"
  | "fit"
  | "search"
  | "explain"
  | "zoom-in"
  | "zoom-out"
  | "pan-left"
  | "pan-right"
  | "fill";

const MOVES = new Set<string>(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]);

const KEYS: Readonly<Partial<Record<string, KeyMeaning>>> = {
  Enter: "open",
  " ": "toggle",
  Escape: "clear",
  "0": "fit",
  Backspace: "fit",
  "+": "zoom-in",
  "=": "zoom-in",
  "-": "zoom-out",
  z: "fill",
  w: "zoom-in",
  s: "zoom-out",
  a: "pan-left",
  d: "pan-right",
  f: "fill",
  "/": "search",
  "?": "explain",
};

/** A click that shakes a little is still a click. */
const SHAKE = 4;

export function listen(drawing: SVGSVGElement, intentions: Intentions): void {
  const place = (event: MouseEvent): Point => {
    const { left, top } = drawing.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  let wasDragged = false;
  drawing.addEventListener("pointermove", (event) => event.buttons === 0 && intentions.point(place(event)));
  drawing.addEventListener("pointerleave", () => intentions.leave());
  drawing.addEventListener("pointerdown", (start) => {
    wasDragged = false;
    const from = place(start);
    const begun = () => (wasDragged = true);
    if (start.button !== 0) return;
    if (intentions.canBrush(from, start.shiftKey)) followBrush(drawing, start, from, place, intentions, begun);
    else if (intentions.canMove(from)) followMove(drawing, start, intentions, begun);
  });
  drawing.addEventListener("wheel", (event) => turn(event, place(event), intentions), { passive: false });
  drawing.addEventListener("click", (event) => {
    // The second click of a double click means to open; a click at the end of a brush means nothing.
    if (!wasDragged && event.detail <= 1) intentions.click(place(event), isAdding(event));
  });
  onDoubleClick(drawing, (first) => (wasDragged ? undefined : intentions.opening(place(first))));
  drawing.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    // The menu key asks from the keyboard, and says no place.
    intentions.menu(event.button === 2 ? place(event) : undefined);
  });
  drawing.addEventListener("focusin", (event) => intentions.focused(markOf(event.target)));
  drawing.addEventListener("focusout", () => intentions.leave());
  drawing.addEventListener("keydown", (event) => {
    if (!isOfChord(event) && key(event, intentions)) event.preventDefault();
  });
}

function followBrush(
  drawing: SVGSVGElement,
  start: PointerEvent,
  from: Point,
  place: (event: MouseEvent) => Point,
  intentions: Intentions,
  begun: () => void,
): void {
  let isBrushing = false;
  const line: Point[] = [from];
  const drawn = (to: Point): Drawn => ({ box: boxOf(from, to), line });
  const move = (event: PointerEvent) => {
    const to = place(event);
    extend(line, to);
    if (!isBrushing && Math.hypot(to.x - from.x, to.y - from.y) < SHAKE) return;
    if (!isBrushing) {
      drawing.setPointerCapture(start.pointerId);
      isBrushing = true;
      begun();
    }
    intentions.brush(drawn(to), { adds: isAdding(event), ended: false });
  };
  const end = (event: Event) => {
    drawing.removeEventListener("pointermove", move);
    for (const type of ["pointerup", "pointercancel"]) drawing.removeEventListener(type, end);
    window.removeEventListener("keydown", giveUp, true);
    if (!isBrushing) return;
    if (event instanceof PointerEvent && event.type === "pointerup")
      intentions.brush(drawn(place(event)), { adds: isAdding(event), ended: true });
    else intentions.giveUp();
  };
  const giveUp = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isBrushing) return;
    event.stopPropagation();
    end(event);
  };
  drawing.addEventListener("pointermove", move);
  for (const type of ["pointerup", "pointercancel"]) drawing.addEventListener(type, end);
  window.addEventListener("keydown", giveUp, true);
}

/** The wheel moves the drawing, with Ctrl (or a pinch, which arrives as that) it zooms; where it zooms always, Shift moves up and down. */
function turn(event: WheelEvent, at: Point, intentions: Intentions): void {
  if (!intentions.canMove(at)) return;
  event.preventDefault();
  const zooms = intentions.zoomsByWheel(at);
  const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
  if (event.ctrlKey || event.metaKey || (zooms && !event.shiftKey && !isSideways))
    intentions.zoom(at, Math.exp(-event.deltaY / 200));
  // Some systems turn the wheel sideways with Shift themselves.
  else if (zooms && event.shiftKey) intentions.pan(at, 0, event.deltaY || event.deltaX);
  else intentions.pan(at, event.shiftKey ? event.deltaY : event.deltaX, event.shiftKey ? 0 : event.deltaY);
}

function followMove(drawing: SVGSVGElement, start: PointerEvent, intentions: Intentions, begun: () => void): void {
  const { left, top } = drawing.getBoundingClientRect();
  const at = { x: start.clientX - left, y: start.clientY - top };
  let [x, y] = [start.clientX, start.clientY];
  let isMoving = false;
  const move = (event: PointerEvent) => {
    if (!isMoving && Math.hypot(event.clientX - x, event.clientY - y) < SHAKE) return;
    if (!isMoving) drawing.setPointerCapture(start.pointerId);
    isMoving = true;
    begun();
    intentions.pan(at, x - event.clientX, y - event.clientY);
    [x, y] = [event.clientX, event.clientY];
  };
  const end = () => {
    drawing.removeEventListener("pointermove", move);
    for (const type of ["pointerup", "pointercancel"]) drawing.removeEventListener(type, end);
  };
  drawing.addEventListener("pointermove", move);
  for (const type of ["pointerup", "pointercancel"]) drawing.addEventListener(type, end);
}

/** @returns whether the key meant something */
function key(event: KeyboardEvent, intentions: Intentions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const meant = event.key === "Enter" && event.shiftKey ? "fill" : KEYS[event.key];
  if (meant) intentions.key(meant);
  else if (event.key === "F10" && event.shiftKey) intentions.menu(undefined);
  else if (MOVES.has(event.key)) intentions.move(event.key as MoveKey, event.shiftKey);
  else return /^[a-z[\]]$/i.test(event.key) && intentions.letter(event.key.toUpperCase());
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
