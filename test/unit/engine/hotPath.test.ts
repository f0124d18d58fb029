import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { DataSetInfo, Engine, HotPath, Scope } from "../../../src/engine/api";
import { chosenRanks } from "../../../src/model/members";
import { miniheat } from "../../recordings";
import { contextOf, openMiniheat } from "./miniheat";

interface GoldenRecord {
  readonly path?: string;
  readonly "mpi.rank": number;
  readonly "sum#sum#time.duration": number;
}

/** Walks the records of another program as a person would: the largest sum below a path, while it is large enough. */
function goldenPath(from: string, threshold: number, isCounted: (rank: number) => boolean): string[] {
  const file = path.join(miniheat, "profiles", "golden", "profile-8ranks.records.json");
  const records: GoldenRecord[] = JSON.parse(fs.readFileSync(file, "utf8"));
  const sum = (below: string) =>
    records
      .filter(
        (record) => isCounted(record["mpi.rank"]) && (record.path === below || record.path?.startsWith(`${below}/`)),
      )
      .reduce((all, record) => all + record["sum#sum#time.duration"], 0);
  const names = from.split("/");
  for (;;) {
    const here = names.join("/");
    const children = new Set(
      records.flatMap((record) =>
        record.path?.startsWith(`${here}/`) ? [record.path.slice(here.length + 1).split("/")[0]] : [],
      ),
    );
    const [heaviest] = [...children].sort((a, b) => sum(`${here}/${b}`) - sum(`${here}/${a}`));
    if (heaviest === undefined || sum(`${here}/${heaviest}`) < threshold * sum(here)) return names;
    names.push(heaviest);
  }
}

const namesOf = (found: HotPath | undefined) => found?.steps.map(({ name }) => name);

describe("the hot path", () => {
  let engine: Engine;
  let info: DataSetInfo;
  let scope: Scope;
  beforeAll(async () => {
    ({ engine, info, scope } = await openMiniheat());
  });

  const from = async (names: readonly string[], threshold: number, within = scope) =>
    engine.hotPath(within, { kind: "context", context: await contextOf(engine, scope, names) }, threshold);

  it("goes where a walk over the records of another program goes", async () => {
    const all = () => true;
    for (const threshold of [0.01, 0.3, 0.5, 0.9])
      expect(namesOf(await from(["main"], threshold))).toEqual(goldenPath("main", threshold, all));
    expect(goldenPath("main", 0.5, all).length).toBeGreaterThan(3);
  });

  it("is that of the ranks that are chosen, combined in any way", async () => {
    const chosen: Scope = { ...scope, over: "mean", chosen: chosenRanks([0, 4]) };
    const golden = goldenPath("main", 0.8, (rank) => rank === 0 || rank === 4);
    expect(golden).not.toEqual(goldenPath("main", 0.8, () => true));
    expect(namesOf(await from(["main"], 0.8, chosen))).toEqual(golden);
    const ofRank = goldenPath("main", 0.5, (rank) => rank === 1);
    expect(ofRank).not.toEqual(goldenPath("main", 0.5, () => true));
    expect(namesOf(await from(["main"], 0.5, { ...scope, over: { rank: 1 } }))).toEqual(ofRank);
  });

  it("begins at the heaviest root, at a function's heaviest context, at a bar's heaviest entry", async () => {
    expect(namesOf(await engine.hotPath(scope, undefined, 0.5))?.[0]).toBe("main");
    const functions = await engine.hotFunctions(scope, "exclusive", 100);
    const reduce = functions.find(({ name }) => name === "MPI_Allreduce")?.function ?? -1;
    const found = await engine.hotPath(scope, { kind: "function", function: reduce }, 0.5);
    expect(found?.steps).toHaveLength(1);
    expect(found?.stopped).toEqual({ why: "leaf" });
    const query = { scope, filter: 0, groupBy: "file" } as const;
    const ofBar = await engine.hotPath(scope, { kind: "bar", query, bar: "halo.cpp" }, 0.01);
    const halo = (await engine.superGraph(query)).bars.find(({ id }) => id === "halo.cpp");
    expect(halo?.entries.map(({ name }) => name)).toContain(namesOf(ofBar)?.[0]);
    expect(ofBar?.steps[0].inclusive).toBeGreaterThan(0);
    expect(await engine.hotPath(scope, { kind: "bar", query, bar: "none.cpp" }, 0.5)).toBeUndefined();
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
    // Of the sources only main.cpp is there.
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-hot-path-"));
    fs.copyFileSync(path.join(miniheat, "src", "main.cpp"), path.join(folder, "main.cpp"));
    const { engine, scope } = await openMiniheat(undefined, undefined, folder);
    const found = await engine.hotPath(scope, undefined, 0.5);
    expect(found?.link.places).toEqual([]);
    expect(found?.nearest?.link.places[0].file).toBe(path.join(folder, "main.cpp"));
    expect(namesOf(found)).toContain(found?.nearest?.name);
    fs.rmSync(folder, { recursive: true });
  });
});
