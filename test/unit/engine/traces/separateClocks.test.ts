import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";
import { EventWriter } from "../../formats/caliper/traceFixtures";
import { mpiFunction } from "../../formats/caliper/caliWriter";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-clocks-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** What each of several ranks waited for the others in one barrier, and what is said of it. */
async function waitsOf(name: string, texts: readonly string[]) {
  const own = path.join(folder, name);
  fs.mkdirSync(own);
  const paths = texts.map((text, rank) => {
    const file = path.join(own, `run_rank${rank}${name.endsWith("json") ? ".json" : ".cali"}`);
    fs.writeFileSync(file, text);
    return file;
  });
  const engine = localEngine(grammars);
  const [{ id: dataSet }] = await engine.open({ paths });
  const { lanes, startSeconds: fromSeconds, endSeconds: toSeconds } = await engine.timelineFacts({ dataSet });
  const { rows, missing, starts } = await engine.timelineWaits({
    dataSet,
    lanes: [...lanes.keys()],
    fromSeconds,
    toSeconds,
  });
  await engine.dispose();
  return { rows: rows.map(({ lane, collective }) => [lanes[lane].name, collective]), missing, starts };
}

/** A rank that enters a barrier at some second of its own clock; `started` is when that began. */
function caliText(rank: number, enters: number, started?: number): string {
  const clock = started === undefined ? undefined : { seconds: String(started), nanoseconds: "0" };
  return new EventWriter(rank, clock)
    .begin(mpiFunction, "MPI_Barrier", enters * 1e9)
    .end(5e9)
    .text();
}

describe("files whose clocks have no common zero", () => {
  const said = expect.stringContaining("have no common zero");

  it("of Caliper: one of them does not say when it was started", async () => {
    const common = await waitsOf("common", [caliText(0, 1, 1_700_000_000), caliText(1, 3, 1_700_000_000)]);
    expect(common).toMatchObject({ rows: [["rank 0", 2]], missing: [], starts: { firstSeconds: 1, lastSeconds: 3 } });
    for (const [at, started] of [undefined, 1_700_000_000].entries()) {
      const { rows, missing, starts } = await waitsOf(`apart-${at}`, [caliText(0, 1, started), caliText(1, 3)]);
      expect([rows, missing, starts]).toEqual([[], [said], undefined]);
    }
  });

  it("of Caliper: of one file there is nothing to align", async () => {
    const { missing } = await waitsOf("alone", [caliText(0, 1)]);
    expect(missing).toEqual(["the collectives of other ranks are not recorded"]);
  });

  it("of PyTorch: their base times stand behind the events, too late to be used", async () => {
    const text = (rank: number, enters: number, base: string) =>
      `{"schemaVersion":1,"distributedInfo":{"rank":${rank},"world_size":2},"traceEvents":[${JSON.stringify({
        ph: "X",
        cat: "cpu_op",
        name: "MPI_Barrier",
        pid: 1,
        tid: 1,
        ts: enters * 1e6,
        dur: (5 - enters) * 1e6,
      })}],"padding":"${"x".repeat(1 << 17)}","baseTimeNanoseconds":${base}}`;
    const common = await waitsOf("common.json", [text(0, 1, "1700000000000000000"), text(1, 3, "1700000000000000000")]);
    expect([common.rows.map(([, seconds]) => seconds), common.missing]).toEqual([[2], []]);
    const apart = await waitsOf("apart.json", [text(0, 1, "1700000000000000000"), text(1, 3, "1700000001000000000")]);
    expect([apart.rows, apart.missing]).toEqual([[], [said]]);
  });
});
