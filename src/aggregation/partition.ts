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

/** All partitions of one model: what is the same for each strength is kept. */
export class Partitions {
  private readonly choice: Uint16Array;
  /** Best of the node at hand: by interval, and the value also with intervals of one end together. */
  private readonly value: Float64Array;
  private readonly byEnd: Float64Array;

  constructor(
    private readonly slices: number,
    private readonly nodes: NodeOrder,
    private readonly areas: Areas,
  ) {
    this.choice = new Uint16Array(areas.gain.length);
    this.value = new Float64Array(areas.intervals);
    this.byEnd = new Float64Array(areas.intervals);
  }

  /**
   * The partition into areas with the largest Σ p · gain − (1 − p) · loss: of each node and interval the best of the area as one part, the
   * best partitions of its children, and those of two intervals that it is cut into (Dosimont et al. 2014, the recursion of section 4.3 of
   * the formats). Of equal ones the larger gain, then the smaller loss, then the first of that order.
   *
   * @param strength p, 0 to 1
   */
  best(strength: number): Partition {
    const { nodes, slices, areas } = this;
    const below = new Map<number, Sums>();
    let root = 0;
    for (const node of nodes.order) {
      const children = nodes.children[node];
      const sums = children.length > 0 ? addedUp(children, below, areas.intervals) : undefined;
      below.set(node, this.bestOf(node, strength, sums));
      root = node;
    }
    const whole = intervalAt(slices, 0, slices - 1);
    const best = below.get(root);
    return { ...this.parts(root), gain: best?.gain[whole] ?? 0, loss: best?.loss[whole] ?? 0 };
  }

  private bestOf(node: number, strength: number, children: Sums | undefined): Sums {
    const { slices, areas, value, byEnd, choice } = this;
    const { intervals } = areas;
    const first = node * intervals;
    const gain = areas.gain.slice(first, first + intervals);
    const loss = areas.loss.slice(first, first + intervals);
    for (let from = slices - 1; from >= 0; from--) {
      const row = intervalAt(slices, from, from);
      for (let to = from; to < slices; to++) {
        const at = row + to - from;
        const column = (to * (to + 1)) / 2;
        let chosen = WHOLE;
        let [g, l] = [gain[at], loss[at]];
        let v = strength * g - (1 - strength) * l;
        if (children) {
          const [g2, l2] = [children.gain[at], children.loss[at]];
          const v2 = strength * g2 - (1 - strength) * l2;
          if (isBetter(v2, g2, l2, v, g, l)) [chosen, v, g, l] = [CHILDREN, v2, g2, l2];
        }
        let least = v - EQUAL * Math.abs(v);
        for (let cut = from; cut < to; cut++) {
          const v2 = value[row + cut - from] + byEnd[column + cut + 1];
          if (v2 < least) continue;
          const [one, other] = [row + cut - from, intervalAt(slices, cut + 1, to)];
          const [g2, l2] = [gain[one] + gain[other], loss[one] + loss[other]];
          if (!isBetter(v2, g2, l2, v, g, l)) continue;
          [chosen, v, g, l] = [CUT + cut - from, v2, g2, l2];
          least = v - EQUAL * Math.abs(v);
        }
        choice[first + at] = chosen;
        gain[at] = g;
        loss[at] = l;
        value[at] = byEnd[column + from] = v;
      }
    }
    return { gain, loss };
  }

  private parts(root: number): Pick<Partition, "count" | "node" | "start" | "end"> {
    const { slices, areas, nodes, choice } = this;
    const found: (readonly [node: number, from: number, to: number])[] = [];
    for (const stack: [number, number, number][] = [[root, 0, slices - 1]]; stack.length > 0;) {
      const [node, from, to] = stack.pop() ?? [0, 0, 0];
      const chosen = choice[node * areas.intervals + intervalAt(slices, from, to)];
      if (chosen === WHOLE) found.push([node, from, to]);
      else if (chosen === CHILDREN) for (const child of nodes.children[node]) stack.push([child, from, to]);
      else stack.push([node, from, from + chosen - CUT], [node, from + chosen - CUT + 1, to]);
    }
    found.sort(([a, i], [b, j]) => a - b || i - j);
    const column = (at: 0 | 1 | 2) => Int32Array.from(found, (part) => part[at]);
    return { count: found.length, node: column(0), start: column(1), end: column(2) };
  }
}

/** Of the best partition of each interval of a node. */
interface Sums {
  readonly gain: Float64Array;
  readonly loss: Float64Array;
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
