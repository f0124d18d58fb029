import { describe, expect, it } from "vitest";
import { heaviestOf, walkHotPath } from "../../../src/analysis/hotPath";
import { ContextTreeBuilder, inclusive } from "../../../src/model/contextTree";
import { NONE } from "../../../src/model/ids";
import { seeded } from "../supergraph/random";
import { rowsOf, treeOf } from "../supergraph/treeOf";

/** A random tree, its values among them zero, negative and equal ones. */
function randomTree(seed: number) {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const builder = new ContextTreeBuilder();
  const size = 1 + below(60);
  const deep = random();
  builder.child(NONE, 0);
  for (let known = 1; known < size; known++)
    builder.child(random() < 0.05 ? NONE : random() < deep ? known - 1 : below(known), known);
  const { tree } = builder.build(Int32Array.from({ length: size }, (_, at) => at));
  const exclusive = Float64Array.from({ length: size }, () => (random() < 0.3 ? 0 : below(12) - 2));
  return { tree, exclusive };
}

/** The same walk by definition: all pairs of contexts are looked at for children, all contexts below for sums. */
function twin(parent: Int32Array, exclusive: Float64Array, from: number, threshold: number): number[] {
  const isBelow = (context: number, above: number): boolean => {
    for (let at = context; at !== NONE; at = parent[at]) if (at === above) return true;
    return false;
  };
  const sum = (above: number) => exclusive.reduce((all, own, at) => (isBelow(at, above) ? all + own : all), 0);
  const path = [from];
  for (;;) {
    const here = path[path.length - 1];
    const children = [...parent.keys()].filter((context) => parent[context] === here);
    children.sort((a, b) => sum(b) - sum(a) || a - b);
    if (children.length === 0 || sum(here) <= 0 || sum(children[0]) / sum(here) < threshold) return path;
    path.push(children[0]);
  }
}

describe("a hot path", () => {
  it("is what the definition gives, on random trees with zero, negative and equal values", () => {
    let longest = 0;
    for (let seed = 1; seed <= 300; seed++) {
      const { tree, exclusive } = randomTree(seed);
      const sums = inclusive(tree, exclusive);
      for (const threshold of [0.01, 0.34, 0.5, 1]) {
        for (const from of [0, Math.floor(tree.size / 2)]) {
          const { contexts } = walkHotPath(tree, sums, from, threshold);
          expect([...contexts], `tree ${seed}`).toEqual(twin(tree.parent, exclusive, from, threshold));
          longest = Math.max(longest, contexts.length);
        }
      }
    }
    expect(longest).toBeGreaterThan(5);
  });

  it("goes on at exactly the threshold, and says what keeps less", () => {
    const { tree, exclusive, finalOf } = treeOf(
      rowsOf(`
        main
          a 5
          b 1
            c 2
            d 2`),
    );
    const [main, a, b, c] = finalOf;
    const sums = inclusive(tree, exclusive);
    // a and b are equal, 5 of 10: the first in canonical order.
    expect(walkHotPath(tree, sums, main, 0.5)).toEqual({
      contexts: Int32Array.of(main, a),
      end: { why: "leaf" },
    });
    expect(walkHotPath(tree, sums, b, 0.5)).toEqual({
      contexts: Int32Array.of(b),
      end: { why: "share", heaviest: c, share: 0.4 },
    });
    expect([...walkHotPath(tree, sums, b, 0.4).contexts]).toEqual([b, c]);
  });

  it("ends where there is no cost", () => {
    const { tree } = treeOf(rowsOf("main\n  a"));
    expect(walkHotPath(tree, new Float64Array(2), 0, 0.5).end).toEqual({ why: "nothing" });
    expect(walkHotPath(tree, Float64Array.of(-1, 2), 0, 0.5).end).toEqual({ why: "nothing" });
    // A negative exclusive of the parent: the child has more than all of it, and the path goes on.
    expect([...walkHotPath(tree, Float64Array.of(1, 2), 0, 0.5).contexts]).toEqual([0, 1]);
  });

  it("passes 100,000 calls in a row", () => {
    const builder = new ContextTreeBuilder();
    for (let context = NONE; context < 99_999;) context = builder.child(context, 0);
    const { tree } = builder.build(Int32Array.of(0));
    const exclusive = new Float64Array(tree.size);
    exclusive[tree.size - 1] = 1;
    const { contexts, end } = walkHotPath(tree, inclusive(tree, exclusive), 0, 1);
    expect(contexts.length).toBe(100_000);
    expect(end).toEqual({ why: "leaf" });
  });

  it("begins at the heaviest, the first of equal ones", () => {
    expect(heaviestOf([2, 0, 1], Float64Array.of(3, 1, 3))).toBe(2);
    expect(heaviestOf([0, 1, 2], Float64Array.of(-3, -1, -1))).toBe(1);
    expect(heaviestOf([], Float64Array.of(1))).toBe(NONE);
  });
});
