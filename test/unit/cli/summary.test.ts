import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { onlyOne, openData } from "../../../src/cli/openData";
import { summaryArguments } from "../../../src/cli/summaryCommand";
import type { Engine } from "../../../src/engine/api";
import { AmbiguityError } from "../../../src/model/errors";
import { miniheat, recordings } from "../../recordings";
import { isFull } from "../randomCases";
import { profile, read } from "../formats/caliper/caliFixtures";
import { CaliWriter, rank, regions, thread, time } from "../formats/caliper/caliWriter";
import { ArgumentError, engineWith, exported, linesOf, summarized } from "./commands";
import { writtenWithGpus } from "../formats/tracker/gpuWriter";
import { traced } from "./tracedDataSet";

const profiles = path.join(miniheat, "profiles");
const shared = recordings();
const trace = (name: string) => path.join(profiles, "trace", name);

/** The keys of semantics 7, in their order. */
const keys = [
  "format",
  "version",
  "runs",
  "locations",
  "contexts",
  "metrics",
  "functions",
  "lines",
  "lanes",
  "events",
  "messages",
  "globals",
  "warnings",
  "seconds",
  "traceSeconds",
  "peakMemoryBytes",
];

describe("heatflow summary", () => {
  it("has a column for names, as wide as the longest one", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-summary-"));
    const file = path.join(folder, "heatflow-1.json");
    const faulted = { what: "faulted", name: "", device: 0, stream: 7, hasCaller: true } as const;
    fs.writeFileSync(file, writtenWithGpus([{ ...faulted, start: 0, duration: 1000, bytes: 0 }]));
    const lines = (await summarized([file])).split("\n");
    fs.rmSync(folder, { recursive: true });
    expect(lines).toContain("  pagefaults.gpu 1");
    expect(lines).toContain("  runs           1");
  });

  it("prints what one recording holds as one object", async () => {
    const summary = JSON.parse(await summarized([path.join(profiles, "profile-8ranks.cali"), "--json"]));
    expect(Object.keys(summary)).toEqual(keys);
    // 24 region paths and the total of 21.525859464 s are what cali-query prints of this file.
    expect(summary).toMatchObject({
      format: "caliper-cali",
      version: "2.15.0-dev",
      runs: 1,
      locations: { ranks: 8, threads: 0, streams: 0 },
      contexts: 24,
      metrics: [{ name: "time", unit: "s", total: 21.525859464 }],
      lines: 0,
      lanes: 0,
      events: 0,
      messages: { count: 0, bytes: 0 },
      warnings: [],
    });
    expect(summary.globals["mpi.world.size"]).toBe("8");
    expect(summary.seconds).toBeGreaterThan(0);
    expect(summary.traceSeconds).toBeNull();
    expect(summary.peakMemoryBytes).toBeGreaterThan(20e6);
    expect(summary.peakMemoryBytes).toBeGreaterThan(process.memoryUsage().heapUsed);
  });

  it("counts distinct lines of samples, and total samples", async () => {
    const summary = JSON.parse(await summarized([path.join(profiles, "samples-1rank.cali"), "--json"]));
    // Golden file samples-1rank.by-line.json: 50 lines and records without one; 2,177 samples at 1,000 Hz.
    expect(summary.metrics).toEqual([
      { name: "time", unit: "s", total: expect.closeTo(2.177, 12) },
      { name: "count", unit: "1", total: 2177 },
    ]);
    expect(summary.lines).toBeGreaterThan(0);
  });

  it("counts threads and streams apart from ranks", async () => {
    const out = new CaliWriter();
    for (const number of [0, 1, 2])
      out.snapshot(
        [regions("main")],
        [
          [time, 1],
          [rank, 4],
          [thread, number],
        ],
      );
    const summary = JSON.parse(await summarized(["x", "--json"], engineWith(await read(out.text()))));
    expect(summary.locations).toEqual({ ranks: 1, threads: 3, streams: 0 });
  });

  it("counts lanes, events, and messages with their bytes", async () => {
    const summary = JSON.parse(await summarized(["x", "--json"], engineWith(await traced())));
    expect(summary).toMatchObject({ lanes: 3, events: 5, messages: { count: 2, bytes: 3072 } });
  });

  it("counts the messages of one rank that the others would have received, and not those that it received", async () => {
    // Golden file messages.matrix.json of cali-query: rank 0 sends 93 messages, 190,464 bytes, to each of ranks 1, 2 and 4.
    const alone = JSON.parse(await summarized([trace("messages-0.cali"), "--json"]));
    expect(alone.messages).toEqual({ count: 3 * 93, bytes: 3 * 190_464 });
  });

  const recorded: [string, string[]][] = [
    ["one rank's sends and receives", [trace("messages-0.cali")]],
    ["three ranks of eight", [0, 1, 5].map((rank) => trace(`messages-${rank}.cali`))],
    ["all ranks", [...Array(8).keys()].map((rank) => trace(`messages-${rank}.cali`))],
  ];
  if (shared !== undefined)
    for (const name of ["links.trace", ...(isFull ? ["smpi-cg64.trace.gz"] : []), "native_sample.trace"])
      recorded.push([name, [path.join(shared, "data/paje/traces", name)]]);

  it.each(recorded)("counts as many messages as export --messages has lines, and their bytes: %s", async (_, files) => {
    const { messages } = JSON.parse(await summarized([...files, "--json"]));
    const lines = linesOf<{ bytes?: number }>((await exported([...files, "--messages"])).text);
    expect(messages).toEqual({ count: lines.length, bytes: lines.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) });
  });

  it("prints a list, each with its name, where the files belong to several runs", async () => {
    const dataSet = await read(profile().text());
    const text = await summarized(["x", "--json"], engineWith(dataSet, { ...dataSet, name: "other" }));
    const list = JSON.parse(text) as Record<string, unknown>[];
    expect(list.map(({ name }) => name)).toEqual(["test", "other"]);
    expect(Object.keys(list[0])).toEqual(["name", ...keys]);
  });

  it("calls recordings of one name by the folders that tell them apart", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-summary-"));
    const files = ["O1", "O3"].map((name) => path.join(folder, name, "callgrind.out.1"));
    for (const file of files) {
      fs.mkdirSync(path.dirname(file));
      fs.writeFileSync(file, `events: Ir\ncmd: ./prog\nfl=a.c\nfn=main\n1 5\ntotals: 5\n`);
    }
    const list = JSON.parse(await summarized([...files, "--json"])) as { name: string }[];
    expect(list.map(({ name }) => name)).toEqual(["O1/callgrind.out.1", "O3/callgrind.out.1"]);
    expect(await summarized(files)).toMatch(/^O1\/callgrind\.out\.1\n[^]*\nO3\/callgrind\.out\.1\n/);
    fs.rmSync(folder, { recursive: true });
  });

  it("prints the imbalance of computing beside that of all", async () => {
    expect(await summarized([path.join(profiles, "profile-8ranks.cali")])).toMatch(
      /^ {2}imbalance +computing 2\.20×, ranks 0, 4 · all 1\.01×$/m,
    );
  });

  it("prints a table for people", async () => {
    const table = await summarized([path.join(profiles, "profile-8ranks.cali")]);
    expect(table).toMatch(/^profile-8ranks\.cali\n/);
    expect(table).toMatch(/ranks +8\n/);
    expect(table).toMatch(/format +Caliper 2\.15\.0-dev\n/);
    expect(table).toMatch(/time +21\.5 s\n/);
  });
});

it("an empty name, such as of a variable that is not set, is no folder to read", () => {
  expect(() => summaryArguments([""], "/")).toThrow(ArgumentError);
});

describe("files that could be several things", () => {
  const question = new AmbiguityError("Is it one run or two?", [
    { id: "one", label: "One run", detail: "a file a process" },
    { id: "two", label: "Two runs", detail: "a run a file" },
  ]);
  const engine = {
    open: ({ answer }: { answer?: string }) => (answer === "one" ? Promise.resolve([]) : Promise.reject(question)),
  } as unknown as Engine;

  it("are asked about with the answers that there are, which is a matter of arguments", async () => {
    const asked = openData(engine, { paths: ["/x"] });
    await expect(asked).rejects.toThrow(ArgumentError);
    await expect(asked).rejects.toThrow(
      /Is it one run or two\? Say it with\n {2}--as one {3}One run: a file a process/,
    );
    await expect(openData(engine, { paths: ["/x"], answer: "three" })).rejects.toThrow(/there is no answer 'three'/);
  });

  it("are taken for one of these where the reader names it, and the other is said", async () => {
    const { question: text, choices } = question;
    const infos = await engineWith(await read(profile().text()), await read(profile().text())).open({ paths: [] });
    const open = ({ answer }: { answer?: string }) =>
      answer === "two" ? Promise.resolve(infos) : Promise.reject(new AmbiguityError(text, choices, "two"));
    const opened = await openData({ open } as unknown as Engine, { paths: ["/x"] });
    const said = "the files are taken as Two runs; --as one takes them as One run";
    expect(opened.map(({ warnings }) => warnings.map(({ message }) => message))).toEqual([[said], []]);
    expect(() => onlyOne(opened)).toThrow(
      `; give the files of one:\n  test.cali  # test\n  test.cali  # test\n${said}`,
    );
    await expect(openData({ open } as unknown as Engine, { paths: ["/x"], answer: "three" })).rejects.toThrow(
      /there is no answer 'three'/,
    );
  });

  it("open with the answer", async () => {
    await expect(openData(engine, { paths: ["/x"], answer: "one" })).resolves.toEqual([]);
    const asked: unknown[] = [];
    const one = engineWith(await read(profile().text()));
    const { open } = one;
    one.open = (request) => (asked.push(request.answer), open.call(one, request));
    await exported(["x", "--as", "one"], one);
    await summarized(["x", "--as", "two"], one);
    expect(asked).toEqual(["one", "two"]);
  });
});
