/** Several threads that read the files of one opening. */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import type { RecordingFile, FileJob, FileReaders, Outcome } from "../../formats/format";
import type { Hierarchy } from "../../model/dataSet";
import { RequestError } from "../../model/errors";
import type { Task } from "../../model/task";
import { errorOf } from "../thread/calls";
import type { ReadCall, ReaderStart, ReadReply } from "./readerMessages";
import { type Transplant, transplanted } from "./transplant";

/** Below this, starting threads takes longer than they save: each compiles the reader anew, for some tenths of a second. */
const LEAST_BYTES = 256e6;
const MOST_THREADS = 8;
/** How often cancelling is checked for while no thread reports progress. */
const LOOK_EVERY_MS = 50;
/** As the engine's own worker: what is thrown away is cleared up sooner. */
const YOUNG_GENERATION_MB = 12;

export interface ReaderOptions extends ReaderStart {
  /** The bundled reader, dist/reader.js. */
  readonly script: string;
  /** Default: as many as there are cores less one, at least two, at most eight. */
  readonly threads?: number;
  /** Default: what makes threads worth starting. */
  readonly leastBytes?: number;
}

export function readingThreads(): number {
  return Math.min(MOST_THREADS, Math.max(2, os.availableParallelism() - 1));
}

/** Starts threads for each opening, and ends them with it. */
export class ReaderPool implements FileReaders {
  /** Of each thread at work: the account of memory is over all of them. */
  private readonly bytesOf = new Map<Worker, number>();

  constructor(private readonly options: ReaderOptions) {}

  /** Bytes outside of V8's heap in the threads at work, without those that they have handed over. */
  get bytes(): number {
    return [...this.bytesOf.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  async pay(files: readonly RecordingFile[]): Promise<boolean> {
    const { threads = readingThreads(), leastBytes = LEAST_BYTES } = this.options;
    if (files.length < 2 || threads < 2) return false;
    // Files of one run are about equally large.
    const { size } = await fs.stat(files[0].file).catch(() => ({ size: 0 }));
    return size * files.length >= leastBytes;
  }

  async read(
    job: FileJob<unknown>,
    files: readonly RecordingFile[],
    hierarchy: Hierarchy,
    noteOpened: (file: string, state: string, isCut: boolean) => void,
    take: (index: number, outcome: Outcome) => void,
    task: Task,
  ): Promise<void> {
    const { script, unpackedRatio, threads = readingThreads() } = this.options;
    const fractions = new Float64Array(files.length);
    const workers: Worker[] = [];
    let next = 0;
    let left = files.length;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const look = (message?: string) => {
          try {
            const done = fractions.reduce((sum, fraction) => sum + fraction, 0);
            task.progress(done / files.length, message);
          } catch (problem) {
            reject(problem as Error);
          }
        };
        const readNext = (worker: Worker) => {
          if (next === files.length) return;
          // The names of the folder would be copied with each of its files.
          const file = { ...files[next], siblings: new Set<string>() };
          worker.postMessage({ index: next++, job: job.id, file, hierarchy } satisfies ReadCall);
        };
        const settle = (worker: Worker, reply: ReadReply) => {
          const { index } = reply;
          if (reply.kind === "progress") {
            this.bytesOf.set(worker, reply.bytes);
            fractions[index] = reply.fraction;
          } else {
            readNext(worker);
            // What it made is this thread's now, and counted there.
            this.bytesOf.set(worker, 0);
            for (const { file, state, isCut } of reply.opened) noteOpened(file, state, isCut);
            take(index, outcomeOf(reply.result, job));
            fractions[index] = 1;
            if (--left === 0) return resolve();
          }
          look(path.basename(files[index].file));
        };
        for (let at = 0; at < Math.min(threads, files.length); at++) {
          const worker = new Worker(script, {
            workerData: { unpackedRatio } satisfies ReaderStart,
            resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
          });
          workers.push(worker);
          worker.on("message", (reply: ReadReply) => {
            try {
              settle(worker, reply);
            } catch (problem) {
              reject(problem as Error);
            }
          });
          worker.on("error", (error) => reject(failed(error)));
          worker.on("exit", () => reject(failed()));
          readNext(worker);
        }
        timer = setInterval(look, LOOK_EVERY_MS);
      });
    } finally {
      clearInterval(timer);
      for (const worker of workers) {
        this.bytesOf.delete(worker);
        worker.removeAllListeners();
        // Others may fail of the same while they end; an error without a listener would end the engine.
        worker.on("error", () => undefined);
      }
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
  }
}

function outcomeOf(
  result: Transplant | { readonly error: Parameters<typeof errorOf>[0] },
  job: FileJob<unknown>,
): Outcome {
  if ("error" in result) return { problem: errorOf(result.error) };
  return { value: transplanted(result, job.classes) };
}

function failed(error?: Error): Error {
  if ((error as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY")
    return new RequestError("This needs more memory than a thread may take. Open fewer files at once.");
  return error ?? new Error("a thread that reads files ended early");
}
