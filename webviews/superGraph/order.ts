/** Which bar an arrow key leads to: left and right follow the heaviest flow, up and down stay on the level. Pure. */
import type { GraphMessage } from "../../src/protocol/superGraph";

export type Direction = "left" | "right" | "up" | "down" | "first" | "last";

/** @returns the bar to go to; the same one where there is none in that direction */
export function neighbour(graph: GraphMessage, bar: number, direction: Direction): number {
  switch (direction) {
    case "right":
      return heaviest(graph, bar, "source", "target") ?? bar;
    case "left":
      return heaviest(graph, bar, "target", "source") ?? bar;
    default: {
      const order = readingOrder(graph, direction === "up" || direction === "down" ? graph.bars[bar].level : undefined);
      const at = order.indexOf(bar);
      const next = { up: at - 1, down: at + 1, first: 0, last: order.length - 1 }[direction];
      return order[Math.min(order.length - 1, Math.max(0, next))];
    }
  }
}

/** Bars from left to right and from top to bottom; of one level, or of all. */
export function readingOrder({ bars, geometry }: GraphMessage, level?: number): number[] {
  const order = bars.map((_, bar) => bar).filter((bar) => level === undefined || bars[bar].level === level);
  return order.sort((a, b) => bars[a].level - bars[b].level || geometry.bars[a][1] - geometry.bars[b][1] || a - b);
}

function heaviest({ flows }: GraphMessage, bar: number, from: "source" | "target", to: "source" | "target") {
  let best: { inclusive: number; bar: number } | undefined;
  for (const flow of flows) {
    if (flow[from] === bar && (!best || flow.inclusive > best.inclusive))
      best = { inclusive: flow.inclusive, bar: flow[to] };
  }
  return best?.bar;
}
