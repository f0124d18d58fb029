/** The small histograms in the labels of bars: how they are drawn. They keep their size at any zoom. Pure. */
import { type GraphHistograms, MINI_BINS } from "../../src/protocol/superGraph";
import { rounded, type Box, type Shape } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";

const BIN_WIDTH = 2;
export const HISTOGRAM = { width: MINI_BINS * BIN_WIDTH, height: 12 } as const;

export function histogramShapes({ first, counts }: GraphHistograms, bar: number, box: Box, theme: Theme): Shape[] {
  const line = { x: box.x, y: box.y + box.height - 0.5, width: box.width, height: 1 };
  const columns = columnsPath(counts.subarray(first[bar], first[bar + 1]), box);
  return [
    { kind: "box", box, fill: theme.background, fillOpacity: 0.6, of: bar },
    { kind: "box", box: line, fill: theme.grid, of: bar },
    { kind: "path", d: columns, fill: theme.muted, of: bar },
  ];
}

/** A column a bin, at least a pixel high where anything is in it. */
function columnsPath(counts: Int32Array, { x, y, width: wide, height }: Box): string {
  const most = Math.max(...counts);
  // Where all values are one value there is one bin, in the middle.
  const left = counts.length === 1 ? x + wide / 2 - BIN_WIDTH : x;
  const width = counts.length === 1 ? 2 * BIN_WIDTH : BIN_WIDTH;
  let path = "";
  counts.forEach((count, bin) => {
    if (count === 0) return;
    const high = Math.max(1.5, (height * count) / most);
    path += `M${rounded(left + bin * width)},${rounded(y + height)}v${rounded(-high)}h${width}v${rounded(high)}z`;
  });
  return path;
}
