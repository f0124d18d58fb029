import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FlowGraph, flowOf } from "../../../../../src/formats/callgrind/estimate/flowGraph";
import { THRESHOLD, unfold } from "../../../../../src/formats/callgrind/estimate/unfold";
import { NONE } from "../../../../../src/model/ids";
import { lastOf } from "../../../../../src/model/steps";
import { quietTask, type Task } from "../../../../../src/model/task";

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
    functionOf: Int32Array.from(own.keys()),
    levels: false,
  };
}

/** Contexts with what each costs itself. */
function unfolded(graph: FlowGraph, mostRows = 1_000_000, least?: number) {
  const found = lastOf(unfold(graph, flowOf(graph, quietTask), () => 1, mostRows, quietTask, least));
  return { ...found, exclusive: found.share.map((share, context) => share * graph.own[found.node[context]]) };
}

/** What the contexts of each node cost themselves, and with all below them. */
function byNode(graph: FlowGraph, { size, parent, node, exclusive }: ReturnType<typeof unfolded>) {
  const below = exclusive.slice();
  for (let context = size - 1; context >= 0; context--)
    if (parent[context] !== NONE) below[parent[context]] += below[context];
  const result = { exclusive: new Float64Array(graph.own.length), inclusive: new Float64Array(graph.own.length) };
  for (let context = 0; context < size; context++) {
    expect(parent[context]).toBeLessThan(context);
    result.exclusive[node[context]] += exclusive[context];
    result.inclusive[node[context]] += below[context];
  }
  return result;
}

function expectNear(found: Float64Array, wanted: Float64Array | readonly number[], most: number): void {
  expect(found.length).toBe(wanted.length);
  found.forEach((value, at) => expect(Math.abs(value - wanted[at])).toBeLessThanOrEqual(most));
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Paths and costs by the definition, of a graph without cycles whose node 0 calls all that nothing else calls. */
function twin({ edges, cost, own }: FlowGraph): Map<string, number> {
  const inflow = new Array<number>(edges.nodes).fill(0);
  edges.target.forEach((node, edge) => (inflow[node] += cost[edge]));
  const found = new Map<string, number>();
  const go = (node: number, part: number, path: readonly number[]) => {
    const here = [...path, node];
    found.set(here.join("/"), part * own[node]);
    for (let edge = edges.start[node]; edge < edges.start[node + 1]; edge++)
      go(edges.target[edge], (part * cost[edge]) / inflow[edges.target[edge]], here);
  };
  go(0, 1, []);
  return found;
}

/** A walk as it happened: at each call the part of the program below it, so that costs agree with one another. */
interface Ran {
  readonly node: number;
  readonly own: number;
  readonly calls: readonly Ran[];
}

function ran(depth: number): fc.Arbitrary<Ran> {
  return fc.record({
    node: fc.integer({ min: 1, max: nodes - 1 }),
    own: fc.integer({ min: 1, max: 99 }),
    calls: depth === 0 ? fc.constant([]) : fc.array(ran(depth - 1), { maxLength: 3 }),
  });
}

/** The call graph of a run: a call inside another one of the same functions counts again, as callgrind counts it. */
function graphOfRun(calls: readonly Ran[]): FlowGraph {
  const own = new Array<number>(nodes).fill(0);
  const byPair = new Map<string, Call>();
  const visit = (one: Ran): number => {
    own[one.node] += one.own;
    let sum = one.own;
    for (const callee of one.calls) {
      const cost = visit(callee);
      const key = `${one.node},${callee.node}`;
      const [, , known, count] = byPair.get(key) ?? [0, 0, 0, 0];
      byPair.set(key, [one.node, callee.node, known + cost, count + 1]);
      sum += cost;
    }
    return sum;
  };
  visit({ node: 0, own: 1, calls });
  return graphOf(own, [...byPair.values()]);
}

/** Nodes that can come back to themselves. */
function inCycles({ edges }: FlowGraph): Set<number> {
  const reach = Array.from({ length: edges.nodes }, (_, node) =>
    Array.from({ length: edges.nodes }, (__, other) =>
      edges.target.subarray(edges.start[node], edges.start[node + 1]).includes(other),
    ),
  );
  for (const via of reach.keys())
    for (const from of reach.keys())
      for (const to of reach.keys()) reach[from][to] ||= reach[from][via] && reach[via][to];
  return new Set([...reach.keys()].filter((node) => reach[node][node]));
}

const cost = fc.integer({ min: 1, max: 1000 });
const nodes = 6;
const anyCall = fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1), fc.integer({ min: 0, max: 1000 }), fc.nat(20));
const anyGraph = fc
  .tuple(fc.array(fc.nat(500), { minLength: nodes, maxLength: nodes }), fc.array(anyCall, { maxLength: 25 }))
  .map(([own, calls]) => ({ own, calls }));

describe("unfolding a call graph", () => {
  it("gives each function what it cost itself, whatever the graph: cycles, several roots, functions in cycles that nothing calls, strange costs", () => {
    fc.assert(
      fc.property(anyGraph, fc.constantFrom(0, 1e-4, 0.01, 0.3), ({ own, calls }, least) => {
        const graph = graphOf(own, calls);
        expectNear(byNode(graph, unfolded(graph, undefined, least)).exclusive, own, 1e-9 * sum(own));
      }),
      { numRuns: 1000 },
    );
  });

  it("gives each context what the definition gives it, where nothing is recursive", () => {
    // A root that calls everything, so that all can be reached, and calls from lower numbers to higher ones.
    const inner = fc.tuple(fc.integer({ min: 1, max: nodes - 1 }), fc.integer({ min: 1, max: nodes - 1 }), cost, cost);
    fc.assert(
      fc.property(
        fc.array(cost, { minLength: nodes, maxLength: nodes }),
        fc.array(inner, { maxLength: 12 }),
        (own, others) => {
          const down = others.flatMap(([a, b, one, count]): Call[] =>
            a === b ? [] : [[Math.min(a, b), Math.max(a, b), one, count]],
          );
          // The root's calls bring what the others do not: costs agree.
          const needed = own.slice();
          const between = graphOf(own, down);
          for (let node = nodes - 1; node > 0; node--)
            for (let edge = between.edges.start[node]; edge < between.edges.start[node + 1]; edge++)
              needed[node] += between.cost[edge];
          const brought = new Array<number>(nodes).fill(0);
          between.edges.target.forEach((node, edge) => (brought[node] += between.cost[edge]));
          for (const [at, one] of needed.entries()) own[at] += Math.max(0, brought[at] - one);
          const root = needed.map((one, at): Call => [0, at, Math.max(1, one - brought[at]), 1]).slice(1);
          const graph = graphOf(
            own.map((one, at) => (at > 0 && needed[at] <= brought[at] ? one + 1 : one)),
            [...root, ...down],
          );
          const { size, parent, node, exclusive } = unfolded(graph, undefined, 0);
          const found = new Map<string, number>();
          const paths: string[] = [];
          for (let context = 0; context < size; context++) {
            paths.push(parent[context] === NONE ? `${node[context]}` : `${paths[parent[context]]}/${node[context]}`);
            found.set(paths[context], (found.get(paths[context]) ?? 0) + exclusive[context]);
          }
          const expected = twin(graph);
          expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
          for (const [path, value] of expected)
            expect(Math.abs((found.get(path) ?? NaN) - value)).toBeLessThan(1e-7 * sum(graph.own));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("gives each function that is not recursive what its calls cost, among any recursion of others", () => {
    fc.assert(
      fc.property(fc.array(ran(5), { minLength: 1, maxLength: 4 }), (calls) => {
        const graph = graphOfRun(calls);
        const total = sum(graph.own);
        const found = byNode(graph, unfolded(graph));
        expectNear(found.exclusive, graph.own, 1e-9 * total);
        const recursive = inCycles(graph);
        const measured = graph.own.slice();
        for (let node = 0; node < nodes; node++)
          for (let edge = graph.edges.start[node]; edge < graph.edges.start[node + 1]; edge++)
            measured[node] += graph.cost[edge];
        // Calls below the threshold stand at their callers' callers: each function may miss as much.
        const most = nodes * THRESHOLD * total;
        for (let node = 0; node < nodes; node++)
          if (!recursive.has(node)) expect(Math.abs(found.inclusive[node] - measured[node])).toBeLessThan(most);
      }),
      { numRuns: 40 },
    );
  });

  it("leaves the cost of a recursion to the functions that had it", () => {
    // A tree of 2⁷ - 1 calls: tree calls itself twice, the 64 last ones call work.
    const depth = 6;
    const leaves = 2 ** depth;
    const [tree, work] = [10, 200];
    let subtree = tree + work;
    let inner = 0;
    for (let level = depth; level > 0; level--) {
      inner += 2 ** level * subtree;
      subtree = 2 * subtree + tree;
    }
    const graph = graphOf(
      [5, tree * (2 * leaves - 1), work * leaves],
      [
        [0, 1, subtree, 1],
        [1, 1, inner, 2 * leaves - 2],
        [1, 2, work * leaves, leaves],
      ],
    );
    const { node, parent, exclusive } = unfolded(graph);
    expect([...node]).toEqual([0, 1, 2]);
    expect([...parent]).toEqual([NONE, 0, 1]);
    expectNear(exclusive, [5, tree * (2 * leaves - 1), work * leaves], 1e-6);
  });

  it("unfolds a cycle once for each call that enters it, with what that entry does in it", () => {
    // b calls c and c calls b; a enters at b, z at c.
    const graph = graphOf(
      [1, 1, 60, 30, 1],
      [
        [0, 1, 62, 1],
        [0, 4, 30, 1],
        [1, 2, 61, 1],
        [2, 3, 40, 1],
        [3, 2, 39, 1],
        [4, 3, 29, 1],
      ],
    );
    const { size, node, parent, exclusive } = unfolded(graph);
    const path = (context: number): string =>
      (parent[context] === NONE ? "" : path(parent[context])) + "mabcz"[node[context]];
    const paths = Array.from({ length: size }, (_, context) => path(context));
    // Inside b, c comes for the first time, so what it calls hangs below it; further rounds return to these.
    expect([...paths].sort()).toEqual(["m", "ma", "mab", "mabc", "mabcb", "mz", "mzc", "mzcb", "mzcbc"]);
    const below = (start: string) => sum(exclusive.filter((_, context) => paths[context].startsWith(start)));
    expect(Math.abs(below("ma") - 62)).toBeLessThan(0.02);
    expect(Math.abs(below("mz") - 30)).toBeLessThan(0.02);
  });

  it("gives a member of a cycle a context below each member that brings it much", () => {
    // a calls b and c, both call d, d calls e, and rarely a.
    const graph = graphOf(
      [10, 10, 10, 10, 100],
      [
        [0, 1, 66, 1],
        [0, 2, 66, 1],
        [1, 3, 56, 1],
        [2, 3, 56, 1],
        [3, 4, 100, 9],
        [3, 0, 2, 1],
      ],
    );
    const { node, parent, exclusive } = unfolded(graph);
    const path = (context: number): string =>
      (parent[context] === NONE ? "" : path(parent[context])) + "abcde"[node[context]];
    const found = new Map(Array.from(node, (_, context) => [path(context), exclusive[context]]));
    expect([...found.keys()]).toEqual(expect.arrayContaining(["a", "ab", "abd", "abde", "ac", "acd", "acde"]));
    // What the rare call costs is at most below the second a.
    const again = sum([...found].flatMap(([path, value]) => (path.lastIndexOf("a") > 0 ? [value] : [])));
    expect(again).toBeGreaterThan(0);
    expect(again).toBeLessThan(2.1);
    for (const own of "bcde") {
      const [left, right] = ["ab", "ac"].map((start) =>
        sum([...found].flatMap(([path, value]) => (path.startsWith(start) && path.endsWith(own) ? [value] : []))),
      );
      if (own === "d" || own === "e") expect(Math.abs(left - right)).toBeLessThan(0.01);
    }
  });

  it("hands calls below 0.01 % of the total to their callers' callers, until together they reach it", () => {
    // 100 callers below 1, each calls 102, which has all its cost from calls that are too small to be seen.
    const many = 100;
    const own = [0, 1_000_000, ...new Array<number>(many).fill(5000), 9000];
    const calls: Call[] = [[0, 1, sum(own), 1]];
    for (let at = 0; at < many; at++) calls.push([1, 2 + at, 5090, 1], [2 + at, 2 + many, 90, 1]);
    const { node, parent, exclusive } = unfolded(graphOf(own, calls));
    const last = [...node.keys()].filter((context) => node[context] === 2 + many);
    expect(last.length).toBe(1);
    expect(node[parent[last[0]]]).toBe(1);
    expect(exclusive[last[0]]).toBeCloseTo(9000, 6);
    expect(exclusive[node.indexOf(2)]).toBe(5000);
  });

  it("gives no function what another one did, nor loses more of what it costs than the threshold", () => {
    // Depth 3, 30 functions each: 27,000 paths of 0.004 % each.
    const wide = 30;
    const at = (layer: number, place: number) => 1 + layer * wide + place;
    const calls: Call[] = [];
    const own = new Array<number>(1 + 3 * wide).fill(0);
    for (let place = 0; place < wide; place++) {
      own[at(2, place)] = 900;
      calls.push([0, at(0, place), 900, 1]);
      for (let other = 0; other < wide; other++)
        for (const layer of [0, 1]) calls.push([at(layer, place), at(layer + 1, other), 30, 1]);
    }
    const graph = graphOf(own, calls);
    const found = unfolded(graph, undefined, 0.002);
    const sums = byNode(graph, found);
    expectNear(sums.exclusive, own, 1e-6);
    found.exclusive.forEach((value, context) => {
      if (own[found.node[context]] === 0) expect(value).toBe(0);
    });
    for (let place = 0; place < wide; place++)
      expect(sums.inclusive[at(0, place)]).toBeGreaterThan(900 - 0.002 * sum(own));
  });

  it("stays small and makes few contexts on the way where everything calls everything", () => {
    const size = 10_000;
    const calls: Call[] = [];
    let random = 1;
    const next = () => (random = (Math.imul(random, 1103515245) + 12345) >>> 0);
    for (let node = 0; node < size; node++)
      for (let at = 0; at < 20; at++) calls.push([node, next() % size, 1 + (next() % 1000), 1]);
    const own = Array.from({ length: size }, () => 1 + (next() % 100));
    const mostRows = 100_000;
    const graph = graphOf(own, calls);
    let [made, checks] = [0, 0];
    const reports: unknown[] = [];
    const task: Task = { progress: (...report) => void reports.push(report), check: () => checks++ };
    const found = lastOf(unfold(graph, flowOf(graph, task), () => (made++, 1), mostRows, task));
    const result = { ...found, exclusive: found.share.map((share, context) => share * graph.own[found.node[context]]) };
    // Contexts of all attempts; and passes over the cycle, after each of which a cancel is noticed.
    expect(made).toBeLessThan(mostRows);
    expect(checks).toBeLessThan(1000);
    // It says all the while how far it is.
    expect(reports.length).toBeGreaterThan(made / 16_384);
    for (const report of reports)
      expect(report).toEqual([undefined, expect.stringMatching(/^estimating calling contexts: [\d,]+(, pass \d+)?$/)]);
    expect(result.size).toBeLessThanOrEqual(200_000);
    expect(Math.abs(sum(result.exclusive) - sum(own))).toBeLessThanOrEqual(1e-9 * sum(own));
  });

  it("is done in steps, so that other questions need not wait for all of it", () => {
    // 17 layers of two functions: 2^18 - 2 contexts.
    const layers = 17;
    const calls: Call[] = [];
    const at = (layer: number, side: number) => 1 + 2 * layer + side;
    for (const side of [0, 1]) calls.push([0, at(0, side), 500, 1]);
    for (let layer = 1; layer < layers; layer++)
      for (const from of [0, 1]) for (const to of [0, 1]) calls.push([at(layer - 1, from), at(layer, to), 250, 1]);
    const own = Array.from({ length: 1 + 2 * layers }, (_, node) => (node > 2 * (layers - 1) ? 500 : 0));
    const graph = graphOf(own, calls);
    const steps = unfold(graph, flowOf(graph, quietTask), () => 1, 1_000_000, quietTask, 1e-9);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    expect(step.value.size).toBe(2 ** (layers + 1) - 1);
    expect(count).toBeGreaterThan(10);
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
    const { size, exclusive, threshold } = unfolded(graphOf(own, calls), 50_000);
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
