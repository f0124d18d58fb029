/**
 * A scene as SVG. Colours are presentation attributes, so that a saved picture looks like the screen without any style
 * sheet; only what the pointer and the focus add comes from CSS.
 */
import type { GraphMessage, GraphNumbers } from "../../src/protocol/superGraph";
import { Mark, svg } from "../shared/dom";
import type { Theme } from "../shared/theme";
import type { BarElement, Emphasis } from "./barElement";
import { BarElements } from "./barElements";
import { barName } from "./describe";
import { showInOrder } from "./inOrder";
import { FONT_SIZE, LabelElement, LINE_HEIGHT } from "./labelElement";
import { ribbonPath } from "./ribbon";
import type { Scene, TitleMark } from "./scene";

export class Drawing {
  readonly element = svg("svg", { class: "graph", role: "group", "aria-label": "Super graph" });
  private readonly hatchGround = new Mark("rect", { width: 6, height: 6 });
  private readonly hatchLine = new Mark("line", { y2: 6, "stroke-width": 3 });
  private readonly hatch = svg(
    "pattern",
    { id: "hidden-hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    this.hatchGround.element,
    this.hatchLine.element,
  );
  private readonly titleLayer = svg("g", { class: "titles" });
  private readonly flowLayer = new Mark("g", { class: "flows", "aria-hidden": "true" });
  private readonly barLayer = new Mark("g", { class: "bars" });
  private readonly labelLayer = new Mark("g", { class: "labels", "aria-hidden": "true" });
  /** What was there before and is no more, while it fades out. */
  private readonly beforeLayer = new Mark("g", { class: "before", "aria-hidden": "true", "pointer-events": "none" });
  private readonly barElements = new BarElements();
  private graph: GraphMessage | undefined;
  private flows: Mark<"path">[] = [];
  private bars: BarElement[] = [];
  /** Those on screen, each of its bar. */
  private labels = new Map<BarElement, LabelElement>();

  /** A graph will be shown as soon as its layout has come. */
  prepare(graph: GraphNumbers): void {
    this.barElements.prepare(graph);
  }

  /**
   * @param hasFlows else they are drawn on a canvas below, since there are too many for elements
   * @param gone bars of the graph before that fade out with its flows and labels; undefined: all of it is gone at once
   */
  show(graph: GraphMessage, hasFlows: boolean, gone?: readonly number[]): void {
    this.beforeLayer.element.replaceChildren(...(gone ? this.pictures(gone) : []));
    this.graph = graph;
    // Elements serve again, the focus does not: where it goes is decided anew.
    const { activeElement } = document;
    if (activeElement instanceof SVGElement && this.element.contains(activeElement)) activeElement.blur();
    resize(this.flows, hasFlows ? graph.flows.length : 0, (flow) => {
      const path = new Mark("path", { "data-flow": flow });
      this.flowLayer.element.append(path.element);
      return path;
    });
    this.bars = this.barElements.show(graph);
    showInOrder(
      this.barLayer.element,
      this.bars.flatMap(({ elements }) => elements),
    );
    if (this.element.hasChildNodes()) return;
    this.element.append(
      svg("defs", {}, this.hatch),
      this.beforeLayer.element,
      this.titleLayer,
      this.flowLayer.element,
      this.barLayer.element,
      this.labelLayer.element,
    );
  }

  /** What fades out, layer by layer: colours and fonts are those of layers. */
  private pictures(gone: readonly number[]): Node[] {
    const bars = this.barLayer.element.cloneNode(false);
    if (bars instanceof Element) bars.append(...gone.flatMap((bar) => this.bars.at(bar)?.picture() ?? []));
    return [asPicture(this.flowLayer.element), asPicture(bars), asPicture(this.labelLayer.element)];
  }

  /** How much is seen of what, while one graph turns into the next; undefined: all of it. */
  fade(how: Fading | undefined): void {
    this.flowLayer.set({ opacity: how?.flows });
    this.labelLayer.set({ opacity: how?.flows });
    this.beforeLayer.set({ opacity: how?.before });
    if (!how || how.before === 0) this.beforeLayer.element.replaceChildren();
    if (how)
      this.bars.forEach((element, bar) => {
        if (how.isNew(bar)) element.fade(how.newcomers);
      });
  }

  clear(): void {
    this.graph = undefined;
    this.element.replaceChildren();
  }

  update(scene: Scene, theme: Theme, emphasis: Emphasis): void {
    const { graph } = this;
    if (!graph) return;
    this.hatchGround.set({ fill: theme.background });
    this.hatchLine.set({ stroke: theme.outline });
    const dim = (bar: number) => emphasis.found !== undefined && !emphasis.found.has(bar);
    this.flowLayer.set({ fill: theme.flow, stroke: theme.flowEdge, "stroke-width": 0.75 });
    this.flows.forEach((path, flow) => {
      const { source, target } = graph.flows[flow];
      const near = [source, target].some((bar) => bar === emphasis.pointed || bar === emphasis.selected);
      const ribbon = scene.flows[flow];
      path.set({
        d: ribbon ? ribbonPath(ribbon) : "",
        fill: near ? theme.flowNear : undefined,
        opacity: dim(source) && dim(target) ? 0.25 : undefined,
      });
    });
    this.bars.forEach((element, bar) => element.update(scene, theme, emphasis, dim(bar)));
    // Of nearly all bars: hundreds need not be told one by one.
    this.barLayer.set({ stroke: theme.outline, "stroke-width": 1 });
    this.labelLayer.set({ "font-family": theme.font, "font-size": FONT_SIZE });
    this.titleLayer.replaceChildren(...scene.titles.flatMap((title) => titleElements(title, scene.width, theme)));
    this.updateLabels(scene, theme, emphasis, dim);
  }

  /** The element of a bar, or of one of its entries, that takes the focus. */
  focusable(bar: number, entry?: number): SVGElement | undefined {
    return this.bars.at(bar)?.focusable(entry);
  }

  /** Gives labels that show less than the whole name a title: a picture has no tooltips of ours. */
  titleLabels({ labels }: Scene): void {
    const { graph } = this;
    if (!graph) return;
    for (const { bar, shortened } of labels)
      if (shortened) this.labels.get(this.bars[bar])?.element.prepend(svg("title", {}, barName(graph, bar)));
  }

  private updateLabels(scene: Scene, theme: Theme, { selected }: Emphasis, dim: (bar: number) => boolean): void {
    const { graph, labels: before } = this;
    if (!graph) return;
    this.labels = new Map();
    for (const label of scene.labels) {
      const bar = this.bars[label.bar];
      const known = before.get(bar);
      const element = known ?? new LabelElement();
      element.update(label, theme, label.bar === selected, dim(label.bar));
      if (!known) this.labelLayer.element.append(element.element);
      before.delete(bar);
      this.labels.set(bar, element);
    }
    for (const { element } of before.values()) element.remove();
  }
}

/** Opacities, 0 to 1. */
interface Fading {
  readonly before: number;
  readonly flows: number;
  readonly newcomers: number;
  isNew(bar: number): boolean;
}

/** Marks that are only looked at: they have no name, no focus, and no place in the graph. */
function asPicture(marks: Node): Node {
  const picture = marks.cloneNode(true);
  if (picture instanceof Element)
    for (const mark of [picture, ...picture.querySelectorAll("*")])
      for (const name of ["role", "tabindex", "aria-label", "aria-pressed", "data-bar", "data-flow", "class"])
        mark.removeAttribute(name);
  return picture;
}

/** Makes elements until there are enough, or removes the last ones. */
function resize<Item extends { readonly element: Element }>(items: Item[], count: number, make: (at: number) => Item) {
  for (const item of items.splice(count)) item.element.remove();
  while (items.length < count) items.push(make(items.length));
}

function titleElements({ x, y, height, text, line }: TitleMark, width: number, theme: Theme): SVGElement[] {
  const title = svg(
    "text",
    {
      x,
      y: y + height - (LINE_HEIGHT - FONT_SIZE),
      fill: theme.foreground,
      "font-family": theme.font,
      "font-size": FONT_SIZE,
      "font-weight": 600,
    },
    text,
  );
  if (!line) return [title];
  return [svg("line", { x1: 0, x2: width, y1: y - 3, y2: y - 3, stroke: theme.outline }), title];
}
