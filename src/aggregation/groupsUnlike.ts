/** Groups of leaves that are unlike the others, in a stretch of slices (semantics 16). */
import type { Task } from "../model/task";
import { EQUAL } from "./better";
import type { MicroscopicModel, NodeOrder } from "./microscopicModel";
import { apartness, inTwo } from "./twoSides";

export interface GroupsUnlike {
  /** Nodes at one depth: those that differ, and all that they differ from. */
  readonly groups: readonly number[];
  readonly others: readonly number[];
  /** First and last slice. */
  readonly start: number;
  readonly end: number;
  /** In which they differ most over that stretch, and what both have of it there. */
  readonly state: number;
  readonly share: number;
  readonly otherShare: number;
  /** Silhouette times difference of shares, of the slice where they are apart most. */
  readonly strength: number;
}

/** Two sides of at least two. */
const LEAST_GROUPS = 4;

/** What tells groups apart in one slice. */
interface Apart {
  /** Places among the groups of a level, ascending. */
  readonly groups: readonly number[];
  readonly strength: number;
}

/**
 * Of each level of groups the stretches of slices in which the same ones differ: they are cut in two by what they have of the state in
 * which they are apart most. The smaller side is named; of equal sides the one that has more of it.
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
    for (let slice = 0; slice < model.slices;) {
      const { groups, strength: first } = apartIn(shares, slice) ?? { groups: [], strength: 0 };
      let [end, strength] = [slice, first];
      for (let next = slice + 1; groups.length > 0 && next < model.slices; next++) {
        const more = apartIn(shares, next);
        if (!more || !isSame(more.groups, groups)) break;
        [end, strength] = [next, Math.max(strength, more.strength)];
      }
      if (groups.length > 0) found.push({ ...overStretch(shares, level, groups, slice, end), strength });
      slice = end + 1;
    }
  }
  return found.sort((a, b) => b.strength - a.strength);
}

/** Groups by their depth below the root, outermost first, where there are enough of them to differ. */
function levelsOf({ leaves }: MicroscopicModel, { order, children }: NodeOrder): number[][] {
  const levels: number[][] = [];
  for (let level = [order[order.length - 1]]; level.length > 0;) {
    level = level.flatMap((node) => children[node].filter((child) => child >= leaves)).sort((a, b) => a - b);
    if (level.length >= LEAST_GROUPS) levels.push(level);
  }
  return levels;
}

/** Mean shares of groups: state · slices + slice, of each group. */
interface Shares {
  readonly states: number;
  readonly slices: number;
  readonly rows: readonly Float64Array[];
}

function sharesOf(
  { leaves, states, slices, values, parents }: MicroscopicModel,
  { sizes }: NodeOrder,
  level: readonly number[],
  whole: number,
): Shares {
  const placeOf = new Map(level.map((node, place) => [node, place]));
  const rows = Array.from({ length: states * slices }, () => new Float64Array(level.length));
  for (let leaf = 0; leaf < leaves; leaf++) {
    let node = leaf;
    while (node >= 0 && !placeOf.has(node)) node = parents[node];
    const place = placeOf.get(node);
    if (place === undefined) continue;
    const all = sizes[node] * whole;
    for (let row = 0; row < rows.length; row++) rows[row][place] += values[leaf * rows.length + row] / all;
  }
  return { states, slices, rows };
}

/** By the state in which groups are apart most in a slice; of equal ones the first. */
function apartIn({ states, slices, rows }: Shares, slice: number): Apart | undefined {
  let best: Apart | undefined;
  for (let state = 0; state < states; state++) {
    const row = rows[state * slices + slice];
    const ascending = Array.from(row.keys()).sort((a, b) => row[a] - row[b]);
    const sides = inTwo(Float64Array.from(ascending, (place) => row[place]));
    const strength = apartness(sides);
    if (!(strength > (best?.strength ?? 0) * (1 + EQUAL))) continue;
    const [low, high] = [ascending.slice(0, sides.low), ascending.slice(sides.low)];
    best = { groups: (low.length < high.length ? low : high).sort((a, b) => a - b), strength };
  }
  return best;
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((place, at) => place === other[at]);
}

/** What the same groups have of the state in which they differ most over the whole stretch. */
function overStretch(
  { states, slices, rows }: Shares,
  level: readonly number[],
  places: readonly number[],
  start: number,
  end: number,
) {
  const own = new Set(places);
  let [state, share, otherShare] = [0, 0, 0];
  for (let one = 0; one < states; one++) {
    const sums = [0, 0];
    for (let slice = start; slice <= end; slice++)
      rows[one * slices + slice].forEach((value, place) => (sums[own.has(place) ? 0 : 1] += value));
    const length = end + 1 - start;
    const [here, there] = [sums[0] / (places.length * length), sums[1] / ((level.length - places.length) * length)];
    if (Math.abs(here - there) > Math.abs(share - otherShare) * (1 + EQUAL))
      [state, share, otherShare] = [one, here, there];
  }
  return {
    ...{ groups: places.map((place) => level[place]), others: level.filter((_, place) => !own.has(place)) },
    ...{ start, end, state, share, otherShare },
  };
}
