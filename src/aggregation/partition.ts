/** The best partition of a microscopic model at one strength of aggregation. */
import type { Task } from "../model/task";
import { NONE } from "../model/ids";
import { entryOf } from "../model/maps";
import type { Areas } from "./areas";
import { EQUAL, isBetter, isEqual, leastBetter } from "./better";
import { type Choices, type ChoicesAtEnds, LeafChoices } from "./leafChoices";
import { intervalAt, type NodeOrder } from "./microscopicModel";
import { bestSequence } from "./sequence";

/** Parts by ascending node and first slice; `end` is the last slice. */
export interface Partition {
  readonly count: number;
  readonly node: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly gain: number;
  readonly loss: number;
}

/** Choices for an area: one part, its children, or a cut. `CUT` + k cuts after slice k of the area, counted from 0. */
const WHOLE = 0;
const CHILDREN = 1;
const CUT = 2;

/** Bytes of gain, loss and choice of an area at one strength. */
const BYTES_OF_AREA = 18;
/** Maximum bytes of all kept results, at any number of strengths. */
const MOST_BYTES = 192e6;
/** Minimum number of kept results per node: those at two strengths and one in between, to search only nodes that differ. */
const FEWEST_SETS = 3;

/** The best partition of each interval of one node, at one strength. */
export interface NodeBest {
  readonly gain: Float64Array;
  readonly loss: Float64Array;
  readonly choice: Uint16Array;
}

/** Sums over the children of one node, by interval. */
type NodeSums = Pick<NodeBest, "gain" | "loss">;

/** Nodes whose best partitions differ between two strengths, children before their parents, with the results at both. */
export interface OpenNodes {
  readonly nodes: Int32Array;
  /** Results at both strengths. Undefined if the model is too large to keep them. */
  readonly ends?: { readonly low: readonly NodeBest[]; readonly high: readonly NodeBest[] };
  /** Choices of leaves at both strengths, for a large model. */
  readonly leaves?: ChoicesAtEnds;
}

/** All partitions of one model. Keeps results that are the same at several strengths. */
export class Partitions {
  /** Results by node, at the last strength. In a large model only until the sums of the parent are complete. */
  private readonly bests: NodeBest[];
  /** Arrays for reuse. Allocating them for each strength made a partition 1.5 times as slow. */
  private readonly free: NodeBest[] = [];
  /** Number of results that were allocated, free ones included. */
  private made = 0;
  /** Results of all nodes fit into memory. If false, the model is called large here. */
  private readonly isKept: boolean;
  /** There is one resource, so that only the cuts of the best partition are needed. */
  private readonly isSequence: boolean;
  /** The node whose results each node shares: an earlier sibling leaf with the same areas, otherwise itself. */
  private readonly twinOf: Int32Array;
  /** Undefined if the model is not large. */
  private readonly leafChoices: LeafChoices | undefined;
  /** 1 for each interval of the present leaf whose whole partition is the same at both strengths. */
  private readonly isSame: Uint8Array;
  /** 1 for each node whose results a caller of {@link read} has. */
  private readonly isRead: Uint8Array;
  private readonly root: number;
  /** Index of each first slice. The index of an interval is this plus its last slice. */
  private readonly rows: Int32Array;
  /** Value of the best partition of each interval of the present node: p · gain − (1 − p) · loss. */
  private readonly value: Float64Array;
  /** Least value that makes a cut better than the best one so far, for the interval from the present first slice to each last slice. */
  private readonly least: Float64Array;
  /** Sums over those children that are done, by inner node of a large model. */
  private readonly below = new Map<number, NodeSums>();
  private readonly parentOf: Int32Array;
  /** 1 for each node whose results other nodes share. */
  private readonly isShared: Uint8Array;

  constructor(
    private readonly slices: number,
    private readonly nodes: NodeOrder,
    private readonly areas: Areas,
    private readonly mostBytes = MOST_BYTES,
  ) {
    this.isSequence = nodes.order.length === 1;
    const intervals = this.isSequence ? 0 : areas.intervals;
    this.isKept = !this.isSequence && FEWEST_SETS * BYTES_OF_AREA * areas.gain.length <= mostBytes;
    // Kept results belong to a node each, so twins are not used.
    this.twinOf = this.isKept ? Int32Array.from(nodes.order.keys()) : twinsOf(nodes, areas);
    this.bests = Array.from(this.twinOf, (twin, node) =>
      this.isKept ? this.another() : choicesOf(twin === node ? intervals : 0),
    );
    this.leafChoices =
      this.isKept || this.isSequence ? undefined : new LeafChoices(nodes, this.twinOf, intervals, slices, mostBytes);
    this.isSame = new Uint8Array(this.leafChoices ? intervals : 0);
    this.isRead = new Uint8Array(nodes.order.length);
    this.root = nodes.order[nodes.order.length - 1];
    this.rows = Int32Array.from({ length: slices }, (_, from) => intervalAt(slices, from, from) - from);
    this.value = new Float64Array(intervals);
    this.least = new Float64Array(slices);
    this.parentOf = new Int32Array(nodes.order.length).fill(NONE);
    nodes.children.forEach((children, node) => children.forEach((child) => (this.parentOf[child] = node)));
    this.isShared = new Uint8Array(nodes.order.length);
    this.twinOf.forEach((twin, node) => {
      if (twin !== node) this.isShared[twin] = 1;
    });
  }

  /**
   * The partition into areas with the largest Σ p · gain − (1 − p) · loss. For each node and interval it is the best of three: the area as one
   * part, the best partitions of its children, or those of the two intervals of a cut (Dosimont et al. 2014, the recursion of section 4.3 of
   * the formats). Among equal values the larger gain wins, then the smaller loss, then the first in this order.
   *
   * @param strength p, 0 to 1
   * @throws CancelledError. Only results that were read are valid then
   */
  best(strength: number, task?: Task): Partition {
    return this.bestWithin(strength, this.nodes.order, task);
  }

  /**
   * The best partition at a strength between two others. Only the nodes that differ between these are searched.
   *
   * @param open nodes that differ, see {@link OpenNodes}
   * @param leaves choices of leaves at both strengths
   */
  bestWithin(strength: number, open: Int32Array, task?: Task, leaves?: ChoicesAtEnds): Partition {
    const { bests, free, isKept, isRead, twinOf, below } = this;
    if (this.isSequence) return this.ofSequence(strength);
    below.clear();
    for (const node of open) {
      task?.check();
      if (twinOf[node] === node) {
        const before = bests[node];
        const { gain, loss, choice } = free.pop() ?? this.another();
        bests[node] = { gain, loss, choice: isKept ? choice : before.choice };
        this.find(bests[node], node, strength, leaves);
        if (isKept && isRead[node] === 0) free.push(before);
        isRead[node] = 0;
      } else bests[node] = bests[twinOf[node]];
      if (!isKept) this.addToParent(node);
    }
    return this.parts(bests[this.root]);
  }

  /** Bytes of all kept results. */
  get bytes(): number {
    return this.made * BYTES_OF_AREA * this.areas.intervals + (this.leafChoices?.bytes ?? 0);
  }

  /**
   * Results of nodes at the last strength. They belong to the caller until {@link release}.
   *
   * @returns undefined if there is no room to keep them
   */
  read(nodes: Int32Array): readonly NodeBest[] | undefined {
    const { bests, free, isKept, isRead, made, mostBytes } = this;
    // These nodes need new arrays for the next strength.
    const needed = made - free.length + nodes.length;
    if (!isKept || needed * BYTES_OF_AREA * this.areas.intervals > mostBytes) return undefined;
    for (const node of nodes) isRead[node] = 1;
    return Array.from(nodes, (node) => bests[node]);
  }

  /** Restores results that were read before. */
  write(nodes: Int32Array, read: readonly NodeBest[]): void {
    const { bests, free, isRead } = this;
    nodes.forEach((node, at) => {
      if (isRead[node] === 0) free.push(bests[node]);
      bests[node] = read[at];
      isRead[node] = 1;
    });
  }

  /** Frees results that were read. Their nodes have no valid results until they are searched or written again. */
  release(bests: readonly NodeBest[]): void {
    for (const best of bests) this.free.push(best);
  }

  /** Choices of leaves at the last strength. They belong to the caller until {@link releaseLeaves}. @returns undefined if there is no room */
  readLeaves(): Choices | undefined {
    return this.leafChoices?.copy(this.bests);
  }

  releaseLeaves(choices: Choices): void {
    this.leafChoices?.release(choices);
  }

  private ofSequence(strength: number): Partition {
    const { ends, gain, loss } = bestSequence(this.slices, this.areas, strength);
    const count = ends.length;
    const start = Int32Array.from(ends, (_, part) => (part === 0 ? 0 : ends[part - 1] + 1));
    return { count, node: new Int32Array(count).fill(this.root), start, end: Int32Array.from(ends), gain, loss };
  }

  private another(): NodeBest {
    const { intervals } = this.areas;
    this.made++;
    return { gain: new Float64Array(intervals), loss: new Float64Array(intervals), choice: new Uint16Array(intervals) };
  }

  private find(own: NodeBest, node: number, strength: number, leaves: ChoicesAtEnds | undefined): void {
    const { leafChoices } = this;
    const isInner = this.nodes.children[node].length > 0;
    if (leafChoices && leaves && !isInner) {
      this.findLeaf(own, node, strength, leafChoices.firstOf(node), leaves);
      return;
    }
    this.takeWhole(own, node);
    this.valueWhole(own, strength);
    if (isInner) this.divide(own, this.takeBelow(node), strength);
    this.cut(own);
  }

  /** Finds the best partitions of a leaf at a strength between two others, from its choices at both. */
  private findLeaf(own: NodeBest, node: number, strength: number, first: number, leaves: ChoicesAtEnds): void {
    const { low, high } = leaves;
    const last = first + this.areas.intervals;
    let change = first;
    while (change < last && low[change] === high[change]) change++;
    this.takeWhole(own, node);
    if (change === last) this.addChosen(own, low, first);
    else {
      this.valueWhole(own, strength);
      this.cutBetween(own, first, leaves);
    }
  }

  /** Makes each interval of a node one part. */
  private takeWhole({ gain, loss, choice }: NodeBest, node: number): void {
    const { areas } = this;
    const { intervals, whole } = areas;
    const first = node * intervals;
    gain.set(areas.gain.subarray(first, first + intervals));
    loss.set(areas.loss.subarray(first, first + intervals));
    choice.fill(WHOLE);
    if (whole) {
      for (let at = 0; at < intervals; at++) {
        gain[at] /= whole.gain;
        loss[at] /= whole.loss;
      }
    }
  }

  /** Computes the value of each interval as one part. */
  private valueWhole({ gain, loss }: NodeBest, strength: number): void {
    const { value } = this;
    const rest = 1 - strength;
    for (let at = 0; at < gain.length; at++) value[at] = strength * gain[at] - rest * loss[at];
  }

  /** Gains and losses of a leaf whose choices are the same at both strengths around this one. Values are not needed then. */
  private addChosen({ gain, loss, choice }: NodeBest, choices: Choices, first: number): void {
    const { slices, rows } = this;
    for (let from = slices - 1; from >= 0; from--) {
      const row = rows[from];
      for (let to = from + 1; to < slices; to++) {
        const at = row + to;
        const chosen = choices[first + at];
        if (chosen < CUT) continue;
        const left = row + from + chosen - CUT;
        const right = rows[from + chosen - CUT + 1] + to;
        choice[at] = chosen;
        gain[at] = gain[left] + gain[right];
        loss[at] = loss[left] + loss[right];
      }
    }
  }

  /** Adds the results of a node to the sums of its parent. A large model does not keep them until the parent's turn. */
  private addToParent(node: number): void {
    const { bests, below, free, isShared, parentOf, twinOf } = this;
    const { children } = this.nodes;
    for (const child of children[node]) if (isShared[child] === 1) free.push(bests[child]);
    const parent = parentOf[node];
    if (parent === NONE) return;
    addTo(
      entryOf(below, parent, () => sumsOfNothing(this.areas.intervals)),
      bests[node],
    );
    if (twinOf[node] === node && isShared[node] === 0) free.push(bests[node]);
  }

  /** Sums over the children of a node. */
  private takeBelow(node: number): NodeSums {
    const { below, areas, bests } = this;
    const known = below.get(node);
    below.delete(node);
    if (known) return known;
    const sums = sumsOfNothing(areas.intervals);
    for (const child of this.nodes.children[node]) addTo(sums, bests[child]);
    return sums;
  }

  /** Chooses the children of a node for each interval in which they are better than one part. */
  private divide({ gain, loss, choice }: NodeBest, below: NodeSums, strength: number): void {
    const { value } = this;
    for (let at = 0; at < gain.length; at++) {
      const [otherGain, otherLoss] = [below.gain[at], below.loss[at]];
      const other = strength * otherGain - (1 - strength) * otherLoss;
      if (!isBetter(other, otherGain, otherLoss, value[at], gain[at], loss[at])) continue;
      choice[at] = CHILDREN;
      value[at] = other;
      gain[at] = otherGain;
      loss[at] = otherLoss;
    }
  }

  /**
   * Chooses a cut for each interval in which it is better. First slices descend, so that the second interval of each cut is done. The
   * innermost loop rejects most cuts with two numbers. Gain and loss are added once per interval, when its cut is final.
   */
  private cut(own: NodeBest): void {
    const { slices, rows, value, least } = this;
    const { gain, loss, choice } = own;
    for (let from = slices - 2; from >= 0; from--) {
      const row = rows[from];
      for (let to = from + 1; to < slices; to++) least[to] = leastBetter(value[row + to]);
      for (let cut = from; cut < slices - 1; cut++) {
        // A first interval that is cut itself was tried with its own cut already.
        if (choice[row + cut] >= CUT) continue;
        const worth = value[row + cut];
        const rest = rows[cut + 1];
        for (let to = cut + 1; to < slices; to++) {
          const both = worth + value[rest + to];
          if (both < least[to]) continue;
          const at = row + to;
          const before = value[at];
          const isMore = both - before > EQUAL * Math.max(Math.abs(both), Math.abs(before));
          if (!isMore && !this.isBetterCut(own, from, cut, to, both, before)) continue;
          choice[at] = CUT + cut - from;
          value[at] = both;
          least[to] = leastBetter(both);
        }
      }
      for (let to = from + 1; to < slices; to++) {
        const chosen = choice[row + to];
        if (chosen < CUT) continue;
        const cut = from + chosen - CUT;
        gain[row + to] = gain[row + cut] + gain[rows[cut + 1] + to];
        loss[row + to] = loss[row + cut] + loss[rows[cut + 1] + to];
      }
    }
  }

  /**
   * {@link cut} of a leaf at a strength between two others. An interval with the same partition at both keeps it in between (see
   * {@link differing}). For the others all cuts are tried.
   */
  private cutBetween(own: NodeBest, first: number, { low, high }: ChoicesAtEnds): void {
    const { slices, rows, value, isSame } = this;
    const { gain, loss, choice } = own;
    for (let from = slices - 1; from >= 0; from--) {
      const row = rows[from];
      for (let to = from; to < slices; to++) {
        const at = row + to;
        let chosen = low[first + at];
        if (chosen !== high[first + at]) isSame[at] = 0;
        else if (chosen < CUT) isSame[at] = 1;
        else isSame[at] = isSame[row + from + chosen - CUT] & isSame[rows[from + chosen - CUT + 1] + to];
        if (isSame[at] === 0) chosen = this.bestCut(own, from, to);
        if (chosen < CUT) continue;
        const left = row + from + chosen - CUT;
        const right = rows[from + chosen - CUT + 1] + to;
        choice[at] = chosen;
        value[at] = value[left] + value[right];
        gain[at] = gain[left] + gain[right];
        loss[at] = loss[left] + loss[right];
      }
    }
  }

  /** Tries all cuts of one interval, after all intervals within it. @returns its choice */
  private bestCut(own: NodeBest, from: number, to: number): number {
    const { rows, value } = this;
    const { choice } = own;
    const row = rows[from];
    const at = row + to;
    let before = value[at];
    let least = leastBetter(before);
    for (let cut = from; cut < to; cut++) {
      const both = value[row + cut] + value[rows[cut + 1] + to];
      if (both < least || choice[row + cut] >= CUT) continue;
      const isMore = both - before > EQUAL * Math.max(Math.abs(both), Math.abs(before));
      if (!isMore && !this.isBetterCut(own, from, cut, to, both, before)) continue;
      choice[at] = CUT + cut - from;
      before = both;
      least = leastBetter(both);
    }
    return choice[at];
  }

  /** Compares a cut with the present choice, whose values may be equal. */
  private isBetterCut(own: NodeBest, from: number, cut: number, to: number, value: number, before: number): boolean {
    if (!isEqual(value, before)) return value > before;
    const [gain, loss] = this.sumsOf(own, from, CUT + cut - from, to);
    const [gainBefore, lossBefore] = this.sumsOf(own, from, own.choice[this.rows[from] + to], to);
    return isBetter(value, gain, loss, before, gainBefore, lossBefore);
  }

  /** Gain and loss of an interval with this choice. Intervals with later first slices must be done. */
  private sumsOf({ gain, loss }: NodeBest, from: number, chosen: number, to: number): readonly [number, number] {
    const row = this.rows[from];
    if (chosen < CUT) return [gain[row + to], loss[row + to]];
    const cut = from + chosen - CUT;
    const rest = this.rows[cut + 1] + to;
    return [gain[row + cut] + gain[rest], loss[row + cut] + loss[rest]];
  }

  private parts(best: NodeBest): Partition {
    const { slices, nodes, bests, rows, root } = this;
    const found: number[] = [];
    for (const stack = [root, 0, slices - 1]; stack.length > 0;) {
      const [to = 0, from = 0, node = 0] = [stack.pop(), stack.pop(), stack.pop()];
      const chosen = bests[node].choice[rows[from] + to];
      // Node and interval in one number, for sorting.
      if (chosen === WHOLE) found.push((node * slices + from) * slices + to);
      else if (chosen === CHILDREN) for (const child of nodes.children[node]) stack.push(child, from, to);
      else stack.push(node, from, from + chosen - CUT, node, from + chosen - CUT + 1, to);
    }
    const sorted = Float64Array.from(found).sort();
    const count = found.length;
    const [node, start, end] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
    for (let part = 0; part < count; part++) {
      const before = Math.floor(sorted[part] / slices);
      end[part] = sorted[part] - before * slices;
      node[part] = Math.floor(before / slices);
      start[part] = before - node[part] * slices;
    }
    const whole = slices - 1;
    return { count, node, start, end, gain: best.gain[whole], loss: best.loss[whole] };
  }
}

/**
 * The first sibling of each node with the same areas, neither with children, otherwise the node itself. Ranks of a run often do the same, and
 * their best partitions are then found only once.
 */
function twinsOf({ order, children }: NodeOrder, { gain, loss, intervals }: Areas): Int32Array {
  const twins = Int32Array.from(order.keys());
  const isAlike = (one: number, other: number) => {
    const [first, second] = [one * intervals, other * intervals];
    for (let at = 0; at < intervals; at++)
      if (gain[first + at] !== gain[second + at] || loss[first + at] !== loss[second + at]) return false;
    return true;
  };
  for (const siblings of children) {
    const byKey = new Map<string, number[]>();
    for (const node of siblings) {
      if (children[node].length > 0) continue;
      // Nodes with equal sums rarely differ in their intervals, so lists of a key are short.
      const whole = node * intervals;
      const key = `${gain[whole + intervals - 1]} ${loss[whole + intervals - 1]} ${sumOf(gain, whole, intervals)}`;
      const known = entryOf(byKey, key, () => []);
      const twin = known.find((other) => isAlike(node, other));
      if (twin === undefined) known.push(node);
      else twins[node] = twin;
    }
  }
  return twins;
}

function sumsOfNothing(intervals: number): NodeSums {
  return { gain: new Float64Array(intervals), loss: new Float64Array(intervals) };
}

function addTo(sums: NodeSums, { gain, loss }: NodeSums): void {
  for (let at = 0; at < gain.length; at++) {
    sums.gain[at] += gain[at];
    sums.loss[at] += loss[at];
  }
}

function sumOf(column: Float64Array, first: number, count: number): number {
  let sum = 0;
  for (let at = first; at < first + count; at++) sum += column[at];
  return sum;
}

function choicesOf(intervals: number): NodeBest {
  return { gain: new Float64Array(0), loss: new Float64Array(0), choice: new Uint16Array(intervals) };
}

/**
 * Nodes whose results differ between two strengths. No other node can change in between: the value of a partition is linear in the strength, so
 * the best value is convex. A partition that is best at both ends is therefore best in between.
 */
export function differing(nodes: Int32Array, low: readonly NodeBest[], high: readonly NodeBest[]): OpenNodes {
  const at = [...nodes.keys()].filter((one) => !isSameBest(low[one], high[one]));
  return {
    nodes: Int32Array.from(at, (one) => nodes[one]),
    ends: { low: at.map((one) => low[one]), high: at.map((one) => high[one]) },
  };
}

function isSameBest(one: NodeBest, other: NodeBest): boolean {
  if (one === other) return true;
  for (let at = 0; at < one.choice.length; at++)
    if (one.choice[at] !== other.choice[at] || one.gain[at] !== other.gain[at] || one.loss[at] !== other.loss[at])
      return false;
  return true;
}

export function isSamePartition(one: Partition, other: Partition): boolean {
  if (one.count !== other.count) return false;
  for (let at = 0; at < one.count; at++)
    if (one.node[at] !== other.node[at] || one.start[at] !== other.start[at] || one.end[at] !== other.end[at])
      return false;
  return true;
}
