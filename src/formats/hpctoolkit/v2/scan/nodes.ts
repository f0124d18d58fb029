import type { FormatError } from "../../../../model/errors";
import { damagedFile } from "../../../../model/errors";
import { NONE } from "../../../../model/ids";
import { IntColumn } from "../../../../model/columns";

/**
 * The elements of the tree as the file has them, parents before children; node 0 is the element around all of them, which
 * stands for the whole program. Several nodes may be one context: the database keeps apart what has the same path.
 */
export class Nodes {
  readonly parent = new IntColumn();
  /** Context of each node, provisional; NONE for node 0. */
  readonly context = new IntColumn();
  /** The database's own number of each node: row of the value files + 1. */
  readonly id = new IntColumn();

  constructor() {
    this.add(NONE, NONE, 1);
  }

  get size(): number {
    return this.id.length;
  }

  add(parent: number, context: number, id: number): number {
    this.parent.push(parent);
    this.context.push(context);
    this.id.push(id);
    return this.size - 1;
  }

  /** Node of each number below `count`, NONE where no node has it. `twice` is called for a number that two nodes have. */
  byId(count: number, twice: (id: number) => void): Int32Array {
    const nodes = new Int32Array(count).fill(NONE);
    for (let node = 0; node < this.size; node++) {
      const id = this.id.values[node];
      if (id < 0 || id >= count) continue;
      if (nodes[id] !== NONE) twice(id);
      nodes[id] = node;
    }
    return nodes;
  }

  /**
   * Exclusive values of all nodes: inclusive − Σ inclusive of the children (semantics 1). A node without a value stands for
   * its children: what lies below it is taken from the nearest one above that has a value.
   *
   * @param inclusive one value per node, 0 for none; becomes exclusive
   */
  subtractChildren(inclusive: Float64Array, scratch: ExclusiveScratch): void {
    const { above, children } = scratch;
    const parents = this.parent.values;
    above[0] = NONE;
    children.fill(0, 0, this.size);
    for (let node = 1; node < this.size; node++) {
      const parent = parents[node];
      const nearest = inclusive[parent] === 0 || !Number.isFinite(inclusive[parent]) ? above[parent] : parent;
      above[node] = nearest;
      if (nearest !== NONE && Number.isFinite(inclusive[node])) children[nearest] += inclusive[node];
    }
    for (let node = 0; node < this.size; node++) inclusive[node] -= children[node];
  }
}

const AGAIN = "copy experiment.xml again, or run hpcprof again";

/** Room for {@link Nodes.subtractChildren}, made once for all locations. */
export interface ExclusiveScratch {
  readonly above: Int32Array;
  readonly children: Float64Array;
}

export function exclusiveScratch({ size }: Nodes): ExclusiveScratch {
  return { above: new Int32Array(size), children: new Float64Array(size) };
}

/** Node of each number that the tree has. @throws FormatError where numbers are no numbering */
export function nodesById(nodes: Nodes, file: string): Int32Array {
  let most = 0;
  for (let node = 0; node < nodes.size; node++) most = Math.max(most, nodes.id.values[node]);
  // Numbers are given one after the other: a number far beyond the count is damage, and no reason to take room for it.
  if (most > 4 * nodes.size + 1024) throw scattered(file, most, nodes.size);
  return nodes.byId(most + 1, (id) => {
    throw twice(file, id);
  });
}

function twice(file: string, id: number): FormatError {
  const expected = "a number of its own for each node, which says where its values stand";
  return damagedFile(file, undefined, `node ${id} twice in experiment.xml`, expected, AGAIN);
}

function scattered(file: string, most: number, nodes: number): FormatError {
  const found = `node ${most} in experiment.xml, which has ${nodes} nodes`;
  return damagedFile(file, undefined, found, "nodes that are numbered one after the other", AGAIN);
}
