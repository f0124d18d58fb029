import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { miniheat } from "../recordings";
import { openMiniheat } from "../unit/engine/miniheat";

const source = (name: string) => path.join(miniheat, "src", name);

function golden<Row>(name: string): Row[] {
  return JSON.parse(fs.readFileSync(path.join(miniheat, "profiles/golden", name), "utf8")) as Row[];
}

/** Exclusive seconds of all records whose path ends in this name, as Caliper's own query tool printed them. */
function recordedSeconds(counts: (path: string) => boolean, rank?: number): number {
  const rows = golden<{ path?: string; "mpi.rank": number; "sum#sum#time.duration": number }>(
    "profile-8ranks.records.json",
  );
  return rows
    .filter((row) => counts(row.path ?? "") && (rank === undefined || row["mpi.rank"] === rank))
    .reduce((sum, row) => sum + row["sum#sum#time.duration"], 0);
}

describe("costs on the lines of the sample program", () => {
  it("are the sample counts of Caliper's own query tool, line by line", async () => {
    const { engine, info, scope } = await openMiniheat("profiles/samples-1rank.cali");
    const count = info.metrics.findIndex((metric) => metric.unit === "1" && metric.name === "count");
    const rows = golden<{ "sourceloc#cali.sampler.pc"?: string; samples: number }>("samples-1rank.by-line.json");
    const expected = new Map<string, number>();
    for (const row of rows) {
      const [, file, line] = /^src\/([^:]+):(\d+)$/.exec(row["sourceloc#cali.sampler.pc"] ?? "") ?? [];
      if (file !== undefined) expected.set(`${file}:${line}`, row.samples);
    }
    expect(expected.size).toBeGreaterThan(10);
    const found = new Map<string, number>();
    for (const file of fs.readdirSync(source("."))) {
      const { lines } = await engine.documentCosts({
        scope: { ...scope, metric: count },
        document: { file: source(file) },
      });
      for (const { line, exclusive, oneOf } of lines) if (oneOf === undefined) found.set(`${file}:${line}`, exclusive);
    }
    for (const [place, samples] of expected) expect([place, found.get(place)]).toEqual([place, samples]);
    // What else stands on a line are samples in code without lines here, at the function that they were taken in.
    for (const place of found.keys()) if (!expected.has(place)) expect(found.get(place)).toBeGreaterThan(0);
  });

  it("are inclusive, exclusive and imbalance above functions", async () => {
    const { engine, scope } = await openMiniheat();
    const { functions } = await engine.documentCosts({ scope, document: { file: source("physics.cpp") } });
    const update = functions.find((cost) => cost.line === 34);
    const total = recordedSeconds(() => true);
    const own = recordedSeconds((names) => names.endsWith("/updateConductivity"));
    expect(update).toMatchObject({ name: "updateConductivity" });
    expect(update?.exclusive).toBeCloseTo(own, 4);
    expect(update?.inclusive).toBeCloseTo(own, 4);
    expect(update?.share).toBeCloseTo(own / total, 5);
    const perRank = [0, 1, 2, 3, 4, 5, 6, 7].map((rank) =>
      recordedSeconds((names) => names.endsWith("/updateConductivity"), rank),
    );
    expect(update?.imbalance).toBeCloseTo(Math.max(...perRank) / (own / 8), 4);
    expect(functions.map((cost) => cost.line)).toEqual([14, 34, 45]);
  });

  it("name the slowest rank and the contexts in a hover", async () => {
    const { engine, scope } = await openMiniheat();
    const [details] = await engine.lineDetails({
      scope: { ...scope, over: "mean" },
      document: { file: source("physics.cpp") },
      line: 34,
    });
    const perRank = [0, 1, 2, 3, 4, 5, 6, 7].map((rank) =>
      recordedSeconds((names) => names.endsWith("/updateConductivity"), rank),
    );
    expect(details.overRanks).toMatchObject({
      members: 8,
      slowest: `${perRank.indexOf(Math.max(...perRank))}`,
    });
    expect(details.overRanks?.maximum).toBeCloseTo(Math.max(...perRank), 5);
    expect(details.overRanks?.minimum).toBeCloseTo(Math.min(...perRank), 5);
    expect(details.contexts.map((context) => context.path.join("/"))).toEqual([
      "main/timestep/advance/updateConductivity",
    ]);
    expect(details.link.places).toEqual([{ file: source("physics.cpp"), line: 34 }]);
  });

  it("stand on the line of an MPI call, and its callee's inclusive on the line of a call", async () => {
    const { engine, scope } = await openMiniheat();
    const halo = await engine.documentCosts({ scope, document: { file: source("halo.cpp") } });
    const wait = recordedSeconds((names) => names.endsWith("/MPI_Waitall"));
    expect(halo.lines.find((cost) => cost.line === 76)?.exclusive).toBeCloseTo(wait, 4);
    const main = await engine.documentCosts({
      scope: { ...scope, over: "mean" },
      document: { file: source("main.cpp") },
    });
    const solve = main.calls.find((call) => call.callee === "solve");
    expect(solve?.line).toBe(41);
    expect(solve?.inclusive).toBeCloseTo(recordedSeconds((names) => names.includes("/solve")) / 8, 4);
    // Shown as text, never as heat: what is called from here costs where it stands.
    expect(main.lines.some((cost) => cost.line === 41)).toBe(false);
  });

  it("of a call say what is called, what it costs and where it leads", async () => {
    const { engine, scope } = await openMiniheat();
    const mean = { ...scope, over: "mean" as const };
    const [solve, ...others] = await engine.lineCalls({
      scope: mean,
      document: { file: source("main.cpp") },
      line: 41,
    });
    expect(others).toEqual([]);
    expect(solve.callee).toBe("solve");
    expect(solve.inclusive).toBeCloseTo(recordedSeconds((names) => names.includes("/solve")) / 8, 4);
    expect(solve.link.places).toEqual([{ file: source("main.cpp"), line: 41 }]);
    expect(solve.definition.places).toEqual([{ file: source("solver.cpp"), line: 45 }]);
    // Nothing stands on that line: it has no cost of its own.
    expect(await engine.lineDetails({ scope: mean, document: { file: source("main.cpp") }, line: 41 })).toEqual([]);
    expect(await engine.lineCalls({ scope: mean, document: { file: source("main.cpp") }, line: 42 })).toEqual([]);
  });

  it("add up to what has a place: heat counts nothing twice", async () => {
    const { engine, scope } = await openMiniheat();
    let heat = 0;
    for (const file of fs.readdirSync(source("."))) {
      const { lines } = await engine.documentCosts({ scope, document: { file: source(file) } });
      for (const { exclusive, oneOf } of lines) heat += exclusive / (oneOf ?? 1);
    }
    const unplaced = recordedSeconds((names) => names === "" || names === "MPI_Comm_dup");
    expect(heat).toBeCloseTo(recordedSeconds(() => true) - unplaced, 4);
  });

  it("with two equally likely places are text at both, never heat", async () => {
    const { engine, scope } = await openMiniheat();
    const { lines, functions } = await engine.documentCosts({ scope, document: { file: source("solver.cpp") } });
    expect(lines.filter((cost) => cost.line === 32 || cost.line === 38).map((cost) => cost.oneOf)).toEqual([2, 2]);
    expect(functions.filter((cost) => cost.name === "axpy").map((cost) => cost.oneOf)).toEqual([2, 2]);
  });

  it("lead to the hottest line, past MPI", async () => {
    const { engine, scope } = await openMiniheat();
    const [hottest] = await engine.hotPlaces({ scope, limit: 3 });
    expect(hottest.name).toBe("updateConductivity");
    expect(hottest.link.places).toEqual([{ file: source("physics.cpp"), line: 34 }]);
    const query = { scope, filter: 0.1, groupBy: "file" } as const;
    const [ofBar] = await engine.hotPlaces({ scope, target: { kind: "bar", query, bar: "physics.cpp" }, limit: 1 });
    expect(ofBar.link.places).toEqual([{ file: source("physics.cpp"), line: 34 }]);
    expect(await engine.barOf({ query, target: { kind: "function", function: hottest.function } })).toBe("physics.cpp");
  });
});
