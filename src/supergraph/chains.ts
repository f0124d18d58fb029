/** Bars before merging, as far as chains need to know them. */
export interface GroupedBars {
  readonly group: Int32Array;
  /** All bars, callers before those that they call. */
  readonly order: Int32Array;
}

/**
 * For each group the most of its bars that lie on one path of the graph: so many are never merged, since merging takes no
 * path away. One pass over the edges a group tells that, long before it is known which bar reaches which.
 *
 * @param inGroup number of bars of each group
 * @param callers for each bar the bars that lead to it
 * @param limit largest sum over all groups that is of interest
 * @returns by group; undefined where their sum is above `limit`
 */
export function longestChains(
  { group, order }: GroupedBars,
  inGroup: Int32Array,
  callers: readonly Int32Array[],
  limit: number,
  check: () => void,
): Int32Array | undefined {
  const chains = inGroup.map((count) => Math.min(count, 1));
  let sum = chains.reduce((all, one) => all + one, 0);
  const first = new Int32Array(inGroup.length).fill(order.length);
  order.forEach((bar, at) => (first[group[bar]] = Math.min(first[group[bar]], at)));
  // The largest first: they are the first to show that there are too many.
  const several = [...inGroup.keys()].filter((id) => inGroup[id] > 1).sort((a, b) => inGroup[b] - inGroup[a]);
  const onPath = new Int32Array(order.length);
  for (const id of several) {
    check();
    onPath.fill(0);
    for (let at = first[id]; at < order.length; at++) {
      const bar = order[at];
      const above = callers[bar];
      let most = 0;
      for (let index = 0; index < above.length; index++) if (onPath[above[index]] > most) most = onPath[above[index]];
      if (group[bar] === id) chains[id] = Math.max(chains[id], ++most);
      onPath[bar] = most;
    }
    sum += chains[id] - 1;
    if (sum > limit) return undefined;
  }
  return chains;
}
