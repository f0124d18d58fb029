import type { Lists } from "./columns";

/** Bars before merging, as far as chains need to know them. */
export interface GroupedBars {
  readonly group: Int32Array;
  /** All bars, callers before those that they call. */
  readonly order: Int32Array;
}

/** Groups that are looked at together, four a word: so that the rows of thousands of bars stay in the cache. */
const TOGETHER = 64;
const WORDS = TOGETHER / 4;
/** Lengths that are told apart at first; who has longer chains is looked at alone. */
const COUNTED = 8;

/**
 * For each group the most of its bars that lie on one path of the graph: so many are never merged, since merging takes no
 * path away. A few passes over the edges tell that, long before it is known which bar reaches which.
 *
 * @param inGroup number of bars of each group
 * @param callers for each bar the bars that lead to it
 * @param limit largest sum over all groups that is of interest
 * @returns by group; undefined where their sum is above `limit`
 */
export function longestChains(
  bars: GroupedBars,
  inGroup: Int32Array,
  callers: Lists,
  limit: number,
  check: () => void,
): Int32Array | undefined {
  const chains = inGroup.map((count) => Math.min(count, 1));
  let sum = chains.reduce((all, one) => all + one, 0);
  // The largest first: they are the first to show that there are too many.
  const several = [...inGroup.keys()].filter((id) => inGroup[id] > 1).sort((a, b) => inGroup[b] - inGroup[a]);
  for (let from = 0; from < several.length; from += TOGETHER) {
    check();
    const some = several.slice(from, from + TOGETHER);
    countChains(bars, some, callers, chains);
    for (const id of some) {
      if (chains[id] === COUNTED && inGroup[id] > COUNTED) chains[id] = longestChain(bars, id, callers);
      sum += chains[id] - 1;
    }
    if (sum > limit) return undefined;
  }
  return chains;
}

/**
 * The lengths of the chains of several groups, up to {@link COUNTED}. What was met on the way to a bar is as many low bits of
 * a byte a group, so that the longest of two ways is the `or` of both, for four groups at once.
 */
function countChains({ group, order }: GroupedBars, ids: readonly number[], callers: Lists, chains: Int32Array): void {
  const { start, items } = callers;
  const onPath = new Uint32Array(order.length * WORDS);
  const words = (ids.length + 3) >>> 2;
  const place = new Int32Array(chains.length).fill(NOT_AMONG);
  ids.forEach((id, at) => (place[id] = at));
  for (let at = 0; at < order.length; at++) {
    const bar = order[at];
    const row = bar * WORDS;
    for (let index = start[bar]; index < start[bar + 1]; index++) {
      const above = items[index] * WORDS;
      for (let word = 0; word < words; word++) onPath[row + word] |= onPath[above + word];
    }
    const own = place[group[bar]];
    if (own === NOT_AMONG) continue;
    const shift = 8 * (own & 3);
    const met = (((onPath[row + (own >>> 2)] >>> shift) << 1) & 0xff) | 1;
    onPath[row + (own >>> 2)] |= met << shift;
    chains[group[bar]] = Math.max(chains[group[bar]], 32 - Math.clz32(met));
  }
}

const NOT_AMONG = -1;

function longestChain({ group, order }: GroupedBars, id: number, { start, items }: Lists): number {
  const onPath = new Int32Array(order.length);
  let longest = 0;
  for (let at = 0; at < order.length; at++) {
    const bar = order[at];
    let most = 0;
    for (let index = start[bar]; index < start[bar + 1]; index++) most = Math.max(most, onPath[items[index]]);
    if (group[bar] === id) longest = Math.max(longest, ++most);
    onPath[bar] = most;
  }
  return longest;
}
