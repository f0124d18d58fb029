import fs from "node:fs/promises";
import path from "node:path";
import { findBuild, SOURCE } from "./build";
import type { Tool } from "./definition";
import type { TaskEntry } from "./tasksFile";

/** Measure any program, as it is. */
const READY: readonly Tool[] = ["instrument", "callgrind"];
/** No flag of a compiler records functions of CUDA, and valgrind knows no GPU; kernels and copies are recorded without marks. */
const READY_OF_CUDA: readonly Tool[] = ["tracker"];
/** So many files of a folder are looked at, and so much of each. */
const MOST_FILES = 200;
const MOST_BYTES = 1 << 20;
/** Where a program begins: `int main(`, Fortran's `program heat`. */
const MAIN = /\bmain\s{0,9}\(/;
const FORTRAN_MAIN = /^[ \t]{0,99}program[ \t]{1,9}\w/im;

/** What a traced build of a program is called. @param program empty where the folder's build says it */
export function taskLabel(tool: Tool, program: string): string {
  return `traced build: ${tool}${program === "" ? "" : ` of ${path.basename(program)}`}`;
}

/**
 * Traced builds that need no answers: of what CMake or make builds, else of each file of the folder that is a program by itself.
 *
 * @param canSample perf may measure on this machine: samples come first then, as in the list of tools
 */
export async function readyTasks(folder: string, canSample: () => Promise<boolean>): Promise<TaskEntry[]> {
  const programs = findBuild(folder) === undefined ? await programFiles(folder) : [""];
  if (programs.length === 0) return [];
  const ready: readonly Tool[] = (await canSample()) ? ["sample", ...READY] : READY;
  return programs.flatMap((program) =>
    (path.extname(program) === ".cu" ? READY_OF_CUDA : ready).map((tool) => ({
      type: "heatflow",
      label: taskLabel(tool, program),
      tool,
      ...(program === "" ? {} : { program }),
    })),
  );
}

/** Source files of a folder that have a main function or program, by name. */
async function programFiles(folder: string): Promise<string[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && SOURCE.test(entry.name)).map(({ name }) => name);
  const found: string[] = [];
  for (const name of names.sort().slice(0, MOST_FILES)) {
    const file = path.join(folder, name);
    const { size } = await fs.stat(file);
    const text = size > MOST_BYTES ? "" : await fs.readFile(file, "utf8").catch(() => "");
    if ((/^\.f/i.test(path.extname(name)) ? FORTRAN_MAIN : MAIN).test(text)) found.push(name);
  }
  return found;
}
