import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCupti, flagsOfCupti } from "../../src/traced/cupti";
import { thisMachine } from "../../src/traced/machine";
import { run, temporaryFolder, trackerFolder } from "./build";
import { opened, total, totalBelow } from "./opened";
import { activities, readTrackerFile } from "./recording";

const machine = thisMachine(trackerFolder, {});
const cupti = findCupti(machine);
const nvcc = machine.find("nvcc");
const hasGpu = spawnSync("nvidia-smi", ["-L"], { encoding: "utf8" }).stdout?.includes("GPU 0") ?? false;
const noToolkit = "there is no CUDA toolkit with CUPTI on this machine";
const noGpu = nvcc === undefined || cupti === undefined ? noToolkit : "there is no GPU on this machine";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What tracker/test/work.cu says that it did, and how the recording of it opens, are one. */
async function expectWork(file: string, said: string): Promise<void> {
  const did = new Map(
    said
      .trim()
      .split("\n")
      .map((line) => line.split(" "))
      .map(([name, count]) => [name, Number(count)]),
  );
  const recording = readTrackerFile(file);
  const bytesOf = (category: string, starts: string) =>
    activities(recording, category)
      .filter(({ name }) => name.startsWith(starts))
      .reduce((sum, { args }) => sum + args.bytes, 0);
  const dataSet = await opened(file);
  const below = (metric: string, name: string, callers: string) =>
    totalBelow(dataSet, `${metric} (GPU streams)`, name, callers);
  const scale = "void (anonymous namespace)::scale<float>(float*, float, int)";
  const spin = "(anonymous namespace)::spin(unsigned long long, unsigned long long*)";
  expect(
    new Map([
      ["spin", below("calls", spin, "/known/cudaLaunchKernel")],
      ["compute", below("calls", scale, "/worker/compute/cudaLaunchKernel")],
      ["graph", below("calls", scale, "/graph/cudaGraphLaunch")],
      ["HtoD", bytesOf("gpu_memcpy", "Memcpy HtoD ")],
      ["DtoH", bytesOf("gpu_memcpy", "Memcpy DtoH ")],
      ["DtoD", bytesOf("gpu_memcpy", "Memcpy DtoD ")],
      ["memset", bytesOf("gpu_memset", "Memset ")],
      // There and back.
      ["managed", bytesOf("uvm", "unified memory: HtoD")],
    ]),
  ).toEqual(new Map([...did].filter(([name]) => name !== "spinNanoseconds")));
  expect(bytesOf("uvm", "unified memory: DtoH")).toBe(did.get("managed"));
  expect(total(dataSet, "bytes copied")).toBe(
    ["HtoD", "DtoH", "DtoD", "managed", "managed"].reduce((sum, name) => sum + (did.get(name) ?? 0), 0),
  );
  // A kernel takes a little longer than what it measures of itself.
  const measured = (did.get("spinNanoseconds") ?? 0) / 1e9;
  const recorded = below("time", spin, "/known/cudaLaunchKernel");
  expect(recorded).toBeGreaterThan(measured);
  expect(recorded).toBeLessThan(1.01 * measured);
  // What the GPU itself says, from the first samples on.
  const counters = recording.traceEvents.filter(({ ph, name }) => ph === "C" && name === "GPU 0: power_draw (W)");
  expect(counters.length).toBeGreaterThan(1);
  expect(Math.min(...counters.map(({ args }) => args.value))).toBeGreaterThan(10);
  expect(recording.lines.map(({ name }) => name)).not.toContain("cuKernelGetName");
  // Nothing waits for the last one before the program ends.
  expect(below("calls", "(anonymous namespace)::last()", "/main/cudaLaunchKernel")).toBe(1);
}

describe("the tracker on a GPU", () => {
  it("has recorded on one what a program did there", async () => {
    const kept = path.join(trackerFolder, "test/recordings/h100");
    const file = path.join(folder, "h100.json");
    fs.writeFileSync(file, gunzipSync(fs.readFileSync(`${kept}.json.gz`)));
    await expectWork(file, fs.readFileSync(`${kept}.txt`, "utf8"));
  });

  it.skipIf(!hasGpu || cupti === undefined || nvcc === undefined)(
    `records what a program does there (needs a GPU; here: ${hasGpu ? "there is one" : noGpu})`,
    async () => {
      const program = path.join(folder, "work");
      const sources = ["test/work.cu", "src/cuda.cpp"].map((name) => path.join(trackerFolder, name));
      const flags = cupti === undefined ? [] : flagsOfCupti(cupti);
      const compiled = spawnSync(
        nvcc ?? "",
        ["-std=c++17", "-O2", `-I${trackerFolder}/include`, ...sources, ...flags, "-ldl", "-o", program],
        { encoding: "utf8" },
      );
      expect([compiled.status, compiled.stderr]).toEqual([0, ""]);
      const ran = run(folder, program, [], { HEATFLOW_SAMPLE_PERIOD_MS: "20" });
      expect([ran.status, ran.complained]).toEqual([0, ""]);
      await expectWork(ran.output, ran.said);
    },
  );
});
