/** One run of thousands of files, one per rank, as a window works with it: through the worker, with what is kept of it. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type EngineClient, startEngine } from "../../src/engine/thread/client";
import { Recordings } from "../../src/session/recordings";
import { emptySession } from "../../src/session/savedState";
import { bundleWorker } from "../workerBundle";
import { RANK_FILE_BYTES } from "./rankFiles";
import { generate } from "./reading";

export const RANKS = 8192;

export interface ManyRanks {
  readonly megabytes: number;
  /** From the question to the data set. */
  readonly openSeconds: number;
  /** Of this process with its worker, over what it had before. */
  readonly peakBytes: number;
  /** The longest of several steps: another hundred ranks chosen, and the histogram and the graph of them. */
  readonly brushMs: number;
  /** What the window keeps of it for the next start. */
  readonly stateBytes: number;
}

export async function benchManyRanks(): Promise<ManyRanks> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bench-"));
  const run = path.join(folder, "run");
  fs.mkdirSync(run);
  let engine: EngineClient | undefined;
  try {
    const workerFile = path.join(folder, "worker.js");
    await bundleWorker(workerFile);
    const { bytes } = generate("rankFiles", run, RANKS * RANK_FILE_BYTES);
    const idle = process.memoryUsage.rss();
    engine = startEngine({
      workerFile,
      wasmFolder: path.resolve("dist"),
      memoryLimitMegabytes: 4096,
      onExit: (reason) => {
        throw new Error(reason);
      },
    });
    const started = performance.now();
    const [info, ...others] = await engine.open({ paths: [run] });
    const openSeconds = (performance.now() - started) / 1000;
    if (others.length > 0 || info.ranks.length !== RANKS)
      throw new Error(`${info.ranks.length} of ${RANKS} ranks are one run`);
    let brushMs = 0;
    for (let from = 0; from < 1000; from += 200) {
      const members = Array.from({ length: 100 }, (_, at) => `${from + at}`);
      const scope = {
        dataSet: info.id,
        metric: info.defaultMetric,
        over: "mean",
        chosen: { by: "rank", members },
      } as const;
      const step = performance.now();
      await Promise.all([
        engine.distribution({ scope, by: "rank", value: "inclusive", order: "id", bins: 60 }),
        engine.superGraph({ scope, filter: 0.1, groupBy: "function" }),
      ]);
      brushMs = Math.max(brushMs, performance.now() - step);
    }
    const peakBytes = process.resourceUsage().maxRSS * 1024 - idle;
    const recordings = new Recordings(emptySession);
    recordings.add(info, { paths: [run] });
    return {
      megabytes: bytes / 1e6,
      openSeconds,
      peakBytes,
      brushMs,
      stateBytes: JSON.stringify(recordings.saved()).length,
    };
  } finally {
    await engine?.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
