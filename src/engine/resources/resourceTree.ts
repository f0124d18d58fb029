/** The resources of a recording as one tree, with lanes and variables at its leaves. Pure. */
import { NONE } from "../../model/ids";
import { addTo } from "../../model/maps";
import type { HardwareKind } from "../../model/hardware";
import type { Resource } from "../../model/resources";
import { compareNames } from "../../model/strings";
import type { Trace } from "../../model/trace";
import { kindsOf } from "../hardware/elements";

/** Parents stand before their children; the root is the first one. Columns by node. */
export interface Tree {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly keys: readonly string[];
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  /** Leaves below; a leaf has itself. */
  readonly leaves: Int32Array;
  /** Largest depth. */
  readonly deepest: number;
}

export interface ResourceTree extends Tree {
  /** Of parts of a machine. */
  readonly kinds: readonly (HardwareKind | undefined)[];
  /** By node: the resource that it is; NONE: a group, or a lane without one. */
  readonly resourceOf: Int32Array;
  /** The leaf that values of a resource, and of a lane, are at; NONE: of a lane without any. */
  readonly ofResource: Int32Array;
  readonly ofLane: Int32Array;
}

const ROOT_NAME = "all";
/** Names of groups that the recording does not have. */
const GROUP = "group";

/** One whose parent stands before it. */
export interface TreeEntry {
  readonly name: string;
  readonly type: string;
  readonly parent: number;
}

interface Entry extends TreeEntry {
  readonly resource?: number;
  readonly kind?: HardwareKind;
}

/**
 * As the recording has it. A resource that has values and parts has a part of its own name for them, so that values are at leaves alone.
 *
 * @param every so many leaves, by the numbers in their names, are one group instead; 0: as recorded
 */
export function resourceTree(
  resources: readonly Resource[],
  trace: Pick<Trace, "lanes" | "counters"> | undefined,
  every = 0,
): ResourceTree {
  const recorded = recordedTree(resources, trace);
  return every > 0 ? regrouped(recorded, every) : finished(recorded);
}

interface Grown {
  readonly entries: readonly Entry[];
  readonly ofResource: Int32Array;
  readonly ofLane: Int32Array;
}

function recordedTree(resources: readonly Resource[], trace: Pick<Trace, "lanes" | "counters"> | undefined): Grown {
  const entries: Entry[] = [{ name: ROOT_NAME, type: "", parent: NONE }];
  const hasParts = new Uint8Array(resources.length);
  for (const { parent } of resources) if (parent !== NONE) hasParts[parent] = 1;
  const hasValues = new Uint8Array(resources.length);
  for (const { resource } of [...(trace?.lanes ?? []), ...(trace?.counters ?? [])])
    if (resource !== NONE) hasValues[resource] = 1;
  const nodeOf = new Int32Array(resources.length);
  const kinds = kindsOf(resources);
  resources.forEach(({ name, type, parent }, at) => {
    const kind = kinds[at];
    const entry = { name, type, parent: parent === NONE ? 0 : nodeOf[parent], resource: at };
    nodeOf[at] = entries.push(kind === undefined ? entry : { ...entry, kind }) - 1;
  });
  const ofResource = nodeOf.map((node, at) =>
    hasParts[at] && hasValues[at] ? entries.push({ ...entries[node], parent: node }) - 1 : node,
  );
  // Of marks in time that belong to nobody there is nothing to add up.
  const ofLane = Int32Array.from(trace?.lanes ?? [], ({ resource, name, kind, events }) => {
    if (resource !== NONE) return ofResource[resource];
    return kind === "intervals" && events > 0 ? entries.push({ name, type: "", parent: 0 }) - 1 : NONE;
  });
  return { entries, ofResource, ofLane };
}

/** All leaves in groups, whatever they were in. */
function regrouped({ entries, ofResource, ofLane }: Grown, every: number): ResourceTree {
  const isInner = new Uint8Array(entries.length);
  for (const { parent } of entries) if (parent !== NONE) isInner[parent] = 1;
  const leaves = [...entries.keys()].filter((at) => !isInner[at]);
  leaves.sort((a, b) => compareNames(entries[a].name, entries[b].name) || a - b);
  const groups = Math.ceil(leaves.length / every);
  const own: Entry[] = [entries[0]];
  for (let at = 0; at < groups; at++) own.push({ name: `${GROUP} ${at}`, type: "", parent: 0 });
  const moved = new Int32Array(entries.length).fill(0);
  leaves.forEach((leaf, at) => {
    moved[leaf] = own.push({ ...entries[leaf], parent: 1 + Math.floor(at / every) }) - 1;
  });
  return finished({
    entries: own,
    ofResource: ofResource.map((node) => moved[node]),
    ofLane: ofLane.map((node) => (node === NONE ? NONE : moved[node])),
  });
}

function finished({ entries, ofResource, ofLane }: Grown): ResourceTree {
  const resourceOf = Int32Array.from(entries, ({ resource = NONE }) => resource);
  return { ...treeOf(entries), kinds: entries.map(({ kind }) => kind), resourceOf, ofResource, ofLane };
}

/** @param entries the root first */
export function treeOf(entries: readonly TreeEntry[]): Tree {
  const count = entries.length;
  const parent = Int32Array.from(entries, (entry) => entry.parent);
  const depth = new Int32Array(count);
  const leaves = new Int32Array(count);
  for (let at = 1; at < count; at++) depth[at] = depth[parent[at]] + 1;
  for (let at = count - 1; at >= 0; at--) {
    if (leaves[at] === 0) leaves[at] = 1;
    if (at > 0) leaves[parent[at]] += leaves[at];
  }
  return {
    names: entries.map(({ name }) => name),
    types: entries.map(({ type }) => type),
    keys: keysOf(entries),
    parent,
    depth,
    leaves,
    deepest: depth.reduce((most, one) => Math.max(most, one), 0),
  };
}

/** Names from the root down; those of one name in one node are numbered. */
function keysOf(entries: readonly TreeEntry[]): string[] {
  const seen = new Map<string, number>();
  const keys: string[] = [];
  for (const { name, parent } of entries) {
    const key = parent > 0 ? `${keys[parent]} / ${name}` : name;
    addTo(seen, key, 1);
    const number = seen.get(key) ?? 1;
    keys.push(number > 1 ? `${key} (${number})` : key);
  }
  return keys;
}

/** Sums of leaves become those of all nodes. @param width numbers of a node */
export function addUp({ parent }: Pick<ResourceTree, "parent">, sums: Float64Array, width: number): void {
  for (let at = parent.length - 1; at > 0; at--)
    for (let part = 0; part < width; part++) sums[parent[at] * width + part] += sums[at * width + part];
}
