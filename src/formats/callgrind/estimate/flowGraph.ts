import { STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";
import { type Components, componentsOf, type Edges } from "../assemble/components";

/** The call graph of one metric at one location. */
export interface FlowGraph {
  readonly edges: Edges;
  /** What the calls along each edge cost, callees included. */
  readonly cost: Float64Array;
  /** Number of calls along each edge. */
  readonly calls: Float64Array;
  /** Exclusive cost of each node. */
  readonly own: Float64Array;
  /** Function of each node: its levels of recursion follow one another, outermost first. */
  readonly functionOf: Int32Array;
  /** Whether levels of recursion were kept apart. */
  readonly levels: boolean;
}

/** How cost flows down the graph. */
export interface Flow {
  readonly roots: readonly { readonly node: number; readonly share: number }[];
  /** What part of all calls of an edge's callee are along the edge. */
  readonly share: Float64Array;
  /** What all calls of a node cost: its own and what it passes on. A call inside another one counts again, as it was measured. */
  readonly mass: Float64Array;
  readonly components: Components;
}

/** Passes over a cycle until its masses stand still; recorded costs agree from the start. */
const MOST_PASSES = 10_000;
/** Share of the total that a function must cost beyond what its callers account for, to be a root as well. */
const LEAST_SURPLUS = 1e-4;
const LEAST_PASSES = 20;
/** Calls that all passes over one cycle may visit. */
const MOST_STEPS = 20_000_000;
const STANDS_STILL = 1e-13;

/**
 * The share of each call in its callee: the cost measured for the call among all calls of the callee (their numbers where
 * nothing was measured). What flows in equals what flows out, so all of the total arrives at the roots.
 *
 * Roots are functions that nothing calls, and those that cost visibly more than all their calls together: threads begin there.
 * A cycle that nothing calls has a root too: the function with most cost beyond what its own callers account for.
 */
export function flowOf(graph: FlowGraph, task: Task): Flow {
  const { edges, own } = graph;
  const { nodes, start, target } = edges;
  const components = componentsOf(edges, task);
  const weight = weights(graph, components);
  task.check();
  const inflow = new Float64Array(nodes);
  const mass = own.slice();
  const recordedInflow = new Float64Array(nodes);
  for (let node = 0; node < nodes; node++) {
    for (let edge = start[node]; edge < start[node + 1]; edge++) {
      inflow[target[edge]] += weight[edge];
      recordedInflow[target[edge]] += graph.cost[edge];
      // Where the recorded costs agree with one another, this is the answer already.
      mass[node] += graph.cost[edge];
    }
  }
  const roots: { node: number; share: number }[] = [];
  const addRoot = (node: number, outside: number) => {
    inflow[node] += outside;
    roots.push({ node, share: outside / inflow[node] });
  };
  const surplus = (node: number) => mass[node] - recordedInflow[node];
  const entries = new Set<number>();
  for (const members of uncalled(edges, components)) {
    const node = members.reduce((a, b) => (surplus(b) > surplus(a) || (surplus(b) === surplus(a) && b < a) ? b : a));
    entries.add(node);
    addRoot(node, surplus(node) > 0 ? surplus(node) : Math.max(1, inflow[node]));
  }
  // A thread begins in a function that is called elsewhere too.
  let total = 0;
  for (const one of own) total += Math.abs(one);
  for (let node = 0; node < nodes; node++)
    if (!entries.has(node) && surplus(node) >= LEAST_SURPLUS * total && surplus(node) > 0) addRoot(node, surplus(node));
  roots.sort((a, b) => a.node - b.node);
  task.check();
  for (let edge = 0; edge < weight.length; edge++) weight[edge] /= inflow[target[edge]];
  const share = weight;
  // Callees first, so that what they pass on is known.
  for (let component = 0; component < components.size; component++) {
    const members = membersOf(components, component);
    if (leadsToNothing(members, graph, components, mass)) {
      for (const node of members) mass[node] = 0;
      continue;
    }
    const calls = members.reduce((sum, node) => sum + start[node + 1] - start[node], 0);
    const passes = Math.min(MOST_PASSES, Math.max(LEAST_PASSES, MOST_STEPS / (calls + 1)));
    for (let pass = 0; pass < passes; pass++) {
      if (members.length > 1 || component % STEPS_BETWEEN_CHECKS === 0) task.check();
      const moved = settle(members, graph, share, mass);
      if (members.length === 1 || moved <= STANDS_STILL) break;
    }
  }
  return { roots, share, mass, components };
}

/**
 * Whether neither a component's own cost nor what it calls is anything: passes would halve what its calls were measured with until only
 * rounding is left, and paths would be told apart by that.
 */
function leadsToNothing(
  members: Int32Array,
  { edges: { start, target }, own }: FlowGraph,
  { of }: Components,
  mass: Float64Array,
): boolean {
  return members.every((node) => {
    if (own[node] !== 0) return false;
    for (let edge = start[node]; edge < start[node + 1]; edge++)
      if (of[target[edge]] !== of[node] && mass[target[edge]] !== 0) return false;
    return true;
  });
}

/** One pass over the nodes of a component. @returns the largest relative change */
function settle(members: Int32Array, { edges, own }: FlowGraph, share: Float64Array, mass: Float64Array): number {
  const { start, target } = edges;
  let moved = 0;
  for (const node of members) {
    let sum = own[node];
    let self = 0;
    for (let edge = start[node]; edge < start[node + 1]; edge++) {
      if (target[edge] === node) self = share[edge];
      else sum += share[edge] * mass[target[edge]];
    }
    const next = self < 1 ? sum / (1 - self) : sum;
    if (next !== mass[node]) moved = Math.max(moved, Math.abs(next - mass[node]) / Math.abs(next || mass[node]));
    mass[node] = next;
  }
  return moved;
}

/** What the calls along each edge count among all calls of the callee: positive somewhere for each callee. */
function weights({ edges, cost, calls }: FlowGraph, components: Components): Float64Array {
  const { nodes, start, target } = edges;
  const weight = cost.map((one) => Math.max(0, one));
  const measured = new Float64Array(nodes);
  const entering = new Float64Array(components.size);
  const each = (visit: (edge: number, enters: boolean) => void) => {
    for (let node = 0; node < nodes; node++)
      for (let edge = start[node]; edge < start[node + 1]; edge++)
        visit(edge, components.of[node] !== components.of[target[edge]]);
  };
  each((edge, enters) => {
    measured[target[edge]] += weight[edge];
    if (enters) entering[components.of[target[edge]]] += weight[edge];
  });
  each((edge, enters) => {
    const nothing = measured[target[edge]] === 0 || (enters && entering[components.of[target[edge]]] === 0);
    if (nothing) weight[edge] = Math.max(1, calls[edge]);
  });
  return weight;
}

/** The components that nothing outside them calls. */
function uncalled({ nodes, start, target }: Edges, components: Components): Int32Array[] {
  const called = new Uint8Array(components.size);
  for (let node = 0; node < nodes; node++)
    for (let edge = start[node]; edge < start[node + 1]; edge++)
      if (components.of[target[edge]] !== components.of[node]) called[components.of[target[edge]]] = 1;
  const found: Int32Array[] = [];
  for (let component = 0; component < components.size; component++)
    if (!called[component]) found.push(membersOf(components, component));
  return found;
}

function membersOf({ start, members }: Components, component: number): Int32Array {
  return members.subarray(start[component], start[component + 1]);
}
