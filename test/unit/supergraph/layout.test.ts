import { sankey } from "d3-sankey";
import { describe, expect, it } from "vitest";
import { quietTask } from "../../../src/model/task";
import { layoutGraph } from "../../../src/supergraph/layout";
import { graphStructure, type MeasuredGraph, measuredGraph } from "../../../src/supergraph/superGraph";
import { drawnCrossings } from "./drawnCrossings";
import { seeded } from "./random";
import { attributesOf, basisOf, type Row } from "./treeOf";

const SIZE = { width: 1400, height: 900 };

/** Crossings of the same graph as d3-sankey draws it, on the same levels. */
export function crossingsOfPeer(graph: MeasuredGraph): number {
  const layout = sankey<{ id: string; level: number; fixedValue: number }, { value: number }>()
    .nodeId((node) => node.id)
    .nodeAlign((node) => node.level)
    .nodeWidth(14)
    .nodePadding(24)
    .extent([
      [0, 0],
      [SIZE.width, SIZE.height],
    ]);
  const drawn = layout({
    nodes: graph.bars.map(({ id, level, inclusive }) => ({ id, level, fixedValue: inclusive })),
    links: graph.edges.map(({ source, target, inclusive }) => ({ source, target, value: inclusive })),
  });
  const unit = drawn.links.reduce((most, link) => Math.max(most, (link.width ?? 0) / (link.value || 1)), 0);
  return (
    drawnCrossings(
      drawn.links.map((link) => {
        if (typeof link.source !== "object" || typeof link.target !== "object") throw new Error("not laid out");
        const points = [
          { x: link.source.x1 ?? NaN, y: link.y0 ?? NaN },
          { x: link.target.x0 ?? NaN, y: link.y1 ?? NaN },
        ];
        return { thickness: link.width ?? 0, points };
      }),
    ) / unit
  );
}

/** Crossings of our own drawing, in the metric's unit. */
export function crossingsOfOurs(graph: MeasuredGraph): number {
  const { edges } = layoutGraph(graph, SIZE);
  const unit = graph.edges.reduce((most, edge, at) => Math.max(most, edges[at].thickness / (edge.inclusive || 1)), 0);
  return drawnCrossings(edges) / unit;
}

function randomGraph(seed: number): MeasuredGraph {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const functions = 8 + below(60);
  const files = 4 + below(20);
  const contexts = 20 + below(400);
  const rows: Row[] = [{ name: "f0", exclusive: 1 }];
  const taken = new Set<string>();
  for (let at = 0; at < contexts; at++) {
    const parent = random() < 0.4 ? rows.length - 1 : below(rows.length);
    const name = `f${below(functions)}`;
    if (taken.has(`${parent} ${name}`)) continue;
    taken.add(`${parent} ${name}`);
    rows.push({ name, parent, exclusive: (1 - random()) ** -0.8 });
  }
  const basis = basisOf(rows);
  const attributes = attributesOf(basis, { file: (name) => `file${Number(name.slice(1)) % files}.c` });
  const structure = graphStructure(basis, attributes, { filter: seed % 4, groupBy: "file" }, quietTask);
  return measuredGraph(structure, { exclusive: basis.exclusive }, quietTask);
}

describe("layout", () => {
  it("has no more weighted crossings than d3-sankey in total over 200 random graphs", () => {
    let ours = 0;
    let peer = 0;
    let worse = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const graph = randomGraph(seed);
      const [a, b] = [crossingsOfOurs(graph) / graph.total, crossingsOfPeer(graph) / graph.total];
      ours += a;
      peer += b;
      if (a > b + 1e-9) {
        worse++;
      }
    }
    console.log(ours, peer, worse);
    expect(ours).toBeLessThanOrEqual(peer);
  });
});
