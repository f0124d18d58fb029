/** One attempt with one grouping: bars, chains, small bars, and a check of the limits (semantics 2, rule 7, It fits). */
import { drawnEdges } from "../../model/drawnEdges";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import { DEEPER_NAME } from "../bars";
import { picked, pickedBytes, upTo } from "../columns";
import { ChainGroups, foldedGroups } from "./chains";
import { type CostedBars, costedBars, groupTree, type GroupTree, withoutNodes } from "./groupTree";
import { foldedPaths } from "./pathChains";
import type { PathTree } from "./pathTree";
import type { RunCosts } from "./runCosts";

/** Limits of a first picture. */
export const FIRST_LIMITS = { bars: 30, drawn: 60, levels: 12, groups: 60, unfolded: 120 } as const;
/** Maximum rounds of folding chains and of hiding small bars: far more than any recording needs. */
const MAX_FOLDS = 6;
const MAX_HIDES = 8;
/** Two sums that differ by rounding only are the same share. */
const ROUNDING = 1e-12;

/** The limit that a picture exceeds. */
export type Excess = "hidden" | "groups" | "bars" | "flows" | "levels";

/** Maximum counts of a picture, and the share of the total that it may hide. */
export type Limits = Readonly<Record<keyof typeof FIRST_LIMITS | "hidden", number>>;

/** Grouping of the parts of functions. */
export interface PartGroups {
  /** Group of each part. */
  readonly ofPart: Int32Array;
  readonly names: readonly string[];
}

export interface Picture {
  readonly percent: number;
  /** Share of the total, 0 to 1. */
  readonly hidden: number;
  readonly costed: CostedBars;
  readonly groups: ChainGroups;
  /** Node of the grouped tree for each node of the path tree, or the one that it is hidden in. NONE if there is none above it. */
  readonly nodeOf: Int32Array;
  /** 1 for each node of the path tree that is hidden because its bar is small. */
  readonly isHidden: Uint8Array;
  readonly tree: GroupTree;
  readonly drawn: number;
}

/** Groups that occur in the tree, with consecutive numbers. An attempt then takes time for these groups only. */
function presentGroups({ present }: PathTree, { ofPart, names }: PartGroups) {
  const known = new Map<number, number>();
  const groupOf = new Int32Array(ofPart.length).fill(NONE);
  const own: string[] = [];
  for (const part of present) groupOf[part] = entryOf(known, ofPart[part], () => own.push(names[ofPart[part]]) - 1);
  return { groupOf, names: own };
}

/**
 * @param canFoldFirst if there are too many groups, chains of those with one path each are folded before groups are counted
 * @returns the picture, or the limit that it exceeds
 */
export function attempt(
  paths: PathTree,
  groups: PartGroups,
  limits: Limits,
  costs: RunCosts,
  task: Task,
  canFoldFirst = false,
): Picture | Excess {
  task.check();
  const hiddenSum = paths.hiddenOfAll.slice();
  const isHiddenTooMuch = () => hiddenShare(hiddenSum, costs) > limits.hidden;
  if (isHiddenTooMuch()) return "hidden";
  const present = presentGroups(paths, groups);
  const isFoldedFirst = present.names.length > limits.groups;
  if (isFoldedFirst && !canFoldFirst) return "groups";
  const deeper = present.names.push(DEEPER_NAME) - 1;
  const chains = new ChainGroups(present.names);
  const groupOf = isFoldedFirst ? foldedPaths(paths, present.groupOf, chains, costs) : present.groupOf;
  if (isFoldedFirst && new Set(picked(groupOf, paths.present)).size > limits.groups) return "groups";
  const made = groupTree(paths, groupOf, costs);
  const build = (tree: GroupTree, limit: number) =>
    costedBars(tree, chains.names, deeper, limit, costs, () => task.check());
  let { tree } = made;
  // Present node of each node of the first tree. Nodes in small bars are hidden.
  const home = upTo(tree.size);
  const isHidden = new Uint8Array(tree.size);
  let costed = build(tree, limits.unfolded);
  if (!costed) return "bars";
  costed = folded(tree, costed, chains, costs, build);
  for (let count = 0; count < MAX_HIDES; count++) {
    const small = smallBars(costed, paths.percent, costs);
    if (!small) break;
    const marks = pickedBytes(small, costed.bars.ofContext);
    const left = withoutNodes(tree, marks, costs);
    costs.add(hiddenSum, 0, left.exclusive, 0);
    moveHome(home, isHidden, marks, left.home);
    tree = left.tree;
    costed = folded(tree, built(build(tree, Number.MAX_SAFE_INTEGER)), chains, costs, build);
  }
  if (isHiddenTooMuch()) return "hidden";
  const drawn = drawnFlows(costed, costs).length;
  if (costed.bars.size > limits.bars) return "bars";
  if (drawn > limits.drawn) return "flows";
  if (costed.bars.level.some((level) => level >= limits.levels)) return "levels";
  return {
    percent: paths.percent,
    hidden: hiddenShare(hiddenSum, costs),
    costed,
    groups: chains,
    nodeOf: picked(home, made.nodeOf),
    isHidden: pickedBytes(isHidden, made.nodeOf),
    tree,
    drawn,
  };
}

/** Updates the present node of each node of the first tree after others were hidden. */
function moveHome(home: Int32Array, isHidden: Uint8Array, marks: Uint8Array, next: Int32Array): void {
  for (let node = 0; node < home.length; node++) {
    const at = home[node];
    if (at === NONE) continue;
    if (marks[at] === 1) isHidden[node] = 1;
    home[node] = next[at];
  }
}

export function hiddenShare(sum: Float64Array, costs: RunCosts): number {
  return costs.at(sum, 0) / costs.whole;
}

/** Folds chains and builds bars again until there is no chain. Changes the tree's groups. */
function folded(
  tree: GroupTree,
  first: CostedBars,
  chains: ChainGroups,
  costs: RunCosts,
  build: (tree: GroupTree, limit: number) => CostedBars | undefined,
): CostedBars {
  let costed = first;
  for (let count = 0; count < MAX_FOLDS; count++) {
    const groups = foldedGroups(costed, chains, costs);
    if (!groups) break;
    for (let node = 0; node < tree.size; node++) {
      const group = groups[costed.bars.ofContext[node]];
      if (group !== NONE) tree.group[node] = group;
    }
    costed = built(build(tree, Number.MAX_SAFE_INTEGER));
  }
  return costed;
}

function built(costed: CostedBars | undefined): CostedBars {
  if (costed === undefined) throw new Error("bars without a limit were too many");
  return costed;
}

/** 1 for each bar with less than the filter's share; undefined where there is none. */
function smallBars({ bars, inclusive }: CostedBars, percent: number, costs: RunCosts): Uint8Array | undefined {
  const least = (percent / 100) * costs.whole * (1 - ROUNDING);
  const marks = Uint8Array.from(bars.id, (_, bar) => (costs.at(inclusive, bar) < least ? 1 : 0));
  return marks.includes(1) ? marks : undefined;
}

/** Edges that are drawn at first: from 0.5 % of the total, and the largest into each bar; ascending. */
export function drawnFlows({ bars, flow }: CostedBars, costs: RunCosts): number[] {
  const values = Array.from(bars.source, (_, edge) => costs.at(flow, edge));
  return drawnEdges(bars, values, costs.whole);
}
