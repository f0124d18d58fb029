import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chromeTrace } from "../../../../src/formats/chrome/format";
import { AmbiguityError, FormatError } from "../../../../src/model/errors";
import { type FrameId, NONE } from "../../../../src/model/ids";
import { membersOf } from "../../../../src/model/members";
import { casesOf } from "../../randomCases";
import { formatLaws, readFixture } from "../formatLaws";
import { kinetoFile, plainTraceFile, sampledFile } from "./chromeFixtures";
import { eventsOf, read, valuesOf } from "./readAs";

describe("a trace written as a list", () => {
  it("gives lanes with all events, nested as their times say", async () => {
    expect(await eventsOf(await read(plainTraceFile))).toEqual([
      "thread 7: main 0-100 @0",
      "thread 7: solve 10.5-30.75 @1",
      "thread 7: MPI_Wait 12-15 @2",
      "thread 7: marks: checkpoint 50-50 @0",
      'worker (8): work "quoted" é😀 20-30 @0',
      // What is of no thread stands behind them.
      "7: io: load 5-9 @0",
      "7: io: marks: first byte 7-7 @0",
    ]);
  });

  it("makes calling contexts of nesting, with exclusive times", async () => {
    const dataSet = await read(plainTraceFile);
    expect([...valuesOf(dataSet, "time")]).toEqual([
      ["main", 79.75],
      ["main/solve", 17.25],
      ["main/solve/MPI_Wait", 3],
      ['work "quoted" é😀', 10],
    ]);
    expect(dataSet.notRecorded).toEqual([]);
    expect(dataSet.locations.map(({ thread }) => thread)).toEqual([7, 8]);
  });

  it("keeps file and line of an event's arguments", async () => {
    const { frames, tree } = await read(plainTraceFile);
    const solve = Array.from(tree.frame, (frame) => frames.get(frame as never)).find(({ name }) => name === "solve");
    expect(solve).toEqual({ name: "solve", kind: "region", file: "src/solve.cpp", line: 42 });
  });

  it("has counters, arrows and resources", async () => {
    const { trace, topology } = await read(plainTraceFile);
    expect(trace?.counters.map(({ name, points, maximum }) => [name, points, maximum])).toEqual([
      ["memory: heap", 2, 12],
      ["memory: stack", 2, 2.5],
    ]);
    const arrows = await trace?.readMessages(0, 9);
    expect([arrows?.count, arrows?.kind[0], arrows?.sentSeconds[0], arrows?.receivedSeconds[0]]).toEqual([
      1, 1, 11e-6, 21e-6,
    ]);
    const names = topology?.resources.map(({ name }) => name) ?? [];
    expect([names[arrows?.from[0] ?? -1], names[arrows?.to[0] ?? -1]]).toEqual(["thread 7", "worker (8)"]);
    expect(names).toContain("solver (7)");
  });

  it("may end without its bracket, with a comma, or inside of an event, and warns", async () => {
    const whole = await eventsOf(await read('[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2}]'));
    for (const end of ["", ",", ",\n\n", ',{"ph":"X","name":"cut']) {
      const dataSet = await read(`[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2}${end}`);
      expect(await eventsOf(dataSet)).toEqual(whole);
      expect(dataSet.warnings).toHaveLength(1);
      expect(dataSet.warnings[0].message).toMatch(/the file ends early/);
    }
  });
});

describe("threads whose buffers are written one after the other", () => {
  const event = (ph: string, tid: number, ts: number, name: string, more: object = {}) =>
    JSON.stringify({ ph, pid: 1, tid, ts, name, ...more });
  const request = (ph: string, tid: number, ts: number, id: number) =>
    event(ph, tid, ts, "request", { cat: "net", id });
  const arrow = (ph: string, tid: number, ts: number) => event(ph, tid, ts, "batch", { cat: "batch", id: 5 });
  const buffers = [
    [event("X", 1, 0, "send", { dur: 10 }), arrow("s", 1, 9), request("b", 1, 2, 1), request("b", 1, 4, 2)],
    [event("X", 2, 20, "pass on", { dur: 10 }), arrow("t", 2, 21)],
    [event("X", 3, 40, "receive", { dur: 10 }), arrow("f", 3, 41), request("e", 3, 42, 1), request("e", 3, 44, 2)],
  ];

  it("have the same asynchronous events and arrows, in whatever order the buffers are", async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const dataSet = await read(`[${order.flatMap((at) => buffers[at]).join(",")}]`);
      const requests = (await eventsOf(dataSet)).filter((text) => text.includes("request"));
      expect(requests.map((text) => text.replace(/^.*request /, ""))).toEqual(["2-42 @0", "4-44 @0"]);
      const arrows = await dataSet.trace?.readMessages(0, 9);
      const micros = (seconds = 0) => Math.round((seconds - (dataSet.trace?.startSeconds ?? 0)) * 1e6);
      expect([0, 1].map((at) => [micros(arrows?.sentSeconds[at]), micros(arrows?.receivedSeconds[at])])).toEqual([
        [9, 21],
        [21, 41],
      ]);
      expect(dataSet.warnings).toEqual([]);
    }
  });
});

describe("what clang writes for -ftime-trace", () => {
  const event = (tid: number, ts: number, dur: number, name: string, args?: object) =>
    JSON.stringify({ pid: 5, tid, ph: "X", ts, dur, name, ...(args ? { args } : {}) });
  const events = [
    event(5, 100, 30, "Source", { detail: "/usr/include/features.h" }),
    event(5, 90, 60, "Source", { detail: "/usr/include/math.h" }),
    event(5, 200, 10, "InstantiateFunction", { detail: "std::max<int>" }),
    event(5, 50, 400, "Frontend"),
    event(5, 0, 500, "ExecuteCompiler"),
    event(6, 0, 500, "Total ExecuteCompiler", { count: 1, "avg ms": 0 }),
    event(7, 0, 60, "Total Source", { count: 2, "avg ms": 0 }),
    '{"cat":"","pid":5,"tid":5,"ts":0,"ph":"M","name":"process_name","args":{"name":"clang"}}',
  ];
  const trace = `{"traceEvents":[${events.join(",")}],"beginningOfTime":1700000000000000}`;

  it("counts time once: its sums over the other events are left out, and it is said", async () => {
    const dataSet = await read(trace);
    expect([...valuesOf(dataSet, "time").values()].reduce((sum, value) => sum + value, 0)).toBeCloseTo(500, 9);
    expect(dataSet.locations.map(({ thread }) => thread)).toEqual([5]);
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      '2 events are sums over the others ("Total …", of clang): they were left out',
    ]);
  });

  it("tells headers and templates apart", async () => {
    const contexts = [...valuesOf(await read(trace), "time").keys()].map((path) =>
      path.replaceAll("/usr/include/", ""),
    );
    expect(contexts).toEqual([
      "ExecuteCompiler",
      "ExecuteCompiler/Frontend",
      "ExecuteCompiler/Frontend/InstantiateFunction: std::max<int>",
      "ExecuteCompiler/Frontend/Source: math.h",
      "ExecuteCompiler/Frontend/Source: math.h/Source: features.h",
    ]);
  });

  it("keeps other events that are called totals", async () => {
    const other = `[${event(1, 0, 8, "Total work", { count: 3 })}]`;
    expect([...valuesOf(await read(other), "time")]).toEqual([["Total work", 8]]);
  });
});

describe("a trace written as an object", () => {
  it("finds the events among other keys, which become globals", async () => {
    const dataSet = await read(
      '{"displayTimeUnit":"ns","otherData":{"version":"My 1","deep":[1,2]},"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":5,"dur":1}],"meta_user":"me"}',
    );
    expect([...dataSet.globals]).toEqual([
      ["displayTimeUnit", ["ns"]],
      ["otherData.version", ["My 1"]],
      ["otherData.deep", ["1, 2"]],
      ["meta_user", ["me"]],
    ]);
    expect(await eventsOf(dataSet)).toEqual(["thread 1: a 0-1 @0"]);
  });

  it("calls no lane twice after its process, unless two processes are called alike", async () => {
    const named = (pid: number, process: string) => [
      { ph: "M", pid, name: "process_name", args: { name: process } },
      { ph: "M", pid, tid: 10 * pid, name: "thread_name", args: { name: `${process} main` } },
      { ph: "X", pid, tid: 10 * pid, name: "f", ts: 0, dur: 1 },
    ];
    const lanesOf = async (...names: string[]) => {
      const traceEvents = names.flatMap((name, at) => named(at + 1, name));
      return (await read(JSON.stringify({ traceEvents }))).trace?.lanes.map(({ name }) => name);
    };
    expect(await lanesOf("rank 0", "rank 1")).toEqual(["rank 0 main (10)", "rank 1 main (20)"]);
    expect(await lanesOf("solver", "solver")).toEqual(["solver (1), solver main (10)", "solver (2), solver main (20)"]);
  });

  it("without events is an error that says so", async () => {
    await expect(read('{"displayTimeUnit":"ns"}')).rejects.toThrow(
      /without events; expected a list under the key traceEvents/,
    );
  });
});

describe("Kineto", () => {
  it("puts operators below their call stacks, with file and line", async () => {
    const dataSet = await read(kinetoFile);
    expect([...valuesOf(dataSet, "time")]).toEqual([
      ["<module>/forward/aten::conv2d", 50],
      ["<module>/forward/aten::conv2d/aten::convolution", 45],
      ["<module>/forward/aten::conv2d/aten::convolution/cudaLaunchKernel", 5],
    ]);
    const { frames, tree } = dataSet;
    const places = Array.from(tree.frame, (frame) => frames.get(frame as never));
    expect(places.filter(({ kind }) => kind === "function")).toEqual([
      { name: "<module>", kind: "function", file: "main.py", line: 3 },
      { name: "forward", kind: "function", file: "net.py", line: 12 },
    ]);
  });

  it("never adds device activity to CPU time", async () => {
    const dataSet = await read(kinetoFile);
    expect([...valuesOf(dataSet, "time (GPU streams)")]).toEqual([
      ["Memcpy HtoD (Pinned -> Device)", 8],
      ["conv_kernel", 40],
    ]);
    expect(dataSet.locations).toEqual([
      { run: 0, node: NONE, rank: 1, thread: NONE, device: 0, stream: 7 },
      { run: 0, node: NONE, rank: 1, thread: 10, device: NONE, stream: NONE },
    ]);
    expect(dataSet.trace?.lanes.map(({ name }) => name)).toEqual(["rank 1, thread 10", "rank 1, GPU 0, stream 7"]);
  });

  it("counts copies as transfers, and memory sets beside them", async () => {
    const on = { device: 0, stream: 7, context: 1 };
    const { outline } = await read(
      JSON.stringify([
        {
          ph: "X",
          cat: "gpu_memcpy",
          name: "Memcpy HtoD (Pageable -> Device)",
          pid: 0,
          tid: 7,
          ts: 10,
          dur: 5,
          args: { ...on, bytes: 4096 },
        },
        {
          ph: "X",
          cat: "gpu_memset",
          name: "Memset (Device)",
          pid: 0,
          tid: 7,
          ts: 20,
          dur: 5,
          args: { ...on, bytes: 1_000_000 },
        },
      ]),
    );
    expect(outline?.transfers).toEqual({
      count: 1,
      bytes: 4096,
      directions: [
        { name: "memset", count: 1, bytes: 1_000_000 },
        { name: "HtoD", count: 1, bytes: 4096 },
      ],
    });
  });

  it("keeps streams of one number apart where they are of two contexts of a device", async () => {
    const kernel = (context: number, ts: number, tid = 7) => ({
      ph: "X",
      cat: "kernel",
      name: "k",
      pid: 0,
      tid,
      ts,
      dur: 5,
      args: { device: 0, stream: tid, context },
    });
    const dataSet = await read(
      JSON.stringify([kernel(1, 0), kernel(2, 1), kernel(1, 10), kernel(2, 11), kernel(1, 20, 8)]),
    );
    expect(await eventsOf(dataSet)).toEqual([
      "GPU 0, context 1, stream 7: k 0-5 @0",
      "GPU 0, context 1, stream 7: k 10-15 @0",
      "GPU 0, context 2, stream 7: k 1-6 @0",
      "GPU 0, context 2, stream 7: k 11-16 @0",
      "GPU 0, stream 8: k 20-25 @0",
    ]);
    expect(membersOf(dataSet.locations, "stream").keys).toEqual(["-.0.-.8", "-.0.1.7", "-.0.2.7"]);
    const one = await read(JSON.stringify([kernel(1, 0), kernel(1, 10, 8)]));
    expect(membersOf(one.locations, "stream").keys).toEqual(["0.7", "0.8"]);
  });

  it("ends the innermost open event where an end has an empty name", async () => {
    const at = (ph: string, name: string | undefined, ts: number) => ({ ph, name, ts, pid: 1, tid: 1 });
    const { trace, warnings, frames } = await read(
      JSON.stringify([
        at("B", "outer", 0),
        at("B", "inner", 1),
        at("E", "", 3),
        at("E", "", 7),
        at("B", "", 8),
        at("B", "x", 9),
        at("E", "", 10),
        at("E", "", 12),
      ]),
    );
    const events = await trace?.readEvents(0, 0, 9);
    const rows = Array.from({ length: events?.count ?? 0 }, (_, row) => [
      frames.nameOf(events?.frame[row] ?? -1),
      events?.startSeconds[row],
      events?.endSeconds[row],
    ]);
    expect(rows).toEqual([
      ["outer", 0, 7e-6],
      ["inner", 1e-6, 3e-6],
      ["", 8e-6, 12e-6],
      ["x", 9e-6, 10e-6],
    ]);
    expect(warnings).toEqual([]);
  });

  it("joins runtime calls with what they started, and reads transfers", async () => {
    const { trace, topology } = await read(kinetoFile);
    const launches = await trace?.readMessages(0, 9);
    expect([launches?.count, launches?.kind[0], launches?.tag[0]]).toEqual([1, 2, 77]);
    expect(launches?.sentSeconds[0]).toBeCloseTo(20e-6, 12);
    expect(launches?.receivedSeconds[0]).toBeCloseTo(30e-6, 12);
    const transfers = await trace?.readTransfers(0, 9);
    expect([transfers?.count, transfers?.bytes[0], transfers?.bandwidth[0]]).toEqual([1, 4096, 512e6]);
    expect([transfers?.fromDevice[0], transfers?.toDevice[0]]).toEqual([NONE, 0]);
    expect(trace?.transferDirections).toEqual(["HtoD"]);
    const gpu = topology?.resources.find(({ type }) => type === "GPU");
    expect(gpu?.properties?.get("totalGlobalMem")).toBe("1024");
  });

  it("knows the time of day exactly, fractions of microseconds too", async () => {
    const dataSet = await read(kinetoFile);
    expect(dataSet.trace?.zeroNanoseconds).toBe(1700000000000000250n);
    expect(dataSet.trace?.startSeconds).toBe(0);
  });

  it("nests what ends with the event around it, though start and duration of each are rounded", async () => {
    // Whole nanoseconds, written as decimals of µs: their sums differ in the last bit of a double.
    const decimal = (nanoseconds: bigint) => `${nanoseconds / 1000n}.${String(nanoseconds % 1000n).padStart(3, "0")}`;
    const times = fc.oneof(
      ...[10, 1000, 500_000].map((seconds) =>
        fc.uniqueArray(fc.bigInt({ min: 0n, max: BigInt(seconds) * 1_000_000_000n }), { minLength: 2, maxLength: 20 }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(times, fc.constantFrom(0n, 1_700_000_000_123_456_789n), async (all, zero) => {
        const [first, ...rest] = all.sort((a, b) => (a < b ? -1 : 1));
        const end = rest.at(-1) ?? first;
        const starts = [first, ...rest.slice(0, -1)];
        const written = starts.map(
          (start) =>
            `{"ph":"X","name":"f","pid":1,"tid":1,"ts":${decimal(zero + start)},"dur":${decimal(end - start)}}`,
        );
        const { trace } = await read(`[${written.join(",")}]`);
        expect(Array.from((await trace?.readEvents(0, 0, 99))?.depth ?? [])).toEqual(starts.map((_, at) => at));
      }),
      { numRuns: casesOf(2000) },
    );
  });

  it("without stacks has the contexts of nested events, as with empty ones", async () => {
    const dataSet = await read(kinetoFile.replaceAll("Call stack", "Other"));
    expect([...valuesOf(dataSet, "time")]).toEqual(
      expect.arrayContaining([
        ["aten::conv2d", 50],
        ["aten::conv2d/aten::convolution", 45],
        ["aten::conv2d/aten::convolution/cudaLaunchKernel", 5],
      ]),
    );
    expect(valuesOf(dataSet, "time (GPU streams)").get("conv_kernel")).toBe(40);
    expect(dataSet.notRecorded).toEqual(["no source lines in this recording"]);
    expect(dataSet.trace?.events).toBe(5);
    const empty = await read(kinetoFile.replace(/"Call stack": "[^"]*"/g, '"Call stack": ""'));
    expect(valuesOf(empty, "time")).toEqual(valuesOf(dataSet, "time"));
  });

  it.each([
    [
      "an AMD GPU and two threads",
      [
        ["cpu_op", "aten::mm", 4, 1, 0, 30, ""],
        ["cuda_runtime", "hipLaunchKernel", 4, 1, 5, 10, '"correlation":3'],
        ["cpu_op", "autograd::engine", 4, 2, 10, 40, ""],
        ["cpu_op", "MmBackward0", 4, 2, 20, 20, ""],
        ["kernel", "Cijk_Ailk", 8, 0, 12, 9, '"device":8,"stream":0,"correlation":3'],
      ],
      {
        "aten::mm": 20,
        "aten::mm/hipLaunchKernel": 10,
        "autograd::engine": 20,
        "autograd::engine/MmBackward0": 20,
      },
      { Cijk_Ailk: 9 },
    ],
    [
      "names of the year 2021, no GPU and a child that ends after its parent",
      [
        ["Operator", "aten::relu", 1, 1, 0, 10, ""],
        ["Operator", "aten::clamp_min", 1, 1, 2, 9, ""],
      ],
      { "aten::relu": 2, "aten::relu/aten::clamp_min": 8, "aten::clamp_min": 1 },
      {},
    ],
  ] as const)("without stacks, with %s: the contexts are those of the nesting", async (_, events, cpu, gpu) => {
    const lines = events.map(
      ([cat, name, pid, tid, ts, dur, args]) =>
        `{"ph":"X","cat":"${cat}","name":"${name}","pid":${pid},"tid":${tid},"ts":${ts},"dur":${dur},"args":{${args}}}`,
    );
    const dataSet = await read(`{"schemaVersion":1,"deviceProperties":[],"traceEvents":[${lines.join(",")}]}`);
    expect(dataSet.format.id).toBe("kineto");
    const timesOf = (metric: string) => [...valuesOf(dataSet, metric)].filter(([, time]) => time > 0).sort();
    expect(timesOf("time")).toEqual(Object.entries(cpu).sort());
    expect(timesOf("time (GPU streams)")).toEqual(Object.entries(gpu).sort());
  });

  it("knows marks of a device by their process, and kernels without a device as something else", async () => {
    const event = (cat: string, name: string, pid: number, ts: number, dur: number, args: string) =>
      `{"ph":"X","cat":"${cat}","name":"${name}","pid":${pid},"tid":7,"ts":${ts},"dur":${dur},"args":{${args}}}`;
    const device = await read(
      `{"schemaVersion":1,"traceEvents":[${[
        event("gpu_user_annotation", "step", 3, 0, 100, '"External id":1'),
        event("kernel", "gemm", 3, 10, 20, '"device":3,"stream":7'),
        event("cpu_op", "mm", 9, 0, 5, '"Call stack":"a.py(1): f"'),
      ].join(",")}]}`,
    );
    expect(device.trace?.lanes.map(({ name }) => name)).toEqual(["GPU 3, stream 7", "thread 7"]);
    expect([...valuesOf(device, "time")]).toEqual([["f/mm", 5]]);
    expect([...valuesOf(device, "time (GPU streams)")]).toEqual([
      ["step", 80],
      ["step/gemm", 20],
    ]);
    const host = await read(`[${event("kernel", "irq", 1, 0, 5, "")}]`);
    expect(host.trace?.categories).toEqual([{ name: "kernel", kind: "other" }]);
    expect([...valuesOf(host, "time")]).toEqual([["irq", 5]]);
  });

  it("follows Python's functions by their ids where times do not decide", async () => {
    const call = (id: number, parent: string, name: string, ts: number, dur: number) =>
      `{"ph":"X","cat":"python_function","name":"${name}","pid":1,"tid":1,"ts":${ts},"dur":${dur},"args":{"Python id":${id},"Python parent id":${parent}}}`;
    const dataSet = await read(
      `{"schemaVersion":1,"traceEvents":[${[
        call(1, "null", "main.py(1): <module>", 0, 100),
        call(2, "1", "net.py(5): forward", 10, 50),
        '{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":20,"dur":10}',
        // Starts where its caller ends: only the id says that it is inside.
        call(3, "2", "net.py(9): last", 60, 0),
      ].join(",")}]}`,
    );
    expect([...valuesOf(dataSet, "time")]).toEqual([
      ["<module>", 50],
      ["<module>/forward", 40],
      ["<module>/forward/aten::mm", 10],
    ]);
    const names = Array.from(dataSet.tree.frame, (frame) => dataSet.frames.nameOf(frame));
    expect(names).toEqual(["<module>", "forward", "aten::mm", "last"]);
  });
});

describe("samples", () => {
  it("count, and stand for the time to the next one of their thread", async () => {
    const dataSet = await read(sampledFile);
    expect([...valuesOf(dataSet, "samples")]).toEqual([
      ["[root]", 2e6],
      ["[root]/paint", 1e6],
    ]);
    expect([...valuesOf(dataSet, "time")]).toEqual([
      ["[root]", 30],
      ["[root]/paint", 20],
    ]);
    expect(await eventsOf(dataSet)).toEqual([
      "js (2): marks: [root] 0-0 @0",
      "js (2): marks: paint 30-30 @0",
      "js (2): marks: [root] 50-50 @0",
    ]);
  });

  it("of V8 come in chunks with trees of their own", async () => {
    const chunk = (data: string, ts: number) =>
      `{"ph":"P","name":"ProfileChunk","id":"0x2","pid":1,"tid":3,"ts":${ts},"args":{"data":${data}}}`;
    const node = (id: number, parent: number, name: string) =>
      `{"id":${id},${parent ? `"parent":${parent},` : ""}"callFrame":{"functionName":"${name}","url":"a.js","lineNumber":${id}}}`;
    const dataSet = await read(
      `[{"ph":"P","name":"Profile","id":"0x2","pid":1,"tid":3,"ts":1000,"args":{"data":{"startTime":1000}}},
      ${chunk(`{"cpuProfile":{"nodes":[${node(1, 0, "(root)")},${node(2, 1, "run")}],"samples":[2,1]},"timeDeltas":[10,20]}`, 1100)},
      ${chunk(`{"cpuProfile":{"nodes":[${node(3, 2, "leaf")}],"samples":[3,3]},"timeDeltas":[5,5]}`, 1200)}]`,
    );
    expect([...valuesOf(dataSet, "samples")]).toEqual([
      ["(root)", 1e6],
      ["(root)/run", 1e6],
      ["(root)/run/leaf", 2e6],
    ]);
    expect([...valuesOf(dataSet, "time")]).toEqual([
      ["(root)", 5],
      ["(root)/run", 20],
      ["(root)/run/leaf", 5],
    ]);
  });

  it("of V8 stand on the line that each was taken on, not on the first one of its function", async () => {
    const node = `{"id":1,"callFrame":{"functionName":"run","url":"a.js","lineNumber":4}},{"id":2,"callFrame":{"functionName":"(idle)"}}`;
    const dataSet = await read(
      `[{"ph":"P","name":"Profile","id":"0x2","pid":1,"tid":3,"ts":1000,"args":{"data":{"startTime":1000}}},
      {"ph":"P","name":"ProfileChunk","id":"0x2","pid":1,"tid":3,"ts":1100,"args":{"data":{
        "cpuProfile":{"nodes":[${node}],"samples":[1,1,1,1,2]},"lines":[7,9,7,0,0],"timeDeltas":[10,20,30,40,50]}}}]`,
    );
    expect([...valuesOf(dataSet, "time")]).toEqual([
      ["(idle)", 0],
      ["run", 50], // V8 knows no line of one sample
      ["run/a.js:7", 20 + 40],
      ["run/a.js:9", 30],
    ]);
    const line = dataSet.frames.get(dataSet.tree.frame[2] as FrameId);
    expect(line).toEqual({ name: "a.js:7", kind: "line", file: "a.js", line: 7 });
    expect(await eventsOf(dataSet)).toContain("thread 3: marks: run 30-30 @0");
  });
});

describe("several files", () => {
  const rank = (own: number, of: number) =>
    kinetoFile.replace('"rank": 1, "world_size": 2', `"rank": ${own}, "world_size": ${of}`);

  it("that say their ranks are one run", async () => {
    const files = { "a.json": rank(1, 2), "b.json": rank(0, 2) };
    const dataSets = await readFixture(chromeTrace, files, { open: ["a.json", "b.json"] });
    expect(dataSets).toHaveLength(1);
    expect(new Set(dataSets[0].locations.map((place) => place.rank))).toEqual(new Set([0, 1]));
    expect(dataSets[0].records).toBe(12);
  });

  it("of some ranks of a world say how many are missing, and files of a larger world are another run", async () => {
    const files = {
      "0.json": rank(0, 2),
      "1.json": rank(1, 2),
      "3.json": rank(3, 4),
      "2.json": rank(2, 4),
    };
    const dataSets = await readFixture(chromeTrace, files, { open: Object.keys(files) });
    const missing = dataSets.map(({ warnings }) =>
      warnings.map(({ message }) => message).filter((one) => one.includes("missing")),
    );
    expect(missing).toEqual([[], ["files of 2 of 4 ranks are missing: 0–1"]]);
    expect(dataSets.map(({ locations }) => [...new Set(locations.map((place) => place.rank))].sort())).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  it("have one clock whatever second each counts its times from, where all of them say it", async () => {
    const file = (own: number, ts: number, more = "") =>
      `{"distributedInfo":{"rank":${own},"world_size":2}${more},"traceEvents":[{"ph":"X","name":"f","pid":${own},"tid":1,"ts":${ts},"dur":100}]}`;
    const base = (seconds: number) => `,"baseTimeNanoseconds":${seconds}000000000`;
    const starts = async (zero: string, one: string) => {
      const open = ["a.json", "b.json"];
      const [dataSet, ...others] = await readFixture(chromeTrace, { "a.json": zero, "b.json": one }, { open });
      expect(others).toEqual([]);
      return [...(dataSet.trace?.lanes ?? [])].map(({ startSeconds }) => startSeconds).sort();
    };
    const late = file(1, 50_000, base(1_795_455_972));
    expect(await starts(file(0, 950_000, base(1_795_455_971)), late)).toEqual([0, 0.1]);
    expect(await starts(late.replace('"rank":1', '"rank":0'), file(1, 950_000, base(1_795_455_971)))).toEqual([0, 0.1]);
    expect(await starts(file(0, 950_000), late)).toEqual([0, 0.9]);
    // Where only the end of a long file says it, it is said.
    const behind = (own: number, ts: number, seconds: number) => {
      const many = Array.from({ length: 2000 }, () => `{"ph":"X","name":"f","pid":${own},"tid":1,"ts":${ts},"dur":1}`);
      return `{"distributedInfo":{"rank":${own},"world_size":2},"traceEvents":[${many.join(",")}]${base(seconds)}}`;
    };
    const files = { "a.json": behind(0, 950_000, 1_795_455_971), "b.json": behind(1, 50_000, 1_795_455_972) };
    const [dataSet] = await readFixture(chromeTrace, files, { open: ["a.json", "b.json"] });
    expect(dataSet.warnings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/count from another moment than those of .*a\.json, .* 1\.00 s too early/),
    );
    // Times of day of clocks that are far apart are no such thing.
    const days = { "a.json": file(0, 1.7e15), "b.json": file(1, 1.8e15) };
    const [far] = await readFixture(chromeTrace, days, { open: ["a.json", "b.json"] });
    expect(far.warnings.filter(({ message }) => message.includes("another moment"))).toEqual([]);
  });

  it("of other runs stay apart", async () => {
    const files = { "a.json": rank(0, 2), "b.json": rank(0, 2) };
    expect(await readFixture(chromeTrace, files, { open: ["a.json", "b.json"] })).toHaveLength(2);
  });

  it("that do not say are asked about once", async () => {
    const files = { "a.json": plainTraceFile, "b.json": plainTraceFile };
    const open = ["a.json", "b.json"];
    await expect(readFixture(chromeTrace, files, { open })).rejects.toBeInstanceOf(AmbiguityError);
    expect(await readFixture(chromeTrace, files, { open, answer: "runs" })).toHaveLength(2);
    const [run] = await readFixture(chromeTrace, files, { open, answer: "ranks" });
    expect(run.locations.map((place) => place.rank)).toEqual([0, 0, 1, 1]);
  });
});

describe("hostile traces", () => {
  it("keep names such as __proto__ and long ones", async () => {
    const long = "x".repeat(100_000);
    const event = (name: string, ts: number) =>
      `{"ph":"X","name":"${name}","pid":"constructor","tid":"__proto__","ts":${ts},"dur":1}`;
    const dataSet = await read(`[${event("__proto__", 0)},${event("<b>x</b>", 2)},${event(long, 4)}]`);
    expect(await eventsOf(dataSet)).toEqual([
      "__proto__: __proto__ 0-1 @0",
      "__proto__: <b>x</b> 2-3 @0",
      `__proto__: ${long} 4-5 @0`,
    ]);
  });

  it("100,000 deep are read in moments", async () => {
    const depth = 100_000;
    const begins = Array.from({ length: depth }, (_, at) => `{"ph":"B","name":"f","pid":1,"tid":1,"ts":${at}}`);
    const ends = Array.from({ length: depth }, (_, at) => `{"ph":"E","name":"f","pid":1,"tid":1,"ts":${depth + at}}`);
    const dataSet = await read(`[${[...begins, ...ends].join(",")}]`);
    expect(dataSet.trace?.events).toBe(depth);
    const total = dataSet.values[0].value.reduce((sum, value) => sum + value, 0);
    expect(total).toBeCloseTo((2 * depth - 1) / 1e6, 9);
  });

  it("with ends that match what lies far below are read in moments", async () => {
    const many = 50_000;
    const lines = [
      ...Array.from({ length: many }, () => '{"ph":"B","name":"a","pid":1,"tid":1,"ts":1}'),
      ...Array.from({ length: many }, () => '{"ph":"B","name":"b","pid":1,"tid":1,"ts":2}'),
      ...Array.from({ length: many }, () => '{"ph":"E","name":"a","pid":1,"tid":1,"ts":3}'),
    ];
    const dataSet = await read(`[${lines.join(",")}]`);
    expect(dataSet.trace?.events).toBe(2 * many);
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      `${many} events were never ended: they last to the end of the recording`,
    ]);
  });

  it.each([
    // LLVM's XRay: each event has a stack that ends with it.
    ["each event, which ends with it", { main: 1, step: 2, kernel: 3 }, [], 0],
    ["the inner events alone", { step: 2, kernel: 3 }, [], 0],
    ["each event, which ends with its caller", { step: 1, kernel: 2 }, [], 0],
    ["each event, with functions in between that are no events", { main: 1, kernel: 3 }, ["step"], 0],
    ["each event, with callers that were never recorded", { main: 2, step: 3, kernel: 4 }, [], 1],
  ] as const)("with stacks beside them of %s have each function once", async (_, lastFrame, left, outer) => {
    const names = [...(outer > 0 ? ["_start"] : []), "main", "step", "kernel"];
    const frames = names.map((name, at) => `"${at + 1}":{"name":"${name}"${at > 0 ? `,"parent":${at}` : ""}}`);
    const times = { main: [10, 30], step: [12, 25], kernel: [14, 20] };
    const of = new Map<string, number>(Object.entries(lastFrame));
    for (const isPairs of [true, false]) {
      const lines = Object.entries(times).flatMap(([name, [start, end]]) => {
        if ((left as readonly string[]).includes(name)) return [];
        const sf = of.get(name);
        const common = `"name":"${name}","tid":"1","pid":"1"${sf === undefined ? "" : `,"sf":${isPairs ? `"${sf}"` : sf}`}`;
        return isPairs
          ? [
              { at: start, text: `{"ph":"B",${common},"ts":"${start}.0000"}` },
              { at: end, text: `{"ph":"E",${common},"ts":"${end}.0000"}` },
            ]
          : [{ at: end, text: `{"ph":"X",${common},"ts":${start},"dur":${end - start}}` }];
      });
      const events = lines.sort((a, b) => a.at - b.at).map(({ text }) => text);
      const dataSet = await read(`{"traceEvents":[${events.join(",")}],"stackFrames":{${frames.join(",")}}}`);
      const under = outer > 0 ? "_start/" : "";
      const isThere = left.length === 0;
      expect([...valuesOf(dataSet, "time")].filter(([, time]) => time > 0)).toEqual([
        [`${under}main`, isThere ? 7 : 14],
        ...(isThere ? [[`${under}main/step`, 7]] : []),
        [`${under}main/step/kernel`, 6],
      ]);
      expect(dataSet.tree.size).toBe(names.length);
    }
  });

  it("with stacks beside them keep recursion as it was, and the lines of the functions", async () => {
    const frames = ["f", "g", "f"].map(
      (name, at) =>
        `"${at + 1}":{"name":"${name}","file":"${name}.c","line":${at + 1}${at > 0 ? `,"parent":${at}` : ""}}`,
    );
    const event = (name: string, sf: number, ts: number, dur: number) =>
      `{"ph":"X","name":"${name}","pid":1,"tid":1,"ts":${ts},"dur":${dur},"sf":${sf}}`;
    const dataSet = await read(
      `{"traceEvents":[${[event("f", 1, 0, 10), event("g", 2, 1, 8), event("f", 3, 2, 6)].join(",")}],"stackFrames":{${frames.join(",")}}}`,
    );
    expect([...valuesOf(dataSet, "time")]).toEqual([
      ["f", 2],
      ["f/g", 2],
      ["f/g/f", 6],
    ]);
    expect(Array.from(dataSet.tree.frame, (frame) => dataSet.frames.get(frame as never).line)).toEqual([1, 2, 3]);
  });

  it("with callers in a circle end where it closes", async () => {
    const frames = '"stackFrames":{"1":{"name":"a","parent":"2"},"2":{"name":"b","parent":"1"}}';
    const dataSet = await read(
      `{"traceEvents":[{"ph":"X","name":"x","pid":1,"tid":1,"ts":0,"dur":1,"sf":1}],${frames}}`,
    );
    expect([...valuesOf(dataSet, "time")]).toEqual([["b/a/x", 1]]);
  });

  it("with a circle of callers that every event enters elsewhere, and a long way that all go down, take a context a caller", async () => {
    const size = 20_000;
    const event = (id: string, at: number) => `{"ph":"X","name":"x","pid":1,"tid":1,"ts":${at},"dur":1,"sf":"${id}"}`;
    const events = Array.from({ length: size }, (_, at) => [
      event(`r${at}`, 2 * at),
      event(`l${size - 1 - at}`, 2 * at + 1),
    ]);
    const frames = Array.from({ length: size }, (_, at) => [
      `"r${at}":{"name":"r${at}","parent":"r${(at + 1) % size}"}`,
      `"l${at}":{"name":"l${at}","parent":"l${at - 1}"}`,
    ]);
    const dataSet = await read(
      `{"traceEvents":[${events.flat().join(",")}],"stackFrames":{${frames.flat().join(",")}}}`,
    );
    // Each caller once, and below each of them its event.
    expect(dataSet.tree.size).toBe(4 * size);
    const total = dataSet.values[0].value.reduce((sum, value) => sum + value, 0);
    expect(total).toBeCloseTo((2 * size) / 1e6, 9);
  });

  it("with counters without end say how many values were left out", async () => {
    const counters = Array.from(
      { length: 10_003 },
      (_, at) => `{"ph":"C","name":"c${at}","pid":1,"ts":1,"args":{"v":1}}`,
    );
    const dataSet = await read(`[${counters.join(",")}]`);
    expect(dataSet.trace?.counters).toHaveLength(10_000);
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      "3 values are of counters beyond the first 10,000: they were left out",
    ]);
  });

  it("with times beyond what is exact leave these events out and say so", async () => {
    const dataSet = await read(
      '[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1e300,"dur":1},{"ph":"X","name":"b","pid":1,"tid":1,"ts":0,"dur":1e300},{"ph":"X","name":"c","pid":1,"tid":1,"dur":1}]',
    );
    expect(await eventsOf(dataSet)).toEqual(["thread 1: b 0-0 @0"]);
    expect(dataSet.warnings.map(({ message }) => message)).toEqual([
      "1 event has no time stamp: it was left out",
      "1 event has a time stamp above 9007199254740992 µs, too large to be exact: it was left out, and no metric contains its time. The tool may have written nanoseconds instead of microseconds",
      "1 event has a duration that is negative or beyond all bounds: it is shown without one",
    ]);
  });

  it("in nanoseconds since 1970 say why there is no metric of time", async () => {
    for (const time of ["1e18", "1700000000000000000", '"1700000000000000000"']) {
      const dataSet = await read(
        `[{"ph":"B","name":"a","pid":1,"tid":1,"ts":${time}},{"ph":"E","name":"a","pid":1,"tid":1,"ts":${time}}]`,
      );
      expect(dataSet.metrics).toEqual([]);
      expect(dataSet.warnings.map(({ message }) => message)).toEqual([
        "2 events have a time stamp above 9007199254740992 µs, too large to be exact: they were left out, and no metric contains their time. The tool may have written nanoseconds instead of microseconds",
      ]);
    }
  });

  it("that are no JSON are errors with their place", async () => {
    await expect(read('[{"ph":"X" "name":"a"}]')).rejects.toThrow(/byte 11: found a quotation mark; expected a comma/);
    await expect(read('[{"ph";"X"}]')).rejects.toThrow(FormatError);
  });
});

formatLaws(chromeTrace, {
  "a list": { "trace.json": plainTraceFile },
  "a Kineto trace": { "trace.json": kinetoFile },
  samples: { "trace.json": sampledFile },
});
