import { describe, expect, it } from "vitest";
import { miniheat } from "../../recordings";
import { engineWith, exported, linesOf } from "./commands";
import { traced } from "./tracedDataSet";

async function linesWith(...options: string[]): Promise<unknown[]> {
  return linesOf((await exported(["x", ...options], engineWith(await traced()))).text);
}

describe("heatflow export, what happened when", () => {
  it("--events has a line an event, lane by lane, and one a point of a counter", async () => {
    expect(await linesWith("--events")).toEqual([
      { lane: "rank 0", name: "main", start: 0, end: 5, depth: 0, category: "function" },
      { lane: "rank 0", name: "MPI_Send", start: 1, end: 2, depth: 1, category: "mpi" },
      { lane: "rank 1", name: "main", start: 0, end: 6, depth: 0, category: "function" },
      { lane: "rank 1", name: "MPI_Send", start: 1, end: 2, depth: 1, category: "mpi" },
      { lane: "GPU 0, stream 7", name: "copy", start: 0.5, end: 0.75, depth: 0, category: "memcpy" },
      { counter: "power", of: { resource: "GPU 0" }, unit: "W", time: 0, value: 50 },
      { counter: "power", of: { resource: "GPU 0" }, unit: "W", time: 1, value: 75.5 },
    ]);
  });

  it("--messages has a line a message that was sent, and leaves out what was not recorded", async () => {
    expect(await linesWith("--messages")).toEqual([
      { from: { rank: 0 }, to: { rank: 1 }, bytes: 2048, tag: 17, sent: 1, received: 1.5 },
      { from: { rank: 1 }, to: { rank: 0 }, bytes: 1024, sent: 1.25 },
    ]);
  });

  it("--transfers has a line a data transfer", async () => {
    expect(await linesWith("--transfers")).toEqual([
      { transfer: "HtoD", lane: "GPU 0, stream 7", name: "copy", start: 0.5, end: 0.75, bytes: 4096, toDevice: 0 },
    ]);
  });

  it("--iterations has a line a value of one iteration", async () => {
    const where = { loop: "timestep", path: ["main", "MPI_Send"], location: { rank: 0 }, metric: "time", unit: "s" };
    expect(await linesWith("--iterations")).toEqual([
      { ...where, iteration: 0, exclusive: 0.25 },
      { ...where, iteration: 1, exclusive: 0.75 },
    ]);
  });

  it("--iterations begins anew with each iteration: what it gives adds up to the values of the profile", async () => {
    interface Row {
      readonly path: string[];
      readonly location: { readonly rank?: number };
      readonly metric: string;
      readonly iteration: number;
      readonly exclusive: number;
    }
    const file = `${miniheat}/profiles/iterations-8ranks.cali`;
    const keyOf = ({ path, location, metric }: Row) => `${path.join("/")} @${location.rank} ${metric}`;
    const byIteration = linesOf<Row>((await exported([file, "--iterations"])).text);
    expect(new Set(byIteration.map(({ iteration }) => iteration)).size).toBe(40);
    const sums = new Map<string, number>();
    for (const row of byIteration) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.exclusive);
    const all = new Map(linesOf<Row>((await exported([file])).text).map((row) => [keyOf(row), row.exclusive]));
    // Inside the loop every value that adds up is that of some iteration.
    const inLoop = [...all.keys()].filter((key) => /^main\/timestep\/.* (?!min#|max#)\S+$/.test(key));
    expect(inLoop.length).toBeGreaterThan(50);
    for (const key of inLoop) expect(sums.get(key), key).toBeCloseTo(all.get(key) ?? NaN, 9);
  });

  it("says what a recording without calling contexts has instead", async () => {
    const dataSet = await traced();
    const { text, warnings } = await exported(["x"], engineWith({ ...dataSet, metrics: [], values: [] }));
    expect(text).toBe("");
    expect(warnings).toEqual([
      expect.stringMatching(/no values by calling context are recorded; --events, --messages/),
    ]);
  });

  it("says where a recording has nothing of the kind", async () => {
    const file = `${miniheat}/profiles/profile-8ranks.cali`;
    for (const [option, what] of [
      ["--events", "no events in time, no messages and no transfers"],
      ["--iterations", "no values by iteration"],
    ])
      expect(await exported([file, option])).toEqual({
        text: "",
        warnings: [`profile-8ranks.cali has ${what}`],
      });
  });
});
