import type { Flow, FlowGraph } from "./flowGraph";
import { mayRepeat } from "./callPath";

/** What one unfolding gave each node and call. */
export interface Tally {
  /** By node: what its contexts cost themselves. */
  readonly own: Float64Array;
  /** By edge: what its contexts cost with all below them. */
  readonly calls: Float64Array;
  /** By node, by edge: what contexts that had the choice cost in all. */
  readonly ownOf: Float64Array;
  readonly callsOf: Float64Array;
  /** By node: what part of it is in contexts whose callees were not told apart. */
  readonly pooled: Float64Array;
}

/**
 * By what weights a context's cost is divided among itself and what it calls. They begin as what was measured of the
 * function. Where recursion forbids some of the calls at some of its contexts, the others of these contexts get more than
 * was measured; so after each unfolding the weights are moved by what was measured divided by what came out (iterative
 * proportional fitting, Deming and Stephan 1940).
 */
export class Weights {
  readonly own: Float64Array;
  readonly calls: Float64Array;
  private readonly measuredOwn: Float64Array;
  private readonly measuredCalls: Float64Array;
  /** By edge: whether its calls may lie in one another, so that their cost was counted several times. */
  private readonly nested: Uint8Array;

  constructor(
    private readonly graph: FlowGraph,
    { share, mass, components }: Flow,
  ) {
    const { nodes, start, target } = graph.edges;
    this.measuredOwn = graph.own.map(Math.abs);
    this.measuredCalls = share.map((one, edge) => Math.abs(one * mass[target[edge]]));
    this.nested = new Uint8Array(share.length);
    for (let node = 0; node < nodes; node++)
      for (let edge = start[node]; edge < start[node + 1]; edge++)
        if (components.of[node] === components.of[target[edge]] && mayRepeat(graph, target[edge]))
          this.nested[edge] = 1;
    // What is never fitted needs no copy.
    this.own = this.mayBeOff ? this.measuredOwn.slice() : this.measuredOwn;
    this.calls = this.mayBeOff ? this.measuredCalls.slice() : this.measuredCalls;
  }

  /**
   * Whether there is anything to be fitted: without recursion, contexts have all the choices that were measured, and what comes out is
   * what was measured but for what is below the threshold.
   */
  get mayBeOff(): boolean {
    const { functionOf } = this.graph;
    return this.nested.includes(1) || functionOf.some((one, node) => node > 0 && functionOf[node - 1] === one);
  }

  /** @returns how far the unfolding was from what was measured: the largest difference of a function */
  fit(tally: Tally): number {
    const { start, target, nodes } = this.graph.edges;
    const factor = new Float64Array(nodes).fill(1);
    let furthest = 0;
    for (let node = 0; node < nodes; node++) {
      const part = Math.max(0, 1 - tally.pooled[node]);
      const wantedOwn = part * this.measuredOwn[node];
      let wanted = wantedOwn;
      let found = tally.own[node];
      this.own[node] *= odds(wantedOwn, found, tally.ownOf[node]);
      furthest = Math.max(furthest, Math.abs(wanted - found));
      for (let edge = start[node]; edge < start[node + 1]; edge++) {
        if (this.nested[edge]) continue;
        const cost = part * this.measuredCalls[edge];
        furthest = Math.max(furthest, Math.abs(cost - tally.calls[edge]));
        wanted += cost;
        found += tally.calls[edge];
        this.calls[edge] *= odds(cost, tally.calls[edge], tally.callsOf[edge]);
      }
      factor[node] = ratio(wanted, found);
    }
    for (let edge = 0; edge < target.length; edge++) if (this.nested[edge]) this.calls[edge] *= factor[target[edge]];
    return furthest;
  }
}

/** No weight moves by more than this at once. */
const MOST = 16;
const NEAR_ALL = 1e-6;

/** How much more of nested calls there must be, within bounds: contexts of their callee cost in all what they lead to. */
function ratio(wanted: number, found: number): number {
  return wanted > 0 && found > 0 ? bounded(Math.sqrt(wanted / found)) : 1;
}

/**
 * What a choice's weight is multiplied by. Its odds against all other choices are what must change, since one that is nearly
 * all would never get there by its own ratio; the root, because the others' weights change at the same time.
 *
 * @param all what those cost in all that had the choice
 */
function odds(wanted: number, found: number, all: number): number {
  const others = all - found;
  if (!(wanted > 0 && found > 0 && others > 0)) return 1;
  return bounded(Math.sqrt((wanted / Math.max(all - wanted, NEAR_ALL * all)) * (others / found)));
}

function bounded(factor: number): number {
  return Math.min(MOST, Math.max(1 / MOST, factor));
}
