import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exportArguments } from "../../../src/cli/exportCommand";
import { escapedName } from "../../../src/model/writtenNames";
import { plainDecimal } from "../../../src/cli/texts";
import { openRecordings } from "../../../src/formats/registry";
import type { DataSet } from "../../../src/model/dataSet";
import { quietTask } from "../../../src/model/task";
import { miniheat, recordings } from "../../recordings";
import { profile, read } from "../formats/caliper/caliFixtures";
import { CaliWriter, durationNs, rank, regions, time } from "../formats/caliper/caliWriter";
import { cellsOf, pathsOf } from "../formats/plainDataSet";
import { traceJson } from "../formats/dmtracker/recordings";
import { written as trackerFile } from "../formats/tracker/trackerWriter";
import { ArgumentError, engineWith, exported, type Line, linesOf, naiveLines } from "./commands";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-export-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const sampled = path.join(miniheat, "profiles/samples-1rank.cali");
const profiled = path.join(miniheat, "profiles/profile-8ranks.cali");

async function open(file: string): Promise<DataSet> {
  const [dataSet] = await openRecordings([file], {}, quietTask);
  return dataSet;
}

/** Lines whose numbers are compared to the last bit but one: sums of the same numbers in another order. */
function comparable(lines: readonly Line[]): unknown[] {
  const round = (value: number | string | undefined) => (typeof value === "number" ? value.toPrecision(12) : value);
  return lines.map((line) => ({ ...line, exclusive: line.exclusive, inclusive: round(line.inclusive) }));
}

describe("heatflow export, a line a value", () => {
  it.each([profiled, sampled])("gives every value of %s, with file, line and inclusive", async (file) => {
    const { text } = await exported([file]);
    const lines = linesOf<Line>(text);
    expect(comparable(lines)).toEqual(comparable(naiveLines(await open(file))));
    expect(lines.length).toBeGreaterThan(100);
  });

  it("gives what the recording's own tool reads, to the digits that it prints", async ({ skip }) => {
    const shared = recordings();
    if (shared === undefined) return skip();
    const profiles = path.join(shared, "miniapp/profiles");
    const golden = JSON.parse(
      fs.readFileSync(path.join(profiles, "golden/profile-8ranks.records.json"), "utf8"),
    ) as Record<string, number | string>[];
    const { text } = await exported([path.join(profiles, "profile-8ranks.cali")]);
    const found = new Map(
      linesOf<Line>(text).map((line) => [`${line.path.join("/")} @${line.location.rank}`, Number(line.exclusive)]),
    );
    const recorded = golden.filter(
      (row) => row["mpi.rank"] !== undefined && row["sum#sum#time.duration"] !== undefined,
    );
    expect(recorded.length).toBeGreaterThan(150);
    for (const row of recorded) {
      const value = found.get(`${row.path ?? "(no region)"} @${row["mpi.rank"]}`);
      expect(Math.abs((value ?? NaN) - Number(row["sum#sum#time.duration"]))).toBeLessThan(5.1e-7);
    }
  });

  it("keeps nan and infinities as text, out of inclusive, and says so", async () => {
    const out = new CaliWriter();
    out.snapshot(
      [regions("main")],
      [
        [time, "nan"],
        [rank, 0],
      ],
    );
    out.snapshot(
      [regions("main", "solve")],
      [
        [time, "-inf"],
        [rank, 0],
      ],
    );
    out.snapshot(
      [regions("main", "solve", "dot")],
      [
        [time, 2],
        [rank, 0],
      ],
    );
    const { text, warnings } = await exported(["x"], engineWith(await read(out.text())));
    expect(linesOf<Line>(text).map(({ exclusive, inclusive }) => [exclusive, inclusive])).toEqual([
      ["nan", 2],
      ["-inf", 2],
      [2, 2],
    ]);
    expect(warnings).toContainEqual(expect.stringContaining("2 values that are nan or inf"));
  });

  it("leaves an empty name empty, in every format: no other name is made up", async () => {
    const out = new CaliWriter();
    out.snapshot([regions("main", "")], [[time, 1]]);
    const dataSet = await read(out.text());
    const textOf = async (...format: string[]) => (await exported(["x", ...format], engineWith(dataSet))).text;
    expect(linesOf<Line>(await textOf()).map((line) => line.path)).toEqual([["main"], ["main", ""]]);
    expect(await textOf("--format", "csv")).toMatch(/\r\n"main;",/);
    expect(await textOf("--format", "collapsed")).toBe("main; 1\n");
    const { nodes } = JSON.parse(await textOf("--format", "json-split")) as { nodes: { label: string }[] };
    expect(nodes.map(({ label }) => label)).toEqual(["main", ""]);
  });

  it("takes hostile names as they are, on one line each", async () => {
    const out = new CaliWriter();
    const names = ["__proto__", 'say "hi",\n<b>', "a;b", "x".repeat(100_000)];
    out.snapshot([regions(...names)], [[time, 1]]);
    const { text } = await exported(["x"], engineWith(await read(out.text())));
    const lines = linesOf<Line>(text);
    expect(lines.map((line) => line.path)).toEqual(names.map((_, at) => names.slice(0, at + 1)));
    expect(lines.map((line) => line.location)).toEqual([{}, {}, {}, {}]);
  });

  it("names the data set on each line where there are several", async () => {
    const dataSet = await read(profile().text());
    const { text } = await exported(["x"], engineWith(dataSet, { ...dataSet, name: "other" }));
    const names = linesOf<{ dataSet: string }>(text).map((line) => line.dataSet);
    expect([...new Set(names)]).toEqual(["test", "other"]);
  });

  it("gives one metric where one is named", async () => {
    const all = linesOf<Line>((await exported([sampled])).text);
    const counts = linesOf<Line>((await exported([sampled, "--metric", "count"])).text);
    expect(counts).toEqual(all.filter(({ metric }) => metric === "count"));
    expect(counts.length).toBeLessThan(all.length);
    await expect(exported([sampled, "--metric", "bytes"])).rejects.toThrow(/there is no 'bytes'; there is time, count/);
  });
});

describe("heatflow export --format csv", () => {
  it("has the same values in cells that RFC 4180 readers take apart", async () => {
    const out = new CaliWriter();
    out.snapshot(
      [regions('a "quoted", name', "b;c\n")],
      [
        [time, 0.1],
        [rank, 3],
      ],
    );
    const { text } = await exported(["x", "--format", "csv"], engineWith(await read(out.text())));
    const [head, ...rows] = table(text);
    const named = rows.map((row) => Object.fromEntries(row.map((cell, at) => [head[at], cell])));
    expect(named).toMatchObject([
      { path: 'a "quoted", name', rank: "3", thread: "", metric: "time", unit: "s", exclusive: "0", inclusive: "0.1" },
      { path: 'a "quoted", name;b\\x3bc\\n', exclusive: "0.1", inclusive: "0.1" },
    ]);
  });

  it("has a row a line of JSON", async () => {
    const lines = linesOf<Line>((await exported([sampled])).text);
    const [head, ...rows] = table((await exported([sampled, "--format", "csv"])).text);
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    expect(column("exclusive").map(Number)).toEqual(lines.map(({ exclusive }) => exclusive));
    expect(column("inclusive").map(Number)).toEqual(lines.map(({ inclusive }) => inclusive));
    expect(column("path")).toEqual(lines.map((line) => line.path.map(escapedName).join(";")));
    expect(column("line")).toEqual(lines.map(({ line }) => (line === undefined ? "" : `${line}`)));
  });
});

describe("heatflow export --format collapsed", () => {
  it("has a stack a context with cost, summed over ranks, and the total of the metric", async () => {
    const { text, warnings } = await exported([profiled, "--format", "collapsed"]);
    const dataSet = await open(profiled);
    const stacks = text
      .trimEnd()
      .split("\n")
      .map((line) => /^(.+) (\d+(?:\.\d+)?)$/.exec(line));
    expect(stacks).not.toContain(null);
    const sum = stacks.reduce((total, stack) => total + Number(stack?.[2]), 0);
    expect(sum).toBeCloseTo(21.525859464, 9);
    const paths = pathsOf(dataSet).map((names) => (names.length === 0 ? "(no region)" : names.join(";")));
    expect(stacks.map((stack) => stack?.[1])).toEqual(paths);
    expect(warnings).toEqual(["the stacks are time in s, exclusive, summed over all ranks and threads"]);
  });

  it("escapes what readers of stacks would split at, and writes no exponent", () => {
    expect(escapedName("a;b\\c\nd")).toBe("a\\x3bb\\\\c\\nd");
    const values = [1e-9, 2.5e-7, 1.25, 1e21, 1.5e22, 4.9e-324, 123456789012345680000, 0.1];
    for (const value of values) {
      expect(plainDecimal(value)).toMatch(/^\d+(\.\d+)?$/);
      expect(Number(plainDecimal(value))).toBe(value);
    }
  });
});

describe("heatflow export --format json-split", () => {
  /** Values by path, rank and thread, those of contexts with one path added up. */
  function byPath(dataSet: DataSet): Map<string, number> {
    const paths = pathsOf(dataSet).map((names) => JSON.stringify(names.length === 0 ? ["(no region)"] : names));
    const values = new Map<string, number>();
    for (const [metric, { name, unit }] of dataSet.metrics.entries())
      for (const [context, location, value] of cellsOf(dataSet, metric)) {
        const { rank, thread, stream } = dataSet.locations[location];
        const key = `${name} (${unit}) ${paths[context]} ${rank} ${thread} ${stream}`;
        values.set(key, (values.get(key) ?? 0) + value);
      }
    return values;
  }

  async function again(dataSet: DataSet): Promise<DataSet> {
    const { text } = await exported(["x", "--format", "json-split"], engineWith(dataSet));
    const file = path.join(folder, "again.json");
    fs.writeFileSync(file, text);
    return open(file);
  }

  const shared = recordings();
  const files = [
    "profile-8ranks.cali",
    "profile-8ranks.json",
    "samples-1rank.cali",
    "samples-4ranks-callpath.cali",
    "iterations-8ranks.cali",
  ].map((name) => path.join(miniheat, "profiles", name));
  const written = shared === undefined ? [] : filesBelow(path.join(shared, "data/caliper"), /\.(cali|json)$/);
  const caliper = written.filter((file) => !file.includes("example-json")); // an ensemble of Thicket's own

  it.each([...files, ...caliper])("of %s reads back with equal values", async (file) => {
    const dataSet = await open(file);
    const before = byPath(dataSet);
    expect(before.size).toBeGreaterThan(0);
    const after = byPath(await again(dataSet));
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    for (const [key, value] of before) expect([key, after.get(key)]).toEqual([key, value]);
  });

  it("keeps exclusive values exclusive, where the recording had inclusive ones", async () => {
    const out = new CaliWriter();
    const inclusive = { ...durationNs, name: "inclusive#sum#time.duration.ns" };
    out.snapshot([regions("main")], [[inclusive, 5e9]]);
    out.snapshot([regions("main", "solve")], [[inclusive, 2e9]]);
    const dataSet = await read(out.text());
    expect([...byPath(dataSet).values()]).toEqual([3, 2]);
    expect([...byPath(await again(dataSet)).values()]).toEqual([3, 2]);
  });

  it("says which metrics a reader would add up though they do not", async () => {
    const dataSet = await read(profile().text());
    const [metric] = dataSet.metrics;
    const level = { ...metric, name: "memory", recordedName: "memory", additive: false };
    const { warnings } = await exported(
      ["x", "--format", "json-split"],
      engineWith({ ...dataSet, metrics: [level, ...dataSet.metrics.slice(1)] }),
    );
    expect(warnings).toContain("json-split has no way to say that memory does not add up");
  });

  /** Metadata of these is named like the keys of a trace file. */
  const tiny: readonly (readonly [name: string, text: string])[] = [
    ["heatflow-1.json", trackerFile({ startNanoseconds: 0, threads: [[{ name: "main", steps: [1000] }]] }).text],
    ["kineto.json", traceJson],
    [
      "chrome.json",
      '{"traceEvents": [{"ph": "X", "name": "main", "ts": 0, "dur": 5, "pid": 1, "tid": 1}], "displayTimeUnit": "ms", "schemaVersion": 1}',
    ],
  ];

  it.each(tiny)("of a small %s reads back with equal values, whatever its metadata is called", async (name, text) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    const dataSet = await open(file);
    const before = byPath(dataSet);
    expect(before.size).toBeGreaterThan(0);
    expect(dataSet.globals.size).toBeGreaterThan(0);
    const copy = await again(dataSet);
    expect(copy.format.id).toBe("caliper-json-split");
    expect([...byPath(copy)].sort()).toEqual([...before].sort());
  });

  it("is of one run", async () => {
    const dataSet = await read(profile().text());
    await expect(exported(["x", "--format", "json-split"], engineWith(dataSet, dataSet))).rejects.toThrow(/2 runs/);
  });
});

describe("the arguments of export", () => {
  it.each([
    [[], /at least one file/],
    [["x", "--format", "xml"], /--format takes one of jsonl, csv, json-split, collapsed/],
    [["x", "--format", "csv", "--events"], /lines of JSON/],
    [["x", "--hierarchy", "flat"], /--hierarchy takes one of/],
  ])("are refused where they are wrong: %j", (args, message) => {
    expect(() => exportArguments(args, "/")).toThrow(ArgumentError);
    expect(() => exportArguments(args, "/")).toThrow(message);
  });
});

/** Takes a table apart as RFC 4180 says. */
function table(text: string): string[][] {
  expect(text.endsWith("\r\n")).toBe(true);
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows[rows.length - 1].push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

function filesBelow(start: string, pattern: RegExp): string[] {
  const entries = fs.readdirSync(start, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}
