/** Two sets of runs of an ensemble in editor and trees: against each run opened by itself. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallerRow, ContextRow, DocumentCosts, Engine, FunctionRow, Scope } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { comparedPair } from "../../../../src/session/comparedScopes";
import type { Session } from "../../../../src/session/session";
import { miniheat } from "../../../recordings";
import { measuredHistory } from "../history/measuredHistory";
import { CaliWriter, rank, regions, time } from "../../formats/caliper/caliWriter";
import { grammars } from "../miniheat";

const recorded = path.join(miniheat, "profiles/ensemble");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-compared-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const source = path.join(miniheat, "src");
const names = fs
  .readdirSync(recorded)
  .map((file) => path.basename(file, ".cali"))
  .sort();
/** The baseline has a function under another name: only the candidate has it. */
const RENAMED = ["reactionSource", "reactionSauce"] as const;
const [before, after] = [["np1-r1", "np1-r2", "np1-r3"], names.filter((name) => !name.startsWith("np1-")).slice(0, 5)];

interface Alone {
  readonly documents: ReadonlyMap<string, DocumentCosts>;
  readonly functions: readonly FunctionRow[];
  readonly roots: readonly ContextRow[];
  /** Exclusive of chains of a function and its caller, by their names; of a function alone, too. */
  readonly chains: ReadonlyMap<string, number>;
}

const documents = ["solver.cpp", "halo.cpp", "physics.cpp"].map((name) => path.join(source, name));
const alone = new Map<string, Alone>();
let engine: Engine;
let session: Session;

async function engineHere(): Promise<Engine> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [source], sourceMap: {} });
  return engine;
}

/** As a window has it where a panel compares runs. */
const comparing = (baseline: readonly string[], candidate: readonly string[]): Session =>
  ({
    ...session,
    ensembleDifference: {
      dataSet: session.current?.id,
      baseline: { name: "one rank", runs: baseline },
      candidate: { name: "more", runs: candidate },
    },
  }) as Session;

beforeAll(async () => {
  for (const name of names) {
    const text = fs.readFileSync(path.join(recorded, `${name}.cali`), "utf8");
    const own = before.includes(name) ? text.replaceAll(...RENAMED) : text;
    fs.writeFileSync(path.join(folder, `${name}.cali`), own);
  }
  for (const name of [...before, ...after]) {
    const engine = await engineHere();
    const [{ id, defaultMetric }] = await engine.open({ paths: [path.join(folder, `${name}.cali`)] });
    const scope: Scope = { dataSet: id, metric: defaultMetric, over: "mean" };
    const costs = new Map<string, DocumentCosts>();
    for (const file of documents)
      costs.set(file, await engine.documentCosts({ scope, document: { file, text: undefined } }));
    const functions = await engine.hotFunctions({ scope, by: "exclusive", limit: 1000 });
    const { rows } = await engine.contexts({ scope, limit: 1000 });
    const chains = new Map<string, number>();
    await eachChain(engine, scope, (names, row) => chains.set(names, row.exclusive));
    alone.set(name, { documents: costs, functions, roots: rows, chains });
  }
  engine = await engineHere();
  const [info] = await engine.open({ paths: [folder], ensemble: {} });
  const scope: Scope = { dataSet: info.id, metric: info.defaultMetric, over: "mean" };
  session = { dataSets: [info], current: info, renamed: [], scope: () => scope } as unknown as Session;
}, 60_000);

/** Every function, and every function with each of its callers: `callee < caller`. */
async function eachChain(
  engine: Engine,
  scope: Scope,
  visit: (names: string, row: CallerRow, path: readonly number[]) => void,
): Promise<void> {
  const { rows } = await engine.callers({ scope, path: [], limit: 1000 });
  for (const row of rows) {
    visit(row.name, row, []);
    const { rows: further } = await engine.callers({ scope, path: row.path, limit: 1000 });
    for (const caller of further) visit(`${row.name} < ${caller.name}`, caller, row.path);
  }
}

/** The mean of a set, in which a run without it counts as 0; null where none has it. */
function meanOf(set: readonly string[], valueOf: (run: Alone) => number | undefined): number | null {
  const values = set.map((name) => valueOf(alone.get(name)!));
  if (values.every((value) => value === undefined)) return null;
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / set.length;
}

function expectBoth(
  found: { readonly baseline: number | null; readonly candidate: number | null },
  valueOf: (run: Alone) => number | undefined,
  what: string,
): void {
  for (const [side, set] of [["baseline", before] as const, ["candidate", after] as const]) {
    const expected = meanOf(set, valueOf);
    if (expected === null) expect(found[side], `${what} ${side}`).toBeNull();
    else expect(found[side], `${what} ${side}`).toBeCloseTo(expected, 9);
  }
}

describe("two sets of runs", () => {
  const pairHere = () => {
    const pair = comparedPair(comparing(before, after));
    if (!pair) throw new Error("nothing is compared");
    return pair;
  };

  it("have on lines and functions of a document the means of what each run has by itself", async () => {
    let gone = 0;
    for (const file of documents) {
      const found = await engine.documentDifferences({ pair: pairHere(), document: { file, text: undefined } });
      expect(found.functionsOnly).toBeUndefined();
      const costsOf = (run: Alone) => run.documents.get(file)!;
      const lines = new Set([...alone.values()].flatMap((run) => costsOf(run).lines.map(({ line }) => line)));
      expect(new Set(found.lines.map(({ line }) => line))).toEqual(lines);
      for (const one of found.lines)
        expectBoth(
          one,
          (run) => costsOf(run).lines.find(({ line, oneOf }) => line === one.line && oneOf === one.oneOf)?.exclusive,
          `${file}:${one.line}`,
        );
      for (const one of found.functions) {
        const of = (run: Alone) =>
          costsOf(run).functions.find(({ name, line }) => name === one.name && line === one.line);
        expectBoth(one.exclusive, (run) => of(run)?.exclusive, one.name);
        expectBoth(one.inclusive, (run) => of(run)?.inclusive, one.name);
        const having = (set: readonly string[]) => set.filter((name) => of(alone.get(name)!)).length;
        expect(one.sets).toEqual({
          baseline: { having: having(before), of: 3 },
          candidate: { having: having(after), of: 5 },
        });
        gone += Number(one.exclusive.baseline === null);
      }
    }
    expect(gone).toBeGreaterThan(0);
  });

  it("have in Hot Functions and Calling Contexts what each run has by itself", async () => {
    const { baseline, candidate } = pairHere();
    const sides = { baseline: [baseline], candidate: [candidate] };
    const { rows } = await engine.comparison({ ...sides, value: "exclusive", limit: 1000, linked: 0 });
    expect(new Set(rows.map(({ name }) => name))).toEqual(
      new Set([...alone.values()].flatMap(({ functions }) => functions.map(({ name }) => name))),
    );
    for (const row of rows)
      expectBoth(row, ({ functions }) => functions.find(({ name }) => name === row.name)?.exclusive, row.name);
    const of = baseline;
    const { rows: roots } = await engine.contexts({ scope: session.scope()!, limit: 1000 });
    const contexts = roots.map(({ context }) => context);
    const found = await engine.contextDifferences({ ...pairHere(), of, contexts });
    roots.forEach(({ name }, at) =>
      expectBoth(found[at], (run) => run.roots.find((root) => root.name === name)?.inclusive, name),
    );
  });

  it("have along chains of callers what each run has by itself, and none where no run of a side has the chain", async () => {
    const { baseline: of } = pairHere();
    const chains: { names: string; path: readonly number[]; caller: number }[] = [];
    await eachChain(engine, session.scope()!, (names, row, path) =>
      chains.push({ names, path, caller: row.path[row.path.length - 1] }),
    );
    let lacking = 0;
    for (const { names, path, caller } of chains) {
      const [found] = await engine.callerDifferences({ ...pairHere(), of, path, callers: [caller] });
      expectBoth(found, (run) => run.chains.get(names), names);
      lacking += Number(found.baseline === null || found.candidate === null);
    }
    expect(lacking).toBeGreaterThan(2);
  });

  it("of four or more runs each have the significance that the panel's table has", async () => {
    const [few, many] = [names.slice(0, 6), names.slice(6)];
    const pair = comparedPair(comparing(few, many));
    if (!pair) throw new Error("nothing is compared");
    const numbers = (set: readonly string[]) => set.map((name) => names.indexOf(name));
    const scope = { dataSet: pair.baseline.dataSet, metric: pair.baseline.metric, over: "mean" } as const;
    const sets = { baseline: numbers(few), candidate: numbers(many) };
    const { rows } = await engine.ensembleDifferences({ scope, value: "exclusive", linked: 0, ...sets });
    const file = path.join(source, "solver.cpp");
    const { functions } = await engine.documentDifferences({ pair, document: { file, text: undefined } });
    expect(functions.length).toBeGreaterThan(0);
    for (const { name, sets, exclusive } of functions) {
      const row = rows.find((one) => one.name === name);
      expect(sets?.significance).toEqual({ p: row?.p, slowerIn: row?.slowerIn, of: many.length });
      expect(exclusive.candidate).toBeCloseTo(row?.candidate ?? NaN, 9);
    }
  });
});

it("of a chain that no run of a side has, though that has its functions, the side has none, not 0", async () => {
  const chains = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-chains-"));
  try {
    for (const [name, caller] of [
      ["a1", "first"],
      ["a2", "first"],
      ["b1", "second"],
    ]) {
      const out = new CaliWriter();
      for (const [names, seconds] of [
        [["main", "first"], 1],
        [["main", "second"], 2],
        [["main", caller, "work"], 3],
      ] as const)
        out.snapshot([regions(...names), [[rank, "0"]]], [[time, seconds]]);
      fs.writeFileSync(path.join(chains, `${name}.cali`), out.text());
    }
    const engine = await engineHere();
    const [{ id, defaultMetric, ensemble }] = await engine.open({ paths: [chains], ensemble: {} });
    const all: Scope = { dataSet: id, metric: defaultMetric, over: "mean" };
    const side = (...runs: string[]): Scope => ({
      ...all,
      chosen: { by: "run", members: runs.map((run) => `${ensemble?.names.indexOf(run)}`) },
    });
    const pair = { baseline: side("a1", "a2"), candidate: side("b1"), of: { dataSet: id } };
    const found = new Map<string, unknown>();
    const asked: (readonly [names: string, path: readonly number[], caller: number])[] = [];
    await eachChain(engine, all, (names, row, path) => asked.push([names, path, row.path[row.path.length - 1]]));
    for (const [names, path, caller] of asked)
      found.set(names, (await engine.callerDifferences({ ...pair, path, callers: [caller] }))[0]);
    expect(found.get("work < first")).toEqual({ baseline: 3, candidate: null });
    expect(found.get("work < second")).toEqual({ baseline: null, candidate: 3 });
    expect(found.get("work")).toEqual({ baseline: 3, candidate: 3 });
    expect(found.get("second < main")).toEqual({ baseline: 2, candidate: 2 });
  } finally {
    fs.rmSync(chains, { recursive: true });
  }
});

describe("runs of several commits", () => {
  it("are compared by function where git says that the file differs in them, or nothing says that it does not, which is said", async () => {
    const repository = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-commits-"));
    try {
      const { manifest, source: file } = measuredHistory(repository);
      const engine = localEngine(grammars);
      await engine.configure({ folders: [repository], sourceMap: {} });
      const [{ id, defaultMetric, ensemble }] = await engine.open({
        paths: [manifest],
        ensemble: {},
        answer: "separate",
      });
      const side = (commit: string): Scope => {
        const members = [0, 1, 2, 3].map((run) => `${ensemble?.names.indexOf(`${commit}${run}`)}`);
        return { dataSet: id, metric: defaultMetric, over: "mean", chosen: { by: "run", members } };
      };
      const why = async (baseline: string, candidate: string, folders: readonly string[]) => {
        const pair = { baseline: side(baseline), candidate: side(candidate) };
        return (await engine.documentDifferences({ pair, document: { file, text: undefined }, folders })).functionsOnly;
      };
      // Runs of the commits are called d, b, c and a, the oldest first; each changes the file.
      expect(await why("d", "c", [repository])).toMatch(
        /^This file is not the same in the commits \w+, \w+ of these runs\.$/,
      );
      expect(await why("d", "c", [])).toMatch(
        /^These runs are of the commits .*, and nothing says that this file is the same in them\.$/,
      );
      expect(await why("d", "d", [])).toBeUndefined();
    } finally {
      fs.rmSync(repository, { recursive: true });
    }
  }, 60_000);
});
