/**
 * `npm run bench`: measures and prints a table, as Markdown. Arguments choose parts: activation, threads, superGraph, firstPicture, operations, links, overview,
 * stream, treemap, tracker, and `read:` (150 MB), `least:` (50 MB) or `large:` (2 GB) with a generated input, such as read:cali; each of these words
 * alone is all of its inputs. `--large` has the longest besides: a stream of 218 million events (large:overview).
 * A budget that does not hold is said, and is the exit code.
 */
import path from "node:path";
import { spawnSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { root } from "../host/folders.mjs";
import { installHost, installProject } from "../host/install.mjs";
import { packageExtension } from "../host/packaging.mjs";
import { program } from "../host/program.mjs";

/** Tells a run of this file that it is to measure one part, and print its rows. */
const MEASURE = "--measure";
/** Tells a run that it is to write a part's input: another process than the one that is measured. */
const GENERATE = "--generate";

// The rig of panel tests wants one; measured is the same each time.
process.env.HEATFLOW_SEED ??= "1";

await program(async () => {
  const [first, ...rest] = process.argv.slice(2);
  if (first === MEASURE) return measure(rest[0]);
  if (first === GENERATE) return generate(rest);
  return printTable(process.argv.slice(2));
});

async function printTable(chosen) {
  installProject();
  installHost();
  packageExtension();
  const { bundleTests } = await import("../host/bundleTests.mjs");
  await bundleTests("bench");
  const { partNames, defaultParts } = await import(bundle());
  const parts = chosen.flatMap((given) => {
    const part = given.replace(/^--/, "");
    const ofKind = partNames.filter((name) => name.startsWith(`${part}:`));
    return ofKind.length > 0 ? ofKind : part;
  });
  const unknown = parts.filter((part) => !partNames.includes(part));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(", ")}; there are: ${partNames.join(", ")}.`);
  let missed = 0;
  console.log("| what | measured | at most | how |\n| --- | --- | --- | --- |");
  for (const part of parts.length > 0 ? parts : defaultParts) {
    for (const { what, figure, budget = "", holds = true, note = "" } of rowsIn(part)) {
      if (!holds) missed++;
      console.log(`| ${what} | ${holds ? figure : `**${figure}**`} | ${budget} | ${note} |`);
    }
  }
  if (missed > 0) console.error(`${missed} over budget`);
  return missed > 0 ? 1 : 0;
}

function rowsIn(part) {
  // As the engine's worker: three such spaces are what it gives its young generation (src/engine/thread/client.ts).
  const args = ["--expose-gc", "--max-semi-space-size=4", fileURLToPath(import.meta.url), MEASURE, part];
  const { status, stdout, error } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`Measuring ${part} failed.`);
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

async function measure(part) {
  const { rowsOf } = await import(bundle());
  console.log(JSON.stringify(await rowsOf(part)));
  // The browser that pages share ends with the process.
  process.exit();
}

async function generate([name, folder, bytes]) {
  const { writeInput, writeStream } = await import(bundle());
  if (folder === "-") return writeStream(name, Number(bytes));
  console.log(JSON.stringify(await writeInput(name, folder, Number(bytes))));
}

function bundle() {
  return pathToFileURL(path.join(root, "test", "host", "dist", "bench", "index.mjs")).href;
}
