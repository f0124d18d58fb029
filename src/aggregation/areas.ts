/** What each area (a node and some neighbouring slices) would gain and lose as one part. */
import { entryOf } from "../model/maps";
import type { Task } from "../model/task";
import { intervalAt, intervalCount, type MicroscopicModel, type NodeOrder } from "./microscopicModel";

/** By node and interval: `node · intervalCount + intervalAt`. */
export interface Areas {
  readonly gain: Float64Array;
  readonly loss: Float64Array;
  /** Intervals of a node. */
  readonly intervals: number;
  /** What gains and losses are divided by; absent: nothing. */
  readonly whole?: { readonly gain: number; readonly loss: number };
}

/** What rounding leaves of nothing, against what was subtracted. */
const NOTHING = 1e-12;

/**
 * Gain (complexity that goes) and loss (information that goes: Kullback–Leibler) of every area, in bits times the model's unit:
 * Σ over states of S log2 S − E and S log2 N − S log2 S + E, with S the sum of its values, E = Σ v log2 v, and N how many values a state
 * has in it. Of what is equal nothing is lost, exactly: what rounding leaves would decide between partitions.
 *
 * @throws CancelledError
 */
export function areasOf(model: MicroscopicModel, { order, sizes }: NodeOrder, task?: Task): Areas {
  const { leaves, states, slices, values, parents } = model;
  const intervals = intervalCount(slices);
  const nodes = order.length;
  const gain = new Float64Array(nodes * intervals);
  const loss = new Float64Array(nodes * intervals);
  // Sums of nodes of which not all children are added up yet: children come one after the other, each with all that is below it.
  const open = new Map<number, NodeSums>();
  const leafSums = new NodeSums(states, slices);
  for (const node of order) {
    task?.check();
    const sums = open.get(node) ?? leafSums;
    open.delete(node);
    if (node < leaves) sums.setLeaf(values, node);
    sums.areas(sizes[node], gain, loss, node * intervals, task);
    const parent = parents[node];
    if (parent >= 0) entryOf(open, parent, () => new NodeSums(states, slices)).add(sums);
  }
  return { gain, loss, intervals };
}

/** Of one node: by state and slice the sum of its leaves' values, and of v log2 v. */
class NodeSums {
  private readonly value: Float64Array;
  private readonly entropy: Float64Array;

  constructor(
    private readonly states: number,
    private readonly slices: number,
  ) {
    this.value = new Float64Array(states * slices);
    this.entropy = new Float64Array(states * slices);
  }

  setLeaf(values: Float64Array, leaf: number): void {
    const first = leaf * this.value.length;
    for (let at = 0; at < this.value.length; at++) {
      const value = values[first + at];
      this.value[at] = value;
      this.entropy[at] = xLogX(value);
    }
  }

  add({ value, entropy }: NodeSums): void {
    for (let at = 0; at < value.length; at++) {
      this.value[at] += value[at];
      this.entropy[at] += entropy[at];
    }
  }

  areas(size: number, gain: Float64Array, loss: Float64Array, first: number, task: Task | undefined): void {
    const { states, slices, value, entropy } = this;
    const sum = new Float64Array(states);
    const own = new Float64Array(states);
    const bits = Float64Array.from({ length: slices }, (_, more) => Math.log2(size * (more + 1)));
    for (let from = 0; from < slices; from++) {
      // Over time alone all that is known of the resources are states of one.
      task?.check();
      sum.fill(0);
      own.fill(0);
      for (let to = from, at = first + intervalAt(slices, from, from); to < slices; to++, at++) {
        let [gained, lost] = [0, 0];
        for (let state = 0; state < states; state++) {
          sum[state] += value[state * slices + to];
          own[state] += entropy[state * slices + to];
          if (sum[state] === 0) continue;
          const whole = xLogX(sum[state]);
          const most = sum[state] * bits[to - from];
          const least = leastOf(whole, own[state], most);
          const more = whole - own[state];
          const less = most - whole + own[state];
          if (more > least) gained += more;
          if (less > least) lost += less;
        }
        gain[at] = gained;
        loss[at] = lost;
      }
    }
  }
}

/** What is not more than this is rounding: from Σv log2 Σv, Σ v log2 v, and Σv times the bits that tell the cells apart. */
function leastOf(whole: number, entropy: number, most: number): number {
  return NOTHING * (Math.abs(whole) + Math.abs(entropy) + most);
}

/** What values of one state gain and lose as one part. */
export function areaOfValues(values: readonly number[]): { readonly gain: number; readonly loss: number } {
  const sum = values.reduce((all, one) => all + one, 0);
  const entropy = values.reduce((all, one) => all + xLogX(one), 0);
  const [whole, most] = [xLogX(sum), sum * Math.log2(values.length)];
  const least = leastOf(whole, entropy, most);
  const [gain, loss] = [whole - entropy, most - whole + entropy];
  return { gain: gain > least ? gain : 0, loss: loss > least ? loss : 0 };
}

function xLogX(value: number): number {
  return value > 0 ? value * Math.log2(value) : 0;
}
