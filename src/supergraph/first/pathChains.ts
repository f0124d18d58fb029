/** Chains of groups that each stand on one path: folded without bars, so that a chain may have any length. */
import { NONE } from "../../model/ids";
import { type ChainGroups, hasMost, isPassing } from "./chains";
import { groupTree } from "./groupTree";
import type { PathTree } from "./pathTree";
import type { RunCosts } from "./runCosts";

/**
 * Folds each run of groups that call only the next one, from the top. Each of them has one node in the tree of groups.
 *
 * @param groupOf group of each part
 * @param chains gets a group per chain
 * @returns the group of each part after folding
 */
export function foldedPaths(paths: PathTree, groupOf: Int32Array, chains: ChainGroups, costs: RunCosts): Int32Array {
  const { tree } = groupTree(paths, groupOf, costs);
  const { size, parent, group } = tree;
  const own = costs.zeros(size);
  const inclusive = costs.zeros(size);
  const children = new Int32Array(size);
  const nodes = new Int32Array(chains.names.length);
  for (let node = size - 1; node >= 0; node--) {
    costs.add(own, node, tree.exclusive, node);
    costs.add(own, node, tree.hidden, node);
    costs.add(inclusive, node, own, node);
    nodes[group[node]]++;
    if (parent[node] === NONE) continue;
    costs.add(inclusive, parent[node], inclusive, node);
    children[parent[node]]++;
  }
  /** First node of the chain that each node is part of. */
  const top = new Int32Array(size);
  const chainOf = group.slice();
  for (let node = 0; node < size; node++) {
    top[node] = node;
    const above = parent[node];
    if (above === NONE || children[above] > 1 || nodes[group[above]] > 1 || nodes[group[node]] > 1) continue;
    const first = top[above];
    // The flow is the node's inclusive cost.
    if (!hasMost(costs.at(inclusive, node), costs.at(inclusive, first)) || !isPassing(costs.at(own, first), costs))
      continue;
    top[node] = first;
    chainOf[first] = chains.pair(chainOf[first], group[node]);
    costs.add(own, first, own, node);
  }
  const folded = Int32Array.from(chains.names.keys());
  for (let node = 0; node < size; node++) folded[group[node]] = chainOf[top[node]];
  return groupOf.map((known) => (known === NONE ? NONE : folded[known]));
}
