/**
 * Where a scene is drawn: marks as elements, above 2,000 on a canvas, where only the one that has the focus is an element. What
 * stands out is drawn apart from the scene, so that pointing costs nothing.
 */
import { html, setAll, svg } from "../../shared/dom";
import { measureIn, visible } from "../../shared/text";
import { onThemeChange, readTheme, type Theme } from "../theme/theme";
import { clearCanvas, elementOf, paint, repaint, shapeOf } from "./painters";
import type { Box, DrawView, Emphasis, Layer, Mark, Paint, Scene, Shape } from "./scene";

/** More marks than this lie on a canvas. */
export const MOST_ELEMENTS = 2000;
/** Opacity of marks that are not chosen, or not found. */
const LEFT_OUT = 0.4;

const NOTHING: Emphasis = {
  active: undefined,
  pointed: undefined,
  selected: undefined,
  found: undefined,
  chosen: undefined,
};

export class Stage {
  readonly element = svg("svg", { class: "drawing", role: "listbox", "aria-multiselectable": "true" });
  /** What was drawn last. */
  scene: Scene | undefined;
  view: DrawView;
  private readonly canvas = html("canvas", { "aria-hidden": "true", hidden: true });
  private readonly below = svg("g", { "aria-hidden": "true" });
  private readonly marks = svg("g", { role: "presentation" });
  private readonly labels = svg("g", { "aria-hidden": "true" });
  private readonly above = svg("g", { "aria-hidden": "true", class: "above" });
  private readonly rings = svg("g", { "aria-hidden": "true", class: "rings" });
  private readonly elements = new Map<number, SVGElement>();
  private readonly labelElements = new Map<number, SVGElement>();
  private readonly byId = new Map<number, Mark>();
  /** How each element looks, so that only those that look otherwise now are touched. */
  private readonly looks = new Map<number, string>();
  /** What marks on the canvas stand out by. */
  private painted: Pick<Emphasis, "found" | "chosen"> | undefined;
  private emphasis: Emphasis = NOTHING;
  private brush: Box | undefined;
  private isPending = false;

  /**
   * @param label of the drawing, for screen readers; asked for with each scene
   * @param draw the scene at a size and in a theme; undefined while there is nothing to draw
   * @param resized hears of every size
   */
  constructor(
    private readonly place: HTMLElement,
    private readonly label: () => string,
    private readonly draw: (view: DrawView) => Scene | undefined,
    private readonly resized: (size: { width: number; height: number }) => void,
    private readonly layer?: Layer,
  ) {
    this.element.append(this.below, this.marks, this.labels, this.above, this.rings);
    setAll(this.element, { "aria-label": label() });
    place.append(...(layer ? [layer.element] : []), this.canvas, this.element);
    this.view = viewOf(readTheme(), 0, 0);
    onThemeChange(() => {
      this.view = viewOf(readTheme(), this.view.width, this.view.height);
      this.redraw();
    });
    new ResizeObserver(() => this.measure()).observe(place);
  }

  mark(id: number): Mark | undefined {
    return this.byId.get(id);
  }

  /** The topmost mark at a point of the drawing. */
  markAt(x: number, y: number): Mark | undefined {
    return this.scene?.marks.findLast(
      ({ box }) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height,
    );
  }

  /** Draws another scene, or the same one anew. */
  redraw(): void {
    const { view } = this;
    if (view.width === 0) return;
    const scene = this.draw(view);
    const hadFocus = this.marks.contains(document.activeElement);
    this.scene = scene;
    this.byId.clear();
    for (const mark of scene?.marks ?? []) this.byId.set(mark.id, mark);
    setAll(this.element, {
      width: view.width,
      height: view.height,
      "aria-label": visible(this.label()).slice(0, 1000),
    });
    const { font } = view.theme;
    this.below.replaceChildren(...(scene?.below ?? []).map((shape) => elementOf(shape, font)));
    this.above.replaceChildren(...(scene?.above ?? []).map((shape) => elementOf(shape, font)));
    this.elements.clear();
    const isCanvas = (scene?.marks.length ?? 0) > MOST_ELEMENTS;
    this.canvas.hidden = !isCanvas;
    if (!isCanvas) for (const mark of scene?.marks ?? []) this.elements.set(mark.id, this.elementFor(mark));
    this.marks.replaceChildren(...this.elements.values());
    this.looks.clear();
    this.painted = undefined;
    this.labelElements.clear();
    if (!isCanvas)
      for (const { id, label } of scene?.marks ?? []) if (label) this.labelElements.set(id, elementOf(label, font));
    this.labels.replaceChildren(...this.labelElements.values());
    this.layer?.draw(scene, view);
    this.emphasiseNow();
    const [first] = this.elements.values();
    if (hadFocus) (this.elements.get(this.emphasis.active ?? NaN) ?? first)?.focus();
  }

  /** Shown once a frame, however often something changes. */
  emphasise(emphasis: Emphasis): void {
    this.emphasis = emphasis;
    if (this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => this.isPending && this.emphasiseNow());
  }

  /** Shows a rectangle that is being drawn; undefined: none. */
  showBrush(box: Box | undefined): void {
    this.brush = box;
    this.drawRings();
  }

  focus(id: number): void {
    this.emphasiseNow();
    this.elements.get(id)?.focus();
  }

  /** The scene with what is chosen, as shapes. */
  picture(): Shape[] {
    const { scene, layer, emphasis } = this;
    if (!scene) return [];
    const chosen = { ...NOTHING, chosen: emphasis.chosen };
    const marks = scene.marks.map((mark) => this.shape(mark, chosen));
    const labels = scene.marks.flatMap((mark) => this.labelOf(mark, chosen) ?? []);
    return [...scene.below, ...(layer?.shapes() ?? []), ...marks, ...labels, ...scene.above];
  }

  private emphasiseNow(): void {
    this.isPending = false;
    const { scene, emphasis } = this;
    const { active } = emphasis;
    if (!scene) return this.rings.replaceChildren();
    if (this.canvas.hidden) for (const mark of scene.marks) this.showMark(mark, this.elements.get(mark.id));
    else {
      this.paint(scene);
      const mark = active === undefined ? undefined : this.byId.get(active);
      const [known] = this.elements.values();
      if (mark) this.showMark(mark, known ?? this.addOnly(mark));
      if (mark && known) this.elements.clear();
      if (mark && known) this.elements.set(mark.id, known);
    }
    this.layer?.emphasise(emphasis);
    this.drawRings();
  }

  private paint({ marks }: Scene): void {
    const { emphasis, painted, view } = this;
    if (painted && painted.found === emphasis.found && painted.chosen === emphasis.chosen) return;
    this.painted = emphasis;
    const context = clearCanvas(this.canvas, view);
    if (!context) return;
    const labels = marks.flatMap((mark) => this.labelOf(mark, emphasis) ?? []);
    paint(context, [...marks.map((mark) => this.shape(mark, emphasis)), ...labels], view.theme.font);
  }

  /** Where marks lie on a canvas, one element stands for the mark that has the focus. */
  private addOnly(mark: Mark): SVGElement {
    const element = this.elementFor(mark);
    this.elements.set(mark.id, element);
    this.marks.replaceChildren(element);
    return element;
  }

  private elementFor(mark: Mark): SVGElement {
    const element = elementOf(shapeOf(mark), this.view.theme.font);
    setAll(element, { role: "option", "data-key": mark.key });
    return element;
  }

  private showMark(mark: Mark, element: SVGElement | undefined): void {
    if (!element) return;
    const { emphasis, canvas } = this;
    const { active, selected, chosen } = emphasis;
    const look = [
      active === mark.id,
      selected === mark.id,
      chosen && (chosen.get(mark.id) ?? "no"),
      isLeftOut(mark, emphasis),
    ];
    const looks = canvas.hidden ? look.join() : undefined;
    if (looks !== undefined && this.looks.get(mark.id) === looks) return;
    if (looks !== undefined) this.looks.set(mark.id, looks);
    const shape = this.shape(mark, emphasis);
    const label = this.labelElements.get(mark.id);
    const words = label && this.labelOf(mark, emphasis);
    if (label && words) repaint(label, words, this.view.theme.font);
    repaint(element, canvas.hidden ? shape : { kind: "box", box: mark.box, fill: "transparent" }, this.view.theme.font);
    const isChosen = emphasis.chosen?.get(mark.id);
    setAll(element, {
      "data-mark": mark.id,
      "data-key": mark.key,
      tabindex: mark.id === emphasis.active ? 0 : -1,
      "aria-label": sentenceOf(mark),
      "aria-selected": String(mark.id === emphasis.selected),
      "aria-checked": emphasis.chosen
        ? isChosen === "all"
          ? "true"
          : isChosen === "some"
            ? "mixed"
            : "false"
        : undefined,
    });
  }

  /** As a mark looks with what stands out. */
  private shape(mark: Mark, emphasis: Emphasis): Shape {
    const isChosen = emphasis.chosen?.get(mark.id);
    const { text: foreground } = this.view.theme;
    const standsOut: Paint = isChosen
      ? { stroke: foreground, strokeWidth: 1.5, ...(isChosen === "some" ? { dash: [4, 3] } : {}) }
      : {};
    const dimmed: Paint = isLeftOut(mark, emphasis) ? { opacity: LEFT_OUT * (mark.paint.opacity ?? 1) } : {};
    return { ...shapeOf(mark), ...standsOut, ...dimmed };
  }

  /** On a fill that has faded, the text is the background's. */
  private labelOf(mark: Mark, emphasis: Emphasis): Shape | undefined {
    const { label } = mark;
    return label && isLeftOut(mark, emphasis) ? { ...label, fill: this.view.theme.muted } : label;
  }

  private drawRings(): void {
    const { pointed, selected, active } = this.emphasis;
    const { text: foreground, focus } = this.view.theme;
    const hasFocus = active !== undefined && this.elements.get(active)?.matches(":focus-visible") === true;
    const ring = (id: number | undefined, off: number, paint: Paint) => {
      const box = id === undefined ? undefined : this.byId.get(id)?.box;
      return box ? [{ kind: "box", box: around(box, off), ...paint } as const] : [];
    };
    const shapes: Shape[] = [
      ...ring(pointed, 0, { stroke: foreground, strokeWidth: 2 }),
      ...ring(selected, 3, { stroke: focus, strokeWidth: 2 }),
      ...ring(hasFocus ? active : undefined, 5.5, { stroke: focus, strokeWidth: 1 }),
      ...(this.brush
        ? [{ kind: "box", box: this.brush, fill: focus, fillOpacity: 0.15, stroke: focus, strokeWidth: 1 } as const]
        : []),
    ];
    this.rings.replaceChildren(...shapes.map((shape) => elementOf(shape, this.view.theme.font)));
  }

  private measure(): void {
    const box = this.place.getBoundingClientRect();
    const [width, height] = [Math.round(box.width), Math.round(box.height)];
    if (width < 1 || height < 1 || (width === this.view.width && height === this.view.height)) return;
    this.view = viewOf(this.view.theme, width, height);
    this.resized({ width, height });
    this.redraw();
  }
}

function isLeftOut({ id }: Mark, { found, chosen }: Emphasis): boolean {
  return (found !== undefined && !found.has(id)) || (chosen !== undefined && !chosen.has(id));
}

/** A mark in one sentence, for screen readers. */
export function sentenceOf({ name, facts }: Mark): string {
  const said = facts().map(([what, value, share]) => [what, value, ...(share ? [share] : [])].join(" "));
  return visible([name, ...said].join(", ")).slice(0, 2000);
}

function viewOf(theme: Theme, width: number, height: number): DrawView {
  return { theme, width, height, measure: (size, weight = 400) => measureIn(`${weight} ${size}px ${theme.font}`) };
}

function around({ x, y, width, height }: Box, off: number): Box {
  return { x: x - off, y: y - off, width: width + 2 * off, height: height + 2 * off };
}
