import { describe, expect, it } from "vitest";
import { caliper } from "../../../../../src/formats/caliper/format";
import type { DataSet } from "../../../../../src/model/dataSet";
import { formatLaws, readFixture } from "../../formatLaws";
import { pathsOf } from "../../plainDataSet";
import { attribute, read, valuesOf } from "../caliFixtures";
import { type Branch, CaliWriter, channel, rank, region, time } from "../caliWriter";
import { jsonOf } from "../jsonOf";
import { readNaively } from "../naiveCali";
import { nanoseconds } from "../traceRows";

const kind = attribute("cupti.activity.kind", "string", 20);
const kernel = attribute("cupti.kernel.name", "string", 20);
const memcpy = attribute("cupti.memcpy.kind", "string", 20);
const bytes = attribute("cupti.memcpy.bytes", "uint", 2069);
const start = attribute("cupti.activity.start", "uint", 21);
const end = attribute("cupti.activity.end", "uint", 21);
const duration = attribute("cupti.activity.duration", "uint", 2069);
const device = attribute("cupti.device.uuid", "string", 20);
const uvm = attribute("cupti.uvm.kind", "string", 20);
const uvmBytes = attribute("cupti.uvm.bytes", "uint", 2069);
const runtime = attribute("cupti.runtimeAPI", "string", 276);
const seconds = attribute("starttime.sec", "uint", 1612);
const subseconds = attribute("starttime.nsec", "uint", 1612);

/** Nanoseconds since 1970, which no double holds. */
const EPOCH = 1_700_000_000_000_000_000n;

/** A kernel, two copies and a page fault, as the cupti service flushes them. */
function activities(zero = EPOCH, globals = true): string {
  const out = new CaliWriter();
  const below = (...more: Branch): Branch => [
    [region, "main"],
    [runtime, "cudaLaunchKernel"],
    [device, "ab12"],
    ...more,
  ];
  const at = (from: number, to: number) =>
    [
      [start, String(zero + BigInt(from))],
      [end, String(zero + BigInt(to))],
      [duration, to - from],
    ] as const;
  out.snapshot(
    [[[region, "main"]]],
    [
      [rank, 0],
      [time, 0.5],
    ],
  );
  out.snapshot([below([kind, "kernel"], [kernel, "axpy(double*, int)"])], [[rank, 0], ...at(1001, 1601)]);
  out.snapshot([below([kind, "memcpy"], [memcpy, "HtoD"])], [[rank, 0], [bytes, 4096], ...at(101, 201)]);
  out.snapshot([below([kind, "memcpy"], [memcpy, "DtoH"])], [[rank, 0], [bytes, 1024], ...at(2001, 2004)]);
  out.snapshot([below([kind, "memcpy"], [memcpy, "HtoD"])], [[rank, 0], [bytes, 100], ...at(301, 302)]);
  out.snapshot(
    [
      [
        [kind, "uvm"],
        [uvm, "pagefaults.cpu"],
      ],
    ],
    [
      [rank, 0],
      [start, String(zero + 5000n)],
    ],
  );
  out.snapshot(
    [
      [
        [kind, "uvm"],
        [uvm, "HtoD"],
      ],
    ],
    [[rank, 0], [uvmBytes, 65_536], ...at(5001, 5011)],
  );
  out.globals([
    [channel, "cuda"],
    ...(globals
      ? ([
          [seconds, String(zero / 1_000_000_000n)],
          [subseconds, String(zero % 1_000_000_000n)],
        ] as const)
      : []),
  ]);
  return out.text();
}

formatLaws(caliper, { "what devices did": { "gpu.cali": activities() } }, undefined, 0.2);

async function transferRows({ trace, frames, ...dataSet }: DataSet): Promise<string[]> {
  if (trace === undefined) return [];
  const transfers = await trace.readTransfers(0, trace.transfers);
  const paths = pathsOf({ trace, frames, ...dataSet });
  return Array.from({ length: transfers.count }, (_, at) =>
    [
      trace.lanes[transfers.lane[at]].name,
      trace.transferDirections[transfers.direction[at]],
      transfers.bytes[at],
      nanoseconds(transfers.startSeconds[at]),
      nanoseconds(transfers.endSeconds[at]),
      `${transfers.fromDevice[at]} to ${transfers.toDevice[at]}`,
      transfers.context[at] < 0 ? "" : paths[transfers.context[at]].join("/"),
    ].join(" | "),
  );
}

describe("devices", () => {
  it("on streams of one number are two where these are of two contexts", async () => {
    const context = attribute("cupti.contextID", "uint", 21);
    const stream = attribute("cupti.streamID", "uint", 21);
    const text = (contexts: readonly number[]) => {
      const out = new CaliWriter();
      for (const of of contexts)
        out.snapshot(
          [
            [
              [kind, "kernel"],
              [kernel, "axpy"],
            ],
          ],
          [
            [rank, 0],
            [context, of],
            [stream, 7],
            [duration, 5],
          ],
        );
      // A call of the host in one of them is where its thread is.
      out.snapshot(
        [[[region, "main"]]],
        [
          [rank, 0],
          [context, 1],
          [time, 0.5],
        ],
      );
      out.globals([[channel, "x"]]);
      return out.text();
    };
    const placesOf = ({ locations }: DataSet) => locations.map((place) => [place.rank, place.gpuContext, place.stream]);
    expect(placesOf(await read(text([1, 2, 1])))).toEqual([
      [0, undefined, -1],
      [0, 1, 7],
      [0, 2, 7],
    ]);
    expect(placesOf(await read(text([1, 1])))).toEqual([
      [0, undefined, -1],
      [0, undefined, 7],
    ]);
    const json = await readFixture(caliper, { "x.json": jsonOf(readNaively(text([1, 2])), "object") });
    expect(placesOf(json[0])).toEqual(placesOf(await read(text([1, 2]))));
  });

  it("have their work below the region that asked for it, in a time of its own", async () => {
    const dataSet = await read(activities());
    expect(dataSet.metrics.map(({ name, unit }) => [name, unit])).toEqual([
      ["time", "s"],
      ["cupti.activity.duration", "s"],
      ["cupti.memcpy.bytes", "B"],
      ["cupti.uvm.bytes", "B"],
    ]);
    expect(dataSet.metrics[1].note).toMatch(/^GPU time: .* never added to CPU time/);
    expect(valuesOf(dataSet, "time")).toEqual({ "main @0": 0.5 });
    expect(valuesOf(dataSet, "cupti.activity.duration")).toEqual({
      "main/cudaLaunchKernel/axpy(double*, int) @0": 600e-9,
      "main/cudaLaunchKernel/memcpy HtoD @0": 101e-9,
      "main/cudaLaunchKernel/memcpy DtoH @0": 3e-9,
      "unified memory HtoD @0": 10e-9,
    });
    expect(valuesOf(dataSet, "cupti.memcpy.bytes")).toEqual({
      "main/cudaLaunchKernel/memcpy HtoD @0": 4196,
      "main/cudaLaunchKernel/memcpy DtoH @0": 1024,
    });
    const kernels = Array.from(dataSet.tree.frame, (frame) => dataSet.frames.get(frame as never)).filter(
      (frame) => frame.kind === "kernel",
    );
    expect(kernels.map(({ name }) => name).sort()).toEqual([
      "axpy(double*, int)",
      "memcpy DtoH",
      "memcpy HtoD",
      "unified memory HtoD",
    ]);
    const origins = Array.from(dataSet.tree.frame, (frame) => dataSet.frames.originOf(frame));
    expect(origins.filter((origin) => origin === "runtime")).toHaveLength(1);
  });

  it("have their transfers in the trace, to the nanosecond", async () => {
    expect(await transferRows(await read(activities()))).toEqual([
      "rank 0, GPU ab12: memcpy | HtoD | 4096 | 101 | 201 | -1 to 0 | main/cudaLaunchKernel/memcpy HtoD",
      "rank 0, GPU ab12: memcpy | HtoD | 100 | 301 | 302 | -1 to 0 | main/cudaLaunchKernel/memcpy HtoD",
      "rank 0, GPU ab12: memcpy | DtoH | 1024 | 2001 | 2004 | 0 to -1 | main/cudaLaunchKernel/memcpy DtoH",
      "rank 0, GPU: uvm | pagefaults.cpu | NaN | 5000 | 5000 | -1 to 0 | ",
      "rank 0, GPU: uvm | HtoD | 65536 | 5001 | 5011 | -1 to 0 | unified memory HtoD",
    ]);
  });

  it("have lanes for kernels and for copies, which may run at once", async () => {
    const { trace } = await read(activities());
    expect(trace?.zeroNanoseconds).toBe(EPOCH);
    expect(trace?.lanes.map(({ name, events }) => [name, events])).toEqual([
      ["rank 0, GPU ab12: kernel", 1],
      ["rank 0, GPU ab12: memcpy", 3],
      ["rank 0, GPU: uvm", 2],
    ]);
    expect(trace?.categories).toEqual(
      expect.arrayContaining([
        { name: "kernel", kind: "gpuCompute" },
        { name: "memcpy", kind: "transfer" },
        { name: "uvm", kind: "transfer" },
      ]),
    );
  });

  it("on a clock of their own start with their earliest activity, where nothing says when that was", async () => {
    const rows = await transferRows(await read(activities(5_000_000n, false)));
    // The kernel is the first record, but no zero: a copy began 900 ns before it.
    expect(rows.map((row) => Number(row.split(" | ")[3]))).toEqual([0, 200, 1900, 4899, 4900]);
  });

  it("are the same from records as json", async () => {
    const text = activities();
    const [json] = await readFixture(caliper, { "gpu.json": jsonOf(readNaively(text), "object") });
    const cali = await read(text);
    expect(await transferRows(json)).toEqual(await transferRows(cali));
    for (const name of ["time", "cupti.activity.duration", "cupti.memcpy.bytes"])
      expect(valuesOf(json, name)).toEqual(valuesOf(cali, name));
  });

  it("of the other make name their operations", async () => {
    const out = new CaliWriter();
    const operation = attribute("rocm.activity", "string", 20);
    const taken = attribute("rocm.activity.duration", "uint", 2069);
    const name = attribute("rocm.kernel.name", "string", 20);
    const api = attribute("rocm.api", "string", 276);
    out.snapshot(
      [
        [
          [region, "main"],
          [api, "hipMemcpy"],
          [operation, "MEMORY_COPY_HOST_TO_DEVICE"],
        ],
      ],
      [[taken, 40]],
    );
    out.snapshot(
      [
        [
          [region, "main"],
          [api, "hipLaunchKernel"],
          [operation, "KERNEL_DISPATCH"],
          [name, "axpy"],
        ],
      ],
      [[taken, 70]],
    );
    out.globals([[channel, "rocm"]]);
    expect(valuesOf(await read(out.text()), "rocm.activity.duration")).toEqual({
      "main/hipMemcpy/MEMORY_COPY_HOST_TO_DEVICE @-1": 40e-9,
      "main/hipLaunchKernel/axpy @-1": 70e-9,
    });
  });
});
