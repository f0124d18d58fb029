import { upTo } from "./columns";

/**
 * A graph cut into levels: its bars, and a dummy for every level that an edge passes, so that each segment joins
 * neighbouring levels. Nodes 0 … bars − 1 are the bars, all others dummies.
 */
export interface Layers {
  readonly bars: number;
  readonly levels: number;
  readonly levelOf: Int32Array;
  /** Flow through each dummy, 0 for bars. */
  readonly dummyFlow: Float64Array;
  /** Ends of each segment: nodes of neighbouring levels. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly flow: Float64Array;
  /** Segments of edge e: `edgeStart[e] … edgeStart[e + 1] - 1`, from its source to its target. */
  readonly edgeStart: Int32Array;
  /** Segments that leave and enter each node. */
  readonly out: SegmentLists;
  readonly in: SegmentLists;
}

/** Segments of node n at `start[n] … start[n + 1] - 1`, with what is looked at most beside them. */
export interface SegmentLists {
  readonly start: Int32Array;
  readonly segment: Int32Array;
  /** The node at the other end of the segment. */
  readonly other: Int32Array;
  readonly flow: Float64Array;
}

/**
 * @param level of each bar; edges lead to higher levels
 * @param flow of each edge, at least 0
 */
export function cutIntoLayers(
  level: ArrayLike<number>,
  source: ArrayLike<number>,
  target: ArrayLike<number>,
  flow: ArrayLike<number>,
): Layers {
  const bars = level.length;
  const edges = source.length;
  const edgeStart = new Int32Array(edges + 1);
  for (let edge = 0; edge < edges; edge++)
    edgeStart[edge + 1] = edgeStart[edge] + level[target[edge]] - level[source[edge]];
  const segments = edgeStart[edges];
  const nodes = bars + segments - edges;
  const levelOf = new Int32Array(nodes);
  const dummyFlow = new Float64Array(nodes);
  const from = new Int32Array(segments);
  const to = new Int32Array(segments);
  const flowOf = new Float64Array(segments);
  let levels = 0;
  for (let bar = 0; bar < bars; bar++) {
    levelOf[bar] = level[bar];
    levels = Math.max(levels, level[bar] + 1);
  }
  let dummy = bars;
  for (let edge = 0; edge < edges; edge++) {
    let node = source[edge];
    for (let segment = edgeStart[edge]; segment < edgeStart[edge + 1]; segment++) {
      from[segment] = node;
      flowOf[segment] = flow[edge];
      if (segment + 1 === edgeStart[edge + 1]) {
        to[segment] = target[edge];
      } else {
        levelOf[dummy] = levelOf[node] + 1;
        dummyFlow[dummy] = flow[edge];
        node = to[segment] = dummy++;
      }
    }
  }
  const graph = { bars, levels, levelOf, dummyFlow, from, to, flow: flowOf, edgeStart };
  const all = upTo(segments);
  return { ...graph, out: segmentsBy(from, to, flowOf, nodes, all), in: segmentsBy(to, from, flowOf, nodes, all) };
}

/** Lists the segments of `which`, in that order, by one of their ends. */
export function segmentsBy(
  end: Int32Array,
  otherEnd: Int32Array,
  flowOf: Float64Array,
  nodes: number,
  which: Int32Array,
): SegmentLists {
  const start = new Int32Array(nodes + 1);
  for (let at = 0; at < which.length; at++) start[end[which[at]] + 1]++;
  for (let node = 0; node < nodes; node++) start[node + 1] += start[node];
  const next = start.slice();
  const segment = new Int32Array(which.length);
  const other = new Int32Array(which.length);
  const flow = new Float64Array(which.length);
  for (let at = 0; at < which.length; at++) {
    const index = which[at];
    const place = next[end[index]]++;
    segment[place] = index;
    other[place] = otherEnd[index];
    flow[place] = flowOf[index];
  }
  return { start, segment, other, flow };
}
