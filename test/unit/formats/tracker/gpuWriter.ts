import fc from "fast-check";

/** One thing that a device did; times in nanoseconds since the recording's start. */
export interface Did {
  readonly what: "kernel" | "HtoD" | "DtoH" | "memset" | "migrated" | "faulted";
  readonly name: string;
  readonly device: number;
  readonly stream: number;
  /** Whether the file says which context launched it. */
  readonly hasCaller: boolean;
  readonly start: number;
  readonly duration: number;
  readonly bytes: number;
}

/** Random activities of two GPUs, which may run at the same time. */
export const activities = fc.array(
  fc.record<Did>({
    what: fc.constantFrom("kernel", "HtoD", "DtoH", "memset", "migrated", "faulted"),
    name: fc.constantFrom("add(double*, int)", "void gemm<8>()"),
    device: fc.nat(1),
    stream: fc.constantFrom(7, 13),
    hasCaller: fc.boolean(),
    start: fc.nat(1_000_000),
    duration: fc.nat(100_000),
    bytes: fc.nat(1 << 20),
  }),
  { maxLength: 30 },
);

const PROCESS = 1;
const CALL = 2;

/** Name, category and further arguments of an activity as the tracker writes them. */
export function shape({ what, name, bytes }: Did): { name: string; cat: string; args: object } {
  switch (what) {
    case "kernel":
      return { name, cat: "kernel", args: { "registers per thread": 32, grid: [1, 2, 3], block: [32, 1, 1] } };
    case "HtoD":
      return {
        name: "Memcpy HtoD (Pinned -> Device)",
        cat: "gpu_memcpy",
        args: { bytes, "memory bandwidth (GB/s)": 2.5 },
      };
    case "DtoH":
      return {
        name: "Memcpy DtoH (Device -> Pageable)",
        cat: "gpu_memcpy",
        args: { bytes, "memory bandwidth (GB/s)": "N/A" },
      };
    case "memset":
      return { name: "Memset (Device)", cat: "gpu_memset", args: { bytes, "memory bandwidth (GB/s)": 2.5 } };
    case "migrated":
      return { name: "unified memory: HtoD", cat: "uvm", args: { bytes } };
    case "faulted":
      return { name: "unified memory: pagefaults.gpu", cat: "uvm", args: {} };
  }
}

/** Whether it is of a stream, and not of the device as a whole. */
export function isOnStream({ what }: Did): boolean {
  return what !== "migrated" && what !== "faulted";
}

/**
 * A recording in which `main` calls `cudaLaunchKernel`, once for each activity, beside what devices did. The process has a number that
 * a device and a thread could have, too.
 */
export function writtenWithGpus(did: readonly Did[], rank?: number): string {
  const microseconds = (nanoseconds: number) => nanoseconds / 1000;
  const call = (at: number) => ({
    ph: "X",
    pid: PROCESS,
    tid: PROCESS,
    cat: "runtime",
    name: "cudaLaunchKernel",
    ts: at,
  });
  const events = [
    { ph: "M", pid: 0, tid: 0, name: "process_name", args: { name: "GPU 0" } },
    ...did.flatMap((one, at) => {
      const { name, cat, args } = shape(one);
      const { device, stream } = one;
      const onStream = isOnStream(one)
        ? { context: 1, stream, correlation: 100 + at, ...(one.hasCaller ? { caller: CALL } : {}) }
        : {};
      const event = { ph: "X", pid: device, tid: isOnStream(one) ? stream : 0, name, cat, ts: microseconds(one.start) };
      const activity = { ...event, dur: microseconds(one.duration), args: { device, ...onStream, ...args } };
      return [activity, { ...call(at), dur: 0.5, args: { context: CALL, correlation: 100 + at } }];
    }),
    { ph: "X", pid: PROCESS, tid: PROCESS, cat: "computing", name: "main", ts: 0, dur: 2000, args: { context: 1 } },
    { ph: "C", pid: PROCESS, tid: 0, name: "GPU 1: power_draw (W)", ts: 10, args: { value: 312.5 } },
    { ph: "C", pid: PROCESS, tid: 0, name: "GPU 1: memory_used (bytes)", ts: 10, args: { value: 1e9 } },
    { ph: "C", pid: PROCESS, tid: 0, name: "resident memory (bytes)", ts: 10, args: { value: 5 } },
  ];
  const spent = 500 * did.length;
  return JSON.stringify({
    schemaVersion: 1,
    baseTimeNanoseconds: 1795455971000000000,
    heatflow: { version: 1, program: "program", process: PROCESS, startNanoseconds: 0, run: "one" },
    ...(rank === undefined ? {} : { distributedInfo: { rank, world_size: 2 } }),
    traceEvents: events,
    contexts: [
      { id: 1, thread: PROCESS, frame: 0, calls: 1, inclusive: 2_000_000, exclusive: 2_000_000 - spent },
      { id: CALL, parent: 1, thread: PROCESS, frame: 1, calls: did.length, inclusive: spent, exclusive: spent },
    ],
    lines: [
      { frame: 0, name: "main", category: "computing", file: "/src/main.cu", line: 12 },
      { frame: 1, name: "cudaLaunchKernel", category: "runtime" },
    ],
    deviceProperties: [
      { id: 0, name: 'A "GPU"', numSms: 132 },
      { id: 1, name: "another", numSms: 84 },
    ],
    gpu: { missing: [{ metric: "power of GPU 1", why: "Not Supported" }] },
    heatflowEnd: { eventsDropped: 0, eventsTooShort: 0, regionsTooDeep: 0, recordsDropped: 3 },
  });
}
