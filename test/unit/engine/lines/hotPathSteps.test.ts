import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { DataSetInfo, Engine, HotPath, Scope } from "../../../../src/engine/api";
import { chosenRanks } from "../../../../src/model/members";
import { everyRank, goldenHotPath } from "../../../goldenRecords";
import { miniheat } from "../../../recordings";
import { contextOf, openMiniheat } from "../miniheat";

const namesOf = (found: HotPath | undefined) => found?.steps.map(({ name }) => name);

describe("the hot path", () => {
  let engine: Engine;
  let info: DataSetInfo;
  let scope: Scope;
  beforeAll(async () => {
    ({ engine, info, scope } = await openMiniheat());
  });

  const from = async (names: readonly string[], threshold: number, within = scope) =>
    engine.hotPath({
      scope: within,
      target: { kind: "context", context: await contextOf(engine, scope, names) },
      threshold,
    });

  it("goes where a walk over the records of another program goes", async () => {
    for (const threshold of [0.01, 0.3, 0.5, 0.9])
      expect(namesOf(await from(["main"], threshold))).toEqual(goldenHotPath("main", threshold, everyRank));
    expect(goldenHotPath("main", 0.5, everyRank).length).toBeGreaterThan(3);
  });

  it("is that of the ranks that are chosen, combined in any way", async () => {
    const chosen: Scope = { ...scope, over: "mean", chosen: chosenRanks([0, 4]) };
    const golden = goldenHotPath("main", 0.8, (rank) => rank === 0 || rank === 4);
    expect(golden).not.toEqual(goldenHotPath("main", 0.8, everyRank));
    expect(namesOf(await from(["main"], 0.8, chosen))).toEqual(golden);
    const ofRank = goldenHotPath("main", 0.5, (rank) => rank === 1);
    expect(ofRank).not.toEqual(goldenHotPath("main", 0.5, everyRank));
    expect(namesOf(await from(["main"], 0.5, { ...scope, over: { rank: 1 } }))).toEqual(ofRank);
  });

  it("begins at the heaviest root, at a function's heaviest context, at a bar's heaviest entry", async () => {
    expect(namesOf(await engine.hotPath({ scope, threshold: 0.5 }))?.[0]).toBe("main");
    const functions = await engine.hotFunctions({ scope, by: "exclusive", limit: 100 });
    const reduce = functions.find(({ name }) => name === "MPI_Allreduce")?.function ?? -1;
    const found = await engine.hotPath({ scope, target: { kind: "function", function: reduce }, threshold: 0.5 });
    expect(found?.steps).toHaveLength(1);
    expect(found?.stopped).toEqual({ why: "leaf" });
    const query = { scope, filter: 0, groupBy: "file" } as const;
    const ofBar = await engine.hotPath({ scope, target: { kind: "bar", query, bar: "halo.cpp" }, threshold: 0.01 });
    const halo = (await engine.superGraph(query)).bars.find(({ id }) => id === "halo.cpp");
    expect(halo?.entries.map(({ name }) => name)).toContain(namesOf(ofBar)?.[0]);
    expect(ofBar?.steps[0].inclusive).toBeGreaterThan(0);
    expect(
      await engine.hotPath({ scope, target: { kind: "bar", query, bar: "none.cpp" }, threshold: 0.5 }),
    ).toBeUndefined();
    expect(info.estimated).toBe(false);
  });

  it("leads to the line of its end", async () => {
    const found = await from(["main"], 0.9);
    const [place] = found?.link.places ?? [];
    expect(place.file).toMatch(/miniheat\/src\//);
    expect(found?.nearest).toBeUndefined();
    expect(found?.depth).toBe(found?.steps.length);
  });
});

describe("the hot path to what has no line here", () => {
  it("names the nearest above it that has one", async () => {
    // The sources without what communicates.
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-hot-path-"));
    fs.cpSync(path.join(miniheat, "src"), folder, { recursive: true });
    for (const name of ["halo.cpp", "solver.cpp"]) fs.rmSync(path.join(folder, name));
    const { engine, scope } = await openMiniheat(undefined, undefined, folder);
    const found = await engine.hotPath({ scope, threshold: 0.5 });
    expect(found?.link.places).toEqual([]);
    expect(found?.nearest?.link.places[0].file).toBe(path.join(folder, "main.cpp"));
    expect(namesOf(found)).toContain(found?.nearest?.name);
    fs.rmSync(folder, { recursive: true });
  });
});
