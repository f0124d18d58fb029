/** Which resources of a trace are part of which, as a tree from its leaves on. */
import { RequestError } from "../../model/errors";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Resource } from "../../model/resources";
import { compareNames } from "../../model/strings";
import type { OverviewHierarchy, OverviewNode } from "./overviewApi";

/** What a leaf is called, and the resource that it is on; NONE where the recording names none. */
export interface Leaf {
  readonly name: string;
  readonly resource: number;
}

/**
 * Leaves first, in their order, then what they are part of, all below one root. What has one child alone is left out: it would be the same.
 *
 * @throws RequestError where a hierarchy names what is not there
 */
export function nodesOf(
  leaves: readonly Leaf[],
  resources: readonly Resource[],
  hierarchy: Exclude<OverviewHierarchy, { kind: "first" }>,
): OverviewNode[] {
  return nodesIn(leaves, groupsOf(leaves, resources, hierarchy));
}

/** Leaves below groups by their names from the outermost on. @param paths of each leaf */
export function nodesByPath(leaves: readonly Leaf[], paths: readonly (readonly string[])[]): OverviewNode[] {
  return nodesIn(leaves, groupsByPath(paths));
}

/** Leaves as rules count them: by the numbers in their names. */
export function leavesByName(leaves: readonly Pick<Leaf, "name">[]): number[] {
  return leaves.map((_, at) => at).sort((a, b) => compareNames(leaves[a].name, leaves[b].name) || a - b);
}

function nodesIn(leaves: readonly Leaf[], { groups, of }: Groups): OverviewNode[] {
  const children = new Int32Array(groups.length);
  for (const { parent } of groups) if (parent >= 0) children[parent]++;
  for (const group of of) children[group]++;
  // Of each group the node that it is, or is in.
  const nodeOf = new Int32Array(groups.length).fill(NONE);
  const inner: OverviewNode[] = [];
  groups.forEach(({ name, parent }, group) => {
    const above = parent >= 0 ? nodeOf[parent] : NONE;
    nodeOf[group] = children[group] > 1 ? leaves.length + inner.push({ name, parent: above }) - 1 : above;
  });
  return [...leaves.map(({ name }, at) => ({ name, parent: nodeOf[of[at]] })), ...inner];
}

/** What leaves are part of, and of each leaf the innermost such group. */
interface Groups {
  /** The root first, parents before what they have. */
  readonly groups: readonly OverviewNode[];
  readonly of: Int32Array;
}

const ROOT: OverviewNode = { name: "all", parent: NONE };

function groupsOf(
  leaves: readonly Leaf[],
  resources: readonly Resource[],
  hierarchy: Parameters<typeof nodesOf>[2],
): Groups {
  switch (hierarchy.kind) {
    case "recorded":
      return recordedGroups(leaves, resources);
    case "every": {
      const { count, name } = hierarchy;
      const pathOf = new Array<readonly string[]>(leaves.length);
      leavesByName(leaves).forEach((leaf, at) => (pathOf[leaf] = [`${name} ${Math.floor(at / count)}`]));
      return groupsByPath(pathOf);
    }
    case "paths": {
      const pathOf = new Map(hierarchy.paths);
      const names = new Set(leaves.map(({ name }) => name));
      const unknown = [...pathOf.keys()].find((name) => !names.has(name));
      if (unknown !== undefined)
        throw new RequestError(`The hierarchy names '${unknown}', which is no resource of the trace.`);
      return groupsByPath(leaves.map(({ name }) => pathOf.get(name) ?? []));
    }
  }
}

/** By resource: two of one name in one are two groups. */
function recordedGroups(leaves: readonly Leaf[], resources: readonly Resource[]): Groups {
  const below = leavesBelow(leaves, resources);
  const groups = [ROOT];
  const groupOf = new Int32Array(resources.length).fill(NONE);
  const of = Int32Array.from(leaves, ({ resource }) => {
    // What one leaf alone is on is that leaf.
    let outer = resource !== NONE && below[resource] === 1 ? resources[resource].parent : resource;
    const added: number[] = [];
    for (; outer !== NONE && groupOf[outer] === NONE; outer = resources[outer].parent) added.push(outer);
    let group = outer === NONE ? 0 : groupOf[outer];
    for (const one of added.reverse())
      group = groupOf[one] = groups.push({ name: resources[one].name, parent: group }) - 1;
    return group;
  });
  return { groups, of };
}

/** By names from the root down. */
function groupsByPath(paths: readonly (readonly string[])[]): Groups {
  const groups = [ROOT];
  const inside: Map<string, number>[] = [new Map()];
  const of = Int32Array.from(paths, (path) => {
    let group = 0;
    for (const name of path) {
      const parent = group;
      group = entryOf(inside[parent], name, () => {
        inside.push(new Map());
        return groups.push({ name, parent }) - 1;
      });
    }
    return group;
  });
  return { groups, of };
}

/** By resource, whose parents stand before it. */
function leavesBelow(leaves: readonly Leaf[], resources: readonly Resource[]): Int32Array {
  const below = new Int32Array(resources.length);
  for (const { resource } of leaves) if (resource !== NONE) below[resource]++;
  for (let at = resources.length - 1; at >= 0; at--)
    if (resources[at].parent !== NONE) below[resources[at].parent] += below[at];
  return below;
}
