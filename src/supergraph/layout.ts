import { smallestIn } from "../model/longLists";
import { quietTask, type Task } from "../model/task";
import { picked, pickedFloats, upTo } from "./columns";
import { type LevelOrder, type NearOrder, orderLevels } from "./crossings";
import { cutIntoLayers, type Layers } from "./layers";
import { placeNodes, type Placement } from "./placement";
import { sortByKey } from "./stableSort";
import { verticalRooms } from "./verticalRooms";

/** Geometry of a drawn super graph, in pixels of the asked-for size. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  /** x, y, width and height of one bar after the other. */
  readonly boxes: Float64Array<ArrayBuffer>;
  /**
   * Of each edge: a ribbon whose middle goes through its points, from left to right, dummies of long edges included (two points
   * each). Its edges are the same curves half its thickness above and below.
   */
  readonly thickness: Float64Array<ArrayBuffer>;
  /** Index of each edge's first number in {@link points}, and one more. Edges among the lightest, for which there is no room, have none. */
  readonly first: Int32Array<ArrayBuffer>;
  /** x and y of one point after the other. */
  readonly points: Float64Array<ArrayBuffer>;
}

/** What is laid out: any graph whose edges lead to higher levels. */
export interface LayoutGraph {
  /** Of each bar. */
  readonly level: Int32Array;
  readonly inclusive: Float64Array;
  /** Bars that each edge leads from and to, and what flows along it. */
  readonly source: Int32Array;
  readonly target: Int32Array;
  readonly flow: Float64Array;
  /** 1 for each edge that is drawn on demand alone: it passes levels without a gap. Absent: all are drawn. */
  readonly isThin?: Uint8Array;
}

/** Least vertical distances of neighbours in a level, in pixels. All of a level shrink alike where it has too little height. */
export interface Gaps {
  /** Between two bars. */
  readonly bars: number;
  /** Between a bar and a flow that passes. */
  readonly beside: number;
  /** Between two flows that pass. */
  readonly flows: number;
}

/** Pixels. The layout is wider than asked where bars would lie on each other otherwise, and then as much higher. */
export interface LayoutSize {
  readonly width: number;
  readonly height: number;
  /** Default: 14 % of the distance between levels, 13 to 34. */
  readonly barWidth?: number;
  /** Room for a label to the right of each bar. */
  readonly labelWidth?: number;
  /** Default: 33 between bars, 12 beside a flow, 4 between flows. */
  readonly gaps?: Gaps;
  /** Room above the highest bar. Default: 8 */
  readonly top?: number;
  /** The lightest flows are left out above so many points of all together, each flow counted as some points more. */
  readonly mostPoints?: number;
  /** Room above each of several graphs: for what it is called. */
  readonly heading?: number;
  /** Where the bars and flows of a single graph were drawn before. */
  readonly near?: NearLayout;
}

/** Where bars, or what they were made from, and flows were drawn before, as shares of the layout's height. */
export interface NearLayout {
  /** Top of each bar; NaN: it was nowhere. */
  readonly y: Float64Array;
  /** 1: it is the same bar, and keeps its place where it can; else it only begins there. */
  readonly stays: Uint8Array;
  /** Index of each edge's first number in {@link tops}, and one more. */
  readonly first: Int32Array;
  /** Upper edge of a flow at each level that it passes, from its source to its target. */
  readonly tops: Float64Array;
}

/** Exponent k of the dissertation's gap between levels (3.3.1, horizontal positioning). */
const GAP_EXPONENT = 0.5;
/**
 * A layout that needs more height than it was asked for is made smaller to be seen whole: it is as much wider, and then fills
 * the width as well; one that needs more width is as much higher. Not without end: at full size flows would become long.
 */
const MOST_STRETCH = 3;
/** A name and its value have room between two bars. */
const GAPS: Gaps = { bars: 33, beside: 12, flows: 4 };
const TOP = 8;
/** Of the room that the nodes of a level leave, how much goes between them: the rest is for flows that run straight. */
const SPREAD = 0.6;
/**
 * The same where one bar fills most of the height by itself: nothing runs straight beside what no flow leaves. Where levels are nearer than
 * these pixels, labels need what is free above and below bars.
 */
const SPREAD_BESIDE = 0.95;
const MOST_OWN = 0.5;
const APART = 90;
/** Bars as wide as this part of the distance between levels; pixels. */
const BAR_SHARE = 0.14;
const NARROWEST_BAR = 13;
const WIDEST_BAR = 34;

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
  const [{ boxes, thickness, first, points }] = parts;
  return { width, height, boxes, thickness, first, points };
}

/**
 * Lays out graphs that differ in their numbers alone, such as those of some ranks and of all others.
 *
 * @param graphs at least one; bars and edges of all are the same in the same order
 */
export function layoutStacked(graphs: readonly LayoutGraph[], size: LayoutSize, task: Task = quietTask): StackedLayout {
  const { width, height, labelWidth = 110, gaps = GAPS, top: above = TOP, heading = 0, near, mostPoints } = size;
  const [{ level, source, target }] = graphs;
  if (level.length === 0)
    return { width, height, parts: graphs.map(() => ({ ...emptyLayout(width, height), top: 0 })) };
  const drawn = (value: number) => (Number.isFinite(value) && value > 0 ? value : 0);
  const flows = graphs.map(({ flow }) => flow.map(drawn));
  // Order, and what there is room for, are decided on what flows in all of them together.
  const all = flows.length === 1 ? flows[0] : flows[0].map((_, at) => sumOf(flows, at));
  const levelsOf = (edge: number) => level[target[edge]] - level[source[edge]];
  const kept = heaviestFlows(all, levelsOf, (mostPoints ?? Infinity) / graphs.length);
  const [from, to] = [picked(source, kept), picked(target, kept)];
  const cut = (flow: Float64Array) => cutIntoLayers(level, from, to, pickedFloats(flow, kept));
  const together = cut(all);
  const before = near?.y.some((y) => !Number.isNaN(y)) === true ? nearNodes(near, kept, together) : undefined;
  const order = orderLevels(together, () => task.check(), before);

  const isThin = thinNodes(graphs, kept, together);
  const amounts = graphs.map(({ inclusive }, part) => {
    const layers = graphs.length === 1 ? together : cut(flows[part]);
    // A flow that is not drawn takes no height.
    const amount = layers.dummyFlow.map((flow, node) => (isThin[node] === 1 ? 0 : flow));
    amount.set(inclusive.map(drawn));
    return { layers, amount };
  });
  const columnsIn = (room: number) => {
    const barWidth = size.barWidth ?? barWidthFor(together.levels, Math.max(0, room - labelWidth));
    const columns = columnPlaces(together, barWidth, labelWidth, room);
    const wide = Math.max(width, Math.ceil(columns[columns.length - 1] + barWidth + labelWidth - 1e-6));
    return { barWidth, columns, wide };
  };
  const stretch = Math.min(MOST_STRETCH, Math.max(1, columnsIn(width).wide / width));
  // A layout that is drawn smaller has gaps that are as much larger.
  const between = gapsBefore(order, together, isThin, gaps).map((gap) => gap * stretch);
  const rooms = verticalRooms({
    order,
    amounts: amounts.map(({ amount }) => amount),
    gaps: order.map((nodes) => nodes.reduce((sum, node) => sum + between[node], 0)),
    above: heading + above,
    height: height * stretch,
  });
  const { scale, highs, shrunk } = rooms;
  const { barWidth, columns, wide } = columnsIn(width * stretch);
  let top = 0;
  const placed = amounts.map(({ layers, amount }, part) => {
    const bounds = { top: top + heading + above, bottom: top + highs[part] };
    const heights = amount.map((value) => value * scale);
    const thickness = layers.flow.map((value) => value * scale);
    const placesBefore =
      amounts.length === 1 ? before && { ...before, y: before.y.map((share) => share * highs[0]) } : undefined;
    const highest = largestOwn(graphs[part], flows[part]) * scale;
    const isApart = columns.length > 1 && columns[1] - barWidth >= APART;
    const isBeside = isApart && highest > MOST_OWN * (bounds.bottom - bounds.top);
    // What people have seen stays where it is, rather than being spread anew.
    const spreads = order.map((nodes, level) => {
      const spaces = nodes.reduce((count, node) => count + Number(between[node] > 0), 0);
      const taken = nodes.reduce((sum, node) => sum + heights[node] + between[node] * shrunk[part][level], 0);
      const rest = Math.max(0, bounds.bottom - bounds.top - taken);
      if (before || spaces === 0) return 0;
      return isBeside ? (SPREAD_BESIDE * rest) / spaces : (SPREAD * rest) / (spaces + 1);
    });
    const spaceOf = (node: number, level: number) =>
      between[node] > 0 ? between[node] * shrunk[part][level] + spreads[level] : 0;
    const places = placeNodes(layers, order, {
      height: heights,
      thickness,
      bounds,
      near: placesBefore,
      space: heights.map((_, node) => spaceOf(node, layers.levelOf[node])),
    });
    const own = top;
    top += highs[part];
    return {
      width: wide,
      height: highs[part],
      top: own,
      boxes: boxesOf(level, columns, barWidth, places.top, heights),
      thickness: flows[part].map((flow) => flow * scale),
      ...courses(flows[part].length, kept, layers, places, columns, barWidth),
    };
  });
  return { width: wide, height: top, parts: placed };
}

/** Nodes where an edge passes a level that is thin in all graphs: 1 each. @param kept the flows that are laid out */
function thinNodes(graphs: readonly LayoutGraph[], kept: Int32Array, { levelOf, edgeStart, to }: Layers): Uint8Array {
  const isThin = new Uint8Array(levelOf.length);
  kept.forEach((flow, edge) => {
    if (!graphs.every((graph) => graph.isThin?.[flow] === 1)) return;
    for (let segment = edgeStart[edge]; segment + 1 < edgeStart[edge + 1]; segment++) isThin[to[segment]] = 1;
  });
  return isThin;
}

/** Pixels between each node and the one above it in its level. Thin flows share the gap that they pass through. */
function gapsBefore(order: LevelOrder, { bars, levelOf }: Layers, isThin: Uint8Array, gaps: Gaps): Float64Array {
  const before = new Float64Array(levelOf.length);
  for (const nodes of order) {
    let above: number | undefined;
    let firstThin: number | undefined;
    for (const node of nodes) {
      if (isThin[node] === 1) {
        firstThin ??= above === undefined ? undefined : node;
        continue;
      }
      if (above !== undefined) {
        const [one, other] = [above < bars, node < bars];
        const gap = one && other ? gaps.bars : one || other ? gaps.beside : gaps.flows;
        before[node] = firstThin === undefined ? gap : gap / 2;
        if (firstThin !== undefined) before[firstThin] = gap / 2;
      }
      [above, firstThin] = [node, undefined];
    }
  }
  return before;
}

/** The largest amount of a bar that no flow leaves. */
function largestOwn({ inclusive, source }: LayoutGraph, flow: Float64Array): number {
  const own = inclusive.slice();
  source.forEach((bar, edge) => (own[bar] -= flow[edge]));
  return own.reduce((most, amount) => Math.max(most, amount), 0);
}

/** @param room pixels for all levels but the room for labels right of the last */
function barWidthFor(levels: number, room: number): number {
  const wide = (BAR_SHARE * room) / (levels - 1 + BAR_SHARE);
  return Math.min(WIDEST_BAR, Math.max(NARROWEST_BAR, wide));
}

/** What a flow counts beside its points: its ends and its number are handed on too. */
const POINTS_A_FLOW = 6;

/** The heaviest flows, as many as there is room for, in the order of the graph. Equal ones are taken as they come. */
function heaviestFlows(flow: Float64Array, levelsOf: (edge: number) => number, mostPoints: number): Int32Array {
  const order = upTo(flow.length);
  sortByKey(
    order,
    flow.map((value) => -value),
  );
  let points = 0;
  // Two points for each level that it goes down.
  const tooMany = order.findIndex((edge) => (points += POINTS_A_FLOW + 2 * levelsOf(edge)) > mostPoints);
  return tooMany < 0 ? order.sort() : order.slice(0, tooMany).sort();
}

function emptyLayout(width: number, height: number): GraphLayout {
  const none = () => new Float64Array(0);
  return { width, height, boxes: none(), thickness: none(), first: new Int32Array(1), points: none() };
}

function boxesOf(
  level: Int32Array,
  columns: readonly number[],
  width: number,
  top: Float64Array,
  height: Float64Array,
): Float64Array<ArrayBuffer> {
  const boxes = new Float64Array(4 * level.length);
  for (let bar = 0; bar < level.length; bar++) boxes.set([columns[level[bar]], top[bar], width, height[bar]], 4 * bar);
  return boxes;
}

/** The flows that are kept along their way, all others without points. @param size of all flows */
function courses(
  size: number,
  kept: Int32Array,
  { edgeStart, levelOf, from, to }: Layers,
  { leaves, arrives }: Placement,
  columns: readonly number[],
  barWidth: number,
): Pick<GraphLayout, "first" | "points"> {
  const first = new Int32Array(size + 1);
  // x and y of where each segment leaves and arrives.
  kept.forEach((edge, at) => (first[edge + 1] = 4 * (edgeStart[at + 1] - edgeStart[at])));
  for (let edge = 0; edge < size; edge++) first[edge + 1] += first[edge];
  const points = new Float64Array(first[size]);
  // Those that are kept are in the order of the graph, as their segments are.
  for (let segment = 0; 4 * segment < points.length; segment++) {
    points[4 * segment] = columns[levelOf[from[segment]]] + barWidth;
    points[4 * segment + 1] = leaves[segment];
    points[4 * segment + 2] = columns[levelOf[to[segment]]];
    points[4 * segment + 3] = arrives[segment];
  }
  return { first, points };
}

/** @param kept the flows that are laid out */
function nearNodes(near: NearLayout, kept: Int32Array, { bars, levelOf, edgeStart, to }: Layers): NearOrder {
  const y = new Float64Array(levelOf.length).fill(NaN);
  const stays = new Uint8Array(levelOf.length);
  y.set(near.y.subarray(0, bars));
  stays.set(near.stays.subarray(0, bars));
  kept.forEach((flow, edge) => {
    const tops = near.tops.subarray(near.first[flow], near.first[flow + 1]);
    // The last segment leads to the target; those before it to where the flow passes a level.
    const between = edgeStart[edge + 1] - edgeStart[edge] - 1;
    if (tops.length !== between) return;
    tops.forEach((top, at) => {
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
  const scale = Math.max(all > 0 ? room / all : 1, gaps.length > 0 ? (2 * barWidth) / smallestIn(gaps) : 0);
  const columns = [0];
  for (const one of gaps) columns.push(columns[columns.length - 1] + one * scale);
  return columns;
}
