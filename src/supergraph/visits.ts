import { NONE } from "../model/ids";
import type { FilteredTree } from "./filter";
import type { Groups } from "./grouping";

/** A path may visit a group this often; the subtree of the next visit is one bar with all other such (semantics 2.3). */
export const MOST_VISITS = 8;
/** Mark of contexts in the subtree of a group's ninth visit on a path. */
export const DEEPER = -2;

/** Where each kept context stands in the collapsed path of groups. */
export interface Visits {
  /** Number of visits above the context's own one; {@link DEEPER} from a group's ninth visit on a path downwards. */
  readonly position: Int32Array;
  readonly deepest: number;
  /** Whether any context is {@link DEEPER}. */
  readonly deeper: boolean;
  /** For each group the most often that one path visits it. */
  readonly most: Int32Array;
}

/** Collapses the path of each context into visits: consecutive contexts of one group (semantics 2.3). */
export function visitsOf(kept: FilteredTree, groups: Groups, check: () => void): Visits {
  const { parent, end, size } = kept;
  const { ofContext } = groups;
  const position = new Int32Array(size);
  const openVisits = new Uint8Array(groups.names.length);
  const most = new Int32Array(groups.names.length);
  let deepest = 0;
  let deeper = false;
  const isEntry = (context: number) => parent[context] === NONE || ofContext[parent[context]] !== ofContext[context];
  // The contexts from a root to `open` are those whose visits count; preorder leaves and enters them one at a time.
  let open = NONE;
  for (let context = 0; context < size; context++) {
    if ((context & 0xffff) === 0) check();
    while (open !== NONE && end[open] <= context) {
      if (isEntry(open)) openVisits[ofContext[open]]--;
      open = parent[open];
    }
    const group = ofContext[context];
    if (!isEntry(context)) {
      position[context] = position[open];
    } else if (openVisits[group] === MOST_VISITS) {
      deeper = true;
      position.fill(DEEPER, context, end[context]);
      context = end[context] - 1;
      continue;
    } else {
      if (++openVisits[group] > most[group]) most[group] = openVisits[group];
      position[context] = open === NONE ? 0 : position[open] + 1;
      if (position[context] > deepest) deepest = position[context];
    }
    open = context;
  }
  return { position, deepest, deeper, most };
}
