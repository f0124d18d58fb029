import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { messageOf } from "../model/errors";
import { readRunFacts, RUN_FILE, RUN_VERSION, type RunFacts } from "../model/runFacts";
import { isInside, TaskError, type TracedTask } from "./definition";
import type { Measured } from "./measuring";
import type { Ended } from "./processes";

/** A run that was kept. */
export interface Run {
  /** Absolute. */
  readonly folder: string;
  readonly facts: RunFacts;
}

const TAG = "CACHEDIR.TAG";
const IGNORED = ".gitignore";
/** Files that mark an output folder, the tag last: as the Cache Directory Tagging Specification has it. */
const MARKS = {
  [IGNORED]: "*\n",
  [TAG]: "Signature: 8a477f597d28d172789f06886806bc55\n# Builds and recordings of Heatflow's traced builds.\n",
} as const;
const UNFINISHED = ".new-";

/**
 * Makes the output folder, with the marks that say that nothing in it is a source: to git, to backups, and to who looks for functions.
 * Two windows may do so at the same time.
 *
 * @throws TaskError where the folder has files already that are not Heatflow's: they would be hidden from git
 */
export async function makeOutput(output: string): Promise<void> {
  await makeFolder(output);
  // Listed first: another window makes nothing else here before its tag is whole.
  const names = await fs.readdir(output);
  const read = (name: string) => fs.readFile(path.join(output, name), "utf8").catch(() => "");
  if ((await read(TAG)) === MARKS[TAG]) return;
  for (const name of names) {
    const [mark] = name.split(UNFINISHED);
    const isMark = mark === TAG || mark === IGNORED;
    if (!isMark || (name === mark && (await read(name)) !== MARKS[mark]))
      throw new TaskError(`${output} already has other files. Name a new or empty folder as "output" in tasks.json.`);
  }
  for (const [name, text] of Object.entries(MARKS)) {
    // Moved into place, so that nobody reads half of it.
    const made = path.join(output, `${name}${UNFINISHED}${process.pid}-${randomBytes(6).toString("hex")}`);
    await fs.writeFile(made, text);
    await fs.rename(made, path.join(output, name));
  }
}

/** @throws TaskError where no folder can be made: a file is in the way, or it may not be written to */
async function makeFolder(output: string): Promise<void> {
  try {
    await fs.mkdir(output, { recursive: true });
    await fs.access(output, fs.constants.W_OK);
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    const why =
      code === "EEXIST" || code === "ENOTDIR"
        ? "a file is in its place"
        : code === "ENAMETOOLONG"
          ? "its name is too long"
          : messageOf(problem);
    throw new TaskError(`The folder ${output} cannot be made: ${why}. Name another folder as "output" in tasks.json.`);
  }
}

/** Makes the folder of a new run: by time and program, so that names sort by age. */
export async function newRunFolder({ output, tool }: TracedTask, program: string, now: Date): Promise<string> {
  await fs.mkdir(path.join(output, "runs"), { recursive: true });
  const time = now.toISOString().slice(0, 19).replace("T", " ").replaceAll(":", "-");
  const name = `${time} ${path.basename(program).replace(/[^\w.-]/g, "_")} ${tool}`;
  for (let number = 1; ; number++) {
    const folder = path.join(output, "runs", number === 1 ? name : `${name} ${number}`);
    const made = await fs.mkdir(folder).then(
      () => true,
      (problem: NodeJS.ErrnoException) => {
        if (problem.code === "EEXIST") return false;
        throw problem;
      },
    );
    if (made) return folder;
  }
}

export function factsOf(
  task: TracedTask,
  { program, flags, process, stacks }: Pick<Measured, "program" | "flags" | "process" | "stacks">,
  startedAt: Date,
  { seconds, code, signal }: Ended,
): RunFacts {
  const { tool, args, cwd, ranks } = task;
  return {
    version: RUN_VERSION,
    tool,
    program,
    args,
    cwd,
    ranks,
    flags,
    startedAt: startedAt.toISOString(),
    seconds,
    exitCode: code,
    signal,
    ...(process === undefined ? {} : { process }),
    ...(stacks === undefined ? {} : { stacks }),
  };
}

export async function keepFacts(folder: string, facts: RunFacts): Promise<void> {
  await fs.writeFile(path.join(folder, RUN_FILE), `${JSON.stringify(facts, null, 2)}\n`);
}

/** Runs that were kept in an output folder, the latest first. */
export async function listRuns(output: string): Promise<Run[]> {
  const runs: Run[] = [];
  for (const name of await fs.readdir(path.join(output, "runs")).catch(() => [])) {
    const run = await runIn(path.join(output, "runs", name));
    if (run !== undefined) runs.push(run);
  }
  return runs.sort((a, b) => (a.facts.startedAt < b.facts.startedAt ? 1 : -1));
}

/** @returns undefined if the folder has no facts of a run */
export async function runIn(folder: string): Promise<Run | undefined> {
  const text = await fs.readFile(path.join(folder, RUN_FILE), "utf8").catch(() => undefined);
  const facts = text === undefined ? undefined : readRunFacts(text);
  return facts === undefined ? undefined : { folder, facts };
}

/** Deletes a run with its recording; only what lies among the runs of this output folder. */
export async function deleteRun({ folder }: Run, output: string): Promise<void> {
  const runs = path.join(output, "runs");
  if (path.dirname(folder) !== runs || !isInside(folder, runs)) throw new Error(`${folder} is no run of ${output}`);
  await fs.rm(folder, { recursive: true });
}
