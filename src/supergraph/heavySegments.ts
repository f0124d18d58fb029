import { type Layers, type SegmentLists, segmentsBy } from "./layers";

/** The segments whose crossings are looked at one pair at a time; where a graph is small, all of them. */
export interface HeavySegments {
  /** For each gap between levels, by falling flow. */
  readonly byGap: readonly Int32Array[];
  /** 1 for nodes with such a segment. */
  readonly isHeavy: Uint8Array;
  readonly in: SegmentLists;
  readonly out: SegmentLists;
}

/** The heaviest segments of each gap, at most `most` of them. A crossing of lighter ones is hardly seen. */
export function heaviestSegments({ levels, levelOf, from, to, flow }: Layers, most: number): HeavySegments {
  const gaps: number[][] = Array.from({ length: Math.max(0, levels - 1) }, () => []);
  for (let segment = 0; segment < from.length; segment++) gaps[levelOf[from[segment]]].push(segment);
  const byGap = gaps.map((segments) =>
    Int32Array.from(segments.sort((a, b) => flow[b] - flow[a] || a - b).slice(0, most)),
  );
  const isHeavy = new Uint8Array(levelOf.length);
  for (const segments of byGap) for (const segment of segments) isHeavy[from[segment]] = isHeavy[to[segment]] = 1;
  const all = Int32Array.from(byGap.flatMap((segments) => Array.from(segments)));
  return { byGap, isHeavy, in: segmentsBy(to, levelOf.length, all), out: segmentsBy(from, levelOf.length, all) };
}
