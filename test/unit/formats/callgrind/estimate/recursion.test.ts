import { describe, expect, it } from "vitest";
import { componentsOf } from "../../../../../src/formats/callgrind/assemble/components";
import { type FlowGraph, flowOf } from "../../../../../src/formats/callgrind/estimate/flowGraph";
import { unfold } from "../../../../../src/formats/callgrind/estimate/unfold";
import { NONE } from "../../../../../src/model/ids";
import { lastOf } from "../../../../../src/model/steps";
import { quietTask } from "../../../../../src/model/task";
import { type Counted, MEMORIES, type Ran, runProgram } from "./recursivePrograms";

const PROGRAMS = 60;

function graphOf({ own, calls }: Counted): FlowGraph {
  const level = (name: string) => (name.includes("'") ? 1 : 0);
  const names = [...own.keys()].sort((a, b) => parseInt(a) - parseInt(b) || level(a) - level(b));
  const node = new Map(names.map((name, at) => [name, at]));
  const rows = [...calls]
    .map(([pair, { cost, count }]) => {
      const [caller, callee] = pair.split(",").map((name) => node.get(name) ?? NONE);
      return { caller, callee, cost, count };
    })
    .sort((a, b) => a.caller - b.caller || a.callee - b.callee);
  const start = new Int32Array(names.length + 1);
  for (const { caller } of rows) start[caller + 1]++;
  for (let at = 0; at < names.length; at++) start[at + 1] += start[at];
  return {
    edges: { nodes: names.length, start, target: Int32Array.from(rows, ({ callee }) => callee) },
    cost: Float64Array.from(rows, ({ cost }) => cost),
    calls: Float64Array.from(rows, ({ count }) => count),
    own: Float64Array.from(names, (name) => own.get(name) ?? 0),
    functionOf: Int32Array.from(names, (name) => parseInt(name)),
    levels: names.some((name) => level(name) === 1),
  };
}

/** Inclusive cost of each function in the tree, by the definition: without contexts that have the same function above. */
function inclusiveOf(graph: FlowGraph): Map<number, number> {
  const { size, parent, node, share } = lastOf(unfold(graph, flowOf(graph, quietTask), () => 1, 1_000_000, quietTask));
  const below = share.map((one, context) => one * graph.own[node[context]]);
  for (let context = size - 1; context >= 0; context--)
    if (parent[context] !== NONE) below[parent[context]] += below[context];
  const functionOf = (context: number) => graph.functionOf[node[context]];
  const found = new Map<number, number>();
  for (let context = 0; context < size; context++) {
    const own = functionOf(context);
    let above = parent[context];
    while (above !== NONE && functionOf(above) !== own) above = parent[above];
    if (above === NONE) found.set(own, (found.get(own) ?? 0) + below[context]);
  }
  return found;
}

/** Differences from the truth, shares of the total, of all functions of some programs, ascending. */
function errors(memory: (typeof MEMORIES)[number], counted: (ran: Ran) => Counted): number[] {
  const found: number[] = [];
  for (let seed = 0; seed < PROGRAMS; seed++) {
    const ran = runProgram(seed, memory);
    const derived = inclusiveOf(graphOf(counted(ran)));
    for (const [one, cost] of ran.inclusive) found.push(Math.abs((derived.get(one) ?? 0) - cost) / ran.total);
  }
  return found.sort((a, b) => a - b);
}

const at = (sorted: readonly number[], part: number) => sorted[Math.floor(part * (sorted.length - 1))];

describe("inclusive costs of functions in the contexts of recursive programs", () => {
  it.each([
    ["none", 0.02, 0.2],
    ["caller", 0.001, 0.04],
    ["path", 0.001, 0.04],
  ] as const)(
    "are near what they were where levels of recursion were kept apart; calls depend on: %s",
    (memory, most95, most) => {
      const found = errors(memory, ({ levels }) => levels);
      expect(at(found, 0.5)).toBeLessThan(1e-4);
      expect(at(found, 0.95)).toBeLessThan(most95);
      expect(at(found, 1)).toBeLessThan(most);
    },
  );

  it.each([
    ["none", 0.15],
    ["caller", 0.02],
    ["path", 0.02],
  ] as const)("are estimates where they were not; calls depend on: %s", (memory, most95) => {
    const found = errors(memory, ({ together }) => together);
    expect(at(found, 0.5)).toBeLessThan(2e-3);
    expect(at(found, 0.95)).toBeLessThan(most95);
  });

  it("lie within what the call graph leaves possible", () => {
    for (const memory of MEMORIES)
      for (let seed = 0; seed < PROGRAMS / 2; seed++) {
        const { together, total } = runProgram(seed, memory);
        const graph = graphOf(together);
        const { edges, own, cost } = graph;
        const components = componentsOf(edges, quietTask);
        // At least itself and its calls out of its cycle; at most all that happens in the cycle.
        const least = own.slice();
        const most = new Float64Array(components.size);
        own.forEach((one, node) => (most[components.of[node]] += one));
        for (let node = 0; node < edges.nodes; node++)
          for (let edge = edges.start[node]; edge < edges.start[node + 1]; edge++)
            if (components.of[edges.target[edge]] !== components.of[node]) {
              least[node] += cost[edge];
              most[components.of[node]] += cost[edge];
            }
        const derived = inclusiveOf(graph);
        for (let node = 0; node < edges.nodes; node++) {
          const found = derived.get(graph.functionOf[node]) ?? 0;
          expect(found).toBeGreaterThan(least[node] - 0.01 * total);
          expect(found).toBeLessThan(most[components.of[node]] + 0.01 * total);
        }
      }
  });
});
