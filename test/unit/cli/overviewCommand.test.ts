import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hierarchyOfFile } from "../../../src/engine/overview/hierarchyText";
import { overviewArguments } from "../../../src/cli/overviewCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { grammars } from "../engine/miniheat";
import { ArgumentError } from "./commands";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-overview-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
}

async function overview(...args: string[]): Promise<string> {
  const request = overviewArguments([...args], folder);
  return request.text(await request.run(localEngine(grammars)));
}

/** Four threads; the second one waits while the others compute. */
const trace = written(
  "two-hosts.json",
  JSON.stringify(
    [0, 1, 2, 3].flatMap((tid) => [
      { ph: "X", name: "compute", pid: 1, tid, ts: 0, dur: 4_000_000 },
      { ph: "X", name: tid === 1 ? "MPI_Wait" : "compute", pid: 1, tid, ts: 4_000_000, dur: 2_000_000 },
      { ph: "X", name: "compute", pid: 1, tid, ts: 6_000_000, dur: 2_000_000 },
    ]),
  ),
);

const modelText = JSON.stringify({ values: [[[50, 100, 0, 200, 5]]], parents: [-1] });

describe("heatflow overview", () => {
  it("prints partitions by strength, and who is unlike the rest, when, and how", async () => {
    const text = await overview(trace, "--slices", "8", "--group", "every 2: host");
    expect(text).toMatch(/^0 – 8\.\d* s in 8 slices, 4 resources, spatiotemporal\n/);
    expect(text).toMatch(
      /4\.0 – 6\.0 s: 1 resource \(thread 1\) is mostly in MPI_Wait \(100 %\), the others in compute \(100 %\)/,
    );
  });

  it("has all of it as JSON: parts are of nodes, with the state that they are mostly in", async () => {
    const answer = JSON.parse(await overview(trace, "--slices", "4", "--hierarchy", hosts(), "--json"));
    expect(answer).toMatchObject({
      kind: "spatiotemporal",
      normalize: false,
      threshold: 0.001,
      from: 0,
      to: 8,
      slices: 4,
      metric: "duration",
      states: ["compute", "MPI_Wait"],
      uncovered: 0,
      nodes: [
        { name: "thread 0" },
        { name: "thread 1" },
        { name: "thread 2" },
        { name: "thread 3" },
        { name: "all", parent: -1 },
        { name: "east" },
        { name: "west" },
      ],
    });
    const [first] = answer.partitions;
    expect(first).toMatchObject({ p: 0, loss: 0 });
    expect(first.parts).toContainEqual({ node: 1, start: 2, end: 2, mode: 1, share: 1 });
    expect(answer.partitions.at(-1).parts).toEqual([{ node: 4, start: 0, end: 3, mode: 0, share: 30 / 32 }]);
    expect(answer.unlike[0]).toMatchObject({ from: 4, to: 6, leaves: [1] });
  });

  it("adds with --first what a panel starts with, and says it in the table", async () => {
    // 32 threads, of which two groups of eight wait from 2 to 3 s.
    const many = written(
      "groups.json",
      JSON.stringify(
        Array.from({ length: 32 }, (_, tid) => {
          const name = [1, 2].includes(Math.floor(tid / 8)) ? "MPI_Wait" : "compute";
          return [
            { ph: "X", name: "compute", pid: 1, tid, ts: 0, dur: 2_000_000 },
            { ph: "X", name, pid: 1, tid, ts: 2_000_000, dur: 1_000_000 },
            { ph: "X", name: "compute", pid: 1, tid, ts: 3_000_000, dur: 1_000_000 },
          ];
        }).flat(),
      ),
    );
    const { first, partitions, unlike, nodes } = JSON.parse(await overview(many, "--slices", "4", "--first", "--json"));
    expect(first).toMatchObject({ hierarchy: "every 8", found: true });
    const largest = Math.max(...partitions.map(({ loss }: { loss: number }) => loss));
    const shown = partitions.find(({ p }: { p: number }) => p === first.p);
    expect([first.parts, first.loss]).toEqual([shown.parts.length, shown.loss / largest]);
    expect(first.loss).toBeLessThanOrEqual(0.15);
    expect(nodes.slice(32).map(({ name }: { name: string }) => name)).toEqual([
      "all",
      "group 0",
      "group 1",
      "group 2",
      "group 3",
    ]);
    expect(unlike[0]).toMatchObject({
      from: 2,
      to: 3,
      leaves: Array.from({ length: 16 }, (_, at) => 8 + at),
      strength: 1,
      text: "2.0 – 3.0 s: groups 1, 2 of 4 are 100 % in MPI_Wait, the others 0 %",
    });
    expect(JSON.parse(await overview(many, "--slices", "4", "--json"))).not.toHaveProperty("first");
    const table = await overview(many, "--slices", "4", "--first");
    expect(table).toMatch(/\nat first \d+ parts \(p 0\.\d+, [\d.]+ % lost\), groups of 8, found in the data\n/);
    expect(await overview(trace, "--first")).toMatch(/ lost\), resources as recorded\n/);
  });

  it("starts a trace without states with the variable that most resources have, of equal ones the first by name", async () => {
    const counter = (name: string, pid: number, ts: number, value: number) => ({
      ph: "C",
      name,
      pid,
      ts,
      args: { value },
    });
    const counters = (...of: readonly (readonly [name: string, processes: number])[]) =>
      of.flatMap(([name, processes]) =>
        Array.from({ length: processes }, (_, pid) => [counter(name, pid, 0, 1), counter(name, pid, 8e6, 2)]).flat(),
      );
    const answer = async (name: string, events: readonly object[], ...options: readonly string[]) =>
      JSON.parse(await overview(written(name, JSON.stringify(events)), "--first", "--json", ...options));
    expect((await answer("most.json", counters(["a", 1], ["c", 3], ["b", 2]))).metric).toMatch(/^variable=c/);
    expect((await answer("equal.json", counters(["z", 2], ["y", 2], ["a", 1]))).metric).toMatch(/^variable=y/);
    const chosen = await answer("chosen.json", counters(["a", 1], ["c", 3]), "--metric", "variable=a");
    expect(chosen.metric).toBe("variable=a");
    const states = { ph: "X", name: "compute", pid: 0, tid: 0, ts: 0, dur: 8e6 };
    expect((await answer("states.json", [states, ...counters(["a", 1])])).metric).toBe("duration");
    await expect(answer("chosen.json", counters(["a", 1]), "--metric", "duration")).rejects.toThrow("no events");
  });

  it.each([
    [["--model", "model.json"], "--first applies to DATA only"],
    [["trace.json", "--group", "every 2: host"], "--first and --group both choose"],
    [["trace.json", "--hierarchy", "hosts.txt"], "--first and --hierarchy both choose"],
  ])("refuses --first where resources are grouped: %j", async (options, message) => {
    written("model.json", modelText);
    await expect(overview(...options, "--first")).rejects.toThrow(message);
    await expect(overview(...options, "--first")).rejects.toBeInstanceOf(ArgumentError);
  });

  it("aggregates time or resources alone", async () => {
    const temporal = JSON.parse(await overview(trace, "--slices", "4", "--kind", "temporal", "--json"));
    expect(temporal.partitions[0].parts.map(({ start, end }: { start: number; end: number }) => [start, end])).toEqual([
      [0, 1],
      [2, 2],
      [3, 3],
    ]);
    const hierarchical = JSON.parse(await overview(trace, "--kind", "hierarchical", "--hierarchy", hosts(), "--json"));
    expect(hierarchical.partitions[0].parts.map(({ node }: { node: number }) => node)).toEqual([0, 1, 6]);
  });

  it("reads a microscopic model: the published partitions of five values", async () => {
    const answer = JSON.parse(await overview("--model", written("model.json", modelText), "--json"));
    expect(answer).toMatchObject({ nodes: [{ name: 0, parent: -1 }], states: [0], from: 0, to: 5, slices: 5 });
    expect(answer.partitions.map(({ p, parts }: { p: number; parts: unknown[] }) => [p, parts.length])).toEqual([
      [0, 5],
      [0.08203125, 4],
      [0.373046875, 2],
      [0.6953125, 1],
    ]);
  });

  it.each([
    [],
    ["--normalize"],
    ["--kind", "temporal"],
    ["--kind", "hierarchical"],
    ["--kind", "temporal", "--normalize"],
  ])("makes of a model what it makes of the trace with these values: %j", async (...options) => {
    // What the threads of the trace do in four slices: the second one waits in the third.
    const values = [0, 1, 2, 3].map((thread) => [
      [2, 2, thread === 1 ? 0 : 2, 2],
      [0, 0, thread === 1 ? 2 : 0, 0],
    ]);
    const file = written("threads.json", JSON.stringify({ values, parents: [4, 4, 4, 4, -1] }));
    const ofModel = JSON.parse(await overview("--model", file, "--json", ...options));
    const ofTrace = JSON.parse(await overview(trace, "--slices", "4", "--json", ...options));
    const { kind, normalize, partitions } = ofTrace;
    expect(ofModel).toMatchObject({ kind, normalize, partitions });
    expect(partitions.length).toBeGreaterThan(1);
  });

  it.each([
    [["--model", "none.json"], "--model: "],
    [["--model", written("text.json", "five")], "is no JSON"],
    [["--model", written("deep.json", '{"values":[[5]],"parents":[-1]}')], "values.0.0"],
    [["--model", written("uneven.json", '{"values":[[[1,2]],[[1]]],"parents":[2,2,-1]}')], "as many slices"],
    [["--model", written("minus.json", '{"values":[[[1,-2]]],"parents":[-1]}')], "0 or more"],
    [[trace, "--model", "model.json"], "not both"],
    ...["as", "slices", "group", "hierarchy", "metric", "states", "from", "to"].map((option): [string[], string] => [
      ["--model", written("model.json", modelText), `--${option}`, option === "metric" ? "duration" : "1"],
      `--${option} applies to DATA only`,
    ]),
    [["--model", written("model.json", modelText), "--kind", "both"], "--kind takes one of"],
    [[trace, "--group", "eight hosts"], "every N: NAME"],
    [[trace, "--group", "every 0: host"], "every N: NAME"],
    [[trace, "--group", "every 2: host", "--hierarchy", "x"], "not both"],
    [[trace, "--slices", "0"], "--slices takes"],
    [[trace, "--from", "soon"], "--from takes seconds"],
    [[trace, "--kind", "both"], "--kind takes one of"],
    [[], "needs at least one file"],
  ])("refuses %j", (args, message) => {
    expect(() => overviewArguments(args, folder)).toThrow(ArgumentError);
    expect(() => overviewArguments(args, folder)).toThrow(message);
  });

  it.each([
    [["--from", "9", "--to", "10"], "9.0 – 10.0 s"],
    [["--slices", "10000"], "slices fit"],
    [["--states", "MPI"], "one type of states"],
  ])("answers or refuses what only the trace tells: %j", async (args, message) => {
    const said = await overview(trace, ...args).catch((error: Error) => error.message);
    expect(said).toContain(message);
  });
});

describe("a hierarchy file", () => {
  it.each([
    ["a", "h:1"],
    ["# x\n\na = ", "h:3"],
    ["a = x//y", "h:1"],
    ["a = x\na = y", "h:2"],
  ])("that is wrong is refused with the line: %j", (text, where) =>
    expect(() => hierarchyOfFile(text, "h")).toThrow(`${where}: `),
  );
});

function hosts(): string {
  return written(
    "hosts.txt",
    "# two hosts\nthread 0 = east\nthread 1 = east\n\nthread 2 = west # the other one\nthread 3 = west\n",
  );
}
