import fs from "node:fs";
import path from "node:path";
import os from "node:os";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { windowValues } from "../../src/engine/traces/windowValues";
import { caliper } from "../../src/formats/caliper/format";
import type { DataSet } from "../../src/model/dataSet";
import { NO_REGION } from "../../src/model/frames";
import { quietTask } from "../../src/model/task";
import type { SparseValues } from "../../src/model/values";
import { recordings } from "../recordings";
import { plain, readFixture } from "../unit/formats/formatLaws";
import { summarized } from "../unit/cli/commands";
import { grammars } from "../unit/engine/miniheat";
import { rearranged } from "../unit/formats/caliper/randomProgram";
import { casesOf } from "../unit/randomCases";

const shared = recordings();
const folder = path.join(shared ?? "", "miniapp/profiles/trace");

function linesOf(rank: number): string[] {
  return fs
    .readFileSync(path.join(folder, `messages-${rank}.cali`), "utf8")
    .split("\n")
    .slice(0, -1);
}

type Order = (snapshots: readonly string[], rank: number) => string[];

/** Names and texts of the files of four ranks, each with its snapshots in blocks that `order` arranges. */
function filesOf(order: Order): (readonly [string, string])[] {
  return [0, 1, 2, 3].map((rank) => {
    const lines = linesOf(rank);
    const isSnapshot = (line: string) => line.startsWith("__rec=ctx");
    const [nodes, closing] = [lines.slice(0, -1).filter((line) => !isSnapshot(line)), lines.slice(-1)];
    const text = [...nodes, ...order(lines.filter(isSnapshot), rank), ...closing].map((line) => `${line}\n`).join("");
    return [`messages-${rank}.cali`, text] as const;
  });
}

async function readRanks(order: Order): Promise<DataSet[]> {
  const files = filesOf(order);
  return readFixture(caliper, Object.fromEntries(files), { open: files.map(([name]) => name) });
}

async function read(order: Order): Promise<unknown[]> {
  return plain(await readRanks(order));
}

const written = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-blocks-"));
afterAll(() => fs.rmSync(written, { recursive: true }));

/** What pages and the summary show of the run, through the engine. */
async function shownOf(order: Order): Promise<unknown> {
  const paths = filesOf(order).map(([name, text]) => {
    const file = path.join(written, name);
    fs.writeFileSync(file, text);
    return file;
  });
  const engine = localEngine(grammars);
  const [{ id: dataSet, metrics, warnings, trace, resources, locationCounts }] = await engine.open({ paths });
  const { lanes, states, startSeconds: fromSeconds, endSeconds: toSeconds } = await engine.timelineFacts({ dataSet });
  const whole = { dataSet, lanes: [...lanes.keys()], fromSeconds, toSeconds };
  const { bound } = await engine.clock({ dataSet });
  const sums = await engine.timelineSums(whole);
  const { rows: waits } = await engine.timelineWaits(whole);
  const critical = await engine.timelinePath({ dataSet, fromSeconds, toSeconds, withFunctions: true });
  await engine.dispose();
  const {
    seconds: _,
    traceSeconds: __,
    peakMemoryBytes: ___,
    ...summary
  } = JSON.parse(await summarized(["--json", ...paths])) as Record<string, unknown>;
  return { metrics, warnings, trace, resources, locationCounts, lanes, states, bound, sums, waits, critical, summary };
}

/** Seconds of each context and location but those outside of regions, which a window has nothing of. */
function secondsOf({ tree, frames }: DataSet, { rowStart, column, value }: SparseValues): Map<string, number> {
  const seconds = new Map<string, number>();
  for (let context = 0; context < tree.size; context++)
    for (let at = rowStart[context]; at < rowStart[context + 1]; at++)
      if (value[at] !== 0 && frames.nameOf(tree.frame[context]) !== NO_REGION)
        seconds.set(`${context} ${column[at]}`, value[at]);
  return seconds;
}

describe.skipIf(shared === undefined)("blocks of a Caliper trace", () => {
  const cuts = [417, 1009, 1010, 1500, 2750];

  const orders: readonly (readonly [string, Order])[] = [
    ["last block first", (snapshots) => rearranged(snapshots, cuts, [6, 5, 4, 3, 2, 1])],
    ["in another order for each rank", (snapshots, rank) => rearranged(snapshots, cuts, [2, 6, 1, 5, 3 + rank, 4])],
  ];

  it.each(orders)(
    "%s have the profile's numbers in a window of the whole run, and no region that began before",
    async (_, order) => {
      const [dataSet] = await readRanks(order);
      const { trace, metrics, values, warnings } = dataSet;
      if (trace === undefined) throw new Error("no trace");
      expect(warnings.filter(({ message }) => message.includes("began before"))).toEqual([]);
      const window = { from: trace.startSeconds, to: trace.endSeconds };
      const whole = secondsOf(dataSet, await windowValues(dataSet, trace, { window }, quietTask));
      const profile = secondsOf(dataSet, values[metrics.findIndex(({ ofEvents }) => ofEvents)]);
      expect([...whole.keys()]).toEqual([...profile.keys()]);
      expect(profile.size).toBeGreaterThan(0);
      for (const [key, seconds] of profile)
        expect(Math.abs((whole.get(key) ?? 0) - seconds), key).toBeLessThanOrEqual(1e-9 * seconds);
      await trace.close();
    },
  );

  it("last block first, or in any order, give the same data set as in the order of time", async () => {
    const whole = await read((snapshots) => [...snapshots]);
    for (const [, order] of orders) expect(await read(order)).toEqual(whole);
  });

  it("in random orders have the totals, sums, waits and summary of the order of time, through the engine", async () => {
    const whole = await shownOf((snapshots) => [...snapshots]);
    const place = fc.array(fc.nat(4000), { maxLength: 30 });
    const key = fc.array(fc.double({ noNaN: true, min: 0, max: 1 }), { minLength: 31, maxLength: 31 });
    const orderOfRank = fc.record({ places: place, keys: key });
    await fc.assert(
      fc.asyncProperty(fc.tuple(orderOfRank, orderOfRank, orderOfRank, orderOfRank), async (ranks) => {
        const order: Order = (snapshots, rank) => rearranged(snapshots, ranks[rank].places, ranks[rank].keys);
        expect(await shownOf(order)).toEqual(whole);
      }),
      { numRuns: casesOf(100) },
    );
  });
});
