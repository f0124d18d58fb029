import type { Layers, SegmentLists } from "./layers";
import { heaviestSegments, type HeavySegments } from "./heavySegments";

/** Order of the nodes of each level, from top to bottom. */
export type LevelOrder = readonly Int32Array[];

/** Comparisons that one layout may spend, about 5 ns each: bounds its time, and is the same on every machine. */
const MOST_WORK = 2_000_000;
/** Pairs compared to find the cost of one order; where there would be more, only the heaviest segments count. */
const PAIRS_AN_ORDER = 400_000;
/** Sweeps over all levels from each start, and after how many in vain a start is given up. */
const SWEEPS = 24;
const SWEEPS_IN_VAIN = 4;
/** Starts from a mixed order, as long as work may be spent. */
const SHUFFLED_STARTS = 4;

/** Where nodes were before, so that people find them again. */
export interface NearOrder {
  /** Height of each node, any unit; NaN where it was not there. */
  readonly y: Float64Array;
  /** 1 for what is to keep its order with the others that stay; what is new may be moved. */
  readonly stays: Uint8Array;
}

/** An order near the one before is taken where it crosses at most so much more: of the best one's crossings, and of all flow. */
const MORE_CROSSINGS = 0.1;
const MORE_FLOW = 0.02;
/** Rounds in which what is new looks for its place. */
const NEAR_ROUNDS = 4;

/**
 * Orders the nodes of each level so that few flows cross, each crossing weighted with the smaller of its two flows
 * (semantics 2.5): sweeps by weighted barycentre, then each node to its best place, from several starts; the best
 * is taken. The result depends on nothing but the graph, and on where its nodes were before, where that is given: their
 * order is kept then where the crossings allow it (dissertation 3.3.4, the mental map).
 */
export function orderLevels(layers: Layers, check: () => void, near?: NearOrder): LevelOrder {
  const search = new OrderSearch(layers, check);
  search.improve(search.depthFirst());
  search.improve(search.asGiven());
  for (let start = 0; start < SHUFFLED_STARTS && !search.done; start++) search.improve(search.shuffled());
  return (near && search.near(near)) ?? search.best;
}

class OrderSearch {
  best: Int32Array[] = [];
  bestCost = Infinity;
  private order: Int32Array[] = [];
  private work = 0;
  private random = 1;
  private readonly place: Int32Array;
  private readonly centre: Float64Array;
  private readonly heavy: HeavySegments;

  constructor(
    private readonly layers: Layers,
    private readonly check: () => void,
  ) {
    this.place = new Int32Array(layers.levelOf.length);
    this.centre = new Float64Array(layers.levelOf.length);
    this.heavy = heaviestSegments(layers, Math.floor(Math.sqrt((2 * PAIRS_AN_ORDER) / layers.levels)));
  }

  /** Nodes by number: bars in the order of the graph, then dummies. */
  asGiven(): Int32Array[] {
    return this.byLevel(Int32Array.from(this.layers.levelOf, (_, node) => node));
  }

  /** Nodes as a walk meets them that goes down the heaviest flow first: without crossings where the graph is a tree. */
  depthFirst(): Int32Array[] {
    const { levelOf, out, in: into, to, flow, bars } = this.layers;
    const met = new Uint8Array(levelOf.length);
    const walk: number[] = [];
    const stack: number[] = [];
    for (let bar = bars - 1; bar >= 0; bar--) if (into.start[bar] === into.start[bar + 1]) stack.push(bar);
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (met[node]) continue;
      met[node] = 1;
      walk.push(node);
      const leaving = out.segment.slice(out.start[node], out.start[node + 1]);
      leaving.sort((a, b) => flow[a] - flow[b] || to[b] - to[a]);
      for (const segment of leaving) stack.push(to[segment]);
    }
    return this.byLevel(Int32Array.from(walk));
  }

  /** Nothing is left to gain, or to spend. */
  get done(): boolean {
    return this.bestCost === 0 || this.work > MOST_WORK;
  }

  /** The best order so far, with the nodes of each level mixed: the same mixture in every run. */
  shuffled(): Int32Array[] {
    return this.best.map((nodes) => {
      const mixed = nodes.slice();
      for (let at = mixed.length - 1; at > 0; at--) {
        this.random = (Math.imul(this.random, 1664525) + 1013904223) >>> 0;
        const other = Math.floor((this.random / 2 ** 32) * (at + 1));
        [mixed[at], mixed[other]] = [mixed[other], mixed[at]];
      }
      return mixed;
    });
  }

  /** Improves an order, and remembers the best one met. */
  improve(start: Int32Array[]): void {
    this.order = start;
    start.forEach((nodes) => this.setPlaces(nodes));
    this.remember();
    let inVain = 0;
    for (let sweep = 0; sweep < SWEEPS && inVain < SWEEPS_IN_VAIN; sweep++) {
      if (this.done) return;
      this.check();
      this.sweep(sweep % 2 === 0);
      this.sift();
      inVain = this.remember() ? 0 : inVain + 1;
    }
  }

  /** The order near the one before; undefined where it crosses too much more than the best one. */
  near({ y, stays }: NearOrder): Int32Array[] | undefined {
    const { flow } = this.layers;
    const limit = this.bestCost * (1 + MORE_CROSSINGS) + MORE_FLOW * flow.reduce((sum, one) => sum + one, 0);
    const height = this.heightsNear(y);
    this.best.forEach((nodes) => this.setPlaces(nodes));
    this.order = this.best.map((nodes) =>
      nodes.slice().sort((a, b) => height[a] - height[b] || this.place[a] - this.place[b]),
    );
    this.order.forEach((nodes) => this.setPlaces(nodes));
    // As much again may be spent as on the search before.
    this.work = 0;
    for (let round = 0; round < NEAR_ROUNDS; round++) {
      this.check();
      this.sift(stays);
    }
    return this.cost() <= limit ? this.order : undefined;
  }

  /** What was not there before stands between its neighbours, weighted with flow. */
  private heightsNear(y: Float64Array): Float64Array {
    const { in: into, out, from, to, flow } = this.layers;
    const height = y.slice();
    const meanOf = (node: number, { start, segment }: SegmentLists, other: Int32Array) => {
      let [sum, weight] = [0, 0];
      for (let at = start[node]; at < start[node + 1]; at++) {
        const end = height[other[segment[at]]];
        if (Number.isNaN(end)) continue;
        sum += end * flow[segment[at]];
        weight += flow[segment[at]];
      }
      return weight > 0 ? sum / weight : NaN;
    };
    for (const down of [true, false]) {
      for (const nodes of down ? this.best : [...this.best].reverse())
        for (const node of nodes)
          if (Number.isNaN(height[node])) height[node] = down ? meanOf(node, into, from) : meanOf(node, out, to);
    }
    return height.map((value) => (Number.isNaN(value) ? 0 : value));
  }

  private byLevel(nodes: Int32Array): Int32Array[] {
    const { levels, levelOf } = this.layers;
    const order: number[][] = Array.from({ length: levels }, () => []);
    for (const node of nodes) order[levelOf[node]].push(node);
    return order.map((level) => Int32Array.from(level));
  }

  private setPlaces(nodes: Int32Array): void {
    for (let at = 0; at < nodes.length; at++) this.place[nodes[at]] = at;
  }

  private remember(): boolean {
    const cost = this.cost();
    if (cost >= this.bestCost) return false;
    this.bestCost = cost;
    this.best = this.order.map((nodes) => nodes.slice());
    return true;
  }

  /** Sum over all pairs of heavy segments that cross of the smaller flow. */
  private cost(): number {
    const { place } = this;
    const { from, to, flow } = this.layers;
    let sum = 0;
    for (const segments of this.heavy.byGap) {
      const starts = segments.map((segment) => place[from[segment]]);
      const ends = segments.map((segment) => place[to[segment]]);
      this.work += (segments.length * segments.length) / 2;
      for (let later = 1; later < segments.length; later++) {
        let crossed = 0;
        for (let earlier = 0; earlier < later; earlier++)
          if ((starts[earlier] - starts[later]) * (ends[earlier] - ends[later]) < 0) crossed++;
        // Segments are sorted by falling flow, so the later one is the smaller one.
        sum += crossed * flow[segments[later]];
      }
    }
    return sum;
  }

  /** Sorts each level by the weighted mean place of its neighbours in the level before it on the way. */
  private sweep(down: boolean): void {
    const { levels, in: into, out, from, to } = this.layers;
    for (let step = 1; step < levels; step++) {
      const nodes = this.order[down ? step : levels - 1 - step];
      for (const node of nodes) this.centre[node] = this.centreOf(node, down ? into : out, down ? from : to);
      nodes.sort((a, b) => this.centre[a] - this.centre[b] || this.place[a] - this.place[b]);
      this.setPlaces(nodes);
    }
  }

  private centreOf(node: number, { start, segment }: SegmentLists, other: Int32Array): number {
    let sum = 0;
    let weight = 0;
    for (let at = start[node]; at < start[node + 1]; at++) {
      const flow = this.layers.flow[segment[at]];
      sum += flow * this.place[other[segment[at]]];
      weight += flow;
    }
    return weight > 0 ? sum / weight : this.place[node];
  }

  /** Moves each heavy node but those that stay to the place in its level where the weighted crossings on both sides are least. */
  private sift(stays?: Uint8Array): void {
    for (const nodes of this.order) {
      const heavy = nodes.filter((node) => this.heavy.isHeavy[node] === 1);
      for (const node of heavy.slice()) {
        if (this.work > MOST_WORK) return;
        if (stays?.[node] === 1) continue;
        this.moveToBest(nodes, heavy, heavy.indexOf(node));
      }
    }
  }

  private moveToBest(nodes: Int32Array, heavy: Int32Array, start: number): void {
    const node = heavy[start];
    let best = start;
    let bestGain = 0;
    let gain = 0;
    for (let at = start - 1; at >= 0; at--) {
      gain += this.gain(heavy[at], node);
      if (gain > bestGain) [best, bestGain] = [at, gain];
    }
    gain = 0;
    for (let at = start + 1; at < heavy.length; at++) {
      gain += this.gain(node, heavy[at]);
      if (gain > bestGain) [best, bestGain] = [at, gain];
    }
    // Light nodes stay where they are; the heavy ones between move up or down by one heavy place.
    const step = Math.sign(best - start);
    for (let at = start; at !== best; at += step) this.exchange(nodes, heavy, at, at + step);
  }

  private exchange(nodes: Int32Array, heavy: Int32Array, one: number, other: number): void {
    const { place } = this;
    [heavy[one], heavy[other]] = [heavy[other], heavy[one]];
    const [a, b] = [heavy[one], heavy[other]];
    [place[a], place[b]] = [place[b], place[a]];
    nodes[place[a]] = a;
    nodes[place[b]] = b;
  }

  /** How much the weighted crossings lessen when two neighbours change places. */
  private gain(upper: number, lower: number): number {
    const { from, to } = this.layers;
    return this.gainOn(upper, lower, this.heavy.in, from) + this.gainOn(upper, lower, this.heavy.out, to);
  }

  private gainOn(upper: number, lower: number, { start, segment }: SegmentLists, other: Int32Array): number {
    const { flow } = this.layers;
    const { place } = this;
    this.work += (start[upper + 1] - start[upper]) * (start[lower + 1] - start[lower]) + 4;
    let gain = 0;
    for (let a = start[upper]; a < start[upper + 1]; a++) {
      const placeA = place[other[segment[a]]];
      const flowA = flow[segment[a]];
      for (let b = start[lower]; b < start[lower + 1]; b++) {
        const placeB = place[other[segment[b]]];
        const weight = flowA < flow[segment[b]] ? flowA : flow[segment[b]];
        if (placeA > placeB) gain += weight;
        else if (placeA < placeB) gain -= weight;
      }
    }
    return gain;
  }
}
