/** Members side by side: their hosts, which of them a restriction leaves, the order that they stand in. */
import { NONE } from "../../model/ids";
import type { Location } from "../../model/locations";
import { type Chosen, chosenMembers, type Members } from "../../model/members";
import type { Task } from "../../model/task";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { Graphs } from "../graphs/graphs";
import type { GraphQuery, Scope } from "../scope";
import type { MemberOrder, MembersInLine } from "./memberLineApi";
import { valuesOn } from "./spreads";

/**
 * Members as they stand on a line.
 *
 * @param values of each, for an order by value
 */
export async function membersInLine(
  open: OpenDataSet,
  graphsOf: (query: GraphQuery) => Graphs,
  { scope, order }: { readonly scope: Scope; readonly order: MemberOrder },
  members: Members,
  values: Float64Array,
  task: Task,
): Promise<MembersInLine> {
  const { locations } = open.dataSet;
  const hosts = hostsOf(locations, members);
  const metric = typeof order === "object" ? order.metric : undefined;
  if (metric !== undefined) open.checkAdditive(metric);
  const attribute =
    metric === undefined
      ? undefined
      : (await valuesOn(open, graphsOf, { ...scope, metric }, members, undefined, task)).inclusive;
  return {
    by: members.by,
    members: members.keys,
    hosts,
    order: lineOrder(order, { values, hosts, attribute }),
    ...(attribute ? { attribute } : {}),
    ...leftBy(locations, members, scope.chosen),
  };
}

/** Which members a restriction leaves something of; without one nothing. */
export function leftBy(
  locations: readonly Location[],
  members: Members,
  chosen: Chosen | undefined,
): { readonly chosen?: Uint8Array } {
  return chosen ? { chosen: heldBy(members, chosenMembers(locations, chosen)) } : {};
}

/** The host of each member, where all of it is on one. */
export function hostsOf(locations: readonly Pick<Location, "node">[], { keys, of }: Members): Int32Array {
  const hosts = new Int32Array(keys.length).fill(NONE);
  const several = new Uint8Array(keys.length);
  locations.forEach(({ node }, at) => {
    const member = of[at];
    if (member === NONE || node === NONE) return;
    if (hosts[member] !== NONE && hosts[member] !== node) several[member] = 1;
    hosts[member] = node;
  });
  return hosts.map((host, member) => (several[member] ? NONE : host));
}

/** Members at whose locations numbers still count. */
function heldBy({ keys, of }: Members, chosen: Members): Uint8Array {
  const held = new Uint8Array(keys.length);
  of.forEach((member, at) => {
    if (member !== NONE && chosen.of[at] !== NONE) held[member] = 1;
  });
  return held;
}

/** Members are in canonical order, and a sort keeps the order of equals. What is not finite comes last. */
export function lineOrder(
  order: MemberOrder,
  by: { readonly values: Float64Array; readonly hosts: Int32Array; readonly attribute: Float64Array | undefined },
): Int32Array {
  const line = Int32Array.from(by.values.keys());
  if (order === "id") return line;
  const keys = order === "host" ? by.hosts : order === "value" ? by.values : by.attribute;
  const key = (member: number) => (keys && Number.isFinite(keys[member]) ? keys[member] : Infinity);
  return line.sort((a, b) => (key(a) === key(b) ? a - b : key(a) - key(b)));
}
