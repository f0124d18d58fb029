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
  /** One value per node. */
  readonly height: Float64Array;
  /** Of each segment. */
  readonly thickness: Float64Array;
  /** Least distance of each node from the one above it in the order. */
  readonly space: Float64Array;
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
  { height, thickness, space, bounds, near }: NodeRooms,
): Placement {
  const { from, to } = layers;
  const nodes = joined(order, height.length);
  // What sweeps read lies in the order of the levels: neighbours in the drawing are neighbours in memory.
  const place = new Int32Array(nodes.length);
  for (let at = 0; at < nodes.length; at++) place[nodes[at]] = at;
  const offsets = portOffsets(layers, place, thickness);
  const levels = stacked(order, height, space);
  const top = new Float64Array(nodes.length);
  for (const { first, nodes: own } of levels)
    for (let at = 0; at < own.length; at++)
      top[first + at] = at === 0 ? bounds.top : top[first + at - 1] + height[own[at - 1]] + space[own[at]];
  const { leaves, arrives } = offsets;
  const sweep = new Sweep(
    top,
    pullOf(layers.in, nodes, place, thickness, leaves, arrives),
    pullOf(layers.out, nodes, place, thickness, arrives, leaves),
    near && stayingPlaces(near, nodes),
    bounds,
  );
  const sweeps = sweepsFor(nodes.length);
  for (let count = 0; count < sweeps; count++) {
    const down = count % 2 === 0;
    // The second half looks both ways, so that no level is left where only one side wants it.
    const both = count >= sweeps / 2;
    for (let step = 0; step < levels.length; step++)
      sweep.settle(levels[down ? step : levels.length - 1 - step], down || both, !down || both);
  }
  return {
    leaves: leaves.map((offset, segment) => top[place[from[segment]]] + offset + thickness[segment] / 2),
    arrives: arrives.map((offset, segment) => top[place[to[segment]]] + offset + thickness[segment] / 2),
    top: Float64Array.from(place, (at) => top[at]),
  };
}

/** The nodes of one level after the other. */
function joined(order: LevelOrder, size: number): Int32Array {
  const nodes = new Int32Array(size);
  let first = 0;
  for (const level of order) {
    nodes.set(level, first);
    first += level.length;
  }
  return nodes;
}

/**
 * Distance of each segment's upper edge from the top of the node that it leaves and of the one where it arrives.
 *
 * @param place of each node in the order
 */
function portOffsets(layers: Layers, place: Int32Array, thickness: Float64Array) {
  const { in: into, out, from, to } = layers;
  const pack = ({ start, segment }: SegmentLists, other: Int32Array) => {
    const offsets = new Float64Array(from.length);
    const placeOfOther = new Float64Array(from.length);
    for (let at = 0; at < from.length; at++) placeOfOther[at] = place[other[at]];
    for (let node = 0; node + 1 < start.length; node++) {
      const [first, end] = [start[node], start[node + 1]];
      // Nearly all nodes are where one flow passes a level: there is nothing to sort.
      if (end - first < 2) continue;
      const sorted = segment.slice(first, end);
      sortByKey(sorted, placeOfOther);
      let offset = 0;
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
  /** Place of its first node. */
  readonly first: number;
  /** Of each node's top from the top of the first. */
  readonly shift: Float64Array;
  readonly height: number;
}

function stacked(order: LevelOrder, height: Float64Array, space: Float64Array): Stack[] {
  let next = 0;
  return order.map((nodes) => {
    const first = next;
    next += nodes.length;
    const shift = new Float64Array(nodes.length);
    for (let at = 1; at < nodes.length; at++) shift[at] = shift[at - 1] + height[nodes[at - 1]] + space[nodes[at]];
    const last = nodes.length - 1;
    return { nodes, first, shift, height: last < 0 ? 0 : shift[last] + height[nodes[last]] };
  });
}

/** The segments on one side of all nodes, nodes by their place. */
interface Pull {
  readonly start: Int32Array;
  readonly other: Int32Array;
  readonly thickness: Float64Array;
  /** Upper edge of each segment below the top of the other node, and below that of the node itself. */
  readonly there: Float64Array;
  readonly here: Float64Array;
}

function pullOf(
  lists: SegmentLists,
  nodes: Int32Array,
  place: Int32Array,
  thickness: Float64Array,
  there: Float64Array,
  here: Float64Array,
): Pull {
  const size = lists.segment.length;
  const start = new Int32Array(nodes.length + 1);
  const other = new Int32Array(size);
  const listed = { thickness: new Float64Array(size), there: new Float64Array(size), here: new Float64Array(size) };
  let next = 0;
  for (let at = 0; at < nodes.length; at++) {
    for (let from = lists.start[nodes[at]]; from < lists.start[nodes[at] + 1]; from++, next++) {
      const segment = lists.segment[from];
      other[next] = place[lists.other[from]];
      listed.thickness[next] = thickness[segment];
      listed.there[next] = there[segment];
      listed.here[next] = here[segment];
    }
    start[at + 1] = next;
  }
  return { start, other, ...listed };
}

/** Tops of nodes before, by their place. NaN: the node need not stay. */
function stayingPlaces({ y, stays }: NearOrder, nodes: Int32Array): Float64Array {
  const before = new Float64Array(nodes.length);
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    before[at] = stays[node] === 1 ? y[node] : NaN;
  }
  return before;
}

/** Moves the nodes of one level after another. Nodes are known by their place. */
class Sweep {
  private readonly mean: Float64Array;
  private readonly mass: Float64Array;
  private readonly first: Int32Array;

  constructor(
    private readonly top: Float64Array,
    private readonly above: Pull,
    private readonly below: Pull,
    /** Where nodes were; NaN: they need not stay. */
    private readonly before: Float64Array | undefined,
    private readonly bounds: { readonly top: number; readonly bottom: number },
  ) {
    this.mean = new Float64Array(top.length);
    this.mass = new Float64Array(top.length);
    this.first = new Int32Array(top.length + 1);
  }

  /**
   * Tops nearest to where they would best be for the flows on the sides that are looked at (least weighted squares), keeping order and
   * spaces: pooling adjacent violators. Limits are kept by clamping, which leaves such a solution the best one.
   */
  settle({ first: place, shift, height }: Stack, looksUp: boolean, looksDown: boolean): void {
    const { top, before, mean, mass, first } = this;
    const { start: startUp, other: otherUp, thickness: flowUp, there: thereUp, here: hereUp } = this.above;
    const { start: startDown, other: otherDown, thickness: flowDown, there: thereDown, here: hereDown } = this.below;
    let pools = 0;
    for (let at = 0; at < shift.length; at++) {
      const node = place + at;
      let sum = 0;
      let all = 0;
      if (looksUp)
        for (let from = startUp[node]; from < startUp[node + 1]; from++) {
          sum += flowUp[from] * (top[otherUp[from]] + thereUp[from] - hereUp[from]);
          all += flowUp[from];
        }
      if (looksDown)
        for (let to = startDown[node]; to < startDown[node + 1]; to++) {
          sum += flowDown[to] * (top[otherDown[to]] + thereDown[to] - hereDown[to]);
          all += flowDown[to];
        }
      let wish = all > 0 ? sum / all : top[node];
      // A node without flows in this direction yields to all others, but does not run away.
      let weight = Math.max(all, 1e-6);
      if (before && !Number.isNaN(before[node])) {
        wish = (wish + STAYING * before[node]) / (1 + STAYING);
        weight *= 1 + STAYING;
      }
      // Without heights and spaces, "below each other" is "not decreasing".
      let own = wish - shift[at];
      let from = at;
      while (pools > 0 && mean[pools - 1] > own) {
        pools--;
        const both = mass[pools] + weight;
        own = (mean[pools] * mass[pools] + own * weight) / both;
        weight = both;
        from = first[pools];
      }
      mean[pools] = own;
      mass[pools] = weight;
      first[pools++] = from;
    }
    first[pools] = shift.length;
    const lowest = Math.max(this.bounds.top, this.bounds.bottom - height);
    for (let pool = 0; pool < pools; pool++) {
      const base = Math.min(Math.max(mean[pool], this.bounds.top), lowest);
      for (let at = first[pool]; at < first[pool + 1]; at++) top[place + at] = base + shift[at];
    }
  }
}
