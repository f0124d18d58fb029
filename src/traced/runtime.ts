import fs from "node:fs/promises";
import path from "node:path";
import { type Cupti, flagsOfCupti } from "./cupti";
import type { TracedTask } from "./definition";
import { type Machine, need } from "./machine";
import { printed } from "./processes";
import type { Step } from "./steps";
import { largestIn } from "../model/longLists";

/**
 * The tracker's runtime as a library that is loaded before a program: functions of `-finstrument-functions`, MPI's profiling
 * interface where there are ranks, allocations where the task's environment asks for them, and GPUs. It is compiled here, since MPI's
 * and CUDA's headers are those of the machine.
 *
 * @param cupti of a program that uses CUDA
 * @returns the library, and the step that makes it, where it is missing or older than its sources
 */
export async function runtimeLibrary(
  task: Pick<TracedTask, "output" | "ranks" | "env">,
  machine: Machine,
  cupti?: Cupti,
): Promise<{ readonly library: string; readonly step?: Step }> {
  const compiler = need(machine, task.ranks > 0 ? "mpicxx" : "c++");
  const folder = path.join(task.output, "runtime");
  const more = [
    ...(task.ranks > 0 ? ["mpi"] : []),
    ...(wantsAllocations(task) ? ["allocations"] : []),
    ...(cupti ? ["cuda"] : []),
  ];
  const library = path.join(folder, `lib${["heatflow", ...more].join("-")}.so`);
  const sources = ["heatflow", ...more].map((name) => `${name}.cpp`);
  const files = sources.map((name) => path.join(machine.trackerFolder, "src", name));
  await fs.mkdir(folder, { recursive: true });
  const built = await fs.stat(library).catch(() => undefined);
  const changes = await Promise.all(
    (await sourcesOf(machine.trackerFolder)).map(async (file) => (await fs.stat(file)).ctimeMs),
  );
  if (built !== undefined && built.mtimeMs > largestIn(changes)) return { library };
  const linked = cupti === undefined ? [] : flagsOfCupti(cupti);
  const include = `-I${path.join(machine.trackerFolder, "include")}`;
  const args = [
    "-std=c++17",
    "-O2",
    "-fPIC",
    "-shared",
    "-pthread",
    include,
    ...files,
    "-o",
    library,
    "-ldl",
    ...linked,
  ];
  return { library, step: { title: "Compile the tracker", command: compiler, args, env: {}, cwd: folder } };
}

/** Whether a task records what only the runtime can, whatever the program brings along. */
export function needsRuntime(task: Pick<TracedTask, "tool" | "ranks" | "env">): boolean {
  return task.tool === "instrument" || (task.tool === "tracker" && (task.ranks > 0 || wantsAllocations(task)));
}

/** The tracker's variable by which program and runtime find each other. */
const PROVIDER = "_ZN8heatflow6detail8Recorder9provider_E";

/**
 * Whether the runtime finds the recorder of a program that was compiled to leave all else to it. It does not where the program is
 * linked statically, or without the compiler's flags, so that its symbols are not to be seen.
 *
 * @returns true where nobody can tell, too: such a program says itself that nothing is recorded
 */
export async function sharesRecorder(program: string, machine: Machine, signal: AbortSignal): Promise<boolean> {
  const command = machine.find("nm");
  if (command === undefined) return true;
  const has = async (...options: string[]) => {
    const step = { title: "", command, args: [...options, program], env: {}, cwd: path.dirname(program) };
    return ((await printed(step, signal)) ?? "").includes(PROVIDER);
  };
  return (await has("-D")) || !(await has());
}

/** Whether the tracker is to stand in front of the C library's allocation. */
function wantsAllocations({ env }: Pick<TracedTask, "env">): boolean {
  return Number(env.HEATFLOW_ALLOCATIONS) > 0;
}

async function sourcesOf(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const part of ["src", "include"])
    for (const entry of await fs.readdir(path.join(folder, part), { withFileTypes: true, recursive: true }))
      if (entry.isFile()) found.push(path.join(entry.parentPath, entry.name));
  return found;
}
