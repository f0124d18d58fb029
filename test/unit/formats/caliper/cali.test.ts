import { describe, expect, it } from "vitest";
import { memorySource } from "../../../../src/formats/byteSource";
import { assemble } from "../../../../src/formats/caliper/assemble";
import { isCali, readCali } from "../../../../src/formats/caliper/cali";
import type { DataSet, Hierarchy } from "../../../../src/model/dataSet";
import { quietTask } from "../../../../src/model/task";
import { cellsOf, metricNamed, pathsOf, plainDataSet } from "../plainDataSet";
import { readerLaws } from "../readerLaws";
import {
  type Branch,
  CaliWriter,
  channel,
  durationNs,
  loop,
  mpiFunction,
  rank,
  region,
  regions,
  samplerCount,
  thread,
  time,
  worldSize,
  type WrittenAttribute,
} from "./caliWriter";

async function read(
  text: string | Uint8Array,
  hierarchy: Hierarchy = "combined",
  pieceBytes?: number,
): Promise<DataSet> {
  const recording = await readCali(memorySource(text, "test.cali"), hierarchy, quietTask, pieceBytes);
  return assemble("test", [recording], quietTask);
}

/** `path @rank → value` of a metric. */
function valuesOf(dataSet: DataSet, name: string): Record<string, number> {
  const paths = pathsOf(dataSet);
  const entries = [...cellsOf(dataSet, metricNamed(dataSet, name))].map(([context, place, value]) => [
    `${paths[context].join("/")} @${dataSet.locations[place].rank}`,
    value,
  ]);
  return Object.fromEntries(entries) as Record<string, number>;
}

function attribute(name: string, type: WrittenAttribute["type"], properties: number, metadata = {}): WrittenAttribute {
  return { name, type, properties, metadata };
}

const source = (what: string, of: string) => attribute(`${what}#${of}`, "string", 84);
const pc = "cali.sampler.pc";
const calls = "callpath.address";
const frequency = attribute("sample.frequency", "int", 1548);

function profile(): CaliWriter {
  const out = new CaliWriter();
  for (const of of [0, 1, 2]) {
    out.snapshot(
      [],
      [
        [rank, of],
        [time, "8.8711e-05"],
      ],
    );
    out.snapshot(
      [regions("main")],
      [
        [rank, of],
        [time, 0.25 * (of + 1)],
      ],
    );
    out.snapshot(
      [
        [
          [region, "main"],
          [loop, "step"],
        ],
      ],
      [
        [rank, of],
        [time, "1.5"],
      ],
    );
    out.snapshot(
      [
        [
          [region, "main"],
          [loop, "step"],
          [mpiFunction, "MPI_Send"],
        ],
      ],
      [
        [rank, of],
        [time, "0.302794"],
      ],
    );
  }
  out.globals([
    [worldSize, "3"],
    [channel, "profile"],
  ]);
  return out;
}

function events(): CaliWriter {
  const out = new CaliWriter(1000n, 3n);
  const begin = attribute("event.begin#region", "string", 84);
  const iteration = attribute("iteration#step", "int", 21, { "class.iteration": "true" });
  const offset = attribute("time.offset.ns", "uint", 85, { "time.unit": "nsec" });
  const count = attribute("region.count", "uint", 2133);
  let clock = 0;
  for (const at of [0, 1, 2, 3]) {
    out.snapshot(
      [
        [
          [region, "main"],
          [begin, "work"],
        ],
      ],
      [
        [iteration, at],
        [rank, 0],
        [offset, (clock += 7)],
        [durationNs, 7],
      ],
    );
    out.snapshot(
      [regions("main", "work")],
      [
        [iteration, at],
        [rank, 0],
        [count, 1],
        [offset, (clock += 11)],
        [durationNs, 11],
      ],
    );
  }
  out.globals([[channel, "event-trace"]]);
  return out;
}

function samples(): CaliWriter {
  const out = new CaliWriter();
  const sample = (path: string[], functions: string[], module: string, place: string): Branch[] => [
    [
      [source("module", pc), module],
      [source("source.function", pc), functions.at(-1) ?? ""],
      [source("sourceloc", pc), place],
      ...functions.map((name) => [source("source.function", calls), name] as const),
    ],
    regions(...path),
  ];
  const app = "/home/user/app";
  out.snapshot(
    sample(
      ["main", "solve"],
      ["_start", "main", "ns::Solver<double>::solve(int)", "dot(Vec const&)"],
      app,
      "src/dot.cpp:7",
    ),
    [
      [rank, 0],
      [samplerCount, 5],
    ],
  );
  out.snapshot(
    sample(["main", "solve"], ["_start", "main", "ns::Solver<double>::solve(int)"], app, "src/solver.cpp:12"),
    [
      [rank, 0],
      [samplerCount, 3],
    ],
  );
  out.snapshot(sample(["main", "solve"], ["_start", "main", "ns::Solver<double>::solve(int)"], app, "UNKNOWN:0"), [
    [rank, 1],
    [samplerCount, 2],
  ]);
  out.snapshot(sample([], ["clone", "poll"], "/lib/libc.so.6", "../poll.c:29"), [[samplerCount, 4]]);
  out.globals([
    [frequency, "100"],
    [channel, "sample-profile"],
  ]);
  return out;
}

readerLaws(
  { sniff: isCali, read: readCali },
  { profile: profile().text(), events: events().text(), samples: samples().text() },
);

describe("the .cali text format", () => {
  it("keeps values by path and rank, and time outside any region under a root of its own", async () => {
    const dataSet = await read(profile().text());
    expect(valuesOf(dataSet, "time")).toEqual({
      " @0": 8.8711e-5,
      " @1": 8.8711e-5,
      " @2": 8.8711e-5,
      "main @0": 0.25,
      "main @1": 0.5,
      "main @2": 0.75,
      "main/step @0": 1.5,
      "main/step @1": 1.5,
      "main/step @2": 1.5,
      "main/step/MPI_Send @0": 0.302794,
      "main/step/MPI_Send @1": 0.302794,
      "main/step/MPI_Send @2": 0.302794,
    });
    const { frames, tree } = dataSet;
    const origins = Array.from(tree.frame, (frame) => `${frames.nameOf(frame)}: ${frames.originOf(frame)}`);
    expect(origins).toEqual(["(no region): outside", "main: mark", "step: loop", "MPI_Send: mpi"]);
    expect(dataSet.globals).toEqual(
      new Map([
        ["mpi.world.size", ["3"]],
        ["cali.channel", ["profile"]],
      ]),
    );
    expect(dataSet.warnings).toEqual([]);
  });

  it("adds events up by path, whatever their iteration; counts are metrics, points in time are not", async () => {
    const dataSet = await read(events().text());
    expect(dataSet.metrics.map(({ name, unit, kind }) => [name, unit, kind])).toEqual([
      ["time.duration.ns", "s", "time"],
      ["region.count", "1", "count"],
    ]);
    expect(valuesOf(dataSet, "time.duration.ns")).toEqual({ "main @0": 28e-9, "main/work @0": 44e-9 });
    expect(valuesOf(dataSet, "region.count")).toEqual({ "main/work @0": 4 });
    expect(dataSet.records).toBe(8);
  });

  it("does not depend on the order of records, bit for bit", async () => {
    const text = profile().text() + "";
    const definitions = text.split("\n").filter((line) => line.startsWith("__rec=node"));
    const records = text.split("\n").filter((line) => line.startsWith("__rec=ctx"));
    const closing = text.split("\n").filter((line) => line.startsWith("__rec=globals"));
    const tenths = records.flatMap((line) => [line, line.replace(/=[^=]*$/, "=0.1"), line.replace(/=[^=]*$/, "=1e16")]);
    const forward = await read([...definitions, ...tenths, ...closing, ""].join("\n"));
    const backward = await read([...definitions, ...tenths.reverse(), ...closing, ""].join("\n"));
    expect(plainDataSet(backward)).toEqual(plainDataSet(forward));
  });

  it("reads keys in any order, several branches a record, and unescapes names", async () => {
    const out = new CaliWriter();
    const odd = "comma, equals= back\\slash\nnewline";
    out.snapshot([regions("main", odd), [[loop, "inner"]]], [[time, 2]]);
    out.globals([[channel, "x"]]);
    const turned = out.lines.map((line) => {
      const fields = line.match(/(?:\\[^]|[^,\\])+/g) ?? [];
      return fields.reverse().join(",");
    });
    for (const text of [out.text(), `${turned.join("\n")}\n`])
      expect(valuesOf(await read(text), "time")).toEqual({ [`main/${odd}/inner @-1`]: 2 });
  });

  it("keeps records without a rank apart from those with one", async () => {
    const dataSet = await read(
      new CaliText().record("main", [[time, 1]]).record("main", [
        [rank, 3],
        [time, 2],
      ]).text,
    );
    expect(dataSet.locations.map((place) => place.rank)).toEqual([-1, 3]);
    expect(valuesOf(dataSet, "time")).toEqual({ "main @-1": 1, "main @3": 2 });
  });

  it("keeps threads, by the programming model's number where there are two", async () => {
    const pthread = attribute("pthread.id", "uint", 85);
    const text = new CaliText()
      .record("main", [
        [rank, 0],
        [pthread, "140213"],
        [thread, 1],
        [time, 1],
      ])
      .record("main", [
        [rank, 0],
        [pthread, "140213"],
        [time, 2],
      ]).text;
    expect((await read(text)).locations.map((place) => place.thread)).toEqual([1, 140213]);
  });

  it("takes ids beyond 2^53 apart", async () => {
    const out = new CaliWriter(9007199254740992n, 1n);
    for (const name of ["a", "b", "c"]) out.snapshot([regions("main", name)], [[time, 1]]);
    out.globals([[channel, "x"]]);
    expect(Object.keys(valuesOf(await read(out.text()), "time"))).toEqual(["main/a @-1", "main/b @-1", "main/c @-1"]);
  });

  it("takes names that objects have for names", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", ""];
    const out = new CaliWriter();
    for (const name of names)
      out.snapshot(
        [regions(name)],
        [
          [time, 1],
          [attribute(name || "empty", "double", 2113), 5],
        ],
      );
    out.globals(names.filter(Boolean).map((name) => [attribute(name, "string", 1612), name] as const));
    const dataSet = await read(out.text());
    expect(Object.keys(valuesOf(dataSet, "time")).sort()).toEqual(names.map((name) => `${name} @-1`).sort());
    expect(dataSet.globals.get("__proto__")).toEqual(["__proto__"]);
    expect(dataSet.metrics.map(({ name }) => name)).toContain("__proto__");
  });

  it("reads a name of 100,000 characters and a tree 100,000 deep", async () => {
    const long = "x".repeat(100_000);
    expect(pathsOf(await read(new CaliText().record(long, [[time, 1]]).text, "combined", 4096))).toEqual([[long]]);
    const deep = new CaliWriter();
    const leaf = { id: "" };
    deep.attribute(region);
    const regionId = deep.attribute(region);
    const timeId = deep.attribute(time);
    for (let at = 0; at < 100_000; at++) {
      const id = String(100_000 + at);
      deep.lines.push(`__rec=node,id=${id},attr=${regionId},data=r${at % 10}${leaf.id && `,parent=${leaf.id}`}`);
      if (at % 1000 === 999) deep.lines.push(`__rec=ctx,ref=${id},attr=${timeId},data=1`);
      leaf.id = id;
    }
    deep.globals([[channel, "x"]]);
    const dataSet = await read(deep.text());
    expect(dataSet.tree.size).toBe(100_000);
    expect([...cellsOf(dataSet, 0)]).toHaveLength(100);
  });

  it("takes numbers as Caliper writes them, nan and inf counted and left out of sums", async () => {
    const count = attribute("hits", "uint", 2113);
    const text = new CaliText()
      .record("a", [
        [time, "nan"],
        [count, "18446744073709551615"],
      ])
      .record("a", [[time, "1e-05"]])
      .record("b", [[time, "-nan"]])
      .record("c", [[time, "-inf"]])
      .record("d", [[time, "1.79769e+308"]])
      .record("e", [[time, "-12"]])
      .record("f", [[time, "0.1234567890123456789"]]).text;
    const dataSet = await read(text);
    expect(valuesOf(dataSet, "time")).toEqual({
      "a @-1": 1e-5,
      "b @-1": Number.NaN,
      "c @-1": -Infinity,
      "d @-1": 1.79769e308,
      "e @-1": -12,
      "f @-1": 0.1234567890123456789,
    });
    expect(valuesOf(dataSet, "hits")).toEqual({ "a @-1": 18446744073709551615 });
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      "time has 3 values that are nan or inf: they are left out of sums",
    ]);
  });
});

describe("families of aggregated names", () => {
  const of = (name: string, metadata = {}) => attribute(name, "double", 65, metadata);

  it("offer the sum, with minimum and maximum beside it, and none of the helpers", async () => {
    const family = ["sum", "min", "max", "avg", "avg.sum", "avg.count"].map((one) => of(`${one}#sum#time.duration`));
    const slot = attribute("min#min#aggregate.slot", "uint", 2113, { "attribute.alias": "Node order" });
    const text = new CaliText({ worldSize: "4" }).record("main", [
      ...family.map((one, at) => [one, at + 0.5] as const),
      [slot, 3],
    ]).text;
    const { metrics } = await read(text);
    expect(
      metrics.map(({ recordedName, additive, reducedOverRanks, minimum, maximum }) => ({
        recordedName,
        additive,
        reducedOverRanks,
        minimum,
        maximum,
      })),
    ).toEqual([
      { recordedName: "sum#sum#time.duration", additive: true, reducedOverRanks: true, minimum: 1, maximum: 2 },
      { recordedName: "min#sum#time.duration", additive: false, reducedOverRanks: true },
      { recordedName: "max#sum#time.duration", additive: false, reducedOverRanks: true },
    ]);
  });

  it("take the average over ranks where no sum was recorded, and say so", async () => {
    const text = new CaliText({ worldSize: "4" }).record("main", [[of("avg#sum#time.duration"), 0.5]]).text;
    const { metrics } = await read(text);
    expect(metrics).toMatchObject([
      { additive: true, reducedOverRanks: true, note: expect.stringContaining("averages") },
    ]);
  });

  it("store the exclusive value where a tool gives the inclusive one too, or only that one", async () => {
    const inclusive = of("inclusive#sum#time.duration");
    const tree = (text: CaliText) =>
      text
        .record("main", [[inclusive, 10.5]])
        .record("main/a/b", [[inclusive, 4.5]])
        .record("main/a/c", [[inclusive, 1]])
        .record("main/d", [[inclusive, 2]]);
    const only = await read(tree(new CaliText()).text);
    // `a` has no value of its own: what lies below it is taken from `main`.
    expect(valuesOf(only, "inclusive#sum#time.duration")).toEqual({
      "main @-1": 3,
      "main/a/b @-1": 4.5,
      "main/a/c @-1": 1,
      "main/d @-1": 2,
    });
    const both = await read(tree(new CaliText()).record("main", [[of("sum#time.duration"), 2.5]]).text);
    expect(both.metrics.map(({ recordedName }) => recordedName)).toEqual(["sum#time.duration"]);
    expect(valuesOf(both, "sum#time.duration")).toEqual({ "main @-1": 2.5 });
  });

  it("keep a negative difference in the sums, and warn where it is more than rounding", async () => {
    const inclusive = of("inclusive#sum#time.duration");
    const less = (by: number) =>
      new CaliText().record("main", [[inclusive, 1]]).record("main/a", [[inclusive, 1 + by]]).text;
    const rounded = await read(less(1e-9));
    expect(rounded.warnings).toEqual([]);
    expect(valuesOf(rounded, "inclusive#sum#time.duration")["main @-1"]).toBeLessThan(0);
    expect((await read(less(0.5))).warnings).toMatchObject([{ message: expect.stringContaining("negative") }]);
  });

  it("tell units by metadata, by name, and for old files by whether numbers are whole", async () => {
    const cases: [string, object, string, number][] = [
      ["sum#time.duration.ns", {}, "5e9", 5],
      ["time.duration", { "time.unit": "usec" }, "5e6", 5],
      ["time.duration", {}, "5000000", 5],
      ["time.duration", {}, "5.25", 5.25],
      ["sum#scale#cupti.activity.duration", {}, "5.5", 5.5],
      ["x", { "attribute.unit": "MB" }, "5.5", 5.5e6],
      ["x", { "attribute.unit": "Byte" }, "5", 5],
      ["x", { "attribute.unit": "furlong" }, "5", 5],
    ];
    for (const [name, metadata, text, value] of cases)
      expect(valuesOf(await read(new CaliText().record("main", [[of(name, metadata), text]]).text), name)).toEqual({
        "main @-1": value,
      });
  });
});

describe("samples", () => {
  it("hang below the innermost region, after the last call that is a region's function", async () => {
    const dataSet = await read(samples().text());
    expect(dataSet.hierarchies).toEqual(["combined", "regions", "callPaths"]);
    expect(valuesOf(dataSet, "count")).toEqual({
      "clone/poll/../poll.c:29 @-1": 4,
      "main/solve @1": 2,
      "main/solve/dot(Vec const&)/src/dot.cpp:7 @0": 5,
      "main/solve/src/solver.cpp:12 @0": 3,
    });
  });

  it("make call paths or regions alone, with as many samples", async () => {
    expect(valuesOf(await read(samples().text(), "regions"), "count")).toEqual({
      " @-1": 4,
      "main/solve @0": 8,
      "main/solve @1": 2,
    });
    const solve = "_start/main/ns::Solver<double>::solve(int)";
    expect(valuesOf(await read(samples().text(), "callPaths"), "count")).toEqual({
      "clone/poll/../poll.c:29 @-1": 4,
      [`${solve} @1`]: 2,
      [`${solve}/dot(Vec const&)/src/dot.cpp:7 @0`]: 5,
      [`${solve}/src/solver.cpp:12 @0`]: 3,
    });
  });

  it("give time by their frequency, and functions their load module", async () => {
    const dataSet = await read(samples().text());
    expect(dataSet.metrics.map(({ name, unit }) => [name, unit])).toEqual([
      ["time", "s"],
      ["count", "1"],
    ]);
    expect(valuesOf(dataSet, "time")["main/solve @1"]).toBe(0.02);
    const { frames, tree } = dataSet;
    const all = Array.from(tree.frame, (frame) => frames.get(frame as never));
    expect(all.find(({ name }) => name === "dot(Vec const&)")).toEqual({
      name: "dot(Vec const&)",
      kind: "function",
      module: "/home/user/app",
    });
    expect(all.find(({ kind }) => kind === "line")).toMatchObject({ file: "../poll.c", line: 29 });
  });
});

describe("damaged .cali files", () => {
  const main = () => new CaliText().record("main", [[time, 1]]);

  it("name the line of a reference to a node that is not there", async () => {
    const { text } = main();
    const lines = text.split("\n").length;
    await expect(read(`${text}__rec=ctx,ref=999\n`)).rejects.toThrow(`test.cali, line ${lines}: found node 999`);
    await expect(read(`${text}__rec=node,id=5000,attr=8,data=x,parent=5000\n`)).rejects.toThrow(
      `line ${lines}: found node 5000`,
    );
    await expect(read(`${text}__rec=ctx,attr=998,data=1\n`)).rejects.toThrow(`line ${lines}: found attribute 998`);
    await expect(read(`${text}__rec=node,id=5000,attr=12,data=x\n`)).rejects.toThrow(
      `line ${lines}: found attribute 12`,
    );
  });

  it("go on after unknown records, unknown keys and lines that are none, with a warning and its line", async () => {
    const { text } = main();
    const lines = text.split("\n").length;
    const dataSet = await read(`${text}__rec=future,x=1\n__rec=ctx,newkey=5,data=1\nrubbish\n\n__rec=ctx,attr=1\n`);
    expect(dataSet.warnings.map(({ message, at }) => [at, message.slice(0, 28)])).toEqual([
      [{ line: lines }, 'key "x" is not known: the re'],
      [{ line: lines + 1 }, 'key "newkey" is not known: t'],
      [{ line: lines + 2 }, 'key "rubbish" is not known: '],
      [{ line: lines }, 'records of kind "future" are'],
      [{ line: lines + 4 }, "the record has 1 attributes "],
    ]);
    expect(valuesOf(dataSet, "time")).toEqual({ "main @-1": 1 });
  });

  it("keep the first node of a repeated id", async () => {
    const { text } = main();
    const [, id] = /id=(\d+),attr=\d+,data=main/.exec(text) ?? [];
    const dataSet = await read(`${text}__rec=node,id=${id},attr=8,data=other\n`);
    expect(dataSet.warnings).toMatchObject([{ message: expect.stringContaining(`node ${id} was defined before`) }]);
  });

  it("say at which byte they were cut", async () => {
    const { text } = main();
    const cut = text.slice(0, -3);
    expect((await read(cut)).warnings).toMatchObject([
      { at: { byte: cut.length }, message: expect.stringContaining("middle of a line") },
    ]);
    const lines = text.split("\n").slice(0, -2).join("\n") + "\n";
    expect((await read(lines)).warnings).toMatchObject([
      { at: { byte: lines.length }, message: expect.stringContaining("globals") },
    ]);
  });

  it("keep names whose bytes are no UTF-8", async () => {
    const { text } = main();
    const bytes = Buffer.from(text.replaceAll("data=main", "data=ma\u00ffn"), "latin1");
    expect(pathsOf(await read(bytes))).toEqual([["ma\ufffdn"]]);
  });
});

/** A stream with records of one region path each. */
class CaliText {
  private readonly out = new CaliWriter();

  constructor(private readonly run: { worldSize?: string } = {}) {}

  record(path: string, values: readonly (readonly [WrittenAttribute, string | number])[]): this {
    this.out.snapshot([path.length < 1000 ? regions(...path.split("/")) : regions(path)], values);
    return this;
  }

  get text(): string {
    const size = this.run.worldSize === undefined ? [] : [[worldSize, this.run.worldSize] as const];
    this.out.globals([[channel, "test"], ...size]);
    return this.out.text();
  }
}
