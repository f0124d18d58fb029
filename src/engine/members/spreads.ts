/** Values of bars, functions and contexts on each rank, thread, GPU stream or host. */
import { sumsByMember } from "../../analysis/memberValues";
import { NONE } from "../../model/ids";
import { type LocationUnit, type Members, membersOf } from "../../model/members";
import type { Task } from "../../model/task";
import type { GraphQuery, Scope } from "../scope";
import type { Graphs } from "../graphs/graphs";
import { mpiCalls } from "../dataSets/mpiCalls";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { MemberValues, Spread, SpreadTarget } from "./spreadApi";
import { oneByOne, ownRanges, type Ranges, subtrees } from "../lines/lineGroups";

/** Contexts whose values make the two numbers of a target, as ranges of the preorder. */
export interface TargetRanges {
  readonly own: Ranges;
  readonly below: Ranges;
}

export async function spread(
  open: OpenDataSet,
  graphsOf: (query: GraphQuery) => Graphs,
  scope: Scope,
  by: LocationUnit,
  targets: readonly (SpreadTarget | undefined)[],
  task: Task,
): Promise<Spread> {
  open.checkAdditive(scope.metric);
  const members = membersOf(open.dataSet.locations, by);
  const values: MemberValues[] = [];
  for (const target of targets) {
    task.check();
    values.push(await valuesOn(open, graphsOf, scope, members, target, task));
  }
  return { by, members: members.keys, values };
}

/** The values of one target; of none: of the whole recording. */
export async function valuesOn(
  open: OpenDataSet,
  graphsOf: (query: GraphQuery) => Graphs,
  scope: Scope,
  members: Members,
  target: SpreadTarget | undefined,
  task: Task,
): Promise<MemberValues> {
  return open.measured && target?.kind === "function"
    ? measuredValues(open.measured, scope, members, open.checkFunction(target.function))
    : valuesOf(open, scope, members, await rangesOf(open, graphsOf, target, task));
}

function valuesOf(open: OpenDataSet, scope: Scope, members: Members, { own, below }: TargetRanges): MemberValues {
  const values = open.valuesOf(scope);
  return { exclusive: sumsByMember(values, members, own), inclusive: sumsByMember(values, members, below) };
}

/** A call graph measures functions: what its estimated contexts add up to is not asked. */
function measuredValues(
  { flat, callGraph }: NonNullable<OpenDataSet["measured"]>,
  { metric }: Scope,
  members: Members,
  id: number,
): MemberValues {
  return {
    exclusive: sumsByMember(flat.dataSet.values[metric], members, ownRanges(flat, callsOf(flat, id))),
    inclusive: sumsByMember(callGraph.functionInclusive[metric], members, [[id, id + 1]]),
  };
}

export async function rangesOf(
  open: OpenDataSet,
  graphsOf: (query: GraphQuery) => Graphs,
  target: SpreadTarget | undefined,
  task: Task,
): Promise<TargetRanges> {
  const { end, size } = open.dataSet.tree;
  if (target === undefined) return { own: [[0, size]], below: [[0, size]] };
  if (target.kind === "mpi") {
    const calls = mpiCalls(open);
    return { own: calls, below: calls };
  }
  if (target.kind === "bar") {
    const graphs = graphsOf(target.query);
    // Zeros would look as if they had been measured.
    await graphs.insideOf(target.query, target.bar, task);
    const { contexts, entries } = await graphs.membersOfBar(target.query, target.bar, task);
    return { own: oneByOne(contexts), below: subtrees(open, entries) };
  }
  if (target.kind === "context") {
    const context = open.checkContext(target.context);
    return { own: ownRanges(open, Int32Array.of(context)), below: [[context, end[context]]] };
  }
  const contexts = callsOf(open, open.checkFunction(target.function));
  return { own: ownRanges(open, contexts), below: subtrees(open, contexts) };
}

/** The contexts that are calls of a function, ascending. */
function callsOf({ functions, callOf }: OpenDataSet, id: number): Int32Array {
  const calls: number[] = [];
  functions.ofContext.forEach((own, context) => {
    if (own === id && (callOf[context] === context || callOf[context] === NONE)) calls.push(context);
  });
  return Int32Array.from(calls);
}
