import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { functionsOf } from "../../../src/model/functions";
import { quietTask } from "../../../src/model/task";
import { grammarsInPackages } from "../../../src/source/grammar";
import { Linker } from "../../../src/source/linker";
import { SymbolIndex } from "../../../src/source/symbolIndex";
import { miniheat } from "../../recordings";
import { linksOf, shown, treeOf } from "./tree";

const source = path.join(miniheat, "src");
const solve = ["main", "timestep", "advance", "solve"];
const exchange = [...solve, "operator()"];
/** Region path → the line that a reader of the program finds. */
const expected: [string[], string][] = [
  [["main"], "main.cpp:46"],
  [["main", "timestep"], "main.cpp:62"],
  [["main", "decompose"], "mesh.cpp:11"],
  [["main", "initialTemperature"], "physics.cpp:14"],
  [["main", "timestep", "write"], "io.cpp:12"],
  [["main", "timestep", "advance"], "main.cpp:33"],
  [["main", "timestep", "advance", "updateConductivity"], "physics.cpp:34"],
  [["main", "timestep", "advance", "reactionSource"], "physics.cpp:45"],
  [solve, "solver.cpp:45"],
  [[...solve, "apply"], "solver.cpp:9"],
  [[...solve, "axpy"], "solver.cpp:32 | solver.cpp:38"],
  [[...solve, "dot"], "solver.cpp:22"],
  [[...solve, "dot", "globalSum"], "halo.cpp:92"],
  [[...solve, "dot", "globalSum", "MPI_Allreduce"], "halo.cpp:96"],
  [exchange, "halo.cpp:52"],
  [[...exchange, "halo_pack"], "halo.cpp:57"],
  [[...exchange, "halo_transfer"], "halo.cpp:62"],
  [[...exchange, "halo_transfer", "MPI_Waitall"], "halo.cpp:76"],
  [[...exchange, "halo_transfer", "MPI_Isend"], "halo.cpp:71"],
  [[...exchange, "halo_transfer", "MPI_Irecv"], "halo.cpp:69"],
  [[...exchange, "halo_unpack"], "halo.cpp:79"],
  [["MPI_Finalize"], "main.cpp:78"],
  [["MPI_Comm_dup"], "?"],
];

let index: SymbolIndex;
beforeAll(async () => {
  index = await SymbolIndex.open({ folders: [miniheat] }, grammarsInPackages("node_modules"), quietTask);
});

describe("the sample program", () => {
  it("links every region to its line", async () => {
    const links = await linksOf(
      index,
      expected.map(([names]) => names),
    );
    expect(links.map((link, at) => [expected[at][0].join("/"), shown(link, source)])).toEqual(
      expected.map(([names, place]) => [names.join("/"), place]),
    );
  });

  it("links sampled functions and lines", async () => {
    const region = [...solve, "axpy"];
    const fn = (name: string) => ({ name, kind: "function" as const, module: "/home/user/miniheat/miniheat" });
    const line = (file: string, number: number) => ({
      name: `${file}:${number}`,
      kind: "line" as const,
      file,
      line: number,
    });
    const long = fn("mini::axpy(double, mini::Field const&, double, mini::Field&)");
    const apply = fn("mini::HeatOperator::apply(mini::Field const&, mini::Field const&, mini::Field&) const");
    const exp = { name: "__ieee754_exp_fma", kind: "function" as const, module: "/usr/lib/x86_64-linux-gnu/libm.so.6" };
    const links = await linksOf(index, [
      [...region, long],
      [...region, long, line("src/solver.cpp", 41)],
      [...region, fn("mini::axpy(double, mini::Field const&, mini::Field&)")],
      [...solve, apply, line("src/mesh.h", 30)],
      [...solve, exp, line("../sysdeps/ieee754/dbl-64/e_exp.c", 104)],
      [
        ...solve,
        fn(
          "mini::ConjugateGradient<mini::HeatOperator>::solve(mini::Field const&, mini::Field&, mini::HaloExchange&) [clone ._omp_fn.6]",
        ),
      ],
      ["main", line("src/physics.cpp", 30)],
      ["main", line("/home/user/miniheat/src/physics.cpp", 30)],
      [...solve, apply, line("/usr/include/c++/12/bits/stl_vector.h", 1124)],
      [fn("mini::HaloExchange::operator()(mini::Field&)"), fn("PMPI_Waitall")],
    ]);
    expect(links.map((link) => shown(link, source))).toEqual([
      "solver.cpp:38",
      "solver.cpp:41",
      "solver.cpp:32",
      "mesh.h:30",
      "?",
      "solver.cpp:45",
      "physics.cpp:30",
      "physics.cpp:30",
      "solver.cpp:9",
      "halo.cpp:76",
    ]);
    expect(links[4].missingFile).toBe("../sysdeps/ieee754/dbl-64/e_exp.c");
  });

  it("knows the file and class of each function", async () => {
    const { dataSet } = treeOf(expected.map(([names]) => names));
    const functions = functionsOf(dataSet.tree, dataSet.frames);
    const ids = Array.from({ length: functions.size }, (_, id) => id);
    const found = await new Linker(dataSet, index).definitions(functions, ids, quietTask);
    const byName = new Map(ids.map((id) => [dataSet.frames.nameOf(functions.frame[id]), found[id]]));
    const fileOf = (name: string) => byName.get(name)?.file && path.basename(byName.get(name)?.file ?? "");
    expect(["axpy", "timestep", "operator()", "MPI_Isend", "write", "dot"].map(fileOf)).toEqual([
      "solver.cpp",
      "main.cpp",
      "halo.cpp",
      undefined,
      "io.cpp",
      "solver.cpp",
    ]);
    expect(byName.get("axpy")?.places.length).toBe(2);
    expect(["operator()", "solve", "advance", "axpy"].map((name) => byName.get(name)?.class)).toEqual([
      "mini::HaloExchange",
      "mini::ConjugateGradient",
      "Simulation",
      undefined,
    ]);
  });
});
