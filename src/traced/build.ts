import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeTargetFor } from "./buildTargets";
import { byCmake } from "./cmakeBuild";
import { type BuiltProgram, usesCuda } from "./cmakePrograms";
import { type Flags, flagsOf, languages, withoutPartsOf } from "./compilers";
import { type Build, TaskError, type TracedTask } from "./definition";
import { withFlagVariables } from "./flagText";
import { withLock } from "./folderLock";
import { type Machine, need } from "./machine";
import { makeArguments, makefilesOf, namesCopies, targetsOf } from "./makefile";
import { mirror } from "./mirror";
import { type StepHost, printed } from "./processes";
import { makePrograms } from "./programNames";
import { needsRuntime } from "./runtime";
import type { Place, RunBuildStep } from "./steps";

/** A program that was built. */
export interface Built {
  /** Folders in which the program may lie, as tasks.json names it. */
  readonly folders: readonly string[];
  /** Programs that the build makes, where it tells. */
  readonly programs: readonly BuiltProgram[];
  readonly flags: readonly string[];
  /** Some of it is compiled by nvcc. */
  readonly usesCuda: boolean;
}

/** What a build is given by the window. */
export interface BuildHost extends Pick<StepHost, "signal"> {
  say(line: string): void;
}

/** Flags for sources whose paths begin with a folder; undefined: they are named relative to where they are compiled. */
type FlagsFor = (folder: string | undefined) => Flags;

/** What decides which compilers and flags a build without arguments takes. */
const VARIABLES = ["CC", "CXX", "FC", "CFLAGS", "CXXFLAGS", "FFLAGS", "FCFLAGS", "CPPFLAGS", "LDFLAGS"];

/** Compilers that builds call without a path. After another module is loaded it is another compiler, whose objects do not fit. */
const COMPILERS = ["cc", "c++", "gcc", "g++", "gfortran", "mpicc", "mpicxx", "mpif90", "nvcc"];

/** Said when another window builds in the same folder. */
export const WAITING = "waiting for another traced build of this folder";

/** CUDA's compiler in a command. */
const NVCC = /(?:^|[\s/=])nvcc(?:\s|$)/m;

/** Names of source files that a compiler makes a program of. */
export const SOURCE = /\.(?:c|cc|cpp|cxx|C|f|f90|F90|f95|cu)$/;

/** How the folder of a task is built: by CMake, by make, or by a compiler where it is a single file. */
export function findBuild(folder: string): Build | undefined {
  const has = (name: string) => fs.existsSync(path.join(folder, name));
  if (has("CMakeLists.txt")) return "cmake";
  return has("Makefile") || has("makefile") || has("GNUmakefile") ? "make" : undefined;
}

/**
 * Builds the program into a folder of the task's own.
 *
 * @param isAlone the program brings all of the tracker along, from now on: see {@link sharesRecorder}
 * @throws TaskError, MissingProgram, and what `run` throws
 */
export async function buildProgram(
  task: TracedTask,
  machine: Machine,
  host: BuildHost,
  run: RunBuildStep,
  isAlone = false,
): Promise<Built> {
  const isSource = SOURCE.test(task.program);
  const wanted = task.build ?? (isSource ? undefined : findBuild(task.cwd));
  // "make" and "cmake" with further arguments are what they are without.
  const [build, more] =
    Array.isArray(wanted) && (wanted[0] === "make" || wanted[0] === "cmake")
      ? [wanted[0], wanted.slice(1)]
      : [wanted, []];
  if (build === "none" || (build === undefined && !isSource)) {
    if (task.program === "")
      throw new TaskError(
        `${task.cwd} has neither CMakeLists.txt nor a Makefile. Name a program, or a source file, in "program".`,
      );
    return { folders: [task.cwd], programs: [], flags: [], usesCuda: false };
  }
  const variables = VARIABLES.map((name) => machine.environment[name]);
  const compilers = await Promise.all(COMPILERS.map((name) => programBehind(machine, name)));
  const key = [task.cwd, isSource ? task.program : "", build, more, variables, compilers];
  // What was built in another way, or elsewhere, must not pass for this one.
  const hash = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 8);
  const folder = path.join(task.output, "build", `${task.tool}-${nameOf(task)}-${hash}`);
  await fs.promises.mkdir(folder, { recursive: true });
  const waiting = () => host.say(WAITING);
  return withLock(`${folder}.lock`, { signal: host.signal, waiting }, () =>
    buildIn({ folder, more }, build, { task, machine, host, isAlone, isSource }, run),
  );
}

/** The file that a name stands for, behind links. @returns undefined if there is none */
async function programBehind(machine: Machine, name: string): Promise<string | undefined> {
  const found = machine.find(name);
  return found === undefined ? undefined : fs.promises.realpath(found);
}

/** Input of a build. */
interface Building {
  readonly task: TracedTask;
  readonly machine: Machine;
  readonly host: BuildHost;
  readonly isAlone: boolean;
  readonly isSource: boolean;
}

/** @param build undefined for a single source file */
async function buildIn(
  { folder, more }: Place,
  build: Exclude<Build, "none"> | undefined,
  { task, machine, host, isAlone, isSource }: Building,
  run: RunBuildStep,
): Promise<Built> {
  const alone = `${folder}.alone`;
  if (isAlone) await fs.promises.writeFile(alone, "");
  // A single source is compiled with the tracker as fast as the runtime is, and a build of the user's own leaves objects that run elsewhere.
  const hasRuntime =
    (build === "make" || build === "cmake" || (isSource && needsRuntime(task))) && !fs.existsSync(alone);
  const compiler = machine.environment.CXX ?? "c++";
  const version = await printed(
    { title: "", command: machine.find(compiler) ?? compiler, args: ["--version"], env: {}, cwd: task.cwd },
    host.signal,
  );
  const isClang = /clang/i.test(version ?? "");
  const flagsFor = (named: string | undefined) => {
    const { task: possible, left } = named === undefined ? { task, left: [] } : withoutPartsOf(task, named);
    if (left.length > 0 && task.tool === "instrument" && !isClang)
      host.say(
        `${named} contains ${left.join(", ")} of "exclude", which would leave out every function: not excluded.`,
      );
    return flagsOf(possible, machine, isClang, hasRuntime);
  };
  const listed = (of: Flags) => [...new Set(languages.flatMap((language) => of[language]))];
  if (build === "make") {
    const { flags, database } = await byMake(task, machine, flagsFor, { folder, more }, host, run);
    const programs = (await makePrograms(folder, targetsOf(database))).map((file) => ({ file }));
    return { folders: [folder], programs, flags: listed(flags), usesCuda: NVCC.test(database) };
  }
  const flags = flagsFor(task.cwd);
  const all = listed(flags);
  if (build === "cmake") {
    const programs = await byCmake(task, { machine, say: (line) => host.say(line) }, flags, { folder, more }, run);
    return { folders: [folder, task.cwd], programs, flags: all, usesCuda: await usesCuda(folder) };
  }
  if (build === undefined) {
    const program = await byCompiler(task, machine, flags, folder, run);
    return {
      folders: [folder],
      programs: [{ file: program }],
      flags: all,
      usesCuda: path.extname(task.program) === ".cu",
    };
  }
  const [command, ...args] = build;
  const given = (name: string, list: readonly string[]) => {
    return { [name]: { before: machine.environment[name] ?? "-O2", flags: list } };
  };
  const lists = Object.assign(given("CFLAGS", flags.C), given("CXXFLAGS", flags.CXX), given("FFLAGS", flags.Fortran));
  await withFlagVariables(folder, lists, (env) =>
    run({ title: "Build", command: need(machine, command), args, env, cwd: task.cwd }),
  );
  return { folders: [task.cwd], programs: [], flags: all, usesCuda: NVCC.test([...build].join(" ")) };
}

/** A folder of its own for each program of the task's folder. */
function nameOf({ cwd, program }: TracedTask): string {
  return (SOURCE.test(program) ? path.basename(program, path.extname(program)) : path.basename(cwd)).replace(
    /[^\w.-]/g,
    "_",
  );
}

/**
 * In a copy of the folder, so that its own objects stay; paths in debug information are those of the folder. What was made with other
 * flags or by other Makefiles is made anew: make looks at times only.
 *
 * @returns the flags that were added, and what `make -pn` printed
 */
async function byMake(
  task: TracedTask,
  machine: Machine,
  flagsFor: FlagsFor,
  { folder, more }: Place,
  host: BuildHost,
  run: RunBuildStep,
): Promise<{ readonly flags: Flags; readonly database: string }> {
  const { signal } = host;
  const make = need(machine, "make");
  await mirror(task.cwd, folder, signal);
  const database =
    (await printed({ title: "", command: make, args: ["-pn", ...more], env: {}, cwd: folder }, signal)) ?? "";
  const flags = flagsFor(namesCopies(database, folder) ? folder : undefined);
  const mapped = [`-ffile-prefix-map=${folder}=${task.cwd}`];
  const withMap: Flags = {
    ...flags,
    C: [...flags.C, ...mapped],
    CXX: [...flags.CXX, ...mapped],
    Fortran: [...flags.Fortran, ...mapped],
  };
  // The last one of two values counts.
  const own = [...more, ...makeArguments(database, withMap)];
  const read = (file: string) => fs.promises.readFile(path.resolve(folder, file), "utf8").catch(() => "");
  const made = JSON.stringify([own, await Promise.all(makefilesOf(database).map(read))]);
  const known = `${folder}.made.json`;
  if ((await read(known)) !== made) {
    await fs.promises.rm(folder, { recursive: true });
    await mirror(task.cwd, folder, signal);
    await fs.promises.writeFile(known, made);
  }
  const target = makeTargetFor(task.program, database, more);
  if (target === undefined && task.program !== "" && more.length === 0)
    host.say(`The Makefile has no rule that makes the file ${task.program} alone, so make builds its default target.`);
  const args = [`-j${os.availableParallelism()}`, ...own, ...(target === undefined ? [] : [target])];
  await run({ title: "Build", command: make, args, env: {}, cwd: folder, copyOf: task.cwd });
  return { flags, database };
}

/** A program of a single source file. @returns its path */
async function byCompiler(
  task: TracedTask,
  machine: Machine,
  flags: Flags,
  folder: string,
  run: RunBuildStep,
): Promise<string> {
  const source = path.resolve(task.cwd, task.program);
  const text = await fs.promises.readFile(source, "utf8").catch(() => {
    throw new TaskError(`${source} cannot be read: "program" in tasks.json names it.`);
  });
  const isMpi = /#\s*include\s*[<"]mpi\.h[">]|\buse\s+mpi\b/i.test(text);
  const extension = path.extname(source);
  const [compiler, own] = /^\.c$/.test(extension)
    ? [isMpi ? "mpicc" : "cc", flags.C]
    : /^\.f/i.test(extension)
      ? [isMpi ? "mpif90" : "gfortran", flags.Fortran]
      : extension === ".cu"
        ? ["nvcc", flags.CUDA]
        : [isMpi ? "mpicxx" : "c++", flags.CXX];
  const program = path.join(folder, path.basename(source, extension));
  const args = ["-O2", ...own, source, "-o", program];
  await run({ title: "Compile", command: need(machine, compiler), args, env: {}, cwd: task.cwd });
  return program;
}
