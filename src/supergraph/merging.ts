import { longestChains } from "./chains";
import type { Lists } from "./columns";
import { Reachability } from "./reachability";

/** Bars before merging: one a (group, position in the collapsed path of groups). Their edges make no cycle. */
export interface UnmergedBars {
  readonly size: number;
  readonly group: Int32Array;
  readonly position: Int32Array;
  /** Sums over all ranks and threads. */
  readonly inclusive: Float64Array;
  /** Bars that the entries of each bar are called from, each once; asked for only where something can be merged. */
  callers(): Lists;
}

/** What merging has made of the bars. */
export interface Merging {
  /** For each bar the one that it became part of; undefined: more than the limit would remain. */
  readonly into: Int32Array | undefined;
  /** How many bars remain; a guess where they are too many. */
  readonly remaining: number;
}

/** The share of bars that remains, where they are too many to be examined. */
export const USUALLY_LEFT = 0.5;

/** Values that agree to 12 significant digits are equal: sums of one set in another order must not change a graph. */
export function rounded(value: number): number {
  return Number(value.toPrecision(12));
}

/**
 * Merges the bars of each group, heaviest first (after rounding; ties: group name, then position), each into the first
 * earlier bar of its group that it neither reaches nor is reached from in the graph as merged so far (semantics 2.3).
 *
 * @param limit gives up as soon as more bars than this are sure to remain
 */
export function mergeBars(bars: UnmergedBars, names: readonly string[], limit: number, check: () => void): Merging {
  const inGroup = new Int32Array(names.length);
  for (const group of bars.group) inGroup[group]++;
  const into = Int32Array.from({ length: bars.size }, (_, bar) => bar);
  if (inGroup.every((count) => count <= 1)) return { into: bars.size > limit ? undefined : into, remaining: bars.size };

  const callers = bars.callers();
  // Edges lead to higher positions.
  const downwards = Int32Array.from(into).sort((a, b) => bars.position[a] - bars.position[b]);
  const chains = longestChains({ group: bars.group, order: downwards }, inGroup, callers, limit, check);
  if (chains === undefined) return { into: undefined, remaining: Math.max(limit, bars.size * USUALLY_LEFT) };
  // Bars that all lie on one path stay as they are.
  const order = mergeOrder(bars, names, (group) => chains[group] < inGroup[group]);
  const alone = bars.size - order.length;
  if (alone > limit) return { into: undefined, remaining: alone + order.length * USUALLY_LEFT };
  if (order.length === 0) return { into, remaining: alone };

  const graph = new Reachability(bars.size, callers, check);
  graph.markAll(order, downwards);
  const placed = Array.from(names, (): number[] => []);
  let remaining = alone;
  for (const [at, bar] of order.entries()) {
    graph.mark(bar);
    const earlier = placed[bars.group[bar]];
    const target = earlier.find((other) => !graph.comparable(bar, other));
    if (target !== undefined) {
      graph.merge(bar, target);
    } else {
      if (++remaining > limit) {
        // Lighter bars are merged more often than heavy ones: between what there are and what there would be if they were not.
        const all = alone + ((remaining - alone) * order.length) / (at + 1);
        return { into: undefined, remaining: Math.sqrt(remaining * all) };
      }
      earlier.push(bar);
    }
  }
  for (const bar of order) into[bar] = graph.find(bar);
  return { into, remaining };
}

/** Bars of groups of which some may be merged, in the order in which they are. */
function mergeOrder(bars: UnmergedBars, names: readonly string[], mayMerge: (group: number) => boolean): Int32Array {
  const several = Int32Array.from({ length: bars.size }, (_, bar) => bar).filter((bar) => mayMerge(bars.group[bar]));
  const weight = bars.inclusive.map(rounded);
  const rank = nameRanks(names);
  return several.sort(
    (a, b) => weight[b] - weight[a] || rank[bars.group[a]] - rank[bars.group[b]] || bars.position[a] - bars.position[b],
  );
}

/** Rank of each name in the order of code units, which no locale changes; equal names are ordered by index. */
export function nameRanks(names: readonly string[]): Int32Array {
  const order = Array.from(names, (_, index) => index);
  order.sort((a, b) => (names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b));
  const rank = new Int32Array(names.length);
  order.forEach((index, at) => (rank[index] = at));
  return rank;
}
