/** Layouts as tests read them: one object for each bar and flow. */
import type { SuperGraph } from "../../../src/engine/api";
import { shapeOf } from "../../../src/panels/superGraph/askedGraphs";
import { type GraphLayout, layoutGraph, layoutStacked, type LayoutSize } from "../../../src/supergraph/layout";

/** What a graph has that is laid out. */
export interface PlainGraph {
  readonly bars: readonly { readonly id: string; readonly level: number; readonly inclusive: number }[];
  readonly edges: SuperGraph["edges"];
}

export interface PlainLayout {
  readonly width: number;
  readonly height: number;
  readonly bars: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[];
  readonly edges: readonly { readonly thickness: number; readonly points: readonly number[] }[];
}

export function laidOut(graph: PlainGraph, size: LayoutSize): PlainLayout {
  return plainLayout(layoutGraph(shapeOf(graph), size));
}

export function laidOutStacked(graphs: readonly PlainGraph[], size: LayoutSize) {
  const { parts, ...rest } = layoutStacked(graphs.map(shapeOf), size);
  return { ...rest, parts: parts.map((part) => ({ ...plainLayout(part), top: part.top })) };
}

export function plainLayout({ width, height, boxes, thickness, first, points }: GraphLayout): PlainLayout {
  return {
    width,
    height,
    bars: Array.from({ length: boxes.length / 4 }, (_, bar) => {
      const [x, y, wide, high] = boxes.subarray(4 * bar);
      return { x, y, width: wide, height: high };
    }),
    edges: Array.from(thickness, (one, at) => ({
      thickness: one,
      points: [...points.subarray(first[at], first[at + 1])],
    })),
  };
}
