/** What is unlike the rest of a model, in time and in space (semantics 11). */
import { type Areas, areaOfValues } from "./areas";
import { intervalAt, type MicroscopicModel, type NodeOrder } from "./microscopicModel";
import type { Task } from "../model/task";
import { Modes } from "./modes";
import type { Partition } from "./partition";

export interface UnlikeFinding {
  /** Leaves that are cut where the others are not; leaves that are in another state than those beside them. */
  readonly kind: "time" | "space";
  /** First and last slice; of one in time those from the first boundary to the last, which have no length where there is one alone. */
  readonly boundaries: readonly number[];
  readonly leaves: readonly number[];
  /** Information that would be lost if they were as the rest: in the model's unit, times bits. */
  readonly strength: number;
}

/** More are not looked at. */
export const MOST_FINDINGS = 20;
/** Boundaries of one finding are no farther from each other. */
const NEAR = 2;

/** @param partitions the significant ones, by ascending strength of aggregation @returns those in time first, each kind strongest first */
export function unlikeTheRest(
  model: MicroscopicModel,
  nodes: NodeOrder,
  areas: Areas,
  partitions: readonly Partition[],
  task?: Task,
): UnlikeFinding[] {
  const byStrength = (a: UnlikeFinding, b: UnlikeFinding) => b.strength - a.strength;
  const inTime = unlikeInTime(model, nodes, areas, partitions, task).sort(byStrength);
  return [...inTime, ...unlikeInSpace(model, nodes).sort(byStrength)].slice(0, MOST_FINDINGS);
}

/** Leaves that a partition cuts at one boundary, and how much is between. */
interface Cut {
  readonly boundary: number;
  readonly leaves: readonly number[];
  readonly strength: number;
}

function unlikeInTime(
  model: MicroscopicModel,
  nodes: NodeOrder,
  areas: Areas,
  partitions: readonly Partition[],
  task: Task | undefined,
): UnlikeFinding[] {
  const cuts = new Array<Cut | undefined>(model.slices);
  for (const partition of [...partitions].reverse()) {
    task?.check();
    const parts = new PartsOfLeaves(model, nodes, partition);
    for (let boundary = 1; boundary < model.slices; boundary++) {
      if (cuts[boundary]) continue;
      const leaves = parts.cutAt(boundary);
      if (leaves.length === 0 || 2 * leaves.length > model.leaves) continue;
      const strength = leaves.reduce((sum, leaf) => sum + parts.between(leaf, boundary, areas), 0);
      cuts[boundary] = { boundary, leaves, strength };
    }
  }
  const findings: (UnlikeFinding & { boundaries: number[] })[] = [];
  const latest = new Map<string, UnlikeFinding & { boundaries: number[]; strength: number }>();
  for (const cut of cuts) {
    if (!cut) continue;
    const key = cut.leaves.join(" ");
    const known = latest.get(key);
    if (known && cut.boundary - known.boundaries[known.boundaries.length - 1] <= NEAR) {
      known.boundaries.push(cut.boundary);
      known.strength += cut.strength;
    } else {
      const finding = { kind: "time" as const, boundaries: [cut.boundary], leaves: cut.leaves, strength: cut.strength };
      latest.set(key, finding);
      findings.push(finding);
    }
  }
  return findings;
}

/** The parts of a partition leaf by leaf. */
class PartsOfLeaves {
  /** By leaf and slice: where the part begins that has it. */
  private readonly start: Int32Array;
  private readonly slices: number;

  constructor(
    private readonly model: MicroscopicModel,
    nodes: NodeOrder,
    { count, node, start, end }: Partition,
  ) {
    this.slices = model.slices;
    this.start = new Int32Array(model.leaves * this.slices);
    for (let part = 0; part < count; part++)
      for (const leaf of leavesBelow(nodes, node[part]))
        this.start.fill(start[part], leaf * this.slices + start[part], leaf * this.slices + end[part] + 1);
  }

  cutAt(boundary: number): number[] {
    const cut: number[] = [];
    for (let leaf = 0; leaf < this.model.leaves; leaf++)
      if (this.start[leaf * this.slices + boundary] === boundary) cut.push(leaf);
    return cut;
  }

  /** What a leaf would lose if its parts before and after a boundary were one. */
  between(leaf: number, boundary: number, { loss, intervals }: Areas): number {
    const { slices } = this;
    const before = this.start[leaf * slices + boundary - 1];
    let end = boundary;
    while (end + 1 < slices && this.start[leaf * slices + end + 1] === boundary) end++;
    const of = (from: number, to: number) => loss[leaf * intervals + intervalAt(slices, from, to)];
    return of(before, end) - of(before, boundary - 1) - of(boundary, end);
  }
}

/** Of the deepest level where some leaves of a node, fewer than half of them, are mostly in another state than the node. */
function unlikeInSpace(model: MicroscopicModel, nodes: NodeOrder): UnlikeFinding[] {
  const depth = depthsOf(nodes);
  const inner = Array.from(nodes.order).filter((node) => node >= model.leaves);
  const modeOfNode = modesOver(model, nodes);
  const deepest = inner.reduce((most, node) => Math.max(most, depth[node]), 0);
  for (let level = deepest; level >= 0; level--) {
    const leaves: number[] = [];
    let strength = 0;
    for (const node of inner) {
      if (depth[node] !== level) continue;
      const all = leavesBelow(nodes, node);
      const others = all.filter((leaf) => modeOfNode[leaf] !== modeOfNode[node]);
      if (others.length === 0 || 2 * others.length >= all.length) continue;
      const rest = all.filter((leaf) => modeOfNode[leaf] === modeOfNode[node]);
      for (const leaf of others) leaves.push(leaf);
      strength += lossOf(model, all) - lossOf(model, rest);
    }
    if (leaves.length > 0)
      return [{ kind: "space", boundaries: [0, model.slices], leaves: leaves.sort((a, b) => a - b), strength }];
  }
  return [];
}

/** By node: what it is in most over the whole window. */
function modesOver(model: MicroscopicModel, { order }: NodeOrder): Int32Array {
  const { leaves, states, slices, values, parents } = model;
  const sums = new Float64Array(parents.length * states);
  for (let row = 0, at = 0; row < leaves * states; row++)
    for (const end = at + slices; at < end; at++) sums[row] += values[at];
  for (const node of order)
    if (parents[node] >= 0)
      for (let state = 0; state < states; state++) sums[parents[node] * states + state] += sums[node * states + state];
  const modes = new Modes(model);
  return Int32Array.from(parents, (_, node) => modes.of(sums.subarray(node * states, (node + 1) * states)).state);
}

/** What some leaves lose over the whole window as one part. */
function lossOf({ states, slices, values }: MicroscopicModel, leaves: readonly number[]): number {
  let loss = 0;
  for (let state = 0; state < states; state++) {
    const own = leaves.flatMap((leaf) =>
      Array.from(values.subarray((leaf * states + state) * slices, (leaf * states + state + 1) * slices)),
    );
    loss += areaOfValues(own).loss;
  }
  return loss;
}

function depthsOf({ order, children }: NodeOrder): Int32Array {
  const depths = new Int32Array(order.length);
  for (const node of [...order].reverse()) for (const child of children[node]) depths[child] = depths[node] + 1;
  return depths;
}

export function leavesBelow({ children }: NodeOrder, node: number): number[] {
  const leaves: number[] = [];
  for (const stack = [node]; stack.length > 0;) {
    const one = stack.pop() ?? node;
    if (children[one].length === 0) leaves.push(one);
    else for (const child of children[one]) stack.push(child);
  }
  return leaves.sort((a, b) => a - b);
}
