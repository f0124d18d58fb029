import { describe, expect, it } from "vitest";
import { nodesOf } from "../../../../src/engine/overview/hierarchy";
import type { Resource } from "../../../../src/model/resources";

const resource = (name: string, parent: number): Resource => ({ name, parent, type: "process", location: -1 });
const shown = (nodes: readonly { readonly name: string; readonly parent: number }[]) =>
  nodes.map(({ name, parent }) => `${name} < ${nodes[parent]?.name ?? "-"}`);

describe("the tree over the lanes of a trace", () => {
  const resources = [
    resource("site", -1),
    resource("host 0", 0),
    resource("host 1", 0),
    resource("rank 0", 1),
    resource("rank 1", 1),
    resource("rank 2", 2),
    resource("alone", -1),
  ];
  const leaf = (name: string, at: number) => ({ name, resource: at });

  it("is what the recording says, without what has one part alone", () => {
    const leaves = [leaf("rank 0", 3), leaf("rank 1", 4), leaf("rank 2", 5)];
    expect(shown(nodesOf(leaves, resources, { kind: "recorded" }))).toEqual([
      "rank 0 < host 0",
      "rank 1 < host 0",
      "rank 2 < site",
      "site < -",
      "host 0 < site",
    ]);
  });

  it("has one root over several, and lanes of one resource below that", () => {
    const leaves = [leaf("a", 3), leaf("b", 3), leaf("c", 6), leaf("d", -1)];
    expect(shown(nodesOf(leaves, resources, { kind: "recorded" }))).toEqual([
      "a < rank 0",
      "b < rank 0",
      "c < all",
      "d < all",
      "all < -",
      "rank 0 < all",
    ]);
  });

  it("may be as deep as it likes, with a lane at each depth", () => {
    const depth = 20_000;
    const deep = Array.from({ length: depth }, (_, at) => resource(`${at}`, at - 1));
    const nodes = nodesOf(
      deep.map(({ name }, at) => leaf(name, at)),
      deep,
      { kind: "recorded" },
    );
    // The innermost one is a lane alone; each other has its lane, and what is inside.
    expect(nodes).toHaveLength(2 * depth - 1);
    expect([nodes[0].parent, nodes[depth - 1].parent, nodes[depth].parent]).toEqual([depth, 2 * depth - 2, -1]);
  });

  it("of one lane is that lane", () => {
    expect(shown(nodesOf([leaf("a", 3)], resources, { kind: "recorded" }))).toEqual(["a < -"]);
  });

  it("puts so many leaves below each group, by the numbers in their names", () => {
    const leaves = ["r10", "r2", "r1", "r3", "r0"].map((name) => leaf(name, -1));
    expect(shown(nodesOf(leaves, [], { kind: "every", count: 2, name: "host" }))).toEqual([
      "r10 < all",
      "r2 < host 1",
      "r1 < host 0",
      "r3 < host 1",
      "r0 < host 0",
      "all < -",
      "host 1 < all",
      "host 0 < all",
    ]);
  });

  it("is that of a file; who is not in it hangs below the root, who is not in the trace is refused", () => {
    const leaves = ["a", "b", "c", "constructor"].map((name) => leaf(name, -1));
    const paths = ["a", "b", "c"].map((name) => [name, [name === "c" ? "west" : "east", "one"]] as const);
    expect(shown(nodesOf(leaves, [], { kind: "paths", paths }))).toEqual([
      "a < one",
      "b < one",
      "c < all",
      "constructor < all",
      "all < -",
      "one < all",
    ]);
    expect(() => nodesOf(leaves, [], { kind: "paths", paths: [["z", ["x"]]] })).toThrow(
      "names 'z', which is no resource",
    );
  });
});
