/** Which resources of a trace are part of which, as a tree from its leaves on. */
import { RequestError } from "../../model/errors";
import { NONE } from "../../model/ids";
import type { Resource } from "../../model/resources";
import { compareNames } from "../../model/strings";
import type { OverviewHierarchy, OverviewNode } from "./overviewApi";

/** What a leaf is called, and the resource that it is on; NONE where the recording names none. */
export interface Leaf {
  readonly name: string;
  readonly resource: number;
}

/** One that leaves are part of; two of one name are told apart by their ids. */
interface Group {
  readonly id: string;
  readonly name: string;
}

interface InnerNode {
  readonly name: string;
  readonly parent: InnerNode | undefined;
  readonly inside: Map<string, InnerNode>;
  children: number;
}

/**
 * Leaves first, in their order, then what they are part of, all below one root. What has one child alone is left out: it would be the same.
 *
 * @throws RequestError where a hierarchy names what is not there
 */
export function nodesOf(
  leaves: readonly Leaf[],
  resources: readonly Resource[],
  hierarchy: OverviewHierarchy,
): OverviewNode[] {
  const root: InnerNode = { name: "all", parent: undefined, inside: new Map(), children: 0 };
  const inner = [root];
  const parents = pathsOf(leaves, resources, hierarchy).map((path) => {
    let node = root;
    for (const { id, name } of path) {
      const known = node.inside.get(id);
      const next = known ?? { name, parent: node, inside: new Map(), children: 0 };
      if (!known) {
        node.inside.set(id, next);
        node.children++;
        inner.push(next);
      }
      node = next;
    }
    node.children++;
    return node;
  });
  const kept = inner.filter(({ children }) => children > 1);
  const numbers = new Map(kept.map((node, at) => [node, leaves.length + at]));
  const numberOf = (above: InnerNode | undefined): number => {
    let node = above;
    while (node && !numbers.has(node)) node = node.parent;
    return (node && numbers.get(node)) ?? -1;
  };
  return [
    ...leaves.map(({ name }, at) => ({ name, parent: numberOf(parents[at]) })),
    ...kept.map(({ name, parent }) => ({ name, parent: numberOf(parent) })),
  ];
}

function pathsOf(
  leaves: readonly Leaf[],
  resources: readonly Resource[],
  hierarchy: OverviewHierarchy,
): (readonly Group[])[] {
  switch (hierarchy.kind) {
    case "recorded": {
      const below = leavesBelow(leaves, resources);
      // What one leaf alone is on is that leaf.
      return leaves.map(({ resource }) =>
        pathTo(resources, below[resource] === 1 ? resources[resource].parent : resource),
      );
    }
    case "every": {
      const { count, name } = hierarchy;
      const order = leaves.map((_, at) => at).sort((a, b) => compareNames(leaves[a].name, leaves[b].name) || a - b);
      const groups = new Array<readonly Group[]>(leaves.length);
      order.forEach((leaf, at) => {
        const group = `${name} ${Math.floor(at / count)}`;
        groups[leaf] = [{ id: group, name: group }];
      });
      return groups;
    }
    case "paths": {
      const pathOf = new Map(hierarchy.paths);
      const names = new Set(leaves.map(({ name }) => name));
      const unknown = [...pathOf.keys()].find((name) => !names.has(name));
      if (unknown !== undefined)
        throw new RequestError(`The hierarchy names '${unknown}', which is no resource of the trace.`);
      return leaves.map(({ name }) => (pathOf.get(name) ?? []).map((one) => ({ id: one, name: one })));
    }
  }
}

function leavesBelow(leaves: readonly Leaf[], resources: readonly Resource[]): Int32Array {
  const below = new Int32Array(resources.length);
  for (const { resource } of leaves) for (let at = resource; at !== NONE; at = resources[at].parent) below[at]++;
  return below;
}

function pathTo(resources: readonly Resource[], resource: number): Group[] {
  const path: Group[] = [];
  for (let at = resource; at !== NONE; at = resources[at].parent) path.push({ id: `${at}`, name: resources[at].name });
  return path.reverse();
}
