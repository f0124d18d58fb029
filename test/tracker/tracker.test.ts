import fs from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, checkSyntax, run, temporaryFolder } from "./build";
import { expectInclusive, opened, total } from "./opened";
import {
  callsByName,
  type ContextRow,
  eventsOfCut,
  readTrackerFile,
  type TraceEvent,
  type TrackerFile,
} from "./recording";
import { expectTraceEvents } from "./traceEventFormat";

const seed = Number(process.env.HEATFLOW_SEED) % 1_000_000;
const isFull = Boolean(process.env.HEATFLOW_FULL);
const THREADS = 8;
const REGIONS = (isFull ? 10_000_000 : 1_000_000) / THREADS;

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What a program says that it did: calls by name. */
function saidCalls(said: string): Map<string, number> {
  const lines = said.trim().split("\n");
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

/** The laws of every whole recording. */
function expectLaws(file: TrackerFile): void {
  const byId = new Map(file.contexts.map((row) => [row.id, row]));
  const within = new Map<number, number>();
  const threads = new Map<number, { exclusive: number; recorded: number }>();
  for (const { parent, thread, inclusive, exclusive } of file.contexts) {
    const sums = threads.get(thread) ?? { exclusive: 0, recorded: 0 };
    threads.set(thread, sums);
    sums.exclusive += exclusive;
    if (parent === undefined) sums.recorded += inclusive;
    else within.set(parent, (within.get(parent) ?? 0) + inclusive);
    expect(parent === undefined || byId.has(parent)).toBe(true);
  }
  for (const { exclusive, recorded } of threads.values()) expect(exclusive).toBe(recorded);
  for (const { id, inclusive, exclusive } of file.contexts) expect(inclusive - exclusive).toBe(within.get(id) ?? 0);
}

/** Events of a context count its calls, and add up to its time. */
function expectEvents(file: TrackerFile): void {
  const counts = new Map<number, { calls: number; nanoseconds: number }>();
  for (const { ph, dur = 0, args } of file.traceEvents) {
    if (ph !== "X") continue;
    const sums = counts.get(args.context) ?? { calls: 0, nanoseconds: 0 };
    counts.set(args.context, sums);
    sums.calls++;
    sums.nanoseconds += Math.round(dur * 1000);
  }
  for (const { id, calls, inclusive } of file.contexts)
    expect(counts.get(id)).toEqual({ calls, nanoseconds: inclusive });
}

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

  it.each(["thread", "address,undefined"])(
    "gives the %s sanitizer nothing to say",
    { timeout: 600_000 },
    (sanitizer) => {
      const program = build(folder, ["test/nested.cpp"], { flags: [`-fsanitize=${sanitizer}`] });
      const environment = { HEATFLOW_SAMPLE_PERIOD_MS: "3", HEATFLOW_SHORTEST_EVENT_NS: isFull ? "0" : "3000" };
      const ran = run(folder, program, [String(seed), String(THREADS), String(REGIONS)], environment);
      expect([ran.status, ran.complained]).toEqual([0, ""]);
      if (isFull) return;
      const file = readTrackerFile(ran.output);
      expect(callsByName(file)).toEqual(saidCalls(ran.said));
      expectLaws(file);
    },
  );

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

  it(
    "leaves what it had up to the last second when it is killed",
    { timeout: isFull ? 900_000 : 180_000 },
    async () => {
      const program = build(folder, ["test/endless.cpp"]);
      const missing: number[] = [];
      for (let round = 0; round < (isFull ? 20 : 3); round++) {
        const output = path.join(folder, `killed-${round}.json`);
        const { turns, seconds } = await killedAfter(program, output, 1200 + ((seed * 37 + round * 411) % 900));
        const events = eventsOfCut(output);
        const rows = events.filter(({ name }) => name === "heatflow_contexts");
        expect(rows.length).toBeGreaterThan(0);
        expectTraceEvents(events);
        const counted = turnsOf(rows, events);
        expect(counted).toBeLessThanOrEqual(turns + 1);
        missing.push(turns - counted);
        const dataSet = await opened(output);
        expect(dataSet.warnings.map(({ isCut }) => isCut)).toEqual([true]);
        // What is open counts, so that all time is some region's, but for what came after the last sums. The kill may come
        // between sums and their events.
        const endSeconds = Math.max(...(dataSet.trace?.lanes ?? []).map((lane) => lane.endSeconds));
        expect(total(dataSet, "time")).toBeGreaterThan(endSeconds - 1);
        expect(total(dataSet, "time")).toBeLessThan(seconds);
      }
      // A turn takes a millisecond. A machine that is busy with other things may keep the writer from its turn once.
      missing.sort((a, b) => a - b);
      expect(missing[Math.floor(missing.length / 2)]).toBeLessThan(1000);
    },
  );

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

/** Calls of the region `turn` as the sums that were written in pieces say. */
function turnsOf(pieces: readonly TraceEvent[], events: readonly TraceEvent[]): number {
  const rowsOf = (event: TraceEvent) => event.args.rows as unknown as (readonly number[])[];
  const frames = events.filter(({ name }) => name === "heatflow_frames");
  const named = frames.flatMap(({ args }) => args.rows as unknown as { frame: number; name: string }[]);
  const turn = named.find(({ name }) => name === "turn")?.frame;
  return pieces
    .flatMap(rowsOf)
    .filter(([, , frame]) => frame === turn)
    .reduce((sum, [, , , calls]) => sum + calls, 0);
}

/** Kills a program that goes on for ever. @returns how many turns it said that it had done, and how long it was there */
async function killedAfter(
  program: string,
  output: string,
  milliseconds: number,
): Promise<{ turns: number; seconds: number }> {
  const began = performance.now();
  const child = spawn(program, { env: { ...process.env, HEATFLOW_OUTPUT: output } });
  let turns = 0;
  child.stdout.on("data", (data: Buffer) => (turns += data.toString().split("\n").length - 1));
  setTimeout(() => child.kill("SIGKILL"), milliseconds);
  await new Promise((resolve) => child.on("close", resolve));
  return { turns, seconds: (performance.now() - began) / 1000 };
}
