import { quietTask, type Task } from "../model/task";
import { orderLevels } from "./crossings";
import { cutIntoLayers, type Layers } from "./layers";
import { placeNodes } from "./placement";

/** Geometry of a drawn super graph, in pixels of the asked-for size. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  /** Parallel to the graph's bars. */
  readonly bars: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[];
  /**
   * Parallel to the graph's edges: a ribbon whose middle goes through these points, from left to right, dummies of long
   * edges included (two points each). Its edges are the same curves half its thickness above and below.
   */
  readonly edges: readonly {
    readonly thickness: number;
    readonly points: readonly { readonly x: number; readonly y: number }[];
  }[];
}

/** What is laid out: any graph whose edges lead to higher levels. */
export interface LayoutGraph {
  readonly bars: readonly { readonly id: string; readonly level: number; readonly inclusive: number }[];
  readonly edges: readonly { readonly source: string; readonly target: string; readonly inclusive: number }[];
}

/** Pixels. The layout is wider or higher than asked where bars would lie on each other otherwise. */
export interface LayoutSize {
  readonly width: number;
  readonly height: number;
  readonly barWidth?: number;
  /** Room for a label to the right of each bar. */
  readonly labelWidth?: number;
  /** Least vertical room above each bar: for its mini histogram. */
  readonly gap?: number;
}

/** Exponent k of the dissertation's gap between levels (3.3.1, horizontal positioning). */
const GAP_EXPONENT = 0.5;
/** Room below the last bar, since the label of a thin one is higher than it is. */
const LABEL_HEIGHT = 16;
/** Room above a flow that passes a level. */
const FLOW_GAP = 4;

/**
 * Lays out a super graph from left to right (semantics 2.5). Negative values are drawn as 0.
 */
export function layoutGraph(graph: LayoutGraph, size: LayoutSize, task: Task = quietTask): GraphLayout {
  const { width, height, barWidth = 14, labelWidth = 110, gap = 24 } = size;
  if (graph.bars.length === 0) return { width, height, bars: [], edges: [] };
  const index = new Map(graph.bars.map((bar, at) => [bar.id, at]));
  const endOf = (id: string) => index.get(id) ?? 0;
  const source = Int32Array.from(graph.edges, (edge) => endOf(edge.source));
  const target = Int32Array.from(graph.edges, (edge) => endOf(edge.target));
  const level = Int32Array.from(graph.bars, (bar) => bar.level);
  const drawn = (value: number) => (Number.isFinite(value) && value > 0 ? value : 0);
  const flow = Float64Array.from(graph.edges, (edge) => drawn(edge.inclusive));
  const layers = cutIntoLayers(level, source, target, flow);
  const order = orderLevels(layers, () => task.check());

  // What stands above a bar keeps the room for its histogram free, be it a bar or a flow.
  const space = (_: number, lower: number) => (lower < layers.bars ? gap : FLOW_GAP);
  const amount = Float64Array.from(layers.dummyFlow);
  graph.bars.forEach((bar, at) => (amount[at] = drawn(bar.inclusive)));
  const { scale, high } = verticalScale(order, amount, space, gap, height);
  const thickness = layers.flow.map((value) => value * scale);
  const heights = amount.map((value) => value * scale);
  const bounds = { top: gap, bottom: high - LABEL_HEIGHT };
  const placed = placeNodes(layers, order, heights, thickness, space, bounds);

  const columns = columnPlaces(layers, barWidth, labelWidth, width);
  return {
    width: Math.max(width, Math.ceil(columns[columns.length - 1] + barWidth + labelWidth - 1e-6)),
    height: high,
    bars: graph.bars.map((bar, at) => ({
      x: columns[bar.level],
      y: placed.top[at],
      width: barWidth,
      height: heights[at],
    })),
    edges: graph.edges.map((_, edge) => {
      const points: { x: number; y: number }[] = [];
      for (let segment = layers.edgeStart[edge]; segment < layers.edgeStart[edge + 1]; segment++) {
        points.push({ x: columns[layers.levelOf[layers.from[segment]]] + barWidth, y: placed.leaves[segment] });
        points.push({ x: columns[layers.levelOf[layers.to[segment]]], y: placed.arrives[segment] });
      }
      return { thickness: flow[edge] * scale, points };
    }),
  };
}

/** Pixels a unit such that the fullest level fits, and the height that this needs. */
function verticalScale(
  order: readonly Int32Array[],
  amount: Float64Array,
  space: (upper: number, lower: number) => number,
  gap: number,
  asked: number,
): { scale: number; high: number } {
  const spaces = order.map((nodes) => {
    let sum = gap + LABEL_HEIGHT;
    for (let at = 1; at < nodes.length; at++) sum += space(nodes[at - 1], nodes[at]);
    return sum;
  });
  // At least half of the height asked for is for the bars themselves.
  const high = Math.max(asked, asked / 2 + Math.max(...spaces));
  let scale = Infinity;
  order.forEach((nodes, level) => {
    const sum = nodes.reduce((all, node) => all + amount[node], 0);
    if (sum > 0) scale = Math.min(scale, (high - spaces[level]) / sum);
  });
  return { scale: Number.isFinite(scale) ? scale : 0, high };
}

/**
 * Left edge of each level. The gap between levels l − 1 and l is max(min_x, l^k · max(n_l, n_{l−1})) for n_l bars in
 * level l, where min_x is a bar with its label; then all gaps are scaled to the width (dissertation 3.3.1).
 */
function columnPlaces({ bars, levels, levelOf }: Layers, barWidth: number, labelWidth: number, width: number) {
  const count = new Int32Array(levels);
  for (let bar = 0; bar < bars; bar++) count[levelOf[bar]]++;
  const gaps: number[] = [];
  for (let level = 1; level < levels; level++)
    gaps.push(Math.max(barWidth + labelWidth, level ** GAP_EXPONENT * Math.max(count[level], count[level - 1])));
  const all = gaps.reduce((sum, one) => sum + one, 0);
  const room = Math.max(0, width - barWidth - labelWidth);
  // Bars never touch, however narrow the window is.
  const scale = Math.max(all > 0 ? room / all : 1, gaps.length > 0 ? (2 * barWidth) / Math.min(...gaps) : 0);
  const columns = [0];
  for (const one of gaps) columns.push(columns[columns.length - 1] + one * scale);
  return columns;
}
