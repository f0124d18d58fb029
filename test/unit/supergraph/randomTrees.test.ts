import { afterAll, describe, expect, it } from "vitest";
import { quietTask } from "../../../src/model/task";
import type { GroupBy } from "../../../src/supergraph/query";
import { graphStructure, measuredGraph } from "../../../src/supergraph/superGraph";
import { laidOut } from "./laidOut";
import { brokenLaws, comparable } from "./graphLaws";
import { casesOf, seeds } from "../randomCases";
import { randomTree, shuffled } from "./random";
import { attributesOf, basisOf, type Row } from "./treeOf";
import { twinGraph } from "./twin";

/** 10,000 trees, in parts so that none takes long. */
const PARTS = Array.from({ length: 20 }, (_, part) => part);
const TREES = 500;
const FILTERS = [0, 0, 0.1, 2, 10, 40];
const GROUPINGS: readonly GroupBy[] = ["file", "file", "function", "none"];

function graphOf(rows: readonly Row[], fileOf: ReadonlyMap<string, string>, filter: number, groupBy: GroupBy) {
  const basis = basisOf(rows);
  const attributes = attributesOf(basis, { file: (name) => fileOf.get(name) });
  const structure = graphStructure(basis, attributes, { filter, groupBy }, quietTask);
  return measuredGraph(structure, { exclusive: basis.exclusive }, quietTask);
}

describe("super graphs of random trees", () => {
  const seen = { trees: 0, several: 0, deeper: 0 };

  it.each(PARTS)(`are those of the naive twin, and keep the laws, on ${casesOf(TREES)} trees (part %d)`, (part) => {
    for (const seed of seeds(TREES, part)) {
      const { rows, fileOf } = randomTree(seed);
      const filter = FILTERS[seed % FILTERS.length];
      const groupBy = GROUPINGS[(seed >> 3) % GROUPINGS.length];
      const groupOf = { file: (name: string) => fileOf.get(name) ?? "", function: (name: string) => name };
      const twin = twinGraph(rows, filter, groupBy === "none" ? undefined : groupOf[groupBy as "file"]);
      const graph = graphOf(rows, fileOf, filter, groupBy);
      expect(comparable(graph), `seed ${seed}`).toEqual(comparable(twin));
      expect(graph.functions).toBe(twin.functions);
      expect(graph.filtered.contexts).toBe(rows.length - twin.contexts);
      expect(brokenLaws(graph), `seed ${seed}`).toEqual([]);
      seen.trees++;
      if (graph.bars.some((bar) => bar.visit > 1)) seen.several++;
      if (graph.bars.some((bar) => bar.id === "deeper")) seen.deeper++;
    }
  });

  afterAll(() => {
    if (seen.trees < PARTS.length * casesOf(TREES)) return; // not all parts were asked for
    // The trees are worth comparing on: cycles had to be kept open, and paths came back more than eight times.
    expect(seen.several).toBeGreaterThan(seen.trees / 20);
    expect(seen.deeper).toBeGreaterThan(0);
  });

  it("are the same bytes whatever the order of the input", () => {
    for (const seed of seeds(500)) {
      const { rows, fileOf } = randomTree(seed);
      // Values that are not exact in a double, so that sums would show another order.
      const uneven = rows.map((row) => ({ ...row, exclusive: row.exclusive / 3 + 0.1 }));
      const bytes = (input: readonly Row[]) => {
        const graph = graphOf(input, fileOf, seed % 3, seed % 2 ? "file" : "function");
        return JSON.stringify([graph, laidOut(graph, { width: 800, height: 600 })]);
      };
      const expected = bytes(uneven);
      for (let order = 1; order <= 3; order++) expect(bytes(shuffled(uneven, seed * 10 + order))).toBe(expected);
    }
  });
});
