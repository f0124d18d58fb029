/** The best partition of a microscopic model at one strength of aggregation. */
import type { Areas } from "./areas";
import { intervalAt, type NodeOrder } from "./microscopicModel";

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

/** Numbers of this relative difference are equal: rounding is no reason for another partition. */
const EQUAL = 1e-12;

/** What the best partitions of so many areas gain and lose is kept from one strength to the next: 16 bytes each. */
const MOST_KEPT = 3e6;

/** All partitions of one model: what is the same for each strength is kept. */
export class Partitions {
  private readonly choice: Uint16Array;
  /** Of the best partition of each area; undefined: of large models these are known while their parents are worked on. */
  private readonly kept: Sums | undefined;
  /** What the best of each interval of the node at hand is worth. */
  private readonly value: Float64Array;
  /** By last slice, of the intervals that begin with the slice at hand: what a better one must be worth. */
  private readonly least: Float64Array;
  private readonly root: number;

  constructor(
    private readonly slices: number,
    private readonly nodes: NodeOrder,
    private readonly areas: Areas,
    mostKept = MOST_KEPT,
  ) {
    const cells = areas.gain.length;
    this.choice = new Uint16Array(cells);
    this.kept = cells > mostKept ? undefined : { gain: new Float64Array(cells), loss: new Float64Array(cells) };
    this.value = new Float64Array(areas.intervals);
    this.least = new Float64Array(slices);
    this.root = nodes.order[nodes.order.length - 1];
  }

  /**
   * The partition into areas with the largest Σ p · gain − (1 − p) · loss: of each node and interval the best of the area as one part, the
   * best partitions of its children, and those of two intervals that it is cut into (Dosimont et al. 2014, the recursion of section 4.3 of
   * the formats). Of equal ones the larger gain, then the smaller loss, then the first of that order.
   *
   * @param strength p, 0 to 1
   */
  best(strength: number): Partition {
    const { nodes, slices, areas, kept } = this;
    const { intervals } = areas;
    const below = new Map<number, Sums>();
    for (const node of nodes.order) {
      const first = node * intervals;
      const column = (all: Float64Array) => all.subarray(first, first + intervals);
      const own = kept
        ? { gain: column(kept.gain), loss: column(kept.loss) }
        : { gain: new Float64Array(intervals), loss: new Float64Array(intervals) };
      const children = nodes.children[node];
      const sums = children.length > 0 ? addedUp(children, below, intervals) : undefined;
      for (let from = slices - 1; from >= 0; from--) {
        for (let to = from, at = intervalAt(slices, from, from); to < slices; to++, at++)
          this.uncut(
            first,
            at,
            to,
            strength,
            own,
            sums !== undefined,
            sums ? sums.gain[at] : 0,
            sums ? sums.loss[at] : 0,
          );
        this.cuts(first, from, from, slices - 1, own);
      }
      below.set(node, own);
    }
    const best = below.get(this.root);
    return this.parts(best ?? { gain: areas.gain, loss: areas.loss });
  }

  /**
   * Areas whose best partition is another one at two strengths; between these nothing else can change: what a partition is worth is linear
   * in the strength, so what the best one is worth is convex, and where it is one partition at both ends it is that in between.
   *
   * @returns undefined where what would tell is not kept
   */
  between(low: number, high: number): { low: Partition; high: Partition; open: OpenAreas | undefined } {
    const one = this.best(low);
    const before = this.kept && this.read(this.inOrder());
    const other = this.best(high);
    if (!before) return { low: one, high: other, open: undefined };
    return { low: one, high: other, open: differing(before, this.read(before.areas)) };
  }

  /** The best partition at a strength between two, of which only open areas are looked at. */
  bestWithin(strength: number, { areas: open }: AreaValues): Partition {
    const { slices, nodes, areas, kept, value, least } = this;
    const { intervals } = areas;
    if (!kept) return this.best(strength);
    for (let at = 0; at < open.length;) {
      const node = Math.floor(open[at] / intervals);
      const first = node * intervals;
      const column = (all: Float64Array) => all.subarray(first, first + intervals);
      const own = { gain: column(kept.gain), loss: column(kept.loss) };
      for (let one = 0; one < intervals; one++) value[one] = strength * own.gain[one] - (1 - strength) * own.loss[one];
      const children = nodes.children[node];
      // Areas of a node come with their first slices descending, last slices ascending.
      for (let from = slices - 1; from >= 0; from--) {
        const row = first + intervalAt(slices, from, from);
        const end = row + slices - from;
        if (!(open[at] >= row && open[at] < end)) continue;
        const firstOpen = from + open[at] - row;
        let lastOpen = firstOpen;
        least.fill(Infinity, firstOpen);
        for (; open[at] >= row && open[at] < end; at++) {
          const interval = open[at] - first;
          let [gain, loss] = [0, 0];
          for (const child of children) {
            gain += kept.gain[child * intervals + interval];
            loss += kept.loss[child * intervals + interval];
          }
          lastOpen = from + open[at] - row;
          this.uncut(first, interval, lastOpen, strength, own, children.length > 0, gain, loss);
        }
        this.cuts(first, from, firstOpen, lastOpen, own);
      }
    }
    const first = this.root * intervals;
    return this.parts({ gain: kept.gain.subarray(first), loss: kept.loss.subarray(first) });
  }

  /** What is known of areas at the strength that was looked at last. */
  read(areas: Int32Array): AreaValues {
    const { kept, choice } = this;
    const [gain, loss] = [new Float64Array(areas.length), new Float64Array(areas.length)];
    const choices = new Uint16Array(areas.length);
    for (let at = 0; at < areas.length; at++) {
      const area = areas[at];
      gain[at] = kept?.gain[area] ?? 0;
      loss[at] = kept?.loss[area] ?? 0;
      choices[at] = choice[area];
    }
    return { areas, gain, loss, choice: choices };
  }

  /** Makes areas what they were at another strength. */
  write({ areas, gain, loss, choice }: AreaValues): void {
    for (let at = 0; at < areas.length; at++) {
      const area = areas[at];
      if (this.kept) [this.kept.gain[area], this.kept.loss[area]] = [gain[at], loss[at]];
      this.choice[area] = choice[at];
    }
  }

  /** All areas, as they follow from each other. */
  private inOrder(): Int32Array {
    const { slices, nodes, areas } = this;
    const all = new Int32Array(areas.gain.length);
    let at = 0;
    for (const node of nodes.order)
      for (let from = slices - 1; from >= 0; from--)
        for (let to = from; to < slices; to++) all[at++] = node * areas.intervals + intervalAt(slices, from, to);
    return all;
  }

  /** An area as one part, or as its children; `childGain`, `childLoss`: of their best partitions together. */
  private uncut(
    first: number,
    at: number,
    to: number,
    strength: number,
    own: Sums,
    hasChildren: boolean,
    childGain: number,
    childLoss: number,
  ): void {
    const { areas } = this;
    let chosen = WHOLE;
    let gain = areas.gain[first + at];
    let loss = areas.loss[first + at];
    let value = strength * gain - (1 - strength) * loss;
    if (hasChildren) {
      const other = strength * childGain - (1 - strength) * childLoss;
      if (isBetter(other, childGain, childLoss, value, gain, loss)) {
        chosen = CHILDREN;
        value = other;
        gain = childGain;
        loss = childLoss;
      }
    }
    this.choice[first + at] = chosen;
    own.gain[at] = gain;
    own.loss[at] = loss;
    this.value[at] = value;
    this.least[to] = value - EQUAL * Math.abs(value);
  }

  /** Of the intervals that begin with one slice and end with some, those that are better where they are cut. */
  private cuts(first: number, from: number, firstTo: number, lastTo: number, own: Sums): void {
    const { slices, value, least, choice } = this;
    const { gain, loss } = own;
    const row = intervalAt(slices, from, from) - from;
    for (let cut = from; cut < lastTo; cut++) {
      const left = row + cut;
      // A first part that is cut itself has been tried with the cut that is in it.
      if (choice[first + left] >= CUT) continue;
      const worth = value[left];
      const rest = intervalAt(slices, cut + 1, cut + 1) - cut - 1;
      for (let to = Math.max(cut + 1, firstTo); to <= lastTo; to++) {
        const both = worth + value[rest + to];
        if (both < least[to]) continue;
        const at = row + to;
        const bothGain = gain[left] + gain[rest + to];
        const bothLoss = loss[left] + loss[rest + to];
        if (!isBetter(both, bothGain, bothLoss, value[at], gain[at], loss[at])) continue;
        choice[first + at] = CUT + cut - from;
        value[at] = both;
        gain[at] = bothGain;
        loss[at] = bothLoss;
        least[to] = both - EQUAL * Math.abs(both);
      }
    }
  }

  private parts(best: Sums): Partition {
    const { slices, areas, nodes, choice, root } = this;
    const found: number[] = [];
    for (const stack = [root, 0, slices - 1]; stack.length > 0;) {
      const [to = 0, from = 0, node = 0] = [stack.pop(), stack.pop(), stack.pop()];
      const chosen = choice[node * areas.intervals + intervalAt(slices, from, to)];
      // In one number, by which they are sorted.
      if (chosen === WHOLE) found.push((node * slices + from) * slices + to);
      else if (chosen === CHILDREN) for (const child of nodes.children[node]) stack.push(child, from, to);
      else stack.push(node, from, from + chosen - CUT, node, from + chosen - CUT + 1, to);
    }
    const sorted = Float64Array.from(found).sort();
    const whole = intervalAt(slices, 0, slices - 1);
    return {
      count: found.length,
      node: Int32Array.from(sorted, (part) => Math.floor(part / slices / slices)),
      start: Int32Array.from(sorted, (part) => Math.floor(part / slices) % slices),
      end: Int32Array.from(sorted, (part) => part % slices),
      gain: best.gain[whole],
      loss: best.loss[whole],
    };
  }
}

/** Of the best partition of each interval of a node, or of all nodes. */
interface Sums {
  readonly gain: Float64Array;
  readonly loss: Float64Array;
}

/** Some areas, as they follow from each other, and their best partitions at one strength. */
export interface AreaValues extends Sums {
  readonly areas: Int32Array;
  readonly choice: Uint16Array;
}

/** Those at two strengths. */
export interface OpenAreas {
  readonly low: AreaValues;
  readonly high: AreaValues;
}

/** Of values of the same areas, those that are not alike. */
export function differing(low: AreaValues, high: AreaValues): OpenAreas {
  let count = 0;
  const at = new Int32Array(low.areas.length);
  for (let one = 0; one < at.length; one++)
    if (low.gain[one] !== high.gain[one] || low.loss[one] !== high.loss[one] || low.choice[one] !== high.choice[one])
      at[count++] = one;
  const of = (from: AreaValues): AreaValues => {
    const [areas, choice] = [new Int32Array(count), new Uint16Array(count)];
    const [gain, loss] = [new Float64Array(count), new Float64Array(count)];
    for (let one = 0; one < count; one++) {
      areas[one] = from.areas[at[one]];
      gain[one] = from.gain[at[one]];
      loss[one] = from.loss[at[one]];
      choice[one] = from.choice[at[one]];
    }
    return { areas, gain, loss, choice };
  };
  return { low: of(low), high: of(high) };
}

/** Those of the children are let go of. */
function addedUp(children: readonly number[], below: Map<number, Sums>, intervals: number): Sums {
  const [gain, loss] = [new Float64Array(intervals), new Float64Array(intervals)];
  for (const child of children) {
    const one = below.get(child);
    below.delete(child);
    if (!one) continue;
    for (let at = 0; at < intervals; at++) {
      gain[at] += one.gain[at];
      loss[at] += one.loss[at];
    }
  }
  return { gain, loss };
}

function isBetter(v: number, gain: number, loss: number, vBefore: number, gainBefore: number, lossBefore: number) {
  if (!isEqual(v, vBefore)) return v > vBefore;
  if (!isEqual(gain, gainBefore)) return gain > gainBefore;
  return !isEqual(loss, lossBefore) && loss < lossBefore;
}

function isEqual(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= EQUAL * Math.max(Math.abs(a), Math.abs(b));
}

export function isSamePartition(one: Partition, other: Partition): boolean {
  if (one.count !== other.count) return false;
  for (let at = 0; at < one.count; at++)
    if (one.node[at] !== other.node[at] || one.start[at] !== other.start[at] || one.end[at] !== other.end[at])
      return false;
  return true;
}
