/** What ranks of a simulated run wait for others, and its critical path, against a plain reading of the lines of its trace. */
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

const shared = recordings();
const file = path.join(shared ?? "", "data/paje/traces/smpi-cg64.trace.gz");
const COLLECTIVE = ["PMPI_Allreduce", "PMPI_Barrier", "PMPI_Finalize"];

interface Call {
  readonly name: string;
  readonly begin: number;
  readonly end: number;
}

/** Calls of each rank, as `PushState` (12) and `PopState` (13) say; no rank is in two at once. */
function callsByRank(): Map<string, Call[]> {
  const [names, ranks] = [new Map<string, string>(), new Map<string, string>()];
  const [open, calls] = [new Map<string, { name: string; begin: number }>(), new Map<string, Call[]>()];
  for (const line of zlib.gunzipSync(fs.readFileSync(file)).toString().split("\n")) {
    const [kind, first, second, third, fourth, fifth] = line.split(" ");
    if (kind === "5") names.set(first, third);
    if (kind === "6") ranks.set(second, fifth.replaceAll('"', ""));
    const rank = ranks.get(third) ?? "";
    if (kind === "12") open.set(rank, { name: names.get(fourth) ?? "", begin: Number(first) });
    const begun = open.get(rank);
    if (kind !== "13" || !begun) continue;
    const own = calls.get(rank) ?? [];
    own.push({ ...begun, end: Number(first) });
    calls.set(rank, own);
  }
  return calls;
}

describe.runIf(shared)("waits of a simulated run", () => {
  // All calls that receive are `PMPI_Wait`s, and none of them takes any time: the run waits in collectives alone, while it sends.
  it("are those in its collectives, and of a call that only sends there is none", async () => {
    const calls = callsByRank();
    expect(
      new Set([...calls.values()].flat().flatMap((one) => (one.name === "PMPI_Wait" ? [one.end - one.begin] : []))),
    ).toEqual(new Set([0]));
    const waited = new Map<string, number>();
    const collectives = [...calls].map(([rank, all]) => ({
      rank,
      all: all.filter(({ name }) => COLLECTIVE.includes(name)),
    }));
    for (const order of collectives[0].all.keys()) {
      const last = Math.max(...collectives.map(({ all }) => all[order].begin));
      for (const { rank, all } of collectives)
        waited.set(rank, (waited.get(rank) ?? 0) + Math.min(last, all[order].end) - all[order].begin);
    }
    const engine = localEngine(grammars);
    const [{ id: dataSet }] = await engine.open({ paths: [file] });
    const { lanes, startSeconds: fromSeconds, endSeconds: toSeconds } = await engine.timelineFacts({ dataSet });
    const { rows } = await engine.timelineWaits({ dataSet, lanes: [...lanes.keys()], fromSeconds, toSeconds });
    expect(rows.length).toBeGreaterThan(1);
    for (const { lane, lateSender, lateReceiver, collective } of rows) {
      const rank = lanes[lane].name.split(":")[0];
      expect([lateSender, lateReceiver]).toEqual([0, 0]);
      expect(collective, rank).toBeCloseTo(waited.get(rank) ?? -1, 9);
    }
    const found = await engine.timelinePath({ dataSet, fromSeconds, toSeconds, withFunctions: true });
    // Only collectives lead from rank to rank: each part but the first begins where one is entered, or left before the last rank enters it.
    const edges = new Set(collectives.flatMap(({ all }) => all.flatMap(({ begin, end }) => [begin, end])));
    for (const begin of found.startSeconds.slice(1)) expect(edges.has(begin), String(begin)).toBe(true);
    const total = found.functions.reduce((sum, { seconds }) => sum + seconds, 0);
    expect(total).toBeCloseTo(toSeconds - fromSeconds, 9);
    await engine.dispose();
  }, 120_000);
});
