/** Makes a model from counted values. */
import { RequestError } from "../../model/errors";
import type { Resource } from "../../model/resources";
import { firstNodes } from "./firstHierarchy";
import { type Leaf, nodesOf } from "./hierarchy";
import type { OverviewFirst, OverviewMetric, OverviewNode, OverviewQuery } from "./overviewApi";
import type { TraceModel } from "./namedModel";
import type { ShownStates } from "./shownStates";

/** Of all leaves. */
export interface Counted {
  readonly amounts: Float64Array;
  readonly counts: Float64Array;
  /** Seconds in which something was recorded. */
  readonly covered: number;
}

export const MOST_SLICES = 10_000;
/** Rounding error of added seconds. */
const NOTHING = 1e-12;
/** Its products with what divides it are numbers, too. */
const LARGEST_SUM = 1e300;
/** What is one state alone, whatever it is worth: no kind of work. */
const NO_KIND = -1;

/** An event that only goes on in a cell counts as one of it. */
export function valuesOf(metric: OverviewMetric, amounts: Float64Array, counts: Float64Array): Float64Array {
  switch (metric) {
    case "duration":
      return amounts;
    case "count":
      return counts;
    case "mean":
      return amounts.map((seconds, at) => seconds / Math.max(1, counts[at]));
    case "variable":
      return amounts.map((amount, at) => (counts[at] > 0 ? amount / counts[at] : 0));
  }
}

/** Variables hold until their resources end, which may be after the last of their points, and of all events. */
export function endOfVariables(resources: readonly Pick<Resource, "endSeconds">[], endSeconds: number): number {
  return resources.reduce((end, one) => Math.max(end, one.endSeconds ?? end), endSeconds);
}

/** The window that is asked for, checked. @param endSeconds of the run @throws RequestError */
export function windowOf(
  { slices, fromSeconds = 0, toSeconds }: Pick<OverviewQuery, "slices" | "fromSeconds" | "toSeconds">,
  endSeconds: number,
): { readonly from: number; readonly to: number } {
  const to = toSeconds ?? endSeconds;
  if (!(slices >= 1 && slices <= MOST_SLICES)) throw new RequestError(`Slices are 1 to ${MOST_SLICES}, not ${slices}.`);
  if (!(to > fromSeconds)) throw new RequestError(`There is no time from ${fromSeconds} to ${to} s.`);
  return { from: fromSeconds, to };
}

/** What rounding leaves of sums is nothing. */
export function uncoveredOf(seconds: number, covered: number): number {
  const rest = seconds - covered;
  return rest > NOTHING * seconds ? rest : 0;
}

/** @throws RequestError where nothing is left to aggregate, or values are none that can be */
export function assembled(
  query: OverviewQuery,
  { from, to }: { readonly from: number; readonly to: number },
  leaves: readonly Leaf[],
  resources: readonly Resource[],
  { names, kinds }: Omit<ShownStates, "of">,
  { amounts, counts, covered }: Counted,
  facts: Pick<TraceModel, "variables" | "stateTypes" | "stateType" | "allLeaves" | "withinSeconds">,
): TraceModel {
  if (names.length === 0 && query.without) throw new RequestError("No state is left: all are left out.");
  const { nodes, first } = hierarchyFor(query, leaves, resources);
  const values = valuesOf(query.metric, amounts, counts);
  if (query.metric === "variable") checkValues(query.variable ?? "", values);
  return {
    leaves: leaves.length,
    states: names.length,
    slices: query.slices,
    values,
    amounts,
    counts,
    parents: Int32Array.from(nodes, ({ parent }) => parent),
    nodes,
    names,
    kinds,
    ...facts,
    fromSeconds: from,
    toSeconds: to,
    uncoveredSeconds: uncoveredOf(leaves.length * (to - from), covered),
    ...(first ? { first } : {}),
  };
}

function hierarchyFor(
  { hierarchy, metric }: Pick<OverviewQuery, "hierarchy" | "metric">,
  leaves: readonly Leaf[],
  resources: readonly Resource[],
): { readonly nodes: OverviewNode[]; readonly first?: OverviewFirst } {
  if (hierarchy.kind !== "first") return { nodes: nodesOf(leaves, resources, hierarchy) };
  const { nodes, first } = firstNodes(leaves, resources);
  return { nodes, first: metric === "variable" ? { ...first, isOfVariable: true } : first };
}

/** @throws RequestError where values cannot be added up, or are less than nothing */
function checkValues(variable: string, values: Float64Array): void {
  if (values.some((value) => value < 0))
    throw new RequestError(`${variable} has values below 0, which cannot be aggregated.`);
  if (!(values.reduce((sum, value) => sum + value, 0) <= LARGEST_SUM))
    throw new RequestError(`${variable} has values that are too large to be added up.`);
}

/** A variable is one state. */
export function stateOfVariable(name: string): Omit<ShownStates, "of"> {
  return { names: [name], kinds: [NO_KIND] };
}

/** @throws RequestError that says which variables there are */
export function noVariable(dataSet: string, name: string, known: Iterable<string>): RequestError {
  const names = [...new Set(known)].sort();
  const others = names.length === 0 ? "it has none" : `there are ${names.slice(0, 20).join(", ")}`;
  return new RequestError(`${dataSet} has no variable '${name}'; ${others}.`);
}
