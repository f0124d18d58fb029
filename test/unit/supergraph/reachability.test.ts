import { describe, expect, it } from "vitest";
import { longestChains } from "../../../src/supergraph/chains";
import { Reachability } from "../../../src/supergraph/reachability";
import { seeded } from "./random";

const SIZE = 24;
const nodes = Array.from({ length: SIZE }, (_, node) => node);

/** Edges of a random graph, each from a smaller number to a greater one. */
function randomEdges(seed: number, size = SIZE, most = 0.2): { source: number; target: number }[] {
  const random = seeded(seed);
  const density = most / 10 + most * random();
  const edges: { source: number; target: number }[] = [];
  for (let target = 1; target < size; target++)
    for (let source = 0; source < target; source++) if (random() < density) edges.push({ source, target });
  return edges;
}

/** For each node those that an edge leads from. */
function predecessorsOf(edges: readonly { source: number; target: number }[], size = SIZE) {
  const lists = Array.from({ length: size }, (_, at) => at).map((node) =>
    edges.filter(({ target }) => target === node).map(({ source }) => source),
  );
  const start = [0, ...lists].map((_, at) => lists.slice(0, at).flat().length);
  return { start: Int32Array.from(start), items: Int32Array.from(lists.flat()) };
}

/** All nodes that a node reaches over these edges, itself included, as a walk finds them. */
function reached(node: number, edges: readonly { source: number; target: number }[]): Set<number> {
  const found = new Set([node]);
  for (const next of found) for (const { source, target } of edges) if (source === next) found.add(target);
  return found;
}

const check = () => undefined;

describe("who reaches whom", () => {
  it.each([0, 7, SIZE])("is what walks find while nodes are merged, %d of them marked at first", (atFirst) => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(1000 + seed);
      let edges = randomEdges(seed);
      const graph = new Reachability(SIZE, predecessorsOf(edges), check);
      const order = Int32Array.from(nodes);
      if (atFirst > 0) graph.markAll(order.slice(0, atFirst), order);
      const alive = new Set(nodes);
      for (let step = 0; step < 3 * SIZE; step++) {
        const [one, other] = [Math.floor(random() * SIZE), Math.floor(random() * SIZE)];
        if (!alive.has(one) || !alive.has(other) || one === other) continue;
        for (const node of [one, other]) graph.mark(node);
        const comparable = reached(one, edges).has(other) || reached(other, edges).has(one);
        expect(graph.comparable(one, other)).toBe(comparable);
        if (comparable) continue;
        graph.merge(one, other);
        alive.delete(one);
        const now = (node: number) => (node === one ? other : node);
        edges = edges.map(({ source, target }) => ({ source: now(source), target: now(target) }));
      }
    }
  });

  it("is known of few nodes at a time, where marks of nodes that are gone are given out again", () => {
    const size = 150;
    for (let seed = 1; seed <= 20; seed++) {
      let edges = randomEdges(seed, size, 0.02);
      const graph = new Reachability(size, predecessorsOf(edges, size), check);
      const placed: number[] = [];
      for (let node = 0; node < size; node++) {
        graph.mark(node);
        const comparable = placed.map((other) => reached(node, edges).has(other) || reached(other, edges).has(node));
        expect(placed.map((other) => graph.comparable(node, other))).toEqual(comparable);
        const at = comparable.indexOf(false);
        if (at < 0) placed.push(node);
        else {
          graph.merge(node, placed[at]);
          const now = (one: number) => (one === node ? placed[at] : one);
          edges = edges.map(({ source, target }) => ({ source: now(source), target: now(target) }));
        }
      }
      // There is room for 32 marks at first, so most were given out again.
      expect(placed.length).toBeLessThan(16);
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
      const expected = Array.from(inGroup, (_, id) =>
        longest(
          nodes.filter((node) => group[node] === id),
          edges,
        ),
      );
      const sum = expected.reduce((all, one) => all + one, 0);
      const order = Int32Array.from(nodes);
      const chains = (limit: number) => longestChains({ group, order }, inGroup, predecessorsOf(edges), limit, check);
      expect([...(chains(sum) ?? [])]).toEqual(expected);
      expect(chains(sum - 1)).toBeUndefined();
    }
  });
});
