/** Initial hierarchy of a trace's resources: as recorded, by hosts in their names, or as found in the data (semantics 16). */
import { foundGroups, type Shuffler } from "../../aggregation/foundGroups";
import { RandomNumbers } from "../../analysis/ensembles/randomNumbers";
import { NONE } from "../../model/ids";
import type { Resource } from "../../model/resources";
import type { Task } from "../../model/task";
import { type Leaf, leavesByName, nodesByPath, nodesOf } from "./hierarchy";
import type { TraceModel } from "./namedModel";
import type { OverviewFirst, OverviewNode } from "./overviewApi";

/** Seed of the random orders of leaves, constant so that the same trace gives the same groups. */
const SEED = 1979;
const GROUP = "group";
/** Properties that name what a resource runs on. */
const PROPERTIES = ["host", "node"];
/** A word `host` or `node` with what follows it: `node12`, `host-a3`, `Node 7`. */
const HOST_IN_NAME = /(?<![A-Za-z])(?:host|node)(?:name)?[-_ :=#]*[A-Za-z]*\d+/i;
/** Maximum characters of such a word with the separator before it. */
const LONGEST_WORD = 16;
const DIGIT = /\d/;
/** Word before the number of a lane: `, rank `, `.thread`. */
const WORD_OF_LANE = /(?:^|[^A-Za-z])(?:mpi[-_ ]?)?(?:rank|process|proc|pid|thread|task|lane|cpu|core|pe)s?$/i;
const SEPARATOR = /[^A-Za-z0-9)\]]/;

/**
 * Hierarchy from names alone: recorded containers, else hosts. If neither separates the leaves, groups may be found in the data later.
 *
 * @throws RequestError if the hierarchy names an unknown resource
 */
export function firstNodes(
  leaves: readonly Leaf[],
  resources: readonly Resource[],
): { readonly nodes: OverviewNode[]; readonly first: OverviewFirst } {
  const recorded = nodesOf(leaves, resources, { kind: "recorded" });
  if (hasGroups(recorded, leaves.length)) return { nodes: recorded, first: { hierarchy: "recorded", found: false } };
  const hosts = hostsOf(leaves, resources);
  if (hosts) {
    const nodes = nodesByPath(
      leaves,
      hosts.map((host) => (host === "" ? [] : [host])),
    );
    return { nodes, first: { hierarchy: "hosts", found: false } };
  }
  const hierarchy = areInOne(leaves, resources) ? "recorded" : "none";
  return { nodes: recorded, first: { hierarchy, found: false } };
}

/**
 * The same model with groups of neighbours that are found in the data, if it has no other hierarchy. Only states are searched, since a
 * variable has no shares.
 *
 * @throws CancelledError
 */
export function withFoundGroups(
  model: TraceModel,
  random: Shuffler = new RandomNumbers(SEED),
  task?: Task,
): TraceModel {
  const { first, slices, amounts, leaves } = model;
  if (!first || first.isOfVariable || hasGroups(model.nodes, leaves)) return model;
  const seconds = (model.toSeconds - model.fromSeconds) / slices;
  const named = model.nodes.slice(0, leaves).map(({ name }) => ({ name, resource: NONE }));
  const found = foundGroups({ ...model, values: amounts }, seconds, Int32Array.from(leavesByName(named)), random, task);
  if (!found) return model;
  const nodes = nodesOf(named, [], { kind: "every", count: found.count, name: GROUP });
  return {
    ...model,
    nodes,
    parents: Int32Array.from(nodes, ({ parent }) => parent),
    first: { hierarchy: `every ${found.count}`, found: true },
  };
}

/** A root alone is no group. */
function hasGroups(nodes: readonly OverviewNode[], leaves: number): boolean {
  return nodes.length > leaves + 1;
}

/** Whether one recorded container has all leaves. */
function areInOne(leaves: readonly Leaf[], resources: readonly Resource[]): boolean {
  const outermost = new Set(
    leaves.map(({ resource }) => {
      let outer = resource;
      while (outer !== NONE && resources[outer].parent !== NONE) outer = resources[outer].parent;
      return outer;
    }),
  );
  return leaves.length > 1 && outermost.size === 1 && !outermost.has(NONE);
}

/** Host of each leaf, "" if unknown. @returns undefined if hosts do not separate the leaves */
function hostsOf(leaves: readonly Leaf[], resources: readonly Resource[]): string[] | undefined {
  const ways = [
    (leaf: Leaf) => hostOfProperties(leaf, resources),
    ({ name }: Leaf) => HOST_IN_NAME.exec(name)?.[0] ?? "",
    ({ name }: Leaf) => textBeforeNumber(name),
  ];
  return ways.map((way) => leaves.map(way)).find(arePartedBy);
}

/** Whether some leaves share a host and others have another one. */
function arePartedBy(hosts: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
  return counts.size > 1 && [...counts].some(([host, count]) => host !== "" && count > 1);
}

function hostOfProperties({ resource }: Leaf, resources: readonly Resource[]): string {
  for (let at = resource; at !== NONE; at = resources[at].parent)
    for (const property of PROPERTIES) {
      const host = resources[at].properties?.get(property);
      if (host !== undefined && host !== "") return host;
    }
  return "";
}

/** `c401-101` of `c401-101, rank 3` and of `c401-101.3`; nothing of `rank 3`. */
function textBeforeNumber(name: string): string {
  let end = name.length;
  while (end > 0 && !DIGIT.test(name[end - 1])) end--;
  while (end > 0 && DIGIT.test(name[end - 1])) end--;
  const before = withoutSeparators(name.slice(0, end));
  const word = WORD_OF_LANE.exec(before.slice(-LONGEST_WORD))?.[0] ?? "";
  return withoutSeparators(before.slice(0, before.length - word.length));
}

function withoutSeparators(text: string): string {
  let end = text.length;
  while (end > 0 && SEPARATOR.test(text[end - 1])) end--;
  return text.slice(0, end);
}
