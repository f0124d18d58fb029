import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine, Scope } from "../../../../src/engine/api";
import { miniheat } from "../../../recordings";
import { contextOf, openMiniheat } from "../miniheat";

const tenLines = "// a line\n".repeat(10);
let folder: string;
let storage: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-edited-"));
  storage = path.join(folder, "storage");
  fs.cpSync(path.join(miniheat, "src"), path.join(folder, "src"), { recursive: true });
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const file = (name: string) => path.join(folder, "src", name);
const open = (recording: string) => openMiniheat(recording, storage, path.join(folder, "src"));

/** Lines with heat, with their exclusive cost. */
async function heat({ engine, scope }: { engine: Engine; scope: Scope }, name: string, text?: string) {
  const { lines } = await engine.documentCosts({ scope, document: { file: file(name), text } });
  return lines.map(({ line, exclusive }) => [line, exclusive] as const);
}

const movedBy = (lines: readonly (readonly [number, number])[], by: number) =>
  lines.map(([line, cost]) => [line + by, cost]);

describe.each(["profiles/profile-8ranks.cali", "profiles/samples-1rank.cali"])(
  "heat of %s moves with the code",
  (recording) => {
    it("in an editor with unsaved edits, and back when they are undone", async () => {
      const session = await open(recording);
      const before = await heat(session, "solver.cpp");
      expect(before.length).toBeGreaterThan(3);
      const text = fs.readFileSync(file("solver.cpp"), "utf8");
      expect(await heat(session, "solver.cpp", tenLines + text)).toEqual(movedBy(before, 10));
      expect(await heat(session, "solver.cpp", text)).toEqual(before);
      await session.engine.setOpenTexts([{ file: file("solver.cpp"), text: tenLines + text }]);
      const apply = await contextOf(session.engine, session.scope, ["main", "timestep", "advance", "solve", "apply"]);
      const link = await session.engine.link({
        dataSet: session.scope.dataSet,
        target: { kind: "context", context: apply },
      });
      expect(link.places).toEqual([{ file: file("solver.cpp"), line: 19 }]);
    });

    it("when it is saved", async () => {
      const session = await open(recording);
      const before = await heat(session, "solver.cpp");
      const text = fs.readFileSync(file("solver.cpp"), "utf8");
      await session.engine.setOpenTexts([{ file: file("solver.cpp"), text: tenLines + text }]);
      fs.writeFileSync(file("solver.cpp"), tenLines + text);
      await session.engine.setOpenTexts([]);
      expect(await heat(session, "solver.cpp")).toEqual(movedBy(before, 10));
    });

    it("when it was edited while nothing was open", async () => {
      const first = await open(recording);
      const before = await heat(first, "solver.cpp");
      fs.writeFileSync(file("solver.cpp"), tenLines + fs.readFileSync(file("solver.cpp"), "utf8"));
      expect(await heat(await open(recording), "solver.cpp")).toEqual(movedBy(before, 10));
    });

    it("when another program writes the file", async () => {
      const session = await open(recording);
      const before = await heat(session, "solver.cpp");
      fs.writeFileSync(file("solver.cpp"), tenLines + fs.readFileSync(file("solver.cpp"), "utf8"));
      const later = new Date(Date.now() + 5000);
      fs.utimesSync(file("solver.cpp"), later, later);
      expect(await heat(session, "solver.cpp")).toEqual(movedBy(before, 10));
    });
  },
);

describe("a recorded line that was deleted", () => {
  it("shows nothing, is counted, and says so when it is asked for", async () => {
    const session = await open("profiles/samples-1rank.cali");
    const { engine, scope } = session;
    const before = await heat(session, "physics.cpp");
    expect(before.map(([line]) => line)).toContain(30);
    const lines = fs.readFileSync(file("physics.cpp"), "utf8").split("\n");
    const text = lines.filter((_, at) => at !== 29).join("\n");
    const costs = await engine.documentCosts({ scope, document: { file: file("physics.cpp"), text } });
    expect(costs.drift.lostLines).toBe(1);
    expect(costs.lines.map((cost) => cost.line)).not.toContain(30);
    await engine.setOpenTexts([{ file: file("physics.cpp"), text }]);
    const update = await contextOf(engine, scope, ["main", "timestep", "advance", "updateConductivity"]);
    const { rows } = await engine.contexts({ scope, parent: update, limit: 100 });
    const context = rows.find((row) => row.detail === "src/physics.cpp:30")?.context ?? -1;
    const link = await engine.link({ dataSet: scope.dataSet, target: { kind: "context", context } });
    expect(link.places).toEqual([]);
    expect(link.reason).toMatch(/gone from the source.*physics\.cpp:30/);
  });
});

describe("a file that was newer than the recording when it was first opened", () => {
  it("is marked so, and stays marked", async () => {
    const costs = async (recording = "profiles/samples-1rank.cali") => {
      const { engine, scope } = await open(recording);
      return engine.documentCosts({ scope, document: { file: file("physics.cpp") } });
    };
    const long = new Date("2001-01-01");
    for (const name of fs.readdirSync(path.join(folder, "src"))) fs.utimesSync(file(name), long, long);
    fs.utimesSync(file("physics.cpp"), new Date("2040-01-01"), new Date("2040-01-01"));
    expect((await costs()).drift.newerThanRecording).toBe(true);
    expect((await costs("profiles/profile-8ranks.cali")).drift.newerThanRecording).toBe(true);
    fs.utimesSync(file("physics.cpp"), long, long);
    expect((await costs("profiles/profile-8ranks.cali")).drift.newerThanRecording).toBe(true);
    expect((await costs()).drift.newerThanRecording).toBe(true);
    const { engine, scope } = await open("profiles/samples-1rank.cali");
    expect(
      (await engine.documentCosts({ scope, document: { file: file("solver.cpp") } })).drift.newerThanRecording,
    ).toBe(false);
  });
});
