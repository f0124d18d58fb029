import { describe, expect, it } from "vitest";
import { filterContexts } from "../../../src/supergraph/filter";
import { FilteredTrees } from "../../../src/supergraph/filteredTrees";
import { basisOf, rowsOf } from "./treeOf";

/** Four contexts with 100, 50, 20 and 5 % of the total. */
const fourContexts = () =>
  basisOf(
    rowsOf(`
      main 30
        solve 50
        halo 15
          pack 5`),
  );

describe("trees that filters leave", () => {
  const basis = fourContexts();

  it("are what the filter leaves", () => {
    const trees = new FilteredTrees();
    for (const [percent, size] of [
      [0, 4],
      [10, 3],
      [60, 1],
      [10, 3],
    ]) {
      expect(trees.of(basis, percent)).toEqual(filterContexts(basis, percent));
      expect(trees.of(basis, percent).size).toBe(size);
    }
  });

  it("are made once while there is room", () => {
    const trees = new FilteredTrees(12);
    const filters = [0, 10, 60];
    const made = filters.map((percent) => trees.of(basis, percent));
    for (const [at, percent] of filters.entries()) expect(trees.of(basis, percent)).toBe(made[at]);
  });

  it("go where there is no room, the one that was asked for longest ago first", () => {
    // Contexts that are hidden count too: two trees of four.
    const trees = new FilteredTrees(8);
    const [whole, tenth] = [trees.of(basis, 0), trees.of(basis, 10)];
    expect(trees.of(basis, 0)).toBe(whole);
    const most = trees.of(basis, 60);
    expect(trees.of(basis, 60)).toBe(most);
    expect(trees.of(basis, 0)).toBe(whole);
    expect(trees.of(basis, 10)).not.toBe(tenth);
  });

  it("are given, and not kept, where one alone has more contexts than there is room for", () => {
    const trees = new FilteredTrees(3);
    const first = trees.of(basis, 10);
    expect(trees.of(basis, 10)).toEqual(first);
    expect(trees.of(basis, 10)).not.toBe(first);
  });

  it("are of their own basis, though another has the same numbers", () => {
    const trees = new FilteredTrees();
    const [here, there] = [trees.of(basis, 10), trees.of(fourContexts(), 10)];
    expect(there).toEqual(here);
    expect(there).not.toBe(here);
    expect(trees.of(basis, 10)).toBe(here);
  });
});
