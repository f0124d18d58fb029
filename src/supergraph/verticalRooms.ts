import { largestIn } from "../model/longLists";
import type { LevelOrder } from "./crossings";

/** Halvings of the scale: beyond what a pixel shows. */
const STEPS = 60;
/** Share of the height that bars and flows of the fullest level have at least: gaps shrink before that. */
const MIN_FILLED_SHARE = 0.38;

export interface VerticalNeeds {
  readonly order: LevelOrder;
  /** Of each graph, one value per node, at least 0. */
  readonly amounts: readonly Float64Array[];
  /** Pixels that all gaps of each level need together. */
  readonly gaps: readonly number[];
  /** Pixels above the highest node of each graph, its heading included. */
  readonly above: number;
  /** Pixels for all graphs together. */
  readonly height: number;
}

export interface VerticalRooms {
  /** Pixels per unit, the same for all graphs. */
  readonly scale: number;
  /** Height of each graph in pixels. */
  readonly highs: number[];
  /** Factor of the gaps, at most 1: per graph one value per level. */
  readonly shrunk: readonly Float64Array[];
}

/**
 * Pixels per unit such that the fullest level of each graph fits. Gaps are whole as long as bars and flows of that level keep their
 * share of the height.
 */
export function verticalRooms({ order, amounts, gaps, above, height }: VerticalNeeds): VerticalRooms {
  const room = Math.max(0, height / amounts.length - above);
  const allowed = gaps.map((gap) => Math.min(gap, (1 - MIN_FILLED_SHARE) * room));
  const sums = amounts.map((amount) => order.map((nodes) => nodes.reduce((sum, node) => sum + amount[node], 0)));
  const need = (part: number, scale: number) =>
    above + largestIn(sums[part].map((sum, level) => sum * scale + allowed[level]));
  const largest = largestIn(sums.flat());
  let [scale, tooLarge] = [0, largest > 0 ? height / largest : 0];
  for (let step = 0; step < STEPS; step++) {
    const middle = (scale + tooLarge) / 2;
    if (amounts.reduce((sum, _, part) => sum + need(part, middle), 0) <= height) scale = middle;
    else tooLarge = middle;
  }
  const highs = amounts.map((_, part) => need(part, scale));
  // A single graph has all of the height, and so has the last one, where there is nothing to draw.
  highs[highs.length - 1] += Math.max(0, height - highs.reduce((sum, one) => sum + one, 0));
  const shrunk = sums.map((levels, part) =>
    Float64Array.from(levels, (sum, level) => {
      const rest = Math.max(0, highs[part] - above - sum * scale);
      return gaps[level] > rest ? rest / gaps[level] : 1;
    }),
  );
  return { scale, highs, shrunk };
}
