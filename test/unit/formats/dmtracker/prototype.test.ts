import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { openRecordings } from "../../../../src/formats/registry";
import { columnMemory } from "../../../../src/formats/trace/blocks";
import { quietTask } from "../../../../src/model/task";
import { dmtracker } from "../../../../src/formats/dmtracker/format";
import type { DataSet } from "../../../../src/model/dataSet";
import { type Fixture, formatLaws, readFixture } from "../formatLaws";
import { cellsOf, metricNamed, pathsOf } from "../plainDataSet";
import { drawing } from "./recordings";

const START = 1647367818750591780n;

const profile = `{
  "data": [ [ 0.5, null ], [ 0.25, 0 ], [ 0.125, 1 ] ],
  "columns": [ "time", "path" ],
  "column_metadata": [ { "is_value": true, "attribute.alias": "time", "attribute.unit": "sec" }, { "is_value": false } ],
  "nodes": [ { "label": "RunBenchmark", "column": "path" }, { "label": "passes.loop", "column": "path", "parent": 0 } ],
  "cali.caliper.version": "2.8.0-dev"
}
`;

const regions = `[
{"event.begin#function":"RunBenchmark","time.duration":0.25},
{"event.begin#loop":"passes.loop","path":"RunBenchmark","time.duration":0.5},
{"path":"RunBenchmark/passes.loop","event.begin#iteration#passes.loop":0,"time.duration":0.125},
{"path":"RunBenchmark/passes.loop","event.end#iteration#passes.loop":0,"iteration#passes.loop":0,"region.count":1,"time.duration":1,"time.inclusive.duration":1},
{"event.end#loop":"passes.loop","path":"RunBenchmark/passes.loop","region.count":1,"time.duration":0.5,"time.inclusive.duration":1.625},
{"event.end#function":"RunBenchmark","path":"RunBenchmark","region.count":1,"time.duration":2,"time.inclusive.duration":4.125}
]
`;

/** Addresses are bare hex, some of which look like numbers. */
const memory = `[
{"cupti.starttime":"${START}","event.begin#function":"RunBenchmark"},
{"cupti.starttime":"${START}","mem.alloc":"dA","path":"RunBenchmark","alloc.address":7f6f3a000000,"alloc.total_size":4194304,"alloc.uid":1},
{"alloc.label#cupti.fault.addr":"dA","cupti.activity.kind":"uvm","cupti.starttime":"${START}","cupti.uvm.kind":"pagefaults.cpu","path":"RunBenchmark","alloc.index#cupti.fault.addr":65536,"alloc.uid#cupti.fault.addr":1,"cupti.activity.start":${START + 268355197n},"cupti.fault.addr":7f6f3a010000},
{"cupti.activity.kind":"uvm","cupti.starttime":"${START}","cupti.uvm.kind":"HtoD","path":"RunBenchmark/passes.loop","cupti.activity.end":${START + 316808561n},"cupti.activity.start":${START + 316801393n},"cupti.fault.addr":70000000000e1,"cupti.uvm.bytes":77824},
{"cupti.activity.kind":"uvm","cupti.starttime":"${START}","cupti.uvm.kind":"DtoH","path":"RunBenchmark","cupti.activity.end":${START + 316808999n},"cupti.activity.start":${START + 316808998n},"cupti.uvm.bytes":4096},
{"cupti.starttime":"${START}","event.end#function":"RunBenchmark","path":"RunBenchmark","region.count":1}
]
`;

const folder: Fixture = {
  "topology.svg": drawing,
  "region_profile.json": profile,
  "nvbit_trace.json": regions,
  "uvm-tracking.json": memory,
  "metric_summary.csv": `==7== NVPROF is profiling\n"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"\n"GPU (0)","gemm",50,"dram","Device Memory Read",1GB/s,3GB/s,2GB/s\n`,
  "runtime_metrics.csv": "test, atts, units, median, mean, \nSGEMM-N, dim:1024, GFlops, 1581.67, 1607.01, \n",
};

async function open(fixture: Fixture, named?: readonly string[]): Promise<DataSet> {
  const dataSets = await readFixture(dmtracker, fixture, { open: named });
  expect(dataSets).toHaveLength(1);
  return dataSets[0];
}

describe("the older, Caliper-based DMTracker", () => {
  it("is one data set of all its files, whichever are opened", async () => {
    const names = Object.keys(folder);
    for (const some of [names.slice(0, 4), ["uvm-tracking.json"], ["region_profile.json", "topology.svg"]])
      expect((await open(folder, some)).files).toHaveLength(6);
  });

  it("ties migrations and page faults to regions and allocations, to the nanosecond", async () => {
    const dataSet = await open(folder);
    const { trace, frames, topology } = dataSet;
    const paths = pathsOf(dataSet).map((path) => path.join("/"));
    expect(trace?.zeroNanoseconds).toBe(START);
    const rows = await trace?.readTransfers(0, 9);
    expect(
      Array.from(rows?.bytes ?? [], (bytes, at) => [
        trace?.transferDirections[rows?.direction[at] ?? 0],
        frames.nameOf(rows?.frame[at] ?? 0),
        rows?.startSeconds[at],
        rows?.endSeconds[at],
        bytes,
        rows?.fromDevice[at],
        rows?.toDevice[at],
        paths[rows?.context[at] ?? 0],
      ]),
    ).toEqual([
      ["pagefaults.cpu", "pagefaults.cpu dA", 0.268355197, 0.268355197, Number.NaN, -1, -1, "RunBenchmark"],
      ["HtoD", "HtoD", 0.316801393, 0.316808561, 77824, -1, 0, "RunBenchmark/passes.loop"],
      ["DtoH", "DtoH", 0.316808998, 0.316808999, 4096, 0, -1, "RunBenchmark"],
    ]);
    const allocation = topology?.resources.find(({ type }) => type === "allocation");
    expect([allocation?.name, allocation?.properties?.get("bytes"), allocation?.properties?.get("address")]).toEqual([
      "dA",
      "4194304",
      "7f6f3a000000",
    ]);
  });

  it("has region events at the sums of the times between them, and region times beside them", async () => {
    const dataSet = await open(folder);
    const { trace, frames } = dataSet;
    const lane = trace?.lanes.findIndex(({ name }) => name === "regions") ?? -1;
    const events = await trace?.readEvents(lane, 0, 9);
    expect(
      Array.from(events?.frame ?? [], (frame, at) => [
        frames.nameOf(frame),
        events?.startSeconds[at],
        events?.endSeconds[at],
        events?.depth[at],
      ]),
    ).toEqual([
      ["RunBenchmark", 0.25, 4.375, 0],
      ["passes.loop", 0.75, 2.375, 1],
      ["iteration#passes.loop", 0.875, 1.875, 2],
    ]);
    const paths = pathsOf(dataSet).map((path) => path.join("/"));
    const times = [...cellsOf(dataSet, metricNamed(dataSet, "time"))].map(([context, , value]) => [
      paths[context],
      value,
    ]);
    expect(Object.fromEntries(times)).toEqual({ "": 0.5, RunBenchmark: 0.25, "RunBenchmark/passes.loop": 0.125 });
    expect(dataSet.globals.get("gemm: Device Memory Read")).toEqual(["2GB/s (1GB/s to 3GB/s)"]);
    expect(dataSet.globals.get("SGEMM-N (dim:1024), GFlops")).toEqual(["median 1581.67, mean 1607.01"]);
  });

  it("says what is cut or follows, and keeps what is whole", async () => {
    const cut = await open({ ...folder, "uvm-tracking.json": memory.slice(0, -60) });
    expect(cut.trace?.transfers).toBe(3);
    expect(cut.warnings.map(({ message }) => message)).toContain(
      "the file ends early: its last record is not whole, and was left out",
    );
    const twice = await open({ ...folder, "nvbit_trace.json": regions + regions, "topology.svg": drawing + drawing });
    expect(twice.warnings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        "something follows the end of the list: it was not read",
        "further drawings follow the first one: they are not read",
      ]),
    );
    expect(twice.trace?.events).toBe((await open(folder)).trace?.events);
  });

  it("leaves other profiles in the folder what they are", async () => {
    const dataSets = await readFixture(
      dmtracker,
      { ...folder, "other.json": profile },
      { open: ["region_profile.json", "other.json"] },
    );
    expect(dataSets.map(({ name }) => name)).toEqual(["test", "other.json"]);
  });

  it("gives its columns back where another profile beside it cannot be read", async () => {
    const place = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-prototype-"));
    onTestFinished(() => fs.rmSync(place, { recursive: true }));
    const files = { ...folder, "other.json": profile.slice(0, -20) };
    for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(place, name), content);
    const columnFiles = { ...memoryColumnFiles };
    const account = columnMemory(columnFiles);
    const paths = ["region_profile.json", "other.json"].map((name) => path.join(place, name));
    const [whole] = await openRecordings(paths.slice(0, 1), { columnFiles }, quietTask);
    expect(account.resident).toBeGreaterThan(0);
    await whole.trace?.close();
    expect(account.resident).toBe(0);
    await expect(openRecordings(paths, { columnFiles }, quietTask)).rejects.toThrow(/other\.json/);
    expect(account.resident).toBe(0);
  });
});

formatLaws(
  dmtracker,
  { "a folder of the older kind": folder },
  ["topology.svg", "nvbit_trace.json", "uvm-tracking.json"],
  0.3,
);
