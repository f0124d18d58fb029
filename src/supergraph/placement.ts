import type { LevelOrder, NearOrder } from "./crossings";
import type { Layers, SegmentLists } from "./layers";
import { sortByKey } from "./stableSort";

/** Vertical places: the top of each node, and where each segment's middle leaves and arrives. Any unit of length. */
export interface Placement {
  readonly top: Float64Array;
  readonly leaves: Float64Array;
  readonly arrives: Float64Array;
}

/** What nodes need. Any unit of length. */
export interface NodeRooms {
  /** Of each node, with the room for its label. */
  readonly height: Float64Array;
  /** Room above each node, that belongs to it. */
  readonly inset: Float64Array;
  /** Of each segment. */
  readonly thickness: Float64Array;
  /** Least distance between a node and the next one below it in the order. */
  readonly space: (upper: number, lower: number) => number;
  /** Top of the highest and bottom of the lowest node. */
  readonly bounds: { readonly top: number; readonly bottom: number };
  /** Where nodes were before: those that stay give way to little. */
  readonly near?: NearOrder;
}

/** How much more it weighs where a node was than where its flows would have it. */
const STAYING = 1000;

/** Sweeps that move nodes towards their neighbours: many where that is cheap. */
const sweepsFor = (nodes: number) => Math.min(40, Math.max(10, Math.ceil(40_000 / nodes)));

/**
 * Places the nodes of each level one below the other, in the order given, so that the weighted sum of squared distances
 * between the ends of their flows is small (dissertation 3.3.1, vertical positioning). Flows leave a bar packed from its
 * top in the order of their targets, and arrive in the order of their sources.
 * Nodes that do not fit between the bounds reach below them.
 */
export function placeNodes(
  layers: Layers,
  order: LevelOrder,
  { height, inset, thickness, space, bounds, near }: NodeRooms,
): Placement {
  const { from, to } = layers;
  const offsets = portOffsets(layers, order, thickness, inset);
  const levels = order.map((nodes) => stacked(nodes, height, space));
  const top = new Float64Array(height.length);
  for (const { nodes } of levels)
    for (let at = 0; at < nodes.length; at++)
      top[nodes[at]] =
        at === 0 ? bounds.top : top[nodes[at - 1]] + height[nodes[at - 1]] + space(nodes[at - 1], nodes[at]);
  const pulls = pullsOf(layers, thickness, offsets);
  const wish = new Float64Array(height.length);
  const weight = new Float64Array(height.length);
  const pools = new Pools(Math.max(0, ...order.map(({ length }) => length)));
  const sweeps = sweepsFor(height.length);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const down = sweep % 2 === 0;
    // The second half looks both ways, so that no level is left where only one side wants it.
    const both = sweep >= sweeps / 2;
    for (let step = 0; step < levels.length; step++) {
      const level = levels[down ? step : levels.length - 1 - step];
      for (let at = 0; at < level.nodes.length; at++)
        wishOf(pulls, top, level.nodes[at], down || both, !down || both, wish, weight);
      if (near) stay(level.nodes, near, inset, wish, weight);
      pools.settle(level, wish, weight, top, bounds);
    }
  }
  return {
    leaves: offsets.leaves.map((offset, segment) => top[from[segment]] + offset + thickness[segment] / 2),
    arrives: offsets.arrives.map((offset, segment) => top[to[segment]] + offset + thickness[segment] / 2),
    top: top.map((outer, node) => outer + inset[node]),
  };
}

/** Distance of each segment's upper edge from the top of the node that it leaves and of the one where it arrives. */
function portOffsets(layers: Layers, order: LevelOrder, thickness: Float64Array, inset: Float64Array) {
  const { in: into, out, from, to } = layers;
  const place = new Int32Array(layers.levelOf.length);
  for (const nodes of order) nodes.forEach((node, at) => (place[node] = at));
  const pack = ({ start, segment }: SegmentLists, other: Int32Array) => {
    const offsets = new Float64Array(from.length);
    const placeOfOther = new Float64Array(from.length);
    for (let at = 0; at < from.length; at++) placeOfOther[at] = place[other[at]];
    for (let node = 0; node + 1 < start.length; node++) {
      const own = segment.subarray(start[node], start[node + 1]);
      // Nearly all nodes are where one flow passes a level: there is nothing to sort.
      const sorted = own.length < 2 ? own : own.slice();
      if (own.length > 1) sortByKey(sorted, placeOfOther);
      let offset = inset[node];
      for (const index of sorted) {
        offsets[index] = offset;
        offset += thickness[index];
      }
    }
    return offsets;
  };
  return { leaves: pack(out, to), arrives: pack(into, from) };
}

/** A level whose nodes lie as close to each other as they may. */
interface Stack {
  readonly nodes: Int32Array;
  /** Of each node's top from the top of the first. */
  readonly shift: Float64Array;
  readonly height: number;
}

function stacked(nodes: Int32Array, height: Float64Array, space: (upper: number, lower: number) => number): Stack {
  const shift = new Float64Array(nodes.length);
  for (let at = 1; at < nodes.length; at++)
    shift[at] = shift[at - 1] + height[nodes[at - 1]] + space(nodes[at - 1], nodes[at]);
  return { nodes, shift, height: nodes.length === 0 ? 0 : shift[nodes.length - 1] + height[nodes[nodes.length - 1]] };
}

/** The segments on one side of all nodes, in the order of their lists. */
interface Pull {
  readonly start: Int32Array;
  readonly other: Int32Array;
  readonly thickness: Float64Array;
  /** Upper edge of each segment below the top of the other node, and below that of the node itself. */
  readonly there: Float64Array;
  readonly here: Float64Array;
}

function pullsOf(
  { in: into, out }: Layers,
  thickness: Float64Array,
  { leaves, arrives }: { readonly leaves: Float64Array; readonly arrives: Float64Array },
): { readonly into: Pull; readonly out: Pull } {
  const pull = ({ start, other, segment }: SegmentLists, there: Float64Array, here: Float64Array): Pull => {
    const listed = (column: Float64Array) => segmentColumn(segment, column);
    return { start, other, thickness: listed(thickness), there: listed(there), here: listed(here) };
  };
  return { into: pull(into, leaves, arrives), out: pull(out, arrives, leaves) };
}

function segmentColumn(segments: Int32Array, column: Float64Array): Float64Array {
  const listed = new Float64Array(segments.length);
  for (let at = 0; at < listed.length; at++) listed[at] = column[segments[at]];
  return listed;
}

/** Where a node's top would best be for its flows, and how much they weigh. */
function wishOf(
  { into, out }: { readonly into: Pull; readonly out: Pull },
  top: Float64Array,
  node: number,
  looksUp: boolean,
  looksDown: boolean,
  wish: Float64Array,
  weight: Float64Array,
): void {
  let sum = 0;
  let all = 0;
  if (looksUp) {
    const { start, other, thickness, there, here } = into;
    for (let at = start[node]; at < start[node + 1]; at++) {
      sum += thickness[at] * (top[other[at]] + there[at] - here[at]);
      all += thickness[at];
    }
  }
  if (looksDown) {
    const { start, other, thickness, there, here } = out;
    for (let at = start[node]; at < start[node + 1]; at++) {
      sum += thickness[at] * (top[other[at]] + there[at] - here[at]);
      all += thickness[at];
    }
  }
  wish[node] = all > 0 ? sum / all : top[node];
  // A node without flows in this direction yields to all others, but does not run away.
  weight[node] = Math.max(all, 1e-6);
}

function stay(nodes: Int32Array, near: NearOrder, inset: Float64Array, wish: Float64Array, weight: Float64Array): void {
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    if (near.stays[node] !== 1) continue;
    wish[node] = (wish[node] + STAYING * (near.y[node] - inset[node])) / (1 + STAYING);
    weight[node] *= 1 + STAYING;
  }
}

/** Nodes that lie as close to each other as they may, of one level after another. */
class Pools {
  private readonly mean: Float64Array;
  private readonly mass: Float64Array;
  private readonly first: Int32Array;

  /** @param most nodes of a level */
  constructor(most: number) {
    this.mean = new Float64Array(most);
    this.mass = new Float64Array(most);
    this.first = new Int32Array(most + 1);
  }

  /**
   * Tops nearest to the wishes (least weighted squares) that keep order and spaces: pooling adjacent violators.
   * Limits are kept by clamping, which leaves such a solution the best one.
   */
  settle(
    { nodes, shift, height }: Stack,
    wish: Float64Array,
    weight: Float64Array,
    top: Float64Array,
    bounds: { readonly top: number; readonly bottom: number },
  ): void {
    const { mean, mass, first } = this;
    let pools = 0;
    for (let at = 0; at < nodes.length; at++) {
      // Without heights and spaces, "below each other" is "not decreasing".
      mean[pools] = wish[nodes[at]] - shift[at];
      mass[pools] = weight[nodes[at]];
      first[pools++] = at;
      while (pools > 1 && mean[pools - 2] > mean[pools - 1]) {
        const all = mass[pools - 2] + mass[pools - 1];
        mean[pools - 2] = (mean[pools - 2] * mass[pools - 2] + mean[pools - 1] * mass[pools - 1]) / all;
        mass[pools - 2] = all;
        pools--;
      }
    }
    first[pools] = nodes.length;
    const lowest = Math.max(bounds.top, bounds.bottom - height);
    for (let pool = 0; pool < pools; pool++) {
      const base = Math.min(Math.max(mean[pool], bounds.top), lowest);
      for (let at = first[pool]; at < first[pool + 1]; at++) top[nodes[at]] = base + shift[at];
    }
  }
}
