/** Tree with one node per path of groups. Small enough to build bars from it again each time a chain is folded. */
import { NONE } from "../../model/ids";
import { type Bars, buildBars } from "../bars";
import { upTo } from "../columns";
import type { FilteredTree } from "../filter";
import { Nodes, type PathTree } from "./pathTree";
import type { RunCosts } from "./runCosts";

export interface GroupTree {
  readonly size: number;
  /** Preorder. */
  readonly parent: Int32Array;
  readonly end: Int32Array;
  readonly group: Int32Array;
  /** Costs in all runs. */
  readonly exclusive: Float64Array;
  readonly hidden: Float64Array;
}

/** @returns the tree, and its node for each node of the path tree */
export function groupTree(
  paths: PathTree,
  groupOfPart: Int32Array,
  costs: RunCosts,
): { readonly tree: GroupTree; readonly nodeOf: Int32Array } {
  const nodes = new Nodes(groupOfPart.length);
  const made = new Int32Array(paths.size);
  for (let node = 0; node < paths.size; node++) {
    const above = paths.parent[node];
    made[node] = nodes.below(above === NONE ? NONE : made[above], groupOfPart[paths.part[node]]);
  }
  const { size, parent, part } = nodes.columns();
  const { place, end } = preorder(parent);
  const tree = {
    size,
    parent: new Int32Array(size),
    end,
    group: new Int32Array(size),
    exclusive: costs.zeros(size),
    hidden: costs.zeros(size),
  };
  for (let node = 0; node < size; node++) {
    tree.parent[place[node]] = parent[node] === NONE ? NONE : place[parent[node]];
    tree.group[place[node]] = part[node];
  }
  for (let node = 0; node < paths.size; node++) {
    made[node] = place[made[node]];
    costs.add(tree.exclusive, made[node], paths.exclusive, node);
    costs.add(tree.hidden, made[node], paths.hidden, node);
  }
  return { tree, nodeOf: made };
}

/** The place of each node in preorder, and the end of the subtree at each place. @param parent of each node; parents come before children */
function preorder(parent: Int32Array): { place: Int32Array; end: Int32Array } {
  const size = parent.length;
  const below = new Int32Array(size).fill(1);
  for (let node = size - 1; node >= 0; node--) if (parent[node] !== NONE) below[parent[node]] += below[node];
  const place = new Int32Array(size);
  const end = new Int32Array(size);
  const next = new Int32Array(size);
  let nextRoot = 0;
  for (let node = 0; node < size; node++) {
    const above = parent[node];
    place[node] = above === NONE ? nextRoot : next[above];
    if (above === NONE) nextRoot += below[node];
    else next[above] += below[node];
    next[node] = place[node] + 1;
    end[place[node]] = place[node] + below[node];
  }
  return { place, end };
}

/** Bars of a grouped tree, with their costs in all runs. */
export interface CostedBars {
  readonly bars: Bars;
  /** Group of each bar. `deeper` for the bar below the depth limit. */
  readonly group: Int32Array;
  readonly inclusive: Float64Array;
  /** Exclusive and hidden costs together. */
  readonly own: Float64Array;
  /** Cost of each edge. */
  readonly flow: Float64Array;
}

/**
 * @param names of the groups
 * @param deeper group of the bar below the depth limit
 * @returns undefined if there would be more bars than the limit
 */
export function costedBars(
  tree: GroupTree,
  names: readonly string[],
  deeper: number,
  limit: number,
  costs: RunCosts,
  check: () => void,
): CostedBars | undefined {
  const inclusive = costs.zeros(tree.size);
  for (let node = tree.size - 1; node >= 0; node--) {
    costs.add(inclusive, node, tree.exclusive, node);
    costs.add(inclusive, node, tree.hidden, node);
    if (tree.parent[node] !== NONE) costs.add(inclusive, tree.parent[node], inclusive, node);
  }
  const sumsAt = (entries: Int32Array, bar: Int32Array, size: number) => {
    const sums = costs.zeros(size);
    for (let at = 0; at < entries.length; at++) costs.add(sums, bar[at], inclusive, entries[at]);
    return sums;
  };
  const weigh = (entries: Int32Array, bar: Int32Array, size: number) => {
    const sums = sumsAt(entries, bar, size);
    return Float64Array.from({ length: size }, (_, at) => costs.weightAt(sums, at));
  };
  const bars = buildBars(asFiltered(tree), { names, ofContext: tree.group }, weigh, limit, check);
  if (bars === undefined) return undefined;
  const own = costs.zeros(bars.size);
  const group = new Int32Array(bars.size).fill(NONE);
  for (let node = 0; node < tree.size; node++) {
    const bar = bars.ofContext[node];
    costs.add(own, bar, tree.exclusive, node);
    costs.add(own, bar, tree.hidden, node);
    if (group[bar] === NONE) group[bar] = names[tree.group[node]] === bars.group[bar] ? tree.group[node] : deeper;
  }
  const flow = costs.zeros(bars.source.length);
  const barOfEntry = bars.entries.map((entry) => bars.ofContext[entry]);
  bars.edgeOf.forEach((edge, at) => edge !== NONE && costs.add(flow, edge, inclusive, bars.entries[at]));
  return { bars, group, inclusive: sumsAt(bars.entries, barOfEntry, bars.size), own, flow };
}

/** The tree as input for building bars, which use only its shape. */
function asFiltered(tree: GroupTree): FilteredTree {
  const all = upTo(tree.size);
  return {
    size: tree.size,
    parent: tree.parent,
    end: tree.end,
    original: all,
    home: all,
    keptFunction: new Uint8Array(0),
    filtered: { functions: 0, contexts: 0 },
  };
}

/** A tree after nodes were hidden. */
export interface Remaining {
  readonly tree: GroupTree;
  /** Present number of each node. A hidden node has that of the nearest kept node above it, or NONE. */
  readonly home: Int32Array;
  /** Sum of the exclusive costs that were hidden. */
  readonly exclusive: Float64Array;
}

/** @param isHidden 1 for each node to hide. Its children become children of the nearest kept node above it */
export function withoutNodes(tree: GroupTree, isHidden: Uint8Array, costs: RunCosts): Remaining {
  const home = new Int32Array(tree.size);
  const before = new Int32Array(tree.size + 1);
  const size = homes(tree.parent, isHidden, home, before);
  const left: GroupTree = {
    size,
    parent: new Int32Array(size),
    end: new Int32Array(size),
    group: new Int32Array(size),
    exclusive: costs.zeros(size),
    hidden: costs.zeros(size),
  };
  const exclusive = costs.zeros(1);
  for (let node = 0; node < tree.size; node++) {
    const at = home[node];
    if (isHidden[node] === 0) {
      left.parent[at] = tree.parent[node] === NONE ? NONE : home[tree.parent[node]];
      left.end[at] = before[tree.end[node]];
      left.group[at] = tree.group[node];
      costs.add(left.exclusive, at, tree.exclusive, node);
    } else {
      costs.add(exclusive, 0, tree.exclusive, node);
      if (at !== NONE) costs.add(left.hidden, at, tree.exclusive, node);
    }
    if (at !== NONE) costs.add(left.hidden, at, tree.hidden, node);
  }
  return { tree: left, home, exclusive };
}

/** Fills in the new number of each node, and the number of kept nodes before it. @returns the number of kept nodes */
function homes(parent: Int32Array, isHidden: Uint8Array, home: Int32Array, before: Int32Array): number {
  let size = 0;
  for (let node = 0; node < parent.length; node++) {
    before[node] = size;
    if (isHidden[node] === 0) home[node] = size++;
    else home[node] = parent[node] === NONE ? NONE : home[parent[node]];
  }
  before[parent.length] = size;
  return size;
}
