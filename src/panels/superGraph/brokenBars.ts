/** Breaks the bar whose exclusive fills most of the height, so that all others become higher. Pure. */
import type { LayoutGraph, SuperGraph } from "../../engine/api";

/** Of the fullest level's height: an exclusive that has more of it leaves too little to all others. */
const MOST_HIGH = 0.5;
/** A broken exclusive is as high as this part of what stands beside it in that level. */
const KEPT = 0.5;

export interface BrokenBars {
  /** What is laid out: the bar is lower, and so is what leads to it and contains it. */
  readonly shape: LayoutGraph;
  /** Bars whose heights are not to scale. */
  readonly bars: Int32Array<ArrayBuffer>;
}

/** The bar that may be broken; a string says why none may. @param asked the graphs that are drawn, with what their heights show */
export function breakable(asked: { readonly graphs: readonly { readonly heights: SuperGraph }[] }): number | string {
  const { graphs } = asked;
  if (graphs.length > 1) return "two graphs are compared by their heights";
  const [{ heights }] = graphs;
  const exclusives = heights.bars.map(({ exclusive }) => exclusive);
  const most = exclusives.reduce((max, value) => Math.max(max, value), 0);
  const whole = fullestLevel(heights);
  return most > MOST_HIGH * whole && most < whole ? exclusives.indexOf(most) : "no bar fills most of the height itself";
}

/** @param shape of what is drawn, as `heights` has it */
export function breakBar(shape: LayoutGraph, heights: SuperGraph, bar: number): BrokenBars {
  const { exclusive } = heights.bars[bar];
  const less = new Float64Array(shape.level.length);
  less[bar] = exclusive - KEPT * (fullestLevel(heights) - exclusive);
  const [inclusive, flow] = [shape.inclusive.slice(), shape.flow.slice()];
  // From the last level to the first: what flows into a bar is as much lower as the bar is, and so are the bars that it comes from.
  const order = Array.from(shape.source.keys()).sort(
    (a, b) => shape.level[shape.target[b]] - shape.level[shape.target[a]],
  );
  for (const edge of order) {
    const [source, target] = [shape.source[edge], shape.target[edge]];
    if (less[target] === 0) continue;
    const share = less[target] / shape.inclusive[target];
    flow[edge] -= shape.flow[edge] * share;
    less[source] += shape.flow[edge] * share;
  }
  less.forEach((amount, at) => (inclusive[at] -= amount));
  return { shape: { ...shape, inclusive, flow }, bars: Int32Array.from(less.keys()).filter((at) => less[at] > 0) };
}

function fullestLevel({ bars }: SuperGraph): number {
  const sums: number[] = [];
  for (const { level, inclusive } of bars) sums[level] = (sums[level] ?? 0) + Math.max(0, inclusive);
  return sums.reduce((most, sum) => Math.max(most, sum), 0);
}
