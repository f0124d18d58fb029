import { type Layers, type SegmentLists, segmentsBy } from "./layers";
import { sortByKey } from "./stableSort";

/** The segments whose crossings are looked at one pair at a time; where a graph is small, all of them. */
export interface HeavySegments {
  /** For each gap between levels, by falling flow. */
  readonly byGap: readonly Int32Array[];
  /** 1 for nodes with such a segment. */
  readonly isHeavy: Uint8Array;
  /** 1 for those with one on either side, as flows that pass a level mostly have them. */
  readonly passes: Uint8Array;
  /** Their flow. */
  readonly flowIn: Float64Array;
  readonly flowOut: Float64Array;
  readonly in: SegmentLists;
  readonly out: SegmentLists;
}

/** The heaviest segments of each gap, at most `most` of them. A crossing of lighter ones is hardly seen. */
export function heaviestSegments(layers: Layers, most: number): HeavySegments {
  const { levels, levelOf, from, to, flow, edgeStart } = layers;
  // All segments of an edge have its flow, and no two of them lie in one gap.
  const edges = Int32Array.from({ length: edgeStart.length - 1 }, (_, edge) => edge);
  const lightness = new Float64Array(edges.length);
  for (let edge = 0; edge < edges.length; edge++) lightness[edge] = -flow[edgeStart[edge]];
  sortByKey(edges, lightness);
  const count = new Int32Array(Math.max(0, levels - 1));
  for (let segment = 0; segment < from.length; segment++) count[levelOf[from[segment]]]++;
  const byGap = Array.from(count, (all) => new Int32Array(Math.min(all, most)));
  const isHeavy = new Uint8Array(levelOf.length);
  count.fill(0);
  for (let at = 0; at < edges.length; at++) {
    const end = edgeStart[edges[at] + 1];
    for (let segment = edgeStart[edges[at]]; segment < end; segment++) {
      const gap = levelOf[from[segment]];
      if (count[gap] === most) continue;
      byGap[gap][count[gap]++] = segment;
      isHeavy[from[segment]] = isHeavy[to[segment]] = 1;
    }
  }
  const all = new Int32Array(byGap.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const segments of byGap) {
    all.set(segments, filled);
    filled += segments.length;
  }
  const into = segmentsBy(to, from, flow, levelOf.length, all);
  const out = segmentsBy(from, to, flow, levelOf.length, all);
  const passes = new Uint8Array(levelOf.length);
  const flowIn = new Float64Array(levelOf.length);
  const flowOut = new Float64Array(levelOf.length);
  for (let node = 0; node < passes.length; node++) {
    if (into.start[node + 1] - into.start[node] !== 1 || out.start[node + 1] - out.start[node] !== 1) continue;
    passes[node] = 1;
    flowIn[node] = into.flow[into.start[node]];
    flowOut[node] = out.flow[out.start[node]];
  }
  return { byGap, isHeavy, passes, flowIn, flowOut, in: into, out };
}
