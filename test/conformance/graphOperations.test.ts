import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../src/formats/registry";
import type { DataSet } from "../../src/model/dataSet";
import { quietTask } from "../../src/model/task";
import { laidOut } from "../unit/supergraph/laidOut";
import type { GraphOperation, GroupBy } from "../../src/supergraph/query";
import type { GraphBasis, MeasuredGraph } from "../../src/supergraph/superGraph";
import { recordings } from "../recordings";
import { basisOf, graphOf, sumsOf } from "../unit/supergraph/recordedGraph";

const shared = recordings();

/** Recordings of every format that has calling contexts, or estimates them. */
const RECORDINGS = [
  ["hpctoolkit-v4/viewer-inline.meta.db", "module"],
  ["hpctoolkit-v2/callflow-lulesh", "file"],
  ["hpctoolkit-v2/hpctoolkit-allgather-database", "file"],
  ["hpctoolkit-v2/hpctoolkit-cpi-database", "module"],
  ["hpctoolkit-v2/viewer-xml", "function"],
  ["hpctoolkit-v4/small.d", "function"],
  ["hpctoolkit-v4/pipit-ping-pong", "file"],
  ["hpctoolkit-v4/viewer-loop-fork-cycles", "file"],
  ["hpctoolkit-v4/recursion-cuda-nvidiapc-t.d", "function"],
  ["hpctoolkit-v4/loops-hip-amd-t.d", "none"],
  ["caliper/caliper-lulesh-json", "function"],
  ["caliper/caliper-cpi-json", "file"],
  ["caliper-edge", "function"],
  ["../miniapp/profiles/samples-4ranks-callpath.cali", "module"],
  ["../miniapp/profiles/profile-8ranks.cali", "file"],
  ["other/callgrind", "file"],
  ["other/kineto", "file"],
] as const satisfies readonly (readonly [string, GroupBy])[];

async function opened(name: string): Promise<DataSet[]> {
  const place = path.join(shared ?? "", "data", name);
  const whole = await openRecordings([place], {}, quietTask).catch(() => []);
  if (whole.length > 0 || !fs.statSync(place).isDirectory()) return whole;
  const each = fs.readdirSync(place).map((file) => openRecordings([path.join(place, file)], {}, quietTask));
  return (await Promise.allSettled(each)).flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

/** The heaviest metric that adds up and has a positive total. */
function basesOf(dataSet: DataSet): GraphBasis[] {
  const total = (metric: number) => sumsOf(dataSet, metric).reduce((sum, value) => sum + value, 0);
  const metrics = [...dataSet.metrics.keys()].filter((metric) => dataSet.metrics[metric].additive && total(metric) > 0);
  return metrics.slice(0, 1).map((metric) => basisOf(dataSet, metric));
}

/** Operations on what a graph shows: its heaviest bars, and the one with most entries. */
function operationsOn({ bars }: MeasuredGraph): GraphOperation[] {
  const heavy = [...bars].sort((a, b) => b.exclusive - a.exclusive || (a.id < b.id ? -1 : 1));
  const entered = [...bars].sort((a, b) => b.entries.length - a.entries.length || (a.id < b.id ? -1 : 1))[0];
  const some = heavy.slice(0, 3).flatMap(({ group, visit }): GraphOperation[] => [
    { kind: "split-by-caller", target: { group }, by: "function" },
    { kind: "split-by-caller", target: { group, bar: visit }, by: "group" },
    { kind: "expand", target: { group } },
    { kind: "hide", target: { group, bar: visit } },
  ]);
  if (entered === undefined) return some;
  const { group, entries } = entered;
  const names = [...new Set(entries.map(({ name }) => name))];
  return [
    ...some,
    { kind: "split-by-entry", target: { group }, sets: [names.slice(0, 1), names.slice(1, 3)].filter((set) => set[0]) },
    { kind: "reveal", function: names[0], target: { group } },
  ];
}

function expectLaws(graph: MeasuredGraph, total: number, what: string): void {
  const tolerance = 1e-9 * total;
  const levels = new Map(graph.bars.map((bar) => [bar.id, bar.level]));
  expect(levels.size, what).toBe(graph.bars.length);
  let sum = graph.hidden;
  for (const bar of graph.bars) {
    const flows = graph.edges.reduce((all, edge) => (edge.source === bar.id ? all + edge.inclusive : all), 0);
    const rest = bar.inclusive - bar.exclusive - bar.hidden - flows;
    expect(Math.abs(rest), `${what}: ${bar.id}`).toBeLessThanOrEqual(tolerance);
    sum += bar.exclusive + bar.hidden;
  }
  expect(Math.abs(sum - total), what).toBeLessThanOrEqual(tolerance);
  // Every edge leads to a higher level, so there is no cycle.
  const back = graph.edges.filter(({ source, target }) => (levels.get(source) ?? 0) >= (levels.get(target) ?? 0));
  expect(back, what).toEqual([]);
}

const bytes = (graph: MeasuredGraph) => JSON.stringify([graph, laidOut(graph, { width: 800, height: 600 })]);

describe.runIf(shared)("operations on super graphs of recordings", () => {
  it.each(RECORDINGS)("keep the sums and make no cycle: %s by %s", async (name, groupBy) => {
    let graphs = 0;
    let taken = 0;
    for (const dataSet of await opened(name)) {
      for (const basis of basesOf(dataSet)) {
        const first = graphOf(basis, 0.01, groupBy);
        expectLaws(first, basis.total, `${dataSet.name} by ${groupBy}`);
        for (const operation of operationsOn(first)) {
          const what = `${dataSet.name}: ${JSON.stringify(operation)}`;
          let graph: MeasuredGraph;
          try {
            graph = graphOf(basis, 0.01, groupBy, [operation]);
          } catch (error) {
            // A function has no finer level.
            expect((error as Error).message, what).toMatch(/cannot be expanded: its contexts have no finer level/);
            continue;
          }
          expectLaws(graph, basis.total, what);
          graphs++;
          // And one on what came of it.
          for (const next of operationsOn(graph).slice(0, 2))
            expectLaws(graphOf(basis, 0.01, groupBy, [operation, next]), basis.total, what);
          if (operation.kind !== "expand" || graph.filter !== first.filter) continue;
          const collapse = { kind: "collapse", target: operation.target } as const;
          expect(bytes(graphOf(basis, 0.01, groupBy, [operation, collapse])), what).toBe(bytes(first));
          taken++;
        }
      }
    }
    expect(graphs).toBeGreaterThan(3);
    if (groupBy !== "function" && groupBy !== "none") expect(taken).toBeGreaterThan(0);
  });

  it.each([
    ["hpctoolkit-v4/viewer-inline.meta.db", "module"],
    ["hpctoolkit-v2/callflow-lulesh", "file"],
  ] as const)("leave no cycle where a rule by path alone would: %s by %s", async (name, groupBy) => {
    const [dataSet] = await opened(name);
    const [basis] = basesOf(dataSet);
    const graph = graphOf(basis, 0, groupBy);
    // Two groups lie on both sides of each other on some paths, so one bar a group would be a cycle.
    const groups = new Map(graph.bars.map((bar) => [bar.id, bar.group]));
    const calls = new Set(graph.edges.map(({ source, target }) => `${groups.get(source)}\n${groups.get(target)}`));
    const both = [...calls].filter((call) => calls.has(call.split("\n").reverse().join("\n")));
    expect(both.length).toBeGreaterThan(0);
    expect(graph.bars.some((bar) => bar.visit > 1)).toBe(true);
    expectLaws(graph, basis.total, name);
  });
});
