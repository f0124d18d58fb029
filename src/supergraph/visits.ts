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
  /** Contexts that a visit begins with: their parent lies in another one, or they have none. Ascending. */
  readonly entries: Int32Array;
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
  const entries = new Int32Array(size);
  let entryCount = 0;
  const openVisits = new Uint8Array(groups.names.length);
  const most = new Int32Array(groups.names.length);
  let deepest = 0;
  let deeper = false;
  // The visits that the context lies in, as preorder enters and leaves them.
  const open = new Int32Array(Math.min(size, MOST_VISITS * groups.names.length));
  let depth = 0;
  for (let context = 0; context < size; context++) {
    if ((context & 0xffff) === 0) check();
    while (depth > 0 && end[open[depth - 1]] <= context) openVisits[ofContext[open[--depth]]]--;
    const above = parent[context];
    const group = ofContext[context];
    if (above !== NONE && ofContext[above] === group) {
      position[context] = position[above];
      continue;
    }
    entries[entryCount++] = context;
    if (openVisits[group] === MOST_VISITS) {
      deeper = true;
      position.fill(DEEPER, context, end[context]);
      context = end[context] - 1;
      continue;
    }
    open[depth++] = context;
    if (++openVisits[group] > most[group]) most[group] = openVisits[group];
    position[context] = above === NONE ? 0 : position[above] + 1;
    if (position[context] > deepest) deepest = position[context];
  }
  return { position, entries: entries.slice(0, entryCount), deepest, deeper, most };
}
