/** One drawing: its part in sight, what has the focus, and what pointer and keyboard mean there. */
import type { FlamePane, FlamePlaceShown, FlamesMessage, FlameZoom } from "../../src/protocol/flameGraph";
import { html, setAll } from "../shared/dom";
import { onDoubleClick } from "../shared/doubleClick";
import { type Measure, visible } from "../shared/text";
import type { Theme } from "../shared/theme";
import { sentence } from "./describe";
import { keyMeans } from "./keys";
import { type Area, boxOf, type Mark, marksOf, ROW, type Sight } from "./marks";
import { paint } from "./paint";
import { Rectangles, type Step } from "./rectangles";

export interface PaneListeners {
  /** Another part is in sight: its rectangles are wanted. */
  moved(pane: FlamePane): void;
  select(pane: FlamePane, node: number): void;
  open(pane: FlamePane, node: number): void;
  /** Pointed at, or focused: to be explained beside it; undefined: nothing any more. */
  point(pane: FlamePane, at: number | undefined, focused: boolean): void;
  menu(pane: FlamePane, at: number, where: { x: number; y: number }): void;
  search(): void;
}

/** Narrower parts of the whole are not told apart. */
const SMALLEST_SPAN = 1e-7;
/** Rows asked for beyond what is in sight, so that arrow keys and the wheel find something there. */
const MARGIN_ROWS = 40;

export class Pane {
  readonly element: HTMLElement;
  rectangles: Rectangles | undefined;
  selected: number | undefined;
  private readonly canvas = html("canvas", { "aria-hidden": "true" });
  private readonly current;
  private readonly area;
  private readonly crumbs = html("nav", { class: "crumbs", "aria-label": "Zoomed to" });
  private sight: Sight = { from: 0, to: 1, row: 0 };
  private size = { width: 0, height: 0 };
  /** Index of what the keyboard is at. */
  private active: number | undefined;
  /** It is found again by its number when rectangles are sent anew. */
  private activeNode: number | undefined;
  private marks: readonly Mark[] = [];

  constructor(
    readonly kind: FlamePane,
    private readonly title: string,
    private readonly listeners: PaneListeners,
    private readonly style: () => { theme: Theme; measure: Measure },
  ) {
    this.current = html("div", { class: "current", role: "treeitem", id: `current-${kind}`, hidden: true });
    this.area = html(
      "div",
      {
        class: "drawing",
        tabindex: 0,
        role: "tree",
        "aria-label": title,
        "aria-activedescendant": this.current.id,
      },
      this.canvas,
      this.current,
    );
    this.element = html("section", { class: `pane ${kind}` }, this.crumbs, this.area);
    this.listen();
    new ResizeObserver(() => this.measure()).observe(this.area);
  }

  get zoom(): FlameZoom {
    return { ...this.sight };
  }

  set zoom(zoom: FlameZoom) {
    this.sight = { from: zoom.from, to: Math.max(zoom.from + SMALLEST_SPAN, zoom.to), row: zoom.row };
  }

  get isZoomed(): boolean {
    return this.sight.from > 0 || this.sight.to < 1;
  }

  /** What is to be asked for; undefined before it has a size. */
  get wanted() {
    if (this.size.width < 1) return undefined;
    const rows = Math.ceil(this.size.height / ROW);
    const first = Math.max(0, Math.floor(this.sight.row) - MARGIN_ROWS);
    const { from, to } = this.sight;
    return { from, to, firstDepth: first, endDepth: first + rows + 2 * MARGIN_ROWS, width: this.size.width };
  }

  show(message: FlamesMessage): void {
    const isNew = this.rectangles?.message.revision !== message.revision;
    this.rectangles = new Rectangles(message);
    if (isNew) this.selected = this.activeNode = undefined;
    this.active = this.activeNode === undefined ? undefined : this.rectangles.withNode(this.activeNode);
    this.showCrumbs();
    this.draw();
  }

  clear(): void {
    this.rectangles = undefined;
    this.active = this.selected = undefined;
    this.draw();
  }

  draw(): void {
    const { rectangles } = this;
    const { theme, measure } = this.style();
    this.marks = rectangles ? marksOf(rectangles, this.sight, this.extent, theme, measure) : [];
    paint(this.canvas, this.marks, theme);
    this.showCurrent();
  }

  /** The rectangle in the page, in coordinates of the window. */
  boxInWindow(at: number): { left: number; top: number; right: number; bottom: number } | undefined {
    const mark = this.marks.find((candidate) => candidate.at === at);
    if (!mark) return undefined;
    const { left, top } = this.area.getBoundingClientRect();
    const from = Math.max(0, mark.x);
    const to = Math.min(this.size.width, mark.x + mark.width);
    return { left: left + from, right: left + to, top: top + mark.y, bottom: top + mark.y + mark.height };
  }

  /** Zooms about a share of what is in sight, which stays where it is. */
  zoomBy(factor: number, about = 0.5): void {
    const { from, to } = this.sight;
    const span = Math.min(1, Math.max(SMALLEST_SPAN, (to - from) / factor));
    this.look(from + (to - from - span) * about, span, this.sight.row);
  }

  zoomTo({ x, width }: { x: number; width: number }): void {
    this.look(x, width, this.sight.row);
  }

  fit(): void {
    this.look(0, 1, 0);
  }

  /** Brings a place into sight, where it is not or is too narrow to be seen. */
  reveal({ x, width, depth }: FlamePlaceShown): void {
    const { from, to } = this.sight;
    const span = to - from;
    const pixels = (width / span) * this.size.width;
    const isNear = x < to && x + width > from && pixels >= 3;
    const rows = Math.max(1, Math.floor(this.size.height / ROW));
    const isInRows = depth >= this.sight.row && depth < this.sight.row + rows - 1;
    const row = isInRows ? this.sight.row : Math.max(0, depth - Math.floor(rows / 2));
    if (isNear && isInRows) return;
    if (isNear) return this.look(from, span, row);
    const wanted = pixels >= 3 ? span : Math.min(1, Math.max(width * 5, SMALLEST_SPAN));
    this.look(x + width / 2 - wanted / 2, wanted, row);
  }

  select(node: number | undefined): void {
    this.selected = this.activeNode = node;
    if (node !== undefined) this.active = this.rectangles?.withNode(node);
    this.draw();
  }

  focus(): void {
    this.area.focus();
  }

  /** Marks of this pane as it is, for a picture. */
  picture(): { marks: readonly Mark[]; height: number; width: number } {
    return { marks: this.marks, ...this.size };
  }

  private get extent(): Area {
    return { ...this.size, upwards: this.kind === "callers" };
  }

  private look(from: number, span: number, row: number): void {
    const wide = Math.min(1, Math.max(SMALLEST_SPAN, span));
    const left = Math.min(1 - wide, Math.max(0, from));
    const rows = Math.max(0, (this.rectangles?.message.levels ?? 1) - Math.floor(this.size.height / ROW) + 1);
    const sight = { from: left, to: left + wide, row: Math.min(rows, Math.max(0, row)) };
    if (sight.from === this.sight.from && sight.to === this.sight.to && sight.row === this.sight.row) return;
    this.sight = sight;
    this.listeners.point(this.kind, undefined, false);
    this.draw();
    this.listeners.moved(this.kind);
  }

  private pan(dx: number, dy: number): void {
    const { from, to, row } = this.sight;
    const rows = (this.kind === "callers" ? -dy : dy) / ROW;
    this.look(from + (dx / Math.max(1, this.size.width)) * (to - from), to - from, row + rows);
  }

  private showCrumbs(): void {
    const button = (text: string, place: { x: number; width: number } | undefined, isLast: boolean) => {
      const element = html("button", { type: "button", "aria-current": isLast ? "true" : undefined }, text);
      element.addEventListener("click", () => (place ? this.zoomTo(place) : this.fit()));
      return element;
    };
    const places = this.isZoomed ? (this.rectangles?.message.covering ?? []).filter(({ width }) => width < 1) : [];
    this.crumbs.replaceChildren(
      html("b", {}, this.title),
      button("all", undefined, places.length === 0),
      ...places.flatMap((place, at) => [
        html("span", { "aria-hidden": "true" }, "›"),
        button(visible(place.name).slice(0, 80), place, at === places.length - 1),
      ]),
    );
  }

  /** The element that stands for what has the focus: screen readers read it, its outline is seen. */
  private showCurrent(): void {
    const { rectangles } = this;
    const at = this.active ?? (this.selected === undefined ? undefined : rectangles?.withNode(this.selected));
    this.current.hidden = at === undefined || !rectangles;
    if (at === undefined || !rectangles) return;
    const { message } = rectangles;
    const box = boxOf(message.x[at], message.width[at], message.depth[at], this.sight, this.extent);
    const left = Math.max(0, box.x);
    const { position, count } = rectangles.position(at);
    setAll(this.current, {
      "aria-label": sentence(rectangles, at),
      "aria-level": message.depth[at] + 1,
      "aria-posinset": Math.max(1, position),
      "aria-setsize": Math.max(1, count),
      "aria-selected": String(message.node[at] === this.selected),
    });
    Object.assign(this.current.style, {
      left: `${left}px`,
      top: `${box.y}px`,
      width: `${Math.max(2, Math.min(this.size.width, box.x + box.width) - left)}px`,
      height: `${box.height}px`,
    });
  }

  private measure(): void {
    const { width, height } = this.area.getBoundingClientRect();
    if (width < 1 || height < 1 || (width === this.size.width && height === this.size.height)) return;
    this.size = { width, height };
    this.draw();
    this.listeners.moved(this.kind);
  }

  private indexAt(event: MouseEvent): number | undefined {
    const { left, top, width, height } = this.area.getBoundingClientRect();
    const fromTop = event.clientY - top;
    const depth = Math.floor((this.kind === "callers" ? height - fromTop : fromTop) / ROW + this.sight.row);
    const share = this.sight.from + ((event.clientX - left) / width) * (this.sight.to - this.sight.from);
    return this.rectangles?.at(depth, share);
  }

  private activate(at: number | undefined): void {
    this.active = at;
    this.activeNode = at === undefined ? undefined : this.rectangles?.message.node[at];
    this.showCurrent();
  }

  private listen(): void {
    const { area, listeners, kind } = this;
    area.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) listeners.point(kind, this.indexAt(event), false);
    });
    area.addEventListener("pointerleave", () => listeners.point(kind, undefined, false));
    area.addEventListener("blur", () => listeners.point(kind, undefined, false));
    area.addEventListener("focus", () => {
      if (this.active === undefined && this.rectangles && this.rectangles.count > 0) this.activate(0);
    });
    area.addEventListener("pointerdown", (event) => this.drag(event));
    area.addEventListener("click", (event) => {
      // The second click of a double click means to open, not to select again.
      if (event.detail <= 1) this.choose(this.indexAt(event), event.shiftKey);
    });
    onDoubleClick(area, (first) => this.opening(this.indexAt(first)));
    area.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const at = this.indexAt(event);
      if (at === undefined) return;
      this.activate(at);
      listeners.menu(kind, at, { x: event.clientX, y: event.clientY });
    });
    area.addEventListener(
      "wheel",
      (event) => {
        const { left, width } = area.getBoundingClientRect();
        if (event.ctrlKey || event.metaKey)
          this.zoomBy(Math.exp(-event.deltaY / 200), (event.clientX - left) / Math.max(1, width));
        else this.pan(event.shiftKey ? event.deltaY : event.deltaX, event.shiftKey ? 0 : event.deltaY);
        event.preventDefault();
      },
      { passive: false },
    );
    area.addEventListener("keydown", (event) => {
      if (this.key(event)) event.preventDefault();
    });
  }

  /** Several that are drawn together are told apart by zooming; so is what is clicked with Shift. */
  private choose(at: number | undefined, zooms: boolean): void {
    const { rectangles } = this;
    if (at === undefined || !rectangles) return;
    const { message } = rectangles;
    this.activate(at);
    if (zooms || rectangles.isRun(at)) return this.zoomTo({ x: message.x[at], width: message.width[at] });
    this.selected = message.node[at];
    this.draw();
    this.listeners.select(this.kind, this.selected);
  }

  /** What a double click that begins there opens; the first click has zoomed to several that are drawn together. */
  private opening(at: number | undefined): (() => void) | undefined {
    const { rectangles } = this;
    if (at === undefined || !rectangles || rectangles.isRun(at)) return undefined;
    const { node, revision } = rectangles.message;
    const meant = node[at];
    return () => {
      // Other rectangles may be in sight by then; of another graph, its nodes have other numbers.
      const now = this.rectangles;
      if (now?.message.revision === revision) this.open(meant, now.withNode(meant));
    };
  }

  private openAt(at: number | undefined): void {
    const { rectangles } = this;
    if (at === undefined || !rectangles) return;
    if (rectangles.isRun(at)) return this.choose(at, true);
    this.open(rectangles.message.node[at], at);
  }

  private open(node: number, at: number | undefined): void {
    if (at !== undefined) this.activate(at);
    this.selected = node;
    this.draw();
    this.listeners.open(this.kind, node);
  }

  private step(step: Step): void {
    const { rectangles } = this;
    if (!rectangles || rectangles.count === 0) return;
    // Callers stand above what they call.
    const turned = { up: "down", down: "up" } as const;
    const meant = this.kind === "callers" && (step === "up" || step === "down") ? turned[step] : step;
    const at = this.active === undefined ? 0 : rectangles.neighbour(this.active, meant);
    this.activate(at);
    const { x, width, depth, node } = rectangles.message;
    this.reveal({ node: node[at], depth: depth[at], x: x[at], width: width[at] });
    this.listeners.point(this.kind, this.active, true);
  }

  private key(event: KeyboardEvent): boolean {
    const meaning = keyMeans(event);
    if (meaning === undefined) return false;
    const at = this.active;
    switch (meaning) {
      case "zoom-in":
      case "zoom-out":
        this.zoomBy(meaning === "zoom-in" ? 1.5 : 1 / 1.5, this.activeShare());
        return true;
      case "fit":
        this.fit();
        return true;
      case "search":
        this.listeners.search();
        return true;
      case "zoom-to":
        this.choose(at, true);
        return true;
      case "select":
        this.choose(at, false);
        return true;
      case "open":
        this.openAt(at);
        return true;
      case "menu": {
        const box = at === undefined ? undefined : this.boxInWindow(at);
        if (at !== undefined && box) this.listeners.menu(this.kind, at, { x: box.left + 16, y: box.bottom });
        return true;
      }
      default:
        this.step(meaning);
        return true;
    }
  }

  /** Where in sight the middle of what has the focus is. */
  private activeShare(): number {
    const { rectangles, active, sight } = this;
    if (!rectangles || active === undefined) return 0.5;
    const middle = rectangles.message.x[active] + rectangles.message.width[active] / 2;
    return Math.min(1, Math.max(0, (middle - sight.from) / (sight.to - sight.from)));
  }

  private drag(start: PointerEvent): void {
    if (start.button !== 0) return;
    let [x, y] = [start.clientX, start.clientY];
    let moved = false;
    const move = (event: PointerEvent) => {
      // A click that shakes a little is still a click.
      if (!moved && Math.hypot(event.clientX - x, event.clientY - y) < 4) return;
      if (!moved) this.area.setPointerCapture(start.pointerId);
      moved = true;
      this.pan(x - event.clientX, y - event.clientY);
      [x, y] = [event.clientX, event.clientY];
    };
    const end = () => {
      this.area.removeEventListener("pointermove", move);
      this.area.removeEventListener("pointerup", end);
      this.area.removeEventListener("pointercancel", end);
      // What ends a drag is no click.
      if (moved)
        this.area.addEventListener("click", (event) => event.stopImmediatePropagation(), { capture: true, once: true });
    };
    this.area.addEventListener("pointermove", move);
    this.area.addEventListener("pointerup", end);
    this.area.addEventListener("pointercancel", end);
  }
}
