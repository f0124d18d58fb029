import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder, trackerFolder } from "./build";
import { callsByName, readTrackerFile, type TrackerFile } from "./recording";

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

/** The same of calls from Fortran. */
const MOVED_BY_FORTRAN: typeof MOVED = [
  [
    ["MPI_Bcast", 240],
    ["MPI_Allreduce", 160],
    ["MPI_Allgather", 800],
    // To rank 0 of the reversed communicator, and then to rank 1; what goes to MPI_PROC_NULL is no message.
    ["message sent", 88, 1],
    ["message sent", 96, 1],
    ["message sent", 104, 1],
    ["message sent", 112, 1],
    ["message sent", 128, 1],
    // 5 integers for each of two ranks.
    ["MPI_Alltoallv", 40],
    ["MPI_Ibarrier", 0],
    ["MPI_Put", 160, 1],
  ],
  [
    ["MPI_Bcast", 240],
    ["MPI_Allreduce", 160],
    ["MPI_Allgather", 800],
    ["message received", 88, 0],
    ["message received", 96, 0],
    ["message received", 104, 0],
    ["message received", 112, 0],
    ["message received", 128, 0],
    ["MPI_Alltoallv", 40],
    ["MPI_Ibarrier", 0],
  ],
];

let folder: string;
let library: string;
beforeAll(() => {
  folder = temporaryFolder();
  library = path.join(folder, "libheatflow-mpi.so");
  const sources = ["src/heatflow.cpp", "src/mpi.cpp"].map((name) => path.join(trackerFolder, name));
  const include = `-I${path.join(trackerFolder, "include")}`;
  const compiled = ["-std=c++17", "-w", "-fPIC", "-shared", "-pthread", include, ...sources, "-o", library];
  execFileSync("mpicxx", compiled, { stdio: "inherit" });
}, 120_000);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Compiles a program of the tracker's tests with MPI. */
function compiled(source: string, compiler: string, ...flags: string[]): string {
  const program = path.join(folder, source.replace(/\..*/, ""));
  const args = [...flags, path.join(trackerFolder, "test", source), "-o", program];
  // Debian's MPI brings a compiler for Fortran whose name has its version.
  const named = (process.env.PATH ?? "")
    .split(path.delimiter)
    .flatMap((one) => (fs.existsSync(one) ? fs.readdirSync(one) : []))
    .filter((name) => /^gfortran(?:-\d+)?$/.test(name))
    .sort();
  execFileSync(compiler, args, { stdio: "inherit", cwd: folder, env: { ...process.env, OMPI_FC: named[0] } });
  return program;
}

/** Runs a program on two ranks. @returns the folder of their recordings, which are called by rank */
function recorded(program: string, ...variables: string[]): string {
  const at = fs.mkdtempSync(path.join(folder, "ranks-"));
  const own = [...variables, `LD_PRELOAD=${library}`, `HEATFLOW_OUTPUT=${at}/%r.json`];
  const asRoot = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
  const args = ["--oversubscribe", "-n", "2", "env", ...own, program];
  const said = execFileSync("mpirun", args, { env: { ...process.env, ...asRoot }, encoding: "utf8" });
  expect(said.trim().split("\n").sort()).toEqual(["done 0", "done 1"]);
  return at;
}

const ofRank = (at: string, rank: number) => readTrackerFile(path.join(at, `${rank}.json`));

/** What moves, in the order of the calls. */
function movedIn({ traceEvents }: TrackerFile): unknown[] {
  const moved = traceEvents.filter(({ args }) => args?.bytes !== undefined);
  return moved.map(({ name, args: { bytes, peer } }) => [name, bytes, ...(peer === undefined ? [] : [peer])]);
}

it("counts what calls of MPI hand over, and to whom", { timeout: 120_000 }, () => {
  const program = compiled("collectives.cpp", "mpicxx");
  const at = recorded(program);
  for (const rank of [0, 1]) {
    const file = ofRank(at, rank);
    expect(movedIn(file)).toEqual(MOVED[rank]);
    // Calls that move nothing themselves are regions, too.
    const regions = file.traceEvents.filter(({ ph }) => ph === "X" || ph === "B");
    const names = new Set(regions.map(({ name }) => name));
    const others =
      rank === 0 ? ["MPI_Win_fence", "MPI_Win_lock", "MPI_Win_unlock"] : ["MPI_Mprobe", "MPI_Mrecv", "MPI_Imrecv"];
    for (const name of [...others, "MPI_Finalize"]) expect(names).toContain(name);
    // Before everything else, and longer than a message.
    expect(regions.reduce((a, b) => (b.ts < a.ts ? b : a)).name).toBe("MPI_Init");
  }
  // Where the launcher does not tell ranks, they are known behind MPI_Init, and so is where the file goes.
  const later = recorded(program, ...["RANK", "SIZE"].map((name) => `--unset=OMPI_COMM_WORLD_${name}`));
  expect(fs.readdirSync(later).sort()).toEqual(["0.json", "1.json"]);
  const calls = callsByName(ofRank(later, 1));
  expect([calls.has("MPI_Init"), calls.get("MPI_Finalize")]).toEqual([false, 1]);
});

it("counts the same of calls from Fortran, which goes past C's profiling interface", { timeout: 120_000 }, () => {
  const at = recorded(compiled("fortran.f90", "mpif90", "-J", folder));
  for (const rank of [0, 1]) {
    const file = ofRank(at, rank);
    expect(movedIn(file)).toEqual(MOVED_BY_FORTRAN[rank]);
    const calls = callsByName(file);
    for (const [name, count] of Object.entries({ MPI_Init: 1, MPI_Waitall: 1, MPI_Finalize: 1 }))
      expect([name, calls.get(name)]).toEqual([name, count]);
    expect(calls.has("MPI_Testany")).toBe(rank === 1);
  }
});
