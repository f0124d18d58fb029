/** A bar as SVG: what has the focus and the name, its entry functions as squares, its histogram. Made once, drawn often. */
import type { GraphMessage } from "../../src/protocol/superGraph";
import { Mark, svg } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { barSentence, entrySentence } from "./describe";
import type { Emphasis } from "./drawing";
import { HistogramElement } from "./miniHistograms";
import type { BarMark, Scene } from "./scene";

export class BarElement {
  private readonly group: Mark<"g">;
  /** Entries stand beside it, since a button may hold no further ones. */
  private readonly button: Mark<"g">;
  private readonly body = new Mark("rect");
  private readonly outline = new Mark("rect", { class: "outline", fill: "none" });
  private readonly entryLayer = svg("g", { class: "entries" });
  private readonly squares: Mark<"rect">[] = [];
  /** Made when there is something to show: most bars have neither. */
  private hidden: Mark<"rect"> | undefined;
  private histogram: HistogramElement | undefined;
  private graph: GraphMessage | undefined;
  private bar = 0;

  constructor() {
    this.button = new Mark("g", { class: "bar", role: "button" }, this.body.element, this.outline.element);
    this.group = new Mark("g", {}, this.button.element, this.entryLayer);
  }

  get element(): SVGGElement {
    return this.group.element;
  }

  /** The element of the bar, or of one of its entries, that takes the focus. */
  focusable(entry?: number): SVGElement | undefined {
    return entry === undefined ? this.button.element : this.squares.at(entry)?.element;
  }

  /** From now on it is this bar of this graph. */
  show(graph: GraphMessage, bar: number): void {
    this.graph = graph;
    this.bar = bar;
    this.button.set({ "data-bar": bar, "aria-label": barSentence(graph, bar) });
    this.squares.forEach((square, entry) => this.nameSquare(square, entry));
  }

  fade(opacity: number): void {
    this.group.set({ opacity });
  }

  update(scene: Scene, theme: Theme, emphasis: Emphasis, dimmed: boolean): void {
    const { bar } = this;
    const mark = scene.bars[bar];
    const { x, y, width, height, heat, difference } = mark;
    const selected = bar === emphasis.selected;
    const found = emphasis.found?.has(bar) === true;
    this.group.set({ opacity: dimmed ? 0.3 : undefined });
    this.button.set({ tabindex: bar === emphasis.active ? 0 : -1, "aria-pressed": String(selected) });
    const fill = difference === undefined ? theme.amount(heat) : theme.difference(difference);
    this.body.set({ x, y, width, height, fill });
    this.outline.set({
      ...{ x, y, width, height },
      stroke: selected || found ? theme.foreground : theme.outline,
      "stroke-width": selected ? 3 : found ? 2 : 1,
      "stroke-dasharray": found && !selected ? "5 3" : undefined,
    });
    this.updateHidden(mark);
    this.updateHistogram(scene, theme);
    this.updateSquares(mark, theme, bar === emphasis.active);
  }

  private updateHidden({ x, y, width, height, hiddenHeight }: BarMark): void {
    const isSeen = hiddenHeight >= 0.5;
    if (isSeen && !this.hidden) {
      this.hidden = new Mark("rect", { class: "hidden-part", fill: "url(#hidden-hatch)" });
      this.body.element.after(this.hidden.element);
    }
    this.hidden?.set({
      ...{ x, y: y + height - hiddenHeight, width, height: hiddenHeight },
      visibility: isSeen ? undefined : "hidden",
    });
  }

  private updateHistogram(scene: Scene, theme: Theme): void {
    const mark = scene.histograms.at(this.bar);
    if (mark && !this.histogram) {
      this.histogram = new HistogramElement();
      this.element.prepend(this.histogram.element);
    }
    this.histogram?.update(mark, this.bar, theme);
  }

  private updateSquares({ entries, difference }: BarMark, theme: Theme, isActive: boolean): void {
    const { squares } = this;
    for (const square of squares.splice(entries.length)) square.element.remove();
    entries.forEach(({ x, y, width, height, heat }, entry) => {
      let square = squares.at(entry);
      if (!square) {
        square = new Mark("rect", {
          ...{ class: "entry", role: "button", "data-entry": entry, "stroke-width": 1 },
        });
        this.nameSquare(square, entry);
        squares.push(square);
        this.entryLayer.append(square.element);
      }
      square.set({
        ...{ x, y, width, height },
        fill: difference === undefined ? theme.amount(heat) : theme.background,
        stroke: theme.foreground,
        tabindex: isActive && entry === 0 ? 0 : -1,
      });
    });
  }

  private nameSquare(square: Mark<"rect">, entry: number): void {
    const { graph, bar } = this;
    if (graph && entry < graph.bars[bar].entries.length)
      square.set({ "data-bar": bar, "aria-label": entrySentence(graph, bar, entry) });
  }
}
