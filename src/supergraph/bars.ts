import { NONE } from "../model/ids";
import type { FilterBasis, FilteredTree, Weigh } from "./filter";
import type { Groups } from "./grouping";
import { mergeBars, type Merging, nameRanks, rounded, USUALLY_LEFT } from "./merging";
import { type Lists, PairIndex, PairSet, picked, pickedOrNone, sortByKey } from "./columns";
import { DEEPER, type Visits, visitsOf } from "./visits";

/** Group of the one bar that takes the subtrees of all ninth visits. */
export const DEEPER_NAME = "deeper";

/** The supernodes of a graph ("bars"), by level, heaviest first, then by name; and what every number is summed over. */
export interface Bars {
  readonly size: number;
  /** `group`, or `group#2` for a further bar of the group. */
  readonly id: readonly string[];
  readonly group: readonly string[];
  /** Number of the bar among those of its group, from 1, by level. */
  readonly visit: Int32Array;
  /** Longest path from a root. */
  readonly level: Int32Array;
  /** Number of contexts. */
  readonly contexts: Int32Array;
  /** Bar of each kept context. */
  readonly ofContext: Int32Array;
  /** Kept contexts whose parent lies in another bar, or that have none; ascending. */
  readonly entries: Int32Array;
  /** For each kept context the entry of its bar that it lies below (an entry: itself). */
  readonly entryOf: Int32Array;
  /** Bars that each edge leads from and to; by source, then target. */
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** Edge that leads into each of {@link entries}; NONE for roots. */
  readonly edgeOf: Int32Array;
}

/** Bars that are merged, and not yet numbered. */
export interface MergedBars {
  /** Numbers them, which who only wants to know whether they are too many leaves undone; undefined: they are. */
  readonly numbered: (() => Bars) | undefined;
  /** How many there are, a guess where they are too many; undefined: few enough, and not merged before they are numbered. */
  readonly remaining: number | undefined;
  /** Bars before merging. */
  readonly first: FirstBars;
}

/** The bars of grouped contexts; see {@link mergedBars}. @returns undefined where there would be more than the limit */
export function buildBars(...of: Parameters<typeof mergedBars>): Bars | undefined {
  return mergedBars(...of).numbered?.();
}

/**
 * Merges the bars of grouped contexts (semantics 2.3). The result has no cycle, and does not depend on the order of the
 * input but through the canonical order of the tree.
 *
 * @param weigh what bars weigh
 * @param limit largest number of bars
 */
export function mergedBars(
  kept: FilteredTree,
  groups: Groups,
  weigh: Weigh,
  limit: number,
  check: () => void,
): MergedBars {
  const visits = visitsOf(kept, groups, check);
  const first = unmergedBars(kept, groups, visits);
  check();
  // The visits of one path lie below each other and are never merged: so many bars remain at least.
  const least = visits.most.reduce((sum, most) => sum + most, visits.deeper ? 1 : 0);
  if (least > limit) return { numbered: undefined, remaining: Math.max(least, first.size * USUALLY_LEFT), first };

  const names = visits.deeper ? [...groups.names, DEEPER_NAME] : groups.names;
  const weight = weigh(picked(kept.original, first.entries), picked(first.ofContext, first.entries), first.size);
  const merged = () =>
    mergeBars({ ...first, inclusive: weight, callers: () => distinctCallers(kept, first) }, names, limit, check);
  const numbered = ({ into }: Merging): Bars => {
    if (into === undefined) throw new Error(`merging made more bars of ${first.size}`);
    check();
    return numberBars(kept, first, into, weigh, names);
  };
  // Merging takes bars away only: whether they are too many is known without it where they are few before.
  if (first.size <= limit) return { numbered: () => numbered(merged()), remaining: undefined, first };
  const merging = merged();
  return { numbered: merging.into && (() => numbered(merging)), remaining: merging.remaining, first };
}

/** As a basis says, or by their inclusive: of each context of the whole tree, summed over all ranks and threads. */
export function weighOf({ inclusive, weigh }: Pick<FilterBasis, "inclusive" | "weigh">): Weigh {
  if (weigh) return weigh;
  return (entries, bar, size) => {
    const weight = new Float64Array(size);
    for (let at = 0; at < entries.length; at++) weight[bar[at]] += inclusive[entries[at]];
    return weight;
  };
}

/** Bars before merging. */
export interface FirstBars {
  readonly size: number;
  readonly group: Int32Array;
  readonly position: Int32Array;
  readonly ofContext: Int32Array;
  /** Contexts whose parent lies in another bar, or that have none. */
  readonly entries: Int32Array;
}

/** One bar a (group, position); the bar `deeper` is a group of its own, behind all others. */
function unmergedBars(kept: FilteredTree, groups: Groups, { position, entries, deepest }: Visits): FirstBars {
  const group: number[] = [];
  const positions: number[] = [];
  const ofContext = new Int32Array(kept.size);
  const barAt = new PairIndex(groups.names.length + 1, deepest + 1);
  let next = 0;
  for (let context = 0; context < kept.size; context++) {
    if (entries[next] !== context) {
      ofContext[context] = ofContext[kept.parent[context]];
      continue;
    }
    next++;
    const deeper = position[context] === DEEPER;
    const own = deeper ? groups.names.length : groups.ofContext[context];
    const at = deeper ? 0 : position[context];
    let bar = barAt.get(own, at);
    if (bar === NONE) {
      bar = group.push(own) - 1;
      // Paths end in it, and begin at any position.
      positions.push(deeper ? deepest + 1 : at);
      barAt.set(own, at, bar);
    }
    ofContext[context] = bar;
  }
  return {
    size: group.length,
    group: Int32Array.from(group),
    position: Int32Array.from(positions),
    ofContext,
    entries,
  };
}

/** For each bar the bars that its entries are called from, each once. */
function distinctCallers(kept: FilteredTree, { size, entries, ofContext }: FirstBars): Lists {
  const known = new PairSet(size, size);
  const from: number[] = [];
  const to: number[] = [];
  for (let at = 0; at < entries.length; at++) {
    const parent = kept.parent[entries[at]];
    if (parent === NONE) continue;
    const bar = ofContext[entries[at]];
    if (known.add(bar, ofContext[parent])) from[to.push(bar) - 1] = ofContext[parent];
  }
  const { start, sorted } = sortByKey(size, Int32Array.from(to));
  return { start, items: sorted.map((at) => from[at]) };
}

/** Levels, edges and the canonical order of the merged bars. */
function numberBars(
  kept: FilteredTree,
  first: FirstBars,
  into: Int32Array,
  weigh: Weigh,
  names: readonly string[],
): Bars {
  // Merged bars are numbered as they come, then sorted.
  const merged = new Int32Array(first.size).fill(NONE);
  const representative: number[] = [];
  for (let bar = 0; bar < first.size; bar++) if (into[bar] === bar) merged[bar] = representative.push(bar) - 1;
  for (let bar = 0; bar < first.size; bar++) merged[bar] = merged[into[bar]];
  const size = representative.length;
  const barOfEntry = picked(merged, picked(first.ofContext, first.entries));
  const weight = weigh(picked(kept.original, first.entries), barOfEntry, size);

  const links = edgesOf(kept, first, merged, size);
  const level = longestPaths(size, links.source, links.target);
  const group = Int32Array.from(representative, (bar) => first.group[bar]);
  const nameRank = nameRanks(names);
  const compared = weight.map(rounded);
  const order = Int32Array.from({ length: size }, (_, bar) => bar).sort(
    (a, b) => level[a] - level[b] || compared[b] - compared[a] || nameRank[group[a]] - nameRank[group[b]],
  );
  const rank = new Int32Array(size);
  order.forEach((bar, at) => (rank[bar] = at));

  const final = merged.map((bar) => rank[bar]);
  const ofContext = new Int32Array(kept.size);
  const contexts = new Int32Array(size);
  for (let context = 0; context < kept.size; context++) {
    const bar = final[first.ofContext[context]];
    ofContext[context] = bar;
    contexts[bar]++;
  }
  const groupNames = Array.from(order, (bar) => names[group[bar]]);
  const { id, visit } = numberVisits(groupNames);
  return {
    size,
    id,
    group: groupNames,
    visit,
    level: order.map((bar) => level[bar]),
    contexts,
    ofContext,
    entries: first.entries,
    entryOf: entriesOf(kept, first.entries),
    ...sortEdges(links, rank),
  };
}

interface Links {
  readonly source: Int32Array;
  readonly target: Int32Array;
  readonly edgeOf: Int32Array;
}

function edgesOf(kept: FilteredTree, { entries, ofContext }: FirstBars, merged: Int32Array, size: number): Links {
  const barOf = new Int32Array(entries.length);
  for (let at = 0; at < entries.length; at++) barOf[at] = merged[ofContext[entries[at]]];
  const { start, sorted } = sortByKey(size, barOf);
  const edgeOf = new Int32Array(entries.length).fill(NONE);
  const source: number[] = [];
  const target: number[] = [];
  const edgeFrom = new Int32Array(size).fill(NONE);
  for (let bar = 0; bar < size; bar++) {
    const firstEdge = source.length;
    for (let at = start[bar]; at < start[bar + 1]; at++) {
      const entry = entries[sorted[at]];
      if (kept.parent[entry] === NONE) continue;
      const from = merged[ofContext[kept.parent[entry]]];
      // An edge number below `firstEdge` is that of another target.
      if (edgeFrom[from] < firstEdge) {
        edgeFrom[from] = source.push(from) - 1;
        target.push(bar);
      }
      edgeOf[sorted[at]] = edgeFrom[from];
    }
  }
  return { source: Int32Array.from(source), target: Int32Array.from(target), edgeOf };
}

function sortEdges({ source, target, edgeOf }: Links, rank: Int32Array): Links {
  const size = rank.length;
  const byTarget = sortByKey(
    size,
    target.map((bar) => rank[bar]),
  ).sorted;
  const bySource = sortByKey(
    size,
    byTarget.map((edge) => rank[source[edge]]),
  ).sorted;
  const order = bySource.map((at) => byTarget[at]);
  const place = new Int32Array(order.length);
  order.forEach((edge, at) => (place[edge] = at));
  return {
    source: order.map((edge) => rank[source[edge]]),
    target: order.map((edge) => rank[target[edge]]),
    edgeOf: pickedOrNone(place, edgeOf),
  };
}

/** Longest path to each node from one without predecessors. */
export function longestPaths(size: number, source: Int32Array, target: Int32Array): Int32Array {
  const { start, sorted } = sortByKey(size, source);
  const level = new Int32Array(size);
  const waiting = new Int32Array(size);
  for (const node of target) waiting[node]++;
  const queue = Int32Array.from({ length: size }, (_, node) => node).filter((node) => waiting[node] === 0);
  const ready = new Int32Array(size);
  ready.set(queue);
  let count = queue.length;
  for (let at = 0; at < count; at++) {
    const node = ready[at];
    for (let edge = start[node]; edge < start[node + 1]; edge++) {
      const below = target[sorted[edge]];
      if (level[node] + 1 > level[below]) level[below] = level[node] + 1;
      if (--waiting[below] === 0) ready[count++] = below;
    }
  }
  if (count < size) throw new Error(`the merged graph has a cycle through ${size - count} bars`);
  return level;
}

function entriesOf(kept: FilteredTree, entries: Int32Array): Int32Array {
  const entryOf = new Int32Array(kept.size).fill(NONE);
  for (const entry of entries) entryOf[entry] = entry;
  for (let context = 0; context < kept.size; context++)
    if (entryOf[context] === NONE) entryOf[context] = entryOf[kept.parent[context]];
  return entryOf;
}

/** The same bars, with other names of their groups. @param group name of each bar's */
export function renamed(bars: Bars, group: readonly string[]): Bars {
  return { ...bars, group, ...numberVisits(group) };
}

/** Numbers the bars of each name in the order given, which is by level. Ids are distinct whatever the names are. */
function numberVisits(names: readonly string[]): { id: string[]; visit: Int32Array } {
  const count = new Map<string, number>();
  const taken = new Set<string>();
  const visit = new Int32Array(names.length);
  const id = names.map((name, bar) => {
    const number = (count.get(name) ?? 0) + 1;
    count.set(name, number);
    visit[bar] = number;
    const first = number === 1 ? name : `${name}#${number}`;
    let text = first;
    // A function may be named `f#2` and stand beside the second bar of `f`.
    for (let further = 1; taken.has(text); further++) text = `${first}#${further}`;
    taken.add(text);
    return text;
  });
  return { id, visit };
}
