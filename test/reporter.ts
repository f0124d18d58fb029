import fs from "node:fs";
import Mocha from "mocha";

interface Outcome {
  readonly state: "passed" | "failed" | "skipped";
  /** Why it failed. */
  readonly message?: string;
}

/** Outcomes of all tests that ran in this process, by file and title. */
const outcomes = new Map<string, Map<string, Outcome>>();

/** Mocha's own report; keeps what came of each test. */
export class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const keep = (test: Mocha.Runnable, outcome: Outcome) => {
      const file = test.file ?? "";
      const ofFile = outcomes.get(file) ?? new Map<string, Outcome>();
      outcomes.set(file, ofFile.set(test.fullTitle(), outcome));
    };
    runner.on("pass", (test) => keep(test, { state: "passed" }));
    runner.on("pending", (test) => keep(test, { state: "skipped" }));
    runner.on("fail", (test, error: Error) => keep(test, { state: "failed", message: error.message }));
  }
}

/** Whether any test has run, or was skipped by what it says itself. */
export function hasRun(): boolean {
  return outcomes.size > 0;
}

/** Files of which a test, or what prepares one, has failed. */
export function failedFiles(): string[] {
  const isFailed = (ofFile: Map<string, Outcome>) => [...ofFile.values()].some(({ state }) => state === "failed");
  return [...outcomes].filter(([, ofFile]) => isFailed(ofFile)).map(([file]) => file);
}

/** Writes what came of all tests into the file that HEATFLOW_TEST_COUNTS names, as JSON. */
export function writeCounts(): void {
  const file = process.env.HEATFLOW_TEST_COUNTS;
  if (!file) return;
  const all = [...outcomes.values()].flatMap((ofFile) => [...ofFile]);
  const count = (state: Outcome["state"]) => all.filter(([, outcome]) => outcome.state === state).length;
  const failures = all
    .filter(([, { state }]) => state === "failed")
    .map(([title, { message }]) => `${title}: ${message}`);
  const counts = { passed: count("passed"), failed: count("failed"), skipped: count("skipped"), failures };
  fs.writeFileSync(file, JSON.stringify(counts));
}
