/** Zoom and pan of a drawing. Geometry is scaled, text is not: labels stay readable at any zoom. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Nothing enlarged, nothing moved. */
export const PLAIN: View = { scale: 1, x: 0, y: 0 };

const SMALLEST = 0.1;
const LARGEST = 200;

export class Viewport {
  private current: View = PLAIN;

  /** @param changed hears of every new view */
  constructor(
    private readonly element: SVGElement,
    private readonly changed: (view: View) => void,
  ) {
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    element.addEventListener("pointerdown", (event) => this.drag(event));
  }

  get view(): View {
    return this.current;
  }

  set view(view: View) {
    this.current = view;
    this.changed(view);
  }

  /** Changes the view without telling: for who follows it anyway. */
  set(view: View): void {
    this.current = view;
  }

  /** Zooms about a point of the drawing (default: its middle), which stays where it is. */
  zoom(factor: number, at?: { x: number; y: number }): void {
    const { width, height } = this.element.getBoundingClientRect();
    const { x, y } = at ?? { x: width / 2, y: height / 2 };
    const { scale } = this.current;
    const next = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
    const grown = next / scale;
    this.view = { scale: next, x: x - (x - this.current.x) * grown, y: y - (y - this.current.y) * grown };
  }

  pan(dx: number, dy: number): void {
    this.view = { ...this.current, x: this.current.x + dx, y: this.current.y + dy };
  }

  /** Moves a box of the drawing into sight, where it is not. */
  reveal(box: { x: number; y: number; width: number; height: number }): void {
    const { width, height } = this.element.getBoundingClientRect();
    const dx = shiftInto(box.x, box.x + box.width, width);
    const dy = shiftInto(box.y, box.y + Math.min(box.height, 40), height);
    if (dx !== 0 || dy !== 0) this.pan(dx, dy);
  }

  /** The wheel pans, with Ctrl (or a pinch, which arrives as that) it zooms. */
  private wheel(event: WheelEvent): void {
    const box = this.element.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey)
      this.zoom(Math.exp(-event.deltaY / 200), { x: event.clientX - box.left, y: event.clientY - box.top });
    else this.pan(-(event.shiftKey ? event.deltaY : event.deltaX), event.shiftKey ? 0 : -event.deltaY);
    event.preventDefault();
  }

  private drag(start: PointerEvent): void {
    if (start.button !== 0) return;
    const { x, y } = this.current;
    let moved = false;
    const move = (event: PointerEvent) => {
      const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
      // A click that shakes a little is still a click.
      if (!moved && Math.hypot(dx, dy) < 4) return;
      if (!moved) this.element.setPointerCapture(start.pointerId);
      moved = true;
      this.view = { ...this.current, x: x + dx, y: y + dy };
    };
    const end = () => {
      this.element.removeEventListener("pointermove", move);
      this.element.removeEventListener("pointerup", end);
      this.element.removeEventListener("pointercancel", end);
    };
    this.element.addEventListener("pointermove", move);
    this.element.addEventListener("pointerup", end);
    this.element.addEventListener("pointercancel", end);
  }
}

function shiftInto(from: number, to: number, size: number): number {
  const margin = 8;
  if (from < margin) return margin - from;
  if (to > size - margin) return Math.max(size - margin - to, margin - from);
  return 0;
}
