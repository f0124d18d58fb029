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

/** What an area is made of: itself, its children, or (from here on) two areas cut after its first slice, its second … */
const WHOLE = 0;
const CHILDREN = 1;
const CUT = 2;

/** Of an area at one strength: gain, loss, choice. */
const BYTES_OF_AREA = 18;
/** Of all that is kept of nodes, at however many strengths. */
const MOST_BYTES = 192e6;
/** To look only at nodes that are not the same at two strengths takes what is known at both, and in between. */
const FEWEST_SETS = 3;

/** The best partition of each interval of one node, at one strength. */
export interface NodeBest {
  readonly gain: Float64Array;
  readonly loss: Float64Array;
  readonly choice: Uint16Array;
}

/** By interval, of the children of one node. */
type NodeSums = Pick<NodeBest, "gain" | "loss">;

/** Nodes with an interval whose best partition may be another one at two strengths, children before their parents, and the best at both. */
export interface OpenNodes {
  readonly nodes: Int32Array;
  /** Undefined: they are not kept. */
  readonly ends?: { readonly low: readonly NodeBest[]; readonly high: readonly NodeBest[] };
  /** Where only the choices of leaves are kept. */
  readonly leaves?: ChoicesAtEnds;
}

/** All partitions of one model: what is the same for each strength is kept. */
export class Partitions {
  /** By node, at the strength that was looked at last; of large models sums are known while their parents are worked on. */
  private readonly bests: NodeBest[];
  /** Memory for others: with arrays of its own for each strength, one partition took half as long again. */
  private readonly free: NodeBest[] = [];
  /** How many there are, free or not. */
  private made = 0;
  private readonly isKept: boolean;
  /** There is one resource, so that nothing has to be known of intervals but where the best partition cuts them. */
  private readonly isSequence: boolean;
  /** By node: an earlier sibling without children and with the same areas, whose best partitions it has; else itself. */
  private readonly twinOf: Int32Array;
  /** Of large models. */
  private readonly leafChoices: LeafChoices | undefined;
  /** By interval of the leaf at hand: it is made of the same at both ends, and so is what it is cut into. */
  private readonly isSame: Uint8Array;
  /** By node: somebody has what is known of it. */
  private readonly isRead: Uint8Array;
  private readonly root: number;
  /** Where the intervals that begin with a slice start, less that slice: what its last slice is added to. */
  private readonly rows: Int32Array;
  /** What the best of each interval of the node at hand is worth. */
  private readonly value: Float64Array;
  /** By last slice, of the intervals that begin with the slice at hand: what a better one must be worth. */
  private readonly least: Float64Array;
  /** By inner node of a large model: what those of its children that were looked at have together. */
  private readonly below = new Map<number, NodeSums>();
  private readonly parentOf: Int32Array;
  /** By node: others have its best partitions. */
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
    // What is kept of nodes belongs to each of them.
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
   * The partition into areas with the largest Σ p · gain − (1 − p) · loss: of each node and interval the best of the area as one part, the
   * best partitions of its children, and those of two intervals that it is cut into (Dosimont et al. 2014, the recursion of section 4.3 of
   * the formats). Of equal ones the larger gain, then the smaller loss, then the first of that order.
   *
   * @param strength p, 0 to 1
   * @throws CancelledError, after which only what was read is known
   */
  best(strength: number, task?: Task): Partition {
    return this.bestWithin(strength, this.nodes.order, task);
  }

  /**
   * The best partition at a strength between two, of which only {@link OpenNodes} are looked at.
   *
   * @param leaves what they are made of at both
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

  /** Of all that is kept. */
  get bytes(): number {
    return this.made * BYTES_OF_AREA * this.areas.intervals + (this.leafChoices?.bytes ?? 0);
  }

  /**
   * What is known of nodes at the strength that was looked at last: the caller's until it is given back.
   *
   * @returns undefined where more would have to be kept than there is room for
   */
  read(nodes: Int32Array): readonly NodeBest[] | undefined {
    const { bests, free, isKept, isRead, made, mostBytes } = this;
    // These nodes need others for the next strength.
    const needed = made - free.length + nodes.length;
    if (!isKept || needed * BYTES_OF_AREA * this.areas.intervals > mostBytes) return undefined;
    for (const node of nodes) isRead[node] = 1;
    return Array.from(nodes, (node) => bests[node]);
  }

  /** Makes nodes what they were when this was read. */
  write(nodes: Int32Array, read: readonly NodeBest[]): void {
    const { bests, free, isRead } = this;
    nodes.forEach((node, at) => {
      if (isRead[node] === 0) free.push(bests[node]);
      bests[node] = read[at];
      isRead[node] = 1;
    });
  }

  /** What was read is not needed any more, nor what nodes are now of which it was read: others are found or written before they are looked at. */
  release(bests: readonly NodeBest[]): void {
    for (const best of bests) this.free.push(best);
  }

  /** What leaves are made of at the strength that was looked at last: the caller's until it is given back. @returns undefined without room */
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

  /** Finds a leaf at a strength between two, from its choices at both. */
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

  /** What each interval is worth as one part. */
  private valueWhole({ gain, loss }: NodeBest, strength: number): void {
    const { value } = this;
    const rest = 1 - strength;
    for (let at = 0; at < gain.length; at++) value[at] = strength * gain[at] - rest * loss[at];
  }

  /** Gains and losses of a leaf whose choices are known: those at both strengths around this one. Their worth is not needed. */
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

  /** Adds what was found of a node to its parent's sums: of large models it is not kept until the parent is worked on. */
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

  /** What the children of a node have together. */
  private takeBelow(node: number): NodeSums {
    const { below, areas, bests } = this;
    const known = below.get(node);
    below.delete(node);
    if (known) return known;
    const sums = sumsOfNothing(areas.intervals);
    for (const child of this.nodes.children[node]) addTo(sums, bests[child]);
    return sums;
  }

  /** Takes the children of a node where they are better than it as one part. */
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
   * Takes two intervals where they are better than one: later first slices come before earlier ones, so that a rest is known. Nearly all
   * cuts are no better, which the innermost loop finds with two numbers; gain and loss are added up once an interval, when its cut is known.
   */
  private cut(own: NodeBest): void {
    const { slices, rows, value, least } = this;
    const { gain, loss, choice } = own;
    for (let from = slices - 2; from >= 0; from--) {
      const row = rows[from];
      for (let to = from + 1; to < slices; to++) least[to] = leastBetter(value[row + to]);
      for (let cut = from; cut < slices - 1; cut++) {
        // A first part that is cut itself has been tried with the cut that is in it.
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
   * {@link cut} of a leaf at a strength between two. An interval that is made of the same at both is so in between (see {@link differing});
   * of the others all cuts are tried.
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

  /** Tries all cuts of one interval, where those within it and with later first slices are known. @returns its choice */
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

  /** Of two that may be worth the same. */
  private isBetterCut(own: NodeBest, from: number, cut: number, to: number, value: number, before: number): boolean {
    if (!isEqual(value, before)) return value > before;
    const [gain, loss] = this.sumsOf(own, from, CUT + cut - from, to);
    const [gainBefore, lossBefore] = this.sumsOf(own, from, own.choice[this.rows[from] + to], to);
    return isBetter(value, gain, loss, before, gainBefore, lossBefore);
  }

  /** Gain and loss of an interval with this choice, where intervals with later first slices are known. */
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
      // In one number, by which they are sorted.
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
 * By node: the first of its siblings that has no children and the same areas, else itself. Ranks of a run often do the same: the best
 * partitions of all of them are found once.
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
      // Few are alike in what they gain and lose in all and not in all parts.
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
 * Of nodes at two strengths those that are not alike; between these no other can change: what a partition is worth is linear in the strength,
 * so what the best one is worth is convex, and where it is one partition at both ends it is that in between.
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
