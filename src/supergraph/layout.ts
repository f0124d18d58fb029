import { quietTask, type Task } from "../model/task";
import { type NearOrder, orderLevels } from "./crossings";
import { cutIntoLayers, type Layers } from "./layers";
import { placeNodes, type Placement } from "./placement";
import { sortByKey } from "./stableSort";
import { verticalScale } from "./verticalScale";

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
    /**
     * x and y of one point after the other: plain numbers, since there are tens of thousands to hand on. None where the flow
     * is among the lightest, for which there is no room.
     */
    readonly points: readonly number[];
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
  /** The lightest flows are left out above so many points of all together, each flow counted as some points more. */
  readonly mostPoints?: number;
  /** Room above each of several graphs: for what it is called. */
  readonly heading?: number;
  /** Where the bars and flows of a single graph were drawn before. */
  readonly near?: NearLayout;
}

/** In the order of the graph's bars and edges; undefined: nowhere. */
export interface NearLayout {
  readonly bars: readonly (NearBar | undefined)[];
  /** Upper edge of a flow at each level that it passes, from its source to its target, as a share of the layout's height. */
  readonly edges: readonly (readonly number[] | undefined)[];
}

/** Where a bar, or what it was made from, was drawn before. */
export interface NearBar {
  /** Its top, as a share of the layout's height. */
  readonly y: number;
  /** It is the same bar, and keeps its place where it can; else it only begins there. */
  readonly stays: boolean;
}

/** Exponent k of the dissertation's gap between levels (3.3.1, horizontal positioning). */
const GAP_EXPONENT = 0.5;
/**
 * A layout that needs more height than it was asked for is made smaller to be seen whole: it is as much wider, and then fills
 * the width as well. Not without end: at full size flows would become long.
 */
const MOST_STRETCH = 3;
/** Room below the last bar, since the label of a thin one is higher than it is. */
const LABEL_HEIGHT = 16;
/** Room above a flow that passes a level. */
const FLOW_GAP = 4;

/** Several graphs with the same bars and edges, one below the other: the same columns and order, one scale. */
export interface StackedLayout {
  readonly width: number;
  readonly height: number;
  /** Each in the coordinates of the whole; `top` is where its heading begins. */
  readonly parts: readonly (GraphLayout & { readonly top: number })[];
}

/**
 * Lays out a super graph from left to right (semantics 2.5). Negative values are drawn as 0.
 */
export function layoutGraph(graph: LayoutGraph, size: LayoutSize, task: Task = quietTask): GraphLayout {
  const { width, height, parts } = layoutStacked([graph], size, task);
  return { width, height, bars: parts[0].bars, edges: parts[0].edges };
}

/**
 * Lays out graphs that differ in their numbers alone, such as those of some ranks and of all others.
 *
 * @param graphs at least one; bars and edges of all are the same in the same order
 */
export function layoutStacked(graphs: readonly LayoutGraph[], size: LayoutSize, task: Task = quietTask): StackedLayout {
  const { width, height, barWidth = 14, labelWidth = 110, gap = 24, heading = 0, near, mostPoints = Infinity } = size;
  const [shape] = graphs;
  if (shape.bars.length === 0)
    return { width, height, parts: graphs.map(() => ({ width, height, top: 0, bars: [], edges: [] })) };
  const index = new Map(shape.bars.map((bar, at) => [bar.id, at]));
  const endOf = (id: string) => index.get(id) ?? 0;
  const source = Int32Array.from(shape.edges, (edge) => endOf(edge.source));
  const target = Int32Array.from(shape.edges, (edge) => endOf(edge.target));
  const level = Int32Array.from(shape.bars, (bar) => bar.level);
  const drawn = (value: number) => (Number.isFinite(value) && value > 0 ? value : 0);
  const flows = graphs.map(({ edges }) => Float64Array.from(edges, (edge) => drawn(edge.inclusive)));
  // Order, and what there is room for, are decided on what flows in all of them together.
  const all = flows.length === 1 ? flows[0] : flows[0].map((_, at) => sumOf(flows, at));
  const kept = heaviestFlows(all, (edge) => level[target[edge]] - level[source[edge]], mostPoints / graphs.length);
  const keptOf = (column: Int32Array) => kept.map((edge) => column[edge]);
  const [from, to] = [keptOf(source), keptOf(target)];
  const cut = (flow: Float64Array) =>
    cutIntoLayers(
      level,
      from,
      to,
      Float64Array.from(kept, (edge) => flow[edge]),
    );
  const together = cut(all);
  const before = near?.bars.some((bar) => bar !== undefined) === true ? nearNodes(near, kept, together) : undefined;
  const order = orderLevels(together, () => task.check(), before);

  // What stands above a bar keeps the room for its histogram free, be it a bar or a flow.
  const space = (_: number, lower: number) => (lower < together.bars ? gap : FLOW_GAP);
  const parts = graphs.map(({ bars }, part) => {
    const layers = graphs.length === 1 ? together : cut(flows[part]);
    const amount = Float64Array.from(layers.dummyFlow);
    bars.forEach((bar, at) => (amount[at] = drawn(bar.inclusive)));
    return { layers, amount };
  });
  const spaces = order.map((nodes) => {
    let sum = gap + LABEL_HEIGHT;
    for (let at = 1; at < nodes.length; at++) sum += space(nodes[at - 1], nodes[at]);
    return sum;
  });
  const { scale, highs } = verticalScale(
    order,
    parts.map(({ amount }) => amount),
    spaces,
    heading,
    height,
  );
  const high = highs.reduce((sum, one) => sum + one, 0);
  const stretch = Math.min(MOST_STRETCH, Math.max(1, high / height));
  const columns = columnPlaces(together, barWidth, labelWidth, width * stretch);
  const wide = Math.max(width, Math.ceil(columns[columns.length - 1] + barWidth + labelWidth - 1e-6));
  let top = 0;
  const placed = parts.map(({ layers, amount }, part) => {
    const bounds = { top: top + heading + gap, bottom: top + highs[part] - LABEL_HEIGHT };
    const heights = amount.map((value) => value * scale);
    const thickness = layers.flow.map((value) => value * scale);
    const placesBefore =
      parts.length === 1 ? before && { ...before, y: before.y.map((share) => share * highs[0]) } : undefined;
    const places = placeNodes(layers, order, heights, thickness, space, bounds, placesBefore);
    const own = top;
    top += highs[part];
    return {
      width: wide,
      height: highs[part],
      top: own,
      bars: shape.bars.map((bar, at) => ({
        x: columns[bar.level],
        y: places.top[at],
        width: barWidth,
        height: heights[at],
      })),
      edges: ribbons(
        flows[part].map((flow) => flow * scale),
        kept,
        layers,
        places,
        columns,
        barWidth,
      ),
    };
  });
  return { width: wide, height: top, parts: placed };
}

/** What a flow counts beside its points: its ends and its number are handed on too. */
const POINTS_A_FLOW = 6;

/** The heaviest flows, as many as there is room for, in the order of the graph. Equal ones are taken as they come. */
function heaviestFlows(flow: Float64Array, levelsOf: (edge: number) => number, mostPoints: number): Int32Array {
  const order = Int32Array.from(flow.keys());
  sortByKey(
    order,
    flow.map((value) => -value),
  );
  let points = 0;
  // Two points for each level that it goes down.
  const tooMany = order.findIndex((edge) => (points += POINTS_A_FLOW + 2 * levelsOf(edge)) > mostPoints);
  return tooMany < 0 ? order.sort() : order.slice(0, tooMany).sort();
}

/** The flows that are kept along their way, all others without points. */
function ribbons(
  thickness: Float64Array,
  kept: Int32Array,
  layers: Layers,
  { leaves, arrives }: Placement,
  columns: readonly number[],
  barWidth: number,
): GraphLayout["edges"] {
  const edges = Array.from(thickness, (high) => ({ thickness: high, points: [] as number[] }));
  kept.forEach((edge, at) => {
    const { points } = edges[edge];
    for (let segment = layers.edgeStart[at]; segment < layers.edgeStart[at + 1]; segment++) {
      points.push(columns[layers.levelOf[layers.from[segment]]] + barWidth, leaves[segment]);
      points.push(columns[layers.levelOf[layers.to[segment]]], arrives[segment]);
    }
  });
  return edges;
}

/** @param kept the flows that are laid out */
function nearNodes(
  { bars, edges }: NearLayout,
  kept: Int32Array,
  { bars: barCount, levelOf, edgeStart, to }: Layers,
): NearOrder {
  const y = new Float64Array(levelOf.length).fill(NaN);
  const stays = new Uint8Array(levelOf.length);
  for (let bar = 0; bar < barCount; bar++) {
    y[bar] = bars.at(bar)?.y ?? NaN;
    stays[bar] = bars.at(bar)?.stays === true ? 1 : 0;
  }
  kept.forEach((flow, edge) => {
    const passes = edges.at(flow);
    // The last segment leads to the target; those before it to where the flow passes a level.
    const between = edgeStart[edge + 1] - edgeStart[edge] - 1;
    if (passes?.length !== between) return;
    passes.forEach((top, at) => {
      const node = to[edgeStart[edge] + at];
      y[node] = top;
      stays[node] = 1;
    });
  });
  return { y, stays };
}

function sumOf(columns: readonly Float64Array[], at: number): number {
  return columns.reduce((sum, column) => sum + column[at], 0);
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
