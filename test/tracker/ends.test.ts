import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, temporaryFolder } from "./build";
import { expectLaws } from "./laws";
import { opened, total } from "./opened";
import { callsByName, readTrackerFile, type TrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A process may go on in another one when the program's first has ended (daemon). */
const LONGEST_DAEMON_MS = 60_000;

/** Runs a way of ending in a folder of its own. @returns its exit status, and its recordings in the order of their processes */
async function ended(compiler: string, ...args: string[]) {
  const program = build(folder, ["test/ends.cpp"], { compiler, flags: compiler === "g++" ? [] : ["-O2"] });
  const at = fs.mkdtempSync(path.join(folder, "ended-"));
  const env = { ...process.env, HEATFLOW_METRICS: "0" };
  const { status, signal, stderr } = spawnSync(program, args, { cwd: at, env, timeout: 20_000, encoding: "utf8" });
  const recordings = () =>
    fs
      .readdirSync(at)
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => path.join(at, name));
  return { status: status ?? signal, stderr, recordings };
}

/** Waits until a condition of files holds. @throws when it does not in time */
async function until(holds: () => boolean): Promise<void> {
  const latest = performance.now() + LONGEST_DAEMON_MS;
  while (!holds()) {
    if (performance.now() > latest) throw new Error("it has not come to that");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const isWhole = (file: string) => fs.readFileSync(file, "utf8").includes('"heatflowEnd"');

/** The only recording, whole. */
function only(files: readonly string[]): TrackerFile {
  expect(files).toHaveLength(1);
  const file = readTrackerFile(files[0]);
  expectLaws(file);
  return file;
}

describe.each(["g++", "clang++"])("a program's end (%s)", (compiler) => {
  it("has the regions of its destructors and exit handlers, and of threads that these start", async () => {
    const { status, stderr, recordings } = await ended(compiler, "late");
    expect([status, stderr]).toEqual([0, ""]);
    const file = only(recordings());
    const names = ["begin", "handler", "thread of a handler", "local static object", "static object"];
    expect(callsByName(file)).toEqual(new Map([...names, "destructor of the program"].map((name) => [name, 1])));
    expect(file.heatflowEnd).not.toHaveProperty("regionsAfterEnd");
    const events = file.traceEvents.filter(({ ph }) => ph === "X").map(({ name }) => name);
    expect(events.sort()).toEqual([...names, "destructor of the program"].sort());
  });

  it("has the regions of threads' destructors, and of threads that leave or are cancelled within them", async () => {
    const { status, recordings } = await ended(compiler, "threads");
    expect(status).toBe(0);
    expect(callsByName(only(recordings()))).toEqual(
      new Map([
        ...["begin", "thread", "later object of a thread", "early object of a thread"].map(
          (name) => [name, 1] as const,
        ),
        ["destructor of a key", 2] as const,
        ["leaving", 1] as const,
        ["cancelled", 1] as const,
      ]),
    );
  });

  it.each([
    ["mainexit", ["begin", "leaving", "handler"], 1],
    ["mainexitDetached", ["begin", "main", "leaving"], 3],
    ["mainexitSilent", ["begin"], 1],
  ])("comes with its last thread when main has left: %s", async (way, names, leaving) => {
    const { status, recordings } = await ended(compiler, way);
    expect(status).toBe(0);
    const calls = callsByName(only(recordings()));
    expect(calls).toEqual(new Map(names.map((name) => [name, name === "leaving" ? leaving : 1])));
  });

  it("may come from another thread, while others go on", async () => {
    const { status, recordings } = await ended(compiler, "exitOfThread");
    expect(status).toBe(3);
    const calls = callsByName(only(recordings()));
    for (const name of ["begin", "going on", "waiting", "exiting"]) expect([name, calls.get(name)]).toEqual([name, 1]);
    expect(calls.get("turn")).toBeGreaterThan(0);
  });

  it("is not that of processes that it starts", async () => {
    const started = await ended(compiler, "others");
    expect(started.status).toBe(0);
    expect(callsByName(only(started.recordings()))).toEqual(new Map([["begin", 1], ["around", 1]])); // prettier-ignore
    const forked = await ended(compiler, "fork");
    expect(forked.status).toBe(0);
    const files = forked.recordings().map(readTrackerFile);
    const calls = files.map((file) => [...callsByName(file)].sort());
    const ofParent = ["around the fork", "begin", "begun in the parent", "parent"].map((name) => [name, 1]);
    expect(calls.sort((a, b) => a.length - b.length)).toEqual([[["child", 1]], ofParent]);
    for (const { heatflowEnd } of files) expect(heatflowEnd).not.toHaveProperty("endsWithoutBegin");
  });

  it.each([
    ["daemon", ["begin", "around the daemon", "daemon"]],
    ["daemonTwice", ["begin", "around the daemon", "daemon"]],
    ["daemonHome", ["begin", "around the daemon", "daemon"]],
    ["daemonSilent", ["begin", "around the daemon"]],
    ["disowned", ["begin", "child"]],
  ])("as a daemon leaves one recording, with what was before: %s", async (way, names) => {
    const { status, recordings } = await ended(compiler, way);
    expect(status).toBe(0);
    await until(() => recordings().length === 1 && isWhole(recordings()[0]));
    expect(callsByName(only(recordings()))).toEqual(new Map(names.map((name) => [name, 1])));
    const dataSet = await opened(recordings()[0]);
    expect(dataSet.warnings).toEqual([]);
    // Nothing is before the beginning.
    for (const { startSeconds } of dataSet.trace?.lanes ?? []) expect(startSeconds).toBeGreaterThanOrEqual(0);
  });

  it.each([
    [200, "9"],
    [200, "15"],
    [300, "abort"],
    [150, "quick"],
    [150, "_exit"],
  ])("that cuts it after %d ms leaves what was before: %s", async (milliseconds, way) => {
    const { recordings } = await ended(compiler, "cut", String(milliseconds), way);
    expect(recordings()).toHaveLength(1);
    const dataSet = await opened(recordings()[0]);
    expect(dataSet.warnings.map(({ isCut }) => isCut)).toEqual([true]);
    expect(total(dataSet, "calls")).toBeGreaterThanOrEqual(2);
  });

  it("that cuts it at once is said", async () => {
    const { recordings } = await ended(compiler, "cut", "0", "_exit");
    const dataSet = await opened(recordings()[0]);
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("the file ends early"),
      expect.stringContaining("before its first regions were written"),
    ]);
  });
});
