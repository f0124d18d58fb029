/** How one value is distributed over ranks, threads, GPU streams or hosts. */
import { histogram } from "../../analysis/histogram";
import { NONE } from "../../model/ids";
import { chosenMembers, type Members, membersOf } from "../../model/members";
import type { Task } from "../../model/task";
import type { GraphQuery } from "../scope";
import type { Distribution, DistributionQuery, MemberOrder } from "./distributionApi";
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
  const hosts = hostsOf(open, members);
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
    order: lineOrder(members, keysOf(order, { values, hosts, attribute })),
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

/** The host of each member, where all of it is on one. */
function hostsOf({ dataSet }: OpenDataSet, { keys, of }: Members): Int32Array {
  const hosts = new Int32Array(keys.length).fill(NONE);
  const several = new Uint8Array(keys.length);
  dataSet.locations.forEach(({ node }, at) => {
    const member = of[at];
    if (member === NONE || node === NONE) return;
    if (hosts[member] !== NONE && hosts[member] !== node) several[member] = 1;
    hosts[member] = node;
  });
  return hosts.map((host, member) => (several[member] ? NONE : host));
}

/** Members at whose locations numbers still count. */
export function heldBy({ keys, of }: Members, chosen: Members): Uint8Array {
  const held = new Uint8Array(keys.length);
  of.forEach((member, at) => {
    if (member !== NONE && chosen.of[at] !== NONE) held[member] = 1;
  });
  return held;
}

function keysOf(
  order: MemberOrder,
  by: { values: Float64Array; hosts: Int32Array; attribute: Float64Array | undefined },
): ArrayLike<number> | undefined {
  if (order === "id") return undefined;
  if (order === "host") return by.hosts;
  return order === "value" ? by.values : by.attribute;
}

/** Members are in canonical order, and a sort keeps the order of equals. What is not finite comes last. */
function lineOrder({ keys: members }: Members, keys: ArrayLike<number> | undefined): Int32Array {
  const order = Int32Array.from(members.keys());
  if (!keys) return order;
  const key = (member: number) => (Number.isFinite(keys[member]) ? keys[member] : Infinity);
  return order.sort((a, b) => (key(a) === key(b) ? a - b : key(a) - key(b)));
}
