/**
 * A scene as SVG. Colours are presentation attributes, so that a saved picture looks like the screen without any style
 * sheet. Where marks are on a canvas, only the one with the focus is an element.
 */
import type { ScatterMessage } from "../../src/protocol/correlation";
import { setAll, svg } from "../shared/dom";
import { fitName, measureIn } from "../shared/text";
import type { Theme } from "../shared/theme";
import { axisName, fitSentence, markSentence } from "./describe";
import { type Box, FONT_SIZE, type Scene } from "./scene";
import { shape, type State } from "./shapes";

/** What is emphasised; marks by their index. */
export interface Emphasis {
  /** The mark that Tab leads to. */
  readonly active: number;
  /** Undefined without a restriction. */
  readonly chosen?: ReadonlySet<number>;
  readonly selected?: number;
  readonly found?: ReadonlySet<number>;
}

export class Drawing {
  readonly element = svg("svg", { class: "scatter", role: "group", "aria-label": "Scatter" });
  private readonly frame = svg("g", { "aria-hidden": "true" });
  private readonly cells = svg("g", { "aria-hidden": "true" });
  private readonly fit = svg("g", { class: "fit", role: "img", tabindex: 0 });
  private readonly points = svg("g", { class: "points", role: "listbox", "aria-multiselectable": "true" });
  private readonly names = svg("g", { "aria-hidden": "true" });
  private readonly brush = svg("rect", { class: "brush", visibility: "hidden" });
  private readonly elements = new Map<number, SVGPathElement>();
  private scatter: ScatterMessage | undefined;
  private elsewhere = false;
  /** Marks in the order of their x. */
  private order: readonly number[] = [];

  /** @param elsewhere marks are drawn on a canvas below, since there are too many for elements */
  show(scatter: ScatterMessage, order: readonly number[], elsewhere: boolean): void {
    this.scatter = scatter;
    this.order = order;
    this.elsewhere = elsewhere;
    this.elements.clear();
    this.points.replaceChildren();
    setAll(this.points, { "aria-label": `${scatter.nouns[1]}, in the order of x` });
    if (!elsewhere) for (const mark of order) this.elementOf(mark);
    this.element.replaceChildren(this.frame, this.cells, this.fit, this.points, this.names, this.brush);
  }

  clear(): void {
    this.scatter = undefined;
    this.elements.clear();
    this.element.replaceChildren();
  }

  update(scene: Scene, theme: Theme, emphasis: Emphasis): void {
    const { scatter } = this;
    if (!scatter) return;
    this.frame.replaceChildren(...frame(scatter, scene, theme));
    this.updateFit(scatter, scene, theme);
    if (this.elsewhere) this.keepOnly(emphasis.active);
    for (const [mark, element] of this.elements) this.updateMark(mark, element, scene, theme, emphasis);
    this.names.replaceChildren(
      ...scene.labels.map(({ x, y, text }) => label({ x, y, fill: theme.muted, "font-family": theme.font }, text)),
    );
  }

  /** Cells of a density as elements, for a picture that stands alone. */
  drawCells(scene: Scene, theme: Theme): void {
    this.cells.replaceChildren(
      ...(scene.cells ?? []).map(({ x, y, width, height, share }) =>
        svg("rect", { x, y, width, height, fill: theme.amount(share) }),
      ),
    );
  }

  /** The element that has the focus while a mark is active. */
  focusable(mark: number): SVGElement | undefined {
    return this.elements.get(mark);
  }

  get fitElement(): SVGElement {
    return this.fit;
  }

  showBrush(box: Box | undefined, theme: Theme): void {
    setAll(this.brush, {
      ...(box ?? {}),
      fill: theme.focus,
      "fill-opacity": 0.15,
      stroke: theme.focus,
      "stroke-dasharray": "4 2",
      visibility: box ? undefined : "hidden",
    });
  }

  private keepOnly(mark: number): void {
    if (this.elements.has(mark) && this.elements.size === 1) return;
    for (const [known, element] of this.elements) {
      if (known === mark) continue;
      element.remove();
      this.elements.delete(known);
    }
    if (this.order.length > 0 && !this.elements.has(mark)) this.elementOf(mark);
  }

  private elementOf(mark: number): void {
    const { scatter } = this;
    if (!scatter) return;
    const element = svg("path", {
      class: "point",
      role: "option",
      "data-mark": mark,
      "aria-label": markSentence(scatter, mark),
      "aria-posinset": this.order.indexOf(mark) + 1,
      "aria-setsize": this.order.length,
    });
    this.elements.set(mark, element);
    this.points.append(element);
  }

  private updateMark(
    mark: number,
    element: SVGPathElement,
    scene: Scene,
    theme: Theme,
    { active, chosen, selected, found }: Emphasis,
  ): void {
    const state = stateOf(mark, chosen);
    const isSelected = mark === selected;
    const isFound = found?.has(mark) === true;
    const box = scene.cells?.[mark];
    setAll(element, {
      d: box ? `M${box.x},${box.y}h${box.width}v${box.height}h${-box.width}Z` : shape(state, scene.x[mark], scene.y[mark], scene.radius), // prettier-ignore
      fill: box ? "none" : state === "out" ? theme.background : theme.amount(state === "chosen" ? 1 : 0.7),
      stroke: isSelected || state === "chosen" || isFound ? theme.foreground : theme.outline,
      "stroke-width": isSelected ? 3 : isFound ? 2.5 : state === "chosen" ? 1.5 : 1,
      "stroke-dasharray": isFound && !isSelected ? "3 2" : undefined,
      opacity: found && !isFound ? 0.3 : undefined,
      tabindex: mark === active ? 0 : -1,
      "aria-selected": String(chosen?.has(mark) === true || isSelected),
    });
  }

  private updateFit(scatter: ScatterMessage, scene: Scene, theme: Theme): void {
    const { line } = scene;
    setAll(this.fit, {
      visibility: line ? undefined : "hidden",
      tabindex: line ? 0 : undefined,
      "aria-label": fitSentence(scatter),
    });
    this.fit.replaceChildren(
      ...(line
        ? [
            svg("line", { ...line, class: "fit-reach", stroke: "transparent", "stroke-width": 12 }),
            svg("line", { ...line, class: "fit-line", stroke: theme.foreground, "stroke-width": 2 }),
          ]
        : []),
    );
  }
}

export function stateOf(mark: number, chosen: ReadonlySet<number> | undefined): State {
  return chosen === undefined ? "plain" : chosen.has(mark) ? "chosen" : "out";
}

function frame(scatter: ScatterMessage, { plot, ticksX, ticksY }: Scene, theme: Theme): SVGElement[] {
  const { x, y, width, height } = plot;
  const text = { fill: theme.foreground, "font-family": theme.font };
  const grid = (ends: Record<string, number>) => svg("line", { ...ends, stroke: theme.flow });
  const bottom = y + height;
  const title = (axis: "x" | "y") => {
    const { unit, metric } = scatter[axis];
    // Of a metric that is called like its unit, as cycles are, it is said already.
    const suffix = ["s", "B", "1", metric].includes(unit) ? "" : ` (${unit})`;
    const fitted = fitName(axisName(scatter[axis], scatter), width - 40, measureIn(`600 ${FONT_SIZE}px ${theme.font}`));
    return fitted + (fitted.endsWith("…") ? "" : suffix);
  };
  return [
    ...ticksX.map(({ at }) => grid({ x1: at, x2: at, y1: y, y2: bottom })),
    ...ticksY.map(({ at }) => grid({ x1: x, x2: x + width, y1: at, y2: at })),
    svg("path", { d: `M${x},${y}V${bottom}H${x + width}`, fill: "none", stroke: theme.outline }),
    ...ticksX.map((tick) => label({ x: tick.at, y: bottom + 15, "text-anchor": "middle", ...text }, tick.text)),
    ...ticksY.map((tick) => label({ x: x - 6, y: tick.at + 4, "text-anchor": "end", ...text }, tick.text)),
    label({ x, y: 14, "font-weight": 600, ...text }, `↑ ${title("y")}`),
    label({ x: x + width, y: bottom + 33, "text-anchor": "end", "font-weight": 600, ...text }, `${title("x")} →`),
  ];
}

function label(attributes: Record<string, string | number>, text: string): SVGTextElement {
  return svg("text", { "font-size": FONT_SIZE, ...attributes }, text);
}
