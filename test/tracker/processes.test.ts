import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, run, temporaryFolder } from "./build";
import { callsByName, readTrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const program = () => build(folder, ["test/processes.cpp"]);

describe("the tracker in a program with several processes", () => {
  it.each(["fork", "exec"])("leaves a rank's file to the rank, where what it starts by %s records too", (mode) => {
    const at = fs.mkdtempSync(path.join(folder, "ranks-"));
    const place = { OMPI_COMM_WORLD_RANK: "3", OMPI_COMM_WORLD_SIZE: "4" };
    const ran = run(folder, program(), [mode], { ...place, HEATFLOW_OUTPUT: path.join(at, "%r.json") });
    expect([ran.status, ran.complained]).toEqual([0, ""]);
    expect(callsByName(readTrackerFile(path.join(at, "3.json")))).toEqual(new Map([["of the parent", 2]]));
    const [other, ...others] = fs.readdirSync(at).filter((name) => name !== "3.json");
    expect(others).toEqual([]);
    const child = readTrackerFile(path.join(at, other));
    expect(callsByName(child)).toEqual(new Map([["of the child", 20_000]]));
    // It is none of the ranks, or the run would have one of them twice.
    expect(child).not.toHaveProperty("distributedInfo");
  });

  it("writes to no file of another process, whatever it is called", () => {
    const at = fs.mkdtempSync(path.join(folder, "same-"));
    expect(run(folder, program(), ["fork"], { HEATFLOW_OUTPUT: path.join(at, "out.json") }).status).toBe(0);
    const names = fs.readdirSync(at).sort();
    expect(names).toEqual([expect.stringMatching(/^out-\d+\.json$/), "out.json"]);
    const calls = names.map((name) => callsByName(readTrackerFile(path.join(at, name))));
    expect(calls).toEqual([new Map([["of the child", 20_000]]), new Map([["of the parent", 2]])]);
  });

  it("says of which job of which scheduler it is, where it is of one", () => {
    const at = fs.mkdtempSync(path.join(folder, "job-"));
    const output = { HEATFLOW_OUTPUT: path.join(at, "%r.json"), OMPI_COMM_WORLD_RANK: "0", OMPI_COMM_WORLD_SIZE: "1" };
    const job = { SLURM_JOB_ID: "4711", SLURM_JOB_NAME: 'so "lve', SLURM_JOB_NODELIST: "node[01-02]" };
    expect(run(folder, program(), ["fork"], { ...output, ...job }).status).toBe(0);
    expect(readTrackerFile(path.join(at, "0.json")).heatflow).toMatchObject({
      scheduler: "Slurm",
      job: "4711",
      jobName: 'so "lve',
      nodes: "node[01-02]",
      host: os.hostname(),
    });
    expect(readTrackerFile(path.join(at, "0.json")).heatflow).not.toHaveProperty("queue");
  });

  it("leaves the program its signals", () => {
    expect(run(folder, program(), ["signal"]).status).toBe(0);
  });
});

describe("a session of the tracker", () => {
  it("has of a region that was open before only what it has taken since", () => {
    const at = fs.mkdtempSync(path.join(folder, "sessions-"));
    const [first, second] = ["first.json", "second.json"].map((name) => path.join(at, name));
    const { status, said } = run(folder, program(), ["sessions", first, second]);
    expect(status).toBe(0);
    const { contexts, lines, traceEvents, heatflow } = readTrackerFile(second);
    const outer = contexts.find(({ frame }) => lines[frame].name === "outer");
    const inner = contexts.find(({ frame }) => lines[frame].name === "inner");
    expect(outer?.inclusive).toBeGreaterThanOrEqual(0.04e9);
    expect(outer?.inclusive).toBeLessThanOrEqual(Number(said));
    expect(outer?.exclusive).toBe((outer?.inclusive ?? 0) - (inner?.inclusive ?? 0));
    // One event; or two, where the program was so slow that the region had begun in the file before it ended.
    const [begun, ended] = traceEvents.filter(({ ph, name }) => ph !== "M" && name === "outer");
    const duration = begun.ph === "X" ? (begun.dur ?? 0) : ended.ts - begun.ts;
    expect(Math.round(begun.ts * 1000)).toBe(heatflow.startNanoseconds);
    expect(Math.round(duration * 1000)).toBe(outer?.inclusive);
  });

  it("counts a region once that ends while the recording is written", () => {
    for (let round = 0; round < 3; round++) {
      const { status, said, output } = run(folder, program(), ["late"], { HEATFLOW_SAMPLE_PERIOD_MS: "60000" });
      expect(status).toBe(0);
      const { contexts, lines } = readTrackerFile(output);
      const late = contexts.find(({ frame }) => lines[frame].name === "late");
      // It is open for as long as the program says, and until the recording ends.
      expect(late?.calls).toBe(1);
      expect(late?.inclusive).toBeLessThan(1.5 * Number(said) + 50e6);
    }
  });

  it("ends regions in its timeline where they ended, however long the shortest is", () => {
    const { status, output } = run(folder, program(), ["long"], { HEATFLOW_SHORTEST_EVENT_NS: "5000000000" });
    expect(status).toBe(0);
    const { traceEvents, contexts, lines } = readTrackerFile(output);
    const at = (ph: string, name: string) => traceEvents.find((one) => one.ph === ph && one.name === name)?.ts ?? NaN;
    for (const { frame, inclusive } of contexts) {
      const { name } = lines[frame];
      // A region that is still open when the program ends is closed by the writer, microseconds later.
      expect(Math.abs((at("E", name) - at("B", name)) * 1000 - inclusive)).toBeLessThan(20e6);
    }
  });
});

it("records functions that a signal calls wherever the program is, in the middle of an allocation, too", () => {
  const runtime = build(folder, ["src/heatflow.cpp"], { flags: ["-fPIC", "-shared"] });
  const interrupted = build(folder, ["test/interrupted.cpp"], { flags: ["-finstrument-functions", runtime] });
  const { status, said, complained, output } = run(folder, interrupted, []);
  expect([status, complained]).toEqual([0, ""]);
  const calls = callsByName(readTrackerFile(output));
  expect(calls.get("main")).toBe(1);
  for (const [, name, count] of said.matchAll(/^(.*\)) (\d+)$/gm)) {
    // Those that interrupted the recorder itself are left out.
    expect(calls.get(name)).toBeLessThanOrEqual(Number(count));
    expect(calls.get(name)).toBeGreaterThan(Number(count) / 2);
  }
});

it("knows by their order which functions were entered while nothing was recorded", () => {
  const at = fs.mkdtempSync(path.join(folder, "50%run-"));
  const runtime = build(folder, ["src/heatflow.cpp"], { flags: ["-fPIC", "-shared"] });
  const program = build(folder, ["test/stopping.cpp"], { flags: ["-finstrument-functions", "-O0", runtime] });
  const { status } = run(folder, program, [], { HEATFLOW_OUTPUT: `${at.replaceAll("%", "%%")}/out.json` });
  expect(status).toBe(0);
  const { contexts, lines } = readTrackerFile(path.join(at, "out.json"));
  const byId = new Map(contexts.map((row) => [row.id, row]));
  const pathOf = (id: number | undefined): string[] => {
    const row = id === undefined ? undefined : byId.get(id);
    return row === undefined ? [] : [...pathOf(row.parent), lines[row.frame].name.replace(/^.*::|\(.*$/g, "")];
  };
  // Calls from two lines are two contexts of one path.
  const byPath = new Map<string, number>();
  for (const { id, calls } of contexts) {
    const path = pathOf(id).join("/");
    byPath.set(path, (byPath.get(path) ?? 0) + calls);
  }
  // The inner `nested` is not recorded: what it calls is its caller's.
  expect(Object.fromEntries(byPath)).toEqual({ main: 1, "main/nested": 1, "main/nested/step": 2, "main/step": 1 });
});
