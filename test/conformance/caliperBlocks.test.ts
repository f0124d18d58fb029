import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { windowValues } from "../../src/engine/traces/windowValues";
import { caliper } from "../../src/formats/caliper/format";
import type { DataSet } from "../../src/model/dataSet";
import { NO_REGION } from "../../src/model/frames";
import { quietTask } from "../../src/model/task";
import type { SparseValues } from "../../src/model/values";
import { recordings } from "../recordings";
import { plain, readFixture } from "../unit/formats/formatLaws";
import { rearranged } from "../unit/formats/caliper/randomProgram";

const shared = recordings();
const folder = path.join(shared ?? "", "miniapp/profiles/trace");

function linesOf(rank: number): string[] {
  return fs
    .readFileSync(path.join(folder, `messages-${rank}.cali`), "utf8")
    .split("\n")
    .slice(0, -1);
}

type Order = (snapshots: readonly string[], rank: number) => string[];

/** The recording of four ranks, each with its snapshots in blocks that `order` arranges. */
async function readRanks(order: Order): Promise<DataSet[]> {
  const files = [0, 1, 2, 3].map((rank) => {
    const lines = linesOf(rank);
    const isSnapshot = (line: string) => line.startsWith("__rec=ctx");
    const [nodes, closing] = [lines.slice(0, -1).filter((line) => !isSnapshot(line)), lines.slice(-1)];
    const text = [...nodes, ...order(lines.filter(isSnapshot), rank), ...closing].map((line) => `${line}\n`).join("");
    return [`messages-${rank}.cali`, text] as const;
  });
  return readFixture(caliper, Object.fromEntries(files), { open: files.map(([name]) => name) });
}

async function read(order: Order): Promise<unknown[]> {
  return plain(await readRanks(order));
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
});
