import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { graphArguments, graphJson } from "../../../src/cli/graphCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { RequestError } from "../../../src/model/errors";
import { miniheat } from "../../recordings";
import { ArgumentError } from "./commands";
import { grammars } from "../engine/miniheat";

const recording = path.join(miniheat, "profiles/profile-8ranks.cali");
const source = path.join(miniheat, "src");

interface Graph {
  total: number;
  hidden: number;
  nodes: { id: string; group: string; visit: number; inclusive: number; exclusive: number; hidden: number }[];
  edges: { source: string; target: string; inclusive: number }[];
}

async function graph(...args: string[]): Promise<Graph & { warnings: readonly string[] }> {
  const answer = await graphArguments([recording, "--source", source, ...args], "/").run(localEngine(grammars));
  return { ...(JSON.parse(graphJson(answer)) as Graph), warnings: answer.warnings };
}

/** Exclusive by group, of the rows that the recording tool prints. */
interface ToolRecord {
  readonly path?: string;
  readonly "mpi.rank"?: number;
  readonly "sum#sum#time.duration"?: number;
}

const records: ToolRecord[] = JSON.parse(
  fs.readFileSync(path.join(miniheat, "profiles/golden/profile-8ranks.records.json"), "utf8"),
);

/** Time on some ranks of the paths that fit. */
function timeOf(fits: (steps: readonly string[]) => boolean, ranks: readonly number[]): number {
  return records
    .filter((record) => ranks.includes(record["mpi.rank"] ?? -1) && fits((record.path ?? "").split("/")))
    .reduce((sum, record) => sum + (record["sum#sum#time.duration"] ?? 0), 0);
}

describe("heatflow graph --op", () => {
  const all = [0, 1, 2, 3, 4, 5, 6, 7];
  const isMpiFrom = (caller: string) => (steps: readonly string[]) =>
    (steps.at(-1) ?? "").startsWith("MPI_") && steps.at(-2) === caller;

  it("splits MPI by calling function and reveals a function, over chosen ranks, as the tool's own records add up", async () => {
    const operations = ["--op", "split-by-caller MPI by function", "--op", "reveal updateConductivity"];
    for (const [ranks, list] of [
      [all, "0-7"],
      [[0, 4], "0,4"],
    ] as const) {
      const { nodes } = await graph(...operations, "--ranks", list);
      const exclusive = (group: string) => nodes.find((node) => node.group === group)?.exclusive;
      for (const caller of ["globalSum", "halo_transfer"])
        expect(exclusive(`MPI from ${caller}`), caller).toBeCloseTo(timeOf(isMpiFrom(caller), ranks), 4);
      const revealed = timeOf((steps) => steps.at(-1) === "updateConductivity", ranks);
      expect(exclusive("physics.cpp: updateConductivity")).toBeCloseTo(revealed, 4);
      expect(nodes.some(({ group }) => group === "MPI")).toBe(false);
    }
  });

  it("does them in order: what is made by one is there for the next", async () => {
    const split = "split-by-caller MPI";
    const { nodes } = await graph("--op", split, "--op", 'expand "MPI from halo.cpp"', "--op", "hide MPI_Allreduce");
    const groups = nodes.map(({ group }) => group);
    expect(groups).toEqual(expect.arrayContaining(["MPI_Isend", "MPI_Waitall", "MPI from no caller"]));
    expect(groups).not.toContain("MPI_Allreduce");
    const halo = nodes.filter(({ group }) => group === "halo.cpp").reduce((sum, node) => sum + node.hidden, 0);
    expect(halo).toBeCloseTo(
      timeOf((steps) => steps.at(-1) === "MPI_Allreduce", all),
      4,
    );
    await expect(graph("--op", 'expand "MPI from halo.cpp"', "--op", split)).rejects.toThrow(RequestError);
  });

  it("takes a step back by leaving it out, or by its inverse", async () => {
    const before = await graph("--op", "split-by-caller MPI");
    const there = await graph("--op", "split-by-caller MPI", "--op", "expand solver.cpp");
    const back = await graph("--op", "split-by-caller MPI", "--op", "expand solver.cpp", "--op", "collapse solver.cpp");
    expect(there).not.toEqual(before);
    expect(back).toEqual(before);
  });

  it("says what there is where an operation names a group or a function that is not there", async () => {
    await expect(graph("--op", "hide nobody")).rejects.toThrow(
      'There is no group "nobody". There are "(no region)", "MPI", "halo.cpp", "io.cpp", "main.cpp", "mesh.cpp", ' +
        '"physics.cpp", "solver.cpp".',
    );
    await expect(graph("--op", "collapse MPI")).rejects.toThrow("so it cannot be collapsed. No group has been.");
    await expect(graph("--op", "split-by-entry physics.cpp {solve}")).rejects.toThrow(
      '"solve" is not an entry function of physics.cpp. There are "initialTemperature", "reactionSource", "updateConductivity".',
    );
  });
});

describe("heatflow graph --map", () => {
  let folder: string;
  beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-map-"))));
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const written = (content: unknown) => {
    const file = path.join(folder, "groups.json");
    fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  };
  const groupsOf = ({ nodes }: Graph) => [...new Set(nodes.map(({ group }) => group))].sort();

  it("groups by it, leaves no function out, and takes operations on its groups", async () => {
    const map = written({ wait: ["MPI_*"], work: ["solve", "dot", "axpy", "/Conductivity$/"] });
    const mapped = await graph("--map", map, "--group-by", "map");
    expect(groupsOf(mapped)).toEqual(["(no region)", "not known", "wait", "work"]);
    const wait = mapped.nodes.filter(({ group }) => group === "wait").reduce((sum, node) => sum + node.exclusive, 0);
    expect(wait).toBeCloseTo(16.891, 3);
    expect(mapped.nodes.reduce((sum, node) => sum + node.exclusive, 0)).toBeCloseTo(mapped.total, 9);
    const split = await graph("--map", map, "--group-by", "map", "--op", "split-by-caller wait by function");
    expect(groupsOf(split)).toEqual(
      [
        "(no region)",
        "not known",
        "work",
        "wait from globalSum",
        "wait from halo_transfer",
        "wait from no caller",
      ].sort(),
    );
    expect(groupsOf(await graph("--map", map, "--op", "group-by map", "--op", "expand work"))).toContain("physics.cpp");
    // A map alone is no grouping.
    expect(groupsOf(await graph("--map", map))).toContain("halo.cpp");
  });

  it("takes a configuration of CallFlow with its filter and grouping, and says what it does not take", async () => {
    const config = {
      experiment: "miniheat",
      runs: [{ name: "run", path: "profile.json", profile_format: "caliper_json" }],
      schema: { filter_by: "time (inc)", filter_perc: 5, group_by: "module", module_map: { Solver: ["solve", "dot"] } },
    };
    const mapped = await graph("--map", written(config));
    expect(groupsOf(mapped)).toEqual(["Solver", "not known"]);
    expect(mapped.nodes.reduce((sum, node) => sum + node.hidden, mapped.hidden)).toBeGreaterThan(0);
    expect(mapped.warnings).toContain(
      "--map: not taken: experiment, runs: recordings are opened by themselves, and nothing else of these is needed.",
    );
    const said = await graph("--map", written(config), "--filter", "0", "--group-by", "function");
    expect(groupsOf(said)).toContain("updateConductivity");
    expect(said.nodes.reduce((sum, node) => sum + node.hidden, said.hidden)).toBe(0);
  });

  it.each([
    ["{", /groups\.json: This is no JSON/],
    [[], /must be an object/],
    [{ io: "write" }, /Group "io" needs a list/],
    [{ io: ["/(/"] }, /is not a regular expression/],
    [{ experiment: "x", runs: [] }, /configuration of CallFlow without a map of modules/],
  ])("refuses %j", (content, message) => {
    const args = ["x.cali", "--map", written(content)];
    expect(() => graphArguments(args, "/")).toThrow(ArgumentError);
    expect(() => graphArguments(args, "/")).toThrow(message);
  });
});
