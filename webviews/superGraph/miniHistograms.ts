/** The small histograms in the labels of bars: how they are drawn. They keep their size at any zoom. Pure. */
import { type GraphHistograms, MINI_BINS } from "../../src/protocol/superGraph";
import { rounded, type Box, type Shape } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { largestIn } from "../../src/model/longLists";

const HEIGHT = 12;
/** All columns together, at least. */
const LEAST_WIDTH = 32;
/** Of few members columns are not wider than this. */
const WIDEST_COLUMN = 5;
/** Fewer members are read from their numbers. */
const FEWEST_MEMBERS = 4;
/** A spread that is a smaller part of the mean is none. */
const LEAST_SPREAD = 0.01;

/** Whether members differ so that a picture of them says something. */
export function areDifferent({ minimum, maximum, mean, counting }: GraphHistograms, bar: number): boolean {
  return counting[bar] >= FEWEST_MEMBERS && maximum[bar] - minimum[bar] > LEAST_SPREAD * Math.abs(mean[bar]);
}

export function histogramSize(histograms: GraphHistograms): { readonly width: number; readonly height: number } {
  const columns = histograms.values.length > 0 ? histograms.counting[0] : MINI_BINS;
  return { width: columns * Math.min(WIDEST_COLUMN, Math.max(2, Math.floor(LEAST_WIDTH / columns))), height: HEIGHT };
}

export function histogramShapes(histograms: GraphHistograms, bar: number, box: Box, theme: Theme): Shape[] {
  const line = { x: box.x, y: box.y + box.height - 0.5, width: box.width, height: 1 };
  return [
    { kind: "box", box, fill: theme.background, fillOpacity: 0.6, of: bar },
    { kind: "box", box: line, fill: theme.grid, of: bar },
    { kind: "path", d: columnsPath(heightsOf(histograms, bar), box), fill: theme.muted, of: bar },
  ];
}

/** Of each member its value, in their order; of many, how many have one in each bin, from the smallest to the largest. */
function heightsOf({ values, counting, first, counts }: GraphHistograms, bar: number): Float64Array | Int32Array {
  return values.length > 0
    ? values.subarray(bar * counting[bar], (bar + 1) * counting[bar])
    : counts.subarray(first[bar], first[bar + 1]);
}

/** A column each, at least a pixel high where there is anything. */
function columnsPath(heights: Float64Array | Int32Array, { x, y, width: wide, height }: Box): string {
  const most = largestIn(heights);
  const width = wide / heights.length;
  // Wide columns are told apart by a gap.
  const drawn = width < 3 ? width : width - 1;
  let path = "";
  heights.forEach((value, at) => {
    if (!(value > 0)) return;
    const high = Math.max(1.5, (height * value) / most);
    path += `M${rounded(x + at * width)},${rounded(y + height)}v${rounded(-high)}h${rounded(drawn)}v${rounded(high)}z`;
  });
  return path;
}
