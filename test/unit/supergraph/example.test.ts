import { describe, expect, it } from "vitest";
import { quietTask } from "../../../src/model/task";
import { parseOperation } from "../../../src/supergraph/operationText";
import { graphStructure, measuredGraph } from "../../../src/supergraph/superGraph";
import { attributesOf, basisOf, type Row } from "./treeOf";

/** The example after the dissertation's figure 3.2 (semantics 2): function, library, caller, exclusive. */
const EXAMPLE: readonly [name: string, library: string, caller: string, exclusive: number][] = [
  ["f1", "lib1", "", 1],
  ["f2", "lib2", "f1", 2],
  ["f3", "lib1", "f2", 3],
  ["f4", "lib3", "f2", 1],
  ["f5", "lib4", "f1", 2],
  ["f6", "lib4", "f5", 1],
  ["f7", "lib5", "f4", 4],
  ["f8", "lib5", "f4", 5],
  ["f9", "lib5", "f8", 2],
  ["f11", "lib5", "f6", 6],
  ["f10", "lib5", "f11", 3],
];

describe("the example after figure 3.2", () => {
  const names = EXAMPLE.map(([name]) => name);
  const rows: Row[] = EXAMPLE.map(([name, , caller, exclusive]) => ({
    name,
    exclusive,
    parent: caller === "" ? undefined : names.indexOf(caller),
  }));
  const library = new Map(EXAMPLE.map(([name, library]) => [name, library]));
  const basis = basisOf(rows);
  const attributes = attributesOf(basis, { module: (name) => library.get(name) });
  const structure = graphStructure(basis, attributes, { filter: 0, groupBy: "module" }, quietTask);
  const graph = measuredGraph(structure, { exclusive: basis.exclusive }, quietTask);

  it("has the bars that the rules give", () => {
    expect(graph.total).toBe(30);
    expect(graph.hidden).toBe(0);
    expect(graph.bars.map(({ id, inclusive, exclusive, level }) => [id, inclusive, exclusive, level])).toEqual(
      [
        ["lib1", 30, 1, 0],
        ["lib2", 17, 2, 1],
        ["lib4", 12, 3, 1],
        ["lib5", 20, 20, 3],
        ["lib3", 12, 1, 2],
        ["lib1#2", 3, 3, 2],
      ].sort((a, b) => Number(a[3]) - Number(b[3])),
    );
  });

  it("has the edges that the rules give", () => {
    const edges = graph.edges.map(({ source, target, inclusive }) => `${source} → ${target} ${inclusive}`);
    expect(edges.sort()).toEqual([
      "lib1 → lib2 17",
      "lib1 → lib4 12",
      "lib2 → lib1#2 3",
      "lib2 → lib3 12",
      "lib3 → lib5 11",
      "lib4 → lib5 9",
    ]);
  });

  it("lists entry functions with the exclusive of the contexts below them in the bar", () => {
    const entries = graph.bars.find((bar) => bar.id === "lib5")?.entries;
    expect(entries?.map(({ name, inclusive, exclusive }) => [name, inclusive, exclusive])).toEqual([
      ["f11", 9, 9],
      ["f8", 7, 7],
      ["f7", 4, 4],
    ]);
  });

  it("splits lib5 by its entry functions", () => {
    const operations = [parseOperation("split-by-entry lib5 {f7,f8} {f11}")];
    const split = graphStructure(basis, attributes, { filter: 0, groupBy: "module", operations }, quietTask);
    const { bars, total } = measuredGraph(split, { exclusive: basis.exclusive }, quietTask);
    expect(total).toBe(30);
    const parts = bars.filter((bar) => bar.group.startsWith("lib5"));
    expect(parts.map(({ group, inclusive, exclusive }) => [group, inclusive, exclusive])).toEqual([
      ["lib5-f11", 9, 9],
      ["lib5-{f7,f8}", 11, 11],
    ]);
  });
});
