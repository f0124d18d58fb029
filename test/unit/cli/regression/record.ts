/**
 * Records the runs that `regression.test.ts` compares: miniheat as it is (A1 … A5, B1 … B5) and with one loop too many (P1 … P5), built
 * and run as a traced build does it, with callgrind and with the tracker. From the project's folder:
 *
 *     npx esbuild test/unit/cli/regression/record.ts --bundle --platform=node --outfile=/tmp/record.cjs && node /tmp/record.cjs
 *
 * Recordings of the same name are replaced. The sources lie at a path of their own, which is what recordings say of them.
 */
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { tracedTask } from "../../../../src/traced/definition";
import { thisMachine } from "../../../../src/traced/machine";
import { tracedRun } from "../../../../src/traced/tracedRun";
import { patched, PATCHED_FILE } from "./patch";

const SOURCE = path.resolve("examples/miniheat");
const FIXTURES = path.resolve("test/unit/cli/regression");
const WORK = "/tmp/heatflow-regression";
const PROGRAM = path.join(WORK, "miniheat");
const REPEATS = 5;
/** Functions that are not patched stay where they were in their cache lines: moved by a few bytes, a loop can take a quarter less. */
const BUILD = ["make", "CXXFLAGS=-O2 -g -fno-omit-frame-pointer -falign-functions=64"];

/** Cells per side and steps: callgrind counts the same in each run; what a clock measures wants a second. */
const tools = [
  { tool: "callgrind", args: ["8", "2"], env: {} },
  // No events: only their sums are compared.
  { tool: "tracker", args: ["48", "20"], env: { HEATFLOW_METRICS: "0", HEATFLOW_SHORTEST_EVENT_NS: "1000000000" } },
] as const;

/** Which sources each side has, and which build it shares. In turn, so that no side has a quieter machine than another. */
const sides = [
  { name: "A", build: "as-it-is", isPatched: false },
  { name: "P", build: "modified", isPatched: true },
  { name: "B", build: "as-it-is", isPatched: false },
] as const;

/** @param wanted names of tools; none: all */
async function record(wanted: readonly string[]): Promise<void> {
  fs.rmSync(WORK, { recursive: true, force: true });
  fs.mkdirSync(PROGRAM, { recursive: true });
  fs.cpSync(path.join(SOURCE, "src"), path.join(PROGRAM, "src"), { recursive: true });
  fs.copyFileSync(path.join(SOURCE, "Makefile"), path.join(PROGRAM, "Makefile"));
  const source = path.join(PROGRAM, PATCHED_FILE);
  const text = fs.readFileSync(source, "utf8");
  const machine = thisMachine(path.resolve("tracker"), {});
  const { signal } = new AbortController();
  for (const { tool, args, env } of tools.filter((one) => wanted.length === 0 || wanted.includes(one.tool)))
    for (let repeat = 1; repeat <= REPEATS; repeat++)
      for (const { name, build, isPatched } of sides) {
        fs.writeFileSync(source, isPatched ? patched(text) : text);
        const task = tracedTask({ tool, args, env, build: BUILD, cwd: PROGRAM, output: build }, WORK);
        const run = await tracedRun(task, machine, {
          signal,
          secondSignal: signal,
          output: () => undefined,
          say: (line) => console.log(line),
          compilerSaid: () => undefined,
          choose: () => Promise.resolve(undefined),
          chooseProcess: () => Promise.resolve(undefined),
        });
        const [recording] = run.recordings;
        if (run.recordings.length !== 1 || run.facts.exitCode !== 0)
          throw new Error(`${name}${repeat}: ${run.missing ?? `${run.recordings.length} recordings`}`);
        const kept = path.join(FIXTURES, tool, `${name}${repeat}${tool === "tracker" ? ".json" : ".out"}.gz`);
        fs.mkdirSync(path.dirname(kept), { recursive: true });
        fs.writeFileSync(kept, zlib.gzipSync(fs.readFileSync(recording), { level: 9 }));
      }
}

record(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
