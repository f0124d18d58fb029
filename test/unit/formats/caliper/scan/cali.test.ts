import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCali, readCali } from "../../../../../src/formats/caliper/scan/cali";
import { cellsOf, pathsOf, plainDataSet } from "../../plainDataSet";
import { readerLaws } from "../../readerLaws";
import { attribute, CaliText, events, profile, read, samples, valuesOf } from "../caliFixtures";
import { CaliWriter, channel, loop, rank, region, regions, thread, time } from "../caliWriter";

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

  it("counts a last line that lacks only its line end", async () => {
    const { text } = new CaliText({ worldSize: "4" }).record("main", [[time, "0.25"]]);
    const whole = await read(text);
    const without = await read(text.slice(0, -1));
    expect(plainDataSet(without)).toEqual(plainDataSet(whole));
    expect(without.globals.get("mpi.world.size")).toEqual(["4"]);
    expect(without.warnings).toEqual([]);
    expect(plainDataSet(await read(text.replaceAll("\n", "\r\n").slice(0, -1)))).toEqual(plainDataSet(whole));
    // Of a record nothing says whether its last number is whole: it counts, and that is said.
    const cut = await read(/^[^]*__rec=ctx.*/.exec(text)?.[0] ?? "");
    expect(valuesOf(cut, "time")).toEqual({ "main @-1": 0.25 });
    expect(cut.warnings).toMatchObject([
      { message: expect.stringMatching(/no line end: it was read, but its last value may be cut/) },
    ]);
    for (const rest of [
      "__rec=ctx,ref=12",
      "__rec=node,id=9000,attr=8,data=x",
      "__rec=ctx,ref=999999,attr=8,data=1",
      "__rec=globals",
      "__rec=ctx,attr=8=8,data=1",
    ]) {
      const { warnings, records } = await read(text + rest);
      expect([records, warnings.map(({ message }) => message)]).toEqual([
        1,
        [expect.stringContaining("middle of a line")],
      ]);
    }
  });

  it("takes metadata of an attribute that is defined later", async () => {
    const lines = [
      "__rec=node,id=100,attr=300,data=msec,parent=5", // the unit, of an attribute that comes below
      "__rec=node,id=101,attr=10,data=2113,parent=100",
      "__rec=node,id=102,attr=8,data=sum#x,parent=101",
      "__rec=node,id=299,attr=10,data=64,parent=3",
      "__rec=node,id=300,attr=8,data=attribute.unit,parent=299",
      "__rec=ctx,attr=102,data=5",
      "__rec=globals",
      "",
    ];
    const { metrics, values } = await read(lines.join("\n"));
    expect(metrics.map(({ name, unit }) => [name, unit])).toEqual([["sum#x", "s"]]);
    expect(Array.from(values[0].value)).toEqual([0.005]);
    // Regions must be known when records use them.
    const nested = lines.map((line) => line.replace("id=299,attr=10,data=64", "id=299,attr=10,data=276"));
    await expect(read(nested.join("\n"))).rejects.toThrow("test.cali, line 1: found attribute 300");
    await expect(read(lines.filter((line) => !line.includes("id=300")).join("\n"))).rejects.toThrow(
      "test.cali, line 1: found attribute 300, which no record before this line defines",
    );
  });

  it("reads every number as its text says, to the last bit", async () => {
    const digits = fc.oneof(fc.stringMatching(/^[1-9]\d{0,14}$/), fc.stringMatching(/^[1-9]\d{16,19}$/));
    const number = fc.oneof(
      digits,
      fc.tuple(digits, digits).map(([a, b]) => `${a}.${b}`),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 20 }), async (numbers) => {
        const text = new CaliText();
        for (const [at, one] of numbers.entries())
          text.record("main", [
            [rank, at],
            [time, one],
          ]);
        const dataSet = await read(text.text);
        expect([...cellsOf(dataSet, 0)].map(([, , value]) => value)).toEqual(numbers.map((one) => Number(one) + 0));
      }),
    );
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

  it("are distinguished from other text quickly", () => {
    const start = performance.now();
    for (const text of [
      " ".repeat(70_000),
      "#\n".repeat(35_000),
      "a=,".repeat(30_000),
      "a".repeat(70_000),
      "\n#".repeat(30_000),
    ])
      expect(isCali(Buffer.from(text))).toBe(false);
    // Quadratic would still pass; what this is about is a pattern that takes longer than the universe lasts.
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(isCali(Buffer.from("# comment\n\n__rec=node,id=1"))).toBe(true);
  });

  it("keep names whose bytes are no UTF-8", async () => {
    const { text } = main();
    const bytes = Buffer.from(text.replaceAll("data=main", "data=ma\u00ffn"), "latin1");
    expect(pathsOf(await read(bytes))).toEqual([["ma\ufffdn"]]);
  });
});
