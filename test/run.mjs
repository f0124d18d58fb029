/**
 * `npm test`: everything, on a machine that may have nothing but Node and npm. A failing step does not keep the next ones
 * from running; the last line is `N passed, N failed`, over all steps.
 *
 *   --full         the longer runs too (more random cases; HEATFLOW_FULL=1)
 *   --only a,b     only these steps, by name
 */
import fs from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { root, runFolder } from "./host/folders.mjs";
import { installHost, installProject } from "./host/install.mjs";
import { provideChromium } from "./host/chromium.mjs";
import { packageExtension } from "./host/packaging.mjs";

const vsixLimitBytes = 5e6;

const { values } = parseArgs({ options: { full: { type: "boolean" }, only: { type: "string" } } });
if (values.full) process.env.HEATFLOW_FULL = "1";

const reports = runFolder("reports");

/** A step gives how many tests passed, failed and were skipped; a static check is one test. */
const steps = [
  { name: "format", run: () => check("prettier/bin/prettier.cjs", "--check", "--log-level", "warn", ".") },
  { name: "lint", run: () => check("eslint/bin/eslint.js", "--max-warnings", "0", ".") },
  ...[".", "webviews", "test/webview", "test/host"].map((project) => ({
    name: `types of ${project === "." ? "src" : project}`,
    run: () => check("typescript/bin/tsc", "-p", project),
  })),
  { name: "unit", run: () => vitest("unit") },
  { name: "conformance", run: conformance },
  { name: "webview", run: () => vitest("webview") },
  { name: "package", run: packageFits },
  { name: "vscode", run: () => mocha("test/host/extensionTests.mjs") },
  { name: "e2e", run: () => mocha("test/host/endToEndTests.mjs") },
];

const only = values.only?.split(",");
const unknown = only?.filter((name) => !steps.some((step) => step.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`No step is called ${unknown.join(", ")}; there are: ${steps.map((step) => step.name).join(", ")}.`);
  process.exit(2);
}

const results = [await measured({ name: "set-up", run: setUp })];
for (const step of steps) if (!only || only.includes(step.name)) results.push(await measured(step));
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

async function check(program, ...args) {
  const code = await node([path.join("node_modules", program), ...args]);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

async function vitest(project) {
  const report = path.join(reports, `${project}.json`);
  const code = await node([
    ...["node_modules/vitest/vitest.mjs", "run", "--project", project],
    ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
  ]);
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
  const counts = await vitest("conformance");
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
  const code = await node([runner], { HEATFLOW_TEST_COUNTS: report });
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

/** Runs a script in the project's folder with its output here. @returns its exit code */
function node(args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal ?? code));
  });
}

function summarize() {
  const total = { passed: 0, failed: 0 };
  console.log("\n── summary");
  for (const { name, passed, failed, skipped, seconds } of results) {
    total.passed += passed;
    total.failed += failed;
    const skips = skipped > 0 ? `, ${skipped} skipped` : "";
    console.log(`${name.padEnd(20)} ${passed} passed, ${failed} failed${skips}  (${seconds.toFixed(1)} s)`);
  }
  process.exitCode = total.failed > 0 ? 1 : 0;
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
}
