import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRecordings } from "../../../src/formats/registry";
import { AmbiguityError, CancelledError, FormatError, headline } from "../../../src/model/errors";
import { quietTask, taskOf } from "../../../src/model/task";
import { CaliWriter, channel, rank, regions, time, worldSize, type WrittenAttribute } from "./caliper/caliWriter";
import { metricNamed, plainDataSet } from "./plainDataSet";

let folder = "";
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-registry-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const start: WrittenAttribute = { name: "starttime.sec", type: "uint", properties: 1612 };

function write(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  return file;
}

/** A recording of some ranks. */
function recording(ranks: readonly number[], { size = "4", name = "profile", second = "100" } = {}): string {
  const out = new CaliWriter();
  for (const of of ranks)
    out.snapshot(
      [regions("main", `only${of}`)],
      [
        [rank, of],
        [time, of + 0.5],
      ],
    );
  out.globals([
    [worldSize, size],
    [channel, name],
    [start, second],
  ]);
  return out.text();
}

/** A recording of classic Caliper: a file per rank, with no rank inside. */
function withoutRank(of: number, size: string): string {
  const out = new CaliWriter();
  out.snapshot([regions("main")], [[time, of + 0.5]]);
  out.globals([
    [worldSize, size],
    [channel, "profile"],
  ]);
  return out.text();
}

const open = (...paths: string[]) => openRecordings(paths, {}, quietTask);
const ranksOf = (sets: Awaited<ReturnType<typeof open>>) =>
  sets.map(({ locations }) => locations.map(({ rank: of }) => of));

describe("opening recordings", () => {
  it("joins files of one run, in any order and with one named twice", async () => {
    const files = [write("c.txt", recording([2, 3])), write("a", recording([1])), write("b.json", recording([0]))];
    const [one, ...more] = await open(...files, files[0]);
    expect(more).toEqual([]);
    expect(ranksOf([one])).toEqual([[0, 1, 2, 3]]);
    expect(one.files.map((file) => path.basename(file))).toEqual(["a", "b.json", "c.txt"]);
    const [other] = await open(...files.reverse());
    expect(plainDataSet(other)).toEqual(plainDataSet(one));
    expect(one.recordedAt).toBe(100_000);
    expect(one.name).toBe(path.basename(folder));
  });

  it("keeps runs apart by world size, channel, and ranks that come twice", async () => {
    write("r/x0", recording([0], { second: "200" }));
    write("r/x1", recording([1], { second: "200" }));
    write("r/y0", recording([0], { second: "300" }));
    write("r/y1", recording([1], { second: "300" }));
    write("r/z", recording([2], { size: "8" }));
    write("r/w", recording([2], { name: "other" }));
    const sets = await open(path.join(folder, "r"));
    expect(sets.map(({ name }) => name)).toEqual(["w", "r/x*", "r/y*", "z"]);
    expect(ranksOf(sets)).toEqual([[2], [0, 1], [0, 1], [2]]);
  });

  it("never joins recordings without ranks", async () => {
    const serial = new CaliWriter();
    serial.snapshot([regions("main")], [[time, 1]]);
    serial.globals([[channel, "profile"]]);
    const sets = await open(write("a", serial.text()), write("b", serial.text()));
    expect(sets.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("asks whether files are ranks or runs where as many as the world has processes differ in one number only", async () => {
    const write8 = (folderName: string, first: number, size = "8") => {
      for (let at = 0; at < 8; at++) write(`${folderName}/rank-${first + at}.cali`, withoutRank(at, size));
    };
    write8("r", 0);
    const opened = (answer?: string, name = "r") => openRecordings([path.join(folder, name)], { answer }, quietTask);
    const asked = await opened().catch((problem: unknown) => problem);
    expect(asked).toBeInstanceOf(AmbiguityError);
    expect(asked).toMatchObject({
      question: expect.stringMatching(/^rank-0\.cali … rank-7\.cali: 8 runs, or 8 ranks of one run\?/),
      choices: [
        { id: "ranks", label: "8 ranks of one run" },
        { id: "runs", label: "8 runs" },
      ],
      otherwise: "runs",
    });
    await expect(opened("neither")).rejects.toBeInstanceOf(AmbiguityError);
    const [one, ...more] = await opened("ranks");
    expect(more).toEqual([]);
    expect(ranksOf([one])).toEqual([[0, 1, 2, 3, 4, 5, 6, 7]]);
    // Each rank's own value, not one of a recording that is reduced over ranks.
    expect(one.metrics.map(({ reducedOverRanks }) => reducedOverRanks)).toEqual([false]);
    expect(Array.from(one.values[0].value)).toEqual([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]);
    const runs = await opened("runs");
    expect(ranksOf(runs)).toEqual(runs.map(() => [-1]));
    expect(runs).toHaveLength(8);
    // Numbers that do not start at 0 are ranks in their order, by number and not by text.
    write8("later", 3);
    expect(ranksOf(await opened("ranks", "later"))).toEqual([[0, 1, 2, 3, 4, 5, 6, 7]]);
    expect(Array.from((await opened("ranks", "later"))[0].values[0].value)).toEqual(Array.from(one.values[0].value));
    // Other numbers of files than the world has processes are runs, and so are files whose names differ in more.
    write8("other", 0, "4");
    expect(await opened(undefined, "other")).toHaveLength(8);
    for (let at = 0; at < 2; at++) write(`names/run-${at}-of-${at}.cali`, withoutRank(at, "2"));
    expect(await opened(undefined, "names")).toHaveLength(2);
  });

  it("knows a format by its content, and leaves the folder's other files alone", async () => {
    write("d/profile.png", recording([0]));
    write("d/notes.cali", "Meeting at ten.\n");
    write("d/empty.cali", "");
    write("d/inner/deeper.cali", recording([1]));
    const sets = await open(path.join(folder, "d"));
    expect(sets.map(({ name }) => name)).toEqual(["profile.png"]);
    expect(metricNamed(sets[0], "time")).toBe(0);
    write("d/README", "What is what.");
    expect((await open(path.join(folder, "d")))[0].warnings).toEqual([
      {
        message: expect.stringMatching(/^1 of 3 files opened; left out: found an empty file; .* record again\.$/),
        file: path.join(folder, "d/empty.cali"),
        at: { byte: 0 },
      },
      {
        message: expect.stringMatching(/^left out: found text of a format that is not known/),
        file: path.join(folder, "d/notes.cali"),
        at: { byte: 0 },
      },
    ]);
  });

  it("leaves an empty file out that is named beside others, as a pattern names it, and says so", async () => {
    const files = [write("run/cg.out", ""), write("run/cg.out-01", recording([0]))];
    const [{ warnings }, ...more] = await open(...files);
    expect(more).toEqual([]);
    expect(warnings).toMatchObject([
      { message: expect.stringMatching(/^1 of 2 files opened; left out: found an empty file/), file: files[0] },
    ]);
    await expect(open(files[0])).rejects.toThrow(/found an empty file/);
    await expect(open(files[0], write("run/other.out", ""))).rejects.toThrow(/found an empty file/);
  });

  it("says of a folder's damaged recording that it was left out, and opens the others", async () => {
    write("d/good.cali", recording([0]));
    write("d/bad.cali", "__rec=node,id=12,attr=99,data=x\n");
    write("d/run2.cali", recording([0], { size: "8" }));
    const [good, run2, ...more] = await open(path.join(folder, "d"));
    expect(good.warnings).toMatchObject([
      {
        message: expect.stringMatching(/^2 of 3 files opened; left out: found attribute 99/),
        file: path.join(folder, "d/bad.cali"),
        at: { line: 1 },
      },
    ]);
    // Said once, not under each of the data sets that the folder holds.
    expect(run2.warnings).toEqual([]);
    expect(more).toEqual([]);
    await expect(open(path.join(folder, "d/bad.cali"))).rejects.toThrow(/line 1: found attribute 99/);
  });

  it("stops when it is cancelled", async () => {
    const file = write("a", recording([0]));
    await expect(
      openRecordings(
        [file],
        {},
        taskOf(
          () => true,
          () => undefined,
        ),
      ),
    ).rejects.toBeInstanceOf(CancelledError);
  });
});

describe("what cannot be opened says what, where and what to do", () => {
  it.each([
    [
      "an empty file",
      "",
      /empty\.bin, byte 0: found an empty file; expected a recording: .*\. The program that was to write it/,
    ],
    [
      "JSON that is no profile",
      '{"name": "package"}',
      /found JSON that is no profile; expected .*json-split.*cali-query/,
    ],
    ["binary data", "\u0001\u0000\u0002".repeat(100), /found binary data of a format that is not known/],
    ["text", "hello\n", /found text of a format that is not known/],
    [
      "what perf records",
      `PERFILE2${"\u0000".repeat(96)}`,
      /found perf's own binary file, which only perf reads; .* `perf script --header -i perf\.data -F \+pid,\+srcline --full-source-path > /,
    ],
  ])("%s", async (_, content, message) => {
    await expect(open(write("empty.bin", content))).rejects.toThrow(message);
  });

  it.each([
    ["pic.cali", "\x89PNG\r\n\x1a\n\0\0\0", "pic.cali is a PNG image, not a recording"],
    ["a.out", "\x7fELF\x02\x01", "a.out is a program or library, not a recording"],
    [
      "perf.data",
      `PERFILE2${"\0".repeat(96)}`,
      "perf.data is perf's own binary file, which only perf reads. Print it with " +
        "`perf script --header -i perf.data -F +pid,+srcline --full-source-path > recording.perf-script`, and open that.",
    ],
    ["notes.txt", "hello\n", "notes.txt is text of a format that is not known, not a recording"],
  ])("in one line: %s", async (name, content, line) => {
    const failed = await open(write(name, Buffer.from(content, "latin1"))).catch((error: unknown) => error);
    expect(failed instanceof FormatError && headline(failed.problem, "Could not open it")).toBe(line);
  });

  it("in one line, with the place where there is one", () => {
    const problem = {
      file: "/data/a.cali",
      at: { line: 21 },
      found: "a node without a name",
      expected: "",
      advice: "",
    };
    const found = "found a node without a name";
    expect(headline(problem, "Could not open a.cali")).toBe(`Could not open a.cali: line 21: ${found}`);
    expect(headline(problem, "Could not open run")).toBe(`Could not open run: a.cali, line 21: ${found}`);
  });

  it("a packed recording that is cut before its content", async () => {
    const packed = zlib.gzipSync(recording([0, 1, 2, 3]));
    const file = write("cut.cali.gz", packed.subarray(0, 5));
    const found = "found the end of the file; expected further packed data";
    await expect(open(file)).rejects.toThrow(new RegExp(`cut\\.cali\\.gz, byte \\d+: ${found}`));
    write("whole.cali", recording([0, 1]));
    const [{ warnings }] = await open(folder);
    const message = expect.stringContaining(`left out: ${found}`) as string;
    expect(warnings).toEqual([{ message, file, at: { byte: 5 } }]);
  });

  it.each([200, -4])("a packed recording that is cut, after %i bytes, by a warning", async (length) => {
    const file = write("cut.cali.gz", zlib.gzipSync(recording([0, 1, 2, 3])).subarray(0, length));
    const [{ warnings }] = await open(file);
    expect(warnings.filter(({ isCut }) => isCut)).toMatchObject([{ file }]);
  });

  it("a packed recording that is damaged", async () => {
    const packed = zlib.gzipSync(recording([0, 1, 2, 3]));
    packed.fill(0xff, 20, 60);
    await expect(open(write("bad.cali.gz", packed))).rejects.toThrow(/found packed data that cannot be unpacked \(/);
  });

  it("a folder with nothing readable", async () => {
    write("d/notes.txt", "hello");
    await expect(open(path.join(folder, "d"))).rejects.toThrow(
      /d: found no recording in it; expected at least one file .*Folders inside it are not searched/,
    );
  });

  it("a path that is not there", async () => {
    await expect(open(path.join(folder, "none.cali"))).rejects.toThrow(/none\.cali: found no such file/);
  });

  it("a file that disappears while it is read", async () => {
    const out = new CaliWriter();
    for (let at = 0; at < 60_000; at++)
      out.snapshot(
        [regions("main")],
        [
          [rank, at % 4],
          [time, `${at}.25`],
        ],
      );
    const file = write("large.cali", out.text());
    expect(fs.statSync(file).size).toBeGreaterThan(1 << 20);
    const task = taskOf(
      () => false,
      (fraction) => {
        if (fraction !== undefined && fraction > 0) fs.rmSync(file, { force: true });
      },
    );
    await expect(openRecordings([file], {}, task)).rejects.toThrow(
      /large\.cali, byte \d+: found that the file disappeared while it was read/,
    );
  });
});
