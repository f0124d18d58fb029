/** Waits, critical path and summary of Caliper's event traces, through the engine. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";
import { mpiFunction, region } from "../../formats/caliper/caliWriter";
import { EventWriter } from "../../formats/caliper/traceFixtures";
import { grammars } from "../miniheat";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-waits-"));
afterAll(() => fs.rmSync(root, { recursive: true }));

const SECOND = 1e9;
const started = { seconds: "1700000000", nanoseconds: "0" };

/** What the engine answers of the whole of a run of these files, one per rank. */
async function answersOf(texts: readonly string[]) {
  const folder = fs.mkdtempSync(path.join(root, "run-"));
  const paths = texts.map((text, rank) => {
    const file = path.join(folder, `${rank}.cali`);
    fs.writeFileSync(file, text);
    return file;
  });
  const engine = localEngine(grammars);
  const [{ id: dataSet }] = await engine.open({ paths });
  const { lanes, states, startSeconds: fromSeconds, endSeconds: toSeconds } = await engine.timelineFacts({ dataSet });
  const all = { dataSet, lanes: [...lanes.keys()], fromSeconds, toSeconds };
  const { rows, missing } = await engine.timelineWaits(all);
  const found = await engine.timelinePath({ dataSet, fromSeconds, toSeconds, withFunctions: true });
  const { bound } = await engine.clock({ dataSet });
  await engine.dispose();
  return {
    lanes: lanes.map(({ name }) => name),
    waits: rows.map(({ lane, lateSender, collective }) => ({ lane: lanes[lane].name, lateSender, collective })),
    missing,
    path: [...found.startSeconds].map((seconds, at) => [lanes[found.lane[at]].name, seconds]),
    functions: found.functions.map(({ state, seconds }) => [states[state].name, seconds]).sort(),
    bound: { unit: bound.unit, count: bound.count, computing: bound.computing, movement: bound.movement },
  };
}

/** The text without the rank of its first records: `MPI_Init` says it later. */
function withoutFirstRanks(text: string, records: number): string {
  let left = records;
  return text.replace(/^(__rec=ctx.*,attr=)\d+=(.*,data=)\d+=/gm, (whole, before: string, values: string) =>
    left-- > 0 ? before + values : whole,
  );
}

describe("a run whose processes have a rank from MPI_Init on", () => {
  const text = (rank: number, enters: number, ends: number) =>
    new EventWriter(rank, started)
      .begin(region, "main", 0)
      .begin(region, "setup", 0)
      .end(1 * SECOND)
      .begin(mpiFunction, "MPI_Init", 1 * SECOND)
      .end(2 * SECOND)
      .begin(mpiFunction, "MPI_Barrier", enters * SECOND)
      .end(8 * SECOND)
      .end(ends * SECOND)
      .text();
  const texts = [text(0, 3, 10), text(1, 7, 9)];

  it("has the waits, the critical path and the summary of its ranks", async () => {
    const late = await answersOf(texts.map((one) => withoutFirstRanks(one, 4)));
    expect(late.lanes).toEqual(["rank 0", "rank 1"]);
    expect(late.waits).toEqual([{ lane: "rank 0", lateSender: 0, collective: 4 }]);
    expect(late.path).toEqual([
      ["rank 1", 0],
      ["rank 0", 7],
    ]);
    expect(late.functions).toEqual([
      ["MPI_Barrier", 1],
      ["MPI_Init", 1],
      ["main", 7],
      ["setup", 1],
    ]);
    // Rank 0 is 6 of 10 s in MPI, rank 1 is 2 of 9 s.
    expect(late.bound).toEqual({ unit: "rank", count: 2, computing: 4 + 7, movement: 6 + 2 });
    expect(late).toEqual(await answersOf(texts));
  });
});

describe("waits of a receive", () => {
  const names = [
    ["MPI_Recv", "MPI_Send"],
    ["PMPI_Recv", "PMPI_Send"],
    ["MPI_Recv_c", "MPI_Send_c"],
    ["mpi_recv_", "mpi_send_"],
    ["mpi_recv_f08_", "mpi_send_f08_"],
    ["MPI_RECV", "mpi_ssend_f08ts_"],
  ];

  it.each(names)("are those of MPI_Recv in Caliper's traces: %s, %s", async (receive, send) => {
    for (const attribute of [mpiFunction, region]) {
      const { waits, missing } = await answersOf([
        new EventWriter(0, started)
          .begin(region, "main", 0)
          .begin(attribute, send, 5 * SECOND)
          .send(1, 64, 7, 5.5 * SECOND)
          .end(6 * SECOND)
          .end(9 * SECOND)
          .text(),
        new EventWriter(1, started)
          .begin(region, "main", 0)
          .begin(attribute, receive, 2 * SECOND)
          .receive(0, 64, 7, 6.5 * SECOND)
          .end(7 * SECOND)
          .end(9 * SECOND)
          .text(),
      ]);
      // From its own begin to that of the call that sent.
      expect(waits).toEqual([{ lane: "rank 1", lateSender: 3, collective: 0 }]);
      expect(missing).toEqual([]);
    }
  });
});
