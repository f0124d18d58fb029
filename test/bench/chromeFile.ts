import fs from "node:fs";

const OPERATORS = ["aten::mm", "aten::add_", "aten::convolution", "aten::batch_norm", "aten::relu_", "aten::empty"];
const KERNELS = [
  "volta_sgemm_128x64_nn",
  "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>(int, float*)",
];
const THREADS = 4;

/**
 * Writes a trace as PyTorch's profiler does: operators that nest on CPU threads, the runtime calls in them, kernels on a
 * stream of a GPU that these started, and memory counters.
 *
 * @returns bytes written and the number of events
 */
export function writeChromeTrace(file: string, bytes: number): { bytes: number; records: number } {
  const out = fs.openSync(file, "w");
  let pending: string[] = [];
  let written = 0;
  const flush = () => {
    written += fs.writeSync(out, pending.join(""));
    pending = [];
  };
  pending.push('{\n  "schemaVersion": 1,\n  "deviceProperties": [],\n  "traceEvents": [\n');
  let records = 0;
  let correlation = 0;
  const event = (text: string) => pending.push(records++ > 0 ? ",\n  " : "  ", text);
  let microseconds = 1_700_000_000_000_000;
  const stamp = () => `${microseconds}.${String(records % 1000).padStart(3, "0")}`;
  const complete = (cat: string, name: string, pid: number, tid: number, duration: number, args: string) =>
    event(
      `{\n    "ph": "X", "cat": "${cat}", "name": "${name}", "pid": ${pid}, "tid": ${tid},\n` +
        `    "ts": ${stamp()}, "dur": ${duration},\n    "args": {\n      ${args}\n    }\n  }`,
    );
  for (let step = 0; written < bytes; step++) {
    const tid = 4000 + (step % THREADS);
    const operator = OPERATORS[step % OPERATORS.length];
    microseconds += 120;
    complete(
      "cpu_op",
      operator,
      4000,
      tid,
      90,
      `"External id": ${step}, "Sequence number": ${step}, "Fwd thread id": 0`,
    );
    microseconds += 5;
    complete("cpu_op", "aten::to", 4000, tid, 60, `"External id": ${step}, "Input Dims": [[64, 3], [], []]`);
    microseconds += 5;
    const launch = `"External id": ${step}, "cbid": 211, "correlation": ${++correlation}`;
    complete("cuda_runtime", "cudaLaunchKernel", 4000, tid, 8, launch);
    const kernel = `"queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": ${correlation}, "grid": [160, 1, 1]`;
    complete("kernel", KERNELS[step % KERNELS.length], 0, 7, 70, kernel);
    if (step % 16 === 0)
      event(`{"ph": "C", "name": "memory", "pid": 4000, "ts": ${stamp()}, "args": {"allocated": ${step * 512}}}`);
    if (pending.length > 4096) flush();
  }
  pending.push('\n  ],\n  "traceName": "bench"\n}\n');
  flush();
  fs.closeSync(out);
  return { bytes: written, records };
}
