import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, run, temporaryFolder } from "./build";
import { expectLaws } from "./laws";
import { expectInclusive, opened, total } from "./opened";
import { callsByName, readTrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Runs the program. @returns kilobytes that it has grown by, and bytes that its file has grown by while it did nothing */
function ended(
  threads: number,
  regions: number,
  together: number,
  more: readonly string[] = [],
  flags: readonly string[] = [],
) {
  const program = build(folder, ["test/ended.cpp"], { flags });
  const args = [threads, regions, together, 1500].map(String);
  const ran = run(folder, program, [...args, ...more], { HEATFLOW_METRICS: "0" });
  const [grownKb, before, after] = ran.said.split(" ").map(Number);
  return { ...ran, grownKb, grownBytes: after - before, bytes: before };
}

/** Calls by name of threads that go so many times through regions, one to eight deep. */
function callsOf(threads: number, regions: number): Map<string, number> {
  const depths = Array.from({ length: regions }, (_, at) => 1 + (at % 8));
  const down = threads * depths.reduce((sum, depth) => sum + depth, 0);
  const all: [string, number][] = [
    ["task", threads],
    ["without an end", Math.ceil(threads / 2)],
    ["down", down],
  ];
  return new Map(all.filter(([, count]) => count > 0));
}

const sorted = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort();

describe("threads that have ended", () => {
  it.each([
    ["one after the other, of one region", 3000, 0, 1],
    ["many at once, of a few", 400, 11, 40],
    ["of more than wait in one piece", 12, 4000, 3],
  ])("have their values, events, names and attributes in the file: %s", async (_, threads, regions, together) => {
    const { status, complained, output, grownBytes } = ended(threads, regions, together);
    expect([status, complained, grownBytes]).toEqual([0, "", 0]);
    const file = readTrackerFile(output);
    expect(sorted(callsByName(file))).toEqual(sorted(callsOf(threads, regions)));
    expectLaws(file);
    await expectInclusive(output);
    expect(new Set(file.contexts.map(({ thread }) => thread)).size).toBe(threads);
    const events = file.traceEvents.filter(({ ph }) => ph === "X");
    expect(events).toHaveLength([...callsOf(threads, regions).values()].reduce((sum, more) => sum + more, 0));
    expect(file.traceEvents.filter(({ name }) => name === "thread_name")).toHaveLength(Math.ceil(threads / 10));
    const set = file.attributes.map(({ count }) => count);
    expect(set.reduce((sum, more) => sum + more, 0)).toBe(threads);
    const dataSet = await opened(output);
    expect(dataSet.locations).toHaveLength(threads);
    expect(dataSet.trace?.lanes).toHaveLength(threads);
    expect(dataSet.globals.get("task: number")).toEqual([`0 to ${threads - 1}, set ${threads} times`]);
  });

  it("have the same in a file that was cut", async () => {
    const whole = ended(300, 5, 7, ["killed"]);
    expect(whole.status).toBe(null);
    const dataSet = await opened(whole.output);
    expect(dataSet.warnings.map(({ isCut }) => isCut)).toEqual([true]);
    expect(dataSet.trace?.lanes).toHaveLength(300);
    const calls = [...callsOf(300, 5).values()].reduce((sum, more) => sum + more, 0);
    expect(total(dataSet, "calls")).toBe(calls);
    expect(dataSet.globals.get("task: number")).toEqual(["0 to 299, set 300 times"]);
  });

  it.each([
    ["of one region", 0],
    ["of three", 2],
  ])("give their memory back (%s)", (_, regions) => {
    const [few, many] = [1000, 16_000].map((threads) => ended(threads, regions, 1));
    expect(many.grownKb).toBeLessThan(2 * few.grownKb);
    expect([few.grownBytes, many.grownBytes]).toEqual([0, 0]);
  });

  it.each(["thread", "address,undefined"])(
    "leave the %s sanitizer nothing to say",
    { timeout: 600_000 },
    (sanitizer) => {
      const { status, complained, output } = ended(300, 9, 20, [], [`-fsanitize=${sanitizer}`]);
      expect([status, complained]).toEqual([0, ""]);
      expect(sorted(callsByName(readTrackerFile(output)))).toEqual(sorted(callsOf(300, 9)));
    },
  );
});
