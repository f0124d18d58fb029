/**
 * `npm test`: everything, on a machine that may have nothing but Node and npm. A failing step does not keep the next ones
 * from running; what failed is said again at the end, and the last line is `N passed, N failed`, over all steps.
 *
 *   --all          every file, not only a tenth of those that take long
 *   --full         the longer runs too (all files, all random cases, all themes in the window; HEATFLOW_FULL=1)
 *   --only a,b     only these steps, by name
 *
 * HEATFLOW_SEED gives the random cases of an earlier run again, which has printed it, HEATFLOW_TURN its part of the long files.
 */
import fs from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { folderInMemory, root, runFolder } from "./host/folders.mjs";
import { installHost, installProject } from "./host/install.mjs";
import { provideChromium } from "./host/chromium.mjs";
import { provideMeasuringTools } from "./host/measuringTools.mjs";
import { packageExtension } from "./host/packaging.mjs";
import { filesLeftOut } from "./turns.mjs";
import { LAWS_TITLE } from "./webview/kit/lawsTitle.mjs";

const vsixLimitBytes = 5e6;

const { values } = parseArgs({
  options: { all: { type: "boolean" }, full: { type: "boolean" }, only: { type: "string" } },
});
if (values.full) process.env.HEATFLOW_FULL = "1";
process.env.HEATFLOW_SEED ??= String(randomInt(1, 1e8));
// Whoever names steps wants all of them.
if (!values.all && !values.full && !values.only) process.env.HEATFLOW_TURN ??= process.env.HEATFLOW_SEED;

const reports = runFolder("reports");
const inMemory = folderInMemory();
if (inMemory) process.once("exit", () => fs.rmSync(inMemory, { recursive: true, force: true }));

/** Static checks, by native programs: in a fraction of what the same takes in JavaScript. */
const checks = [
  check("format", "oxfmt/bin/oxfmt", "--check"),
  check("lint", "oxlint/bin/oxlint", "-c", "oxlint.config.mjs", "--deny-warnings"),
  ...[".", "webviews", "test/webview", "test/host"].map((project) =>
    check(`types of ${project === "." ? "src" : project}`, "typescript-native/bin/tsc", "-p", project),
  ),
];

/** The rig's packages and tools take as long as the project's own: the first check runs meanwhile, all others begin afterwards. */
const rig = { name: "set-up of the rig", run: setUpRig };

/**
 * What runs beside each other, each row from left to right. End-to-end tests wait about as much as they compute, and take longest:
 * what needs no browser finds time beside them. A step gives how many tests passed, failed and were skipped,
 * and may give the failures' texts.
 */
const rows = [
  [
    ...checks,
    { name: "unit", run: () => vitest("unit*") },
    { name: "conformance", run: conformance },
    // Behind what takes longer than the set-up of the rig, which brings its compilers.
    { name: "tracker", run: () => vitest("tracker") },
  ],
  [
    rig,
    { name: "package", run: packageFits },
    { name: "e2e", run: () => mocha("test/host/endToEndTests.mjs") },
    { name: "webview", run: () => vitest("webview") },
    { name: "panel laws", run: quickPanelLaws },
    { name: "vscode", run: () => mocha("test/host/extensionTests.mjs") },
  ],
];

const only = values.only?.split(",");
const names = rows.flat().map(({ name }) => name);
const unknown = only?.filter((name) => !names.includes(name)) ?? [];
if (unknown.length > 0) {
  console.error(`No step is called ${unknown.join(", ")}; there are: ${names.join(", ")}.`);
  process.exit(2);
}

const isAskedFor = (step) => !only || step === rig || only.includes(step.name);
const results = [await measured({ name: "set-up", run: setUp })];
const ofRows = await Promise.all(
  // Where only some are asked for, the first of them may need the rig.
  (only ? rows.toReversed() : rows).map(async (steps) => {
    const ended = [];
    for (const step of steps.filter(isAskedFor)) ended.push(await measured(step));
    return ended;
  }),
);
for (const result of ofRows.flat()) results.push(result);
summarize();

async function setUp() {
  installProject();
  return { passed: 0, failed: 0, skipped: 0 };
}

/** Without waiting in between: no other step begins before it ends. */
function setUpRig() {
  installHost();
  provideChromium();
  provideMeasuringTools();
  return { passed: 0, failed: 0, skipped: 0 };
}

/** Runs a step to its end, whatever happens in it. */
async function measured(step) {
  console.log(`${step.name} …`);
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

/** A check is one test. */
function check(name, program, ...args) {
  const run = async () => {
    const isPassed = (await node(name, [path.join("node_modules", program), ...args])) === 0;
    return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0 };
  };
  return { name, run };
}

/** The laws of every panel whose file has its turn in another run, at one width. */
function quickPanelLaws() {
  const files = filesLeftOut().filter((file) =>
    /^panelLaws\(/m.test(fs.readFileSync(path.join(root, "test", file), "utf8")),
  );
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  const paths = files.map((file) => `test/${file}`);
  // Pictures are for a person who asks for a title.
  const env = { HEATFLOW_TURN: "", HEATFLOW_QUICK_LAWS: "1", HEATFLOW_PICTURES: "" };
  return vitest("webview", { name: "panel laws", args: [...paths, "-t", LAWS_TITLE], env });
}

async function vitest(project, { name = project, args = [], env = {} } = {}) {
  const report = path.join(reports, `${name.replace(/\W/g, "")}.json`);
  const code = await node(
    name,
    [
      // A golden file that is missing is a failure, and not written.
      "node_modules/vitest/vitest.mjs",
      "run",
      "--update=none",
      "--project",
      project,
      ...args,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    { ...env, ...(inMemory && { TMPDIR: inMemory }) },
  );
  if (!fs.existsSync(report)) throw new Error(`The ${project} tests wrote no report.`);
  const { numPassedTests, numPendingTests, testResults } = JSON.parse(fs.readFileSync(report, "utf8"));
  // A file that fails before its first test has no failed test.
  const brokenFiles = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  const failedTests = testResults.flatMap((file) => file.assertionResults.filter(({ status }) => status === "failed"));
  const failures = [
    ...brokenFiles.map(({ name, message }) => `${path.relative(root, name)}: ${message}`),
    ...failedTests.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join(" ")}`),
  ];
  return complete({ passed: numPassedTests, failed: failures.length, skipped: numPendingTests, failures }, code);
}

/** Prints one table over all formats: what was read, how many values were compared, and the largest difference. */
async function conformance() {
  const folder = runFolder("conformance");
  process.env.HEATFLOW_CONFORMANCE_TABLE = folder;
  const counts = await vitest("conformance");
  const table = {};
  for (const name of fs.readdirSync(folder).sort()) {
    for (const line of fs.readFileSync(path.join(folder, name), "utf8").trimEnd().split("\n")) {
      const [format, row] = JSON.parse(line);
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
  const code = await node(path.basename(runner), [runner], { HEATFLOW_TEST_COUNTS: report });
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
 * Runs a script in the project's folder. What it says is shown when it has ended, whole, since others run beside it.
 *
 * @returns its exit code or signal
 */
function node(name, args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (data) => (output += data));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      console.log(`\n── ${name}\n${output.trimEnd()}`);
      resolve(signal ?? code);
    });
  });
}

function summarize() {
  const total = { passed: 0, failed: 0 };
  console.log("\n── summary");
  console.log(`random cases from HEATFLOW_SEED=${process.env.HEATFLOW_SEED} on`);
  const leftOut = filesLeftOut().length;
  if (leftOut > 0)
    console.log(`without ${leftOut} long files, whose turn is another (HEATFLOW_TURN=${process.env.HEATFLOW_TURN})`);
  for (const { name, passed, failed, skipped, seconds } of results) {
    total.passed += passed;
    total.failed += failed;
    const skips = skipped > 0 ? `, ${skipped} skipped` : "";
    console.log(`${name.padEnd(20)} ${passed} passed, ${failed} failed${skips}  (${seconds.toFixed(1)} s)`);
  }
  process.exitCode = total.failed > 0 ? 1 : 0;
  for (const { name, failures = [] } of results) {
    for (const failure of failures) console.log(`${name}: failed: ${failure.split("\n", 3).join(" ")}`);
  }
  console.log(`all together in ${(performance.now() / 1000).toFixed(0)} s`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
}
