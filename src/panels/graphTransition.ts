/** What one super graph keeps of the one before it, so that people find its bars again (dissertation 3.3.4). Pure. */
import type { GraphLayout, NearBar, SuperGraph } from "../engine/api";
import type { GraphMessage } from "../protocol/superGraph";

/** A graph that was on screen. */
export interface DrawnBefore {
  readonly graph: SuperGraph;
  readonly layout: GraphLayout;
  readonly revision: number;
}

/**
 * Where each bar of a graph was before: in its own place, or in that of the bar that it was made from.
 *
 * @param origins ids of bars of the graph before, as the engine tells them
 */
export function nearBars(
  { graph, layout }: DrawnBefore,
  bars: SuperGraph["bars"],
  origins: readonly (string | undefined)[],
): (NearBar | undefined)[] {
  const places = new Map(graph.bars.map(({ id, level }, at) => [id, { level, ...layout.bars[at] }]));
  return bars.map(({ id, level }, at) => {
    const origin = origins[at];
    const place = origin === undefined ? undefined : places.get(origin);
    if (!place || layout.height === 0) return undefined;
    return { y: place.y / layout.height, stays: origin === id && place.level === level };
  });
}

/** What the view needs to lead from the graph before to this one; undefined where none of its bars was there. */
export function transition(
  { graph, revision }: DrawnBefore,
  origins: readonly (string | undefined)[],
): GraphMessage["transition"] {
  const indexOf = new Map(graph.bars.map(({ id }, at) => [id, at]));
  const from = origins.map((origin) => (origin === undefined ? -1 : (indexOf.get(origin) ?? -1)));
  return from.some((at) => at >= 0) ? { revision, from } : undefined;
}
