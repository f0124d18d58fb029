import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, run, temporaryFolder } from "./build";
import { callsByName, readTrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const METRICS = { HEATFLOW_METRICS: "100", HEATFLOW_SAMPLE_PERIOD_MS: "20" };

/** Runs the program in a folder of its own. */
function runIn(how: string, more: readonly string[] = [], output = "out.json") {
  const at = fs.mkdtempSync(path.join(folder, "work-"));
  const program = build(folder, ["test/descriptors.cpp"]);
  const ran = run(at, "/usr/bin/env", ["-C", at, program, how, ...more], { ...METRICS, HEATFLOW_OUTPUT: output });
  const files = fs.readdirSync(at).filter((name) => name.endsWith(".dat"));
  const texts = new Set(files.map((name) => fs.readFileSync(path.join(at, name), "utf8")));
  return { ...ran, at, texts: [...texts], files: files.length };
}

describe("a program that takes the tracker's descriptors", () => {
  it.each(["loop", "range", "dup", "recording"])("has its own files to itself, and the whole recording (%s)", (how) => {
    const { status, complained, said, at, texts } = runIn(how);
    expect([status, complained]).toEqual([0, ""]);
    expect(texts).toEqual(["RESULT 42\nRESULT 43\n"]);
    expect(Number(said)).toBeGreaterThan(5);
    const file = readTrackerFile(path.join(at, "out.json"));
    expect(Object.fromEntries(callsByName(file))).toEqual({ setup: 1, work: 12 });
    expect(file.traceEvents.filter(({ ph, name }) => ph === "X" && name === "work")).toHaveLength(12);
    // Counters of the process go on.
    const last = file.traceEvents.findLast(({ name }) => name === "threads");
    const work = file.traceEvents.findLast(({ name }) => name === "work");
    expect(last?.ts).toBeGreaterThan(work?.ts ?? NaN);
  });

  it("has its own files to itself in a child that closes all", () => {
    const { status, complained, at, texts } = runIn("daemon", [], "out-%p.json");
    expect([status, complained]).toEqual([0, ""]);
    expect(texts).toEqual(["RESULT 42\nRESULT 43\n"]);
    const calls = fs
      .readdirSync(at)
      .filter((name) => name.endsWith(".json"))
      .map((name) => Object.fromEntries(callsByName(readTrackerFile(path.join(at, name)))));
    expect(calls).toHaveLength(2);
    expect(calls).toEqual(expect.arrayContaining([{ setup: 1 }, { child: 1, work: 12 }]));
  });

  it("is told that the recording is not whole where its file is not there to be opened again", () => {
    const { status, complained, texts } = runIn("range", ["out.json"]);
    expect([status, complained]).toEqual([
      0,
      "heatflow: out.json is not whole: the program has closed it, and it can't be opened again: No such file or directory\n",
    ]);
    expect(texts).toEqual(["RESULT 42\nRESULT 43\n"]);
  });
});
