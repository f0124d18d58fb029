import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../../src/formats/registry";
import { quietTask } from "../../../src/model/task";
import type { GroupBy } from "../../../src/supergraph/query";
import { miniheat } from "../../recordings";
import { basisOf, graphOf } from "./recordedGraph";

interface GoldenCase {
  readonly groupBy: GroupBy;
  readonly filter: number;
  readonly total: number;
  readonly hidden: number;
  readonly filteredContexts: number;
  readonly nodes: readonly {
    group: string;
    visit: number;
    level: number;
    inclusive: number;
    exclusive: number;
    hidden: number;
    entries: string[];
  }[];
  readonly edges: readonly { source: string; target: string; inclusive: number }[];
}

describe("super graph of the sample recording", () => {
  const golden: { cases: GoldenCase[] } = JSON.parse(
    fs.readFileSync(path.join(miniheat, "profiles/golden/supergraph.json"), "utf8"),
  );

  it.each(golden.cases)("by $groupBy at $filter % is that of an independent program", async (expected) => {
    const [dataSet] = await openRecordings([path.join(miniheat, "profiles/profile-8ranks.cali")], {}, quietTask);
    const metric = dataSet.metrics.findIndex(({ name }) => name === "time");
    const graph = graphOf(basisOf(dataSet, metric), expected.filter, expected.groupBy);
    const near = (value: number) => expect.closeTo(value, 4);
    expect(graph.total).toEqual(near(expected.total));
    expect(graph.hidden).toEqual(near(expected.hidden));
    expect(graph.filtered.contexts).toBe(expected.filteredContexts);
    const nodes = graph.bars.map(({ group, visit, level, inclusive, exclusive, hidden, entries }) => ({
      group,
      visit,
      level,
      inclusive,
      exclusive,
      hidden,
      entries: entries.map(({ name }) => name).sort(),
    }));
    expect(nodes).toEqual(
      expected.nodes.map((node) => ({
        ...node,
        inclusive: near(node.inclusive),
        exclusive: near(node.exclusive),
        hidden: near(node.hidden),
      })),
    );
    const bySource = (a: { source: string; target: string }, b: { source: string; target: string }) =>
      `${a.source} ${a.target}` < `${b.source} ${b.target}` ? -1 : 1;
    expect([...graph.edges].sort(bySource)).toEqual(
      [...expected.edges].sort(bySource).map((edge) => ({ ...edge, inclusive: near(edge.inclusive) })),
    );
  });
});
