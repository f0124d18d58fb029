import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openRecordings } from "../../../../src/formats/registry";
import { tracker } from "../../../../src/formats/tracker/format";
import type { DataSet } from "../../../../src/model/dataSet";
import { FormatError } from "../../../../src/model/errors";
import { NONE } from "../../../../src/model/ids";
import { isLargeCost } from "../../../../src/model/recordingCost";
import { quietTask } from "../../../../src/model/task";
import { casesOf, seed } from "../../randomCases";
import { formatLaws, readFixture } from "../formatLaws";
import { BASE_SECONDS, type Call, type Process, processes, type Sums, written } from "./trackerWriter";

const main: Call = {
  name: "main",
  steps: [1000, { name: "solve", steps: [5000, { name: "dot", steps: [2500] }] }, 500],
};

async function read(text: string): Promise<DataSet> {
  const [dataSet] = await readFixture(tracker, { "heatflow-1.json": text });
  return dataSet;
}

/** Values of a metric by thread and path; nothing where it is 0. */
function byPath({ tree, frames, locations, metrics, values }: DataSet, name: string): Map<string, number> {
  const found = new Map<string, number>();
  const metric = metrics.findIndex((one) => one.name === name);
  if (metric < 0) return found;
  const paths: string[] = [];
  for (let context = 0; context < tree.size; context++) {
    const own = frames.nameOf(tree.frame[context]);
    paths[context] = tree.parent[context] === NONE ? own : `${paths[tree.parent[context]]}/${own}`;
    const { rowStart, column, value } = values[metric];
    for (let at = rowStart[context]; at < rowStart[context + 1]; at++)
      if (value[at] !== 0) found.set(`${locations[column[at]].thread} ${paths[context]}`, value[at]);
  }
  return found;
}

function expected(sums: Sums, field: "calls" | "exclusive"): Map<string, number> {
  const scale = field === "exclusive" ? 1e9 : 1;
  return new Map([...sums].flatMap(([path, sum]) => (sum[field] === 0 ? [] : [[path, sum[field] / scale] as const])));
}

function sorted(map: Map<string, number>): [string, number][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

describe("a recording of the tracker", () => {
  it("has the calls and the exclusive time of each thread's contexts, in any order of rows", async () => {
    await fc.assert(
      fc.asyncProperty(processes, fc.boolean(), async (process, isReversed) => {
        const { text, sums } = written(process, (rows) => (isReversed ? rows.slice().reverse() : rows));
        const dataSet = await read(text);
        expect(dataSet.warnings).toEqual([]);
        expect(sorted(byPath(dataSet, "time"))).toEqual(sorted(expected(sums, "exclusive")));
        expect(sorted(byPath(dataSet, "calls"))).toEqual(sorted(expected(sums, "calls")));
      }),
    );
  });

  it("has the same sums where it was cut after its last piece, and says so", async () => {
    await fc.assert(
      fc.asyncProperty(processes, fc.nat(40), async (process, further) => {
        const { text, sums } = written(process);
        const dataSet = await read(text.slice(0, text.indexOf('\n],\n"contexts"') + further));
        expect(dataSet.warnings.some(({ isCut }) => isCut)).toBe(true);
        expect(sorted(byPath(dataSet, "time"))).toEqual(sorted(expected(sums, "exclusive")));
        expect(sorted(byPath(dataSet, "calls"))).toEqual(sorted(expected(sums, "calls")));
      }),
    );
  });

  it("has its regions in the timeline, each with its context, on the clock from the recording's start", async () => {
    await fc.assert(
      fc.asyncProperty(processes, async (process) => {
        const { text, regions } = written(process);
        const { trace, tree, frames } = await read(text);
        if (trace === undefined) throw new Error("there is a trace");
        const found: string[] = [];
        for (const [lane, { events }] of trace.lanes.entries()) {
          const columns = await trace.readEvents(lane, 0, events);
          for (let at = 0; at < columns.count; at++) {
            let path = "";
            for (let of = columns.context[at]; of !== NONE; of = tree.parent[of])
              path = `${frames.nameOf(tree.frame[of])}${path === "" ? "" : "/"}${path}`;
            expect(columns.frame[at]).toBe(tree.frame[columns.context[at]]);
            found.push(row(lane, path, columns.startSeconds[at], columns.endSeconds[at]));
          }
        }
        const wanted = regions.map(({ thread, path, start, end }) =>
          row(thread, path.slice(path.indexOf(" ") + 1), start / 1e9, end / 1e9),
        );
        expect(found.sort()).toEqual(wanted.sort());
      }),
    );
  });

  it("leads to lines, and says what is a function and what stands in the source", async () => {
    const { text } = written({ startNanoseconds: 0, threads: [[main]] });
    const regions = text.replaceAll(',"module":"/bin/program","offset":4096', "");
    const { frames } = await read(regions);
    expect(frames.get(0 as never)).toEqual({
      name: "main",
      kind: "region",
      origin: "mark",
      file: "src/main.cpp",
      line: 10,
    });
    expect((await read(text)).frames.get(0 as never)).toMatchObject({ kind: "function", module: "/bin/program" });
  });

  it("has counters with their units, and what grows is known to", async () => {
    const counter = (name: string, more: string, ts: number, value: number) =>
      `{"ph":"C","pid":1,"tid":0,"name":"${name}"${more},"ts":${ts},"args":{"value":${value}}},`;
    const points =
      counter("resident memory (bytes)", "", 5, 4096) +
      counter("core 0 busy (%)", "", 5, 50) +
      counter("minor page faults", ',"cat":"growing"', 5, 12) +
      counter("minor page faults", ',"cat":"growing"', 8, 15);
    const { text } = written({ startNanoseconds: 0, threads: [[main]] });
    const { trace } = await read(text.replace('"traceEvents":[', `$&${points}`));
    expect(trace?.counters.map(({ name, unit, grows, points: count }) => [name, unit, grows, count])).toEqual([
      ["core 0 busy", "%", undefined, 1],
      ["minor page faults", "1", true, 2],
      ["resident memory", "B", undefined, 1],
    ]);
  });

  it("counts a region that was open when the file was cut with what was said of it last", async () => {
    const rows = (name: string, list: unknown) =>
      `{"ph":"M","pid":1,"tid":1,"name":"${name}","args":{"rows":${JSON.stringify(list)}}}`;
    const pieces = [
      rows("heatflow_frames", [
        { frame: 0, name: "main" },
        { frame: 1, name: "solve" },
      ]),
      rows("heatflow_contexts", [
        [1, 0, 0, 0, 0, 0],
        [2, 1, 1, 3, 600, 600],
      ]),
      rows("heatflow_open", [
        [1, 1000, 300],
        [2, 100, 100],
      ]),
      rows("heatflow_contexts", [[2, 1, 1, 1, 150, 150]]),
      rows("heatflow_open", [[1, 2000, 1200]]),
    ];
    const { text } = written({ startNanoseconds: 0, threads: [[main]] });
    const head = text.slice(0, text.indexOf('"traceEvents":[') + 15);
    const dataSet = await read(`${head}\n${pieces.join(",\n")}`);
    expect(sorted(byPath(dataSet, "time"))).toEqual([
      ["1 main", 1200 / 1e9],
      ["1 main/solve", 750 / 1e9],
    ]);
    expect(sorted(byPath(dataSet, "calls"))).toEqual([
      ["1 main", 1],
      ["1 main/solve", 4],
    ]);
  });
});

it("has the line that calls between caller and callee, where the recording says which one", async () => {
  const { text, sums } = written({ startNanoseconds: 0, threads: [[main]] });
  const called = (call: number, place: object) =>
    text
      .replaceAll('"thread":4711,"frame":1,', `"thread":4711,"frame":1,"call":${call},`)
      .replace('"lines":[\n', `"lines":[\n${JSON.stringify({ frame: 6, name: "main", ...place })},\n`);
  const place = { file: "src/main.cpp", line: 42 };
  const { tree, frames, ...dataSet } = await read(called(6, place));
  expect(frames.get(tree.frame[1] as never)).toEqual({ name: "src/main.cpp:42", kind: "line", ...place });
  const without = expected(sums, "exclusive");
  expect(byPath({ tree, frames, ...dataSet } as DataSet, "time")).toEqual(
    new Map([...without].map(([path, time]) => [path.replace("main/", "main/src/main.cpp:42/"), time])),
  );
  // Without a line, a file or even a row it is not known.
  for (const [call, known] of [
    [6, { file: "src/main.cpp" }],
    [6, { line: 42 }],
    [99, place],
  ] as const)
    expect(byPath(await read(called(call, known)), "time")).toEqual(without);
});

describe("a run of several ranks", () => {
  const rank = (number: number, over: Partial<Process> = {}) => {
    const start = { rank: number, ranks: 2, run: "job 7", startNanoseconds: 1000 * (2 - number) };
    return written({ ...start, threads: [[main]], ...over }).text;
  };
  const names = ["heatflow-rank0.json", "heatflow-rank1.json"];
  const both = (zero: string, one: string) =>
    readFixture(tracker, { [names[0]]: zero, [names[1]]: one }, { open: names });

  it("is one data set, whose clock begins with the first rank", async () => {
    const [dataSet, ...others] = await both(rank(0), rank(1));
    expect(others).toEqual([]);
    expect(dataSet.name).toBe("test (2 ranks)");
    expect(dataSet.locations.map((place) => place.rank)).toEqual([0, 1]);
    expect(dataSet.trace?.lanes.map(({ name, startSeconds }) => [name, startSeconds])).toEqual([
      ["rank 0", 1e-6],
      ["rank 1", 0],
    ]);
  });

  it("says how many of its ranks have no file", async () => {
    const missing = async (ranks: number) =>
      (await both(rank(0, { ranks }), rank(1, { ranks }))).map(({ warnings }) =>
        warnings.map(({ message }) => message),
      );
    expect(await missing(5)).toEqual([["files of 3 of 5 ranks are missing: 2–4"]]);
    expect(await missing(2)).toEqual([[]]);
  });

  it("has one clock where its ranks began in different seconds, and was recorded when the first of them began", async () => {
    const late = rank(1, { baseSeconds: BASE_SECONDS + 1, startNanoseconds: 50_000_000 });
    const [dataSet] = await both(rank(0, { startNanoseconds: 950_000_000 }), late);
    expect(dataSet.trace?.lanes.map(({ name, startSeconds }) => [name, startSeconds])).toEqual([
      ["rank 0", 0],
      ["rank 1", 0.1],
    ]);
    expect(dataSet.recordedAt).toBe(BASE_SECONDS * 1000 + 950);
  });

  it("is two where launchers, programs or ranks say so", async () => {
    expect(await both(rank(0), rank(1, { run: "job 8" }))).toHaveLength(2);
    expect(await both(rank(0), rank(0))).toHaveLength(2);
    expect(await both(rank(0), rank(1, { ranks: 3 }))).toHaveLength(2);
  });

  it("is told from another of its name by the process that has started its ranks, if each has started all", async () => {
    const startedBy = (launcher: string, number: number) =>
      rank(number, { run: "" }).replace('"process":', `"host":"node1","launcher":"${launcher}","process":`);
    const ranksOf = async (launchers: readonly (readonly [string, number])[]) => {
      const files = Object.fromEntries(
        launchers.map(([launcher, number], at) => [
          `heatflow-rank${number}-${at + 1}.json`,
          startedBy(launcher, number),
        ]),
      );
      const dataSets = await readFixture(tracker, files, { open: Object.keys(files) });
      return dataSets.map(({ locations }) => locations.map((place) => place.rank));
    };
    const jobs = [["7.1", 0] as const, ["8.1", 0] as const, ["8.1", 1] as const, ["7.1", 1] as const];
    expect(await ranksOf(jobs)).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(await ranksOf(jobs.slice(1))).toEqual([[0], [1], [1]]);
    expect(await ranksOf(jobs.map(([, number]) => ["", number]))).toEqual([[0], [0], [1], [1]]);
    // Ranks whose names agree are one run, whoever has started each: a launcher may do that by scripts.
    expect(await ranksOf([jobs[0], jobs[2]])).toEqual([[0, 1]]);
  });

  it("has the counters of a machine once for each host, as the lowest rank there has read them, and those of processes for each", async () => {
    const counter = (name: string, value: number) =>
      `{"ph":"C","pid":1,"tid":0,"name":"${name}","ts":3,"args":{"value":${value}}},`;
    const text = (number: number, host: string) => {
      const names = ["resident memory (bytes)", "core 0 busy (%)", "machine swap free (bytes)", "network sent (bytes)"];
      return rank(number)
        .replace('"traceEvents":[', `"traceEvents":[${names.map((name) => counter(name, number + 1)).join("")}`)
        .replace('"heatflow":{', `"heatflow":{${host === "" ? "" : `"host":"${host}",`}`);
    };
    const shown = async (zero: string, one: string) => {
      const [{ trace, topology }] = await both(text(0, zero), text(1, one));
      const rows = trace?.counters.map(({ name, resource, points, minimum }) => [
        name,
        topology?.resources[resource].name,
        points,
        minimum,
      ]);
      return rows?.map((row) => row.join(" ")).sort();
    };
    const ofMachine = (host: string, value: number) =>
      ["core 0 busy", "machine swap free", "network sent"].map((name) => `${name} ${host} 1 ${value}`);
    const ofRanks = ["resident memory rank 0 1 1", "resident memory rank 1 1 2"];
    expect(await shown("node1", "node1")).toEqual([...ofMachine("node1", 1), ...ofRanks].sort());
    expect(await shown("node1", "node2")).toEqual(
      [...ofMachine("node1", 1), ...ofMachine("node2", 2), ...ofRanks].sort(),
    );
    // Of a host that is not known nobody knows whether two ranks are on it.
    expect(await shown("", "")).toEqual([...ofMachine("rank 0", 1), ...ofMachine("rank 1", 2), ...ofRanks].sort());
  });

  it("has the counters of a machine as the next rank has read them where the lowest one's file cannot be read", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-ranks-"));
    const counter = `{"ph":"C","pid":1,"tid":0,"name":"core 0 busy (%)","ts":3,"args":{"value":7}},`;
    const text = (number: number, events: string) =>
      rank(number)
        .replace('"traceEvents":[', `"traceEvents":[${events}`)
        .replace(/"heatflow":\{("version":"?[^,]*,)/, '"heatflow":{$1"host":"node1",');
    fs.writeFileSync(path.join(folder, names[0]), text(0, "{]"));
    fs.writeFileSync(path.join(folder, names[1]), text(1, counter));
    const [{ trace, locations }] = await openRecordings([folder], {}, quietTask);
    expect(locations.map((place) => place.rank)).toEqual([1]);
    expect(trace?.counters.map(({ name, minimum }) => [name, minimum])).toEqual([["core 0 busy", 7]]);
    fs.rmSync(folder, { recursive: true });
  });

  it("joins what was sent with what has arrived, in the order of sending, and counts bytes in their contexts", async () => {
    const message = (name: string, ts: number, peer: number, bytes: number) =>
      `{"ph":"i","pid":1,"tid":4711,"name":"message ${name}","cat":"communication","s":"t","ts":${ts},"args":{"context":2,"bytes":${bytes},"peer":${peer},"tag":5}},`;
    const sends = message("sent", 3, 1, 800) + message("sent", 4, 1, 80);
    const receives = message("received", 6, 0, 800) + message("received", 9, 0, 80);
    const collective = `{"ph":"X","pid":1,"tid":4711,"name":"MPI_Bcast","cat":"communication","ts":3,"dur":1,"args":{"context":2,"bytes":8}},`;
    const put = collective.replace("MPI_Bcast", "MPI_Put").replace('"bytes":8', '"bytes":16,"peer":1');
    const add = (text: string, events: string) => text.replace('"traceEvents":[', `"traceEvents":[${events}`);
    const [dataSet] = await both(add(rank(0), sends + collective + put), add(rank(1), receives));
    if (dataSet.trace === undefined) throw new Error("there is a trace");
    const { from, to, bytes, tag, sentSeconds, receivedSeconds, count } = await dataSet.trace.readMessages(0, 9);
    expect(count).toBe(2);
    const name = (resource: number) => dataSet.topology?.resources[resource].name;
    expect([...from].map(name)).toEqual(["rank 0", "rank 0"]);
    expect([...to].map(name)).toEqual(["rank 1", "rank 1"]);
    expect([[...bytes], [...tag]]).toEqual([
      [800, 80],
      [5, 5],
    ]);
    expect([...sentSeconds].map(nanoseconds)).toEqual([2000, 3000]);
    expect([...receivedSeconds].map(nanoseconds)).toEqual([5000, 8000]);
    expect(sorted(byPath(dataSet, "bytes sent"))).toEqual([["0 main/solve", 880]]);
    expect(sorted(byPath(dataSet, "bytes received"))).toEqual([["0 main/solve", 880]]);
    expect(sorted(byPath(dataSet, "bytes in collectives"))).toEqual([["0 main/solve", 8]]);
    expect(sorted(byPath(dataSet, "bytes put and got"))).toEqual([["0 main/solve", 16]]);
  });
});

describe("a damaged recording of the tracker", () => {
  const { text } = written({ startNanoseconds: 0, threads: [[main]] });

  it("has a context that is below itself as a root, and one without a parent too", async () => {
    const cycle = await read(text.replace('{"id":1,', '{"id":1,"parent":3,'));
    expect(cycle.tree.size).toBe(3);
    expect(cycle.warnings.map(({ message }) => message)).toEqual([
      "1 calling contexts are damaged: what they say was left out",
    ]);
    const orphan = await read(text.replace('"parent":1,', '"parent":99,'));
    expect([...orphan.tree.parent].filter((parent) => parent === NONE)).toHaveLength(2);
  });

  it("leaves out sums that are no whole numbers", async () => {
    const dataSet = await read(text.replace('"exclusive":2500', '"exclusive":-2500'));
    expect(dataSet.tree.size).toBe(2);
    expect(dataSet.warnings).toHaveLength(1);
  });

  it("of a later version is not read as if it were of this one", async () => {
    const problem = await read(text.replace('"version":1', '"version":2')).catch((reason: unknown) => reason);
    expect(problem).toBeInstanceOf(FormatError);
    expect((problem as Error).message).toContain("version 2");
  });

  it("says which metrics could not be had, each reason once", async () => {
    const why = "this processor, or its virtual machine, does not tell";
    const missing = [
      { metric: "cycles", why },
      { metric: "energy N", why: "not readable by this user" },
      { metric: "branches", why },
      { metric: "core N frequency", why: "not readable by this user" },
      { metric: 12, why },
    ];
    const dataSet = await read(text.replace('"startNanoseconds"', `"missing":${JSON.stringify(missing)},$&`));
    expect(dataSet.warnings).toMatchObject([
      { message: `cycles, branches: ${why}`, isMinor: true },
      { message: "energy, core frequency: not readable by this user", isMinor: true },
    ]);
  });

  it("says what recording itself took where that is much of the time", async () => {
    // Three calls in 9000 ns: 150 ns each are 5 %.
    const of = (atStart: number, atEnd?: number) =>
      read(
        text
          .replace('"startNanoseconds"', `"emptyRegionNanoseconds":${atStart},$&`)
          .replace(
            '"eventsTooShort":0',
            `"eventsTooShort":2${atEnd === undefined ? "" : `,"emptyRegionNanoseconds":${atEnd}`}`,
          ),
      );
    const said = async (atStart: number, atEnd?: number) =>
      (await of(atStart, atEnd)).warnings.map(({ message }) => message);
    const short = expect.stringContaining("2 events of less than") as string;
    expect(await said(149)).toEqual([short]);
    expect(await said(300)).toEqual([
      "recording 3 calls took at least 900 ns (10.0 % of the time): functions that call many short ones look hotter than they are; sampling avoids this",
      short,
    ]);
    expect(await said(300, 300)).toEqual(await said(300));
    expect(await said(100, 140)).toEqual([short]);
    const [busy] = await said(100, 300);
    expect(busy).toMatch(
      /at least 300\sns \(3\.33\s% of the time\), or 900\sns \(10\.0\s% of the time\), by what an empty region took at the start and at the end: /,
    );
    expect(await said(300, 100)).toEqual([busy, short]);
  });

  describe("that says what recording has cost", () => {
    /** Costs per call of functions and of regions: for the caller, and for the callee. */
    const costs = (processorNanoseconds: number, [caller, callee]: readonly number[], region = [1, 1]) => ({
      processorNanoseconds,
      writerNanoseconds: 5,
      function: { callerNanoseconds: caller, calleeNanoseconds: callee },
      region: { callerNanoseconds: region[0], calleeNanoseconds: region[1] },
    });
    const withCost = (recording: string, cost: ReturnType<typeof costs>) =>
      recording.replace('"heatflowEnd"', `"recordingCost":${JSON.stringify(cost)},$&`);
    const times = ({ tree, frames, values, metrics }: DataSet) => {
      const { rowStart, value } = values[metrics.findIndex(({ name }) => name === "time")];
      return Array.from({ length: tree.size }, (_, at) => [
        frames.nameOf(tree.frame[at]),
        Math.round(value.subarray(rowStart[at], rowStart[at + 1]).reduce((sum, one) => sum + one, 0) * 1e9),
      ]);
    };
    const ROW = "(recording itself)";

    it("has it as a row of its own from 5 % of the CPU time on, and in headings from a third on", async () => {
      const calls = 3;
      for (const [share, hasRow, isLarge] of [
        [0.04, false, false],
        [0.06, true, false],
        [0.3, true, false],
        [0.34, true, true],
        [0.9, true, true],
      ] as const) {
        const dataSet = await read(withCost(text, costs((calls * 100) / share, [60, 40])));
        expect(times(dataSet).some(([name]) => name === ROW)).toBe(hasRow);
        expect(dataSet.warnings.some(({ message }) => message.startsWith("recording took"))).toBe(hasRow);
        expect(dataSet.recordingCost?.seconds).toBeCloseTo((calls * 100) / 1e9, 15);
        expect(isLargeCost(dataSet.recordingCost)).toBe(isLarge);
      }
    });

    it("keeps every sum, and takes the cost of each call from its caller and from itself", async () => {
      await fc.assert(
        fc.asyncProperty(processes, fc.nat(2000), fc.nat(2000), async (process, caller, callee) => {
          const { text: plain, sums } = written(process);
          const before = times(await read(plain));
          const after = times(await read(withCost(plain, costs(1, [caller, callee]))));
          const total = (rows: (string | number)[][]) => rows.reduce((sum, row) => sum + Number(row[1]), 0);
          expect(total(after)).toBe(total(before));
          // A naive twin: calls of each path, and of the paths right below it.
          let cost = 0;
          for (const [path, { calls, exclusive }] of sums) {
            let below = 0;
            for (const [other, sum] of sums) if (other.slice(0, other.lastIndexOf("/")) === path) below += sum.calls;
            cost += Math.min(exclusive, calls * callee + below * caller);
          }
          expect(total(after.filter(([name]) => name === ROW))).toBe(cost);
        }),
        { numRuns: casesOf(400), seed },
      );
    });

    it("keeps the times of regions that stand in the source", async () => {
      const marked = text.replaceAll(/,"module":"[^"]*","offset":\d+/g, "");
      const dataSet = await read(withCost(marked, costs(1000, [1, 1], [60, 40])));
      expect(times(dataSet)).toEqual(times(await read(marked)));
      expect(dataSet.recordingCost?.seconds).toBeCloseTo(300e-9, 15);
      expect(dataSet.warnings[0].message).toMatch(/^recording took 300\sns \(30\.0\s%\) of the CPU time/);
    });

    it("says whose times functions are in that were left out", async () => {
      const dataSet = await read(text.replace('"startNanoseconds"', '"excluded":"/usr/,.h",$&'));
      expect(dataSet.notRecorded).toContain(
        "no functions of files with /usr/ or .h in their paths: their time is in their callers",
      );
    });
  });

  it("has of attributes the last that was written of each thread, before it was cut", async () => {
    const rows = (name: string, tid: number, ...all: object[]) =>
      `{"ph":"M","pid":4711,"tid":${tid},"name":"${name}","args":{"rows":${JSON.stringify(all)}}},`;
    const step = (count: number, least: number, most: number) => ({
      frame: 0,
      key: "step",
      count,
      last: `${most}`,
      least,
      most,
    });
    const attributesOf = async (events: string) => {
      const cut = text
        .slice(0, text.indexOf('\n],\n"contexts"'))
        .replace('"traceEvents":[', `"traceEvents":[${events}`);
      return (await read(cut)).globals.get("main: step")?.join();
    };
    const name = "heatflow_attribute_rows";
    const first = rows(name, 4711, step(1, 5, 5)) + rows(name, 4712, step(2, 7, 8));
    expect(await attributesOf(first)).toBe("5 to 8, set 3 times");
    expect(await attributesOf(first + rows(name, 4711, step(3, 2, 5)))).toBe("2 to 8, set 5 times");
    // Trackers before wrote all again each time.
    const before = rows("heatflow_attributes", 0, step(1, 5, 5), step(1, 9, 9));
    expect(await attributesOf(before + before)).toBe("5 to 9, set 2 times");
  });

  it("says which regions have lost their begin or end", async () => {
    const messages = async (counts: string) => {
      const { warnings } = await read(text.replace('"eventsDropped":0', `"eventsDropped":0,${counts}`));
      return warnings.map(({ message }) => message);
    };
    expect(await messages('"regionsWithoutEnd":2,"regionsBrokenOff":1')).toEqual([
      expect.stringMatching(/^2 regions have no end of their own \(a jump, .*: they end with/),
      expect.stringMatching(/^1 begin or end of a region was interrupted by a signal handler/),
    ]);
    expect(await messages('"endsWithoutBegin":1,"firstEndWithoutBegin":"so \\"lve","regionsAfterEnd":3')).toEqual([
      '1 end of a region had no begin, the first of “so "lve”: a region of that name may have ended too soon',
      "3 regions began after the end of their thread or of the recording: they are in no sum",
    ]);
    expect(await messages('"endsWithoutBegin":7')).toEqual([
      expect.stringMatching(/^7 ends of regions had no begin: /),
    ]);
    expect(await messages('"regionsAfterEnd":0,"regionsWithoutEnd":0')).toEqual([]);
  });

  it("says that a program was ended before its first regions were written", async () => {
    const head = text.slice(0, text.indexOf("\n", text.indexOf('"traceEvents"')) + 1);
    const { warnings } = await read(head);
    expect(warnings).toEqual([
      expect.objectContaining({ isCut: true }),
      expect.objectContaining({ message: expect.stringContaining("before its first regions were written") as string }),
    ]);
    // Counters alone come to the file with the first regions.
    const [, ...ofWhole] = (await read(text.slice(0, text.lastIndexOf('"contexts"')))).warnings;
    expect(ofWhole).toEqual([]);
  });

  it("says what the timeline lacks", async () => {
    const dataSet = await read(text.replace('"eventsDropped":0', '"eventsDropped":12'));
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      "12 events found no room in the tracker's buffers: they are in every sum; in the timeline and within a window of time, their time is that of the region around them",
    ]);
  });
});

formatLaws(tracker, {
  "two threads": {
    "heatflow-1.json": written({ startNanoseconds: 5, threads: [[main, main], [{ name: "dot", steps: [7] }]] }).text,
  },
});

function row(lane: number, path: string, start: number, end: number): string {
  return `${lane} ${path} ${nanoseconds(start)} ${nanoseconds(end)}`;
}

function nanoseconds(seconds: number): number {
  return Math.round(seconds * 1e9);
}
