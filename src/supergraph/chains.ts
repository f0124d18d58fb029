import type { Lists } from "./columns";

/** Bars before merging, as far as chains need to know them. */
export interface GroupedBars {
  readonly group: Int32Array;
  /** All bars, callers before those that they call. */
  readonly order: Int32Array;
}

/** Words of a bar's row: so that the rows of thousands of bars stay in the cache. */
const WORDS = 16;
/** Bits a group. Chains with more bars than that are looked at alone. */
const WIDTHS = [16, 8] as const;
type Width = (typeof WIDTHS)[number];

/**
 * For each group the most of its bars that lie on one path of the graph: so many are never merged, since merging takes no
 * path away. A few passes over the edges find that, long before it is known which bar reaches which.
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
  for (const width of WIDTHS) {
    const own = several.filter((id) => (inGroup[id] > 8 ? width === 16 : width === 8));
    const together = (WORDS * 32) / width;
    for (let from = 0; from < own.length; from += together) {
      check();
      const some = own.slice(from, from + together);
      countChains(bars, some, width, callers, chains);
      for (const id of some) {
        if (chains[id] === width && inGroup[id] > width) chains[id] = longestChain(bars, id, callers);
        sum += chains[id] - 1;
      }
      if (sum > limit) return undefined;
    }
  }
  return chains;
}

/**
 * The lengths of the chains of several groups, up to the width. What was met on the way to a bar is as many low bits of a
 * group's field, so that the longest of two ways is the `or` of both, for all groups of a word at once.
 */
function countChains(
  { group, order }: GroupedBars,
  ids: readonly number[],
  width: Width,
  { start, items }: Lists,
  chains: Int32Array,
): void {
  const onPath = new Uint32Array(order.length * WORDS);
  const perWord = 32 / width;
  const words = Math.ceil(ids.length / perWord);
  const field = 2 ** width - 1;
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
    const word = row + Math.floor(own / perWord);
    const shift = width * (own % perWord);
    const met = (((onPath[word] >>> shift) << 1) | 1) & field;
    onPath[word] |= met << shift;
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
