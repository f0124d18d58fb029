import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { type Cupti, flagsOfCupti } from "./cupti";
import type { TracedTask } from "./definition";
import { type Machine, need } from "./machine";
import { printed } from "./processes";
import type { Step } from "./steps";

/** Variables that change which compiler a wrapper of MPI is, or which headers and libraries a compiler takes. */
const DECIDING =
  /^(?:(?:OMPI|MPICH|I_MPI)_(?:CXX|CXXFLAGS|CPPFLAGS|LDFLAGS|LIBS|ROOT)|PE_ENV|CRAY_MPICH_DIR|CRAYPE_VERSION|CPATH|CPLUS_INCLUDE_PATH|LIBRARY_PATH)$/;

/** The tracker's runtime of a task. */
export interface RuntimeLibrary {
  readonly library: string;
  /** Makes the library: undefined if there is one of this compiler that is newer than its sources. */
  readonly step?: Step;
}

/**
 * The tracker's runtime as a library that is loaded before a program: functions of `-finstrument-functions`, MPI's profiling
 * interface where there are ranks, allocations where the task's environment asks for them, and GPUs. It is compiled here, since MPI's
 * and CUDA's headers are those of the machine. Each compiler, MPI and CUDA has a library of its own, so that a module that is loaded
 * later never meets the library of another one.
 *
 * @param cupti of a program that uses CUDA
 * @param signal stops asking the compiler for its version
 */
export async function runtimeLibrary(
  task: Pick<TracedTask, "output" | "ranks" | "env">,
  machine: Machine,
  cupti?: Cupti,
  signal: AbortSignal = new AbortController().signal,
): Promise<RuntimeLibrary> {
  const compiler = need(machine, task.ranks > 0 ? "mpicxx" : "c++");
  const more = [
    ...(task.ranks > 0 ? ["mpi"] : []),
    ...(wantsAllocations(task) ? ["allocations"] : []),
    ...(cupti ? ["cuda"] : []),
  ];
  const sources = ["heatflow", ...more].map((name) => path.join(machine.trackerFolder, "src", `${name}.cpp`));
  const include = `-I${path.join(machine.trackerFolder, "include")}`;
  const linked = cupti === undefined ? [] : flagsOfCupti(cupti);
  const ways = ["-std=c++17", "-O2", "-fPIC", "-shared", "-pthread", include, ...sources];
  const identity = [ways, linked, await compilerIdentity(compiler, machine, signal), await stateOf(cupti)];
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 8);
  const folder = path.join(task.output, "runtime", hash);
  const name = `lib${["heatflow", ...more].join("-")}.so`;
  const library = path.join(folder, name);
  await fs.mkdir(folder, { recursive: true });
  const built = await fs.stat(library).catch(() => undefined);
  const changes = await Promise.all(
    (await sourcesOf(machine.trackerFolder)).map(async (file) => (await fs.stat(file)).ctimeMs),
  );
  if (built !== undefined && changes.every((change) => built.mtimeMs > change)) return { library };
  // Moved into place when it is whole: a program of another window may load it at any time.
  const made = path.join(folder, "made", name);
  await fs.mkdir(path.dirname(made), { recursive: true });
  const args = [...ways, "-o", made, "-ldl", ...linked];
  // Without a library the loader reports what is missing.
  const finish = () => fs.rename(made, library).catch(() => undefined);
  return { library, step: { title: "Compile the tracker", command: compiler, args, env: {}, cwd: folder, finish } };
}

/** Identity of a compiler at a path: the program behind links, its version, and a wrapper's command. */
async function compilerIdentity(command: string, machine: Machine, signal: AbortSignal): Promise<unknown> {
  const file = await fs.realpath(command);
  const answers = ["--version", "-show"].map((option) =>
    printed({ title: "", command, args: [option], env: {}, cwd: path.dirname(file) }, signal),
  );
  const variables = Object.entries(machine.environment).filter(([name]) => DECIDING.test(name));
  return [command, await fileState(file), await Promise.all(answers), variables.sort(([a], [b]) => (a < b ? -1 : 1))];
}

/** State of CUPTI's library: another toolkit may lie at the same path later. */
async function stateOf(cupti: Cupti | undefined): Promise<unknown> {
  return cupti === undefined ? undefined : fileState(path.join(cupti.libraries, "libcupti.so"));
}

async function fileState(file: string): Promise<readonly [string, number, number]> {
  const real = await fs.realpath(file);
  const { size, mtimeMs } = await fs.stat(real);
  return [real, size, mtimeMs];
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
