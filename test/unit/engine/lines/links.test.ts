import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SourceLink } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { placeContexts } from "../../../../src/engine/lines/placement";
import { CancelledError } from "../../../../src/model/errors";
import { quietTask, taskOf } from "../../../../src/model/task";
import { miniheat } from "../../../recordings";
import { casesOf, places } from "../../randomCases";
import { grammars, openMiniheat } from "../miniheat";
import { openRecording } from "../recordings";

const recording = path.join(miniheat, "profiles/profile-8ranks.cali");
const solver = { file: path.join(miniheat, "src/solver.cpp") };

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await Promise.resolve();
}

describe("settings that change while lines are looked for", () => {
  it("count, at whatever moment they come", async () => {
    const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-elsewhere-"));
    const engine = localEngine(grammars);
    const [info] = await engine.open({ paths: [recording] });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
    for (const moment of places(40, casesOf(80))) {
      await engine.configure({ folders: [elsewhere], sourceMap: {} });
      await engine.hotPlaces({ scope, limit: 1 }); // the folders are listed now
      const asked = engine.documentCosts({ scope, document: solver });
      await ticks(moment);
      await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
      await asked;
      expect((await engine.documentCosts({ scope, document: solver })).lines.length).toBeGreaterThan(3);
    }
    fs.rmSync(elsewhere, { recursive: true });
  });
});

describe("source that could not be read once", () => {
  it("is read at the next question", async () => {
    const files = { ...grammars, cpp: path.join(os.tmpdir(), "no such grammar.wasm") };
    const engine = localEngine(files);
    await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
    const [info] = await engine.open({ paths: [recording] });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
    const query = { scope, filter: 0.1, groupBy: "file" } as const;
    await expect(engine.superGraph(query)).rejects.toThrow(/no such grammar/);
    files.cpp = grammars.cpp;
    expect((await engine.superGraph(query)).bars.map(({ id }) => id)).toContain("physics.cpp");
  });
});

describe("a graph that is asked for again while it is on its way", () => {
  it("comes, whenever the first question is cancelled or the settings are set anew", async () => {
    const settings = { folders: [path.join(miniheat, "src")], sourceMap: {} };
    const engine = localEngine(grammars);
    await engine.configure(settings);
    const [info] = await engine.open({ paths: [recording] });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
    const query = { scope, filter: 0.1, groupBy: "file" } as const;
    const expected = await engine.superGraph(query);
    for (const moment of places(40, casesOf(80))) {
      await engine.configure(settings);
      let cancelled = false;
      const unwanted = taskOf(
        () => cancelled,
        () => undefined,
      );
      const first = engine.superGraph(query, unwanted).catch((error: unknown) => error);
      await ticks(moment);
      // The folders are being listed, then their files read.
      for (let turn = 0; turn < moment % 8; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (moment % 2 === 1) await engine.configure(settings);
      cancelled = true;
      expect(await engine.superGraph(query, quietTask)).toEqual(expected);
      const answer = await first;
      if (!(answer instanceof CancelledError)) expect(answer).toEqual(expected);
    }
  });
});

describe("a line with costs of headers that are not here", () => {
  it("has every reason by which something stands there, each once", async () => {
    const { engine, scope } = await openMiniheat("profiles/samples-1rank.cali");
    const physics = { file: path.join(miniheat, "src/physics.cpp") };
    const [details] = await engine.lineDetails({ scope, document: physics, line: 34 });
    expect(details.name).toBe("updateConductivity");
    const links = [details.link, ...(details.otherLinks ?? [])];
    expect(links.every(({ places }) => places.length === 1 && places[0].line === 34)).toBe(true);
    const headers = links.map(({ reason }) => /([^/]+\.h): it belongs to the system/.exec(reason)?.[1]);
    // A sample of it lies in std::vector (line 1124), and the region itself is marked here.
    expect(headers.filter((name) => name !== undefined)).toContain("stl_vector.h");
    expect(headers).toContain(undefined);
    expect(new Set(headers).size).toBe(headers.length);
    const [plain] = await engine.lineDetails({ scope, document: physics, line: 39 });
    expect(plain.otherLinks).toBeUndefined();
  });
});

describe("looking for lines", () => {
  it("goes on for others when who asked first does not want it any more", async () => {
    const engine = localEngine(grammars);
    await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
    const [info] = await engine.open({ paths: [recording] });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
    const cancelled = taskOf(
      () => true,
      () => undefined,
    );
    const first = engine.documentCosts({ scope, document: solver }, cancelled);
    const second = engine.documentCosts({ scope, document: solver });
    await expect(first).rejects.toThrow(CancelledError);
    expect((await second).lines.length).toBeGreaterThan(3);
  });

  it("ends when the data set is closed", async () => {
    const engine = localEngine(grammars);
    await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
    const [info] = await engine.open({ paths: [recording] });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
    const asked = engine.documentCosts({ scope, document: solver });
    await engine.close({ dataSet: info.id });
    await expect(asked).rejects.toThrow(CancelledError);
  });

  it("lets others have their turn, and keeps a link once for all its contexts", async () => {
    const paths = Array.from({ length: 50_000 }, (_, at) => ({ path: [`f${at}`], at }));
    const { open } = openRecording(paths.map(({ path: names }) => [names, 0, 1] as const));
    const link: SourceLink = {
      places: [{ file: "/src/a.cpp", line: 7 }],
      rule: "definition",
      reason: "",
      considered: [],
    };
    let turns = 0;
    const others = setImmediate(function turn() {
      turns++;
      pending = setImmediate(turn);
    });
    let pending = others;
    const linker = {
      link: async (context: number) => {
        // One link takes longer than the stretch of work after which others come, however fast the machine is.
        const until = performance.now() + 30;
        while (context === 1000 && performance.now() < until);
        return link;
      },
      callSites: async () => undefined,
    };
    const placed = await placeContexts(open, linker, quietTask);
    clearImmediate(pending);
    expect(turns).toBeGreaterThan(0);
    const here = placed.get("/src/a.cpp")?.here ?? [];
    expect(here).toHaveLength(1);
    expect(Array.from(here[0].contexts)).toEqual(paths.map(({ at }) => at));
  });
});

describe("a recording of another program", () => {
  const h100 = path.resolve("tracker/test/recordings/h100.json.gz");
  const sources = fs.readdirSync(path.join(miniheat, "src")).map((name) => path.join(miniheat, "src", name));

  it("has no heat, no lens, no call, no hover and no group here", async () => {
    const engine = localEngine(grammars);
    await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
    const [info] = await engine.open({ paths: [h100] });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
    for (const file of sources) {
      expect(await engine.documentCosts({ scope, document: { file } })).toMatchObject({
        lines: [],
        calls: [],
        functions: [],
        drift: { newerThanRecording: false },
      });
      expect(await engine.lineDetails({ scope, document: { file }, line: 46 })).toEqual([]);
    }
    const places = await engine.hotPlaces({ scope, limit: 100, everything: true });
    expect(places.length).toBeGreaterThan(20);
    expect(places.flatMap(({ link }) => link.places)).toEqual([]);
    const worker = places.find(({ name }) => name === "worker");
    expect(worker?.link.reason).toBe("Recorded from work.cu, which is not in these folders.");
    const { bars } = await engine.superGraph({ scope, filter: 0, groupBy: "file" });
    expect(bars.map(({ id }) => id).filter((id) => /\.(cpp|h)$/.test(id))).toEqual([]);
    expect(bars.map(({ id }) => id)).toContain("work.cu");
  });

  it("is known by names of functions that both have, so that these say why they have no cost", async () => {
    const engine = localEngine(grammars);
    const folders = [path.join(miniheat, "src")];
    await engine.configure({ folders, sourceMap: {} });
    const [foreign] = await engine.open({ paths: [h100] });
    const [own] = await engine.open({ paths: [recording] });
    const clause = "recorded from work.cu, which is not in these folders";
    expect(await engine.foreignClause({ dataSet: foreign.id })).toBe(clause);
    expect(await engine.foreignName({ dataSet: foreign.id, name: "main" })).toBe(clause);
    expect(await engine.foreignName({ dataSet: foreign.id, name: "updateConductivity" })).toBeUndefined();
    expect(await engine.foreignClause({ dataSet: own.id })).toBeUndefined();
    expect(await engine.foreignName({ dataSet: own.id, name: "main" })).toBeUndefined();
    // Without a folder there is nothing that it could be of.
    await engine.configure({ folders: [], sourceMap: {} });
    expect(await engine.foreignClause({ dataSet: foreign.id })).toBeUndefined();
  });

  it.each<[string, (folder: string) => void]>([
    ["as it is", () => undefined],
    ["with a file renamed", (folder) => fs.renameSync(`${folder}/physics.cpp`, `${folder}/material.cpp`)],
    ["with a file gone", (folder) => fs.rmSync(`${folder}/physics.cpp`)],
  ])("is none where its own folder is there, %s", async (_, change) => {
    const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-own-"));
    const folder = path.join(elsewhere, "src");
    fs.cpSync(path.join(miniheat, "src"), folder, { recursive: true });
    change(folder);
    const engine = localEngine(grammars);
    await engine.configure({ folders: [folder], sourceMap: {} });
    for (const name of ["profile-8ranks.cali", "samples-1rank.cali", "samples-4ranks-callpath.cali"]) {
      const [info] = await engine.open({ paths: [path.join(miniheat, "profiles", name)] });
      const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
      expect(await engine.foreignClause({ dataSet: info.id })).toBeUndefined();
      const document = { file: path.join(folder, "solver.cpp") };
      expect((await engine.documentCosts({ scope, document })).lines.length, name).toBeGreaterThan(3);
    }
    fs.rmSync(elsewhere, { recursive: true });
  });

  it("has its own once its folder is there", async () => {
    const engine = localEngine(grammars);
    const [info] = await engine.open({ paths: [h100] });
    const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
    const heatIn = async (folder: string) => {
      await engine.configure({ folders: [folder], sourceMap: {} });
      const document = { file: path.resolve("tracker/test/work.cu") };
      return (await engine.documentCosts({ scope, document })).lines.length;
    };
    expect(await heatIn(path.join(miniheat, "src"))).toBe(0);
    expect(await heatIn(path.resolve("tracker"))).toBeGreaterThan(3);
    expect(await heatIn(path.join(miniheat, "src"))).toBe(0);
  });
});
