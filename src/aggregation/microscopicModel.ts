/**
 * The microscopic model of a trace: how much of each state each leaf resource has in each slice of time, and which resources are part of
 * which (Dosimont et al., "A Spatiotemporal Data Aggregation Technique for Performance Analysis of Large-scale Execution Traces", 2014).
 */
import { RequestError } from "../model/errors";

/** Parts, and the partitions made of them, are of leaves and inner nodes alike. */
export interface ResourceTree {
  readonly leaves: number;
  /** Of each node, leaves first; -1: a root. */
  readonly parents: Int32Array;
}

export interface MicroscopicModel extends ResourceTree {
  readonly states: number;
  /** Of states; absent: they have numbers. */
  readonly names?: readonly string[];
  readonly slices: number;
  /** Not negative: value of leaf h, state k and slice t at (h · states + k) · slices + t. */
  readonly values: Float64Array;
}

/** A resource tree from its leaves on: children and leaves of each node. */
export interface NodeOrder {
  /** All nodes, children before their parents. */
  readonly order: Int32Array;
  readonly children: readonly (readonly number[])[];
  /** How many leaves each node has below it; a leaf has itself. */
  readonly sizes: Int32Array;
}

/** More cannot be numbered, and would not be seen. */
const MOST_NODES = 1 << 20;

/** @throws RequestError where the parents are no tree with these leaves */
export function nodeOrder({ leaves, parents }: ResourceTree): NodeOrder {
  const nodes = parents.length;
  if (nodes > MOST_NODES || leaves < 1 || leaves > nodes)
    throw new RequestError(`A model of ${leaves} leaves and ${nodes} nodes can't be aggregated.`);
  const children: number[][] = Array.from({ length: nodes }, () => []);
  const roots: number[] = [];
  for (let node = 0; node < nodes; node++) {
    const parent = parents[node];
    if (parent === -1) roots.push(node);
    else if (parent >= leaves && parent < nodes) children[parent].push(node);
    else throw new RequestError(`Node ${node} of the model has the parent ${parent}, which is no inner node.`);
  }
  if (roots.length !== 1) throw new RequestError(`The model has ${roots.length} roots; one is needed.`);
  // From the root on, then backwards: whatever is not reached lies on a cycle.
  const order = new Int32Array(nodes);
  let count = 0;
  for (const stack = [roots[0]]; stack.length > 0;) {
    const node = stack.pop() ?? 0;
    order[count++] = node;
    for (const child of children[node]) stack.push(child);
  }
  if (count < nodes) throw new RequestError("The resources of the model are their own parents.");
  order.reverse();
  const sizes = new Int32Array(nodes);
  for (const node of order) {
    if (node < leaves) sizes[node] = 1;
    else if (children[node].length === 0) throw new RequestError(`Node ${node} of the model has no leaves below it.`);
    for (const child of children[node]) sizes[node] += sizes[child];
  }
  return { order, children, sizes };
}

/**
 * The same model with one leaf that has each state of each leaf as a state of its own: what is aggregated over time alone (formats,
 * "temporal").
 */
export function overTimeAlone({ leaves, states, slices, values }: MicroscopicModel): MicroscopicModel {
  return { leaves: 1, parents: Int32Array.of(-1), states: leaves * states, slices, values };
}

/** The same model with each slice as states of their own: what is aggregated over the hierarchy alone. */
export function overResourcesAlone(model: MicroscopicModel): MicroscopicModel {
  const { leaves, parents, states, slices, values } = model;
  return { leaves, parents, states: states * slices, slices: 1, values };
}

/** Numbers of intervals [i, j] of T slices, i ≤ j: rows of one i are together. */
export function intervalAt(slices: number, from: number, to: number): number {
  return from * slices - (from * (from - 1)) / 2 + (to - from);
}

export function intervalCount(slices: number): number {
  return (slices * (slices + 1)) / 2;
}
