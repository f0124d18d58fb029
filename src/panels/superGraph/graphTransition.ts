/** What one super graph keeps of the one before it, so that people find its bars again (dissertation 3.3.4). Pure. */
import type { GraphLayout, NearLayout, SuperGraph } from "../../engine/api";
import { NONE, type SuperGraphContent } from "../../protocol/superGraph";

/** A graph that was on screen. */
export interface DrawnBefore {
  readonly graph: SuperGraph;
  readonly layout: GraphLayout;
  readonly revision: number;
}

/**
 * Where each bar of a graph was before: in its own place, or in that of the bar that it was made from; and where flows
 * between the same bars passed levels.
 *
 * @param origins ids of bars of the graph before, as the engine tells them
 */
export function nearLayout(
  { graph, layout }: DrawnBefore,
  { bars, edges }: SuperGraph,
  origins: readonly (string | undefined)[],
): NearLayout {
  const { height } = layout;
  const places = new Map(graph.bars.map(({ id, level }, at) => [id, { level, ...layout.bars[at] }]));
  const flows = new Map<string, Map<string, GraphLayout["edges"][number]>>();
  graph.edges.forEach(({ source, target }, at) => {
    const leaving = flows.get(source) ?? new Map<string, GraphLayout["edges"][number]>();
    flows.set(source, leaving.set(target, layout.edges[at]));
  });
  return {
    bars: bars.map(({ id, level }, at) => {
      const origin = origins[at];
      const place = origin === undefined ? undefined : places.get(origin);
      if (!place || height === 0) return undefined;
      return { y: place.y / height, stays: origin === id && place.level === level };
    }),
    edges: edges.map((edge) => {
      const flow = flows.get(edge.source)?.get(edge.target);
      if (!flow) return undefined;
      // Two points at each level that is passed, after the first at the source and before the last at the target.
      const tops: number[] = [];
      for (let at = 2; at + 2 < flow.points.length; at += 4)
        tops.push((flow.points[at + 1] - flow.thickness / 2) / height);
      return tops;
    }),
  };
}

/** What the page needs to lead from the graph before to this one; undefined where none of its bars was there. */
export function transition(
  { graph, revision }: DrawnBefore,
  origins: readonly (string | undefined)[],
): SuperGraphContent["from"] {
  const indexOf = new Map<string | undefined, number>(graph.bars.map(({ id }, at) => [id, at]));
  const bars = Int32Array.from(origins, (origin) => indexOf.get(origin) ?? NONE);
  return bars.some((at) => at >= 0) ? { revision, bars } : undefined;
}
