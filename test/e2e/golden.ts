/** The super graph of the 8-rank profile as an independent program computed it (sums over ranks, seconds). */
import fs from "node:fs";
import path from "node:path";
import { miniheat } from "../host/folders.mjs";

interface GoldenBar {
  readonly group: string;
  readonly visit: number;
  readonly inclusive: number;
  readonly exclusive: number;
}

export interface GoldenGraph {
  readonly groupBy: string;
  readonly filter: number;
  readonly total: number;
  readonly nodes: readonly GoldenBar[];
}

/** Of the recording: the window shows means over them. */
export const ranks = 8;

export function goldenGraph(groupBy: string, filter: number): GoldenGraph {
  const file = path.join(miniheat, "profiles", "golden", "supergraph.json");
  const { cases }: { cases: GoldenGraph[] } = JSON.parse(fs.readFileSync(file, "utf8"));
  const found = cases.find((graph) => graph.groupBy === groupBy && graph.filter === filter);
  if (!found) throw new Error(`There is no case by ${groupBy} at ${filter} %.`);
  return found;
}

/** Name of a bar, as it is shown. */
export function barName({ group, visit }: GoldenBar): string {
  return visit > 1 ? `${group} (${visit})` : group;
}

/** Mean over ranks of a bar's inclusive, seconds. */
export function meanInclusive(graph: GoldenGraph, group: string): number {
  const bar = graph.nodes.find((candidate) => candidate.group === group);
  if (!bar) throw new Error(`There is no bar ${group}.`);
  return bar.inclusive / ranks;
}
