import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, checkSyntax, run, temporaryFolder } from "./build";
import { expectEvents, expectLaws, saidCalls } from "./laws";
import { expectInclusive } from "./opened";
import { callsByName, type ContextRow, readTrackerFile } from "./recording";
import { expectTraceEvents } from "./traceEventFormat";

const seed = Number(process.env.HEATFLOW_SEED) % 1_000_000;
const THREADS = 8;

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("the tracker", () => {
  it.each([
    ["g++", "c++17"],
    ["clang++", "c++20"],
  ])("counts every region on every thread (%s, %s)", async (compiler, standard) => {
    const program = build(folder, ["test/nested.cpp"], { compiler, standard });
    const regions = compiler === "g++" && standard === "c++17" ? 5_000 : 500;
    const { status, said, complained, output } = run(folder, program, [String(seed), String(THREADS), String(regions)]);
    expect([status, complained]).toEqual([0, ""]);
    const file = readTrackerFile(output);
    expect(callsByName(file)).toEqual(saidCalls(said));
    expect(new Set(file.contexts.map(({ thread }) => thread)).size).toBe(THREADS);
    const { emptyRegionNanoseconds, ...counted } = file.heatflowEnd;
    expect(counted).toEqual({ eventsDropped: 0, eventsTooShort: 0, regionsTooDeep: 0 });
    // Two readings of a clock, and an event.
    expect(emptyRegionNanoseconds).toBeGreaterThan(1);
    expectLaws(file);
    expectEvents(file);
    expectTraceEvents(file.traceEvents);
    await expectInclusive(output);
  });

  it.each([
    ["g++", "c++20"],
    ["clang++", "c++17"],
  ])("compiles without a warning (%s, %s)", (compiler, standard) => {
    checkSyntax(["test/nested.cpp", "src/heatflow.cpp", "src/allocations.cpp"], compiler, standard);
  });

  it.each(["g++", "clang++"])("says first what an older standard lacks (%s)", (compiler) => {
    const args = ["-std=c++11", "-fsyntax-only", "-Itracker/include", "tracker/test/nested.cpp"];
    const { status, stderr } = spawnSync(compiler, args, { encoding: "utf8" });
    expect(status).not.toBe(0);
    const [first] = stderr.split("\n").filter((line) => line.includes("error"));
    expect(first).toContain("needs C++17: compile with -std=c++17 or later");
  });

  it("keeps every sum where events find no room, or are shorter than wanted, and says how many", () => {
    const program = build(folder, ["test/nested.cpp"]);
    const all = { HEATFLOW_SHORTEST_EVENT_NS: "100000000" };
    const short = run(folder, program, [String(seed), "2", "20000"], all);
    const file = readTrackerFile(short.output);
    expect(callsByName(file)).toEqual(saidCalls(short.said));
    expectLaws(file);
    const copies = saidCalls(short.said).get("copy host to host") ?? 0;
    const calls = file.contexts.reduce((sum, row) => sum + row.calls, 0);
    const events = file.traceEvents.filter(({ ph }) => ph === "X").length;
    // What moved is no small thing, however short it took.
    expect(events).toBeGreaterThanOrEqual(copies);
    expect(file.heatflowEnd.eventsTooShort).toBe(calls - events);

    const narrow = run(folder, program, [String(seed), "2", "200000"], { HEATFLOW_BUFFER_MB: "1" });
    const dropped = readTrackerFile(narrow.output);
    expect(callsByName(dropped)).toEqual(saidCalls(narrow.said));
    expectLaws(dropped);
    const kept = dropped.traceEvents.filter(({ ph }) => ph === "X").length;
    expect(dropped.heatflowEnd.eventsDropped).toBeGreaterThan(0);
    expect(kept + dropped.heatflowEnd.eventsDropped).toBe(dropped.contexts.reduce((sum, row) => sum + row.calls, 0));
  });

  it("has times that add up of a thread that never stands still while the recording is written", () => {
    const program = build(folder, ["test/restless.cpp"]);
    for (let time = 0; time < 3; time++) {
      const { status, output } = run(folder, program, [], {});
      expect(status).toBe(0);
      const file = readTrackerFile(output);
      expect(callsByName(file).get("inner")).toBeGreaterThan(1000);
      expectLaws(file);
    }
  });

  it("has times that add up in sessions that begin and end while a thread goes on, and only what is theirs", () => {
    const sessions = fs.mkdtempSync(path.join(folder, "sessions-"));
    const args = [sessions, process.env.HEATFLOW_FULL ? "2000" : "200"];
    const { status, said } = run(folder, build(folder, ["test/sessions.cpp"]), args, {
      HEATFLOW_SHORTEST_EVENT_NS: "100000",
    });
    expect(status).toBe(0);
    for (const [session, line] of said.trim().split("\n").entries()) {
      const file = readTrackerFile(path.join(sessions, `${session}.json`));
      expectLaws(file);
      const calls = callsByName(file);
      const { eventsTooShort, eventsDropped } = file.heatflowEnd;
      const events = file.traceEvents.filter(({ ph }) => ph === "X");
      const counted = eventsTooShort + eventsDropped + events.length;
      // What was open when the session began or ended may have its event in another, or none.
      const all = [...calls.values()].reduce((sum, more) => sum + more, 0);
      expect(Math.abs(counted - all), line).toBeLessThanOrEqual(9);
      const turns = file.attributes.reduce((sum, { count }) => sum + count, 0);
      expect(Math.abs(turns - (calls.get("outer") ?? 0))).toBeLessThanOrEqual(2);
      // Each thread is within its first region all the time.
      const [least, most] = line.split(" ").map(Number);
      const recorded = new Map<number, number>();
      for (const { thread, exclusive } of file.contexts) recorded.set(thread, (recorded.get(thread) ?? 0) + exclusive);
      expect(recorded.size).toBe(3);
      for (const nanoseconds of recorded.values()) {
        if (session > 0) expect(nanoseconds).toBeGreaterThanOrEqual(least);
        expect(nanoseconds).toBeLessThanOrEqual(most);
      }
      const first = events.filter(({ name }) => name === "restless" || name === "main");
      expect(new Map(first.map(({ tid, dur = 0 }) => [tid, Math.round(dur * 1000)]))).toEqual(recorded);
    }
  });

  it("ends regions that are left by exceptions, longjmp and the end of the process; a forked child has a file of its own", () => {
    const program = build(folder, ["test/leaving.cpp"]);
    const pattern = path.join(folder, "leaving-%p.json");
    const { status, said } = run(folder, program, [], { HEATFLOW_OUTPUT: pattern });
    expect(status).toBe(0);
    const child = /child (\d+) ended with 0/.exec(said)?.[1] ?? "";
    const files = fs.readdirSync(folder).filter((name) => name.startsWith("leaving-"));
    expect(files).toHaveLength(2);
    const parent = files.find((name) => !name.includes(child)) ?? "";
    const file = readTrackerFile(path.join(folder, parent));
    expectLaws(file);
    const calls = callsByName(file);
    const names = ["all", "trying", "throwing", "catching", "setting", "jumping", "spinning", "forking", "outliving"];
    for (const name of names) expect([name, calls.get(name)]).toEqual([name, 1]);
    expect(calls.get("turn")).toBeGreaterThan(1);
    expect(callsByName(readTrackerFile(path.join(folder, `leaving-${child}.json`)))).toEqual(
      new Map([["in the child", 1]]),
    );
    const spinning = file.contexts.find(({ frame }) => file.lines[frame].name === "spinning");
    const [, least, most] = /spun (\d+) to (\d+)/.exec(said) ?? [];
    expect(spinning?.inclusive).toBeGreaterThan(0.99 * Number(least));
    expect(spinning?.inclusive).toBeLessThan(1.01 * Number(most));
    expect(file.lines.find(({ name }) => name === "throwing")).toMatchObject({
      file: path.resolve("tracker/test/leaving.cpp"),
      line: 1 + lineOf("tracker/test/leaving.cpp", "void throwing()"),
    });
  });

  it.each(["g++", "clang++"])(
    "records a program that knows nothing of it, with names, files and lines (%s)",
    async (compiler) => {
      const runtime = build(folder, ["src/heatflow.cpp", "src/allocations.cpp"], {
        compiler,
        flags: ["-fPIC", "-shared"],
      });
      const flags = ["-finstrument-functions", runtime];
      const { status, said, output } = run(folder, build(folder, ["test/plain.cpp"], { compiler, flags }), []);
      expect(status).toBe(0);
      const file = readTrackerFile(output);
      expectLaws(file);
      expectEvents(file);
      const calls = callsByName(file);
      for (const [name, count] of saidCalls(said)) expect([name, calls.get(name)]).toEqual([name, count]);
      const source = path.resolve("tracker/test/plain.cpp");
      for (const text of ["long fibonacci(int n)", "Number area() const", "static int byPointer", "int main()"])
        expect(file.lines.map(({ file: at, line }) => `${at}:${line}`)).toContain(
          `${source}:${lineOf("tracker/test/plain.cpp", text)}`,
        );
      // One context per depth of the recursion, as it was called.
      const fibonacci = file.lines.find(({ name }) => name === "shapes::fibonacci(int)")?.frame;
      expect(file.contexts.filter(({ frame }) => frame === fibonacci)).toHaveLength(10);
      // Who is called where: of one that calls itself the first call alone. gcc says of inlined functions what is their callers' place.
      const lineAt = (text: string) => lineOf("tracker/test/plain.cpp", text);
      const called = (row: ContextRow, name: string) => row.call !== undefined && file.lines[row.frame].name === name;
      const lineOfCall = (row: ContextRow) => [file.lines[row.call ?? -1]?.line, row.calls];
      expect(file.contexts.filter((row) => called(row, "square(long)")).map(lineOfCall)).toEqual([
        [lineAt("square(2)"), 1],
        // By name and by address.
        [lineAt("square(3)"), 1],
        [lineAt("square(3)"), 1],
        ...[1, 1, 1].map((calls) => [lineAt("long descend"), calls]),
      ]);
      expect(file.contexts.filter((row) => called(row, "descend(long)")).map(lineOfCall)).toEqual([
        [lineAt("descend(3)"), 1],
      ]);
      await expectInclusive(output);
    },
  );

  it("records nothing and makes no file where it is not wanted", () => {
    const program = build(folder, ["test/nested.cpp"]);
    const { status, output } = run(folder, program, ["1", "2", "100"], { HEATFLOW_ENABLE: "0" });
    expect([status, fs.existsSync(output)]).toEqual([0, false]);
  });

  it("says where a file can't be written, and the program goes on", () => {
    const program = build(folder, ["test/nested.cpp"]);
    const nowhere = path.join(folder, "no folder", "out.json");
    const { status, said, complained } = run(folder, program, ["1", "2", "100"], { HEATFLOW_OUTPUT: nowhere });
    expect([status, saidCalls(said).size]).toEqual([0, 4]);
    expect(complained).toBe(`heatflow: ${nowhere} can't be written: No such file or directory. Nothing is recorded.\n`);
  });
});

/** 1-based line of a text in a file. */
function lineOf(file: string, text: string): number {
  return (
    fs
      .readFileSync(file, "utf8")
      .split("\n")
      .findIndex((line) => line.includes(text)) + 1
  );
}
