import type { Layers, SegmentLists } from "./layers";

/** Order of the nodes of each level, from top to bottom. */
export type LevelOrder = readonly Int32Array[];

/** Comparisons of segments that one layout may spend: bounds the time, and the same on every machine. */
const MOST_STEPS = 20_000_000;
/** Sweeps over all levels from each start. */
const SWEEPS = 12;

/**
 * Orders the nodes of each level so that few flows cross, each crossing weighted with the smaller of its two flows
 * (semantics 2.5): sweeps by weighted barycentre, then exchanges as long as they gain, from several starts; the best
 * is taken. The result depends on nothing but the graph.
 */
export function orderLevels(layers: Layers, check: () => void): LevelOrder {
  const search = new OrderSearch(layers, check);
  for (const start of [search.depthFirst(), search.asGiven()]) {
    search.from(start);
    if (search.bestCost === 0) break;
  }
  return search.best;
}

/** Sum over all pairs of segments that cross of the smaller flow. */
export function crossingWeight(layers: Layers, order: LevelOrder): number {
  const place = new Int32Array(layers.levelOf.length);
  for (const level of order) level.forEach((node, at) => (place[node] = at));
  let sum = 0;
  for (let level = 1; level < order.length; level++) sum += between(layers, order[level], place);
  return sum;
}

/** Weighted crossings of the segments that enter one level. */
function between({ in: into, from, flow }: Layers, nodes: Int32Array, place: Int32Array): number {
  const segments: number[] = [];
  for (const node of nodes)
    for (let at = into.start[node]; at < into.start[node + 1]; at++) segments.push(into.segment[at]);
  const start = Int32Array.from(segments, (segment) => place[from[segment]]);
  const weight = Float64Array.from(segments, (segment) => flow[segment]);
  const end = new Int32Array(segments.length);
  let count = 0;
  nodes.forEach((node, at) => {
    for (let segment = into.start[node]; segment < into.start[node + 1]; segment++) end[count++] = at;
  });
  let sum = 0;
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++)
      if (start[b] < start[a] && end[b] > end[a]) sum += weight[a] < weight[b] ? weight[a] : weight[b];
  return sum;
}

class OrderSearch {
  best: Int32Array[] = [];
  bestCost = Infinity;
  private order: Int32Array[] = [];
  private readonly place: Int32Array;
  private readonly centre: Float64Array;
  private steps = 0;

  constructor(
    private readonly layers: Layers,
    private readonly check: () => void,
  ) {
    this.place = new Int32Array(layers.levelOf.length);
    this.centre = new Float64Array(layers.levelOf.length);
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

  /** Improves an order, and remembers the best one met. */
  from(start: Int32Array[]): void {
    this.order = start;
    start.forEach((nodes) => this.setPlaces(nodes));
    this.remember();
    for (let sweep = 0; sweep < SWEEPS && this.bestCost > 0 && this.steps < MOST_STEPS; sweep++) {
      this.check();
      const down = sweep % 2 === 0;
      this.sweep(down);
      this.exchange();
      if (!this.remember() && sweep > 4) break;
    }
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
    const cost = crossingWeight(this.layers, this.order);
    for (const nodes of this.order) this.steps += nodes.length * nodes.length;
    if (cost >= this.bestCost) return false;
    this.bestCost = cost;
    this.best = this.order.map((nodes) => nodes.slice());
    return true;
  }

  /** Sorts each level by the weighted mean place of its neighbours in the level before it on the way. */
  private sweep(down: boolean): void {
    const { levels, in: into, out, from, to } = this.layers;
    for (let step = 1; step < levels; step++) {
      const nodes = this.order[down ? step : levels - 1 - step];
      for (const node of nodes) this.centre[node] = this.centreOf(node, down ? into : out, down ? from : to);
      nodes.sort((a, b) => this.centre[a] - this.centre[b] || this.place[a] - this.place[b]);
      this.setPlaces(nodes);
      this.steps += nodes.length;
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

  /** Exchanges neighbours in a level while that lessens the weighted crossings on both its sides. */
  private exchange(): void {
    let gained = true;
    for (let round = 0; gained && round < 20; round++) {
      gained = false;
      for (const nodes of this.order) {
        for (let at = 0; at + 1 < nodes.length; at++) {
          if (this.steps > MOST_STEPS) return;
          const [upper, lower] = [nodes[at], nodes[at + 1]];
          if (this.gain(upper, lower) <= 0) continue;
          nodes[at] = lower;
          nodes[at + 1] = upper;
          this.place[lower] = at;
          this.place[upper] = at + 1;
          gained = true;
        }
      }
    }
  }

  /** How much the weighted crossings lessen when two neighbours change places. */
  private gain(upper: number, lower: number): number {
    const { in: into, out, from, to } = this.layers;
    return this.gainOn(upper, lower, into, from) + this.gainOn(upper, lower, out, to);
  }

  private gainOn(upper: number, lower: number, { start, segment }: SegmentLists, other: Int32Array): number {
    const { flow } = this.layers;
    const { place } = this;
    this.steps += (start[upper + 1] - start[upper]) * (start[lower + 1] - start[lower]) + 1;
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
