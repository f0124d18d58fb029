import fs from "node:fs/promises";
import path from "node:path";
import { EXCLUDING } from "./compilers";
import { type StackKind, TaskError, type TracedTask } from "./definition";
import { type Machine, need } from "./machine";
import { addLines, buildIdsIn } from "./perfLines";
import { printed } from "./processes";
import type { Step } from "./steps";

/** Regions that are shorter are in every sum and not in the timeline: an unmodified program has millions of them. */
const SHORTEST_INSTRUMENTED_NS = "10000";

/** What is measured, and where it goes. */
export interface Measured {
  readonly program: string;
  /** Folder of the recording. */
  readonly folder: string;
  /** The tracker's runtime, of tools that need it. */
  readonly library?: string;
  /** What the program was compiled with for the tool; empty where it was there already. */
  readonly flags: readonly string[];
  /** Process that runs already, instead of the program. */
  readonly process?: number;
  /** Method by which perf finds callers, for `sample`. */
  readonly stacks?: StackKind;
  /** Of `sample`: perf ends the run if its file reaches {@link MAX_PERF_DATA}. */
  readonly hasLimit?: boolean;
}

/** How a program is run to be measured. */
export interface Measuring {
  readonly run: Step;
  /**
   * What makes a recording of what was measured, in turn.
   *
   * @param left names of what the run has left in its folder
   */
  after(left: readonly string[]): readonly Step[];
}

/** What perf writes is called so, with rank, host and process behind it where each rank has a file; only perf reads it. */
export const PERF_DATA = /^perf\.data(?:\..*)?$/;
/** Size of perf's file at which it ends the run, as perf writes it, and in bytes. */
export const MAX_PERF_DATA = "2G";
export const MAX_PERF_DATA_BYTES = 2 * 2 ** 30;
/** Options of mpirun and mpiexec that name hosts. */
const NAMES_HOSTS = /^(?:-H|-f|--?(?:host|hosts|hostfile|machinefile|default-hostfile))(?:=|$)/;

/** Whether ranks run where they are no children of their launcher: on other hosts, or started by Slurm. */
export function isSpread({ ranks, launcher }: Pick<TracedTask, "ranks" | "launcher">, machine: Machine): boolean {
  const nodes = Number(machine.environment.SLURM_JOB_NUM_NODES ?? 1);
  return (
    ranks > 0 && (path.basename(launcher[0]) === "srun" || launcher.some((one) => NAMES_HOSTS.test(one)) || nodes > 1)
  );
}

/**
 * The program with its tool, and with a launcher where it has ranks. What the tool needs stands before the program, within the
 * launcher's command, so that it reaches the ranks whichever launcher it is. Files of ranks are named by rank, host and process, since
 * processes of several hosts can have one number.
 *
 * @throws MissingProgram
 */
export function measuring(task: TracedTask, machine: Machine, measured: Measured): Measuring {
  const { tool, cwd, args, env, ranks, launcher } = task;
  const own = [measured.program, ...args];
  const inFolder = (name: string) => path.join(measured.folder, name);
  const launched = (command: readonly string[]) =>
    ranks > 0 ? [...launcher, "-n", String(ranks), ...command] : command;
  const started = ([first, ...rest]: readonly string[]): Step => {
    return { title: "Run", command: need(machine, first), args: rest, env, cwd };
  };
  const step = (command: readonly string[]) => started(launched(command));
  const analysis = (name: string, given: readonly string[]): Step => {
    return { title: name, command: need(machine, name), args: given, env: {}, cwd };
  };
  const withVariables = (variables: Readonly<Record<string, string>>, command: readonly string[]) => [
    need(machine, "env"),
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    // env would take such a program for one more variable.
    ...(command[0].includes("=") ? [need(machine, "nice"), "-n", "0"] : []),
    ...command,
  ];
  const nothing = () => [];
  switch (tool) {
    case "tracker":
    case "instrument": {
      const { library, folder } = measured;
      const variables: Record<string, string> = {
        ...(library === undefined ? {} : preloaded(library, task, machine)),
        // A percent sign of the folder's own is one.
        HEATFLOW_OUTPUT: path.join(
          folder.replaceAll("%", "%%"),
          ranks > 0 ? "heatflow-rank%r.%h.%p.json" : "heatflow-%p.json",
        ),
        HEATFLOW_RUN: path.basename(folder),
        ...(tool === "instrument" ? { HEATFLOW_SHORTEST_EVENT_NS: SHORTEST_INSTRUMENTED_NS } : {}),
        ...excluded(measured.flags),
        // What the user says of these is what counts.
        ...Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("HEATFLOW_"))),
      };
      return { run: step(withVariables(variables, own)), after: nothing };
    }
    case "callgrind": {
      const valgrind = need(machine, "valgrind");
      // A percent sign stands for something in valgrind's names.
      const output = `--callgrind-out-file=${inFolder("callgrind.out").replaceAll("%", "%%")}`;
      const command =
        ranks > 0
          ? [...inFileOfRank(machine, "%p"), valgrind, "--tool=callgrind", output, ...own]
          : [valgrind, "--tool=callgrind", `${output}.%p`, ...own];
      return { run: step(command), after: nothing };
    }
    case "caliper": {
      const config = env.CALI_CONFIG ?? `hatchet-region-profile(output=${inFolder("profile.cali")},output.format=cali)`;
      return { run: step(withVariables({ CALI_CONFIG: config }, own)), after: nothing };
    }
    case "hpctoolkit": {
      const measurements = inFolder("measurements");
      // First, since it is the one whose absence says how HPCToolkit is installed.
      const run = step([need(machine, "hpcrun"), "-e", "CPUTIME", "-t", "-o", measurements, ...own]);
      const steps = [
        analysis("hpcstruct", [measurements]),
        analysis("hpcprof", ["-o", inFolder("database"), measurements]),
      ];
      return { run, after: (left) => (left.includes("measurements") ? steps : []) };
    }
    case "sample": {
      const record = [need(machine, "perf"), "record"];
      const stacks = measured.stacks ?? stacksFor(task, measured.program);
      const options = [...stackOptions(stacks), ...(measured.hasLimit === true ? ["--max-size", MAX_PERF_DATA] : [])];
      const output = `--output=${inFolder("perf.data")}`;
      const attached = measured.process === undefined ? undefined : ["-p", String(measured.process)];
      const limit = task.seconds === undefined ? [] : ["--", need(machine, "sleep"), String(task.seconds)];
      // Where it can, perf stands before the launcher: it follows all processes that are started, into one file.
      const run =
        attached !== undefined
          ? started([...record, output, ...options, ...attached, ...limit])
          : isSpread(task, machine)
            ? step([...inFileOfRank(machine, "$$"), ...record, output, ...options, "--", ...own])
            : started([...record, output, ...options, "--", ...launched(own)]);
      const text = (name: string) => inFolder(name.replace(".data", "").concat(".txt"));
      const steps = (left: readonly string[]) =>
        left
          .filter((name) => PERF_DATA.test(name))
          .map((name) => printing(machine, inFolder(name), text(name), cwd, stacks === "fp"));
      return { run, after: steps };
    }
  }
}

/** Files that the compiler does not instrument, for a note of the recording. */
function excluded(flags: readonly string[]): Record<string, string> {
  const list = flags.find((flag) => flag.startsWith(EXCLUDING))?.slice(EXCLUDING.length);
  return list === undefined ? {} : { HEATFLOW_EXCLUDED: list };
}

/** Variables that load a library before a program, in front of what the user loads. LD_PRELOAD has no way to write a space or colon. */
function preloaded(library: string, { env }: TracedTask, { environment }: Machine): Record<string, string> {
  const listed = (own: string, name: string) =>
    [own, env[name] ?? environment[name] ?? ""].filter((one) => one !== "").join(":");
  if (!/[\s:;$]/.test(library)) return { LD_PRELOAD: listed(library, "LD_PRELOAD") };
  const folder = path.dirname(library);
  if (/[:;$]/.test(folder))
    throw new TaskError(
      `${folder} cannot be named to the loader: it has a colon, semicolon or dollar sign in its name.`,
    );
  return {
    LD_PRELOAD: listed(path.basename(library), "LD_PRELOAD"),
    LD_LIBRARY_PATH: listed(folder, "LD_LIBRARY_PATH"),
  };
}

/**
 * Method by which perf finds callers. Frame pointers end in libraries, which have none (0 % of the stacks of an OpenMP program are whole), so that
 * stacks are copied also of programs that were compiled with them. Python's functions are found by frame pointers alone.
 */
export function stacksFor({ stacks, usualStacks }: TracedTask, program: string): StackKind {
  return stacks ?? (path.basename(program).startsWith("python") ? "fp" : (usualStacks ?? "dwarf"));
}

/** A copy of a stack takes 8 kB: fewer samples are taken. */
function stackOptions(stacks: StackKind): string[] {
  return [...(stacks === "dwarf" ? ["-F", "499"] : []), "--call-graph", stacks];
}

/**
 * Prints samples as text, with the lines of frames.
 *
 * @param areReturns see {@link addLines}
 */
function printing(machine: Machine, recorded: string, text: string, cwd: string, areReturns: boolean): Step {
  const title = "perf script";
  const command = need(machine, "perf");
  // With the header, whose command says how callers were recorded.
  const script = ["script", "--header", "-F"];
  if (machine.find("addr2line") === undefined) {
    const args = [...script, "+pid,+srcline", "--full-source-path", "-i", recorded];
    return { title, command, args, env: {}, cwd, into: text };
  }
  const plain = `${text}.plain`;
  return {
    title,
    command,
    args: [...script, "+pid", "-i", recorded],
    env: {},
    cwd,
    into: plain,
    async finish(signal) {
      const list = { title, command, args: ["buildid-list", "-i", recorded], env: {}, cwd };
      const buildIds = buildIdsIn((await printed(list, signal)) ?? "");
      const { mtimeMs: endedMs } = await fs.stat(recorded);
      await addLines(plain, text, areReturns, machine, { buildIds, endedMs }, signal);
      await fs.rm(plain);
    },
  };
}

/**
 * A shell that runs a tool with the name of its output completed by rank, host and process. It sees a constant text; tool, option,
 * output and program are its arguments, which it gives on as they are.
 *
 * @param process what stands for the process: `%p` of valgrind, which names processes that a rank starts, too; `$$` of the shell
 */
function inFileOfRank(machine: Machine, process: "%p" | "$$"): string[] {
  // Open MPI, MPICH and Intel MPI, PMIx, Slurm.
  const rank = "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-${SLURM_PROCID}}}}";
  const script = `tool="$1" first="$2" output="$3.rank${rank}.$(uname -n).${process}"; shift 3; exec "$tool" "$first" "$output" "$@"`;
  return [need(machine, "sh"), "-c", script, "sh"];
}
