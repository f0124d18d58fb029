import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContextTreeBuilder, inclusive } from "../../../src/model/contextTree";
import { NONE } from "../../../src/model/ids";
import { functionsOf, inclusiveByFunction } from "../../../src/model/functions";
import { treeOf } from "./trees";

const name = fc.constantFrom("a", "b", "c", "__proto__");
const paths = fc.array(fc.array(name, { minLength: 1, maxLength: 7 }), { minLength: 1, maxLength: 30 });

/** Names from the root down to a context, by walking up. */
function pathText({ tree, frames }: ReturnType<typeof treeOf>, context: number): string {
  const names: string[] = [];
  for (let at = context; at >= 0; at = tree.parent[at]) names.unshift(frames.nameOf(tree.frame[at]));
  return names.join("/");
}

describe("the calling context tree", () => {
  it("is in preorder, siblings in canonical order, and `end` bounds the subtree", () => {
    fc.assert(
      fc.property(paths, (input) => {
        const built = treeOf(input);
        const { tree } = built;
        const expected = new Set(input.flatMap((path) => path.map((_, at) => path.slice(0, at + 1).join("/"))));
        const texts = Array.from({ length: tree.size }, (_, context) => pathText(built, context));
        expect(new Set(texts)).toEqual(expected);
        expect(texts.length).toBe(expected.size);
        texts.forEach((text, context) => {
          const below = texts.filter((other, at) => at > context && other.startsWith(`${text}/`)).length;
          expect(tree.end[context]).toBe(context + 1 + below);
          expect(tree.parent[context]).toBeLessThan(context);
        });
      }),
    );
  });

  it("is the same whatever the order of the paths", () => {
    fc.assert(
      fc.property(paths, (input) => {
        const forwards = treeOf(input);
        const backwards = treeOf([...input].reverse());
        const texts = (built: ReturnType<typeof treeOf>) =>
          Array.from({ length: built.tree.size }, (_, context) => pathText(built, context));
        expect(texts(backwards)).toEqual(texts(forwards));
        expect(backwards.tree.end).toEqual(forwards.tree.end);
        expect(backwards.tree.parent).toEqual(forwards.tree.parent);
      }),
    );
  });

  it("grows on after it was cut to what its contexts need", () => {
    const paths = [NONE, 0, 0, 2, 2, 1];
    const [settled, plain] = [new ContextTreeBuilder(), new ContextTreeBuilder()];
    settled.settle();
    for (const [frame, parent] of paths.entries()) {
      expect(settled.child(parent, frame)).toBe(plain.child(parent, frame));
      settled.settle();
      expect(settled.child(parent, frame)).toBe(frame);
    }
    for (let frame = 6; frame < 2000; frame++) {
      expect(settled.child(frame - 1, frame)).toBe(plain.child(frame - 1, frame));
      if (frame % 700 === 0) settled.settle();
    }
    const ranks = Int32Array.from({ length: 2000 }, (_, frame) => frame);
    expect(settled.build(ranks)).toEqual(plain.build(ranks));
  });

  it("holds a chain of 100,000 contexts", () => {
    const builder = new ContextTreeBuilder();
    let context = -1;
    for (let depth = 0; depth < 100_000; depth++) context = builder.child(context, depth % 3);
    const { tree } = builder.build(Int32Array.of(0, 1, 2));
    expect(tree.end.every((end) => end === 100_000)).toBe(true);
    expect(inclusive(tree, new Float64Array(100_000).fill(1))[0]).toBe(100_000);
  });

  it("has inclusive values that are the sums over subtrees", () => {
    fc.assert(
      fc.property(paths, fc.infiniteStream(fc.integer({ min: -5, max: 100 })), (input, amounts) => {
        const { tree } = treeOf(input);
        const exclusive = Float64Array.from({ length: tree.size }, () => amounts.next().value);
        const sums = inclusive(tree, exclusive);
        for (let context = 0; context < tree.size; context++) {
          let sum = 0;
          for (let below = context; below < tree.end[context]; below++) sum += exclusive[below];
          expect(sums[context]).toBe(sum);
        }
      }),
    );
  });
});

describe("functions", () => {
  it("count a context in their inclusive only when no ancestor is the same function", () => {
    fc.assert(
      fc.property(paths, (input) => {
        const { tree, frames } = treeOf(input);
        const functions = functionsOf(tree, frames);
        const exclusive = Float64Array.from({ length: tree.size }, (_, context) => context + 1);
        const sums = inclusiveByFunction(functions, inclusive(tree, exclusive));
        // Twin: a function's inclusive is the cost of all contexts that have it somewhere on their path.
        for (let id = 0; id < functions.size; id++) {
          let expected = 0;
          for (let context = 0; context < tree.size; context++) {
            let on = false;
            for (let at = context; at >= 0; at = tree.parent[at]) on ||= functions.ofContext[at] === id;
            if (on) expected += exclusive[context];
          }
          expect(sums[id]).toBe(expected);
        }
      }),
    );
  });

  it("own their lines and loops", () => {
    const { tree, frames, contextOf } = treeOf([
      ["main", { name: "", kind: "loop", file: "a.c", line: 3 }, { name: "", kind: "line", file: "a.c", line: 4 }],
      ["main", "work", { name: "", kind: "line", file: "b.c", line: 9 }],
    ]);
    const functions = functionsOf(tree, frames);
    expect(functions.size).toBe(2);
    const of = (path: Parameters<typeof contextOf>[0]) => functions.ofContext[contextOf(path)];
    expect(of(["main", { name: "", kind: "loop", file: "a.c", line: 3 }])).toBe(of(["main"]));
    expect(of(["main", "work", { name: "", kind: "line", file: "b.c", line: 9 }])).toBe(of(["main", "work"]));
  });

  it("without a name are the same only at the same address", () => {
    const unknown = (address?: number) => ({
      name: "<unknown procedure>",
      kind: "function" as const,
      module: "a.so",
      address,
    });
    const { tree, frames } = treeOf([
      ["main", unknown(16)],
      ["other", unknown(16)],
      ["other", unknown(32)],
      ["other", "UNKNOWN"],
      ["main", "UNKNOWN"],
    ]);
    expect(functionsOf(tree, frames).size).toBe(2 + 2 + 2);
  });
});
