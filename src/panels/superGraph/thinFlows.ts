/** The flows of a panel that are not drawn before one of their bars is pointed at. Pure. */
import type { SuperGraph } from "../../engine/api";
import { drawnEdges } from "../../model/drawnEdges";

/** A graph, and the one that its heights are of. */
interface WithHeights {
  readonly graph: SuperGraph;
  readonly heights: SuperGraph;
}

/** One value per edge, which all graphs share: 1 if no graph draws it at first (semantics 2.7, drawn flows), or 0. */
export function thinFlows({ graphs }: { readonly graphs: readonly WithHeights[] }): Uint8Array {
  const isThin = new Uint8Array(graphs[0].heights.edges.length).fill(1);
  for (const { graph, heights } of graphs)
    for (const edge of graph.first?.drawn ?? drawnFlows(heights)) isThin[edge] = 0;
  return isThin;
}

function drawnFlows({ bars, edges, total }: SuperGraph): number[] {
  const indexOf = new Map(bars.map(({ id }, at) => [id, at]));
  const ends = (end: "source" | "target") => Int32Array.from(edges, (edge) => indexOf.get(edge[end]) ?? 0);
  const columns = { source: ends("source"), target: ends("target"), id: bars.map(({ id }) => id) };
  return drawnEdges(
    columns,
    edges.map(({ inclusive }) => inclusive),
    total,
  );
}
