/** The worker thread: one {@link LocalEngine} behind messages. Started by client.ts. */
import path from "node:path";
import v8 from "node:v8";
import vm from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { RequestError } from "../../model/errors";
import { type Task, taskOf } from "../../model/task";
import { grammarsBeside } from "../../source/grammar";
import { type Call, isCancelled, plainError, type Reply, type WorkerStart } from "./calls";
import { LocalEngine } from "../localEngine";
import { packedAnswer, unpackedCall } from "./packing";
import { removeLeftOvers, TraceCache } from "../traces/traceCache";

/** Progress is reported, and memory looked at, at most this often. */
const REPORT_EVERY_MS = 50;

const port = parentPort;
if (!port) throw new Error("worker.ts runs as a worker thread only");
const start = workerData as WorkerStart;
const cancelled = new Int32Array(start.cancelled);
const engine = new LocalEngine(grammarsBeside(start.wasmFolder), {
  traceCache: start.traceCache && new TraceCache(start.traceCache),
  unpackedRatio: start.unpackedRatio,
});
if (start.traceCache) void removeLeftOvers(path.dirname(start.traceCache.folder));

port.on("message", (call: Call) => {
  void answer(call).then((reply) => port.postMessage(reply));
});

async function answer({ id, method, args }: Call): Promise<Reply> {
  try {
    const run = engine[method] as (...values: readonly unknown[]) => Promise<unknown>;
    const value = await run.call(engine, ...unpackedCall(method, args), taskOfCall(id));
    return { id, kind: "answer", value: packedAnswer(method, value) };
  } catch (error) {
    return { id, kind: "error", error: plainError(error) };
  }
}

function taskOfCall(id: number): Task {
  let reported = 0;
  return taskOf(
    () => isCancelled(cancelled, id),
    (fraction, message) => {
      const now = performance.now();
      if (now - reported < REPORT_EVERY_MS) return;
      reported = now;
      refuseTooMuchMemory();
      port?.postMessage({ id, kind: "progress", fraction, message } satisfies Reply);
    },
  );
}

function collectGarbage(): void {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  // Array buffers are freed beside the program; the second collection waits for what the first has found.
  collect();
  collect();
}

function refuseTooMuchMemory(): void {
  if (process.memoryUsage().arrayBuffers <= start.memoryLimitBytes) return;
  // What was let go of counts until it is collected: nobody is refused for another's garbage.
  collectGarbage();
  const { arrayBuffers } = process.memoryUsage();
  if (arrayBuffers <= start.memoryLimitBytes) return;
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  throw new RequestError(
    `This needs more memory than Heatflow may take: ${megabytes(arrayBuffers)} MB, the limit is ${megabytes(start.memoryLimitBytes)} MB. ` +
      "Close other data sets, raise the setting heatflow.limits.memory, or open fewer files at once.",
  );
}
