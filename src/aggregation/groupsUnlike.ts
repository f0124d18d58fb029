/** Groups of leaves that are unlike the others, in a stretch of slices (semantics 16). */
import type { Task } from "../model/task";
import { isEqual } from "./better";
import type { MicroscopicModel, NodeOrder } from "./microscopicModel";
import { separation, cutInTwo } from "./twoSides";

export interface GroupsUnlike {
  /** Nodes at one depth: those that differ, and all that they differ from. */
  readonly groups: readonly number[];
  readonly others: readonly number[];
  /** First and last slice. */
  readonly start: number;
  readonly end: number;
  /** State in which the two sides differ most from first to last slice, and the share that each side has of it there. */
  readonly state: number;
  readonly share: number;
  readonly otherShare: number;
  /** Silhouette times difference of shares, of the slice where they are apart most. */
  readonly strength: number;
}

/** Two groups on each side. */
const MIN_GROUPS = 4;
/** Deeper levels are not searched. */
const MAX_LEVELS = 8;

/** The state that parts groups best in one slice. */
interface Apart {
  /** Places among the groups of a level, ascending. */
  readonly groups: readonly number[];
  readonly state: number;
  /** Whether these have more of the state than the others. */
  readonly hasMore: boolean;
  readonly strength: number;
}

/**
 * Finds, per level of groups, consecutive slices in which the same groups differ. In each slice the groups are cut in two by their shares of
 * the state that separates them most. The smaller side is named; if both are equally large, the side with the larger share. If two states
 * separate the groups equally, the state counts of which the named side has the larger share, then the rarer state.
 *
 * @param whole what a share is of: the seconds of a slice
 * @returns strongest first; of equal ones the outer level, then the earlier stretch
 * @throws CancelledError
 */
export function groupsUnlike(model: MicroscopicModel, nodes: NodeOrder, whole: number, task?: Task): GroupsUnlike[] {
  const found: GroupsUnlike[] = [];
  for (const level of levelsOf(model, nodes)) {
    task?.check();
    const shares = sharesOf(model, nodes, level, whole);
    for (let slice = 0; slice < model.slices; slice++) {
      const first = apartIn(shares, slice);
      if (!first) continue;
      const start = slice;
      let { strength } = first;
      for (let next = apartIn(shares, slice + 1); next && goesOn(next, first); next = apartIn(shares, slice + 1)) {
        slice++;
        strength = Math.max(strength, next.strength);
      }
      found.push({ ...overStretch(shares, level, first.groups, start, slice), strength });
    }
  }
  return found.sort((a, b) => b.strength - a.strength);
}

/** Groups by their depth below the root, outermost first, where there are enough of them to differ. */
function levelsOf({ leaves }: MicroscopicModel, { order, children }: NodeOrder): number[][] {
  const levels: number[][] = [];
  for (let level = [order[order.length - 1]]; level.length > 0 && levels.length < MAX_LEVELS;) {
    level = level.flatMap((node) => children[node].filter((child) => child >= leaves)).sort((a, b) => a - b);
    if (level.length >= MIN_GROUPS) levels.push(level);
  }
  return levels;
}

/** Mean shares of groups: state · slices + slice, of each group. */
interface Shares {
  /** Sum per state. */
  readonly totals: readonly number[];
  readonly states: number;
  readonly slices: number;
  readonly rows: readonly Float64Array[];
}

function sharesOf(
  { leaves, states, slices, values, parents }: MicroscopicModel,
  nodes: NodeOrder,
  level: readonly number[],
  whole: number,
): Shares {
  const places = placesOf(nodes, parents, level);
  const rows = Array.from({ length: states * slices }, () => new Float64Array(level.length));
  for (let leaf = 0; leaf < leaves; leaf++) {
    const place = places[leaf];
    if (place < 0) continue;
    const all = nodes.sizes[level[place]] * whole;
    for (let row = 0; row < rows.length; row++) rows[row][place] += values[leaf * rows.length + row] / all;
  }
  const totals = Array.from({ length: states }, (_, state) =>
    rows.slice(state * slices, (state + 1) * slices).reduce((sum, row) => row.reduce((all, one) => all + one, sum), 0),
  );
  return { totals, states, slices, rows };
}

/** Place of the group that a node is or belongs to, per node; -1 if it belongs to no group. */
function placesOf({ order }: NodeOrder, parents: Int32Array, level: readonly number[]): Int32Array {
  const places = new Int32Array(parents.length).fill(-1);
  level.forEach((node, place) => (places[node] = place));
  for (let at = order.length - 1; at >= 0; at--) {
    const parent = parents[order[at]];
    if (parent >= 0 && places[parent] >= 0) places[order[at]] = places[parent];
  }
  return places;
}

/** Undefined where no state parts groups, and behind the last slice. */
function apartIn({ totals, states, slices, rows }: Shares, slice: number): Apart | undefined {
  let best: Apart | undefined;
  if (slice >= slices) return best;
  for (let state = 0; state < states; state++) {
    const row = rows[state * slices + slice];
    const ascending = Array.from(row.keys()).sort((a, b) => row[a] - row[b]);
    const sides = cutInTwo(Float64Array.from(ascending, (place) => row[place]));
    const strength = separation(sides);
    if (strength === 0) continue;
    const hasMore = 2 * sides.low >= ascending.length;
    if (best && !isRather({ strength, hasMore, total: totals[state] }, { ...best, total: totals[best.state] }))
      continue;
    const groups = hasMore ? ascending.slice(sides.low) : ascending.slice(0, sides.low);
    best = { groups: groups.sort((a, b) => a - b), state, hasMore, strength };
  }
  return best;
}

interface Weighed {
  readonly strength: number;
  readonly hasMore: boolean;
  readonly total: number;
}

function isRather(one: Weighed, other: Weighed): boolean {
  if (!isEqual(one.strength, other.strength)) return one.strength > other.strength;
  if (one.hasMore !== other.hasMore) return one.hasMore;
  return !isEqual(one.total, other.total) && one.total < other.total;
}

/** Whether the same groups differ, and not the other way round. */
function goesOn(one: Apart, { groups, state, hasMore }: Apart): boolean {
  if (one.state === state && one.hasMore !== hasMore) return false;
  return one.groups.length === groups.length && groups.every((place, at) => place === one.groups[at]);
}

/** Shares of the state in which the two sides differ most over all slices of a finding. */
function overStretch(
  { totals, states, slices, rows }: Shares,
  level: readonly number[],
  places: readonly number[],
  start: number,
  end: number,
) {
  const own = new Set(places);
  const weighed = (
    state: number,
    here: number,
    there: number,
  ): Weighed & { state: number; here: number; there: number } => ({
    state,
    here,
    there,
    total: totals[state],
    strength: Math.abs(here - there),
    hasMore: here > there,
  });
  let best = weighed(0, 0, 0);
  for (let state = 0; state < states; state++) {
    const sums = [0, 0];
    for (let slice = start; slice <= end; slice++)
      rows[state * slices + slice].forEach((value, place) => (sums[own.has(place) ? 0 : 1] += value));
    const length = end + 1 - start;
    const here = sums[0] / (places.length * length);
    const one = weighed(state, here, sums[1] / ((level.length - places.length) * length));
    if (isRather(one, best)) best = one;
  }
  return {
    groups: places.map((place) => level[place]),
    others: level.filter((_, place) => !own.has(place)),
    start,
    end,
    state: best.state,
    share: best.here,
    otherShare: best.there,
  };
}
