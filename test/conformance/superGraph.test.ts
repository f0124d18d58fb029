import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import { quietTask } from "../../src/model/task";
import type { MeasuredGraph } from "../../src/supergraph/superGraph";
import { recordings } from "../recordings";
import { crossingsOfOurs, crossingsOfPeer } from "../unit/supergraph/peer";
import { basisOf, graphOf, sumsOf } from "../unit/supergraph/recordedGraph";

const shared = recordings();

/** Every recording that can be read, below the shared folder. */
function caliFiles(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(cali|json)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => fs.statSync(file).size < 4_000_000)
    .sort();
}

describe.runIf(shared)("super graphs of all recordings", () => {
  const folders = ["data/caliper", "data/caliper-edge", "miniapp/profiles"];
  const files = shared ? folders.flatMap((folder) => caliFiles(path.join(shared, folder))) : [];

  it("keep the laws, and cross no more than d3-sankey draws them", async () => {
    let graphs = 0;
    for (const file of files) {
      const dataSets = await openRecordings([file], {}, quietTask).catch(() => []);
      for (const dataSet of dataSets) {
        for (const [metric, { additive, name }] of dataSet.metrics.entries()) {
          if (!additive || sumsOf(dataSet, metric).reduce((sum, value) => sum + value, 0) <= 0) continue;
          const basis = basisOf(dataSet, metric);
          for (const groupBy of ["file", "module", "function", "none"] as const) {
            const graph = graphOf(basis, 0.1, groupBy);
            const what = `${path.basename(file)} ${name} by ${groupBy}`;
            expectLaws(graph, what);
            const [ours, peer] = [crossingsOfOurs(graph), crossingsOfPeer(graph)];
            expect(ours, `crossings of ${what}`).toBeLessThanOrEqual(peer + 1e-9 * graph.total);
            graphs++;
          }
        }
      }
    }
    expect(graphs).toBeGreaterThan(50);
  });
});

function expectLaws(graph: MeasuredGraph, what: string): void {
  const tolerance = 1e-9 * graph.total;
  let sum = graph.hidden;
  for (const bar of graph.bars) {
    const flows = graph.edges.reduce((all, edge) => (edge.source === bar.id ? all + edge.inclusive : all), 0);
    const rest = bar.inclusive - bar.exclusive - bar.hidden - flows;
    expect(Math.abs(rest), `${what}: ${bar.id}`).toBeLessThanOrEqual(tolerance);
    sum += bar.exclusive + bar.hidden;
  }
  expect(Math.abs(sum - graph.total), what).toBeLessThanOrEqual(tolerance);
}
