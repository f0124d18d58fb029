/** The small histograms above bars: where they lie and how they are drawn. They keep their size at any zoom. */
import { formatRatio, formatValue } from "../../src/model/units";
import type { BarHistogramNumbers, HistogramsMessage } from "../../src/protocol/graphHalves";
import { MINI_BINS } from "../../src/protocol/graphHalves";
import type { GraphMessage } from "../../src/protocol/superGraph";
import { Mark } from "../shared/dom";
import type { Theme } from "../shared/theme";
import { visible } from "../shared/text";
import { BoxIndex } from "./boxIndex";
import type { Box } from "./labels";

export interface HistogramMark extends Box {
  /** Path data of the columns. */
  readonly columns: string;
}

const BIN_WIDTH = 2;
const WIDTH = MINI_BINS * BIN_WIDTH;
/** As high as there is room for, and none where that is too little to be told from a line. */
const HEIGHTS = [12, 8];
/** Between a histogram and its bar. */
const GAP = 2;
/** The room that is asked for above a bar's histogram, in which labels stand. */
export const ABOVE = HEIGHTS[0] + GAP;

/**
 * @param bars boxes of the bars in the drawing
 * @param others boxes that are to stay free as well: titles
 */
export function histogramMarks(
  histograms: HistogramsMessage | undefined,
  bars: readonly Box[],
  others: readonly Box[],
  area: { readonly width: number; readonly height: number },
): (HistogramMark | undefined)[] {
  if (!histograms || histograms.bars.length !== bars.length) return bars.map(() => undefined);
  const edges = ({ x, y, width, height }: Box) => ({ left: x, right: x + width, top: y, bottom: y + height });
  const index = new BoxIndex(area.width, area.height, [...bars, ...others].map(edges));
  return bars.map((bar, at) => {
    if (bar.x > area.width || bar.x + WIDTH < 0 || bar.y > area.height + ABOVE || bar.y < 0) return undefined;
    for (const height of HEIGHTS) {
      const box = { x: bar.x, y: bar.y - GAP - height, width: WIDTH, height };
      if (index.some({ ...edges(box), top: box.y - GAP }, () => true)) continue;
      return { ...box, columns: columnsPath(histograms.bars[at].counts, box) };
    }
    return undefined;
  });
}

/** A column a bin, at least a pixel high where anything is in it. */
function columnsPath(counts: readonly number[], { x, y, height }: Box): string {
  const most = Math.max(...counts);
  // Where all values are one value there is one bin, in the middle.
  const left = counts.length === 1 ? x + WIDTH / 2 - BIN_WIDTH : x;
  const width = counts.length === 1 ? 2 * BIN_WIDTH : BIN_WIDTH;
  const places = counts.map((count, bin) => {
    if (count === 0) return "";
    const high = Math.max(1.5, (height * count) / most);
    return `M${round(left + bin * width)},${round(y + height)}v${round(-high)}h${width}v${round(high)}z`;
  });
  return places.join("");
}

/** The elements of one histogram, made once. */
export class HistogramElement {
  private readonly plate = new Mark("rect");
  private readonly line = new Mark("rect");
  private readonly columns = new Mark("path");
  readonly mark: Mark<"g">;

  constructor() {
    this.mark = new Mark(
      "g",
      { class: "mini-histogram", "data-histogram": "", "aria-hidden": "true", stroke: "none" },
      this.plate.element,
      this.line.element,
      this.columns.element,
    );
  }

  update(mark: HistogramMark | undefined, bar: number, theme: Theme): void {
    this.mark.set({ "data-bar": bar, visibility: mark ? undefined : "hidden" });
    if (!mark) return;
    const { x, y, width, height, columns } = mark;
    this.plate.set({ x, y, width, height, fill: theme.background, "fill-opacity": 0.75 });
    this.line.set({ x, y: y + height - 0.5, width, height: 1, fill: theme.flowEdge });
    this.columns.set({ d: columns, fill: theme.muted });
  }
}

/** What a tooltip and the table say of a bar's histogram. */
export function histogramFacts(
  { unit }: GraphMessage,
  { of, member, bars }: HistogramsMessage,
  bar: number,
): (readonly [string, string])[] {
  const numbers = bars.at(bar);
  if (!numbers) return [];
  const { minimum, mean, maximum } = numbers;
  const values = [minimum, mean, maximum].map((value) => formatValue(value, unit));
  return [
    [`${of} over ${member}s`, `min ${values[0]}, mean ${values[1]}, max ${values[2]}`],
    ["imbalance", imbalanceText(numbers)],
    [`slowest ${member}`, visible(numbers.slowest)],
  ];
}

export function imbalanceText({ imbalance }: Pick<BarHistogramNumbers, "imbalance">): string {
  return imbalance === undefined ? "not known" : formatRatio(imbalance);
}

function round(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
