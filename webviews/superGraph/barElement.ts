/** A bar as SVG: what has the focus and the name, its entry functions as squares, its histogram. Made once, drawn often. */
import type { GraphNumbers } from "../../src/protocol/superGraph";
import { Mark } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { corners } from "./corners";
import { entrySentence } from "./describe";
import { HistogramElement, type HistogramMark } from "./miniHistograms";
import { Remembered } from "./remembered";
import type { BarMark, Scene } from "./scene";

/** A bar's colour and the hatching on it: apart from its outline only where there is a part to hatch. */
interface HiddenPart {
  readonly body: Mark<"polygon">;
  readonly part: Mark<"polygon">;
}

/** Neither selected nor where Tab leads to. */
const resting = { tabindex: -1, "aria-pressed": "false" };

/** What is emphasised; indices of bars. */
export interface Emphasis {
  readonly selected?: number;
  readonly pointed?: number;
  /** Bars that the search found; undefined while nothing is searched for. */
  readonly found?: ReadonlySet<number>;
  /** The bar that Tab leads to. */
  readonly active: number;
}

/**
 * Hundreds of bars are mostly nothing but a rectangle each, so that is what takes the focus, and there is no group around it:
 * the browser takes as long for each element as for what it shows. All else stands beside it, and is made when there is
 * something to show.
 */
export class BarElement {
  private readonly button = new Mark("polygon", { class: "bar", role: "button" });
  private readonly squares: Mark<"polygon">[] = [];
  private entryLayer: Mark<"g"> | undefined;
  private hidden: HiddenPart | undefined;
  private histogram: HistogramElement | undefined;
  private readonly drawn = new Remembered();
  private graph: GraphNumbers | undefined;
  private bar = 0;

  constructor() {
    // Nearly all of them stay so.
    this.button.set(resting);
  }

  /** What it is made of now, from back to front. */
  get elements(): SVGElement[] {
    return this.marks.map(({ element }) => element);
  }

  /** The bar alone, without histogram and entries. */
  picture(): Node[] {
    const { hidden, button } = this;
    return [hidden?.body, hidden?.part, button].flatMap((mark) => mark?.element.cloneNode(true) ?? []);
  }

  private get marks() {
    const { histogram, hidden, button, entryLayer } = this;
    return [histogram?.mark, hidden?.body, hidden?.part, button, entryLayer].filter((mark) => mark !== undefined);
  }

  /** The element of the bar, or of one of its entries, that takes the focus. */
  focusable(entry?: number): SVGElement | undefined {
    return entry === undefined ? this.button.element : this.squares.at(entry)?.element;
  }

  /**
   * From now on it is this bar of this graph.
   *
   * @param sentence what is read out
   */
  show(graph: GraphNumbers, bar: number, sentence: string): void {
    this.graph = graph;
    this.bar = bar;
    this.drawn.forget();
    this.button.set({ "data-bar": bar, "aria-label": sentence });
    this.squares.forEach((square, entry) => this.nameSquare(square, entry));
  }

  fade(opacity: number): void {
    this.drawn.forget();
    this.setOpacity(opacity);
  }

  private setOpacity(opacity: number | undefined): void {
    for (const mark of this.marks) mark.set({ opacity });
  }

  update(scene: Scene, theme: Theme, emphasis: Emphasis, dimmed: boolean): void {
    const { bar } = this;
    const mark = scene.bars[bar];
    const selected = bar === emphasis.selected;
    const found = emphasis.found?.has(bar) === true;
    const isActive = bar === emphasis.active;
    const histogram = scene.histograms.at(bar);
    // Most draws are of one bar that is pointed at, among hundreds that stay as they are.
    this.drawn.get([mark, histogram, theme, selected, found, isActive, dimmed], () => {
      this.draw(mark, theme, { selected, found, isActive });
      this.updateHistogram(histogram, theme);
      this.updateSquares(mark, theme, isActive);
      this.setOpacity(dimmed ? 0.3 : undefined);
      return true;
    });
  }

  private draw(
    mark: BarMark,
    theme: Theme,
    { selected, found, isActive }: Record<"selected" | "found" | "isActive", boolean>,
  ): void {
    const { heat, difference } = mark;
    const fill = difference === undefined ? theme.amount(heat) : theme.difference(difference);
    this.updateHidden(mark, fill);
    this.button.set({
      ...{ tabindex: isActive ? 0 : resting.tabindex, "aria-pressed": selected ? "true" : resting["aria-pressed"] },
      points: corners(mark),
      // What is hidden lies above the bar's colour and below its outline.
      fill: this.hidden ? "none" : fill,
      // Else those of all bars.
      stroke: selected || found ? theme.foreground : undefined,
      "stroke-width": selected ? 3 : found ? 2 : undefined,
      "stroke-dasharray": found && !selected ? "5 3" : undefined,
    });
  }

  private updateHidden(mark: BarMark, fill: string): void {
    const { x, y, width, height, hiddenHeight } = mark;
    const isSeen = hiddenHeight >= 0.5;
    if (isSeen && !this.hidden) {
      const [body, part] = [
        new Mark("polygon", { stroke: "none" }),
        new Mark("polygon", { class: "hidden-part", fill: "url(#hidden-hatch)", stroke: "none" }),
      ];
      this.button.element.before(body.element, part.element);
      this.hidden = { body, part };
    } else if (!isSeen && this.hidden) {
      for (const { element } of [this.hidden.body, this.hidden.part]) element.remove();
      this.hidden = undefined;
    }
    if (!this.hidden) return;
    const part = { x, y: y + height - hiddenHeight, width, height: hiddenHeight };
    this.hidden.body.set({ points: corners(mark), fill });
    this.hidden.part.set({ "data-bar": this.bar, points: corners(part) });
  }

  private updateHistogram(mark: HistogramMark | undefined, theme: Theme): void {
    if (mark && !this.histogram) {
      const made = new HistogramElement();
      this.elements[0].before(made.mark.element);
      this.histogram = made;
    }
    this.histogram?.update(mark, this.bar, theme);
  }

  private updateSquares({ entries, difference }: BarMark, theme: Theme, isActive: boolean): void {
    const { squares } = this;
    for (const square of squares.splice(entries.length)) square.element.remove();
    entries.forEach((box, entry) => {
      let square = squares.at(entry);
      if (!square) {
        square = new Mark("polygon", {
          ...{ class: "entry", role: "button", "data-entry": entry, "stroke-width": 1 },
        });
        this.nameSquare(square, entry);
        squares.push(square);
        this.entryLayer ??= this.newEntryLayer();
        this.entryLayer.element.append(square.element);
      }
      square.set({
        points: corners(box),
        fill: difference === undefined ? theme.amount(box.heat) : theme.background,
        stroke: theme.foreground,
        tabindex: isActive && entry === 0 ? 0 : -1,
      });
    });
  }

  private newEntryLayer(): Mark<"g"> {
    const layer = new Mark("g", { class: "entries" });
    this.button.element.after(layer.element);
    return layer;
  }

  private nameSquare(square: Mark<"polygon">, entry: number): void {
    const { graph, bar } = this;
    if (graph && entry < graph.bars[bar].entries.length)
      square.set({ "data-bar": bar, "aria-label": entrySentence(graph, bar, entry) });
  }
}
