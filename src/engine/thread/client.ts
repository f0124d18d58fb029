/** The engine as the window sees it: the same interface, answered by a worker thread. */
import path from "node:path";
import fs from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type { Task } from "../../model/task";
import { type Ask, askingEngine } from "../askingEngine";
import type { Engine, QuestionName } from "../questions";
import { type Call, callAtWork, cancelMarks, errorOf, markCancelled, type Reply, type WorkerStart } from "./calls";
import { unpackedAnswer } from "./packing";
import { newCacheFolder } from "../traces/traceCache";

export interface EngineOptions {
  /** The bundled worker, dist/worker.js. */
  readonly workerFile: string;
  /** Where the parsers' .wasm files lie. */
  readonly wasmFolder: string;
  readonly memoryLimitMegabytes: number;
  /** Folder below which columns of traces are kept; absent: they stay in memory. */
  readonly cacheFolder?: string;
  readonly cacheLimitGigabytes?: number;
  /** Bytes of columns of one opening that stay in memory, for tests of what is on disk. */
  readonly cacheMemoryBytes?: number;
  /** How many times larger than its file a packed recording may be. */
  readonly unpackedRatio?: number;
  /**
   * The worker ended without being asked to; calls under way were rejected with {@link EngineGoneError}.
   *
   * @param atWork the question that was being computed, where one was
   */
  onExit(reason: string, atWork?: QuestionAtWork): void;
}

export interface QuestionAtWork {
  readonly question: QuestionName;
  readonly argument: unknown;
}

export interface EngineClient extends Engine {
  /** Ends the worker; calls under way are rejected. */
  dispose(): Promise<void>;
  /** Ends the worker as a crash would, for tests of what happens then. */
  kill(): Promise<void>;
}

/** The worker ended while a call was under way. */
export class EngineGoneError extends Error {
  override readonly name = "EngineGoneError";
}

interface Pending extends QuestionAtWork {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly task: Task | undefined;
}

/** Measured against V8's 48 MB: a recording of 50 MB takes 30 to 60 MB less; readers are as fast, but for XML, by a tenth. */
const YOUNG_GENERATION_MB = 12;

/** Starts the worker thread. Returns at once: calls wait until it is up. */
export function startEngine(options: EngineOptions): EngineClient {
  const marks = cancelMarks();
  const cancelled = new Int32Array(marks);
  const { cacheFolder, cacheLimitGigabytes = 20, unpackedRatio = 200 } = options;
  const start: WorkerStart = {
    cancelled: marks,
    wasmFolder: options.wasmFolder,
    memoryLimitBytes: options.memoryLimitMegabytes * 1e6,
    traceCache: cacheFolder
      ? {
          folder: newCacheFolder(cacheFolder),
          mostBytes: cacheLimitGigabytes * 1e9,
          memoryBytes: options.cacheMemoryBytes,
        }
      : undefined,
    ensembleCache: cacheFolder
      ? { folder: path.join(cacheFolder, "ensembles"), mostBytes: (cacheLimitGigabytes * 1e9) / 4 }
      : undefined,
    unpackedRatio,
  };
  const worker = new Worker(options.workerFile, {
    workerData: start,
    // V8's own heap; array buffers, where the data is, are outside it and watched by the worker itself.
    resourceLimits: {
      maxOldGenerationSizeMb: Math.max(512, options.memoryLimitMegabytes),
      // What is thrown away is cleared up sooner.
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
    },
  });
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let gone: string | undefined;
  let asked = false;
  let removed = Promise.resolve();

  worker.on("message", (reply: Reply) => {
    const call = pending.get(reply.id);
    if (!call) return;
    if (reply.kind === "progress") {
      report(call, reply);
      return;
    }
    pending.delete(reply.id);
    if (reply.kind === "answer") call.resolve(unpackedAnswer(call.question, reply.value));
    else call.reject(errorOf(reply.error));
  });
  worker.on("error", (error) => {
    gone = reasonOf(error);
  });
  worker.on("exit", (code) => {
    gone ??= `the worker ended with code ${code}`;
    const atWork = pending.get(callAtWork(cancelled));
    for (const call of pending.values()) call.reject(new EngineGoneError(gone));
    pending.clear();
    // However it ended: it has closed nothing any more.
    removed = removeFolder(start.traceCache?.folder);
    if (!asked) options.onExit(gone, atWork);
  });

  function report(call: Pending, progress: { fraction: number | undefined; message?: string }): void {
    try {
      call.task?.progress(progress.fraction, progress.message);
    } catch {
      // The caller's task throws when it was cancelled: its onCancel has marked the call already.
    }
  }

  const ask: Ask = (question, argument, task) => {
    if (gone !== undefined) return Promise.reject(new EngineGoneError(gone));
    const id = ++lastId;
    task?.onCancel?.(() => markCancelled(cancelled, id));
    return new Promise((resolve, reject) => {
      pending.set(id, { question, argument, resolve, reject, task });
      worker.postMessage({ id, question, argument } satisfies Call);
    });
  };

  async function end(): Promise<void> {
    await worker.terminate();
    await removed;
  }

  return Object.assign(askingEngine(ask), {
    dispose: () => {
      asked = true;
      return end();
    },
    kill: end,
  });
}

async function removeFolder(folder: string | undefined): Promise<void> {
  // What cannot be removed now, the next worker that starts removes.
  if (folder !== undefined) await fs.rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return "the worker ran out of memory";
  return error instanceof Error ? `the worker failed: ${error.message}` : "the worker failed";
}
