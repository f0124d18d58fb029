import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DataSetInfo, Engine, Scope } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { miniheat } from "../../../recordings";
import { grammars } from "../miniheat";

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
