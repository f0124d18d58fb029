import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DataSetInfo, Scope } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { writeCallgrind, type WrittenFunction } from "../../formats/callgrind/callgrindWriter";
import { grammars } from "../miniheat";
import { chosenRanks } from "../../../../src/model/members";
import { recordingOf } from "../../../../src/panels/recording/content";

const sources = {
  "main.c": `int work(int n);
int main(void) {
  int a = work(3);
  return a + work(2);
}
`,
  "work.c": `#include "inline.h"
int work(int n) {
  int s = square(n);
  if (n > 0)
    s += work(n - 1);
  return s;
}
`,
  "inline.h": `static inline int square(int n) {
  return n * n;
}
`,
};

let folder: string;
const file = (name: string) => path.join(folder, name);

/** What callgrind writes of the program, each cost so many times. */
function recording(pid: number, times: number): string {
  const costs = (cost: number) => [cost * times];
  const main = file("main.c");
  const work = file("work.c");
  const inline = file("inline.h");
  const functions: WrittenFunction[] = [
    {
      name: "main",
      file: main,
      rows: [
        { line: 2, costs: costs(2) },
        { line: 3, costs: costs(1) },
        { line: 3, costs: costs(100), callee: "work", calleeFile: work, calls: 1 },
        { line: 4, costs: costs(2) },
        { line: 4, costs: costs(60), callee: "work", calleeFile: work, calls: 1 },
      ],
    },
    {
      name: "work",
      file: work,
      rows: [
        { line: 2, costs: costs(20) },
        { line: 2, file: inline, costs: costs(30) },
        { line: 5, costs: costs(10) },
        { line: 5, costs: costs(100), callee: "work'2", calls: 2 },
      ],
    },
    {
      name: "work'2",
      file: work,
      rows: [
        { line: 2, costs: costs(40) },
        { line: 2, file: inline, costs: costs(50) },
        { line: 6, costs: costs(10) },
        { line: 5, costs: costs(40), callee: "work'2", calls: 3 },
      ],
    },
  ];
  const header = { version: 1, creator: "callgrind-3.19.0", pid, cmd: "./a.out", part: 1 };
  return writeCallgrind([{ header, functions }]);
}

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-callgraph-"));
  for (const [name, text] of Object.entries(sources)) fs.writeFileSync(file(name), text);
  fs.writeFileSync(file("callgrind.out.7"), recording(7, 1));
  fs.mkdirSync(file("two"));
  fs.writeFileSync(file("two/callgrind.out.7"), recording(7, 1));
  fs.writeFileSync(file("two/callgrind.out.9"), recording(9, 3));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

async function open(recorded: string, answer?: string) {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [folder], sourceMap: {} });
  const [info] = await engine.open({ paths: [file(recorded)], answer });
  return { engine, info, scope: scopeOf(info) };
}

function scopeOf(info: DataSetInfo, over: Scope["over"] = "sum"): Scope {
  return { dataSet: info.id, metric: info.defaultMetric, over };
}

describe("a measured call graph", () => {
  it("is the heat of lines, inlined ones in their own file", async () => {
    const { engine, scope } = await open("callgrind.out.7");
    const heat = async (name: string) =>
      (await engine.documentCosts({ scope, document: { file: file(name) } })).lines.map(
        ({ line, exclusive, share }) => {
          expect(share).toBeCloseTo(exclusive / 165, 12);
          return [line, exclusive];
        },
      );
    expect(await heat("main.c")).toEqual([
      [2, 2],
      [3, 1],
      [4, 2],
    ]);
    expect(await heat("work.c")).toEqual([
      [2, 60],
      [5, 10],
      [6, 10],
    ]);
    expect(await heat("inline.h")).toEqual([[2, 80]]);
    const document = { file: file("inline.h") };
    const [inlined] = (await engine.documentCosts({ scope, document })).lines;
    expect(inlined.mostly).toEqual({ kind: "inlined", exclusive: 80, name: "work", others: 0 });
  });

  it("says of no line that it was inlined into the function that is defined around it", async () => {
    // callgrind names the file of the inlined code that a function begins with.
    const header = { version: 1, creator: "callgrind-3.19.0", pid: 5, cmd: "./a.out", part: 1 };
    const rows = [
      { line: 2, costs: [20] },
      { line: 2, file: file("work.c"), costs: [30] },
      { line: 6, file: file("work.c"), costs: [50] },
    ];
    const functions = [{ name: "work", file: file("inline.h"), rows }];
    fs.writeFileSync(file("callgrind.out.5"), writeCallgrind([{ header, functions }]));
    const { engine, scope } = await open("callgrind.out.5");
    const { lines } = await engine.documentCosts({ scope, document: { file: file("work.c") } });
    expect(lines.map(({ line, exclusive }) => [line, exclusive])).toEqual([
      [2, 30],
      [6, 50],
    ]);
    expect(lines.map(({ mostly }) => mostly)).toEqual([undefined, undefined]);
    fs.rmSync(file("callgrind.out.5"));
  });

  it("is the text on call lines and the lenses above functions, recursion counted once", async () => {
    const { engine, scope } = await open("callgrind.out.7");
    const main = await engine.documentCosts({ scope, document: { file: file("main.c") } });
    expect(main.calls).toEqual([
      { line: 3, callee: "work", function: expect.any(Number) as number, inclusive: 100, share: 100 / 165 },
      { line: 4, callee: "work", function: expect.any(Number) as number, inclusive: 60, share: 60 / 165 },
    ]);
    expect(main.functions).toMatchObject([{ line: 2, name: "main", inclusive: 165, exclusive: 5, share: 1 }]);
    const work = await engine.documentCosts({ scope, document: { file: file("work.c") } });
    expect(work.calls).toMatchObject([{ line: 5, callee: "work", inclusive: 100 }]);
    expect(work.functions).toMatchObject([{ line: 2, name: "work", inclusive: 160, exclusive: 160 }]);
    expect(work.functions[0].imbalance).toBeUndefined();
  });

  it("is what a hover says of a line with its calls, and of a function", async () => {
    const { engine, scope } = await open("callgrind.out.7");
    const at = async (line: number) => engine.lineDetails({ scope, document: { file: file("work.c") }, line });
    expect(await at(5)).toMatchObject([{ name: "work", exclusive: 10, inclusive: 110, share: 10 / 165 }]);
    const [definition] = await at(2);
    expect(definition).toMatchObject({ name: "work", exclusive: 160, inclusive: 160 });
    expect(definition.contexts[0].path[0]).toBe("main");
    // Contexts are those of the estimated tree: they can be asked about.
    const described = await engine.describeContext({ scope, context: definition.contexts[0].context });
    expect(described.path).toEqual(definition.contexts[0].path);
  });

  it("names the recorded file of a hot place that is not here", async () => {
    const header = { version: 1, creator: "callgrind-3.19.0", pid: 8, cmd: "./a.out", part: 1 };
    const elsewhere = { name: "compute", file: "/build/far/solver.c", rows: [{ line: 12, costs: [7] }] };
    const nowhere = { name: "helper", file: "???", rows: [{ line: 0, costs: [3] }] };
    fs.writeFileSync(file("callgrind.out.8"), writeCallgrind([{ header, functions: [elsewhere, nowhere] }]));
    const { engine, scope } = await open("callgrind.out.8");
    const places = await engine.hotPlaces({ scope, limit: 10 });
    const costly = places.filter(({ exclusive }) => exclusive > 0);
    expect(costly.map(({ name, link, recordedFile }) => [name, link.places, recordedFile])).toEqual([
      ["compute", [], "/build/far/solver.c"],
      ["helper", [], undefined],
    ]);
  });

  it("keeps lines of a file that is not here apart by the function that they were compiled into", async () => {
    const header = { version: 1, creator: "callgrind-3.19.0", pid: 9, cmd: "./a.out", part: 1 };
    const vector = "/usr/include/c++/12/bits/stl_vector.h";
    const inlined = (costs: number) => [
      { line: 3, costs: [1] },
      { line: 988, file: vector, costs: [costs] },
      { line: 2, file: file("inline.h"), costs: [10 * costs] },
    ];
    const functions = [
      { name: "main", file: file("main.c"), rows: inlined(300) },
      { name: "work", file: file("work.c"), rows: inlined(500) },
    ];
    fs.writeFileSync(file("callgrind.out.9"), writeCallgrind([{ header, functions }]));
    const { engine, info, scope } = await open("callgrind.out.9");
    const places = await engine.hotPlaces({ scope, limit: 3 });
    expect(places.map((one) => [one.name, one.functions, one.exclusive, ...one.link.places])).toEqual([
      ["work", 2, 8000, { file: file("inline.h"), line: 2 }],
      ["work", 1, 500, { file: file("work.c"), line: 2 }],
      ["main", 1, 300, { file: file("main.c"), line: 2 }],
    ]);
    // Its lines of inline.h are inlined into each; what is not here leads to the function already.
    expect(places.map(({ isInlined, definition }) => [isInlined, definition?.places])).toEqual([
      [true, [{ file: file("work.c"), line: 2 }]],
      [undefined, [{ file: file("work.c"), line: 2 }]],
      [undefined, [{ file: file("main.c"), line: 2 }]],
    ]);
    expect(places[1]).toMatchObject({ recordedFile: vector, recordedLine: 988, link: { missingFile: vector } });
    const page = recordingOf(info, scope, { hot: places, functions: [] });
    expect(page.hotLines.map(({ name, functions, place }) => [name, functions, place])).toEqual([
      ["work", 2, "inline.h:2"],
      ["work", 1, "work.c:2 (for stl_vector.h:988)"],
      ["main", 1, "main.c:2 (for stl_vector.h:988)"],
    ]);
  });

  it("has as many hottest lines as are asked for, and a line of a function that cost nothing", async () => {
    const header = { version: 1, creator: "callgrind-3.19.0", pid: 10, cmd: "./a.out", part: 1 };
    const lines = [2, 3, 4, 5, 6];
    const functions = [
      { name: "work", file: file("work.c"), rows: lines.map((line) => ({ line, costs: [100 * line] })) },
      { name: "main", file: file("main.c"), rows: [{ line: 4, costs: [1] }] },
      { name: "square", file: file("inline.h"), rows: [{ line: 2, costs: [0] }] },
    ];
    fs.writeFileSync(file("callgrind.out.10"), writeCallgrind([{ header, functions }], { events: ["Ir", "Bc"] }));
    const { engine, info, scope } = await open("callgrind.out.10");
    const places = await engine.hotPlaces({ scope, limit: 6 });
    expect(places.map(({ exclusive, link }) => [exclusive, link.places[0].line])).toEqual([
      [600, 6],
      [500, 5],
      [400, 4],
      [300, 3],
      [200, 2],
      [1, 4],
    ]);
    const all = await engine.hotFunctions({ scope, by: "exclusive", limit: 10 });
    const free = all.find(({ name }) => name === "square")?.function ?? -1;
    expect(await engine.hotPlaces({ scope, target: { kind: "function", function: free }, limit: 1 })).toEqual([]);
    const link = await engine.link({ dataSet: info.id, target: { kind: "function", function: free } });
    expect(link.places).toEqual([{ file: file("inline.h"), line: 1 }]);
  });

  it("is the list of hot functions, and who calls them", async () => {
    const { engine, scope } = await open("callgrind.out.7");
    const rows = async (by: "exclusive" | "inclusive") =>
      (await engine.hotFunctions({ scope, by, limit: 10 })).map(({ name, exclusive, inclusive }) => [
        name,
        exclusive,
        inclusive,
      ]);
    expect(await rows("exclusive")).toEqual([
      ["work", 160, 160],
      ["main", 5, 165],
    ]);
    expect(await rows("inclusive")).toEqual([
      ["main", 5, 165],
      ["work", 160, 160],
    ]);
    const all = await engine.callers({ scope, path: [], limit: 10 });
    expect(all.rows.map(({ name, callers }) => [name, callers])).toEqual([
      ["work", 2],
      ["main", 0],
    ]);
    const callers = await engine.callers({ scope, path: all.rows[0].path, limit: 10 });
    expect(callers.rows.map(({ name, inclusive }) => [name, inclusive])).toEqual([
      ["main", 160],
      ["work", 100],
    ]);
    expect(callers.rows.reduce((sum, { exclusive }) => sum + exclusive, 0)).toBeCloseTo(160, 9);
    const [, again] = callers.rows;
    expect(again.callers).toBe(0);
  });

  it("says where the hottest lines are", async () => {
    const { engine, scope } = await open("callgrind.out.7");
    const places = await engine.hotPlaces({ scope, limit: 3 });
    expect(places.map(({ name, exclusive, link }) => [name, exclusive, ...link.places])).toEqual([
      ["work", 80, { file: file("inline.h"), line: 2 }],
      ["work", 60, { file: file("work.c"), line: 2 }],
      ["work", 10, { file: file("work.c"), line: 5 }],
    ]);
    // Lines of inlined code are named with their file.
    const names = places.map(async ({ context }) => (await engine.describeContext({ scope, context })).path.at(-1));
    expect(await Promise.all(names)).toEqual(["line 2 of inline.h", "line 2", "line 5"]);
    for (const { context, link } of places)
      expect((await engine.link({ dataSet: scope.dataSet, target: { kind: "context", context } })).places).toEqual(
        link.places,
      );
    const [main] = (await engine.hotFunctions({ scope, by: "inclusive", limit: 1 })).map((row) => row.function);
    const link = await engine.link({ dataSet: scope.dataSet, target: { kind: "function", function: main } });
    expect(link.places).toEqual([{ file: file("main.c"), line: 2 }]);
  });

  it("keeps its total in trees and super graphs, which say that they are estimated", async () => {
    const { engine, info, scope } = await open("callgrind.out.7");
    expect(info.metrics[0].total).toBeCloseTo(165, 9);
    expect(await engine.total(scope)).toBe(165);
    const { rows } = await engine.contexts({ scope, limit: 10 });
    expect(rows.map(({ name }) => name)).toEqual(["main"]);
    expect(rows[0].inclusive).toBeCloseTo(165, 9);
    const graph = await engine.superGraph({ scope, filter: 0, groupBy: "file" });
    expect(graph.notes).toContainEqual(expect.stringContaining("estimated from a call graph"));
    // What a counter is, is said on the recording's page, not in each graph.
    expect(graph.notes).not.toContainEqual(expect.stringContaining("instructions"));
    expect(info.metrics[0].note).toBe("instructions executed");
    expect(graph.total).toBeCloseTo(165, 9);
    expect(graph.bars.map(({ id, inclusive }) => [id, Math.round(inclusive)])).toEqual([
      ["main.c", 165],
      ["work.c", 160],
    ]);
  });

  it("is combined over processes as any other value, extremes of each number by itself", async () => {
    await expect(open("two")).rejects.toThrow(/2 processes/);
    const { engine, info } = await open("two", "one-run");
    expect(info.ranks).toEqual([0, 1]);
    const inclusive = async (scope: Scope) =>
      (await engine.documentCosts({ scope, document: { file: file("main.c") } })).functions[0].inclusive;
    expect(await inclusive(scopeOf(info))).toBe(4 * 165);
    expect(await inclusive(scopeOf(info, "mean"))).toBe(2 * 165);
    expect(await inclusive(scopeOf(info, "max"))).toBe(3 * 165);
    expect(await inclusive(scopeOf(info, "min"))).toBe(165);
    expect(await inclusive(scopeOf(info, { rank: 1 }))).toBe(3 * 165);
    expect(await inclusive({ ...scopeOf(info), chosen: chosenRanks([0]) })).toBe(165);
    const { calls, functions } = await engine.documentCosts({
      scope: scopeOf(info, "max"),
      document: { file: file("main.c") },
    });
    expect(calls.map(({ inclusive: cost }) => cost)).toEqual([300, 180]);
    expect(functions[0].imbalance).toBe(1.5);
    const [line] = await engine.lineDetails({ scope: scopeOf(info), document: { file: file("work.c") }, line: 5 });
    expect(line.overRanks).toMatchObject({ minimum: 10, maximum: 30, slowest: "1" });
  });

  it("has a hot path through the estimated tree, and says so", async () => {
    const { engine, scope } = await open("callgrind.out.7");
    const path = await engine.hotPath({ scope, threshold: 0.5 });
    expect(path?.estimated).toBe(true);
    // 160 of main's 165 go to work; of these 100 to work'2, which is work.
    expect(path?.steps.slice(0, 2).map(({ name, inclusive }) => [name, inclusive])).toEqual([
      ["main", 165],
      ["work", 160],
    ]);
  });
});
