/** How one value is distributed over ranks, threads, GPU streams or hosts. */
import { histogram } from "../../analysis/histogram";
import { NONE } from "../../model/ids";
import { chosenMembers, type Members, membersOf } from "../../model/members";
import type { Task } from "../../model/task";
import type { GraphQuery } from "../scope";
import type { Distribution, DistributionQuery } from "./distributionApi";
import { heldBy, hostsOf, lineOrder } from "./memberLine";
import type { Graphs } from "../graphs/graphs";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { valuesOn } from "./spreads";

export async function distribution(
  open: OpenDataSet,
  graphsOf: (query: GraphQuery) => Graphs,
  query: DistributionQuery,
  task: Task,
): Promise<Distribution> {
  const { scope, by, target, value, order } = query;
  const { locations } = open.dataSet;
  open.checkAdditive(scope.metric);
  const members = membersOf(locations, by);
  const values = (await valuesOn(open, graphsOf, scope, members, target, task))[value];
  const rest = (await valuesOn(open, graphsOf, scope, others(members), target, task))[value];
  const hosts = hostsOf(locations, members);
  const metric = typeof order === "object" ? order.metric : undefined;
  if (metric !== undefined) open.checkAdditive(metric);
  const attribute =
    metric === undefined
      ? undefined
      : (await valuesOn(open, graphsOf, { ...scope, metric }, members, undefined, task)).inclusive;
  const chosen = scope.chosen && heldBy(members, chosenMembers(locations, scope.chosen));
  return {
    by,
    members: members.keys,
    values,
    ...histogram(values, query.bins),
    order: lineOrder(order, { values, hosts, attribute }),
    ...(attribute ? { attribute } : {}),
    hosts,
    ...(chosen ? { chosen } : {}),
    outside: rest[0],
  };
}

/** What the other members leave, as one. */
function others({ by, of }: Members): Members {
  return { by, keys: ["none"], of: of.map((member) => (member === NONE ? 0 : NONE)) };
}
