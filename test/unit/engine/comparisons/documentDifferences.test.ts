import fc from "fast-check";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DataSetInfo, Engine, Scope } from "../../../../src/engine/api";
import { documentDifferences } from "../../../../src/engine/comparisons/documentDifferences";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { EngineState } from "../../../../src/engine/engineState";
import { localEngine } from "../../../../src/engine/localEngine";
import type { Frame } from "../../../../src/model/frames";
import { quietTask } from "../../../../src/model/task";
import { miniheat } from "../../../recordings";
import { casesOf } from "../../randomCases";
import { CaliWriter, rank, regions, time } from "../../formats/caliper/caliWriter";
import { grammars } from "../miniheat";
import { type Cost, recordingOf } from "../recordings";

const scopeOf = ({ id, defaultMetric }: DataSetInfo): Scope => ({ dataSet: id, metric: defaultMetric, over: "mean" });

describe("differences of a document in two runs of the sample program", () => {
  const document = { file: path.join(miniheat, "src/physics.cpp") };
  let engine: Engine;
  let scopes: Scope[];
  beforeAll(async () => {
    engine = localEngine(grammars);
    await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
    scopes = [];
    for (const run of ["np8-r1", "np8-r2"]) {
      const [info] = await engine.open({ paths: [path.join(miniheat, `profiles/ensemble/${run}.cali`)] });
      scopes.push(scopeOf(info));
    }
  });
  const differences = (baseline: Scope, candidate: Scope) =>
    engine.documentDifferences({ pair: { baseline, candidate }, document });

  it("are what each run's lines and functions cost, one beside the other", async () => {
    const [before, after] = await Promise.all(scopes.map((scope) => engine.documentCosts({ scope, document })));
    const found = await differences(scopes[0], scopes[1]);
    expect(found.functionsOnly).toBeUndefined();
    const sum = (costs: typeof before) => costs.lines.reduce((all, { exclusive }) => all + exclusive, 0);
    expect(found.lines.reduce((all, { baseline }) => all + (baseline ?? 0), 0)).toBeCloseTo(sum(before), 12);
    expect(found.lines.reduce((all, { candidate }) => all + (candidate ?? 0), 0)).toBeCloseTo(sum(after), 12);
    expect(found.functions.length).toBeGreaterThan(2);
    for (const { name, line, exclusive, inclusive } of found.functions) {
      const of = (costs: typeof before) => costs.functions.find((one) => one.name === name && one.line === line);
      expect([exclusive.baseline, exclusive.candidate]).toEqual([of(before)?.exclusive, of(after)?.exclusive]);
      expect([inclusive.baseline, inclusive.candidate]).toEqual([of(before)?.inclusive, of(after)?.inclusive]);
    }
  });

  it("are negated by swapping the runs, and none against itself", async () => {
    const there = await differences(scopes[0], scopes[1]);
    const back = await differences(scopes[1], scopes[0]);
    expect(back.lines.map(({ baseline, candidate }) => [candidate, baseline])).toEqual(
      there.lines.map(({ baseline, candidate }) => [baseline, candidate]),
    );
    const same = await differences(scopes[0], scopes[0]);
    expect([...same.lines, ...same.functions].every(({ share }) => share === 0)).toBe(true);
  });

  it("of contexts are those of the contexts of one path", async () => {
    const pair = { baseline: scopes[0], candidate: scopes[1] };
    const inclusives = await Promise.all(
      scopes.map(async (scope) => (await engine.contexts({ scope, limit: 100 })).rows),
    );
    const contexts = inclusives[1].map(({ context }) => context);
    const compared = await engine.contextDifferences({ ...pair, of: { dataSet: scopes[1].dataSet }, contexts });
    expect(compared).toEqual(
      inclusives[1].map(({ name, inclusive }) => ({
        baseline: inclusives[0].find((row) => row.name === name)?.inclusive ?? null,
        candidate: inclusive,
      })),
    );
  });
});

it("differences of contexts say what has no rank, on either side", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-no-rank-"));
  const engine = localEngine(grammars);
  const scopes: Scope[] = [];
  for (const [name, ofNoRank] of [
    ["a.cali", 0.276],
    ["b.cali", 0.14],
  ] as const) {
    const out = new CaliWriter();
    for (const number of ["0", "1"]) out.snapshot([regions("main"), [[rank, number]]], [[time, 2]]);
    out.snapshot([regions("MPI_Init")], [[time, ofNoRank]]);
    const file = path.join(folder, name);
    fs.writeFileSync(file, out.text());
    const [info] = await engine.open({ paths: [file] });
    scopes.push({ dataSet: info.id, metric: info.defaultMetric, over: "mean" });
  }
  const { rows } = await engine.contexts({ scope: scopes[1], limit: 10 });
  const contexts = rows.map(({ context }) => context);
  const pair = { baseline: scopes[0], candidate: scopes[1], of: { dataSet: scopes[1].dataSet } };
  const none = { baseline: 0, candidate: 0, baselineNoRank: 0.276, candidateNoRank: 0.14 };
  const byName = new Map(rows.map(({ name }, at) => [name, at]));
  const values = await engine.contextDifferences({ ...pair, contexts });
  expect(values[byName.get("MPI_Init") ?? -1]).toEqual(none);
  expect(values[byName.get("main") ?? -1]).toEqual({ baseline: 2, candidate: 2 });
  const functions = await engine.hotFunctions({ scope: scopes[1], by: "exclusive", limit: 10 });
  const callers = functions.map((row) => row.function);
  const ofFunctions = await engine.callerDifferences({ ...pair, path: [], callers });
  expect(ofFunctions[functions.findIndex(({ name }) => name === "MPI_Init")]).toEqual(none);
  fs.rmSync(folder, { recursive: true });
});

describe("builds that lie in folders of their own", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-folders-"));
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const text =
    "int work(int n) {\n  int s = 0;\n  while (n--) s += n;\n  return s;\n}\nint main() { return work(9); }\n";

  /** A callgrind profile of a source file. @param lines of `work`, with their costs */
  function build(name: string, source: string, lines: readonly (readonly [number, number])[]): string {
    const file = path.join(folder, name, "work.c");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, source);
    const out = path.join(folder, `callgrind.${name}`);
    const costs = lines.map(([line, cost]) => `${line} ${cost}`).join("\n");
    const total = lines.reduce((sum, [, cost]) => sum + cost, 5);
    fs.writeFileSync(
      out,
      `version: 1\npositions: line\nevents: Ir\nfl=${file}\nfn=main\n6 5\ncfn=work\ncalls=1 1\n6 ${total - 5}\n\nfn=work\n${costs}\n\ntotals: ${total}\n`,
    );
    return out;
  }

  async function compared(before: string, after: string, source = folder) {
    const engine = localEngine(grammars);
    await engine.configure({ folders: [source], sourceMap: {} });
    const scopes: Scope[] = [];
    for (const file of [before, after]) scopes.push(scopeOf((await engine.open({ paths: [file] }))[0]));
    const document = { file: path.join(folder, "new/work.c") };
    return engine.documentDifferences({ pair: { baseline: scopes[0], candidate: scopes[1] }, document });
  }

  it("are compared line by line where the text is the same", async () => {
    const { lines, functionsOnly } = await compared(
      build("old", text, [
        [2, 1],
        [3, 100],
      ]),
      build("new", text, [
        [3, 130],
        [4, 1],
      ]),
    );
    expect(functionsOnly).toBeUndefined();
    expect(lines.map(({ line, baseline, candidate }) => [line, baseline, candidate])).toEqual([
      [2, 1, null],
      [3, 100, 130],
      [4, null, 1],
      [6, 5, 5],
    ]);
  });

  it("are compared function by function where it is another one, which is said", async () => {
    const { lines, functions, functionsOnly } = await compared(
      build("old", `// older\n${text}`, [[4, 100]]),
      build("new", text, [[3, 130]]),
    );
    expect(functionsOnly).toContain(path.join(folder, "old/work.c"));
    const work = functions.find(({ name }) => name === "work");
    expect(work).toMatchObject({ line: 1, exclusive: { baseline: 100, candidate: 130 } });
    expect(lines.find(({ line }) => line === 1)).toMatchObject({ baseline: 100, candidate: 130 });
    expect(lines.some(({ line }) => line === 3)).toBe(false);
  });

  it("are compared function by function where the other build's source is not here", async () => {
    const { functions, functionsOnly } = await compared(
      build("old", text, [[3, 100]]),
      build("new", text, [[3, 130]]),
      path.join(folder, "new"),
    );
    expect(functionsOnly).toContain(`${path.join(folder, "old/work.c")}, which is not here`);
    expect(functions.find(({ name }) => name === "work")).toMatchObject({
      exclusive: { baseline: 100, candidate: 130 },
    });
  });
});

/** A region of Caliper that begins on these lines costs so much there. */
type SecondsByLine = Readonly<Record<number, number>>;

describe("a function that stands on several lines", () => {
  const file = "/src/loops.c";
  const document = { file };

  /** What the engine finds of `compute`, without looking at any source. */
  async function computed(before: SecondsByLine, after: SecondsByLine, elsewhere: readonly number[] = [0, 0]) {
    const state = new EngineState(grammars);
    const open = [before, after].map((seconds, at) => {
      const paths = Object.entries(seconds).map(([line, own]): Cost => [[placedAt(Number(line))], 0, own]);
      const other: Cost[] = elsewhere[at] > 0 ? [[[placedAt(0)], 0, elsewhere[at]]] : [];
      return new OpenDataSet(at + 1, recordingOf([...paths, ...other, [["main"], 0, 1]]), 0);
    });
    state.get = (dataSet) => ({ open: open[dataSet - 1] }) as ReturnType<EngineState["get"]>;
    state.links.placedIn = (of) => Promise.resolve(placedIn(of));
    const [baseline, candidate] = open.map(({ id }): Scope => ({ dataSet: id, metric: 0, over: "sum" }));
    const found = await documentDifferences(state, { baseline, candidate }, document, quietTask);
    return found.functions.map(({ line, side, exclusive }) => [line, side, exclusive.baseline, exclusive.candidate]);
  }

  const placedAt = (line: number): Frame => ({ name: "compute", kind: "region", line });

  /** Contexts of `compute` on their lines, but for line 0, which is elsewhere. */
  function placedIn({ dataSet: { tree, frames } }: OpenDataSet) {
    const contexts = [...tree.frame.keys()].filter((context) => frames.line[tree.frame[context]] > 0);
    const here = contexts.map((context) => {
      const line = frames.line[tree.frame[context]];
      const link = { places: [{ file, line }], rule: "region-begin" as const, reason: "", considered: [] };
      return { line, link, contexts: Int32Array.of(context) };
    });
    return { here, calls: [], drift: { newerThanRecording: false, lostLines: 0, movedLines: 0 } };
  }

  it("has on each line what either run has there, in both directions", async () => {
    expect(await computed({ 4: 6 }, { 4: 5, 9: 3 })).toEqual([
      [4, "candidate", 6, 5],
      [9, "candidate", null, 3],
    ]);
    expect(await computed({ 4: 5, 9: 3 }, { 4: 6 })).toEqual([
      [4, "candidate", 5, 6],
      [9, "baseline", 3, null],
    ]);
  });

  it("is compared as a whole where one run has it elsewhere", async () => {
    expect(await computed({}, { 4: 5, 9: 3 }, [7, 0])).toEqual([[4, "candidate", 7, 8]]);
    expect(await computed({ 4: 5 }, {}, [0, 7])).toEqual([[4, "baseline", 5, 7]]);
  });

  it("adds up to what both runs have here, whatever lines these are", async () => {
    const seconds = fc.dictionary(fc.integer({ min: 2, max: 5 }).map(String), fc.integer({ min: 1, max: 9 }));
    const sum = (values: readonly (number | null)[]) => values.reduce<number>((all, value) => all + (value ?? 0), 0);
    await fc.assert(
      fc.asyncProperty(seconds, seconds, async (before, after) => {
        const rows = await computed(before, after);
        const lines = [...new Set([...Object.keys(before), ...Object.keys(after)])].map(Number).sort();
        expect(rows.map(([line]) => line)).toEqual(lines);
        for (const [line, , had, has] of rows)
          expect([had, has]).toEqual([before[line ?? 0] ?? null, after[line ?? 0] ?? null]);
        expect(sum(rows.map(([, , , has]) => Number(has)))).toBe(sum(Object.values(after)));
      }),
      { numRuns: casesOf(200) },
    );
  });
});

describe("functions whose inclusive is only bounded", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bounds-"));
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, "both.c");

  /** Two functions that call each other, without levels of recursion: nothing says how much of a call is in another one. */
  function recorded(name: string, cost: number): string {
    const out = path.join(folder, `callgrind.${name}`);
    const call = (line: number, callee: string, calls: number, inclusive: number) =>
      `cfn=${callee}\ncalls=${calls} 1\n${line} ${inclusive}\n`;
    fs.writeFileSync(
      out,
      `version: 1\npositions: line\nevents: Ir\nfl=${file}\nfn=main\n9 5\n${call(9, "even", 1, 2 * cost)}\nfn=even\n1 ${cost}\n${call(1, "odd", 3, 3 * cost)}\nfn=odd\n5 ${cost}\n${call(5, "even", 2, 2 * cost)}\ntotals: ${2 * cost + 5}\n`,
    );
    return out;
  }

  it("keep the bounds of both runs", async () => {
    fs.writeFileSync(file, "int even(int n) {\n return n;\n}\n\nint odd(int n) {\n return n;\n}\n\nint main() { }\n");
    const engine = localEngine(grammars);
    await engine.configure({ folders: [folder], sourceMap: {} });
    const scopes: Scope[] = [];
    for (const [name, cost] of [["a", 1000] as const, ["b", 1300] as const])
      scopes.push(scopeOf((await engine.open({ paths: [recorded(name, cost)] }))[0]));
    const [baseline, candidate] = scopes;
    const costs = await engine.documentCosts({ scope: candidate, document: { file } });
    const bounded = costs.functions.filter(({ atMost }) => atMost).map(({ name }) => name);
    expect(bounded).not.toEqual([]);
    const { functions } = await engine.documentDifferences({ pair: { baseline, candidate }, document: { file } });
    for (const { name, bounds } of functions)
      expect(bounds, name).toEqual(bounded.includes(name) ? ["baseline", "candidate"] : undefined);
  });
});

describe("a file that was edited between two recordings", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-edited-"));
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, "work.c");
  const source = (loop: string) =>
    `int work(int n) {\n  int s = 0;\n${loop}\n  return s;\n}\nint main() { return work(9); }\n`;

  function recorded(name: string, cost: number): string {
    const out = path.join(folder, `callgrind.${name}`);
    const calls = `6 5\ncfn=work\ncalls=1 1\n6 ${cost + 1}`;
    fs.writeFileSync(
      out,
      `version: 1\npositions: line\nevents: Ir\nfl=${file}\nfn=main\n${calls}\n\nfn=work\n3 ${cost}\n4 1\n\ntotals: ${cost + 6}\n`,
    );
    return out;
  }

  /** Recorded, opened and looked at, edited, recorded and opened again. */
  async function compared(before: string, after: string) {
    const engine = localEngine(grammars);
    await engine.configure({
      folders: [folder],
      sourceMap: {},
      storage: fs.mkdtempSync(path.join(folder, "storage-")),
    });
    const scopes: Scope[] = [];
    for (const [at, text] of [source(before), source(after)].entries()) {
      fs.writeFileSync(file, text);
      // Written an hour before it is recorded: clocks of files are coarse.
      const anHourAgo = new Date(Date.now() - 3_600_000);
      fs.utimesSync(file, anHourAgo, anHourAgo);
      scopes.push(scopeOf((await engine.open({ paths: [recorded(`${at}`, 1000 - 100 * at)] }))[0]));
      await engine.documentCosts({ scope: scopes[at], document: { file } });
    }
    return engine.documentDifferences({ pair: { baseline: scopes[0], candidate: scopes[1] }, document: { file } });
  }

  it("is compared function by function, which is said: no line that was edited counts as new", async () => {
    const { lines, functions, functionsOnly } = await compared("  while (n--) s += n;", "  while (n-- > 0) s += n;");
    expect(functionsOnly).toBe("This file was changed between the two recordings.");
    expect(lines.map(({ line, baseline, candidate }) => [line, baseline, candidate])).toEqual([
      [1, 1001, 901],
      [6, 5, 5],
    ]);
    expect(functions.find(({ name }) => name === "work")?.exclusive).toEqual({ baseline: 1001, candidate: 901 });
  });

  it("is compared line by line where the text is the same", async () => {
    const { lines, functionsOnly } = await compared("  while (n--) s += n;", "  while (n--) s += n;");
    expect(functionsOnly).toBeUndefined();
    expect(lines.find(({ line }) => line === 3)).toMatchObject({ baseline: 1000, candidate: 900 });
  });
});
