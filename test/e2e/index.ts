import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import Mocha from "mocha";
import { CountingReporter } from "../reporter";

/** Of one test with all its waits, each of which gives up long before (`PATIENCE_MS`): only a test that hangs comes to it. */
const TEST_LIMIT_MS = 300_000;

/**
 * Runs the end-to-end tests that lie beside this file.
 *
 * @param only part of the titles of those to run
 * @returns how many failed
 */
export async function run(only = ""): Promise<number> {
  const folder = path.dirname(fileURLToPath(import.meta.url));
  const mocha = new Mocha({ timeout: TEST_LIMIT_MS, reporter: CountingReporter, fgrep: only });
  for (const file of fs.readdirSync(folder).sort())
    if (file.endsWith(".e2e.mjs")) mocha.addFile(path.join(folder, file));
  await mocha.loadFilesAsync();
  return new Promise((resolve) => mocha.run(resolve));
}
