import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ArgumentError } from "../../../src/cli/arguments";
import { graphArguments, graphJson, graphTable } from "../../../src/cli/graphCommand";
import { operationArgument } from "../../../src/cli/operations";
import { localEngine } from "../../../src/engine/localEngine";
import { miniheat } from "../../recordings";
import { grammars } from "../engine/miniheat";
import { CaliWriter, rank, regions, time } from "../formats/caliper/caliWriter";

const recording = path.join(miniheat, "profiles/profile-8ranks.cali");
const source = path.join(miniheat, "src");

async function graph(...args: string[]) {
  const request = graphArguments(args, path.dirname(miniheat));
  const answer = await request.run(localEngine(grammars));
  return { json: JSON.parse(graphJson(answer)) as GraphJson, table: graphTable(answer), warnings: answer.warnings };
}

interface FirstJson {
  first: { filter: number; names: string[]; drawn: [string, string][]; why: string };
  nodes: { id: string; holds: string[]; inside: [string, number][] }[];
  edges: GraphJson["edges"];
}

interface GraphJson {
  metric: string;
  unit: string;
  over: string;
  total: number;
  hidden: number;
  filtered: { functions: number; contexts: number; exclusive: number };
  nodes: {
    id: string;
    group: string;
    inclusive: number;
    exclusive: number;
    hidden: number;
    entries: { name: string; file?: string; line?: number; places?: { file: string; line: number }[] }[];
  }[];
  edges: { source: string; target: string; inclusive: number }[];
}

describe("heatflow graph", () => {
  it("prints files relative to the parent of their source folder, and several places as a list", async () => {
    const { json } = await graph(recording, "--source", source, "--group-by", "function", "--json");
    const entry = (name: string) => json.nodes.find((node) => node.id === name)?.entries[0];
    expect(entry("main")).toMatchObject({ name: "main", file: "src/main.cpp", line: 46 });
    expect(entry("axpy")?.places).toEqual([
      { file: "src/solver.cpp", line: 32 },
      { file: "src/solver.cpp", line: 38 },
    ]);
    expect(entry("axpy")).not.toHaveProperty("file");
    expect(entry("MPI_Comm_dup")).toEqual(expect.not.objectContaining({ line: expect.anything() }));
    expect(json).toMatchObject({ metric: "time", unit: "s", over: "sum" });
  });

  it("prints the imbalance of computing first, beside that of all", async () => {
    const { table } = await graph(recording);
    expect(table.split("\n")[1]).toBe("computing 2.20×, ranks 0, 4 · all 1.01×");
  });

  it("prints the first picture, with what each bar holds and has inside", async () => {
    const { json, table } = await graph(recording, "--source", source, "--first", "--json");
    const { first, nodes, edges } = json as unknown as FirstJson;
    expect(Object.keys(first)).toEqual(["filter", "opened", "alone", "names", "drawn", "why"]);
    expect(nodes.length).toBeLessThanOrEqual(30);
    expect([...first.names].sort()).toEqual(nodes.map(({ id }) => id).sort());
    const flows = new Set(edges.map(({ source: from, target }) => `${from} -> ${target}`));
    for (const [from, target] of first.drawn) expect(flows).toContain(`${from} -> ${target}`);
    for (const { holds, inside } of nodes) expect([Array.isArray(holds), Array.isArray(inside)]).toEqual([true, true]);
    expect(table).toContain("first picture");
    expect(table).toContain(first.why);
  });

  it.each([
    ["--filter", "1"],
    ["--group-by", "file"],
    ["--op", "filter 1"],
    ["--map", "groups.json"],
    ["--query", "MATCH"],
  ])("refuses --first with %s", async (option, value) => {
    await expect(graph(recording, "--first", option, value)).rejects.toThrow(ArgumentError);
  });

  it("says what has no rank, where its mean over ranks is 0", async () => {
    const out = new CaliWriter();
    for (const [name, of, own] of [
      ["main", "0", 2],
      ["main", "1", 5],
      ["outside", undefined, 0.276],
    ] as const)
      out.snapshot([regions(name), ...(of === undefined ? [] : [[[rank, of] as const]])], [[time, own]]);
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-graph-")), "no-rank.cali");
    fs.writeFileSync(file, out.text());
    const { table } = await graph(file, "--over", "mean", "--group-by", "function");
    expect(table).toMatch(/^outside +0 +276 ms, of no rank +276 ms, of no rank *$/m);
    fs.rmSync(path.dirname(file), { recursive: true });
  });

  it("keeps both sums of a graph, whatever the filter, ranks and grouping", async () => {
    for (const options of [[], ["--filter", "5"], ["--ranks", "0,4"], ["--over", "mean"], ["--op", "group-by none"]]) {
      const { json } = await graph(recording, "--source", source, ...options);
      const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
      expect(sum(json.nodes.map((node) => node.exclusive + node.hidden)) + json.hidden).toBeCloseTo(json.total, 9);
      expect(sum(json.nodes.map((node) => node.hidden)) + json.hidden).toBeCloseTo(json.filtered.exclusive, 9);
      for (const node of json.nodes) {
        const out = json.edges.filter((edge) => edge.source === node.id).map((edge) => edge.inclusive);
        expect(node.exclusive + node.hidden + sum(out)).toBeCloseTo(node.inclusive, 9);
      }
    }
  });

  it("prints a table for people", async () => {
    const { table } = await graph(recording, "--source", source, "--filter", "1");
    expect(table).toMatch(/solver\.cpp +1 +19\.2 s +89\.2 % +2\.20 s/);
    expect(table).toMatch(/halo\.cpp -> MPI +16\.8 s/);
    expect(table).toMatch(/^time, sum over 8 ranks: 21\.5 s; /);
    expect((await graph(recording, "--source", source, "--ranks", "3")).table).toMatch(/^time, rank 3: /);
  });

  it("numbers bars of a group alike among bars and flows, and says what the number means", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-graph-"));
    const out = new CaliWriter();
    // Two paths: b calls a again.
    out.snapshot([regions("a")], [[time, 1]]);
    out.snapshot([regions("a", "b", "a")], [[time, 2]]);
    const file = path.join(folder, "again.cali");
    fs.writeFileSync(file, out.text());
    const { table } = await graph(file, "--group-by", "function");
    expect(table).toMatch(/^a#2 +2 +2\.00 s/m);
    expect(table).toMatch(/^b -> a#2 +2\.00 s/m);
    expect(table).toContain("#2, #3, …: the same group again");
    expect((await graph(recording, "--group-by", "function")).table).not.toContain("#2");
    fs.rmSync(folder, { recursive: true });
  });

  it("says nothing of ranks where there are none", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-graph-"));
    const file = path.join(folder, "callgrind.out.1");
    const head =
      "# callgrind format\nversion: 1\ncreator: callgrind-3.19\npid: 1\ncmd: ./a\npositions: line\nevents: Ir\n";
    fs.writeFileSync(file, `${head}\nfl=a.c\nfn=main\n3 100\n\ntotals: 100\n`);
    const { table } = await graph(file, "--group-by", "function");
    expect(table).toMatch(/^Ir: 100; /);
    fs.rmSync(folder, { recursive: true });
  });

  it.each([
    [[], /at least one file/],
    [["x.cali", "--over", "median"], /--over takes/],
    [["x.cali", "--ranks", "4-2"], /--ranks takes/],
    [["x.cali", "--ranks", "0-999999,1000000-1999999"], /--ranks takes/],
    [["x.cali", "--filter", "101"], /--filter takes a percentage/],
    [["x.cali", "--filter", ""], /--filter takes a percentage/],
    [["x.cali", "--group-by", "colour"], /--group-by takes one of/],
    [["x.cali", "--group-by", "map"], /needs --map/],
    [["x.cali", "--source", "does-not-exist"], /is not a folder/],
    [["x.cali", "--op", "explode"], /--op: .explode.: there is no operation/],
    [["x.cali", "--no-such-option"], /no-such-option/],
  ])("refuses wrong arguments %j", (args, message) => {
    expect(() => graphArguments(args, "/")).toThrow(ArgumentError);
    expect(() => graphArguments(args, "/")).toThrow(message);
  });

  it("says that a map is not used, where nothing is grouped by it", async () => {
    const map = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-map-")), "map.json");
    fs.writeFileSync(map, '{"all": ["*"]}');
    const unused = "--map: its groups are not used; --group-by map groups by them";
    expect((await graph(recording, "--source", source, "--map", map)).warnings).toContain(unused);
    expect((await graph(recording, "--source", source, "--map", map, "--group-by", "map")).warnings).not.toContain(
      unused,
    );
  });

  it("names the metrics and ranks that there are", async () => {
    await expect(graph(recording, "--source", source, "--metric", "bytes")).rejects.toThrow(/there is time/);
    await expect(graph(recording, "--source", source, "--ranks", "9")).rejects.toThrow(
      /has no rank 9; it has 8, from 0 to 7/,
    );
  });
});

describe("recordings of threads and without files", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-graph-"));
  const part = (thread: number, cost: number) =>
    `# callgrind format\nversion: 1\ncreator: callgrind-3.19\npid: 1\ncmd: ./a\npart: 1\nthread: ${thread}\npositions: line\nevents: Ir\n\nfl=a.c\nfn=work\n1 ${cost}\n`;
  const files = [1, 2, 3].map((thread) => {
    const file = path.join(folder, `callgrind.out.1-0${thread}`);
    fs.writeFileSync(file, part(thread, 10 ** thread));
    return file;
  });

  it("can be restricted to threads, where there are no ranks", async () => {
    expect((await graph(...files, "--threads", "1,3")).json.total).toBe(1010);
    await expect(graph(...files, "--ranks", "1")).rejects.toThrow(
      "callgrind.out.1-0* has no ranks, but threads: --threads restricts to some of 1–3",
    );
    await expect(graph(...files, "--threads", "4")).rejects.toThrow("--threads: there is no thread '4'; there are 1–3");
    expect(() => graphArguments(["a", "--ranks", "1", "--threads", "1"], "/")).toThrow(/not both/);
  });

  it("are grouped by function where files are not known, which is said", async () => {
    const file = path.join(folder, "trace.json");
    const event = (name: string, ts: number, dur: number) => ({ ph: "X", name, pid: 1, tid: 1, ts, dur });
    fs.writeFileSync(file, JSON.stringify([event("outer", 0, 10), event("inner", 2, 5)]));
    const answer = await graphArguments([file], folder).run(localEngine(grammars));
    expect(answer.graph.bars.map(({ id }) => id)).toEqual(["outer", "inner"]);
    expect(answer.warnings.join("\n")).toMatch(/Grouped by function: the source file is not known for 100 %/);
    const asked = await graphArguments([file, "--group-by", "file"], folder).run(localEngine(grammars));
    expect(asked.graph.bars.map(({ id }) => id)).toEqual(["not known"]);
  });
});

describe("operations", () => {
  it("are read as a user writes them", () => {
    expect(operationArgument(" filter  0.5 ")).toEqual({ kind: "filter", percent: 0.5 });
    expect(operationArgument('group-by "function"')).toEqual({ kind: "group-by", groupBy: "function" });
    expect(() => operationArgument("filter 0.5 0.6")).toThrow(ArgumentError);
    expect(() => operationArgument('group-by "file')).toThrow(/cannot be read|expected/);
  });
});
