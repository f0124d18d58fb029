/** What one super graph keeps of the one before it, so that people find its bars again (dissertation 3.3.4). Pure. */
import type { GraphLayout, NearLayout, SuperGraph } from "../../engine/api";
import { entryOf } from "../../model/maps";
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
 * @param origins ids of bars of the graph before, as the engine answers
 */
export function nearLayout(
  { graph, layout }: DrawnBefore,
  { bars, edges }: SuperGraph,
  origins: readonly (string | undefined)[],
): NearLayout {
  const { height, boxes, thickness, first, points } = layout;
  const barOf = new Map<string | undefined, number>(graph.bars.map(({ id }, at) => [id, at]));
  const y = new Float64Array(bars.length).fill(NaN);
  const stays = new Uint8Array(bars.length);
  bars.forEach(({ id, level }, bar) => {
    const origin = barOf.get(origins[bar]);
    if (origin === undefined || height === 0) return;
    y[bar] = boxes[4 * origin + 1] / height;
    stays[bar] = Number(origins[bar] === id && graph.bars[origin].level === level);
  });
  const flows = new Map<string, Map<string, number>>();
  for (const [at, { source, target }] of graph.edges.entries())
    entryOf(flows, source, () => new Map<string, number>()).set(target, at);
  const passed: number[] = [];
  const firstPassed = new Int32Array(edges.length + 1);
  for (const [edge, { source, target }] of edges.entries()) {
    const flow = flows.get(source)?.get(target);
    // Two points at each level that is passed, after the first at the source and before the last at the target.
    if (flow !== undefined)
      for (let at = first[flow] + 2; at + 2 < first[flow + 1]; at += 4)
        passed.push((points[at + 1] - thickness[flow] / 2) / height);
    firstPassed[edge + 1] = passed.length;
  }
  return { y, stays, first: firstPassed, tops: Float64Array.from(passed) };
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
