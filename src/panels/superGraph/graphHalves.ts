/** Two graphs of the same bars as one that is drawn: one above the other, or one with the numbers of both. Pure. */
import type { GraphLayout, LayoutGraph, StackedLayout, SuperGraph } from "../../engine/api";

/** Room above each of two graphs for its title, in pixels of the layout. */
export const HEADING = 24;

/** Bars and flows of both, the upper first; ids are made distinct. Everything else is the upper one's. */
export function joinedGraph(upper: SuperGraph, lower: SuperGraph): SuperGraph {
  const named = (graph: SuperGraph, half: number) => ({
    bars: graph.bars.map((bar) => ({ ...bar, id: `${half} ${bar.id}` })),
    edges: graph.edges.map((edge) => ({
      ...edge,
      source: `${half} ${edge.source}`,
      target: `${half} ${edge.target}`,
    })),
  });
  const [first, second] = [named(upper, 0), named(lower, 1)];
  const notes = [...new Set([...upper.notes, ...lower.notes])];
  return { ...upper, bars: [...first.bars, ...second.bars], edges: [...first.edges, ...second.edges], notes };
}

/** The layout of both as that of the joined graph, and where each one's title stands. */
export function joinedLayout({ width, height, parts }: StackedLayout): GraphLayout & { readonly headings: number[] } {
  return {
    width,
    height,
    bars: parts.flatMap(({ bars }) => bars),
    edges: parts.flatMap(({ edges }) => edges),
    headings: parts.map(({ top }) => top),
  };
}

/** The mean of two graphs of the same bars: it adds up as they do, so that it can be drawn where both are shown as one. */
export function meanGraph(a: SuperGraph, b: SuperGraph): SuperGraph {
  const mean = (x: number, y: number) => x / 2 + y / 2;
  return {
    ...a,
    total: mean(a.total, b.total),
    bars: a.bars.map((bar, at) => ({
      ...bar,
      inclusive: mean(bar.inclusive, b.bars[at].inclusive),
      exclusive: mean(bar.exclusive, b.bars[at].exclusive),
      hidden: mean(bar.hidden, b.bars[at].hidden),
    })),
    edges: a.edges.map((edge, at) => ({ ...edge, inclusive: mean(edge.inclusive, b.edges[at].inclusive) })),
  };
}

/** What a layout needs of a graph: entries and links would be copied to the worker for nothing. */
export function shapeOf({ bars, edges }: SuperGraph): LayoutGraph {
  return {
    bars: bars.map(({ id, level, inclusive }) => ({ id, level, inclusive })),
    edges: edges.map(({ source, target, inclusive }) => ({ source, target, inclusive })),
  };
}
