import { describe, expect, it } from "vitest";
import { longestChains } from "../../../src/supergraph/chains";
import { Reachability } from "../../../src/supergraph/reachability";
import { seeded } from "./random";

const SIZE = 24;

/** Edges of a random graph, each from a smaller number to a greater one. */
function randomEdges(seed: number): { source: number; target: number }[] {
  const random = seeded(seed);
  const density = 0.02 + 0.2 * random();
  const edges: { source: number; target: number }[] = [];
  for (let target = 1; target < SIZE; target++)
    for (let source = 0; source < target; source++) if (random() < density) edges.push({ source, target });
  return edges;
}

function lists(edges: readonly { source: number; target: number }[]) {
  const of = (from: "source" | "target", to: "source" | "target") =>
    Array.from({ length: SIZE }, (_, node) =>
      Int32Array.from(edges.filter((edge) => edge[from] === node).map((edge) => edge[to])),
    );
  return { successors: of("source", "target"), predecessors: of("target", "source") };
}

/** All nodes that a node reaches over these edges, itself included, as a walk finds them. */
function reached(node: number, edges: readonly { source: number; target: number }[]): Set<number> {
  const found = new Set([node]);
  for (const next of found) for (const { source, target } of edges) if (source === next) found.add(target);
  return found;
}

const nodes = Array.from({ length: SIZE }, (_, node) => node);
const check = () => undefined;

describe("who reaches whom", () => {
  it.each([0, 7, SIZE])("is told as walks tell it while nodes are merged, %d of them marked at first", (atFirst) => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(1000 + seed);
      let edges = randomEdges(seed);
      const { successors, predecessors } = lists(edges);
      const graph = new Reachability(SIZE, successors, predecessors, check);
      const order = Int32Array.from(nodes);
      const marks = new Map(graph.markAll(order.slice(0, atFirst), order));
      expect(marks.size).toBe(atFirst);
      const alive = new Set(nodes);
      for (let step = 0; step < 3 * SIZE; step++) {
        const [one, other] = [Math.floor(random() * SIZE), Math.floor(random() * SIZE)];
        if (!alive.has(one) || !alive.has(other) || one === other) continue;
        if (!marks.has(other)) marks.set(other, graph.mark(other));
        const comparable = reached(one, edges).has(other) || reached(other, edges).has(one);
        expect(graph.comparable(one, marks.get(other) ?? NaN)).toBe(comparable);
        if (comparable) continue;
        graph.merge(one, other);
        alive.delete(one);
        const now = (node: number) => (node === one ? other : node);
        edges = edges.map(({ source, target }) => ({ source: now(source), target: now(target) }));
      }
    }
  });
});

describe("the longest chain of a group", () => {
  const groupOf = (seed: number) => {
    const random = seeded(2000 + seed);
    return Int32Array.from(nodes, () => Math.floor(random() * 5));
  };
  /** The most of these nodes that reach one another in turn, as trying all ways finds them. */
  const longest = (own: readonly number[], edges: readonly { source: number; target: number }[]): number =>
    Math.max(
      0,
      ...own.map((node) => {
        const below = reached(node, edges);
        const rest = own.filter((other) => other !== node && below.has(other));
        return 1 + longest(rest, edges);
      }),
    );

  it("is the most of its bars that lie on one path", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const edges = randomEdges(seed);
      const group = groupOf(seed);
      const inGroup = new Int32Array(5);
      for (const id of group) inGroup[id]++;
      const { predecessors } = lists(edges);
      const expected = Array.from(inGroup, (_, id) =>
        longest(
          nodes.filter((node) => group[node] === id),
          edges,
        ),
      );
      const sum = expected.reduce((all, one) => all + one, 0);
      const order = Int32Array.from(nodes);
      const chains = (limit: number) => longestChains({ group, order }, inGroup, predecessors, limit, check);
      expect([...(chains(sum) ?? [])]).toEqual(expected);
      expect(chains(sum - 1)).toBeUndefined();
    }
  });
});
