/** A small picture of the whole above the drawing, with a brush over what is in sight (look, section 1). */
import { html, replaceAll, setAll, svg } from "../shared/dom";
import { clearCanvas } from "./stage/painters";
import type { DrawView } from "./stage/scene";
import type { Gesture } from "./stage/sight";

/** Pixels: of the picture, and of all with the texts of the axis. */
const PICTURE = 28;
const TOP = 2;
export const STRIP_HEIGHT = 44;
/** A handle is taken from as near. */
const NEAR = 6;
/** Pixels from a line of the axis to its text. */
const TEXT = 3;
/** A window is never smaller on screen than its handles. */
const LEAST_DRAG = 3;
/** The part of the whole that a key moves a side by. */
const STEP = 0.01;

export interface StripTick {
  readonly at: number;
  readonly text: string;
}

export interface StripPicture {
  /** In front of the picture: "8 ranks". */
  readonly label: string;
  /** Where the picture begins, and what it leaves free behind it; pixels. */
  readonly left: number;
  readonly right: number;
  /** What it is made of: painted anew where this is another one. */
  readonly of: unknown;
  /** Onto a canvas of this size. */
  paint(context: CanvasRenderingContext2D, width: number, height: number): void;
  /** What is in sight, as shares of the width. */
  readonly from: number;
  readonly to: number;
  /** Along its axis, by shares: as many as have room for their texts in so many pixels. */
  ticks(width: number): readonly StripTick[];
  /** A share in words, for who hears the handles. */
  says(share: number): string;
}

export class Strip {
  private readonly canvas = html("canvas", { "aria-hidden": "true" });
  private readonly over = svg("svg", { role: "group", "aria-label": "What is in sight of the whole" });
  private readonly texts = svg("g", { "aria-hidden": "true" });
  private readonly shades = [0, 1].map(() => svg("rect", { class: "shade", y: TOP, height: PICTURE }));
  private readonly brush = svg("rect", { class: "brush", y: TOP - 0.5, height: PICTURE + 1, rx: 2 });
  private readonly handles = (["from", "to"] as const).map((side) =>
    svg("rect", {
      class: "handle",
      y: TOP + 8,
      width: 4,
      height: 12,
      rx: 2,
      tabindex: 0,
      role: "slider",
      "aria-label": side === "from" ? "Begins at" : "Ends at",
      "aria-valuemin": 0,
      "aria-valuemax": 100,
    }),
  );
  private shown: StripPicture | undefined;
  private view: DrawView | undefined;
  private painted: readonly unknown[] = [];
  private width = 0;

  constructor(
    private readonly place: HTMLElement,
    private readonly follow: (gesture: Gesture) => void,
  ) {
    replaceAll(this.over, this.shades, this.brush, this.handles, this.texts);
    place.append(this.canvas, this.over);
    new ResizeObserver(() => this.view && this.show(this.shown, this.view)).observe(place);
    this.over.addEventListener("pointerdown", (event) => this.drag(event));
    this.over.addEventListener("dblclick", () => this.follow({ kind: "fit" }));
    this.handles.forEach((handle, at) => handle.addEventListener("keydown", (event) => this.key(event, at)));
  }

  show(picture: StripPicture | undefined, view: DrawView): void {
    this.shown = picture;
    this.view = view;
    const width = this.place.clientWidth;
    if (!picture || width === 0) return;
    this.width = Math.max(1, width - picture.left - picture.right);
    setAll(this.over, { width, height: STRIP_HEIGHT });
    this.paint(picture, view);
    const [from, to] = [this.at(picture.from), this.at(picture.to)];
    const [left, right] = [this.at(0), this.at(1)];
    setAll(this.shades[0], { x: left, width: Math.max(0, from - left), fill: view.theme.background });
    setAll(this.shades[1], { x: to, width: Math.max(0, right - to), fill: view.theme.background });
    setAll(this.brush, { x: from - 0.5, width: Math.max(1, to - from + 1), stroke: view.theme.text });
    this.handles.forEach((handle, at) => {
      const share = at === 0 ? picture.from : picture.to;
      setAll(handle, {
        x: this.at(share) - 2,
        fill: view.theme.background,
        stroke: view.theme.text,
        "aria-valuenow": Math.round(share * 100),
        "aria-valuetext": picture.says(share),
      });
    });
  }

  private paint(picture: StripPicture, view: DrawView): void {
    const { width, place } = this;
    const made = [picture.of, width, view.theme];
    if (made.every((part, at) => part === this.painted.at(at))) return;
    this.painted = made;
    const context = clearCanvas(this.canvas, { width: place.clientWidth, height: STRIP_HEIGHT });
    if (context) {
      context.translate(picture.left, TOP);
      picture.paint(context, width, PICTURE);
    }
    const words = (x: number, y: number, text: string, anchor: string) =>
      svg("text", { x, y, "text-anchor": anchor, fill: view.theme.muted }, text);
    const measure = view.measure(11);
    const ticks = picture.ticks(width);
    const hasRoom = ({ at, text }: StripTick) => this.at(at) + TEXT + measure(text) <= place.clientWidth;
    replaceAll(
      this.texts,
      words(picture.left - 6, TOP + 18, measure(picture.label) < picture.left - 8 ? picture.label : "all", "end"),
      ticks.filter(hasRoom).map(({ at, text }) => words(this.at(at) + TEXT, STRIP_HEIGHT - 4, text, "start")),
      ticks.map(({ at }) =>
        svg("rect", { x: this.at(at), y: TOP + PICTURE, width: 1, height: 8, fill: view.theme.grid }),
      ),
    );
  }

  /** Pixels of a share of the whole. */
  private at(share: number): number {
    return (this.shown?.left ?? 0) + share * this.width;
  }

  private share(event: PointerEvent): number {
    const { left } = this.over.getBoundingClientRect();
    return within((event.clientX - left - this.at(0)) / this.width);
  }

  /** A side is moved by its handle, all of it from within; from elsewhere another one begins. */
  private drag(start: PointerEvent): void {
    const { shown } = this;
    if (!shown || start.button !== 0) return;
    const begun = this.share(start);
    const { from, to } = shown;
    const near = NEAR / this.width;
    const side = Math.abs(begun - from) <= near ? "from" : Math.abs(begun - to) <= near ? "to" : undefined;
    const isWithin = begun > from && begun < to && to - from < 1;
    const windowAt = (at: number): [number, number] => {
      if (side === "from") return [at, to];
      if (side === "to") return [from, at];
      if (!isWithin) return [begun, at];
      const by = Math.min(1 - to, Math.max(-from, at - begun));
      return [from + by, to + by];
    };
    let isDragged = false;
    const move = (event: PointerEvent) => {
      if (!isDragged && Math.abs(event.clientX - start.clientX) < LEAST_DRAG) return;
      if (!isDragged) this.over.setPointerCapture(start.pointerId);
      isDragged = true;
      const [from, to] = windowAt(this.share(event));
      this.window(from, to);
    };
    const end = () => {
      this.over.removeEventListener("pointermove", move);
      for (const type of ["pointerup", "pointercancel"]) this.over.removeEventListener(type, end);
      // A click elsewhere brings the window there.
      if (isDragged || side !== undefined || isWithin) return;
      const middle = Math.min(1 - (to - from) / 2, Math.max((to - from) / 2, begun));
      this.window(middle - (to - from) / 2, middle + (to - from) / 2);
    };
    this.over.addEventListener("pointermove", move);
    for (const type of ["pointerup", "pointercancel"]) this.over.addEventListener(type, end);
  }

  private key(event: KeyboardEvent, handle: number): void {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (by === undefined || !this.shown) return;
    event.preventDefault();
    const { from, to } = this.shown;
    if (handle === 0) this.window(Math.min(within(from + by), to), to);
    else this.window(from, Math.max(within(to + by), from));
  }

  private window(a: number, b: number): void {
    this.follow({ kind: "window", from: Math.min(a, b), to: Math.max(a, b) });
  }
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}
