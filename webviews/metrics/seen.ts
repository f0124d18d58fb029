/** What of metrics over time is in sight, and where that lies. Pure. */
import * as v from "valibot";
import type { MetricsContent } from "../../src/protocol/metrics";
import type { Box, DrawView } from "../kit/stage/scene";
import { RULER, wholeRun, windowSeen } from "../kit/time/window";
import { type Layout, layoutOf } from "./rows";

export const metricsSeen = v.object(windowSeen);
export type MetricsSeen = v.InferOutput<typeof metricsSeen>;

export function seenOf(content: MetricsContent, seen: MetricsSeen | undefined): MetricsSeen {
  return seen?.subject === content.subject ? seen : wholeRun(content);
}

/** Pixels beside the rows, for the values of their axes. */
export const GUTTER = 68;

/** Where rows are drawn: beside the values of their axes, below the ruler. */
export function areaOf({ width, height }: Pick<DrawView, "width" | "height">): Box {
  return { x: GUTTER, y: RULER, width: Math.max(1, width - GUTTER), height: Math.max(1, height - RULER) };
}

export function layoutIn({ names }: MetricsContent, area: Box): Layout {
  return layoutOf(names.length, area.height);
}
