import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import Mocha from "mocha";
import { runFolder } from "../host/folders.mjs";
import { CountingReporter } from "../reporter";

/** Of one test with all its waits, each of which gives up long before (`PATIENCE_MS`): only a test that hangs comes to it. */
const TEST_LIMIT_MS = 300_000;

/** Files that run at the same time, each in a process and windows of its own, which take a core and 1.5 GB. */
const JOBS = Math.min(2, os.availableParallelism());

/**
 * Runs the end-to-end tests that lie beside this file. What is said of a file's tests is said when all of them have run.
 *
 * @param only part of the titles of those to run
 * @returns how many failed
 */
export async function run(only = ""): Promise<number> {
  const folder = path.dirname(fileURLToPath(import.meta.url));
  const mocha = new Mocha({
    timeout: TEST_LIMIT_MS,
    reporter: CountingReporter,
    fgrep: only,
    parallel: true,
    jobs: JOBS,
  });
  for (const file of fs.readdirSync(folder).sort())
    if (file.endsWith(".e2e.mjs")) mocha.addFile(path.join(folder, file));
  // Of all windows: logs and pictures stay where a test failed.
  const logs = (process.env.HEATFLOW_E2E_FOLDER = runFolder("e2e"));
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures === 0) fs.rmSync(logs, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  return failures;
}
