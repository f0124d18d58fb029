import type { MeasuredGraph } from "../../../src/supergraph/superGraph";
import type { TwinGraph } from "./twin";

/** What both can be compared by: everything but the order of bars, edges and entries. */
export function comparable(graph: MeasuredGraph | TwinGraph) {
  const names = new Map(graph.bars.map(({ id, group, visit }) => [id, `${group}#${visit}`]));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return {
    total: graph.total,
    hidden: graph.hidden,
    bars: graph.bars
      .map(({ id, group, visit, level, inclusive, exclusive, hidden, contexts, entries }) => ({
        id: names.get(id) ?? "",
        group,
        visit,
        level,
        inclusive,
        exclusive,
        hidden,
        contexts,
        entries: entries.map(({ name, inclusive, exclusive }) => `${name} ${inclusive} ${exclusive}`).sort(),
      }))
      .sort(byId),
    edges: graph.edges
      .map(({ source, target, inclusive }) => `${names.get(source)} → ${names.get(target)} ${inclusive}`)
      .sort(),
  };
}

function reachable(graph: MeasuredGraph, from: string): Set<string> {
  const seen = new Set([from]);
  for (const bar of seen) for (const edge of graph.edges) if (edge.source === bar) seen.add(edge.target);
  return seen;
}

/** The laws that a graph breaks. Written with conditions: expectations by the million are slow. */
export function brokenLaws(graph: MeasuredGraph): string[] {
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
  // The last one named so may be the bar of what is too deep, which is that of no group, whatever a group is named.
  const tooDeep = graph.bars.filter(({ group }) => group === "deeper").sort((a, b) => b.visit - a.visit)[0];
  for (const bar of graph.bars) {
    const isBelow = (other: typeof bar) => other.group === bar.group && other.visit > bar.visit && other !== tooDeep;
    const below = graph.bars.filter(isBelow);
    if (below.length === 0) continue;
    const reached = reachable(graph, bar.id);
    for (const other of below) if (!reached.has(other.id)) broken.push(`${bar.id} does not reach ${other.id}`);
  }
  return broken;
}
