/**
 * Called by VS Code in its extension host: runs the tests beside it, rejects where one failed. HEATFLOW_TEST_ONLY chooses those
 * whose titles hold it.
 */
import fs from "node:fs";
import path from "node:path";
import { format } from "node:util";
import Mocha from "mocha";
import { CountingReporter, writeCounts } from "../reporter";

export async function run(): Promise<void> {
  const output = process.env.HEATFLOW_TEST_OUTPUT;
  // The one function through which mocha's reporters print.
  if (output) Mocha.reporters.Base.consoleLog = (...args) => fs.appendFileSync(output, `${format(...args)}\n`);
  const only = process.env.HEATFLOW_TEST_ONLY ?? "";
  const mocha = new Mocha({ timeout: 60_000, color: false, reporter: CountingReporter, fgrep: only });
  for (const file of fs.readdirSync(__dirname).sort())
    if (file.endsWith(".test.js")) mocha.addFile(path.join(__dirname, file));
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  writeCounts();
  if (failures > 0) throw new Error(`${failures} tests failed`);
}
