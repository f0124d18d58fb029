import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { GroupBy, SuperGraph } from "../../src/engine/api";
import { miniheat } from "../recordings";
import { everything, openMiniheat } from "../unit/engine/miniheat";

interface GoldenCase {
  groupBy: GroupBy;
  filter: number;
  total: number;
  hidden: number;
  filteredContexts: number;
  nodes: {
    group: string;
    visit: number;
    level: number;
    inclusive: number;
    exclusive: number;
    hidden: number;
    entries: string[];
  }[];
  edges: { source: string; target: string; inclusive: number }[];
}

const golden = JSON.parse(fs.readFileSync(path.join(miniheat, "profiles/golden/supergraph.json"), "utf8")) as {
  cases: GoldenCase[];
};

/** The independent program rounds to six decimals. */
const within = 1e-4;

function byGroup(graph: SuperGraph) {
  return graph.bars.map(({ group, visit, level, entries }) => ({
    group,
    visit,
    level,
    entries: entries.map((entry) => entry.name).sort(),
  }));
}

describe("the super graph of the sample program", () => {
  it.each(golden.cases)("by $groupBy at $filter % is that of the independent program", async (expected) => {
    const { engine, scope } = await openMiniheat();
    const graph = await engine.superGraph(everything(scope, expected.groupBy, expected.filter));
    const order = (a: { group: string; visit: number }, b: { group: string; visit: number }) =>
      a.group < b.group ? -1 : a.group > b.group ? 1 : a.visit - b.visit;
    expect(byGroup(graph).sort(order)).toEqual(
      expected.nodes
        .map(({ group, visit, level, entries }) => ({ group, visit, level, entries: [...entries].sort() }))
        .sort(order),
    );
    const near = (found: number, wanted: number) => expect(Math.abs(found - wanted)).toBeLessThanOrEqual(within);
    near(graph.total, expected.total);
    near(graph.hidden, expected.hidden);
    expect(graph.filtered.contexts).toBe(expected.filteredContexts);
    for (const node of expected.nodes) {
      const bar = graph.bars.find((one) => one.group === node.group && one.visit === node.visit);
      near(bar?.inclusive ?? NaN, node.inclusive);
      near(bar?.exclusive ?? NaN, node.exclusive);
      near(bar?.hidden ?? NaN, node.hidden);
    }
    expect(graph.edges.map(({ source, target }) => `${source} -> ${target}`).sort()).toEqual(
      expected.edges.map(({ source, target }) => `${source} -> ${target}`).sort(),
    );
    for (const edge of expected.edges) {
      const found = graph.edges.find((one) => one.source === edge.source && one.target === edge.target);
      near(found?.inclusive ?? NaN, edge.inclusive);
    }
  });

  it.each(["mean", "max", "min", { rank: 3 }] as const)("keeps its bars and levels over ranks by %s", async (over) => {
    const { engine, scope } = await openMiniheat();
    const sums = await engine.superGraph(everything(scope, "file"));
    const graph = await engine.superGraph(everything({ ...scope, over }, "file"));
    expect(byGroup(graph).map(({ group, visit, level }) => ({ group, visit, level }))).toEqual(
      byGroup(sums).map(({ group, visit, level }) => ({ group, visit, level })),
    );
    if (over === "mean")
      graph.bars.forEach((bar, at) => expect(bar.inclusive).toBeCloseTo(sums.bars[at].inclusive / 8, 12));
    if (over === "max" || over === "min") expect(graph.notes.join()).toMatch(/do not add up/);
  });
});
