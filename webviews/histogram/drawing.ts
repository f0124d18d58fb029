/**
 * Bins, axes and what takes the focus, as SVG; shadows and members lie on a canvas below. Colours are presentation
 * attributes, so that a saved picture looks like the screen.
 */
import type { HistogramMessage } from "../../src/protocol/histogram";
import { setAll, svg } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { binSentence, type Chosen, memberSentence, orderName } from "./describe";
import { memberBox, type Scene } from "./scene";

/** What is emphasised. */
export interface Emphasis {
  readonly chosen: Chosen;
  /** Positions of chosen members. */
  readonly chosenMembers: ReadonlySet<number> | undefined;
  /** The bin that Tab leads to, and the member that the line's handle stands on. */
  readonly activeBin: number;
  readonly activeMember: number;
  readonly pointedBin?: number;
  readonly pointedMember?: number;
  readonly found?: ReadonlySet<number>;
}

export const FONT_SIZE = 12;
/** Texts lie over shadows: a rim keeps them legible. */
const RIM = 4;

export class Drawing {
  readonly element = svg("svg", { class: "histogram", role: "group", "aria-label": "Histogram" });
  private readonly axes = svg("g", { "aria-hidden": "true" });
  private readonly bins = svg("g", { role: "group", "aria-label": "Bins" });
  /** Moves over the members by arrow keys. */
  readonly handle = svg("rect", { class: "handle", role: "slider", tabindex: 0, fill: "none", rx: 2 });
  private bars: SVGGElement[] = [];

  show(histogram: HistogramMessage): void {
    this.bars = histogram.counts.map((_, bin) =>
      svg(
        "g",
        { class: "bin", role: "checkbox", "data-bin": bin },
        svg("rect", { class: "column", fill: "transparent" }),
        svg("rect", { class: "amount" }),
      ),
    );
    this.bins.replaceChildren(...this.bars);
    setAll(this.handle, {
      "aria-label": `Members by ${orderName(histogram.line.order)}`,
      "aria-valuemin": 1,
      "aria-valuemax": histogram.line.keys.length,
    });
    this.element.replaceChildren(this.axes, this.bins, this.handle);
  }

  clear(): void {
    this.element.replaceChildren();
  }

  /** What changes with the size and the theme. */
  layOut(histogram: HistogramMessage, scene: Scene, theme: Theme): void {
    const { plot, shadowTop, line, counts, values, members, bins } = scene;
    setAll(this.element, { width: scene.width, height: scene.height });
    const text = (x: number, y: number, content: string, anchor = "middle", weight = 400) =>
      svg(
        "text",
        {
          x,
          y,
          fill: theme.foreground,
          "text-anchor": anchor,
          "font-family": theme.font,
          "font-size": FONT_SIZE,
          "font-weight": weight,
          stroke: theme.background,
          "stroke-width": RIM,
          "stroke-linejoin": "round",
          "paint-order": "stroke",
        },
        content,
      );
    const rule = (y: number, color: string) =>
      svg("line", { x1: plot.x, x2: plot.x + plot.width, y1: y, y2: y, stroke: color });
    this.axes.replaceChildren(
      ...counts.map(({ at }) => rule(Math.round(at) + 0.5, theme.flow)),
      rule(plot.y + plot.height + 0.5, theme.outline),
      ...counts.map(({ at, text: count }) => text(plot.x - 6, at + 4, count, "end")),
      // From the edge: the word may be wider than the numbers below it.
      text(RIM, plot.y - 8, histogram.nouns[1], "start", 600),
      ...values.flatMap(({ at, text: value }) => [
        svg("line", { x1: at, x2: at, y1: plot.y + plot.height, y2: plot.y + plot.height + 4, stroke: theme.outline }),
        text(at, shadowTop - 4, value),
      ]),
      ...members.map(({ at, text: key }) => text(at, line.y + line.height + 17, key)),
      text(
        plot.x,
        line.y + line.height + 34,
        `${histogram.nouns[1]} by ${orderName(histogram.line.order)}`,
        "start",
        600,
      ),
    );
    this.bars.forEach((bar, bin) => {
      const [column, amount] = bar.children;
      const { x, y, width, height } = bins[bin];
      setAll(column, { x, y: plot.y, width, height: shadowTop - plot.y });
      setAll(amount, { x, y, width, height, fill: theme.amount(binHeat(histogram, bin)) });
    });
  }

  /** What changes while brushing. */
  emphasise(histogram: HistogramMessage, scene: Scene, theme: Theme, emphasis: Emphasis): void {
    const { chosen, chosenMembers, activeBin, activeMember, pointedBin } = emphasis;
    this.bars.forEach((bar, bin) => {
      const amount = bar.children[1];
      const count = chosen?.bins[bin] ?? 0;
      const isWhole = count > 0 && count === histogram.counts[bin];
      setAll(bar, {
        tabindex: bin === activeBin ? 0 : -1,
        "aria-checked": isWhole ? "true" : count > 0 ? "mixed" : "false",
        "aria-label": binSentence(histogram, bin, chosen),
      });
      setAll(amount, {
        stroke: count > 0 || bin === pointedBin ? theme.foreground : theme.outline,
        "stroke-width": count > 0 ? 3 : bin === pointedBin ? 2 : scene.bins[bin].width < 6 ? 0.5 : 1,
        "stroke-dasharray": count > 0 && !isWhole ? "4 3" : undefined,
        opacity: chosen && count === 0 ? 0.6 : undefined,
      });
    });
    const { keys } = histogram.line;
    const at = Math.min(activeMember, keys.length - 1);
    if (at < 0) return setAll(this.handle, { visibility: "hidden" });
    const { x, y, width, height } = memberBox(scene, keys.length, at);
    const wide = Math.max(6, width);
    setAll(this.handle, {
      visibility: undefined,
      x: x + width / 2 - wide / 2,
      y: y - 3,
      width: wide,
      height: height + 6,
      stroke: emphasis.pointedMember === at ? theme.foreground : theme.outline,
      "stroke-width": emphasis.pointedMember === at ? 2 : 1,
      "aria-valuenow": at + 1,
      "aria-valuetext": memberSentence(histogram, at, chosenMembers?.has(at)),
    });
  }

  bin(bin: number): SVGElement | undefined {
    return this.bars.at(bin);
  }
}

/** Colour of a bin and of its members: how large its values are, from the least to the largest. */
export function binHeat({ counts }: HistogramMessage, bin: number): number {
  return counts.length < 2 ? 0.6 : bin / (counts.length - 1);
}
