/** The small histograms above bars: where they lie and how they are drawn. They keep their size at any zoom. Pure. */
import { type GraphHistograms, MINI_BINS } from "../../src/protocol/superGraph";
import { rounded, type Box, type Shape } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { BoxIndex } from "./boxIndex";

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
  histograms: GraphHistograms | undefined,
  bars: readonly Box[],
  others: readonly Box[],
  area: { readonly width: number; readonly height: number },
): (HistogramMark | undefined)[] {
  if (!histograms) return bars.map(() => undefined);
  const { first, counts } = histograms;
  const edges = ({ x, y, width, height }: Box) => ({ left: x, right: x + width, top: y, bottom: y + height });
  const index = new BoxIndex(area.width, area.height, [...bars, ...others].map(edges));
  return bars.map((bar, at) => {
    if (bar.x > area.width || bar.x + WIDTH < 0 || bar.y > area.height + ABOVE || bar.y < 0) return undefined;
    for (const height of HEIGHTS) {
      const box = { x: bar.x, y: bar.y - GAP - height, width: WIDTH, height };
      if (index.some({ ...edges(box), top: box.y - GAP }, () => true)) continue;
      return { ...box, columns: columnsPath(counts.subarray(first[at], first[at + 1]), box) };
    }
    return undefined;
  });
}

/** A column a bin, at least a pixel high where anything is in it. */
function columnsPath(counts: Int32Array, { x, y, height }: Box): string {
  const most = Math.max(...counts);
  // Where all values are one value there is one bin, in the middle.
  const left = counts.length === 1 ? x + WIDTH / 2 - BIN_WIDTH : x;
  const width = counts.length === 1 ? 2 * BIN_WIDTH : BIN_WIDTH;
  let path = "";
  counts.forEach((count, bin) => {
    if (count === 0) return;
    const high = Math.max(1.5, (height * count) / most);
    path += `M${rounded(left + bin * width)},${rounded(y + height)}v${rounded(-high)}h${width}v${rounded(high)}z`;
  });
  return path;
}

export function histogramShapes({ x, y, width, height, columns }: HistogramMark, bar: number, theme: Theme): Shape[] {
  const line = { x, y: y + height - 0.5, width, height: 1 };
  return [
    { kind: "box", box: { x, y, width, height }, fill: theme.background, fillOpacity: 0.75, of: bar },
    { kind: "box", box: line, fill: theme.grid, of: bar },
    { kind: "path", d: columns, fill: theme.muted, of: bar },
  ];
}
