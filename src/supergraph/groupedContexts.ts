/** Contexts as operations find and leave them. */
import type { FilterBasis, FilteredTree } from "./filter";
import type { GroupingBasis, Groups } from "./grouping";
import type { FinerNames } from "./first/firstPicture";
import type { GroupMap, GroupRef, StartingGroups } from "./query";

/** What every operation reads and none changes. */
export interface OperationBasis extends GroupingBasis, FilterBasis {
  readonly map?: GroupMap;
}

/** A group that was expanded: what its contexts were before. */
export interface Expansion {
  readonly target: GroupRef;
  /** In the whole tree, ascending. */
  readonly contexts: Int32Array;
  readonly groups: Int32Array;
  readonly levels: Uint8Array;
}

/** Contexts with their groups, between two operations. */
export interface GroupedContexts {
  readonly kept: FilteredTree;
  readonly groups: Groups;
  readonly groupBy: StartingGroups;
  /** Names of a first picture, while contexts are grouped as there. */
  readonly finer?: FinerNames;
  /** How fine the group of each kept context is: an index into the levels of `levels.ts`. */
  readonly level: Uint8Array;
  /** Groups that were expanded and not collapsed since, in that order. */
  readonly expansions: readonly Expansion[];
}
