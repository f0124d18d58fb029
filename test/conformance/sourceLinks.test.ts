import path from "node:path";
import { describe, expect, it } from "vitest";
import { contextOf, openMiniheat } from "../unit/engine/miniheat";

const solve = ["main", "timestep", "advance", "solve"];
const halo = [...solve, "operator()"];

/** Where each calling context of the sample program must lead: written by hand from its source. */
const expected: [string[], string[]][] = [
  [["main"], ["main.cpp:46"]],
  [["main", "timestep"], ["main.cpp:62"]],
  [["main", "timestep", "advance"], ["main.cpp:33"]],
  [["main", "timestep", "advance", "updateConductivity"], ["physics.cpp:34"]],
  [["main", "timestep", "advance", "reactionSource"], ["physics.cpp:45"]],
  [["main", "initialTemperature"], ["physics.cpp:14"]],
  [["main", "decompose"], ["mesh.cpp:11"]],
  [["main", "timestep", "write"], ["io.cpp:12"]],
  [solve, ["solver.cpp:45"]],
  [[...solve, "apply"], ["solver.cpp:9"]],
  [
    [...solve, "axpy"],
    ["solver.cpp:32", "solver.cpp:38"],
  ],
  [[...solve, "dot"], ["solver.cpp:22"]],
  [halo, ["halo.cpp:52"]],
  [[...halo, "halo_pack"], ["halo.cpp:57"]],
  [[...halo, "halo_transfer"], ["halo.cpp:62"]],
  [[...halo, "halo_unpack"], ["halo.cpp:79"]],
  [[...halo, "halo_transfer", "MPI_Irecv"], ["halo.cpp:69"]],
  [[...halo, "halo_transfer", "MPI_Isend"], ["halo.cpp:71"]],
  [[...halo, "halo_transfer", "MPI_Waitall"], ["halo.cpp:76"]],
  [[...solve, "dot", "globalSum"], ["halo.cpp:92"]],
  [[...solve, "dot", "globalSum", "MPI_Allreduce"], ["halo.cpp:96"]],
];

describe("source links of the sample program, recorded under another folder", () => {
  it.each(expected)("%s", async (names, places) => {
    const { engine, info, scope } = await openMiniheat();
    const context = await contextOf(engine, scope, names);
    const link = await engine.link({ dataSet: info.id, target: { kind: "context", context } });
    expect(link.places.map(({ file, line }) => `${path.basename(file)}:${line}`).sort()).toEqual(places);
    expect(link.reason).not.toBe("");
  });

  it("samples at src/physics.cpp:30 land there", async () => {
    const { engine, info, scope } = await openMiniheat("profiles/samples-1rank.cali");
    const update = await contextOf(engine, scope, ["main", "timestep", "advance", "updateConductivity"]);
    const { rows } = await engine.contexts({ scope, parent: update, limit: 100 });
    const line = rows.find((row) => row.detail === "src/physics.cpp:30");
    expect(line).toBeDefined();
    const link = await engine.link({ dataSet: info.id, target: { kind: "context", context: line?.context ?? -1 } });
    expect(link.places.map((place) => `${path.basename(place.file)}:${place.line}`)).toEqual(["physics.cpp:30"]);
    expect(link.rule).toBe("recorded-line");
  });
});
