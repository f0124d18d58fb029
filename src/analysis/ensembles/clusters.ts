import type { RunDistances } from "./runDistances";

/** Which runs are alike. */
export interface Clusters {
  readonly count: number;
  /** Cluster of each run, from 0, in the order of each cluster's first run. */
  readonly of: Int32Array;
  /** Mean silhouette, -1 to 1: how much nearer runs are to their own cluster than to the next; NaN of a single cluster. */
  readonly silhouette: number;
}

/** Distances, and silhouettes, that differ by less as a share are the same: in another unit they would differ otherwise. */
const SAME = 1e-9;

/** Numbers of clusters that are tried. */
const [FEWEST, MOST] = [2, 8];

/**
 * Average linkage (Sokal and Michener 1958), cut at the number of clusters from 2 to 8 with the largest mean silhouette (Rousseeuw,
 * "Silhouettes", Journal of Computational and Applied Mathematics 20 (1987), equation 1), the fewest of several with the same.
 * Runs without any distance between them are one cluster.
 *
 * @param chosen how many clusters are wanted; undefined: as the silhouette says
 */
export function clusters({ runs, squared }: RunDistances, chosen?: number): Clusters {
  const distances = squared.map(Math.sqrt);
  const merges = averageLinkage(distances, runs);
  const cut = (count: number): Clusters => {
    const of = clustersAfter(merges.slice(0, runs - count), runs);
    return { count, of, silhouette: meanSilhouette(distances, of, count) };
  };
  if (chosen !== undefined) return cut(Math.max(1, Math.min(runs, Math.trunc(chosen))));
  let best: Clusters | undefined;
  if (distances.some((distance) => distance > 0))
    for (let count = FEWEST; count <= Math.min(MOST, runs); count++) {
      const next = cut(count);
      if (best === undefined || next.silhouette > best.silhouette + SAME) best = next;
    }
  return best ?? cut(Math.min(1, runs));
}

/** Two runs, one of each of the clusters that become one. */
type Merge = readonly [number, number];

/**
 * All merges, nearest clusters first; of pairs as near but for rounding, the one of the first runs. The cluster is kept at its first
 * run's place, and how far the nearest later cluster of each place is is remembered, so a merge takes a pass over the runs and over those
 * that lose their nearest.
 */
function averageLinkage(distances: Float64Array, runs: number): Merge[] {
  const between = distances.slice();
  const sizes = new Int32Array(runs).fill(1);
  const nearest = new Int32Array(runs);
  const nearestAt = new Float64Array(runs);
  const findNearest = (place: number) => {
    nearestAt[place] = Infinity;
    for (let other = place + 1; other < runs; other++)
      if (sizes[other] > 0 && between[place * runs + other] < nearestAt[place]) {
        nearestAt[place] = between[place * runs + other];
        nearest[place] = other;
      }
  };
  for (let place = 0; place < runs; place++) findNearest(place);
  const merges: Merge[] = [];
  while (merges.length < runs - 1) {
    let least = Infinity;
    for (let place = 0; place < runs; place++) if (sizes[place] > 0) least = Math.min(least, nearestAt[place]);
    const near = least * (1 + SAME);
    let kept = 0;
    while (sizes[kept] === 0 || nearestAt[kept] > near) kept++;
    let gone = kept + 1;
    while (sizes[gone] === 0 || between[kept * runs + gone] > near) gone++;
    merges.push([kept, gone]);
    const [size, added] = [sizes[kept], sizes[gone]];
    sizes[kept] += added;
    sizes[gone] = 0;
    for (let other = 0; other < runs; other++) {
      if (sizes[other] === 0 || other === kept) continue;
      // Lance and Williams' update for average linkage.
      const mean = (size * between[kept * runs + other] + added * between[gone * runs + other]) / (size + added);
      between[kept * runs + other] = mean;
      between[other * runs + kept] = mean;
    }
    for (let place = 0; place <= kept; place++)
      if (sizes[place] > 0) {
        if (place === kept || nearest[place] === kept || nearest[place] === gone) findNearest(place);
        else if (between[place * runs + kept] < nearestAt[place]) {
          nearest[place] = kept;
          nearestAt[place] = between[place * runs + kept];
        }
      }
    for (let place = kept + 1; place < gone; place++)
      if (sizes[place] > 0 && nearest[place] === gone) findNearest(place);
  }
  return merges;
}

/** Cluster of each run after some merges, numbered by first runs. */
function clustersAfter(merges: readonly Merge[], runs: number): Int32Array {
  const keeper = Int32Array.from({ length: runs }, (_, run) => run);
  // A keeper is an earlier run than what it keeps, so backwards each one's own keeper is known.
  for (const [kept, gone] of merges) keeper[gone] = kept;
  const of = new Int32Array(runs);
  let count = 0;
  for (let run = 0; run < runs; run++) of[run] = keeper[run] === run ? count++ : of[keeper[run]];
  return of;
}

/** Of a run: (b − a) / max(a, b), a its mean distance from its own cluster's others, b from the nearest other cluster; 0 of one alone. */
function meanSilhouette(distances: Float64Array, of: Int32Array, count: number): number {
  if (count < 2) return NaN;
  const runs = of.length;
  const sizes = new Int32Array(count);
  for (const cluster of of) sizes[cluster]++;
  const sums = new Float64Array(count);
  let total = 0;
  for (let run = 0; run < runs; run++) {
    sums.fill(0);
    for (let other = 0; other < runs; other++) sums[of[other]] += distances[run * runs + other];
    const own = of[run];
    if (sizes[own] === 1) continue;
    const inside = sums[own] / (sizes[own] - 1);
    let outside = Infinity;
    for (let cluster = 0; cluster < count; cluster++)
      if (cluster !== own) outside = Math.min(outside, sums[cluster] / sizes[cluster]);
    if (outside > 0 || inside > 0) total += (outside - inside) / Math.max(inside, outside);
  }
  return total / runs;
}
