import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, run, temporaryFolder, trackerFolder } from "./build";
import { callsByName, readTrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const program = () => build(folder, ["test/processes.cpp"]);

describe("the tracker in a program with several processes", () => {
  it.each(["fork", "exec"])("leaves a rank's file to the rank, where what it starts by %s records too", (mode) => {
    const at = fs.mkdtempSync(path.join(folder, "ranks-"));
    const place = { OMPI_COMM_WORLD_RANK: "3", OMPI_COMM_WORLD_SIZE: "4" };
    const ran = run(folder, program(), [mode], { ...place, HEATFLOW_OUTPUT: path.join(at, "%r.json") });
    expect([ran.status, ran.complained]).toEqual([0, ""]);
    expect(callsByName(readTrackerFile(path.join(at, "3.json")))).toEqual(new Map([["of the parent", 2]]));
    const [other, ...others] = fs.readdirSync(at).filter((name) => name !== "3.json");
    expect(others).toEqual([]);
    const child = readTrackerFile(path.join(at, other));
    expect(callsByName(child)).toEqual(new Map([["of the child", 20_000]]));
    // It is none of the ranks, or the run would have one of them twice.
    expect(child).not.toHaveProperty("distributedInfo");
  });

  it("writes to no file of another process, whatever it is called", () => {
    const at = fs.mkdtempSync(path.join(folder, "same-"));
    expect(run(folder, program(), ["fork"], { HEATFLOW_OUTPUT: path.join(at, "out.json") }).status).toBe(0);
    const names = fs.readdirSync(at).sort();
    expect(names).toEqual([expect.stringMatching(/^out-\d+\.json$/), "out.json"]);
    const calls = names.map((name) => callsByName(readTrackerFile(path.join(at, name))));
    expect(calls).toEqual([new Map([["of the child", 20_000]]), new Map([["of the parent", 2]])]);
  });

  it("leaves the program its signals", () => {
    expect(run(folder, program(), ["signal"]).status).toBe(0);
  });
});

describe("a session of the tracker", () => {
  it("has of a region that was open before only what it has taken since", () => {
    const at = fs.mkdtempSync(path.join(folder, "sessions-"));
    const [first, second] = ["first.json", "second.json"].map((name) => path.join(at, name));
    const { status, said } = run(folder, program(), ["sessions", first, second]);
    expect(status).toBe(0);
    const { contexts, lines, traceEvents, heatflow } = readTrackerFile(second);
    const outer = contexts.find(({ frame }) => lines[frame].name === "outer");
    const inner = contexts.find(({ frame }) => lines[frame].name === "inner");
    expect(outer?.inclusive).toBeGreaterThanOrEqual(0.04e9);
    expect(outer?.inclusive).toBeLessThanOrEqual(Number(said));
    expect(outer?.exclusive).toBe((outer?.inclusive ?? 0) - (inner?.inclusive ?? 0));
    const event = traceEvents.find(({ ph, name }) => ph === "X" && name === "outer");
    expect(Math.round((event?.ts ?? 0) * 1000)).toBe(heatflow.startNanoseconds);
    expect(Math.round((event?.dur ?? 0) * 1000)).toBe(outer?.inclusive);
  });

  it("counts a region once that ends while the recording is written", () => {
    for (let round = 0; round < 3; round++) {
      const { status, said, output } = run(folder, program(), ["late"], { HEATFLOW_SAMPLE_PERIOD_MS: "60000" });
      expect(status).toBe(0);
      const { contexts, lines } = readTrackerFile(output);
      const late = contexts.find(({ frame }) => lines[frame].name === "late");
      // It is open for as long as the program says, and until the recording ends.
      expect(late?.calls).toBe(1);
      expect(late?.inclusive).toBeLessThan(1.5 * Number(said) + 50e6);
    }
  });

  it("ends regions in its timeline where they ended, however long the shortest is", () => {
    const { status, output } = run(folder, program(), ["long"], { HEATFLOW_SHORTEST_EVENT_NS: "5000000000" });
    expect(status).toBe(0);
    const { traceEvents, contexts, lines } = readTrackerFile(output);
    const at = (ph: string, name: string) => traceEvents.find((one) => one.ph === ph && one.name === name)?.ts ?? NaN;
    for (const { frame, inclusive } of contexts) {
      const { name } = lines[frame];
      // A region that is still open when the program ends is closed by the writer, microseconds later.
      expect(Math.abs((at("E", name) - at("B", name)) * 1000 - inclusive)).toBeLessThan(20e6);
    }
  });
});

it("knows by their order which functions were entered while nothing was recorded", () => {
  const at = fs.mkdtempSync(path.join(folder, "50%run-"));
  const runtime = build(folder, ["src/heatflow.cpp"], { flags: ["-fPIC", "-shared"] });
  const program = build(folder, ["test/stopping.cpp"], { flags: ["-finstrument-functions", "-O0", runtime] });
  const { status } = run(folder, program, [], { HEATFLOW_OUTPUT: `${at.replaceAll("%", "%%")}/out.json` });
  expect(status).toBe(0);
  const { contexts, lines } = readTrackerFile(path.join(at, "out.json"));
  const byId = new Map(contexts.map((row) => [row.id, row]));
  const pathOf = (id: number | undefined): string[] => {
    const row = id === undefined ? undefined : byId.get(id);
    return row === undefined ? [] : [...pathOf(row.parent), lines[row.frame].name.replace(/^.*::|\(.*$/g, "")];
  };
  const calls = contexts.map(({ id, calls }) => [pathOf(id).join("/"), calls]);
  // The inner `nested` is not recorded: what it calls is its caller's.
  expect(Object.fromEntries(calls)).toEqual({ main: 1, "main/nested": 1, "main/nested/step": 2, "main/step": 1 });
});

/** What one rank moved, in the order of its calls: the call's name (or of a message, what became of it), its bytes and its peer. */
const MOVED: readonly (readonly (readonly [name: string, bytes: number, peer?: number])[])[] = [
  [
    // 100 doubles for each of two ranks; only the root scatters.
    ["MPI_Alltoall", 1600],
    ["MPI_Allgather", 800],
    ["MPI_Scatter", 1600],
    ["MPI_Iallreduce", 240],
    ["MPI_Ialltoallw", 40],
    // A rank at the end of the row has one neighbour: 10 doubles, then 7 up or 3 down. In the ring each has one.
    ["MPI_Neighbor_allgather", 80],
    ["MPI_Ineighbor_alltoallv", 56],
    ["MPI_Neighbor_alltoall", 32],
    // Rank 0 of the reversed communicator is rank 1.
    ["MPI_Put", 160, 1],
    ["MPI_Put", 0],
    ["MPI_Accumulate", 16, 1],
    ["MPI_Rget", 48, 1],
    ["message sent", 88, 1],
    ["message sent", 96, 1],
  ],
  [
    ["MPI_Alltoall", 1600],
    ["MPI_Allgather", 800],
    ["MPI_Scatter", 0],
    ["MPI_Iallreduce", 240],
    ["MPI_Ialltoallw", 40],
    ["MPI_Neighbor_allgather", 80],
    ["MPI_Ineighbor_alltoallv", 24],
    ["MPI_Neighbor_alltoall", 32],
    ["message received", 88, 0],
    ["message received", 96, 0],
  ],
];

it("counts what calls of MPI hand over, and to whom", { timeout: 120_000 }, () => {
  const sources = ["src/heatflow.cpp", "src/mpi.cpp"].map((name) => path.join(trackerFolder, name));
  const library = path.join(folder, "libheatflow-mpi.so");
  const include = `-I${path.join(trackerFolder, "include")}`;
  const compiled = ["-std=c++17", "-w", "-fPIC", "-shared", "-pthread", include, ...sources, "-o", library];
  execFileSync("mpicxx", compiled, { stdio: "inherit" });
  const program = path.join(folder, "collectives");
  execFileSync("mpicxx", [path.join(trackerFolder, "test", "collectives.cpp"), "-o", program], { stdio: "inherit" });
  const at = fs.mkdtempSync(path.join(folder, "mpi-"));
  const variables = [`LD_PRELOAD=${library}`, `HEATFLOW_OUTPUT=${at}/%r.json`];
  const asRoot = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
  const runWith = (...variables: string[]) => {
    const args = ["--oversubscribe", "-n", "2", "env", ...variables, program];
    const said = execFileSync("mpirun", args, { env: { ...process.env, ...asRoot }, encoding: "utf8" });
    expect(said.trim().split("\n").sort()).toEqual(["done 0", "done 1"]);
  };
  runWith(...variables);
  for (const rank of [0, 1]) {
    const { traceEvents } = readTrackerFile(path.join(at, `${rank}.json`));
    const moved = traceEvents.filter(({ args }) => args?.bytes !== undefined);
    const rows = moved.map(({ name, args: { bytes, peer } }) => [name, bytes, ...(peer === undefined ? [] : [peer])]);
    expect(rows).toEqual(MOVED[rank]);
    // Calls that move nothing themselves are regions, too.
    const regions = traceEvents.filter(({ ph }) => ph === "X");
    const names = new Set(regions.map(({ name }) => name));
    const others =
      rank === 0 ? ["MPI_Win_fence", "MPI_Win_lock", "MPI_Win_unlock"] : ["MPI_Mprobe", "MPI_Mrecv", "MPI_Imrecv"];
    for (const name of [...others, "MPI_Finalize"]) expect(names).toContain(name);
    // Before everything else, and longer than a message.
    expect(regions.reduce((a, b) => (b.ts < a.ts ? b : a)).name).toBe("MPI_Init");
  }
  // Where the launcher does not tell ranks, they are known behind MPI_Init, and so is where the file goes.
  const unset = ["RANK", "SIZE"].map((name) => `--unset=OMPI_COMM_WORLD_${name}`);
  const later = fs.mkdtempSync(path.join(folder, "mpi-later-"));
  runWith(...unset, `LD_PRELOAD=${library}`, `HEATFLOW_OUTPUT=${later}/%r.json`);
  expect(fs.readdirSync(later).sort()).toEqual(["0.json", "1.json"]);
  const calls = callsByName(readTrackerFile(path.join(later, "1.json")));
  expect([calls.has("MPI_Init"), calls.get("MPI_Finalize")]).toEqual([false, 1]);
});
