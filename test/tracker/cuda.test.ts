import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCupti } from "../../src/traced/cupti";
import { thisMachine } from "../../src/traced/machine";
import { build, run, temporaryFolder, trackerFolder } from "./build";
import { opened, total, totalBelow } from "./opened";
import { activities, readTrackerFile } from "./recording";

const cupti = findCupti(thisMachine(trackerFolder, {}));
const noToolkit = "there is no CUDA toolkit with CUPTI on this machine";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Activities of one step of test/gpu.cpp, by their names: how many, nanoseconds and bytes of each. */
const STEP = {
  "Memcpy HtoD (Pinned -> Device)": [1, 3000, 4096],
  "void add<double>(double*, int)": [2, 3000, 0],
  reduce: [1, 500, 0],
  "Memcpy DtoH (Device -> Pinned)": [1, 700, 512],
} as const;

const headers = () => (cupti?.includes ?? []).flatMap((include) => ["-isystem", include]);

/** test/gpu.cpp with the tracker's part for GPUs, and the stand-in for CUPTI and NVML. */
function built(): { readonly program: string; readonly environment: Record<string, string> } {
  const fast = ["-O0", "-g0", ...headers()];
  const standIn = build(folder, ["test/standin_cupti.cpp"], { flags: [...fast, "-fPIC", "-shared"] });
  const nvml = path.join(folder, "libnvidia-ml.so.1");
  if (!fs.existsSync(nvml)) fs.symlinkSync(standIn, nvml);
  const flags = [...fast, "-DHEATFLOW_WITH_CUDA", standIn, "-ldl"];
  return {
    program: build(folder, ["test/gpu.cpp", "src/cuda.cpp"], { flags }),
    environment: { LD_LIBRARY_PATH: folder },
  };
}

const needsToolkit = cupti === undefined ? ` (left out: ${noToolkit})` : "";
describe.skipIf(cupti === undefined)(`the tracker's part for GPUs, with a stand-in for CUPTI${needsToolkit}`, () => {
  it("records calls, and what they start on devices with the contexts that launched it", async () => {
    const { program, environment } = built();
    const turns = 1000;
    const ran = run(folder, program, [String(turns)], environment);
    expect([ran.status, ran.complained]).toEqual([0, ""]);
    const dataSet = await opened(ran.output);
    for (const [name, [count, nanoseconds, bytes]] of Object.entries(STEP)) {
      // Uploads and kernels have regions of their own around the call.
      const call = name.startsWith("Mem") ? "/cudaMemcpyAsync" : "/compute/cudaLaunchKernel";
      const within = name.includes("HtoD") ? `/upload${call}` : name.includes("DtoH") ? `/steps${call}` : call;
      // Two threads do the steps, each on a GPU of its own.
      const all = 2 * turns;
      expect([name, totalBelow(dataSet, "calls (GPU streams)", name, within)]).toEqual([name, all * count]);
      expect(totalBelow(dataSet, "time (GPU streams)", name, within)).toBeCloseTo((all * nanoseconds) / 1e9, 12);
      expect(totalBelow(dataSet, "bytes copied", name, within)).toBe(all * bytes);
    }
    expect(totalBelow(dataSet, "calls", "cudaLaunchKernel", "/compute")).toBe(6 * turns);
    expect(totalBelow(dataSet, "calls", "cudaDeviceSynchronize", "/steps")).toBe(2);
    expect(totalBelow(dataSet, "calls (GPU streams)", "Memset (Device)", "/all/cudaMemset")).toBe(1);
    expect(totalBelow(dataSet, "bytes copied", "Memcpy PtoP (Device -> Device)", "/all/cudaMemcpyPeer")).toBe(1 << 20);
    // Peer copies and migrations are moves, memsets and faults none.
    expect(total(dataSet, "bytes copied")).toBe(2 * turns * (4096 + 512) + (1 << 20) + (2 << 20) + (1 << 20));
    expect(total(dataSet, "time (GPU streams)")).toBeCloseTo(
      (2 * turns * 7200 + 400 + 9000 + 5000 + 2500 + 600) / 1e9,
      12,
    );
    const lanes = (dataSet.trace?.lanes ?? []).map(({ name }) => name).filter((name) => name.startsWith("GPU "));
    expect(lanes.sort()).toEqual([
      "GPU 0, stream 13",
      "GPU 0, stream 7",
      "GPU 0, unified memory: DtoH",
      "GPU 0, unified memory: pagefaults.cpu",
      "GPU 0, unified memory: pagefaults.gpu",
      "GPU 1, stream 13",
      "GPU 1, stream 7",
      "GPU 1, unified memory: HtoD",
    ]);
    const frames = [...(dataSet.trace?.states.frame ?? [])];
    expect(frames.map((frame) => dataSet.frames.nameOf(frame as never))).not.toContain("notRecorded");
  });

  it("has what devices do at the time of the calls that started it, and writes it as Kineto does", () => {
    const { program, environment } = built();
    const file = readTrackerFile(run(folder, program, ["20"], environment).output);
    const calls = new Map(activities(file, "runtime").map((event) => [event.args.correlation, event]));
    const kernels = activities(file, "kernel");
    expect(kernels).toHaveLength(2 * 20 * 3);
    for (const { ts, args, name } of kernels) {
      const call = calls.get(args.correlation);
      expect(call?.args.context).toBe(args.caller);
      // The stand-in has them start within their calls, on a clock of its own.
      expect(ts).toBeGreaterThan((call?.ts ?? NaN) - 50);
      expect(ts).toBeLessThan((call?.ts ?? NaN) + (call?.dur ?? NaN) + 50);
      const shape = { "registers per thread": 32, "shared memory": 1048, grid: [120, 1, 1], block: [256, 1, 1] };
      expect([name, args]).toEqual([name, { ...args, ...shape, context: 1, stream: 7 }]);
    }
    // The device knows this one by another number, which the driver's call within that of the runtime has.
    const [set] = activities(file, "gpu_memset");
    expect([calls.get(set.args.correlation)?.name, calls.get(set.args.correlation)?.args.context]).toEqual([
      "cudaMemset",
      set.args.caller,
    ]);
    const [peer] = activities(file, "gpu_memcpy").filter(({ name }) => name === "Memcpy PtoP (Device -> Device)");
    expect(peer.args).toMatchObject({
      fromDevice: 0,
      toDevice: 1,
      bytes: 1 << 20,
      "memory bandwidth (GB/s)": expect.closeTo(2 ** 20 / 9000, 9) as number,
    });
    expect(file.deviceProperties).toHaveLength(2);
    expect(file.deviceProperties[1]).toMatchObject({
      id: 1,
      name: 'Stand-in "GPU"',
      totalGlobalMem: 80e9,
      computeMajor: 9,
      numSms: 132,
      maxThreadsPerMultiprocessor: 2048,
      maxThreadsPerBlock: 1024,
      warpSize: 32,
    });
  });

  it("counts what found no room, and keeps the rest", () => {
    const { program, environment } = built();
    const ran = run(folder, program, ["20000"], {
      ...environment,
      HEATFLOW_BUFFER_MB: "1",
      HEATFLOW_SHORTEST_EVENT_NS: "1000000",
    });
    expect([ran.status, ran.complained]).toEqual([0, ""]);
    const file = readTrackerFile(ran.output);
    const kept = ["kernel", "gpu_memcpy", "gpu_memset", "uvm"].reduce(
      (sum, one) => sum + activities(file, one).length,
      0,
    );
    expect(file.heatflowEnd.recordsDropped).toBeGreaterThan(0);
    // Devices are records, too; one that was not to be recorded was left out or found no room.
    const all = 2 * 20_000 * 5 + 1 + 1 + 4 + file.deviceProperties.length;
    expect([all, all + 1]).toContain(kept + file.deviceProperties.length + file.heatflowEnd.recordsDropped);
  });

  it("has the counters of a program that ends before its GPUs' activities are written, and no call that the runtime makes", () => {
    const { program, environment } = built();
    const file = readTrackerFile(run(folder, program, ["1"], environment).output);
    const counters = file.traceEvents.filter(({ ph, name }) => ph === "C" && name.startsWith("GPU 1: "));
    expect(counters.map(({ name }) => name)).toContain("GPU 1: power_draw (W)");
    const calls = file.lines.map(({ name }) => name).filter((name) => name.startsWith("cu"));
    expect([...new Set(calls)].sort()).toEqual([
      "cudaDeviceSynchronize",
      "cudaLaunchKernel",
      "cudaMemcpyAsync",
      "cudaMemcpyPeer",
      "cudaMemset",
    ]);
  });

  it("has counters of GPUs while the program runs, and says what can't be had of them", async () => {
    const { program, environment } = built();
    const more = { HEATFLOW_SAMPLE_PERIOD_MS: "50", STANDIN_NO_UNIFIED_MEMORY: "1" };
    const dataSet = await opened(run(folder, program, ["1", "long"], { ...environment, ...more }).output);
    const last = await Promise.all(
      (dataSet.trace?.counters ?? []).map(async ({ name, unit, resource, points }, counter) => {
        const point = await dataSet.trace?.readCounter(counter, points - 1, 1);
        return [`${dataSet.topology?.resources[resource].name} ${name} (${unit})`, point?.value[0]] as const;
      }),
    );
    expect(Object.fromEntries(last.filter(([name]) => name.startsWith("GPU ")))).toEqual({
      ...Object.fromEntries([0, 1].flatMap((gpu) => countersOf(gpu))),
      "GPU 0 pcie_tx (B/s)": 2000 * 1024,
      "GPU 0 pcie_rx (B/s)": 3000 * 1024,
    });
    const said = dataSet.warnings.map(({ message }) => message).join("\n");
    expect(said).toContain("PCIe throughput of GPUs: Not Supported");
    expect(said).toContain("unified memory: CUPTI_ERROR_STANDIN");
  });

  it("says in one line why CUPTI can't start, and the program goes on", () => {
    const { program, environment } = built();
    const ran = run(folder, program, ["0"], { ...environment, STANDIN_FAILS: "1" });
    expect(ran.status).toBe(0);
    expect(ran.complained).toBe(
      "heatflow: nothing of GPUs is recorded: CUPTI can't start (CUPTI_ERROR_NOT_INITIALIZED).\n",
    );
    const file = readTrackerFile(ran.output);
    expect(file.gpu).toEqual({ missing: [{ metric: "GPU activities", why: "CUPTI_ERROR_NOT_INITIALIZED" }] });
    expect(file.deviceProperties).toEqual([]);
  });
});

/** What the stand-in for NVML says of each GPU. */
function countersOf(gpu: number): [string, number][] {
  return [
    [`GPU ${gpu} utilization_gpu (%)`, 57],
    [`GPU ${gpu} utilization_memory (%)`, 13],
    [`GPU ${gpu} memory_used (B)`, 1e9],
    [`GPU ${gpu} memory_free (B)`, 79e9],
    [`GPU ${gpu} power_draw (W)`, 312.5],
    [`GPU ${gpu} temperature_gpu (°C)`, 41],
  ];
}
