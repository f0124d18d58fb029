import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { DistributionQuery, Engine, Scope, Target } from "../../../../src/engine/api";
import { distribution } from "../../../../src/engine/members/distributions";
import { localEngine } from "../../../../src/engine/localEngine";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { chosenRanks } from "../../../../src/model/members";
import { quietTask } from "../../../../src/model/task";
import { miniheat, recordings } from "../../../recordings";
import { grammars, openMiniheat } from "../miniheat";
import { recordingOf } from "../recordings";

/** What the recording's own tool reads, with six decimals. */
interface GoldenRecord {
  readonly path?: string;
  readonly "mpi.rank"?: number;
  readonly "sum#sum#time.duration"?: number;
}
const golden = JSON.parse(
  fs.readFileSync(path.join(miniheat, "profiles", "golden", "profile-8ranks.records.json"), "utf8"),
) as GoldenRecord[];
const ranks = [0, 1, 2, 3, 4, 5, 6, 7];

/** Seconds of each rank in frames of these names, straight from the records. */
function goldenByRank(isIn: (frame: string) => boolean): number[] {
  return ranks.map((rank) =>
    golden
      .filter((record) => record["mpi.rank"] === rank && isIn(record.path?.split("/").at(-1) ?? ""))
      .reduce((sum, record) => sum + (record["sum#sum#time.duration"] ?? 0), 0),
  );
}

const meanOf = (values: readonly number[], of: readonly number[]) =>
  of.reduce((sum, rank) => sum + values[rank], 0) / of.length;

describe("how a value is distributed over ranks", () => {
  let engine: Engine;
  let scope: Scope;
  let conductivity: Target;
  const ask = (query: Partial<DistributionQuery> = {}) =>
    engine.distribution({ scope, by: "rank", value: "exclusive", bins: 20, order: "id", ...query });
  const functionNamed = async (name: string, own = scope) => {
    const row = (await engine.hotFunctions({ scope: own, by: "exclusive", limit: 1000 })).find(
      (candidate) => candidate.name === name,
    );
    if (!row) throw new Error(`There is no function ${name}.`);
    return row;
  };

  beforeAll(async () => {
    ({ engine, scope } = await openMiniheat());
    conductivity = { kind: "function", function: (await functionNamed("updateConductivity")).function };
  });

  it("has ranks 0 and 4 alone above all others for updateConductivity", async () => {
    const expected = goldenByRank((frame) => frame === "updateConductivity");
    const { members, values, edges, counts, binOf, leftOut, outside } = await ask({ target: conductivity });
    expect(members).toEqual(ranks.map(String));
    values.forEach((value, rank) => expect(Math.abs(value - expected[rank])).toBeLessThan(5e-6));
    expect(counts).toHaveLength(20);
    const [least, most] = [Math.min(...expected), Math.max(...expected)];
    const twin = expected.map((value) => Math.min(19, Math.floor(((value - least) / (most - least)) * 20)));
    expect([...binOf]).toEqual(twin);
    const above = Math.max(...ranks.filter((rank) => rank !== 0 && rank !== 4).map((rank) => twin[rank]));
    expect(ranks.filter((rank) => binOf[rank] > above)).toEqual([0, 4]);
    expect([edges[0], edges[20]]).toEqual([Math.min(...values), Math.max(...values)]);
    expect([leftOut, outside]).toEqual([0, 0]);
  });

  it("leads to what the brushed ranks and the others waited", async () => {
    const allreduce = goldenByRank((frame) => frame === "MPI_Allreduce");
    const mpi = goldenByRank((frame) => frame.startsWith("MPI_"));
    const others = ranks.filter((rank) => rank !== 0 && rank !== 4);
    for (const [chosen, expected] of [
      [
        [0, 4],
        [1.054, 1.628],
      ],
      [others, [1.434, 2.273]],
    ] as const) {
      const brushed: Scope = { ...scope, over: "mean", chosen: chosenRanks(chosen) };
      const { exclusive } = await functionNamed("MPI_Allreduce", brushed);
      expect(exclusive).toBeCloseTo(meanOf(allreduce, chosen), 5);
      expect(exclusive).toBeCloseTo(expected[0], 3);
      const graph = await engine.superGraph({ scope: brushed, filter: 0, groupBy: "file" });
      const bar = graph.bars.find(({ id }) => id === "MPI");
      expect(bar?.exclusive).toBeCloseTo(meanOf(mpi, chosen), 5);
      expect(bar?.exclusive).toBeCloseTo(expected[1], 3);
    }
  });

  it("says what is chosen and changes no number", async () => {
    const restricted = await ask({ target: conductivity, scope: { ...scope, chosen: chosenRanks([0, 4]) } });
    const { chosen, ...rest } = restricted;
    expect([...(chosen ?? [])]).toEqual([1, 0, 0, 0, 1, 0, 0, 0]);
    expect(rest).toEqual(await ask({ target: conductivity }));
  });

  it("orders members by number, value, or the total of any metric", async () => {
    const byValue = await ask({ target: conductivity, order: "value" });
    const sorted = [...byValue.order].map((member) => byValue.values[member]);
    expect(sorted).toEqual([...byValue.values].sort((a, b) => a - b));
    const byTotal = await ask({ target: conductivity, order: { metric: scope.metric } });
    const total = goldenByRank(() => true);
    expect([...byTotal.order]).toEqual([...ranks].sort((a, b) => total[a] - total[b]));
    byTotal.attribute?.forEach((value, rank) => expect(value).toBeCloseTo(total[rank], 4));
    expect([...(await ask()).order]).toEqual(ranks);
    // No host was recorded: all of them are equal.
    expect([...(await ask({ order: "host" })).order]).toEqual(ranks);
  });
});

describe("what has no rank, and what has a host", () => {
  const scope: Scope = { dataSet: 1, metric: 0, over: "sum" };
  const recording = recordingOf([
    [["main"], -1, 5],
    [["main"], 0, 1],
    [["main"], 1, 2],
    [["main"], 2, 3],
    [["main"], 3, NaN],
  ]);
  // Ranks in turn on two machines, as a scheduler may place them.
  const locations = recording.locations.map((own) => ({ ...own, node: own.rank < 0 ? -1 : 7 - (own.rank % 2) }));
  const held = new OpenDataSet(1, { ...recording, locations }, 0);
  const noGraphs = () => {
    throw new Error("No bar is asked for.");
  };
  const ask = (query: Partial<DistributionQuery>) =>
    distribution(held, noGraphs, { scope, by: "rank", value: "inclusive", bins: 3, order: "id", ...query }, quietTask);

  it("leaves out what has no rank, and says how much it is", async () => {
    const { members, values, counts, outside } = await ask({});
    expect(members).toEqual(["0", "1", "2", "3"]);
    expect([...values]).toEqual([1, 2, 3, 0]);
    expect([...counts]).toEqual([1, 1, 2]);
    expect(outside).toBe(5);
  });

  it("stands in the order of hosts, then ranks", async () => {
    const { hosts, order } = await ask({ order: "host" });
    expect([...hosts]).toEqual([7, 6, 7, 6]);
    expect([...order]).toEqual([1, 3, 0, 2]);
    const ofHosts = await ask({ by: "host" });
    expect(ofHosts.members).toEqual(["6", "7"]);
    expect([...ofHosts.values]).toEqual([2, 4]);
  });

  it("shows ranks as chosen whose host is chosen", async () => {
    const { chosen } = await ask({ scope: { ...scope, chosen: { by: "host", members: ["6"] } } });
    expect([...(chosen ?? [])]).toEqual([0, 1, 0, 1]);
  });
});

const shared = recordings();

describe.skipIf(shared === undefined)("how a value is distributed in other formats", () => {
  async function open(file: string) {
    const engine = localEngine(grammars);
    await engine.configure({ folders: [], sourceMap: {} });
    const [info] = await engine.open({ paths: [path.join(shared ?? "", "data", file)] });
    return { engine, info, scope: { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as Scope };
  }

  it.each([
    ["hpctoolkit-v4/viewer-inline.meta.db", 8],
    ["hpctoolkit-v2/hpctoolkit-allgather-database", 20],
  ])("over the threads of %s: all of the total, in bins that hold it", async (file, threads) => {
    const { engine, info, scope } = await open(file);
    const query = { scope, by: "thread", value: "inclusive", bins: 20, order: "id" } as const;
    const { members, values, counts, outside, binOf, edges } = await engine.distribution(query);
    expect(members).toHaveLength(threads);
    expect(info.units.find(({ by }) => by === "thread")?.members).toEqual(members);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(threads);
    values.forEach((value, member) => {
      expect(value).toBeGreaterThanOrEqual(edges[binOf[member]]);
      expect(value).toBeLessThanOrEqual(edges[binOf[member] + 1]);
    });
    const total = values.reduce((sum, value) => sum + value, outside);
    expect(total / (await engine.total(scope))).toBeCloseTo(1, 9);
  });
});
