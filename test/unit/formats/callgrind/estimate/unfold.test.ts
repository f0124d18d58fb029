import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FlowGraph, flowOf } from "../../../../../src/formats/callgrind/estimate/flowGraph";
import { unfold } from "../../../../../src/formats/callgrind/estimate/unfold";
import { NONE } from "../../../../../src/model/ids";
import { quietTask } from "../../../../../src/model/task";

type Call = readonly [caller: number, callee: number, cost: number, calls: number];

function graphOf(own: readonly number[], calls: readonly Call[]): FlowGraph {
  const byPair = new Map<string, Call>();
  for (const call of calls) byPair.set(`${call[0]},${call[1]}`, call);
  const sorted = [...byPair.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const start = new Int32Array(own.length + 1);
  for (const [caller] of sorted) start[caller + 1]++;
  for (let node = 0; node < own.length; node++) start[node + 1] += start[node];
  return {
    edges: { nodes: own.length, start, target: Int32Array.from(sorted, ([, callee]) => callee) },
    cost: Float64Array.from(sorted, ([, , cost]) => cost),
    calls: Float64Array.from(sorted, ([, , , count]) => count),
    own: Float64Array.from(own),
  };
}

function unfolded(graph: FlowGraph, functionOf?: Int32Array, mostRows = 1_000_000) {
  const functions = functionOf ?? Int32Array.from(graph.own, (_, node) => node);
  return unfold(graph, flowOf(graph, quietTask), functions, () => 1, mostRows, quietTask);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Paths and costs by the definition: masses by solving the linear equations of the endless unfolding, then recursion. */
function twin({ edges, cost, own }: FlowGraph): Map<string, number> {
  const { nodes, start, target } = edges;
  const inflow = new Array<number>(nodes).fill(0);
  const surplus = Array.from(own);
  for (let node = 0; node < nodes; node++)
    for (let edge = start[node]; edge < start[node + 1]; edge++) {
      inflow[target[edge]] += cost[edge];
      surplus[target[edge]] -= cost[edge];
      surplus[node] += cost[edge];
    }
  const total = sum(own);
  const roots = surplus.flatMap((more, node) => (more >= 1e-4 * total ? [node] : []));
  for (const node of roots) inflow[node] += surplus[node];
  const share = (edge: number) => cost[edge] / inflow[target[edge]];
  const matrix = Array.from({ length: nodes }, (_, row) => {
    const line = Array.from({ length: nodes + 1 }, (__, column) =>
      column === row ? 1 : column === nodes ? own[row] : 0,
    );
    for (let edge = start[row]; edge < start[row + 1]; edge++) line[target[edge]] -= share(edge);
    return line;
  });
  const mass = solve(matrix);
  const found = new Map<string, number>();
  const go = (node: number, part: number, path: readonly number[]) => {
    const here = [...path, node];
    const ends = path.includes(node) || part * mass[node] < total * 1e-4;
    const key = here.join("/");
    found.set(key, (found.get(key) ?? 0) + part * (ends ? mass[node] : own[node]));
    if (!ends) for (let edge = start[node]; edge < start[node + 1]; edge++) go(target[edge], part * share(edge), here);
  };
  for (const node of roots) go(node, surplus[node] / inflow[node], []);
  return found;
}

/** Gauss's elimination with the largest pivot. */
function solve(matrix: number[][]): number[] {
  const size = matrix.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column; row < size; row++)
      if (Math.abs(matrix[row][column]) > Math.abs(matrix[pivot][column])) pivot = row;
    [matrix[column], matrix[pivot]] = [matrix[pivot], matrix[column]];
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const factor = matrix[row][column] / matrix[column][column];
      for (let at = column; at <= size; at++) matrix[row][at] -= factor * matrix[column][at];
    }
  }
  return matrix.map((row, at) => row[size] / row[at]);
}

const cost = fc.integer({ min: 1, max: 1000 });
const nodes = 6;
const anyCall = fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1), fc.integer({ min: 0, max: 1000 }), fc.nat(20));
const anyGraph = fc
  .tuple(fc.array(fc.nat(500), { minLength: nodes, maxLength: nodes }), fc.array(anyCall, { maxLength: 25 }))
  .map(([own, calls]) => ({ own, calls }));

describe("unfolding a call graph", () => {
  it("keeps the total, whatever the graph: cycles, several roots, functions in cycles that nothing calls, strange costs", () => {
    fc.assert(
      fc.property(
        anyGraph,
        fc.array(fc.nat(2), { minLength: nodes, maxLength: nodes }),
        ({ own, calls }, functionOf) => {
          const total = sum(own);
          for (const functions of [undefined, Int32Array.from(functionOf)]) {
            const { exclusive } = unfolded(graphOf(own, calls), functions);
            expect(Math.abs(sum(exclusive) - total)).toBeLessThanOrEqual(1e-9 * total);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("gives each context what the definition gives it", () => {
    // A root that calls everything, so that all can be reached, and any calls between the others.
    const inner = fc.tuple(fc.integer({ min: 1, max: nodes - 1 }), fc.integer({ min: 1, max: nodes - 1 }), cost, cost);
    const reachable = fc.tuple(
      fc.array(cost, { minLength: nodes, maxLength: nodes }),
      fc.array(cost, { minLength: nodes - 1, maxLength: nodes - 1 }),
      fc.array(inner, { maxLength: 12 }),
    );
    fc.assert(
      fc.property(reachable, ([own, first, others]) => {
        const calls = [...first.map((one, at): Call => [0, at + 1, one, 1]), ...others];
        const graph = graphOf(own, calls);
        const { size, parent, node, exclusive } = unfolded(graph);
        const found = new Map<string, number>();
        const paths: string[] = [];
        for (let context = 0; context < size; context++) {
          paths.push(parent[context] === NONE ? `${node[context]}` : `${paths[parent[context]]}/${node[context]}`);
          found.set(paths[context], (found.get(paths[context]) ?? 0) + exclusive[context]);
        }
        const expected = twin(graph);
        expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [path, value] of expected)
          expect(Math.abs((found.get(path) ?? NaN) - value)).toBeLessThan(1e-7 * sum(own));
      }),
      { numRuns: 300 },
    );
  });

  it("ends where a function is on the path already, and keeps what the call cost there", () => {
    const graph = graphOf(
      [10, 30, 60],
      [
        [0, 1, 90, 1],
        [1, 2, 100, 3],
        [2, 1, 40, 2],
      ],
    );
    const { node, parent, share, exclusive } = unfolded(graph);
    expect([...node]).toEqual([0, 1, 2, 1]);
    expect([...parent]).toEqual([NONE, 0, 1, 2]);
    expect(share[3]).toBe(NONE);
    expect(sum(exclusive)).toBeCloseTo(100, 9);
    // Of 130 that the calls of node 1 cost, 90 come from the root.
    expect(exclusive[1]).toBeCloseTo((30 * 90) / 130, 9);
  });

  it("does not unfold what is below 0.01 % of the total, and keeps its cost", () => {
    const graph = graphOf(
      [1_000_000, 50, 40],
      [
        [0, 1, 90, 1],
        [1, 2, 40, 1],
      ],
    );
    const { node, exclusive } = unfolded(graph);
    expect([...node]).toEqual([0, 1]);
    expect([...exclusive]).toEqual([1_000_000, 90]);
  });

  it("stays small and quick where everything calls everything", { timeout: 20_000 }, () => {
    const size = 10_000;
    const calls: Call[] = [];
    let random = 1;
    const next = () => (random = (Math.imul(random, 1103515245) + 12345) >>> 0);
    for (let node = 0; node < size; node++)
      for (let at = 0; at < 20; at++) calls.push([node, next() % size, 1 + (next() % 1000), 1]);
    const own = Array.from({ length: size }, () => 1 + (next() % 100));
    const started = performance.now();
    const result = unfolded(graphOf(own, calls), undefined, 100_000);
    expect(result.size).toBeLessThanOrEqual(200_000);
    expect(Math.abs(sum(result.exclusive) - sum(own))).toBeLessThanOrEqual(1e-9 * sum(own));
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it("raises the threshold where many short paths lead to one long one", () => {
    // 13 layers of two functions make 8,192 paths, each of which would go on for 2,000 calls.
    const layers = 13;
    const chain = 2000;
    const calls: Call[] = [];
    const at = (layer: number, side: number) => 1 + 2 * layer + side;
    for (const side of [0, 1]) calls.push([0, at(0, side), 500, 1]);
    for (let layer = 1; layer < layers; layer++)
      for (const from of [0, 1]) for (const to of [0, 1]) calls.push([at(layer - 1, from), at(layer, to), 250, 1]);
    const first = at(layers, 0);
    for (const side of [0, 1]) calls.push([at(layers - 1, side), first, 500, 1]);
    for (let step = 0; step + 1 < chain; step++) calls.push([first + step, first + step + 1, 1000, 1]);
    const own = new Array<number>(first + chain).fill(0);
    own[first + chain - 1] = 1000;
    const { size, exclusive, threshold } = unfolded(graphOf(own, calls), undefined, 50_000);
    expect(size).toBeLessThanOrEqual(50_000);
    expect(threshold).toBeGreaterThan(1e-4);
    expect(sum(exclusive)).toBeCloseTo(1000, 6);
  });

  it("is not deeper than memory: a chain and a ring of 100,000 functions", () => {
    const size = 100_000;
    const chain = Array.from({ length: size - 1 }, (_, node): Call => [node, node + 1, size - 1 - node, 1]);
    const own = new Array<number>(size).fill(1);
    for (const calls of [chain, [...chain, [size - 1, 0, 10, 1] as Call]]) {
      const { exclusive } = unfolded(graphOf(own, calls));
      expect(Math.abs(sum(exclusive) - size)).toBeLessThanOrEqual(1e-9 * size);
    }
  });
});
