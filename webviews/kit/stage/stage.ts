/**
 * Where a scene is drawn: marks as elements, above 2,000 on a canvas, where only the one that has the focus is an element. What
 * was there keeps its element, and the browser hears of what changes; what stands out is drawn apart from the scene, so that pointing
 * costs nothing.
 */
import { html, replaceAll, setAll, svg } from "../../shared/dom";
import { type Measure, measureIn, visible } from "../../shared/text";
import { onThemeChange, readTheme, type Theme } from "../theme/theme";
import { isKeyboardUsed, keepFocus, watchKeyboard } from "../keptFocus";
import { framesOff, type FramesOff } from "./frames";
import { showInOrder } from "./inOrder";
import { clearCanvas, elementOf, paint, shapeOf, ShapeElement } from "./painters";
import {
  circle,
  isHit,
  isIn,
  type Box,
  type DrawView,
  type Emphasis,
  type Highlighted,
  type Layer,
  type Mark,
  type Paint,
  type Scene,
  type Shape,
  type Sign,
} from "./scene";

/** More marks than this lie on a canvas. */
export const MOST_ELEMENTS = 2000;
/** Opacity of what fills marks that are not chosen, or not found, and of what belongs to them. */
export const LEFT_OUT = 0.4;

const NOTHING: Emphasis = {
  active: undefined,
  pointed: undefined,
  selected: undefined,
  found: undefined,
  chosen: undefined,
};

/** A mark's element, with what it shows. */
interface MarkElement {
  readonly shape: ShapeElement;
  mark: Mark;
  /** The mark, and how it stands out. */
  shown?: readonly unknown[];
}

/** A shape's element, with what it shows. */
interface ShownShape {
  readonly element: ShapeElement;
  shape: Shape;
  font: string;
}

/** What is to be drawn. */
export interface ToDraw<Content, Seen> {
  /** Names the content. */
  readonly revision: number;
  readonly content: Content;
  /** What of it is in sight. */
  readonly seen: Seen | undefined;
}

/** What a stage needs of its page. */
export interface StageHooks<Content, Seen> {
  /** Where it stands. */
  readonly place: HTMLElement;
  /** Undefined: there is nothing to draw. */
  shown(): ToDraw<Content, Seen> | undefined;
  /** Of the drawing, for screen readers; asked for with each scene. */
  label(): string;
  /** Hears of every size. */
  resized(size: { readonly width: number; readonly height: number }): void;
}

/** A scene, and what it is drawn with. */
export interface Picture {
  readonly scene: Scene;
  readonly shapes: readonly Shape[];
}

export class Stage<Content, Seen> {
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
  private readonly shapes = { below: [], labels: [], above: [] } as Record<"below" | "labels" | "above", ShownShape[]>;
  /** By the marks' keys. */
  private elements = new Map<string, MarkElement>();
  /** The mark that parts without a drawing have elements for. */
  private elementsAround: number | undefined;
  /** Of marks that have elements. */
  private readonly byId = new Map<number, Mark>();
  protected emphasis: Emphasis = NOTHING;
  /** What marks on the canvas, and shapes, stand back for. */
  private painted: Pick<Emphasis, "found" | "chosen" | "selected"> | undefined;
  private brush: Shape | undefined;
  private isPending = false;

  /** @param draw the content at a size and in a theme */
  constructor(
    protected readonly hooks: StageHooks<Content, Seen>,
    private readonly draw: (content: Content, view: DrawView, seen: Seen | undefined) => Scene,
    private readonly layer?: Layer,
  ) {
    const { place } = hooks;
    this.element.append(this.below, this.marks, this.labels, this.above, this.rings);
    setAll(this.element, { "aria-label": hooks.label() });
    if (layer) place.append(layer.element);
    place.append(this.canvas, this.element);
    this.view = viewOf(readTheme(), 0, 0);
    onThemeChange(() => {
      this.view = { ...this.view, theme: readTheme(), measure: viewOf(readTheme(), 0, 0).measure };
      this.redraw();
    });
    watchKeyboard(() => this.drawRings());
    new ResizeObserver(() => this.measure()).observe(place);
  }

  mark(id: number): Mark | undefined {
    const { scene, canvas } = this;
    // On a canvas few are asked for between two frames.
    const own = canvas.hidden ? this.byId.get(id) : scene?.marks.find((one) => one.id === id);
    return own ?? scene?.many?.of(id);
  }

  /** The topmost mark at a point of the drawing, or that of a sign. */
  markAt(x: number, y: number): Mark | undefined {
    const at = { x, y };
    const mark = this.scene?.marks.findLast((one) => one.isPassive !== true && isHit(one, at));
    const sign = mark ? undefined : this.signAt(x, y);
    return mark ?? (sign ? this.mark(sign.mark) : (this.scene?.many?.at(at) ?? this.layer?.markAt?.(x, y)));
  }

  /** The part of a mark that is drawn at a point, high enough to be meant. */
  partAt({ id }: Mark, x: number, y: number): Mark | undefined {
    const isMeant = (mark: Mark) => mark.within === id && !isUnseenPart(mark) && mark.box.height >= LEAST_PART;
    return this.scene?.marks.find((mark) => isMeant(mark) && isIn(mark.box, { x, y }));
  }

  signAt(x: number, y: number): Sign | undefined {
    return this.scene?.signs?.find(({ box }) => isIn(box, { x, y }));
  }

  /** Draws what is shown: another content, or the same one anew. */
  redraw(): void {
    const { view, hooks } = this;
    if (view.width === 0) return;
    const shown = hooks.shown();
    const scene = shown && this.sceneOf(shown, view);
    const hadFocus = this.marks.contains(document.activeElement);
    this.scene = scene;
    setAll(this.element, {
      width: view.width,
      height: view.height,
      "aria-label": visible(hooks.label()).slice(0, 1000),
    });
    const isOnCanvas = scene?.many !== undefined || scene?.paintMarks !== undefined;
    const isCanvas = isOnCanvas || (scene?.marks.length ?? 0) > MOST_ELEMENTS;
    if (isCanvas !== !this.canvas.hidden) this.elements.clear();
    this.canvas.hidden = !isCanvas;
    this.byId.clear();
    if (!isCanvas) for (const mark of scene?.marks ?? []) this.byId.set(mark.id, mark);
    if (!isCanvas) this.showMarks(scene?.marks ?? []);
    else if (this.elements.size !== 1) this.marks.replaceChildren();
    this.painted = undefined;
    this.layer?.draw(scene, view);
    this.emphasiseNow();
    if (!hadFocus || this.marks.contains(document.activeElement)) return;
    const [first] = this.elements.values();
    keepFocus(this.elementOf(this.emphasis.active) ?? first?.shape.element);
  }

  /** What was selected elsewhere stands out from now on. */
  highlight(highlighted: Highlighted | undefined): void {
    const { highlighted: before, ...view } = this.view;
    if (!before && !highlighted) return;
    this.view = highlighted ? { ...view, highlighted } : view;
    this.redraw();
  }

  /** Shown once a frame, however often something changes. @param now at once: the next key may depend on it */
  emphasise(emphasis: Emphasis, now = false): void {
    this.emphasis = emphasis;
    if (now) return this.emphasiseNow();
    if (this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => this.isPending && this.emphasiseNow());
  }

  /** Shows what is being drawn, a rectangle or a line; undefined: nothing. */
  showBrush(drawn: Box | string | undefined): void {
    const { focus } = this.view.theme;
    const paint = { fill: focus, fillOpacity: 0.15, stroke: focus, strokeWidth: 1 };
    if (drawn === undefined) this.brush = undefined;
    else
      this.brush =
        typeof drawn === "string" ? { kind: "path", d: drawn, ...paint } : { kind: "box", box: drawn, ...paint };
    this.drawRings();
  }

  focus(id: number): void {
    this.emphasiseNow();
    keepFocus(this.elementOf(id));
  }

  protected sceneOf({ content, seen }: ToDraw<Content, Seen>, view: DrawView): Scene {
    return this.draw(content, view, seen);
  }

  /** What a saved picture shows. */
  picture(): Picture | undefined {
    return this.scene && this.pictureOf(this.scene);
  }

  /** A scene with what is chosen, as shapes. */
  protected pictureOf(scene: Scene): Picture {
    const { layer, emphasis, view } = this;
    const chosen = { ...NOTHING, chosen: emphasis.chosen };
    const marks = scene.marks.map((mark) => this.shape(mark, chosen));
    const labels = scene.marks.flatMap((mark) => this.label(mark, chosen) ?? []);
    const many = [...(layer?.shapes(scene, view) ?? []), ...(scene.many?.shapes(NOTHING) ?? [])];
    return {
      scene,
      shapes: [...scene.below, ...many, ...marks, ...labels, ...scene.above],
    };
  }

  /** Of a drawing that is on its way: how much is seen of what stands around its marks. */
  protected fade(opacity: number | undefined): void {
    for (const part of [this.below, this.above]) setAll(part, { opacity });
  }

  protected emphasiseNow(): void {
    this.isPending = false;
    const { scene, view, emphasis } = this;
    if (!scene) return this.clear();
    const { painted } = this;
    const isSame = scene.many === undefined || painted?.selected === emphasis.selected;
    const isPainted = isSame && painted?.found === emphasis.found && painted?.chosen === emphasis.chosen;
    if (!isPainted || !painted) this.paint(scene, view);
    if (this.canvas.hidden) {
      if (this.elementsAround !== emphasis.active) this.showMarks(scene.marks);
      for (const element of this.elements.values()) this.showMark(element);
    } else this.showOnly(emphasis.active);
    this.layer?.emphasise(emphasis);
    this.drawRings();
  }

  private clear(): void {
    this.rings.replaceChildren();
    for (const where of ["below", "labels", "above"] as const) this.showShapes(where, []);
  }

  /** What does not change while the pointer moves. */
  private paint(scene: Scene, view: DrawView): void {
    const { emphasis } = this;
    this.painted = emphasis;
    const labels = scene.marks.flatMap((mark) => this.label(mark, emphasis) ?? []);
    this.showShapes("below", scene.below);
    this.showShapes("labels", this.canvas.hidden ? labels : []);
    const { selected } = emphasis;
    const over = selected === undefined ? [] : (scene.many?.over?.(selected) ?? []);
    this.showShapes("above", [...scene.above, ...over]);
    const context = this.canvas.hidden ? undefined : clearCanvas(this.canvas, view);
    if (!context) return;
    if (scene.many) paint(context, scene.many.shapes(emphasis), view.theme.font);
    scene.paintMarks?.(context, emphasis);
    const shapes = scene.marks.flatMap((mark) => (mark.isPainted ? [] : this.shape(mark, emphasis)));
    paint(context, [...shapes, ...labels], view.theme.font);
  }

  private elementOf(id: number | undefined): SVGElement | undefined {
    const mark = id === undefined ? undefined : this.mark(id);
    return mark && this.elements.get(mark.key)?.shape.element;
  }

  /**
   * What was there keeps its element, and, but for the fewest, its place among them. Parts that are too small to be drawn have one
   * only while the keyboard is at them or leads to them: of the 2,000 marks of a graph with 150 bars they are 1,700.
   */
  private showMarks(marks: readonly Mark[]): void {
    const before = this.elements;
    const { active } = this.emphasis;
    this.elements = new Map();
    this.elementsAround = active;
    for (const mark of marks) {
      if (isUnseenPart(mark) && mark.id !== active && !this.leadsOn(mark, active)) continue;
      const known = before.get(mark.key);
      const isSame = known?.shape.suits(shapeOf(mark)) === true;
      const element = isSame ? known : this.elementFor(mark);
      element.mark = mark;
      this.elements.set(mark.key, element);
    }
    showInOrder(
      this.marks,
      [...this.elements.values()].map(({ shape }) => shape.element),
    );
  }

  /** Where marks lie on a canvas, one element stands for the mark that has the focus. */
  private showOnly(active: number | undefined): void {
    const mark = active === undefined ? undefined : this.mark(active);
    if (!mark) return;
    const [known = this.elementFor(mark)] = this.elements.values();
    known.mark = mark;
    this.elements = new Map([[mark.key, known]]);
    showInOrder(this.marks, [known.shape.element]);
    this.showMark(known);
  }

  private elementFor(mark: Mark): MarkElement {
    const shape = new ShapeElement(this.canvas.hidden ? shapeOf(mark) : hitArea(mark), this.view.theme.font);
    setAll(shape.element, { role: "option" });
    return { shape, mark };
  }

  private showShapes(where: keyof typeof this.shapes, shapes: readonly Shape[]): void {
    const { font } = this.view.theme;
    const known = this.shapes[where];
    for (const { element } of known.splice(shapes.length)) element.element.remove();
    shapes.forEach((shape, at) => {
      const shown = standing(shape, this.emphasis);
      const before = known.at(at);
      // Labels of what stays where it is are the same ones from one drawing to the next.
      if (before?.shape === shown && before.font === font) return;
      if (before?.element.suits(shown)) {
        [before.shape, before.font] = [shown, font];
        return before.element.show(shown, font);
      }
      const element = new ShapeElement(shown, font);
      known[at] = { element, shape: shown, font };
      if (before) before.element.element.replaceWith(element.element);
      else this[where].append(element.element);
    });
  }

  private showMark(element: MarkElement): void {
    const { mark, shape } = element;
    const { emphasis, canvas, view } = this;
    const { active, selected, found, chosen } = emphasis;
    const isChosen = chosen?.get(mark.id);
    const isStop = mark.id === active || this.leadsOn(mark, active);
    const shown = [
      mark,
      view.theme,
      isStop,
      mark.id === selected,
      found?.has(mark.within ?? mark.id) === false,
      chosen !== undefined,
      isChosen,
    ];
    // Most of what stands out is one mark that is pointed at, among hundreds that stay as they are.
    if (element.shown?.every((part, at) => part === shown[at])) return;
    element.shown = shown;
    shape.show(canvas.hidden ? this.shape(mark, emphasis) : hitArea(mark), view.theme.font, {
      "data-mark": mark.id,
      "data-key": mark.key,
      tabindex: isStop ? 0 : -1,
      "aria-label": sentenceOf(mark),
      "pointer-events": mark.isPassive === true ? "none" : undefined,
      "aria-selected": String(mark.id === selected),
      "aria-checked": chosen ? (isChosen === "all" ? "true" : isChosen === "some" ? "mixed" : "false") : undefined,
    });
  }

  /** Tab leads from a mark to the first of its parts, and back to the mark. */
  private leadsOn({ id, within }: Mark, active: number | undefined): boolean {
    if (active === undefined) return false;
    const isFirst = within === active && this.byId.get(active)?.within === undefined && this.firstPart(active) === id;
    return isFirst || this.byId.get(active)?.within === id;
  }

  private firstPart(whole: number): number | undefined {
    return this.scene?.marks.find(({ within }) => within === whole)?.id;
  }

  /** As a mark looks with what stands out. */
  private shape(mark: Mark, emphasis: Emphasis): Shape {
    const isChosen = emphasis.chosen?.get(mark.id);
    const { text: foreground } = this.view.theme;
    const standsOut: Paint = isChosen
      ? { stroke: foreground, strokeWidth: 1.5, ...(isChosen === "some" ? { dash: [4, 3] } : {}) }
      : {};
    const isBack = isLeftOut(mark.within ?? mark.id, emphasis);
    // The edge stays: what is left out is still there.
    const dimmed: Paint = isBack ? { fillOpacity: LEFT_OUT * (mark.paint.fillOpacity ?? 1) } : {};
    return { ...shapeOf(mark), ...standsOut, ...dimmed };
  }

  /** On a fill that has faded, the text is the background's. */
  private label({ label, id }: Mark, emphasis: Emphasis): Shape | undefined {
    return label && isLeftOut(id, emphasis) ? { ...label, fill: this.view.theme.muted } : label;
  }

  private drawRings(): void {
    const { pointed, selected, active } = this.emphasis;
    const { text: foreground, focus } = this.view.theme;
    const hasFocus = isKeyboardUsed() && this.elementOf(active)?.matches(":focus") === true;
    const shapes: Shape[] = [
      ...this.ring(pointed, () => 0, { stroke: foreground, strokeWidth: 2 }),
      ...this.ring(selected, (off) => off.selected, { stroke: focus, strokeWidth: 2 }),
      ...this.ring(hasFocus ? active : undefined, (off) => off.focused, { stroke: focus, strokeWidth: 1 }),
      ...(this.brush ? [this.brush] : []),
    ];
    replaceAll(
      this.rings,
      shapes.map((shape) => elementOf(shape, this.view.theme.font)),
    );
  }

  private ring(id: number | undefined, offOf: (off: FramesOff) => number, paint: Paint): Shape[] {
    const mark = id === undefined ? undefined : this.mark(id);
    if (!mark || !this.scene) return [];
    const { box, framed = box, isRound, outline } = mark;
    const off = offOf(framesOff(framed, this.scene, this.view));
    if (outline) return [{ kind: "path", d: outline.around(off), ...paint }];
    const around = grown(framed, off);
    return [isRound ? { kind: "path", d: circle(around), ...paint } : { kind: "box", box: around, ...paint }];
  }

  private measure(): void {
    const box = this.hooks.place.getBoundingClientRect();
    const [width, height] = [Math.round(box.width), Math.round(box.height)];
    if (width < 1 || height < 1 || (width === this.view.width && height === this.view.height)) return;
    this.view = { ...this.view, width, height };
    this.hooks.resized({ width, height });
    this.redraw();
  }
}

/** Pixels from which on a part is what is pointed at. */
const LEAST_PART = 8;

/** A part that is drawn as nothing, and that the pointer does not find. */
function isUnseenPart({ within, isPassive, paint: { fill, stroke } }: Mark): boolean {
  return within !== undefined && isPassive === true && fill === undefined && stroke === undefined;
}

/** A shape as it looks with what stands out: it stands back where its mark does. */
export function standing(shape: Shape, emphasis: Pick<Emphasis, "found" | "chosen">): Shape {
  const isBack = shape.of !== undefined && isLeftOut(shape.of, emphasis);
  return isBack ? { ...shape, opacity: LEFT_OUT * (shape.opacity ?? 1) } : shape;
}

function isLeftOut(id: number, { found, chosen }: Pick<Emphasis, "found" | "chosen">): boolean {
  return (found !== undefined && !found.has(id)) || (chosen !== undefined && !chosen.has(id));
}

/** A mark in one sentence, for screen readers. */
export function sentenceOf({ name, facts, says }: Mark): string {
  if (says !== undefined) return says();
  const said = facts().map(([what, value, share]) => [what, value, ...(share ? [share] : [])].join(" "));
  return visible([name, ...said].join(", ")).slice(0, 2000);
}

/** Where marks lie on a canvas: what has the focus, above the one that is painted. */
function hitArea({ box }: Mark): Shape {
  return { kind: "box", box, fill: "transparent" };
}

/** What each font has measured. */
const measures = new Map<string, Measure>();

function viewOf(theme: Theme, width: number, height: number): DrawView {
  const measure = (size: number, weight = 400) => {
    const font = `${weight} ${size}px ${theme.font}`;
    const known = measures.get(font) ?? measureIn(font);
    measures.set(font, known);
    return known;
  };
  return { theme, width, height, measure };
}

function grown({ x, y, width, height }: Box, off: number): Box {
  return { x: x - off, y: y - off, width: width + 2 * off, height: height + 2 * off };
}
