import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ensembleArguments } from "../../src/cli/ensembleCommand";
import { graphArguments } from "../../src/cli/graphCommand";
import { localEngine } from "../../src/engine/localEngine";
import { NONE } from "../../src/model/ids";
import { openRecordings } from "../../src/formats/registry";
import { addTo } from "../../src/model/maps";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { ensembleTwin, type TwinRun } from "../unit/engine/ensembles/ensembleTwin";
import { grammars } from "../unit/engine/miniheat";
import type { Cost } from "../unit/engine/recordings";
import { noteConformance } from "./conformanceTable";
import { averagesIn } from "./rajaperf";

const shared = recordings() ?? "";
const folder = path.join(shared, "miniapp/profiles/ensemble");
const source = path.join(shared, "miniapp/src");
const names = [1, 16, 2, 27, 4, 8].flatMap((ranks) => [1, 2, 3].map((repeat) => `np${ranks}-r${repeat}`));

interface Json {
  readonly runs: { name: string; total: number; metadata: Record<string, string> }[];
  readonly nodes: {
    id: string;
    group: string;
    level: number;
    inclusive: (number | null)[];
    exclusive: (number | null)[];
    hidden: (number | null)[];
    histogram: { from: number; to: number; counts: number[] } | null;
  }[];
  readonly edges: {
    source: string;
    target: string;
    inclusive: (number | null)[];
    sourceEnd: number;
    targetEnd: number;
  }[];
  readonly callSites: {
    function: string;
    values: number;
    min: number;
    q1: number;
    median: number;
    q3: number;
    max: number;
    mean: number;
  }[];
  readonly parameters: { name: string; weight: number | null }[];
  readonly first?: {
    scaling: { parameter: string | null; offered: string[]; also: { name: string; values: number[] }[] };
  };
  readonly scaling?: { function: string; line: number; file: string; time: number[] }[];
}

async function printed(args: readonly string[], data: readonly string[] = [folder]): Promise<string> {
  const request = ensembleArguments([...data, "--json", "--source", source, ...args], process.cwd());
  const engine = localEngine(grammars);
  return request.text(await request.run(engine));
}

const ensemble = async (...args: string[]) => JSON.parse(await printed(args)) as Json;

/** What a run's file holds: the reader's own values, which `caliper.test.ts` compares with Caliper's. */
async function costsOf(name: string): Promise<Cost[]> {
  const [{ tree, frames, locations, values }] = await openRecordings(
    [path.join(folder, `${name}.cali`)],
    {},
    quietTask,
  );
  const pathOf = (context: number): string[] => {
    const own = frames.nameOf(tree.frame[context]);
    return tree.parent[context] === NONE ? [own] : [...pathOf(tree.parent[context]), own];
  };
  const [{ rowStart, column, value }] = values;
  return Array.from(tree.parent.keys()).flatMap((context) =>
    Array.from({ length: rowStart[context + 1] - rowStart[context] }, (_, at): Cost => {
      const cell = rowStart[context] + at;
      return [pathOf(context), locations[column[cell]].rank, value[cell]];
    }),
  );
}

/** Where functions are defined, as a look into the sources says. */
const FILES: Readonly<Record<string, string>> = {
  main: "main.cpp",
  timestep: "main.cpp",
  advance: "main.cpp",
  decompose: "mesh.cpp",
  initialTemperature: "physics.cpp",
  updateConductivity: "physics.cpp",
  reactionSource: "physics.cpp",
  solve: "solver.cpp",
  dot: "solver.cpp",
  axpy: "solver.cpp",
  apply: "solver.cpp",
  globalSum: "halo.cpp",
  "operator()": "halo.cpp",
  halo_transfer: "halo.cpp",
  halo_pack: "halo.cpp",
  halo_unpack: "halo.cpp",
  write: "io.cpp",
  "(no region)": "(no region)",
};

const byFile = (name: string) => (name.startsWith("MPI_") ? "MPI" : (FILES[name] ?? `no file of ${name}`));

const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-ensemble-"));
afterAll(() => fs.rmSync(temporary, { recursive: true }));

describe.skipIf(shared === "")("miniheat's 18 runs as one ensemble", () => {
  it.each([
    ["none", undefined],
    ["function", (name: string) => name],
    ["file", byFile],
  ] as const)("by %s has every bar, flow end and histogram of the rules", async (groupBy, groupOf) => {
    const runs: TwinRun[] = [];
    for (const name of names) runs.push({ name, costs: await costsOf(name) });
    let [compared, largestDifference] = [0, 0];
    for (const over of ["mean", "max"] as const) {
      const json = await ensemble("--group-by", groupBy, "--over", over);
      expect(json.runs.map(({ name }) => name)).toEqual(names);
      const twin = ensembleTwin(runs, { percent: 0, over, bins: 20, ...(groupOf ? { groupOf } : {}) });
      json.runs.forEach(({ total }, run) => expect(total).toBeCloseTo(twin.totals[run], 12));
      const visits = new Map<string, number>();
      const keys = new Map(
        json.nodes.map(({ id, group }) => {
          visits.set(group, (visits.get(group) ?? 0) + 1);
          return [id, `${group}#${visits.get(group)}`];
        }),
      );
      expect([...keys.values()].sort()).toEqual([...twin.bars.keys()].sort());
      const close = (own: readonly (number | null)[], wanted: readonly (number | null)[] = []) =>
        own.forEach((value, run) => {
          if (value === null) return expect(wanted[run]).toBeNull();
          expect(value).toBeCloseTo(wanted[run] ?? NaN, 12);
          compared++;
          largestDifference = Math.max(
            largestDifference,
            Math.abs(value - (wanted[run] ?? NaN)) / (Math.abs(value) || 1),
          );
        });
      for (const node of json.nodes) {
        const wanted = twin.bars.get(keys.get(node.id) ?? "");
        expect(node.level).toBe(wanted?.level);
        close(node.inclusive, wanted?.inclusive);
        close(node.exclusive, wanted?.exclusive);
        close(node.hidden, wanted?.hidden);
        expect(node.histogram?.counts ?? null).toEqual(wanted?.histogram);
        expect(node.histogram?.to).toBeCloseTo(wanted?.height ?? NaN, 12);
      }
      expect(json.edges.length).toBe(twin.edges.size);
      for (const edge of json.edges) {
        const wanted = twin.edges.get(`${keys.get(edge.source)} -> ${keys.get(edge.target)}`);
        close(edge.inclusive, wanted?.inclusive);
        expect(edge.sourceEnd).toBeCloseTo(wanted?.sourceEnd ?? NaN, 12);
        expect(edge.targetEnd).toBeCloseTo(wanted?.targetEnd ?? NaN, 12);
      }
    }
    noteConformance("ensemble", { recordings: 18, values: compared, largestDifference });
  });

  it.each(["file", "function"])(
    "has over all bars of a group by %s what `heatflow graph` has of each run",
    async (groupBy) => {
      const { nodes } = await ensemble("--group-by", groupBy);
      for (const name of ["np1-r2", "np8-r1", "np27-r3"]) {
        const args = [path.join(folder, `${name}.cali`), "--group-by", groupBy, "--over", "mean", "--source", source];
        const { graph } = await graphArguments(args, process.cwd()).run(localEngine(grammars));
        const sums = new Map<string, number>();
        for (const { group, exclusive } of graph.bars) addTo(sums, group, exclusive);
        const run = names.indexOf(name);
        for (const { group, exclusive } of nodes) if (exclusive[run] !== null) addTo(sums, group, -exclusive[run]);
        expect(sums.size).toBeGreaterThan(5);
        for (const [group, rest] of sums) expect(rest, group).toBeCloseTo(0, 12);
      }
    },
  );

  it("prints the same bytes whatever the order of runs and files is", async () => {
    const files = names.map((name) => path.join(folder, `${name}.cali`));
    const whole = await printed(["--scaling", "ranks"]);
    expect(await printed(["--scaling", "ranks"], files)).toBe(whole);
    expect(await printed(["--scaling", "ranks"], [...files].reverse())).toBe(whole);
  });

  it("finds without being told that the work of each rank stays the same, and MPI_Allreduce first", async () => {
    const { scaling = [] } = await ensemble("--scaling", "ranks");
    expect(scaling[0]).toMatchObject({ function: "MPI_Allreduce", file: "src/halo.cpp" });
    // Of the recording tool: 0.616 to 0.650 s of 27 ranks' means.
    expect(scaling[0].time.at(-1)).toBeGreaterThan(0.616);
    expect(scaling[0].time.at(-1)).toBeLessThan(0.65);
    const lines = fs.readFileSync(path.join(source, "halo.cpp"), "utf8").split("\n");
    expect(lines[scaling[0].line - 1]).toContain("MPI_Allreduce");
  });

  it("scale over ranks at first, and over no time when they began", async () => {
    const { first, parameters } = await ensemble("--first");
    expect(first?.scaling).toEqual({
      parameter: "ranks",
      offered: ["mpi.world.size", "ranks", "starttime.nsec", "starttime.sec"],
      also: [],
    });
    const weightOf = new Map(parameters.map(({ name, weight }) => [name, weight]));
    expect([weightOf.get("starttime.nsec"), weightOf.get("starttime.sec")]).toEqual([null, null]);
    expect(weightOf.get("ranks")).toBeGreaterThan(0.9);
  });

  it("takes what is known of runs from a manifest, then from their names, then from the files", async () => {
    for (const name of ["np1-r1", "np2-r1", "np2-r2"])
      fs.copyFileSync(path.join(folder, `${name}.cali`), path.join(temporary, `${name}.cali`));
    const manifest = path.join(temporary, "all.heatflow-runs.json");
    const said = {
      pattern: "np{ranks}-r{repeat}.cali",
      runs: [
        { files: "np1-*.cali", name: "alone", parameters: { repeat: "first", machine: 7 } },
        { files: ["np2-r1.cali", "np2-r?.cali"] },
      ],
    };
    fs.writeFileSync(manifest, JSON.stringify(said));
    const { runs } = JSON.parse(await printed([], [manifest])) as Json;
    expect(runs.map(({ name }) => name)).toEqual(["alone", "np2-r1", "np2-r2"]);
    expect(runs[0].metadata).toMatchObject({ repeat: "first", machine: "7", ranks: "1" });
    expect(runs[2].metadata).toMatchObject({ repeat: "2", ranks: "2", "mpi.world.size": "2" });
    fs.writeFileSync(manifest, JSON.stringify({ runs: [{ files: "../np1-r1.cali" }] }));
    await expect(printed([], [manifest])).rejects.toThrow(/lies elsewhere/);
  });
});

const rajaperf = path.join(shared, "data/caliper/thicket/rajaperf");

describe.skipIf(shared === "")("RAJAPerf's nine runs of two machines", () => {
  it("are one ensemble with what is known of each", async () => {
    const { runs } = JSON.parse(await printed([], [rajaperf])) as Json;
    const count = (name: string) => {
      const found: Record<string, number> = {};
      for (const { metadata } of runs) found[metadata[name]] = (found[metadata[name]] ?? 0) + 1;
      return found;
    };
    expect(runs).toHaveLength(9);
    expect(count("cluster")).toEqual({ lassen: 4, quartz: 5 });
    expect(count("variant")).toEqual({ Base_CUDA: 4, Base_Seq: 5 });
    expect(count("tuning")).toEqual({ block_128: 2, block_256: 2, default: 5 });
    expect(count("ProblemSizeRunParam")).toEqual({ "1048576.000000": 6, "2097152.000000": 3 });
  });

  it("scale over the size, beside the threads of their machines, which are a limit", async () => {
    for (const [data, also] of [
      [rajaperf, [{ name: "omp_max_threads", values: [20, 72] }]],
      [path.join(rajaperf, "quartz"), []],
    ] as const) {
      const json = JSON.parse(await printed(["--first"], [data])) as Json;
      expect(json.first?.scaling).toMatchObject({ parameter: "ProblemSizeRunParam", also });
      expect(json.first?.scaling.offered.at(-1)).toBe("launchdate");
      for (const { name, weight } of json.parameters)
        if (["launchdate", "compiler_version"].includes(name)) expect(weight, name).toBeNull();
    }
  });

  it("have of each kernel the quartiles and means of what the files say of a rank's average", async () => {
    const files = fs
      .readdirSync(rajaperf, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".cali"));
    const averages = files.map((file) => averagesIn(fs.readFileSync(path.join(rajaperf, file), "utf8")));
    const { callSites } = JSON.parse(await printed([], [rajaperf])) as Json;
    let [values, largestDifference] = [0, 0];
    for (const site of callSites.filter((one) => one.function !== "(no region)")) {
      const own = averages.flatMap((of) => of.get(site.function) ?? []).sort((a, b) => a - b);
      const at = (share: number) => {
        const place = share * (own.length - 1);
        const below = Math.floor(place);
        return own[below] + (place - below) * ((own[below + 1] ?? own[below]) - own[below]);
      };
      const mean = own.reduce((sum, one) => sum + one, 0) / own.length;
      expect(site.values, site.function).toBe(own.length);
      const wanted = [at(0), at(0.25), at(0.5), at(0.75), at(1), mean];
      [site.min, site.q1, site.median, site.q3, site.max, site.mean].forEach((value, index) => {
        expect(Math.abs(value - wanted[index]), site.function).toBeLessThanOrEqual(1e-9 * wanted[index]);
        values++;
        largestDifference = Math.max(largestDifference, Math.abs(value - wanted[index]) / wanted[index]);
      });
    }
    expect(values).toBeGreaterThan(300);
    noteConformance("ensemble", { recordings: 9, values, largestDifference });
  });
});
