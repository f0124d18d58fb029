import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openRecordings } from "../../../src/formats/registry";
import { quietTask } from "../../../src/model/task";
import { parseOperation } from "../../../src/supergraph/operationText";
import type { GroupBy } from "../../../src/supergraph/query";
import type { GraphBasis } from "../../../src/supergraph/superGraph";
import { miniheat } from "../../recordings";
import { basisOf, graphOf } from "./recordedGraph";

/** A row of what the recording tool itself prints of the sample recording: exclusive of one path on one rank. */
interface ToolRecord {
  readonly path?: string;
  readonly "sum#sum#time.duration"?: number;
}

/** Where the functions that call MPI are defined, read in the sources. */
const FILE_OF: Readonly<Record<string, string>> = { globalSum: "halo.cpp", halo_transfer: "halo.cpp" };

/** Time of MPI calls by what calls them, from the tool's records alone. */
function mpiTimes(nameOf: (caller: string) => string): Map<string, number> {
  const file = path.join(miniheat, "profiles/golden/profile-8ranks.records.json");
  const records: ToolRecord[] = JSON.parse(fs.readFileSync(file, "utf8"));
  const times = new Map<string, number>();
  for (const record of records) {
    const steps = (record.path ?? "").split("/");
    const first = steps.findIndex((step) => step.startsWith("MPI_"));
    if (first < 0) continue;
    const caller = first === 0 ? "no caller" : nameOf(steps[first - 1]);
    times.set(caller, (times.get(caller) ?? 0) + (record["sum#sum#time.duration"] ?? 0));
  }
  return times;
}

describe("operations on the sample recording, sums over 8 ranks", () => {
  let basis: GraphBasis;
  beforeAll(async () => {
    const [dataSet] = await openRecordings([path.join(miniheat, "profiles/profile-8ranks.cali")], {}, quietTask);
    basis = basisOf(
      dataSet,
      dataSet.metrics.findIndex(({ name }) => name === "time"),
    );
  });
  const operated = (groupBy: GroupBy, ...texts: string[]) => graphOf(basis, 0, groupBy, texts.map(parseOperation));
  /** Exclusive and inclusive of the groups that a split makes. */
  const parts = (graph: ReturnType<typeof operated>, before: string) =>
    graph.bars
      .filter((bar) => bar.group.startsWith(before))
      .map((bar) => [bar.group.slice(before.length), bar.exclusive, bar.inclusive] as const)
      .sort(([, a], [, b]) => b - a);

  it("split MPI by calling function: where its time comes from", () => {
    const expected = [...mpiTimes((caller) => caller)].sort(([, a], [, b]) => b - a);
    expect(expected.map(([caller, time]) => [caller, time.toFixed(3)])).toEqual([
      ["globalSum", "10.710"],
      ["halo_transfer", "6.172"],
      ["no caller", "0.009"],
    ]);
    const graph = operated("file", "split-by-caller MPI by function");
    expect(parts(graph, "MPI from ")).toEqual(
      expected.map(([caller, time]) => [caller, expect.closeTo(time, 4), expect.closeTo(time, 4)]),
    );
  });

  it("split MPI by calling file", () => {
    const expected = mpiTimes((caller) => FILE_OF[caller]);
    expect(expected.get("halo.cpp")?.toFixed(3)).toBe("16.882");
    const graph = operated("file", "split-by-caller MPI");
    expect(parts(graph, "MPI from ").map(([caller, time]) => [caller, time.toFixed(3)])).toEqual([
      ["halo.cpp", "16.882"],
      ["no caller", "0.009"],
    ]);
    expect(graph.edges.find(({ target }) => target === "MPI from halo.cpp")).toEqual({
      source: "halo.cpp",
      target: "MPI from halo.cpp",
      inclusive: expect.closeTo(expected.get("halo.cpp") ?? NaN, 4),
    });
  });

  it("expand MPI into its functions, whose times are the tool's", () => {
    const graph = operated("file", "expand MPI");
    const times = new Map<string, number>();
    const file = path.join(miniheat, "profiles/golden/profile-8ranks.records.json");
    for (const record of JSON.parse(fs.readFileSync(file, "utf8")) as ToolRecord[]) {
      const name = (record.path ?? "").split("/").at(-1) ?? "";
      if (name.startsWith("MPI_")) times.set(name, (times.get(name) ?? 0) + (record["sum#sum#time.duration"] ?? 0));
    }
    const ofGraph = graph.bars.filter((bar) => bar.group.startsWith("MPI"));
    expect(ofGraph.map(({ group }) => group).sort()).toEqual([...times.keys()].sort());
    for (const { group, exclusive } of ofGraph) expect(exclusive, group).toBeCloseTo(times.get(group) ?? NaN, 4);
  });

  it("reveal updateConductivity out of its file, with its own time", () => {
    const graph = operated("file", "reveal updateConductivity");
    const file = path.join(miniheat, "profiles/golden/profile-8ranks.records.json");
    const records: ToolRecord[] = JSON.parse(fs.readFileSync(file, "utf8"));
    const own = records
      .filter((record) => record.path?.endsWith("/updateConductivity"))
      .reduce((sum, record) => sum + (record["sum#sum#time.duration"] ?? 0), 0);
    const revealed = graph.bars.find((bar) => bar.group === "physics.cpp: updateConductivity");
    expect(revealed?.exclusive).toBeCloseTo(own, 4);
    expect(graph.bars.some((bar) => bar.group === "physics.cpp")).toBe(true);
  });
});
