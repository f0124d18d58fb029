/** The worker thread: one {@link EngineState} behind messages. Started by client.ts. */
import fs from "node:fs";
import path from "node:path";
import v8 from "node:v8";
import vm from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { RequestError } from "../../model/errors";
import { type Task, taskOf } from "../../model/task";
import { grammarsBeside } from "../../source/grammar";
import { type Call, callAtWork, isCancelled, markAtWork, plainError, type Reply, type WorkerStart } from "./calls";
import { EngineState } from "../engineState";
import { answerTo, questionNamed } from "../questions";
import { EnsembleCache } from "../ensembles/ensembleCache";
import { ReaderPool } from "../readers/readerPool";
import { PacedReports } from "./pacedReports";
import { packedAnswer } from "./packing";
import { removeLeftOvers, TraceCache } from "../traces/traceCache";

/** Progress is reported, and memory looked at, at most this often. */
const REPORT_EVERY_MS = 50;

const port = parentPort;
if (!port) throw new Error("worker.ts runs as a worker thread only");
const start = workerData as WorkerStart;
const cancelled = new Int32Array(start.cancelled);
const readers = new ReaderPool({ script: path.join(__dirname, "reader.js"), unpackedRatio: start.unpackedRatio });
const state = new EngineState(grammarsBeside(start.wasmFolder), {
  traceCache: start.traceCache && new TraceCache(start.traceCache),
  ensembleCache: start.ensembleCache && new EnsembleCache({ ...start.ensembleCache, program: program() }),
  unpackedRatio: start.unpackedRatio,
  readers,
});
if (start.traceCache) void removeLeftOvers(path.dirname(start.traceCache.folder));

port.on("message", (call: Call) => void answer(call));

/** What tells this build from all others. */
function program(): string {
  const { size, mtimeMs } = fs.statSync(__filename);
  return `${size} ${mtimeMs}`;
}

async function answer({ id, question, argument }: Call): Promise<void> {
  markAtWork(cancelled, id);
  const reports = new PacedReports(REPORT_EVERY_MS, (fraction, message) =>
    reply({ id, kind: "progress", fraction, message }),
  );
  try {
    const { moved } = questionNamed(question);
    const value = await answerTo(state, question, argument, taskOfCall(id, reports));
    reply({ id, kind: "answer", value: packedAnswer(question, value) }, moved(value));
  } catch (error) {
    reply({ id, kind: "error", error: plainError(error) });
  } finally {
    reports.end();
    if (callAtWork(cancelled) === id) markAtWork(cancelled, 0);
  }
}

function reply(message: Reply, moved: readonly ArrayBuffer[] = []): void {
  port?.postMessage(message, moved);
}

function taskOfCall(id: number, reports: PacedReports): Task {
  let lookedAt = performance.now();
  return taskOf(
    () => {
      markAtWork(cancelled, id);
      return isCancelled(cancelled, id);
    },
    (fraction, message) => {
      reports.report(fraction, message);
      const now = performance.now();
      if (now - lookedAt < REPORT_EVERY_MS) return;
      lookedAt = now;
      refuseTooMuchMemory();
    },
  );
}

function collectGarbage(): void {
  // V8's flags are those of the whole process: it is set for as long as it takes to get the function.
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  v8.setFlagsFromString("--no-expose-gc");
  // Array buffers are freed beside the program; the second collection waits for what the first has found.
  collect();
  collect();
}

/**
 * What this thread and those that read files for it have outside of V8's heap. `arrayBuffers` would leave out what was handed
 * over: Node counts a buffer in the thread that made it, V8 in the thread that has it.
 */
function bytesOutsideHeap(): number {
  return process.memoryUsage().external + readers.bytes;
}

function refuseTooMuchMemory(): void {
  if (bytesOutsideHeap() <= start.memoryLimitBytes) return;
  // Released memory counts until it is collected: no request is refused for the garbage of another.
  collectGarbage();
  const bytes = bytesOutsideHeap();
  if (bytes <= start.memoryLimitBytes) return;
  const megabytes = (count: number) => Math.round(count / 1e6);
  throw new RequestError(
    `This needs more memory than Heatflow may take: ${megabytes(bytes)} MB, the limit is ${megabytes(start.memoryLimitBytes)} MB. ` +
      "Close other data sets, raise the setting heatflow.limits.memory, or open fewer files at once.",
  );
}
