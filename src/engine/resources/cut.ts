/** What of a hierarchy is shown: groups that are closed hide what is in them. Pure. */
import { NONE } from "../../model/ids";
import type { ResourceCut } from "./resourceApi";
import type { Tree } from "./resourceTree";

const MOST_CLOSED = 300;

export interface ShownCut {
  /** Nodes of the tree: closed ones, and what these are in; parents before children. */
  readonly nodes: Int32Array;
  readonly isClosed: Uint8Array;
  /** By node of the tree: the closed node that it is in, or is, as index into `nodes`; NONE: it is open. */
  readonly shownAs: Int32Array;
  readonly depth: number;
}

/** @param most closed nodes that are drawn unless somebody asks for more */
export function shownCut(
  tree: Tree,
  { depth: wanted, closed = [], opened = [] }: ResourceCut,
  most = MOST_CLOSED,
): ShownCut {
  const depth = Math.min(tree.deepest, Math.max(0, wanted ?? usualDepth(tree, most)));
  const [shut, open] = [new Set(closed), new Set(opened)];
  const { parent, leaves, keys } = tree;
  const count = parent.length;
  const isInner = new Uint8Array(count);
  for (let at = 1; at < count; at++) isInner[parent[at]] = 1;
  const nodes: number[] = [];
  const isClosed: number[] = [];
  const shownAs = new Int32Array(count).fill(NONE);
  for (let at = 0; at < count; at++) {
    const outer = at === 0 ? NONE : shownAs[parent[at]];
    if (outer !== NONE) {
      shownAs[at] = outer;
      continue;
    }
    const isShut = !isInner[at] || shut.has(keys[at]) || (tree.depth[at] >= depth && !open.has(keys[at]));
    nodes.push(at);
    isClosed.push(Number(isShut));
    if (isShut && leaves[at] > 0) shownAs[at] = nodes.length - 1;
  }
  return { nodes: Int32Array.from(nodes), isClosed: Uint8Array.from(isClosed), shownAs, depth };
}

/** The largest depth with few enough closed nodes; of everything at least the first level. */
function usualDepth({ depth, parent, deepest }: Tree, most: number): number {
  const ending = new Int32Array(deepest + 2);
  const at = new Int32Array(deepest + 2);
  const isInner = new Uint8Array(parent.length);
  for (let node = 1; node < parent.length; node++) isInner[parent[node]] = 1;
  depth.forEach((own, node) => {
    at[own]++;
    if (!isInner[node]) ending[own]++;
  });
  let [above, best] = [0, Math.min(1, deepest)];
  for (let own = 1; own <= deepest; own++) {
    // Leaves above the depth are closed, too.
    if (above + at[own] <= most) best = own;
    above += ending[own];
  }
  return best;
}
