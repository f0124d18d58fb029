/** Resources of several parts of a recording become one forest: what two parts both name is one resource. */
import { NONE } from "../../model/ids";
import { smallestIn } from "../../model/longLists";
import type { Resource, ResourceLink, Topology } from "../../model/resources";
import { compareText, compareNames } from "../../model/strings";
import { cancellable, quietTask, type Task } from "../../model/task";

/** What one part says of the machine and the processes. */
export interface PartTopology {
  /** Locations are final already. */
  readonly resources: readonly Resource[];
  readonly links: readonly ResourceLink[];
}

/** Joining one resource makes texts and entries of maps: so many take a few milliseconds. */
const RESOURCES_BETWEEN_CHECKS = 1024;

type CompareResources = (a: Resource, b: Resource) => number;

/** One resource while parts are joined. */
interface Joined {
  resource: Resource;
  parent: number;
  children: number[];
}

/**
 * Joins the forests of all parts. Resources of two parts are the same where their parents are, and type and name; within
 * one part, equal ones stay apart (a process that ended and one that came later). One part keeps its order, several
 * parts get an order that does not depend on theirs.
 *
 * @param compareResources order of the resources of a single part, if their order in the recording has no meaning
 * @returns the forest, and for each part the final number of each of its resources
 */
export function joinTopologies(
  parts: readonly PartTopology[],
  task: Task = quietTask,
  compareResources?: CompareResources,
): { topology: Topology; finalOf: Int32Array[] } {
  const joined: Joined[] = [];
  const roots: number[] = [];
  const byKey = new Map<string, number>();
  const joinedOf = parts.map(({ resources }) => {
    const seen = new Map<string, number>();
    const own = new Int32Array(resources.length);
    resources.forEach((resource, index) => {
      if (index % RESOURCES_BETWEEN_CHECKS === 0) task.check();
      const parent = inside(resource.parent, index) ? own[resource.parent] : NONE;
      const name = `${parent} ${JSON.stringify([resource.type, resource.name])}`;
      const occurrence = seen.get(name) ?? 0;
      seen.set(name, occurrence + 1);
      const key = `${occurrence} ${name}`;
      const known = byKey.get(key);
      if (known !== undefined) {
        joined[known].resource = both(joined[known].resource, resource);
        own[index] = known;
        return;
      }
      own[index] = joined.length;
      byKey.set(key, joined.length);
      (parent === NONE ? roots : joined[parent].children).push(joined.length);
      joined.push({ resource, parent, children: [] });
    });
    return own;
  });
  const compare = parts.length > 1 ? compareCanonically : compareResources;
  const finalOfJoined = compare ? orderedBy(compare, joined, roots, task) : Int32Array.from(joined.keys());
  const resources = new Array<Resource>(joined.length);
  joined.forEach(({ resource, parent }, index) => {
    if (index % RESOURCES_BETWEEN_CHECKS === 0) task.check();
    resources[finalOfJoined[index]] = { ...resource, parent: parent === NONE ? NONE : finalOfJoined[parent] };
  });
  const finalOf = joinedOf.map((own) => own.map((index) => finalOfJoined[index]));
  return { topology: { resources, links: joinLinks(parts, finalOf, task) }, finalOf };
}

function inside(parent: number, child: number): boolean {
  return parent >= 0 && parent < child;
}

/** The same resource as two parts know it: whichever knows more. */
function both(a: Resource, b: Resource): Resource {
  const startSeconds = least([a.startSeconds, b.startSeconds]);
  const endSeconds = least([a.endSeconds, b.endSeconds].map((end) => end && -end));
  const properties = new Map([...(a.properties ?? []), ...(b.properties ?? [])].sort(([x], [y]) => compareText(x, y)));
  return {
    ...a,
    location: Math.max(a.location, b.location),
    ...(startSeconds === undefined ? {} : { startSeconds }),
    ...(endSeconds === undefined ? {} : { endSeconds: -endSeconds }),
    ...(properties.size === 0 ? {} : { properties }),
  };
}

function least(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : smallestIn(known);
}

function compareCanonically(one: Resource, other: Resource): number {
  return (
    one.location - other.location ||
    compareText(one.type, other.type) ||
    compareNames(one.name, other.name) ||
    (one.startSeconds ?? 0) - (other.startSeconds ?? 0)
  );
}

/** Sorts siblings by `compare`, in preorder: parents come before their children. @returns final numbers */
function orderedBy(
  compareResources: CompareResources,
  joined: readonly Joined[],
  roots: readonly number[],
  task: Task,
): Int32Array {
  const compare = cancellable(
    (a: number, b: number) => compareResources(joined[a].resource, joined[b].resource) || a - b,
    task,
  );
  const finalOf = new Int32Array(joined.length);
  const open = [...roots].sort(compare).reverse();
  let next = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    finalOf[at] = next++;
    if (next % RESOURCES_BETWEEN_CHECKS === 0) task.check();
    for (const child of joined[at].children.sort(compare).reverse()) open.push(child);
  }
  return finalOf;
}

function joinLinks(parts: readonly PartTopology[], finalOf: readonly Int32Array[], task: Task): ResourceLink[] {
  const distinct = new Map<string, ResourceLink>();
  const links: ResourceLink[] = [];
  for (const [index, part] of parts.entries())
    for (const link of part.links) {
      if (links.length % RESOURCES_BETWEEN_CHECKS === 0) task.check();
      const joined = { ...link, from: finalOf[index][link.from], to: finalOf[index][link.to] };
      links.push(joined);
      if (parts.length > 1) distinct.set(JSON.stringify([joined.from, joined.to, joined.type, joined.name]), joined);
    }
  if (parts.length <= 1) return links;
  return [...distinct.values()].sort(
    cancellable(
      (a, b) => a.from - b.from || a.to - b.to || compareText(a.type, b.type) || compareText(a.name, b.name),
      task,
    ),
  );
}
