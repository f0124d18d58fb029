import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, type Ran, run, temporaryFolder } from "./build";
import { opened, total } from "./opened";
import { eventsOfCut, readTrackerFile, type TrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const ALL = { HEATFLOW_ALLOCATIONS: "1", HEATFLOW_WAITING: "1" };

function measured(args: readonly string[], environment: Readonly<Record<string, string>>): Ran & { file: TrackerFile } {
  const program = build(folder, ["test/measures.cpp", "src/allocations.cpp"]);
  const ran = run(folder, program, args, environment);
  expect(ran.status).toBe(0);
  return { ...ran, file: readTrackerFile(ran.output) };
}

/** What the program says that it must be: between the least and the most. */
function expectSaid({ said, file }: { readonly said: string; readonly file: TrackerFile }): void {
  for (const line of said.trim().split("\n")) {
    const [, name, what, least, most] = /^(.+) (\S+) (\d+) (\d+)$/.exec(line) ?? [];
    const rows = file.contexts.filter(({ frame }) => file.lines[frame].name === name);
    const value = Number((rows[0] as unknown as Record<string, number>)[what]);
    expect([line, rows.length, value >= Number(least) && value <= Number(most), value]).toEqual([line, 1, true, value]);
  }
}

describe("what the tracker measures when asked", () => {
  it("counts allocations, their bytes and their peak, and the time that regions wait, as the program does", async () => {
    const { complained, ...ran } = measured([], ALL);
    expect(complained).toBe("");
    expectSaid(ran);
    const dataSet = await opened(ran.output);
    for (const [metric, key] of [
      ["allocations", "allocations"],
      ["bytes allocated", "allocated"],
    ] as const)
      expect(total(dataSet, metric)).toBe(ran.file.contexts.reduce((sum, row) => sum + (row[key] ?? 0), 0));
    const waited = ran.file.contexts.reduce((sum, { waiting = 0 }) => sum + waiting, 0);
    expect(total(dataSet, "waiting")).toBeCloseTo(waited / 1e9, 9);
    const peak = dataSet.metrics.find(({ name }) => name === "peak bytes");
    expect(peak).toMatchObject({ unit: "B", additive: false });
    const most = ran.file.contexts.find(({ frame }) => ran.file.lines[frame].name === "all")?.peak;
    expect(Math.max(...dataSet.values[dataSet.metrics.indexOf(peak as never)].value)).toBe(most);
  });

  it("counts allocations where the program's own settings ask for it", () => {
    const output = path.join(folder, "asked.json");
    const { status } = run(folder, build(folder, ["test/asked.cpp", "src/allocations.cpp"]), [output]);
    expect(status).toBe(0);
    expect(readTrackerFile(output).contexts).toMatchObject([{ allocations: 1, allocated: 100 }]);
  });

  it("has no such numbers where nobody asked", async () => {
    const { output, file } = measured([], {});
    expect(Object.keys(file.contexts[0])).not.toContain("waiting");
    const names = (await opened(output)).metrics.map(({ name }) => name);
    expect(names.filter((name) => /waiting|alloc|peak/.test(name))).toEqual([]);
  });

  it("says that calls of sparse regions are estimates, and keeps attributes and names of threads", async () => {
    const { output, file } = measured([], {});
    const dataSet = await opened(output);
    const warnings = dataSet.warnings.filter(({ isMinor }) => isMinor !== true);
    expect(warnings.map(({ message }) => message)).toEqual([
      "of “tiny” one of 16 calls was recorded: its calls are estimates, and the time of the others is that of the region around them",
    ]);
    expect(dataSet.globals.get("step: iteration")).toEqual(["3 to 39, set 37 times"]);
    expect(dataSet.globals.get("step: grid")).toEqual(["fine, set 37 times"]);
    const thread = file.contexts.find(({ frame }) => file.lines[frame].name === "on a thread")?.thread;
    const names = file.traceEvents.filter(({ name, tid }) => name === "thread_name" && tid === thread);
    expect(names.map(({ args }) => args.name)).toEqual(["solver 7"]);
    expect(dataSet.trace?.lanes.map(({ name }) => name)).toContainEqual(expect.stringContaining("solver 7"));
  });

  it("stops and starts by a signal, begins stopped, and leaves a warm-up out", () => {
    expectSaid(measured(["signals"], { ...ALL, HEATFLOW_SIGNAL: "USR2" }));
    const stopped = run(folder, build(folder, ["test/measures.cpp", "src/allocations.cpp"]), [], {
      HEATFLOW_START: "0",
    });
    expect([stopped.status, fs.existsSync(stopped.output)]).toEqual([0, false]);
    const { file } = measured([], { HEATFLOW_WARM_UP_MS: "60" });
    const names = file.contexts.map(({ frame }) => file.lines[frame].name);
    expect(names).not.toContain("blocks");
    expect(names).not.toContain("all");
    expect(names).toContain("step");
  });

  it("prints a table at the end that says what the file says", () => {
    const { complained, output, file } = measured([], { HEATFLOW_REPORT: "1" });
    const [title, , ...rows] = complained.trimEnd().split("\n");
    const exclusive = file.contexts.reduce((sum, row) => sum + row.exclusive, 0);
    const threads = new Set(file.contexts.map(({ thread }) => thread)).size;
    const program = path.basename(build(folder, ["test/measures.cpp", "src/allocations.cpp"]));
    expect(title).toBe(
      `heatflow: ${program}, ${(exclusive / 1e9).toFixed(6)} s in regions of ${threads} threads; all of it is in ${output}`,
    );
    const shown = rows.map((row) => /^\s*(\S+)\s+\S+ %\s+(\S+)\s+(\d+)  (.+?)  \S+:\d+$/.exec(row)?.slice(1));
    const expected = file.contexts.map(({ frame, exclusive: own, inclusive, calls }) => [
      (own / 1e9).toFixed(6),
      (inclusive / 1e9).toFixed(6),
      String(calls),
      file.lines[frame].name,
    ]);
    // Each region of this program has one context.
    const byName = (a: readonly string[] = [], b: readonly string[] = []) => (a[3] < b[3] ? -1 : 1);
    expect([...shown].sort(byName)).toEqual(expected.sort(byName));
    const order = shown.map((row) => Number(row?.[0]));
    expect(order).toEqual([...order].sort((a, b) => b - a));
  });

  it("leaves pieces with what was measured", () => {
    const program = build(folder, ["test/endless.cpp", "src/allocations.cpp"]);
    const output = path.join(folder, "pieces.json");
    run(folder, "timeout", ["-s", "KILL", "1.4", program], { ...ALL, HEATFLOW_OUTPUT: output });
    const rows = eventsOfCut(output)
      .filter(({ name }) => name === "heatflow_contexts")
      .flatMap(({ args }) => args.rows as unknown as (readonly number[])[]);
    expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([10]));
  });

  it("says the same of the machine by hwloc and by /sys, and what it says agrees with the system's tools", () => {
    const bySystem = topologyOf(measured([], {}).file);
    const flags = ["-DHEATFLOW_WITH_HWLOC", "-lhwloc"];
    const { output } = run(folder, build(folder, ["test/plain.cpp", "src/heatflow.cpp"], { flags }), [], {});
    // A program without regions records nothing.
    expect(fs.existsSync(output)).toBe(false);
    const program = build(folder, ["test/nested.cpp"], { flags });
    const byHwloc = topologyOf(readTrackerFile(run(folder, program, ["1", "1", "10"]).output));
    expect([bySystem.source, byHwloc.source]).toEqual(["/sys", "hwloc"]);
    // Virtual machines may leave caches out, which hwloc then asks the processor for.
    const tells = fs.existsSync("/sys/devices/system/cpu/cpu0/cache");
    const common = { source: "", ...(tells ? {} : { caches: [] }) };
    expect({ ...byHwloc, ...common }).toEqual({ ...bySystem, ...common });
    expect(bySystem.allowedHardwareThreads).toBe(Number(execFileSync("nproc", { encoding: "utf8" })));
  });

  it("has the machine as resources: its caches, its hardware threads, and the process on it", async () => {
    const { output, file } = measured([], {});
    const { topology } = await opened(output);
    const resources = topology?.resources ?? [];
    const ofType = (type: string) => resources.filter((one) => one.type === type);
    expect(ofType("PU").filter(({ properties }) => !properties?.has("allowed"))).toHaveLength(
      file.topology.allowedHardwareThreads,
    );
    expect(resources.filter(({ type }) => /^L\d/.test(type))).toHaveLength(file.topology.caches.length);
    expect(ofType("Machine").map(({ name }) => name)).toEqual([file.heatflow.host]);
    expect(ofType("process").map(({ properties }) => properties?.get("host"))).toEqual([file.heatflow.host]);
  });

  it("gives its regions to Caliper, too", () => {
    const standIn = path.join(folder, "caliper");
    fs.mkdirSync(standIn);
    const says = (what: string) =>
      `inline void cali_${what}_region(const char* name) { std::printf("${what} %s\\n", name); }`;
    fs.writeFileSync(path.join(standIn, "cali.h"), `#include <cstdio>\n${says("begin")}\n${says("end")}\n`);
    const program = build(folder, ["test/nested.cpp"], { flags: ["-DHEATFLOW_WITH_CALIPER", `-I${folder}`] });
    for (const HEATFLOW_ENABLE of ["0", "1"]) {
      const lines = run(folder, program, ["7", "1", "300"], { HEATFLOW_ENABLE }).said.trim().split("\n");
      const open: string[] = [];
      const calls = new Map<string, number>();
      for (const [, what, name] of lines.map((line) => /^(?:(begin|end) )?(.*)$/.exec(line) ?? [])) {
        if (what === "begin") open.push(name);
        else if (what === "end") {
          expect(open.pop()).toBe(name);
          calls.set(name, (calls.get(name) ?? 0) + 1);
        } else
          expect(name).toBe(
            `${name.slice(0, name.lastIndexOf(" "))} ${calls.get(name.slice(0, name.lastIndexOf(" ")))}`,
          );
      }
      expect(open).toEqual([]);
      expect(calls.size).toBe(4);
    }
  });
});

/** The machine as a file has it; caches in an order of their own. */
function topologyOf({ topology }: TrackerFile) {
  const text = (one: object) => JSON.stringify(one);
  return { ...topology, caches: [...topology.caches].sort((a, b) => (text(a) < text(b) ? -1 : 1)) };
}
