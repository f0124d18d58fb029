import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import Mocha from "mocha";
import { runFolder } from "../host/folders.mjs";
import { filesLeftOut } from "../turns.mjs";
import { CountingReporter, failedFiles, hasRun, writeCounts } from "../reporter";

/** Of one test with all its waits, each of which gives up long before (`PATIENCE_MS`): only a test that hangs comes to it. */
const TEST_LIMIT_MS = 480_000;

/** Files that run at the same time, each in a process and windows of its own, which take a core and 1.5 GB. */
const JOBS = Math.min(2, os.availableParallelism());

/**
 * Runs the end-to-end tests that lie beside this file, each once. Results of a file's tests are printed when all of them have run.
 *
 * @param only part of the titles of those to run
 * @returns how many files failed
 * @throws where no test has such a title: a mistyped one must not look like tests that passed
 */
export async function run(only = ""): Promise<number> {
  const folder = path.dirname(fileURLToPath(import.meta.url));
  const all = fs.readdirSync(folder).sort();
  const leftOut = new Set(filesLeftOut().map((file) => path.basename(file, ".ts")));
  const taken = all.filter((file) => file.endsWith(".e2e.mjs") && !leftOut.has(path.basename(file, ".mjs")));
  const files = taken.map((file) => path.join(folder, file));
  // Of all windows: logs and pictures stay where a test failed.
  const logs = (process.env.HEATFLOW_E2E_FOLDER = runFolder("e2e"));
  await runFiles(files, only);
  if (!hasRun()) throw new Error(`no test's title holds "${only}"`);
  writeCounts();
  const failed = failedFiles().length;
  if (failed === 0) fs.rmSync(logs, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  return failed;
}

function runFiles(files: readonly string[], only: string): Promise<number> {
  const mocha = new Mocha({
    timeout: TEST_LIMIT_MS,
    reporter: CountingReporter,
    fgrep: only,
    parallel: true,
    jobs: JOBS,
  });
  for (const file of files) mocha.addFile(file);
  return new Promise((resolve) => mocha.run(resolve));
}
