/** How one value is distributed over ranks, threads, GPU streams or hosts. */
import { histogram } from "../../analysis/histogram";
import { NONE } from "../../model/ids";
import { type Members, membersOf } from "../../model/members";
import type { Task } from "../../model/task";
import type { GraphQuery } from "../scope";
import type { Distribution, DistributionQuery } from "./distributionApi";
import { membersInLine } from "./memberLine";
import type { Graphs } from "../graphs/graphs";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { valuesOn } from "./spreads";

export async function distribution(
  open: OpenDataSet,
  graphsOf: (query: GraphQuery) => Graphs,
  query: DistributionQuery,
  task: Task,
): Promise<Distribution> {
  const { scope, by, target, value } = query;
  open.checkAdditive(scope.metric);
  const members = membersOf(open.dataSet.locations, by);
  const values = (await valuesOn(open, graphsOf, scope, members, target, task))[value];
  const rest = (await valuesOn(open, graphsOf, scope, others(members), target, task))[value];
  const line = await membersInLine(open, graphsOf, query, members, values, task);
  return { ...line, values, ...histogram(values, query.bins), outside: rest[0] };
}

/** What the other members leave, as one. */
function others({ by, of }: Members): Members {
  return { by, keys: ["none"], of: of.map((member) => (member === NONE ? 0 : NONE)) };
}
