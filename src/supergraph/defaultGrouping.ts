/** The grouping of the command line where `--group-by` does not name one (semantics 7). */
import { exclusiveByFunction } from "../model/functions";
import { formatShare } from "../model/units";
import type { FilterBasis, FilteredTree } from "./filter";
import { groupContexts, groupNames, type GroupingBasis, type Groups, NOT_KNOWN } from "./grouping";
import type { GroupBy } from "./query";

/** Grouping of a graph before any operation. */
export interface StartGrouping {
  readonly groups: Groups;
  readonly groupBy: GroupBy;
  /** Sentences on why another grouping than by file was taken. */
  readonly notes: readonly string[];
}

/** Groups by file; by module if more than half of the total has no file; by function if more than half has no module either. */
export function defaultGrouping(basis: GroupingBasis & FilterBasis, kept: FilteredTree): StartGrouping {
  const byFile = groupContexts(basis, kept, "file");
  const noFile = shareWithoutFile(basis, kept, byFile);
  if (noFile <= 0.5) return { groups: byFile, groupBy: "file", notes: [] };
  const noModule = shareWithoutModule(basis, kept);
  const reason = `the source file is not known for ${formatShare(noFile)} of the total`;
  if (noModule <= 0.5)
    return {
      groups: groupContexts(basis, kept, "module"),
      groupBy: "module",
      notes: [`Grouped by load module: ${reason}.`],
    };
  return {
    groups: groupContexts(basis, kept, "function"),
    groupBy: "function",
    notes: [`Grouped by function: ${reason}, nor the load module for ${formatShare(noModule)}.`],
  };
}

/** Share whose file is not known, 0 to 1: of what the filter leaves, since nothing else is looked up, and the rest is taken to be like it. */
function shareWithoutFile({ exclusive }: FilterBasis, kept: FilteredTree, groups: Groups): number {
  const sums = new Float64Array(groups.names.length);
  for (let context = 0; context < kept.size; context++)
    sums[groups.ofContext[context]] += exclusive[kept.original[context]];
  const all = sums.reduce((sum, own) => sum + own, 0);
  const group = groups.names.indexOf(NOT_KNOWN);
  return group < 0 || all <= 0 ? 0 : sums[group] / all;
}

/** Share of the total whose load module is not known, 0 to 1, whatever a filter leaves: the data says it of every function. */
function shareWithoutModule(basis: GroupingBasis & FilterBasis, kept: FilteredTree): number {
  const nameOf = groupNames(basis, kept, "module");
  const sums = exclusiveByFunction(basis.functions, basis.exclusive);
  return sums.reduce((sum, own, id) => (nameOf(id) === NOT_KNOWN ? sum + own : sum), 0) / basis.total;
}
