import { describe, expect, it } from "vitest";
import { hpctoolkitV4 } from "../../../../../src/formats/hpctoolkit/v4/format";
import type { DataSet } from "../../../../../src/model/dataSet";
import { functionsOf } from "../../../../../src/model/functions";
import { FormatError } from "../../../../../src/model/errors";
import { NONE } from "../../../../../src/model/ids";
import { cellsOf, metricNamed, pathsOf } from "../../plainDataSet";
import { type Fixture, formatLaws, plain, readFixture } from "../../formatLaws";
import { small } from "./programs";
import { metaDb } from "./metaWriter";
import { database } from "./writer";

formatLaws(hpctoolkitV4, { "a database": database(small()) }, ["meta.db", "profile.db", "trace.db"]);

async function read(fixture: Fixture, open?: string[]): Promise<DataSet> {
  const dataSets = await readFixture(hpctoolkitV4, fixture, { open });
  expect(dataSets).toHaveLength(1);
  return dataSets[0];
}

/** `path @ rank or stream` → value, of paths that begin below the entry point. */
function valuesOf(dataSet: DataSet, metric: string): Record<string, number> {
  const paths = pathsOf(dataSet);
  const values: Record<string, number> = {};
  for (const [context, at, value] of cellsOf(dataSet, metricNamed(dataSet, metric))) {
    const { rank, stream } = dataSet.locations[at];
    if (value !== 0)
      values[`${paths[context].slice(1).join(" > ")} @${stream === NONE ? rank : `stream ${stream}`}`] = value;
  }
  return values;
}

const source = "/home/me/app/main.c";

describe("a database of HPCToolkit 4", () => {
  it("has exclusive values by context, rank and thread, from the tool's inclusive ones", async () => {
    const line11 = `main > ${source}:11 > solve(double*)`;
    const loop = `${line11} > loop at ${source}:5`;
    const send = `main > ${source}:12 > PMPI_Send`;
    const expected = (rank: number, scale: number) => ({
      [`${loop} > ${source}:6 @${rank}`]: 5 * scale,
      [`${loop} > ${source}:7 @${rank}`]: 8 * scale,
      [`${loop} > ${source}:7 > max @${rank}`]: scale,
      [`${line11} > app+0x1150 @${rank}`]: 2 * scale,
      [`${send} > [libmpi.so.12] @${rank}`]: 4 * scale,
    });
    const dataSet = await read(database(small()));
    expect(valuesOf(dataSet, "CPUTIME")).toEqual({ ...expected(0, 0.5), ...expected(1, 1) });
    // What a stream did is a metric of its own: it is never added to the time of threads.
    expect(valuesOf(dataSet, "CPUTIME (GPU streams)")).toEqual({ [`${loop} > ${source}:7 @stream 7`]: 7 });
    expect(dataSet.metrics.map(({ unit, additive }) => [unit, additive])).toEqual([
      ["s", true],
      ["s", false],
      ["s", true],
    ]);
    expect(dataSet.locations.map(({ rank, thread, device, stream }) => [rank, thread, device, stream])).toEqual([
      [0, NONE, 1, 7],
      [0, 0, NONE, NONE],
      [1, 0, NONE, NONE],
    ]);
    expect(dataSet.warnings).toEqual([
      { message: expect.stringContaining("1 samples in contexts that meta.db lacks") },
      { message: expect.stringContaining("samples have 5.50 s where the profile has 30.0 s of CPUTIME") },
    ]);
  });

  it("keeps what the tool shows as exclusive beside it, and never the scope point", async () => {
    const dataSet = await read(database(small()));
    const [time] = dataSet.metrics;
    expect(dataSet.metrics[time.toolExclusive ?? NONE]).toMatchObject({ name: "CPUTIME (lex_aware)", additive: false });
    const values = valuesOf(dataSet, "CPUTIME (lex_aware)");
    expect(values[`main > ${source}:11 > solve(double*) > loop at ${source}:5 @1`]).toBe(14);
    expect(Object.keys(values)).toHaveLength(16);
  });

  it("leaves out what meta.db has no context for, and counts it", async () => {
    const dataSet = await read(database(small()));
    expect(dataSet.notRecorded).toEqual(["8 values of 2 contexts that meta.db lacks were left out"]);
  });

  it("has functions with definition and load module, and lines that belong to them", async () => {
    const { frames, tree, sourceCopies } = await read(database(small()));
    const found = Array.from(tree.frame, (frame) => frames.get(frame as never));
    expect(found.find(({ name }) => name === "solve(double*)")).toEqual({
      name: "solve(double*)",
      kind: "function",
      file: source,
      line: 3,
      module: "/home/me/app",
      address: 0x1100,
    });
    // The library stands in the frame; brackets are no file.
    expect(found.find(({ name }) => name === "PMPI_Send")).toEqual({
      name: "PMPI_Send",
      kind: "function",
      module: "/usr/lib/libmpi.so.12",
      address: 0x20,
    });
    expect(found.find(({ name }) => name === "max")).toMatchObject({
      kind: "inlined",
      file: "/home/me/max.h",
      line: 2,
    });
    expect(found.find(({ kind }) => kind === "loop")).toMatchObject({ file: source, line: 5 });
    expect(found.find(({ kind }) => kind === "instruction")).toMatchObject({ module: "/home/me/app", address: 0x1150 });
    const functions = functionsOf(tree, frames);
    const names = Array.from(functions.frame, (frame) => frames.nameOf(frame));
    expect(names.sort()).toEqual(["PMPI_Send", "main", "main thread", "max", "solve(double*)"]);
    expect(sourceCopies).toEqual({
      folder: "/test/src",
      files: new Map([["/home/me/max.h", "/test/src/home/me/max.h"]]),
    });
  });

  it("draws a trace: each sample until the next one, the last one has no length, gaps where nothing ran", async () => {
    const { trace, frames } = await read(database(small()));
    expect(trace?.zeroNanoseconds).toBe(1_714_021_984_008_891_001n);
    const lanes: Record<string, unknown> = {};
    for (const [index, { name, events }] of (trace?.lanes ?? []).entries()) {
      const rows = await trace!.readEvents(index, 0, events);
      lanes[name] = Array.from(rows.frame, (frame, row) => [
        frames.nameOf(frame),
        rows.startSeconds[row],
        rows.endSeconds[row],
      ]);
    }
    expect(lanes).toEqual({
      "rank 0, thread 0": [["solve(double*)", 0.5, 3]],
      "rank 0, GPU 1, GPU context 3, stream 7": [["solve(double*)", 1e-9, 1e-9]],
      "rank 1, thread 0": [
        ["solve(double*)", 1.000000001, 2],
        ["PMPI_Send", 2, 4],
      ],
    });
    expect(trace?.categories.map(({ kind }) => kind).sort()).toEqual(["compute", "gpuCompute"]);
  });

  it("opens once, whichever of its files are given", async () => {
    const whole = await plain(await readFixture(hpctoolkitV4, database(small())));
    for (const open of [["trace.db"], ["profile.db", "cct.db"], ["cct.db", "meta.db", "profile.db", "trace.db"]])
      expect(await plain([await read(database(small()), open)])).toEqual(whole);
  });

  it("opens without values or traces, and says what is missing", async () => {
    const { "meta.db": meta, "profile.db": profile } = database(small());
    expect(await read({ "meta.db": meta })).toMatchObject({
      metrics: [],
      notRecorded: [
        "no profile.db in this database: there are no values",
        "no cct.db in this database: all values are those of profile.db",
        "no trace.db in this database: there is no trace",
      ],
    });
    const withoutTrace = await read({ "meta.db": meta, "profile.db": profile });
    expect(withoutTrace.trace).toBeUndefined();
    expect(withoutTrace.metrics).toHaveLength(3);
    await expect(read({ "profile.db": profile })).rejects.toThrow(/without meta\.db.*Copy the whole database folder/);
  });

  it("leaves out a damaged trace unless that is what was opened", async () => {
    const whole = database(small());
    const broken = { ...whole, "trace.db": whole["trace.db"].subarray(0, -9) };
    expect((await read(broken)).warnings).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^trace\.db was left out/) }),
    ]);
    await expect(read(broken, ["trace.db"])).rejects.toBeInstanceOf(FormatError);
    await expect(read({ ...whole, "profile.db": whole["profile.db"].subarray(0, -9) })).rejects.toBeInstanceOf(
      FormatError,
    );
  });

  it("takes the strides that the file stores, those of later versions too", async () => {
    const usual = small();
    const [narrow, wide] = [await read(database(usual)), await read(database({ ...usual, wider: 24 }))];
    expect(await plain([wide])).toEqual(await plain([narrow]));
  });

  it("keeps streams of one number apart where they are of two contexts of a GPU", async () => {
    const written = small();
    const [, whole] = written.profiles;
    const stream = (context: number) =>
      ({
        ...whole,
        ids: [
          [2, 0],
          [4, 0],
          [5, context],
          [6, 13],
        ],
      }) satisfies (typeof written.profiles)[number];
    const two = await read(database({ ...written, profiles: [stream(0), stream(1)], traces: [] }));
    expect(two.locations.map(({ device, gpuContext, stream: number }) => [device, gpuContext, number])).toEqual([
      [0, 0, 13],
      [0, 1, 13],
    ]);
    const one = await read(database({ ...written, profiles: [stream(1)], traces: [] }));
    expect(one.locations).toEqual([{ run: 0, node: NONE, rank: 0, thread: NONE, device: 0, stream: 13 }]);
  });

  it("takes the summary where there is nothing else", async () => {
    const written = small();
    const dataSet = await read(database({ ...written, profiles: written.profiles.slice(0, 1), traces: [] }));
    expect(dataSet.metrics[0]).toMatchObject({ name: "CPUTIME", reducedOverRanks: true });
    expect(dataSet.locations).toEqual([{ run: 0, node: NONE, rank: NONE, thread: NONE, device: NONE, stream: NONE }]);
    expect(valuesOf(dataSet, "CPUTIME")).toEqual({ "main @-1": 60 });
  });

  it("adds up processes that have no number, and says so", async () => {
    const written = small();
    const [, , half] = written.profiles;
    const dataSet = await read(database({ ...written, profiles: [half, half, half], traces: [] }));
    expect(dataSet.locations).toHaveLength(1);
    expect(valuesOf(dataSet, "CPUTIME")[`main > ${source}:12 > PMPI_Send > [libmpi.so.12] @0`]).toBe(6);
    expect(dataSet.warnings).toEqual([
      { message: expect.stringContaining("2 of 3 profiles have the same node, rank and thread") },
    ]);
  });

  it("refuses what is no version 4", async () => {
    const bytes = Buffer.from(metaDb(small()));
    bytes[14] = 5;
    await expect(read({ "meta.db": bytes })).rejects.toThrow(
      /byte 14: found version 5 of the format; expected version 4/,
    );
  });
});
