import type { LevelOrder, NearOrder } from "./crossings";
import type { Layers } from "./layers";

/** Vertical places: the top of each node, and where each segment's middle leaves and arrives. Any unit of length. */
export interface Placement {
  readonly top: Float64Array;
  readonly leaves: Float64Array;
  readonly arrives: Float64Array;
}

/** How much more it weighs where a node was than where its flows would have it. */
const STAYING = 100;

/** Sweeps that move nodes towards their neighbours: many where that is cheap. */
const sweepsFor = (nodes: number) => Math.min(40, Math.max(10, Math.ceil(40_000 / nodes)));

/**
 * Places the nodes of each level one below the other, in the order given, so that the weighted sum of squared distances
 * between the ends of their flows is small (dissertation 3.3.1, vertical positioning). Flows leave a bar packed from its
 * top in the order of their targets, and arrive in the order of their sources.
 *
 * @param height of each node
 * @param space least distance between a node and the next one below it in the order
 * @param bounds top of the highest and bottom of the lowest node
 * @param near where nodes were before: those that stay give way to little
 */
export function placeNodes(
  layers: Layers,
  order: LevelOrder,
  height: Float64Array,
  thickness: Float64Array,
  space: (upper: number, lower: number) => number,
  bounds: { readonly top: number; readonly bottom: number },
  near?: NearOrder,
): Placement {
  const offsets = portOffsets(layers, order, thickness);
  const top = new Float64Array(height.length);
  for (const nodes of order) stack(nodes, top, height, space, bounds);
  const wish = new Float64Array(height.length);
  const weight = new Float64Array(height.length);
  const sweeps = sweepsFor(height.length);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const down = sweep % 2 === 0;
    // The second half looks both ways, so that no level is left where only one side wants it.
    const both = sweep >= sweeps / 2;
    for (let step = 0; step < order.length; step++) {
      const nodes = order[down ? step : order.length - 1 - step];
      for (const node of nodes) {
        wishOf(layers, offsets, top, thickness, node, down, both, wish, weight);
        if (near?.stays[node] === 1) {
          wish[node] = (wish[node] + STAYING * near.y[node]) / (1 + STAYING);
          weight[node] *= 1 + STAYING;
        }
      }
      settle(nodes, wish, weight, top, height, space, bounds);
    }
  }
  const { from, to } = layers;
  return {
    top,
    leaves: offsets.leaves.map((offset, segment) => top[from[segment]] + offset + thickness[segment] / 2),
    arrives: offsets.arrives.map((offset, segment) => top[to[segment]] + offset + thickness[segment] / 2),
  };
}

/** Distance of each segment's upper edge from the top of the node that it leaves and of the one where it arrives. */
function portOffsets(layers: Layers, order: LevelOrder, thickness: Float64Array) {
  const { in: into, out, from, to } = layers;
  const place = new Int32Array(layers.levelOf.length);
  for (const nodes of order) nodes.forEach((node, at) => (place[node] = at));
  const pack = ({ start, segment }: Layers["in"], other: Int32Array) => {
    const offsets = new Float64Array(from.length);
    for (let node = 0; node + 1 < start.length; node++) {
      const own = segment.slice(start[node], start[node + 1]);
      own.sort((a, b) => place[other[a]] - place[other[b]]);
      let offset = 0;
      for (const index of own) {
        offsets[index] = offset;
        offset += thickness[index];
      }
    }
    return offsets;
  };
  return { leaves: pack(out, to), arrives: pack(into, from) };
}

function stack(
  nodes: Int32Array,
  top: Float64Array,
  height: Float64Array,
  space: (upper: number, lower: number) => number,
  bounds: { readonly top: number },
): void {
  let y = bounds.top;
  nodes.forEach((node, at) => {
    if (at > 0) y += space(nodes[at - 1], node);
    top[node] = y;
    y += height[node];
  });
}

/** Where a node's top would best be for its flows, and how much they weigh. */
function wishOf(
  { in: into, out, from, to }: Layers,
  offsets: { leaves: Float64Array; arrives: Float64Array },
  top: Float64Array,
  thickness: Float64Array,
  node: number,
  down: boolean,
  both: boolean,
  wish: Float64Array,
  weight: Float64Array,
): void {
  let sum = 0;
  let all = 0;
  if (down || both) {
    for (let at = into.start[node]; at < into.start[node + 1]; at++) {
      const segment = into.segment[at];
      sum += thickness[segment] * (top[from[segment]] + offsets.leaves[segment] - offsets.arrives[segment]);
      all += thickness[segment];
    }
  }
  if (!down || both) {
    for (let at = out.start[node]; at < out.start[node + 1]; at++) {
      const segment = out.segment[at];
      sum += thickness[segment] * (top[to[segment]] + offsets.arrives[segment] - offsets.leaves[segment]);
      all += thickness[segment];
    }
  }
  wish[node] = all > 0 ? sum / all : top[node];
  // A node without flows in this direction yields to all others, but does not run away.
  weight[node] = Math.max(all, 1e-6);
}

/**
 * Tops nearest to the wishes (least weighted squares) that keep order and spaces: pooling adjacent violators.
 * Limits are kept by clamping, which leaves such a solution the best one.
 */
function settle(
  nodes: Int32Array,
  wish: Float64Array,
  weight: Float64Array,
  top: Float64Array,
  height: Float64Array,
  space: (upper: number, lower: number) => number,
  bounds: { readonly top: number; readonly bottom: number },
): void {
  const count = nodes.length;
  // Without heights and spaces, "below each other" is "not decreasing".
  const shift = new Float64Array(count);
  for (let at = 1; at < count; at++)
    shift[at] = shift[at - 1] + height[nodes[at - 1]] + space(nodes[at - 1], nodes[at]);
  const mean = new Float64Array(count);
  const mass = new Float64Array(count);
  const first = new Int32Array(count + 1);
  let pools = 0;
  for (let at = 0; at < count; at++) {
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
  first[pools] = count;
  const last = count === 0 ? 0 : shift[count - 1] + height[nodes[count - 1]];
  const lowest = Math.max(bounds.top, bounds.bottom - last);
  for (let pool = 0; pool < pools; pool++) {
    const base = Math.min(Math.max(mean[pool], bounds.top), lowest);
    for (let at = first[pool]; at < first[pool + 1]; at++) top[nodes[at]] = base + shift[at];
  }
}
