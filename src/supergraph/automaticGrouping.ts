import { NO_REGION, RECORDING_ITSELF } from "../model/frames";
import { exclusiveByFunction } from "../model/functions";
import { formatShare } from "../model/units";
import { buildBars, weighOf } from "./bars";
import type { FilterBasis, FilteredTree } from "./filter";
import { groupContexts, groupNames, type GroupingBasis, type Groups, MPI, NOT_KNOWN } from "./grouping";
import type { GroupBy } from "./query";

/** A grouping that nobody chose. */
export interface AutomaticGrouping {
  readonly groups: Groups;
  readonly groupBy: GroupBy;
  /** Why it is not by file. */
  readonly notes: readonly string[];
  readonly insteadOf?: InsteadOf;
}

/** A grouping that would say little, by function is used instead. */
export interface InsteadOf {
  readonly groupBy: GroupBy;
  /** A sentence. */
  readonly why: string;
}

/** Groups by file; where more than half of the total would be `not known`, by module, else by function (semantics 2.2). */
export function automaticGrouping(basis: GroupingBasis & FilterBasis, kept: FilteredTree): AutomaticGrouping {
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

/** One group with more of the total than this says little. */
const MOST_SHARE = 0.7;
/** So do fewer bars than these. */
const FEWEST_BARS = 4;

/**
 * As {@link automaticGrouping}, and by function where that would be a picture of one or two things: where a group has more than 70 % of
 * the total's exclusive, or fewer than four bars come out (semantics 2.2).
 */
export function adaptiveGrouping(
  basis: GroupingBasis & FilterBasis,
  kept: FilteredTree,
  check: () => void,
): AutomaticGrouping {
  const found = automaticGrouping(basis, kept);
  if (found.groupBy === "function") return found;
  const reason = coarseness(basis, kept, found.groups, check);
  if (reason === undefined) return found;
  return {
    groups: groupContexts(basis, kept, "function"),
    groupBy: "function",
    notes: [],
    insteadOf: { groupBy: found.groupBy, why: `Grouped by function: ${reason}.` },
  };
}

/** Why groups say little, as it goes on after a colon; undefined where they do not. */
function coarseness(basis: FilterBasis, kept: FilteredTree, groups: Groups, check: () => void): string | undefined {
  const sums = sumsOf(basis, kept, groups);
  const largest = sums.reduce(
    (most, sum, group) => (!NO_ANSWER.has(groups.names[group]) && (most < 0 || sum > sums[most]) ? group : most),
    -1,
  );
  const share = largest < 0 ? 0 : sums[largest] / basis.total;
  if (share > MOST_SHARE) return `${groups.names[largest]} has ${formatShare(share)} of the total`;
  // Each group has a bar at least.
  if (groups.names.length >= FEWEST_BARS) return undefined;
  const bars = buildBars(kept, groups, weighOf(basis), FEWEST_BARS - 1, check);
  return bars && `there would be ${bars.size === 1 ? "one bar" : `${bars.size} bars`}`;
}

/** Groups that grouping by function would not part into what a reader looks for. */
const NO_ANSWER: ReadonlySet<string> = new Set([MPI, NOT_KNOWN, NO_REGION, RECORDING_ITSELF]);

/** Share whose file is not known, 0 to 1: of what the filter leaves, since nothing else is looked up, and the rest is taken to be like it. */
function shareWithoutFile(basis: FilterBasis, kept: FilteredTree, groups: Groups): number {
  const sums = sumsOf(basis, kept, groups);
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

/** Exclusive of each group, without what is hidden. */
function sumsOf({ exclusive }: FilterBasis, kept: FilteredTree, groups: Groups): Float64Array {
  const sums = new Float64Array(groups.names.length);
  for (let context = 0; context < kept.size; context++)
    sums[groups.ofContext[context]] += exclusive[kept.original[context]];
  return sums;
}
