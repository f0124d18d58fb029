import { upTo } from "./columns";
import type { Layers, SegmentLists } from "./layers";
import { heaviestSegments, type HeavySegments } from "./heavySegments";
import { sortByKey } from "./stableSort";

/** Order of the nodes of each level, from top to bottom. */
export type LevelOrder = readonly Int32Array[];

/** Comparisons that one layout may spend, some nanoseconds each: bounds its time, and is the same on every machine. */
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
 * order is kept then where the crossings allow it (dissertation 3.3.4, the mental map), by the best of two starts, and
 * only else is looked for a better one.
 */
export function orderLevels(layers: Layers, check: () => void, near?: NearOrder): LevelOrder {
  const search = new OrderSearch(layers, check);
  search.improve(search.depthFirst());
  search.improve(search.asGiven());
  const nearOrder = near && search.near(near);
  if (nearOrder) return nearOrder;
  for (let start = 0; start < SHUFFLED_STARTS && !search.done; start++) search.improve(search.shuffled());
  return search.best;
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
  /** Place of each heavy node among the heavy ones of its level. */
  private readonly heavyPlace: Int32Array;
  /** Places of the other ends of heavy segments, as these are listed: of the level that is sifted. */
  private readonly above: Int32Array;
  private readonly below: Int32Array;
  /** The same of the only such segment of nodes that pass. */
  private readonly placeAbove: Int32Array;
  private readonly placeBelow: Int32Array;
  /** Places of the ends of the segments of one gap. */
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;

  constructor(
    private readonly layers: Layers,
    private readonly check: () => void,
  ) {
    this.place = new Int32Array(layers.levelOf.length);
    this.centre = new Float64Array(layers.levelOf.length);
    const mostInGap = Math.floor(Math.sqrt((2 * PAIRS_AN_ORDER) / layers.levels));
    this.heavy = heaviestSegments(layers, mostInGap);
    this.heavyPlace = new Int32Array(layers.levelOf.length);
    this.above = new Int32Array(this.heavy.in.other.length);
    this.below = new Int32Array(this.heavy.out.other.length);
    this.placeAbove = new Int32Array(layers.levelOf.length);
    this.placeBelow = new Int32Array(layers.levelOf.length);
    this.starts = new Int32Array(mostInGap);
    this.ends = new Int32Array(mostInGap);
  }

  /** Nodes by number: bars in the order of the graph, then dummies. */
  asGiven(): Int32Array[] {
    return this.byLevel(upTo(this.layers.levelOf.length));
  }

  /** Nodes as a walk meets them that goes down the heaviest flow first: without crossings where the graph is a tree. */
  depthFirst(): Int32Array[] {
    const { levelOf, out, in: into, to, flow, bars } = this.layers;
    const met = new Uint8Array(levelOf.length);
    const walk = new Int32Array(levelOf.length);
    let walked = 0;
    const stack: number[] = [];
    for (let bar = bars - 1; bar >= 0; bar--) if (into.start[bar] === into.start[bar + 1]) stack.push(bar);
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (met[node]) continue;
      met[node] = 1;
      walk[walked++] = node;
      if (out.start[node + 1] - out.start[node] === 1) {
        stack.push(out.other[out.start[node]]);
        continue;
      }
      const leaving = out.segment.slice(out.start[node], out.start[node + 1]);
      leaving.sort((a, b) => flow[a] - flow[b] || to[b] - to[a]);
      for (const segment of leaving) stack.push(to[segment]);
    }
    return this.byLevel(walk.subarray(0, walked));
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
    this.order = this.best.map((nodes) => nodes.slice());
    for (const nodes of this.order) {
      sortByKey(nodes, height);
      this.setPlaces(nodes);
    }
    // As much again may be spent as on the search itself.
    const { work } = this;
    this.work = 0;
    for (let round = 0, moved = true; round < NEAR_ROUNDS && moved; round++) {
      this.check();
      moved = this.sift(stays);
    }
    this.work = work;
    return this.cost(limit) <= limit ? this.order : undefined;
  }

  /** What was not there before stands between its neighbours, weighted with flow. */
  private heightsNear(y: Float64Array): Float64Array {
    const { in: into, out } = this.layers;
    const height = y.slice();
    const meanOf = (node: number, { start, other, flow }: SegmentLists) => {
      let [sum, weight] = [0, 0];
      for (let at = start[node]; at < start[node + 1]; at++) {
        const end = height[other[at]];
        if (Number.isNaN(end)) continue;
        sum += end * flow[at];
        weight += flow[at];
      }
      return weight > 0 ? sum / weight : NaN;
    };
    for (const down of [true, false]) {
      for (const nodes of down ? this.best : [...this.best].reverse())
        for (const node of nodes) if (Number.isNaN(height[node])) height[node] = meanOf(node, down ? into : out);
    }
    return height.map((value) => (Number.isNaN(value) ? 0 : value));
  }

  private byLevel(nodes: Int32Array): Int32Array[] {
    const { levels, levelOf } = this.layers;
    const count = new Int32Array(levels);
    for (let at = 0; at < nodes.length; at++) count[levelOf[nodes[at]]]++;
    const order = Array.from(count, (all) => new Int32Array(all));
    count.fill(0);
    for (let at = 0; at < nodes.length; at++) {
      const level = levelOf[nodes[at]];
      order[level][count[level]++] = nodes[at];
    }
    return order;
  }

  private setPlaces(nodes: Int32Array): void {
    for (let at = 0; at < nodes.length; at++) this.place[nodes[at]] = at;
  }

  private remember(): boolean {
    const cost = this.cost(this.bestCost);
    if (cost >= this.bestCost) return false;
    this.bestCost = cost;
    this.best = this.order.map((nodes) => nodes.slice());
    return true;
  }

  /**
   * Sum over all pairs of heavy segments that cross of the smaller flow.
   *
   * @param enough where the sum is larger than this, it may be too small
   */
  private cost(enough: number): number {
    const { place, starts, ends } = this;
    const { from, to, flow } = this.layers;
    let sum = 0;
    for (const segments of this.heavy.byGap) {
      for (let at = 0; at < segments.length; at++) {
        starts[at] = place[from[segments[at]]];
        ends[at] = place[to[segments[at]]];
      }
      this.work += (segments.length * segments.length) / 2;
      if (sum > enough) continue;
      for (let later = 1; later < segments.length; later++) {
        let crossed = 0;
        const [startOfLater, endOfLater] = [starts[later], ends[later]];
        for (let earlier = 0; earlier < later; earlier++) {
          const start = starts[earlier] - startOfLater;
          const end = ends[earlier] - endOfLater;
          // 1 where one is negative and the other positive; without branches, which the processor could not predict here.
          crossed += ((start & -end) | (-start & end)) >>> 31;
        }
        // Segments are sorted by falling flow, so the later one is the smaller one.
        sum += crossed * flow[segments[later]];
      }
    }
    return sum;
  }

  /** Sorts each level by the weighted mean place of its neighbours in the level before it on the way. */
  private sweep(down: boolean): void {
    const { levels, in: into, out } = this.layers;
    for (let step = 1; step < levels; step++) {
      const nodes = this.order[down ? step : levels - 1 - step];
      for (let at = 0; at < nodes.length; at++) this.centre[nodes[at]] = this.centreOf(nodes[at], down ? into : out);
      // Equal ones keep their order.
      sortByKey(nodes, this.centre);
      this.setPlaces(nodes);
    }
  }

  private centreOf(node: number, { start, other, flow }: SegmentLists): number {
    const { place } = this;
    let sum = 0;
    let weight = 0;
    for (let at = start[node]; at < start[node + 1]; at++) {
      sum += flow[at] * place[other[at]];
      weight += flow[at];
    }
    return weight > 0 ? sum / weight : place[node];
  }

  /**
   * Moves each heavy node but those that stay to the place in its level where the weighted crossings on both sides are least.
   *
   * @returns whether any has moved
   */
  private sift(stays?: Uint8Array): boolean {
    let moved = false;
    const { isHeavy, in: into, out } = this.heavy;
    for (const nodes of this.order) {
      const heavy = nodes.filter((node) => isHeavy[node] === 1);
      for (let at = 0; at < heavy.length; at++) {
        this.heavyPlace[heavy[at]] = at;
        // Neighbouring levels keep their places while this one is sifted.
        this.lookUp(heavy[at], into, this.above);
        this.lookUp(heavy[at], out, this.below);
        this.placeAbove[heavy[at]] = this.above[into.start[heavy[at]]];
        this.placeBelow[heavy[at]] = this.below[out.start[heavy[at]]];
      }
      for (const node of heavy.slice()) {
        if (this.work > MOST_WORK) return moved;
        if (stays?.[node] === 1) continue;
        moved = this.moveToBest(nodes, heavy, this.heavyPlace[node]) || moved;
      }
    }
    return moved;
  }

  private lookUp(node: number, { start, other }: SegmentLists, places: Int32Array): void {
    for (let at = start[node]; at < start[node + 1]; at++) places[at] = this.place[other[at]];
  }

  private moveToBest(nodes: Int32Array, heavy: Int32Array, start: number): boolean {
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
    return best !== start;
  }

  private exchange(nodes: Int32Array, heavy: Int32Array, one: number, other: number): void {
    const { place, heavyPlace } = this;
    const [a, b] = [heavy[other], heavy[one]];
    [heavy[one], heavy[other]] = [a, b];
    [heavyPlace[a], heavyPlace[b]] = [one, other];
    [place[a], place[b]] = [place[b], place[a]];
    nodes[place[a]] = a;
    nodes[place[b]] = b;
  }

  /** How much the weighted crossings lessen when two neighbours change places. */
  private gain(upper: number, lower: number): number {
    const { passes } = this.heavy;
    if (passes[upper] === 1 && passes[lower] === 1) return this.gainOfPassing(upper, lower);
    return this.gainOn(upper, lower, this.heavy.in, this.above) + this.gainOn(upper, lower, this.heavy.out, this.below);
  }

  /** The same where each of them has one segment on either side, as most pairs have: without the loops. */
  private gainOfPassing(upper: number, lower: number): number {
    const { flowIn, flowOut } = this.heavy;
    const { placeAbove, placeBelow } = this;
    this.work += 10;
    return (
      Math.min(flowIn[upper], flowIn[lower]) * signOf(placeAbove[upper] - placeAbove[lower]) +
      Math.min(flowOut[upper], flowOut[lower]) * signOf(placeBelow[upper] - placeBelow[lower])
    );
  }

  private gainOn(upper: number, lower: number, { start, flow }: SegmentLists, places: Int32Array): number {
    const [firstA, endA, firstB, endB] = [start[upper], start[upper + 1], start[lower], start[lower + 1]];
    this.work += (endA - firstA) * (endB - firstB) + 4;
    let gain = 0;
    for (let a = firstA; a < endA; a++) {
      const placeA = places[a];
      const flowA = flow[a];
      for (let b = firstB; b < endB; b++) {
        gain += Math.min(flowA, flow[b]) * signOf(placeA - places[b]);
      }
    }
    return gain;
  }
}

/** 1, 0 or −1 of a small integer. As branches, half of which are foreseen wrongly, sifting takes twice the time. */
function signOf(value: number): number {
  return (value >> 31) - (-value >> 31);
}
