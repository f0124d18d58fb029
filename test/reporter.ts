import fs from "node:fs";
import Mocha from "mocha";

/** Mocha's own report, and at the end the counts as JSON in the file that HEATFLOW_TEST_COUNTS names. */
export class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once("end", () => {
      const { passes, failures, pending } = this.stats;
      const file = process.env.HEATFLOW_TEST_COUNTS;
      if (file) fs.writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
}
