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

/** Seconds that each rank spends in frames of this name itself, from the records as the recording's own tool reads them. */
export function exclusiveByRank(frame: string): number[] {
  const file = path.join(miniheat, "profiles", "golden", "profile-8ranks.records.json");
  const records: { path?: string; "mpi.rank"?: number; "sum#sum#time.duration"?: number }[] = JSON.parse(
    fs.readFileSync(file, "utf8"),
  );
  const seconds = new Array<number>(ranks).fill(0);
  for (const record of records) {
    const rank = record["mpi.rank"];
    if (rank !== undefined && record.path?.split("/").at(-1) === frame)
      seconds[rank] += record["sum#sum#time.duration"] ?? 0;
  }
  return seconds;
}
