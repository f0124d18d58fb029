import fs from "node:fs";
import path from "node:path";
import { TaskError } from "./definition";

/** What is installed: where programs are, as the user has said or as PATH has them. */
export interface Machine {
  /** Absolute path of a program; undefined where there is none. */
  find(program: string): string | undefined;
  /** Folder of the tracker's header and sources. */
  readonly trackerFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A tool that cannot be used on this machine: another one may do. */
export class UnusableTool extends TaskError {}

/** A program that a task needs and that is not there. */
export class MissingProgram extends UnusableTool {
  constructor(
    readonly program: string,
    readonly advice: string,
  ) {
    super(`${program} was not found. ${advice}`);
  }
}

/** How programs are installed where that is known: what to tell who lacks one. */
const ADVICE: Readonly<Record<string, string>> = {
  cmake: "Install CMake (Debian, Ubuntu: apt install cmake; Fedora: dnf install cmake).",
  make: "Install make (Debian, Ubuntu: apt install make; Fedora: dnf install make).",
  "c++": "Install a C++ compiler (Debian, Ubuntu: apt install g++; Fedora: dnf install gcc-c++).",
  mpicxx: "Install MPI's compiler (Debian, Ubuntu: apt install libopenmpi-dev; on a cluster: load its module).",
  mpirun: "Install MPI (Debian, Ubuntu: apt install openmpi-bin; on a cluster: load its module).",
  srun: "srun is Slurm's: start the task on a machine that is part of the cluster.",
  valgrind: "Install valgrind (Debian, Ubuntu: apt install valgrind; Fedora: dnf install valgrind).",
  perf: "Install perf (Debian: apt install linux-perf; Ubuntu: apt install linux-tools-generic; Fedora: dnf install perf).",
  hpcrun: "Install HPCToolkit (spack install hpctoolkit; on a cluster: load its module).",
};

/** @throws MissingProgram */
export function need(machine: Machine, program: string): string {
  const found = machine.find(program);
  if (found !== undefined) return found;
  const advice = ADVICE[path.basename(program)] ?? "Install it, or name it with its whole path.";
  throw new MissingProgram(program, `${advice} Where it lies elsewhere, name it in the setting heatflow.programs.`);
}

/**
 * The machine that this runs on.
 *
 * @param chosen paths of programs that the user named, before PATH
 */
export function thisMachine(
  trackerFolder: string,
  chosen: Readonly<Record<string, string>>,
  environment: Machine["environment"] = process.env,
): Machine {
  const folders = (environment.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return {
    trackerFolder,
    environment,
    find(program) {
      const named = Object.hasOwn(chosen, program) ? chosen[program] : program;
      if (path.isAbsolute(named)) return isProgram(named) ? named : undefined;
      if (named.includes(path.sep)) return undefined;
      return folders.map((folder) => path.join(folder, named)).find(isProgram);
    },
  };
}

/** Whether a file can be run. */
export function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
