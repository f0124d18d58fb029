/** The engine as a window has it, in a worker thread of its own, with the generated recording open. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DataSetInfo } from "../../src/engine/api";
import { type EngineClient, startEngine } from "../../src/engine/thread/client";
import { bundleWorker } from "../workerBundle";
import { writeSources } from "./generatedRecording";

export interface GeneratedEngine {
  readonly engine: EngineClient;
  readonly info: DataSetInfo;
  stop(): Promise<void>;
}

export async function startGeneratedEngine(): Promise<GeneratedEngine> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-bench-"));
  const sources = writeSources();
  const workerFile = path.join(folder, "worker.js");
  await bundleGeneratedWorker(workerFile);
  const engine = startEngine({
    workerFile,
    wasmFolder: path.resolve("dist"),
    memoryLimitMegabytes: 4096,
    onExit: (reason) => {
      throw new Error(reason);
    },
  });
  await engine.configure({ folders: [sources], sourceMap: {} });
  const [info] = await engine.open({ paths: [path.join(folder, "generated")] });
  const stop = async () => {
    await engine.dispose();
    for (const written of [folder, sources]) fs.rmSync(written, { recursive: true });
  };
  return { engine, info, stop };
}

/** The engine's worker with the generated recording in place of all readers; those of an ensemble's runs stay. */
export async function bundleGeneratedWorker(outfile: string): Promise<void> {
  const generated = { path: path.resolve("test/bench/generatedRegistry.ts") };
  await bundleWorker(outfile, [
    {
      name: "the generated recording in place of the readers",
      setup({ onResolve }) {
        onResolve({ filter: /\/formats\/registry$/ }, ({ importer }) =>
          path.basename(importer) === "engineState.ts" ? generated : undefined,
        );
      },
    },
  ]);
}
