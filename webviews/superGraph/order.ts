/** Which bar an arrow key leads to: left and right follow the heaviest flow, up and down go through the levels. Pure. */
import type { LaidOutGraph } from "./graph";

/** @returns the bar to go to; the same one where there is none in that direction */
export function neighbour(graph: LaidOutGraph, bar: number, key: string): number {
  const { source, target, inclusive } = graph.layout.flows;
  const heaviest = (from: Int32Array, to: Int32Array) => {
    let best = -1;
    from.forEach((own, flow) => {
      if (own === bar && (best < 0 || inclusive[flow] > inclusive[best])) best = flow;
    });
    return best < 0 ? bar : to[best];
  };
  if (key === "ArrowRight") return heaviest(source, target);
  if (key === "ArrowLeft") return heaviest(target, source);
  // Past the end of a level the next one begins: a flow that is nowhere the heaviest leads nobody to its bar.
  const order = readingOrder(graph);
  const next = order.indexOf(bar) + (key === "ArrowUp" ? -1 : 1);
  return order[Math.min(order.length - 1, Math.max(0, next))];
}

/** Bars from left to right and from top to bottom. */
export function readingOrder({ bars: { level }, layout: { boxes } }: LaidOutGraph): number[] {
  return [...level.keys()].sort((a, b) => level[a] - level[b] || boxes[4 * a + 1] - boxes[4 * b + 1] || a - b);
}
