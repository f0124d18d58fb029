/**
 * Which test files a run leaves out. All of them take a multiple of the ten minutes that `npm test` may take: it has what is quick, the main ways through
 * the product, and a tenth of the others, another tenth in the next run. The full run leaves out none, and whoever runs files by name has them.
 */
import fs from "node:fs";
import path from "node:path";
import { root } from "./host/folders.mjs";

const PARTS = 10;

/** Where tests take long: in a window of VS Code, in a browser, and with compilers of C++. */
const LONG_FOLDERS = ["e2e", "webview", "tracker"];

/** Files in these folders that each run has nevertheless. */
const ALWAYS = new Set([
  ...["badInput", "mainJob", "mainJobByKeyboard", "restrictedMode", "tracedBuild"].map((name) => `e2e/${name}.e2e.ts`),
  ...["barNames", "brokenBars", "kit/axis", "kit/members", "kit/search", "kit/sight", "kit/theme"].map(webview),
  ...["miniHistograms", "pure", "superGraphSeen", "superGraphTables", "transition"].map(webview),
]);

/** Files elsewhere that take seconds: whole programs, huge inputs, other processes. */
const LONG_FILES = [
  ...["aggregation", "chromeWindow", "comparison", "cutRecordings", "dmtracker", "ensemble", "movement", "paje"].map(
    conformance,
  ),
  ...["selfComparison", "shownNames", "superGraph", "timeline", "views"].map(conformance),
  ...["cli/compareCommand", "cli/output", "cli/regression", "cli/runPresence", "cli/ensemblePivot"].map(unit),
  ...["engine/ensembles/ensembleGraph", "engine/lines/manyFiles", "engine/readers/readerPool"].map(unit),
  ...["engine/thread/client", "formats/callgrind/estimate/unfold", "formats/callgrind/programs"].map(unit),
  ...["formats/caliper/scan/cali", "formats/chrome/chrome", "formats/dmtracker/dmtracker"].map(unit),
  ...["formats/cancelling", "formats/hpctoolkit/v2/database", "formats/openedFiles", "formats/paje/hostile"].map(unit),
  ...["formats/trace/spans", "formats/trace/traceBuilder", "source/laws", "supergraph/operationCases"].map(unit),
  ...["traced/buildNames", "traced/lineTable", "traced/perfLines", "traced/tracedRun"].map(unit),
];

function conformance(name) {
  return `conformance/${name}.test.ts`;
}

function unit(name) {
  return `unit/${name}.test.ts`;
}

function webview(name) {
  return `webview/${name}.test.ts`;
}

/**
 * Test files that this run leaves out, from `test/` on: none, unless HEATFLOW_TURN says whose turn it is.
 *
 * @returns {string[]}
 */
export function filesLeftOut() {
  if (!process.env.HEATFLOW_TURN) return [];
  const turn = Number(process.env.HEATFLOW_TURN);
  if (!Number.isSafeInteger(turn))
    throw new Error(`HEATFLOW_TURN is ${process.env.HEATFLOW_TURN}, which is no number.`);
  return longFiles().filter((_, at) => at % PARTS !== turn % PARTS);
}

/** Sorted, each folder by itself: neighbours, which are of one panel, come in different runs. */
function longFiles() {
  const inFolders = LONG_FOLDERS.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, "test", folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(test|e2e)\.ts$/.test(name))
      .map((name) => `${folder}/${name.split(path.sep).join("/")}`)
      .sort(),
  );
  return [...inFolders.filter((file) => !ALWAYS.has(file)), ...LONG_FILES];
}
