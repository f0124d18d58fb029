import { sankey } from "d3-sankey";
import { laidOut } from "./laidOut";
import type { MeasuredGraph } from "../../../src/supergraph/superGraph";
import { drawnCrossings, pointsOf } from "./drawnCrossings";

const SIZE = { width: 1400, height: 900 };

/** Crossings of our own drawing, each weighted with the smaller flow, in the metric's unit. */
export function crossingsOfOurs(graph: MeasuredGraph): number {
  const { edges } = laidOut(graph, SIZE);
  return drawnCrossings(edges.map(({ points }, at) => ({ points: pointsOf(points), flow: graph.edges[at].inclusive })));
}

/** Crossings of the same graph as d3-sankey draws it, on the same levels, with room for every bar. */
export function crossingsOfPeer(graph: MeasuredGraph): number {
  const layout = sankey<{ id: string; level: number; fixedValue: number }, { value: number }>()
    .nodeId((node) => node.id)
    .nodeAlign((node) => node.level)
    .nodeWidth(14)
    .nodePadding(24)
    .extent([
      [0, 0],
      [SIZE.width, SIZE.height + 24 * graph.bars.length],
    ]);
  const drawn = layout({
    nodes: graph.bars.map(({ id, level, inclusive }) => ({ id, level, fixedValue: inclusive })),
    links: graph.edges.map(({ source, target, inclusive }) => ({ source, target, value: inclusive })),
  });
  return drawnCrossings(
    drawn.links.map((link) => {
      if (typeof link.source !== "object" || typeof link.target !== "object") throw new Error("not laid out");
      const points = [
        { x: link.source.x1 ?? NaN, y: link.y0 ?? NaN },
        { x: link.target.x0 ?? NaN, y: link.y1 ?? NaN },
      ];
      return { points, flow: link.value };
    }),
  );
}
