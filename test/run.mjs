/**
 * `npm test`: everything, on a machine that may have nothing but Node and npm. A failing step does not keep the next ones
 * from running; the last line is `N passed, N failed`, over all steps.
 *
 *   --full         the longer runs too (all random cases, all themes in the window; HEATFLOW_FULL=1)
 *   --only a,b     only these steps, by name
 *
 * HEATFLOW_SEED gives the random cases of an earlier run again, which has printed it.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { root, runFolder } from "./host/folders.mjs";
import { installHost, installProject } from "./host/install.mjs";
import { provideChromium } from "./host/chromium.mjs";
import { packageExtension } from "./host/packaging.mjs";

const vsixLimitBytes = 5e6;

const { values } = parseArgs({ options: { full: { type: "boolean" }, only: { type: "string" } } });
if (values.full) process.env.HEATFLOW_FULL = "1";
process.env.HEATFLOW_SEED ??= String(randomInt(1, 1e8));

const reports = runFolder("reports");

/** Static checks, each one test. Types by the native compiler, in a fifth of the time; ESLint still needs the one with an API. */
const checks = [
  { name: "format", args: ["prettier/bin/prettier.cjs", "--check", "--log-level", "warn", "."] },
  { name: "lint", args: ["eslint/bin/eslint.js", "--max-warnings", "0", "."] },
  ...[".", "webviews", "test/webview", "test/host"].map((project) => ({
    name: `types of ${project === "." ? "src" : project}`,
    args: ["typescript-native/bin/tsc", "-p", project],
  })),
];

/**
 * What runs after them: one after the other, but for those that stand together. End-to-end tests wait more than they compute, so that
 * others find time beside them. A step gives how many tests passed, failed and were skipped.
 */
const steps = [
  [{ name: "unit", run: () => vitest("unit*") }],
  [{ name: "webview", run: () => vitest("webview") }],
  [{ name: "package", run: packageFits }],
  [{ name: "vscode", run: () => mocha("test/host/extensionTests.mjs") }],
  [
    { name: "e2e", run: () => mocha("test/host/endToEndTests.mjs") },
    { name: "conformance", run: conformance },
  ],
];

const only = values.only?.split(",");
const names = [...checks, ...steps.flat()].map(({ name }) => name);
const unknown = only?.filter((name) => !names.includes(name)) ?? [];
if (unknown.length > 0) {
  console.error(`No step is called ${unknown.join(", ")}; there are: ${names.join(", ")}.`);
  process.exit(2);
}

const isAskedFor = ({ name }) => !only || only.includes(name);
const results = [await measured({ name: "set-up", run: setUp })];
results.push(...(await runChecks(checks.filter(isAskedFor))));
for (const together of steps) results.push(...(await Promise.all(together.filter(isAskedFor).map(measured))));
summarize();

async function setUp() {
  installProject();
  installHost();
  provideChromium();
  return { passed: 0, failed: 0, skipped: 0 };
}

/** Runs a step to its end, whatever happens in it. */
async function measured(step) {
  console.log(`\n── ${step.name}`);
  const started = performance.now();
  let counts;
  try {
    counts = await step.run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    counts = { passed: 0, failed: 1, skipped: 0 };
  }
  return { name: step.name, ...counts, seconds: (performance.now() - started) / 1000 };
}

/** Runs checks, as many at a time as there are cores: each uses one. What one says is shown when it has ended. */
async function runChecks(checks) {
  const waiting = [...checks.entries()];
  const results = [];
  const runNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await check(next[1]);
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, runNext));
  return results;
}

async function check({ name, args: [program, ...args] }) {
  const started = performance.now();
  const ended = node([path.join("node_modules", program), ...args], { collect: true });
  const { code, output } = await ended.catch((error) => ({ code: undefined, output: error.message }));
  console.log(`\n── ${name}\n${output}`.trimEnd());
  const isPassed = code === 0;
  const seconds = (performance.now() - started) / 1000;
  return { name, passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0, seconds };
}

/** @param {{ collect?: boolean }} [options] of {@link node}: what it says is shown when it has ended */
async function vitest(project, options) {
  const report = path.join(reports, `${project.replace("*", "")}.json`);
  const { code, output } = await node(
    [
      ...["node_modules/vitest/vitest.mjs", "run", "--project", project],
      ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    ],
    options,
  );
  if (options?.collect) console.log(output);
  if (!fs.existsSync(report)) throw new Error(`The ${project} tests wrote no report.`);
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(fs.readFileSync(report, "utf8"));
  // A file that fails before its first test has no failed test.
  const brokenFiles = testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  return complete({ passed: numPassedTests, failed: numFailedTests + brokenFiles, skipped: numPendingTests }, code);
}

/** Prints one table over all formats: what was read, how many values were compared, and the largest difference. */
async function conformance() {
  const folder = runFolder("conformance");
  process.env.HEATFLOW_CONFORMANCE = folder;
  const counts = await vitest("conformance", { collect: true });
  const table = {};
  for (const name of fs.readdirSync(folder).sort()) {
    for (const [format, row] of JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"))) {
      const sum = (table[format] ??= { recordings: 0, values: 0, largestDifference: 0 });
      sum.recordings += row.recordings;
      sum.values += row.values;
      sum.largestDifference = Math.max(sum.largestDifference, row.largestDifference);
    }
  }
  console.table(Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1))));
  return counts;
}

async function mocha(runner) {
  const report = path.join(reports, `${path.basename(runner, ".mjs")}.json`);
  const { code } = await node([runner], { env: { HEATFLOW_TEST_COUNTS: report } });
  if (!fs.existsSync(report)) throw new Error("These tests came to no end.");
  return complete(JSON.parse(fs.readFileSync(report, "utf8")), code);
}

/** A step that fails without a failed test, or without any test, has failed. */
function complete(counts, exitCode) {
  const failedOtherwise = counts.failed === 0 && exitCode !== 0;
  const ranNothing = counts.passed + counts.failed + counts.skipped === 0;
  if (ranNothing) console.error("No test ran.");
  return { ...counts, failed: counts.failed + (failedOtherwise || ranNothing ? 1 : 0) };
}

function packageFits() {
  const vsix = packageExtension();
  const bytes = fs.statSync(vsix).size;
  const fits = bytes <= vsixLimitBytes;
  console.log(
    `${path.relative(root, vsix)} has ${(bytes / 1e6).toFixed(2)} MB, the limit is ${vsixLimitBytes / 1e6} MB.`,
  );
  return { passed: fits ? 1 : 0, failed: fits ? 0 : 1, skipped: 0 };
}

/**
 * Runs a script in the project's folder, with its output here or, collected, given.
 *
 * @returns its exit code or signal
 */
function node(args, { env = {}, collect = false } = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", collect ? "pipe" : "inherit", collect ? "pipe" : "inherit"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (data) => (output += data));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code: signal ?? code, output }));
  });
}

function summarize() {
  const total = { passed: 0, failed: 0 };
  console.log("\n── summary");
  console.log(`random cases from HEATFLOW_SEED=${process.env.HEATFLOW_SEED} on`);
  for (const { name, passed, failed, skipped, seconds } of results) {
    total.passed += passed;
    total.failed += failed;
    const skips = skipped > 0 ? `, ${skipped} skipped` : "";
    console.log(`${name.padEnd(20)} ${passed} passed, ${failed} failed${skips}  (${seconds.toFixed(1)} s)`);
  }
  process.exitCode = total.failed > 0 ? 1 : 0;
  console.log(`all together in ${(performance.now() / 1000).toFixed(0)} s`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
}
