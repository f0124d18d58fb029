/** Chains that end in one group: one name for all, unless the reader would take two bars for one that they are not. */
import { NONE } from "../../model/ids";
import { groupBy } from "../../model/maps";
import { type Bars, buildBars, DEEPER_NAME } from "../bars";
import { sortByKey } from "../columns";
import type { FilteredTree } from "../filter";
import type { Groups } from "../grouping";
import { type ChainGroups, heldBy } from "./chains";

/**
 * Name of each group on screen. A chain has the name of its lowest part. If two bars then share a name and neither reaches the other, rule 3
 * of semantics 2 would make them one bar. The chain's name then also has a group above it: `MPI from solve`.
 *
 * @param groupOfBar {@link NONE} for a bar without a group
 */
export function namesApart(
  bars: Bars,
  groupOfBar: Int32Array,
  groups: ChainGroups,
  shownOf: (key: string) => string,
): string[] {
  const shown = groups.names.map(shownOf);
  const all = [...groupOfBar.keys()].filter((bar) => groupOfBar[bar] !== NONE);
  for (const alike of groupBy(all, (bar) => shown[groupOfBar[bar]]).values()) {
    const ids = new Set(alike.map((bar) => groupOfBar[bar]));
    if (ids.size < 2 || areOnOnePath(bars, alike)) continue;
    const chains = [...ids].filter((group) => groups.partsOf(group).length > 1);
    const long = (group: number) => heldBy(groups, group, true).map(shownOf);
    const last = chains.map((group) => long(group).at(-1));
    const isEnough = new Set(last).size === chains.length;
    for (const [at, group] of chains.entries())
      shown[group] = `${shown[group]} from ${isEnough ? last[at] : long(group).join(", ")}`;
  }
  return shown;
}

/**
 * Bars of contexts whose groups may share a name, as folded chains do. Such groups become one if neither of two of their bars reaches the
 * other.
 *
 * @returns undefined if there are more bars than the limit
 */
export function barsByName(kept: FilteredTree, groups: Groups, ...how: HowToBuild): Bars | undefined {
  let given = groups;
  for (;;) {
    const bars = buildBars(kept, given, ...how);
    const apart = bars && namesOffPath(bars);
    if (!apart || apart.size === 0) return bars;
    const first = new Map<string, number>();
    given.names.forEach((name, id) => apart.has(name) && !first.has(name) && first.set(name, id));
    const idOf = given.names.map((name, id) => first.get(name) ?? id);
    given = { names: given.names, ofContext: given.ofContext.map((id) => idOf[id]) };
  }
}

type HowToBuild = Parameters<typeof buildBars> extends [unknown, unknown, ...infer Rest] ? Rest : never;

/** Names of several bars of which some two do not reach each other. Leaves out the bar below the depth limit, which has no group. */
function namesOffPath(bars: Bars): Set<string> {
  const named = groupBy(bars.id.keys(), (bar) => bars.group[bar]);
  named.delete(DEEPER_NAME);
  return new Set([...named].filter(([, alike]) => !areOnOnePath(bars, alike)).map(([name]) => name));
}

/** Whether one of any two of these bars reaches the other. */
function areOnOnePath({ size, source, target }: Bars, some: readonly number[]): boolean {
  const { start, sorted } = sortByKey(size, source);
  const reached = some.map((bar) => {
    const seen = new Set([bar]);
    for (const next of seen)
      for (let edge = start[next]; edge < start[next + 1]; edge++) seen.add(target[sorted[edge]]);
    return seen;
  });
  return some.every((bar, at) => some.every((other, index) => reached[at].has(other) || reached[index].has(bar)));
}
