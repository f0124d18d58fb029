import { formatShare } from "../model/units";
import type { FilterBasis, FilteredTree } from "./filter";
import { groupContexts, type GroupingBasis, type Groups, NOT_KNOWN } from "./grouping";
import type { GroupBy } from "./query";

/**
 * Groups by file; where more than half of the total would be `not known`, by module, else by function (semantics 2.2).
 *
 * @returns the groups, what they are by, and a sentence where that is not the file
 */
export function automaticGrouping(
  basis: GroupingBasis & FilterBasis,
  kept: FilteredTree,
): { groups: Groups; groupBy: GroupBy; notes: readonly string[] } {
  const byFile = groupContexts(basis, kept, "file");
  const noFile = shareNotKnown(basis, kept, byFile);
  if (noFile <= 0.5) return { groups: byFile, groupBy: "file", notes: [] };
  const byModule = groupContexts(basis, kept, "module");
  const noModule = shareNotKnown(basis, kept, byModule);
  const reason = `the source file is not known for ${formatShare(noFile)} of the total`;
  if (noModule <= 0.5) return { groups: byModule, groupBy: "module", notes: [`Grouped by load module: ${reason}.`] };
  return {
    groups: groupContexts(basis, kept, "function"),
    groupBy: "function",
    notes: [`Grouped by function: ${reason}, nor the load module for ${formatShare(noModule)}.`],
  };
}

/** Share of the total whose group would be `not known`, 0 to 1. */
export function shareNotKnown({ exclusive, total }: FilterBasis, kept: FilteredTree, groups: Groups): number {
  const group = groups.names.indexOf(NOT_KNOWN);
  let sum = 0;
  for (let context = 0; context < kept.size; context++)
    if (groups.ofContext[context] === group) sum += exclusive[kept.original[context]];
  return sum / total;
}
