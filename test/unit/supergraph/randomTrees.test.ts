import { describe, expect, it } from "vitest";
import { quietTask } from "../../../src/model/task";
import type { GroupBy } from "../../../src/supergraph/query";
import { graphStructure, type MeasuredGraph, measuredGraph } from "../../../src/supergraph/superGraph";
import { layoutGraph } from "../../../src/supergraph/layout";
import { randomTree, shuffled } from "./random";
import { attributesOf, basisOf, type Row } from "./treeOf";
import { type TwinGraph, twinGraph } from "./twin";

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

/** What both can be compared by: everything but the order of bars, edges and entries. */
function comparable(graph: MeasuredGraph | TwinGraph) {
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return {
    total: graph.total,
    hidden: graph.hidden,
    bars: graph.bars
      .map(({ id, group, visit, level, inclusive, exclusive, hidden, contexts, entries }) => ({
        ...{ id, group, visit, level, inclusive, exclusive, hidden, contexts },
        entries: entries.map(({ name, inclusive, exclusive }) => `${name} ${inclusive} ${exclusive}`).sort(),
      }))
      .sort(byId),
    edges: graph.edges.map(({ source, target, inclusive }) => `${source} → ${target} ${inclusive}`).sort(),
  };
}

function reachable(graph: MeasuredGraph, from: string): Set<string> {
  const seen = new Set([from]);
  for (const bar of seen) for (const edge of graph.edges) if (edge.source === bar) seen.add(edge.target);
  return seen;
}

/** The laws that a graph breaks. Written with conditions: expectations by the million are slow. */
function brokenLaws(graph: MeasuredGraph): string[] {
  const broken: string[] = [];
  const levels = new Map(graph.bars.map((bar) => [bar.id, bar.level]));
  if (levels.size !== graph.bars.length) broken.push("two bars have one id");
  let sum = graph.hidden;
  for (const bar of graph.bars) {
    const flows = graph.edges.reduce((all, edge) => (edge.source === bar.id ? all + edge.inclusive : all), 0);
    if (bar.inclusive !== bar.exclusive + bar.hidden + flows) broken.push(`${bar.id} does not add up`);
    sum += bar.exclusive + bar.hidden;
  }
  if (sum !== graph.total) broken.push(`all bars have ${sum} of ${graph.total}`);
  // Every edge leads to a higher level, so there is no cycle.
  for (const { source, target } of graph.edges)
    if (!((levels.get(source) ?? NaN) < (levels.get(target) ?? NaN))) broken.push(`${source} → ${target} leads back`);
  for (const bar of graph.bars) {
    const below = graph.bars.filter((other) => other.group === bar.group && other.visit > bar.visit);
    if (below.length === 0) continue;
    const reached = reachable(graph, bar.id);
    for (const other of below) if (!reached.has(other.id)) broken.push(`${bar.id} does not reach ${other.id}`);
  }
  return broken;
}

describe("super graphs of random trees", () => {
  it.each(PARTS)(`are those of the naive twin, and keep the laws, on ${TREES} trees (part %d)`, (part) => {
    let several = 0;
    let deeper = 0;
    for (let seed = part * TREES + 1; seed <= (part + 1) * TREES; seed++) {
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
      if (graph.bars.some((bar) => bar.visit > 1)) several++;
      if (graph.bars.some((bar) => bar.id === "deeper")) deeper++;
    }
    // The trees are worth comparing on: cycles had to be kept open, and paths came back more than eight times.
    expect(several).toBeGreaterThan(TREES / 20);
    expect(deeper).toBeGreaterThan(0);
  });

  it("are the same bytes whatever the order of the input", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const { rows, fileOf } = randomTree(seed);
      // Values that are not exact in a double, so that sums would show another order.
      const uneven = rows.map((row) => ({ ...row, exclusive: row.exclusive / 3 + 0.1 }));
      const bytes = (input: readonly Row[]) => {
        const graph = graphOf(input, fileOf, seed % 3, seed % 2 ? "file" : "function");
        return JSON.stringify([graph, layoutGraph(graph, { width: 800, height: 600 })]);
      };
      const expected = bytes(uneven);
      for (let order = 1; order <= 3; order++) expect(bytes(shuffled(uneven, seed * 10 + order))).toBe(expected);
    }
  });
});
