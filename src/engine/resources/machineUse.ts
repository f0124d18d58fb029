/** Parts of the machine among resources: how much of a window each was used, and what was copied between them. */
import type { DataSet } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { type Elements, elementsOf } from "../hardware/elements";
import { transferLinks } from "../hardware/links";
import { meanOf, type TraceWindow, usesOf } from "../hardware/use";
import type { Movement } from "../traces/movement";
import type { Connection, MarkMembers } from "./marks";
import type { ResourceTree } from "./resourceTree";

/** The machine that a hierarchy's resources are parts of. */
export interface Machine {
  readonly found: Elements;
  /** By node of the tree: its element; NONE: none. */
  readonly elementOf: Int32Array;
  /** By element: its node; NONE: none. */
  readonly nodeOf: Int32Array;
}

/** @returns undefined: no hardware was recorded */
export function machineOf(
  { topology, trace }: Pick<DataSet, "topology" | "trace">,
  tree: ResourceTree,
): Machine | undefined {
  const found = elementsOf(topology, trace);
  if (found.elements.length === 0) return undefined;
  const nodeOf = new Int32Array(found.elements.length).fill(NONE);
  const elementOf = tree.resourceOf.map((resource, node) => {
    if (resource === NONE || tree.kinds[node] === undefined) return NONE;
    const element = found.ofResource[resource];
    // The first one: the part itself, and not what it holds for its own values.
    if (element !== NONE && nodeOf[element] === NONE) nodeOf[element] = node;
    return element;
  });
  return { found, elementOf, nodeOf };
}

/**
 * Share of the window in which each mark's part of the machine was used, as the machine's own view has it; of several that are in none the
 * mean of those that are known.
 *
 * @param nodes of the tree, by what marks call them
 * @returns by mark; NaN: not recorded, or no part of a machine
 */
export async function usedShares(
  dataSet: Pick<DataSet, "topology">,
  { found, elementOf }: Machine,
  tree: ResourceTree,
  marks: readonly MarkMembers[],
  nodes: ArrayLike<number>,
  asked: TraceWindow,
  task: Task,
): Promise<Float64Array> {
  const uses = await usesOf(dataSet, found, asked, task);
  const shareOf = (node: number) =>
    elementOf[node] === NONE || tree.kinds[node] === "zone" ? NaN : uses[elementOf[node]].share;
  return Float64Array.from(marks, ({ node, members }) => {
    const known = members.map(shareOf).filter((share) => !Number.isNaN(share));
    const own = shareOf(nodes[node]);
    return known.length === 0 ? NaN : Number.isNaN(own) ? meanOf(known) : own;
  });
}

/** Copies and migrations of the window between devices and their host, as connections of nodes. */
export function transfersBetween(
  { found, nodeOf }: Machine,
  movement: Movement,
  { window }: TraceWindow,
  isChosen: (location: number) => boolean,
): Connection[] {
  return transferLinks(found, movement, window, isChosen).flatMap(({ from, to, count, bytes, bytesBack }) =>
    nodeOf[from] === NONE || nodeOf[to] === NONE
      ? []
      : [{ from: nodeOf[from], to: nodeOf[to], together: count, bytes: bytes + bytesBack }],
  );
}
